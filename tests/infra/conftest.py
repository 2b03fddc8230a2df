"""A proxy between application and PostgreSQL that can lose answers, for tests of broken and silent
connections.
"""

from __future__ import annotations

import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo


class Proxy:
    """Passes bytes on between clients and the server until told otherwise.

    `silent`: answers are swallowed from now on. `cut()`: every connection is closed, new ones are accepted.
    `lose_next_answer`: the next answer is swallowed, then the connection closed.
    """

    def __init__(self, target: str) -> None:
        self.folder = tempfile.mkdtemp(prefix="turnkeeper-")
        self.silent = False
        self.lose_next_answer = False
        self._target = psycopg.conninfo.conninfo_to_dict(target)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(f"{self.folder}/.s.PGSQL.5432")
        self._listener.listen()
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return make_conninfo(**{**self._target, "host": self.folder, "port": "5432"})

    def cut(self) -> None:
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def close(self) -> None:
        self._listener.close()
        self.cut()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = self._connect()
            self._open += [client, server]
            for source, sink, answers in ((client, server, False), (server, client, True)):
                threading.Thread(target=self._pass_on, args=(source, sink, answers), daemon=True).start()

    def _connect(self) -> socket.socket:
        host, port = str(self._target["host"]), str(self._target.get("port", "5432"))
        if not host.startswith("/"):
            return socket.create_connection((host, int(port)))
        server = socket.socket(socket.AF_UNIX)
        server.connect(str(Path(host) / f".s.PGSQL.{port}"))
        return server

    def _pass_on(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if answers and self.lose_next_answer:
                    self.lose_next_answer = False
                    break
                if not (answers and self.silent):
                    sink.sendall(data)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def proxy(database_url: str) -> Iterator[Proxy]:
    """A proxy in front of this test's database."""
    proxy = Proxy(database_url)
    yield proxy
    proxy.close()
