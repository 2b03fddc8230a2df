"""A proxy in front of an API or a database that loses answers: what was asked is done, and nobody hears of it."""

from __future__ import annotations

import shutil
import socket
import tempfile
import threading
from contextlib import suppress
from urllib.parse import quote

Target = tuple[str, int] | str
"""Host and port, or the path of a socket."""


class LosingProxy:
    """Passes bytes on until it is told to lose an answer.

    Args:
        target: where the server listens; it may be away at any time.
        socket_name: listen on a socket of this name in a folder of its own; None: on a free port.
    """

    def __init__(self, target: Target, socket_name: str | None = None) -> None:
        self.folder = tempfile.mkdtemp(prefix="turnkeeper-")
        self._target = target
        self._to_lose = 0
        self._guard = threading.Lock()
        if socket_name is None:
            self._listener = socket.socket()
            self._listener.bind(("127.0.0.1", 0))
        else:
            self._listener = socket.socket(socket.AF_UNIX)
            self._listener.bind(f"{self.folder}/{socket_name}")
        self._listener.listen(64)
        self.address: tuple[str, int] = self._listener.getsockname() if socket_name is None else ("", 0)
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def database_url(self) -> str:
        """The URL of an embedded database behind this proxy."""
        return f"postgresql:///turnkeeper?host={quote(self.folder, safe='')}&user=postgres"

    def lose_answers(self, count: int = 1) -> None:
        """Close the connection instead of passing on the next answers."""
        with self._guard:
            self._to_lose = count

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            server = self._connect()
        except OSError:
            client.close()
            return
        back = threading.Thread(target=self._pass_on, args=(server, client, True), daemon=True)
        back.start()
        self._pass_on(client, server, False)
        back.join()
        client.close()
        server.close()

    def _connect(self) -> socket.socket:
        if not isinstance(self._target, str):
            return socket.create_connection(self._target, timeout=None)
        server = socket.socket(socket.AF_UNIX)
        server.connect(self._target)
        return server

    def _loses_this(self) -> bool:
        with self._guard:
            self._to_lose, lost = max(0, self._to_lose - 1), self._to_lose > 0
        return lost

    def _pass_on(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if answers and self._loses_this():
                    break
                sink.sendall(data)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
