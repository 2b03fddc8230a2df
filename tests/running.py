"""A whole service of a test's own: embedded servers in a temporary folder and the processes that `make run` starts,
any number of each, on free ports. What dies is started again, unless a test holds it back. PostgreSQL waits for the
disk, as it does in earnest: what was committed survives its death.
"""

from __future__ import annotations

import os
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from infra import run
from infra.embedded import Server, claimed, start_postgres, start_valkey
from infra.migrate import migrate
from infra.serving import EmbeddedServer
from infra.settings import Settings
from infra.supervisor import Child, Keepable, Process
from tests.person import Address, Person, exchange

LOOK_SECONDS = 0.05
START_SECONDS = 90.0


class Running:
    """A running service.

    Args:
        folder: of its data and logs.
        counts: how many of each process; one where nothing is said. Each API has a port of its own.
        environ_of: the service and a process's name, such as `api-1` → settings of its own.
        environ: more settings, as environment variables.
    """

    def __init__(
        self,
        folder: Path,
        *,
        counts: Mapping[str, int] | None = None,
        environ_of: Callable[[Running, str], Mapping[str, str]] = lambda service, name: {},
        **environ: str,
    ) -> None:
        self.folder = folder
        self._held: set[str] = set()
        self._closing = threading.Event()
        self._guard = threading.RLock()
        self.log = open(folder / "processes.log", "a", buffering=1)  # noqa: SIM115 (closed in `stop`)

        def launch(again: Server | None) -> Server:
            return start_postgres(folder, again=again)

        self.database = EmbeddedServer("database", launch)
        self.broker = EmbeddedServer("broker", lambda again: start_valkey(folder, again=again))
        self.database.start()
        self.broker.start()
        migrate(self.database.url)
        self._environ = {"HOST": "127.0.0.1", "API_PROCESSES": "1", "LOG_LEVEL": "WARNING", **environ}
        self._environ |= {"DATABASE_URL": self.database.url, "REDIS_URL": self.broker.url}
        self.settings = Settings.from_environ(self._environ)
        self._environ_of = environ_of
        table = run.processes(self.settings)
        self.children = [
            self._child(process, number) for process in table for number in range((counts or {}).get(process.name, 1))
        ]
        for child in self.children:
            child.start()
        self._keeper = threading.Thread(target=self._keep, name="keeper")
        self._keeper.start()

    def _child(self, process: Process, number: int) -> Child:
        name = f"{process.name}-{number}"
        environ = os.environ | self._environ | {"PORT": str(free_port())} | dict(self._environ_of(self, name))
        environ.pop("PROMETHEUS_MULTIPROC_DIR", None)
        return Child(Process(name, process.command), environ, self.log, 12)

    @property
    def addresses(self) -> list[Address]:
        """Where the APIs listen."""
        return [("127.0.0.1", int(child.environ["PORT"])) for child in self.those("api")]

    def those(self, kind: str) -> list[Child]:
        """The processes of a kind: `api`, `follower`, `worker`, `sweep`."""
        return [child for child in self.children if child.name.startswith(f"{kind}-")]

    def person(self, name: str = "Ada", **more: Any) -> Person:
        """A new player of this service."""
        return Person.register(self.addresses, name, **more)

    def await_ready(self) -> None:
        """Wait until all APIs answer."""
        for address in self.addresses:
            eventually(lambda address=address: exchange(address, "GET", "/readyz")[0] == 200, START_SECONDS)  # type: ignore[misc]

    # What may happen to it.

    def kill(self, child: Child) -> None:
        """As if its machine had lost power: the process and all that it started, by SIGKILL."""
        with self._guard, suppress(ProcessLookupError):
            if child.pid is not None and child.alive():
                os.killpg(child.pid, signal.SIGKILL)

    def break_database(self, by: signal.Signals = signal.SIGQUIT) -> None:
        """Stop the database: at once (SIGQUIT), or in an orderly way (SIGINT)."""
        self._end(self.database, by)

    def break_broker(self) -> None:
        """Kill Redis, and with it everything that it knew."""
        self._end(self.broker, signal.SIGKILL)

    def _end(self, kept: EmbeddedServer, by: signal.Signals) -> None:
        with self._guard:
            server = kept.server
            if server is not None and kept.alive():
                server.process.send_signal(by)
                server.process.wait(30)

    @contextmanager
    def without(self, kept: Keepable) -> Iterator[None]:
        """Keep a server or process from being started again for a while."""
        self._held.add(kept.name)
        try:
            yield
        finally:
            self._held.discard(kept.name)

    @contextmanager
    def frozen(self, kept: EmbeddedServer) -> Iterator[None]:
        """A server that takes connections but does not answer."""
        assert kept.server is not None
        process = kept.server.process
        process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)

    def _keep(self) -> None:
        while not self._closing.wait(LOOK_SECONDS):
            with self._guard:
                for kept in (self.database, self.broker, *self.children):
                    if not kept.alive() and kept.name not in self._held and not self._closing.is_set():
                        with suppress(Exception):  # tried again at the next look
                            kept.start()

    def stop(self) -> None:
        """End everything."""
        self._closing.set()
        self._keeper.join()
        for child in self.children:
            child.ask_to_end()
        for child in self.children:
            child.stop(15)
        self.broker.stop(5)
        self.database.stop(20)
        self.log.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def eventually(condition: Callable[[], Any], seconds: float = 60.0) -> Any:
    """Wait until something is true; returns it. How long it takes decides nothing."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)
    return found


@contextmanager
def running(**chosen: Any) -> Iterator[Running]:
    """A service that runs, in a folder that is taken away at the end."""
    with tempfile.TemporaryDirectory(prefix="turnkeeper-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o711)
        with claimed(folder / "data") as data:
            service = Running(data, **chosen)
            try:
                service.await_ready()
                yield service
            finally:
                service.stop()
