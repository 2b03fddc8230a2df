"""What the README tells a newcomer to type works as written."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def address(scratch: Path) -> Iterator[str]:
    """Everything running, as `make run` runs it; ends all of it."""
    port = free_port()
    own = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    own |= {"PORT": str(port), "DATA_DIR": str(scratch / "readme"), "LOG_LEVEL": "WARNING"}
    running = subprocess.Popen(
        [sys.executable, "-m", "infra.run"], env=own, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
    )
    try:
        yield started(f"http://127.0.0.1:{port}")
    finally:
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 0


def started(address: str) -> str:
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"{address}/readyz", timeout=5):
                return address
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the service did not start")


@pytest.mark.timeout(180)
def test_every_line_of_the_tour_runs(address: str) -> None:
    tour = README.split("## A tour in five minutes")[1].split("```sh\n")[1].split("```")[0]
    script = tour.replace("API=http://127.0.0.1:8000", f"API={address}")
    assert address in script
    done = subprocess.run(["bash", "-eu", "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    told = done.stdout
    assert '"actions": [' in told
    assert "'allowed': False" in told
    assert '"type":"/problems/stale-version"' in told.replace(" ", "")
    assert "roeko.GameSetUp" in told


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"(?:`|^)make ([a-z][a-z -]*)", README, re.MULTILINE))
    words = {word for words in named for word in words.split()} - {"alone"}
    assert words
    assert words <= targets


def test_every_file_that_is_named_exists() -> None:
    paths = set(re.findall(r"`((?:domain|infra|services|projections|workers|tests|docs)/[a-z_/.]*)`", README))
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []
