"""The supervisor and `infra.run`: everything starts by one command, is kept running, and ends with it."""

from __future__ import annotations

import io
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from infra import supervisor as module
from infra.embedded import EmbeddedError
from infra.metrics import process_ended
from infra.run import check_port, processes
from infra.settings import Settings
from infra.supervisor import Child, Process, Supervisor
from tests.infra.waiting import runs, wait_until

ROOT = Path(__file__).parents[2]
SLEEPER = (sys.executable, "-c", "import time; print('up', flush=True); time.sleep(600)")


def child(name: str, *command: str, out: io.StringIO) -> Child:
    return Child(Process(name, command), os.environ, out)


def test_children_are_started_and_their_lines_carry_their_names() -> None:
    out = io.StringIO()
    supervisor = Supervisor([child("one", *SLEEPER, out=out), child("two", *SLEEPER, out=out)], out=out)
    status = supervisor.run(
        ready=lambda: {"one | up", "two | up"} <= set(out.getvalue().splitlines()), announce=supervisor.stop
    )
    assert status == 0
    assert not any(each.alive() for each in supervisor.kept)


def test_a_child_that_ends_is_started_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "LONGEST_PAUSE", 0.01)
    out, count = io.StringIO(), tmp_path / "count"
    count.touch()
    once = (
        f"open({str(count)!r}, 'a').write('x'); import time; time.sleep(600 * (len(open({str(count)!r}).read()) > 1))"
    )
    one, ended = child("one", sys.executable, "-c", once, out=out), list[int]()
    one.ended = ended.append
    supervisor = Supervisor([one], out=out)
    assert supervisor.run(ready=lambda: count.read_text() == "xx", announce=supervisor.stop) == 0
    assert "one has ended" in out.getvalue()
    first, *_, last = ended
    assert first != last == one.pid


def test_gauges_of_a_process_that_ended_are_taken_out_of_the_shared_ones(tmp_path: Path) -> None:
    for name in ("gauge_livemax_7.db", "gauge_livemax_8.db", "counter_7.db"):
        (tmp_path / name).touch()
    process_ended(7, str(tmp_path))
    assert {path.name for path in tmp_path.iterdir()} == {"gauge_livemax_8.db", "counter_7.db"}


def test_a_child_that_never_starts_ends_everything_with_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST_PAUSE", 0.01)
    monkeypatch.setattr(module, "STEADY_SECONDS", 600)
    out = io.StringIO()
    good, bad = child("good", *SLEEPER, out=out), child("bad", sys.executable, "-c", "1/0", out=out)
    assert Supervisor([good, bad], out=out).run() == 1
    assert "bad | ZeroDivisionError: division by zero" in out.getvalue()
    assert "bad cannot be kept running" in out.getvalue()
    assert not good.alive()


def test_a_child_that_ignores_sigterm_is_killed_with_its_children(tmp_path: Path) -> None:
    out = io.StringIO()
    script = (
        "import signal, subprocess, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']).pid, flush=True);"
        "time.sleep(600)"
    )
    supervisor = Supervisor([child("stubborn", sys.executable, "-c", script, out=out)], out=out, patience=0.2)
    supervisor.run(ready=lambda: bool(re.search(r"\| \d+\n", out.getvalue())), announce=supervisor.stop)
    grandchild = int(out.getvalue().split("|")[1])
    wait_until(lambda: not runs(grandchild))


def test_the_table_of_processes_names_each_once() -> None:
    names = [each.name for each in processes(Settings())]
    assert names == ["api", "follower", "worker", "sweep"]


def test_a_busy_port_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        with pytest.raises(EmbeddedError, match=f"cannot listen on 127.0.0.1:{port} .*PORT"):
            check_port("127.0.0.1", port)
    check_port("127.0.0.1", port)


# --- the whole of it, with stand-ins for the children

STAND_IN = """
import http.server, os
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
    def log_message(self, *args): pass
print("pid", os.getpid(), flush=True)
http.server.HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
"""
CLIENT = """
import os, time, psycopg, redis
print("pid", os.getpid(), flush=True)
print("database", os.environ["DATABASE_URL"], flush=True)
db = psycopg.connect(os.environ["DATABASE_URL"])
print("migrated", db.execute("SELECT count(*) > 0 FROM schema_migrations").fetchone()[0], flush=True)
print("broker", redis.Redis.from_url(os.environ["REDIS_URL"]).ping(), flush=True)
time.sleep(600)
"""
SCRIPT = """
import sys
from infra import run
from infra.supervisor import Process
python = (sys.executable, "-c")
run.processes = lambda settings: (Process("api", (*python, {api!r})), Process("client", (*python, {client!r})))
sys.exit(run.main())
"""


class Service:
    """`infra.run` in a process of its own; what it prints is collected."""

    def __init__(self, data_dir: Path, port: int) -> None:
        environ = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        environ |= {"DATA_DIR": str(data_dir), "PORT": str(port)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT.format(api=STAND_IN, client=CLIENT)],
            cwd=ROOT,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip())

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def printed(self, text: str) -> None:
        wait_until(lambda: text in self.text or self.process.poll() is not None)
        assert text in self.text

    def ended(self) -> int:
        status = self.process.wait(60)
        self._reader.join(60)
        return status

    def processes_of(self, data_dir: Path) -> list[int]:
        """All its descendants, the servers included."""
        pids = [int(each) for each in re.findall(r"\| pid (\d+)", self.text)]
        postmaster = data_dir / "postgres" / "postmaster.pid"
        return [*pids, int(postmaster.read_text().split("\n")[0])]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@pytest.fixture
