"""Somebody who plays over HTTP and trusts no connection: whatever gets no answer is asked again under the same key."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import uuid4

Address = tuple[str, int]
Answer = tuple[int, dict[str, Any]]

PATIENCE = 10.0
"""Seconds for one answer."""


def exchange(
    address: Address,
    method: str,
    path: str,
    body: Any = None,
    headers: Mapping[str, str] | None = None,
    *,
    connection: http.client.HTTPConnection | None = None,
) -> Answer:
    """One call; status and decoded body. Status 0: there was no answer."""
    own = connection or http.client.HTTPConnection(*address, timeout=PATIENCE)
    sent = {"Content-Type": "application/json", **(headers or {})}
    try:
        own.request(method, path, None if body is None else json.dumps(body), sent)
        answer = own.getresponse()
        read = answer.read()
        return answer.status, json.loads(read) if read else {}
    except (OSError, http.client.HTTPException, ValueError):
        own.close()
        return 0, {}
    finally:
        if connection is None:
            own.close()


@dataclass
class Person:
    """A player with a token. Safe under threads: each has connections of its own.

    Args:
        addresses: of the APIs; another one is asked when one gives no answer.
    """

    addresses: Sequence[Address]
    name: str
    token: str = ""
    id: str = ""
    retries: int = 0
    _local: threading.local = field(default_factory=threading.local)

    @classmethod
    def register(cls, addresses: Sequence[Address], name: str, **_: Any) -> Person:
        person = cls(addresses, name)
        answer = person.insist("POST", "/v1/players", {"name": name})[1]
        person.token, person.id = answer["token"], answer["id"]
        return person

    def call(self, method: str, path: str, body: Any = None, key: str | None = None, turn: int = 0) -> Answer:
        """One call, not repeated."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if key is not None:
            headers["Idempotency-Key"] = key
        address = self.addresses[turn % len(self.addresses)]
        return exchange(address, method, path, body, headers, connection=self._connection(address))

    def insist(
        self, method: str, path: str, body: Any = None, key: str | None = None, *, seconds: float = 120.0
    ) -> Answer:
        """A call, repeated under one key until the service itself answers."""
        key = key or (uuid4().hex if method == "POST" else None)
        deadline = time.monotonic() + seconds
        turn = hash(key) % len(self.addresses)
        while True:
            status, answer = self.call(method, path, body, key, turn)
            if status not in (0, 429, 502, 503, 504):
                return status, answer
            assert time.monotonic() < deadline, f"{method} {path}: no answer in {seconds} s (the last was {status})"
            self.retries += 1
            turn += 1
            time.sleep(0.1)

    def _connection(self, address: Address) -> http.client.HTTPConnection:
        known: dict[Address, http.client.HTTPConnection] = self._local.__dict__.setdefault("known", {})
        if address not in known:
            known[address] = http.client.HTTPConnection(*address, timeout=PATIENCE)
        return known[address]

    def view(self, table: str) -> dict[str, Any]:
        return self.insist("GET", f"/v1/tables/{table}/view")[1]

    def open(self, game: str, bots: Sequence[str] = (), opens: int = 0, **wish: Any) -> str:
        """A new table with this person at seat 0."""
        seats = [{"kind": "me"}, *({"kind": "bot", "bot": bot} for bot in bots), *[{"kind": "open"}] * opens]
        status, answer = self.insist("POST", "/v1/tables", {"game": game, "seats": seats, **wish})
        assert status == 201, answer
        table: str = answer["id"]
        return table

    def join(self, table: str) -> None:
        status, answer = self.insist("POST", f"/v1/tables/{table}/seats", {})
        assert status in (200, 201), answer

    def act(self, table: str, view: Mapping[str, Any], action: Mapping[str, Any], key: str | None = None) -> Answer:
        return self.insist("POST", f"/v1/tables/{table}/actions", {"version": view["version"], "action": action}, key)


@dataclass
class Acknowledged:
    """What the service has said yes to: (table, last version of the command, idempotency key, player)."""

    commands: list[tuple[str, int, str, str]] = field(default_factory=list)
    refused: int = 0


def choose(view: Mapping[str, Any], rng: Random) -> Mapping[str, Any]:
    """One of a view's actions, mostly one that goes on with the game."""
    action: Mapping[str, Any] = rng.choice(view["actions"])
    return action
