"""Those who play meanwhile: people over HTTP who repeat what got no answer under the same key, and bots among
themselves. Each keeps what the service said yes to.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import uuid4

from domain.registry import GAMES
from tests.person import Address, Person

PAUSE = 0.05
SECONDS = 180.0
"""How long somebody insists on an answer."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A command that the service has confirmed: whose, under which key, and the versions that it said it recorded."""

    table: str
    player: str
    key: str
    versions: tuple[int, ...]
    action: Mapping[str, Any] | None


@dataclass
class Crowd:
    """Everybody who plays.

    Args:
        addresses: of the APIs.
        threads: how many play at once; each has one table at a time.
        rng: all choices are derived from it, though not the order in which threads get on.
    """

    addresses: list[Address]
    threads: int
    rng: Random
    promises: list[Promise] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    failures: list[BaseException] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.people = [Person.register(self.addresses, f"Player {n}") for n in range(2 * self.threads)]
        self._closing = threading.Event()
        self._running = [
            threading.Thread(target=self._thread, args=(n, Random(self.rng.random()))) for n in range(self.threads)
        ]

    def start(self) -> None:
        for thread in self._running:
            thread.start()

    def finish(self) -> None:
        """Open no more tables, and wait until all games are played to their end."""
        self._closing.set()
        for thread in self._running:
            thread.join()
        if self.failures:
            raise self.failures[0]

    @property
    def retries(self) -> int:
        return sum(person.retries for person in self.people)

    def _thread(self, number: int, rng: Random) -> None:
        try:
            pair = self.people[2 * number : 2 * number + 2]
            while not self._closing.is_set() and not self.failures:
                self._game(pair, rng)
        except BaseException as error:
            self.failures.append(error)

    def _game(self, pair: list[Person], rng: Random) -> None:
        game = rng.choice([game for game in GAMES.values() if game.key in ("roeko", "pasha")] * 3 + [*GAMES.values()])
        people = pair[: rng.choice((1, 1, 2))] if rng.random() < 0.8 else []
        least = max(min(game.seats), len(people) + (len(people) < 2))
        seats = rng.randint(least, max(least, min(3, max(game.seats))))
        bots = [rng.choice(sorted(game.bots)) for _ in range(seats - len(people))]
        plan = [{"kind": "me"}] * min(1, len(people)) + [{"kind": "open"}] * (len(people) - 1)
        wish = {"game": game.key, "seats": [*plan, *({"kind": "bot", "bot": bot} for bot in bots)]}
        opener = pair[0]
        table = self._say(opener, "/v1/tables", wish, None)["id"]
        self.tables.append(table)
        if len(people) == 2:
            self._say(people[1], f"/v1/tables/{table}/seats", {}, table)
        if people:
            self._play(people, table, rng)

    def _play(self, people: list[Person], table: str, rng: Random) -> None:
        path = f"/v1/tables/{table}"
        while not self.failures:
            over, idle = False, True
            for person in people:
                view = person.insist("GET", f"{path}/view", seconds=SECONDS)[1]
                over = over or view["status"] == "finished"
                if view["undo"]["allowed"] and rng.random() < 0.1:
                    self._say(person, f"{path}/undo", {"version": view["version"]}, table)
                    idle = False
                elif view["actions"]:
                    action = rng.choice(view["actions"])
                    said = self._say(person, f"{path}/actions", {"version": view["version"], "action": action}, table)
                    idle = False
                    if said and rng.random() < 0.1:
                        self._read_back(person, path, said["version"])
            if over:
                return
            if idle:
                time.sleep(PAUSE)

    def _read_back(self, person: Person, path: str, version: int) -> None:
        view = person.insist("GET", f"{path}/view", seconds=SECONDS)[1]
        assert view["version"] >= version, f"{path}: version {version} was confirmed, the view is at {view['version']}"

    def _say(self, person: Person, path: str, body: dict[str, Any], table: str | None) -> dict[str, Any]:
        key = uuid4().hex
        status, answer = person.insist("POST", path, body, key, seconds=SECONDS)
        if status == 201:
            versions = tuple(event["version"] for event in answer.get("events", ()))
            self.promises.append(Promise(table or answer["id"], person.id, key, versions, body.get("action")))
            return answer
        assert status in (403, 404, 409, 422), f"{path}: {status} {answer}"
        self.refused.append((person.id, key))
        return {}