def data_dir() -> Iterator[Path]:
    yield from _data_dir()


@pytest.fixture(scope="module")
def shared_data_dir() -> Iterator[Path]:
    yield from _data_dir()


def _data_dir() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="turnkeeper-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o711)
        yield Path(name) / "data"


@pytest.fixture
def service(data_dir: Path) -> Iterator[Service]:
    """One that the test ends."""
    yield from _service(data_dir)


@pytest.fixture(scope="module")
def shared(shared_data_dir: Path) -> Iterator[Service]:
    """One that several tests look at and leave running."""
    yield from _service(shared_data_dir)


def _service(data_dir: Path) -> Iterator[Service]:
    service = Service(data_dir, free_port())
    yield service
    service.process.kill()
    service.process.wait()


def test_one_command_starts_servers_migrates_and_says_how_to_try_it(shared: Service) -> None:
    service = shared
    service.printed("client     | migrated True")
    service.printed("client     | broker True")
    service.printed("ready: http://127.0.0.1:")
    service.printed("/docs")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_everything_with_status_0(service: Service, data_dir: Path, number: signal.Signals) -> None:
    service.printed("ready:")
    service.printed("broker True")
    pids = service.processes_of(data_dir)
    service.process.send_signal(number)
    assert service.ended() == 0, service.text
    assert not any(runs(pid) for pid in pids)
    assert "Traceback" not in service.text


def test_everything_ends_when_the_supervisor_is_killed(service: Service, data_dir: Path) -> None:
    service.printed("ready:")
    service.printed("broker True")
    pids = service.processes_of(data_dir)
    service.process.kill()
    for pid in pids:
        wait_until(lambda pid=pid: not runs(pid))  # type: ignore[misc]


def test_a_killed_database_comes_back_at_the_same_address(shared: Service, shared_data_dir: Path) -> None:
    service, data_dir = shared, shared_data_dir
    service.printed("ready:")
    postmaster = data_dir / "postgres" / "postmaster.pid"
    first = int(postmaster.read_text().split("\n")[0])
    os.kill(first, signal.SIGKILL)
    service.printed("database has ended")
    wait_until(lambda: postmaster.exists() and int(postmaster.read_text().split("\n")[0]) not in (0, first))
    url = re.findall(r"\| database (postgresql:\S+)", service.text)[0]
    wait_until(lambda: _answers(url))


def _answers(url: str) -> bool:
    try:
        with psycopg.connect(url) as db:
            return db.execute("SELECT 1").fetchone() == (1,)
    except psycopg.OperationalError:
        return False


def test_a_second_run_on_the_same_data_or_port_says_so(shared: Service, shared_data_dir: Path) -> None:
    service, data_dir = shared, shared_data_dir
    service.printed("ready:")
    port = int(re.findall(r"ready: http://127.0.0.1:(\d+)", service.text)[0])
    on_same_data, on_same_port = Service(data_dir, free_port()), Service(data_dir.with_name("other"), port)
    assert (on_same_data.ended(), on_same_port.ended()) == (1, 1)
    assert f"process {service.process.pid} already runs with" in on_same_data.text
    assert f"cannot listen on 127.0.0.1:{port}" in on_same_port.text
    assert "Traceback" not in on_same_data.text + on_same_port.text


SHOW = """
import os, psycopg
db = psycopg.connect(os.environ["DATABASE_URL"])
print("migrated", db.execute("SELECT count(*) > 0 FROM schema_migrations").fetchone()[0], bool(os.environ["REDIS_URL"]))
"""


def serving(data_dir: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command with the servers of `data_dir`; the module it runs lies in `folder`."""
    (folder / "show.py").write_text(SHOW)
    environ = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    environ |= {"DATA_DIR": str(data_dir), "PYTHONPATH": f"{ROOT}:{folder}"}
    command = [sys.executable, "-m", "infra.serving", "show"]
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)


def test_a_command_gets_the_servers_of_a_running_service(
    shared: Service, shared_data_dir: Path, tmp_path: Path
) -> None:
    shared.printed("ready:")
    told = serving(shared_data_dir, tmp_path)
    assert (told.returncode, told.stdout) == (0, "migrated True True\n"), told.stderr
    assert stat.S_IMODE((shared_data_dir / "servers.env").stat().st_mode) == 0o600


def test_a_command_gets_servers_of_its_own_if_nothing_runs(data_dir: Path, tmp_path: Path) -> None:
    told = serving(data_dir, tmp_path)
    assert told.returncode == 0, told.stderr
    assert told.stdout.endswith("migrated True True\n")
    assert not (data_dir / "postgres" / "postmaster.pid").exists()
    assert not (data_dir / "servers.env").exists()


def test_a_bad_setting_ends_with_status_2_and_its_name() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "infra.run"],
        cwd=ROOT,
        env={**os.environ, "PORT": "many"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 2
    assert told.stderr.startswith("turnkeeper: PORT: ")


def test_the_documented_start_of_each_process_is_a_command_of_this_python() -> None:
    for each in processes(Settings()):
        assert each.command[:2] == (sys.executable, "-m"), textwrap.shorten(str(each.command), 80)
