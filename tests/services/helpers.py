"""A small client for tests of the interface: players, tables and calls in one line each."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apiflask import APIFlask

from infra.cache import LRU
from projections.follower import Follower
from services.context import Context
from services.players import register

ME, OPEN = {"kind": "me"}, {"kind": "open"}


def bot(name: str = "random") -> dict[str, str]:
    return {"kind": "bot", "bot": name}


@dataclass
class Api:
    """An application over a context, without a socket between."""

    app: APIFlask
    context: Context
    follower: Follower

    def public(self) -> Caller:
        return Caller(self, None)

    def player(self, name: str = "Ada") -> Caller:
        """A newly registered player."""
        made = self.public().post("/v1/players", {"name": name}).json
        return Caller(self, made["token"], made["id"])

    def table(self, owner: Caller, *others: Caller, game: str = "roeko", **wish: Any) -> str:
        """A running table: the owner at seat 0, the others behind, seat 0 begins. Returns its id."""
        seats = [ME] + [OPEN] * len(others)
        body = {"game": game, "seats": seats, "start_seat": 0} | wish
        table = owner.post("/v1/tables", body, expect=201).json
        for number, other in enumerate(others, 1):
            code = {"invitation": table["invitation"]} if "invitation" in table else {}
            other.post(f"/v1/tables/{table['id']}/seats", {"seat": number, **code}, expect=201)
        return table["id"]

    def follow(self) -> None:
        """Bring the rows up to date, as the follower does beside the API."""
        while self.follower.step():
            pass

    def everything(self) -> dict[str, list[Mapping[str, Any]]]:
        """All that is stored of tables and players, for comparing before and after."""
        tables = ("events", "commands", "table_secrets", "players", "tokens", "invitations", "lobby", "views", "log")
        return {name: self.context.database.query(f"SELECT * FROM {name} ORDER BY 1, 2") for name in tables}

    def versions(self, table: str) -> list[int]:
        """The versions recorded of a table."""
        return [event.version for event in self.context.tables.recorded(UUID(table))]

    def newest(self, table: str) -> int:
        """The newest version stored of a table, whether it can be read or not."""
        statement = "SELECT max(originator_version) AS newest FROM events WHERE originator_id = %s"
        newest: int = self.context.database.query(statement, (table,))[0]["newest"]
        return newest

    def restart(self) -> None:
        """Forget the tables that the process has in memory."""
        self.context.tables._cache = LRU(64)

    def moderator(self, name: str = "Judge") -> Caller:
        """A new player with the moderator role."""
        player, token = register(self.context, name, moderator=True)
        return Caller(self, token, str(player.id))


@dataclass
class Caller:
    """Somebody with a token, or the public."""

    api: Api
    token: str | None
    id: str | None = None

    def call(
        self,
        method: str,
        path: str,
        *,
        expect: int | None = None,
        headers: Mapping[str, str] | None = None,
        **kwargs: Any,
    ) -> Any:
        """An answer. `expect`: the status that it must have."""
        given = dict(headers or {})
        if self.token is not None:
            given.setdefault("Authorization", f"Bearer {self.token}")
        answer = self.api.app.test_client().open(path, method=method, headers=given, **kwargs)
        assert expect is None or answer.status_code == expect, (answer.status_code, answer.text)
        return answer

    def get(self, path: str, *, expect: int | None = None, **kwargs: Any) -> Any:
        return self.call("GET", path, expect=expect, **kwargs)

    def delete(self, path: str, *, expect: int | None = None, **kwargs: Any) -> Any:
        return self.call("DELETE", path, expect=expect, **kwargs)

    def post(
        self, path: str, body: Any = None, *, key: str | None = None, expect: int | None = None, **kwargs: Any
    ) -> Any:
        headers = {"Idempotency-Key": key} if key is not None else {}
        return self.call("POST", path, json={} if body is None else body, headers=headers, expect=expect, **kwargs)

    def view(self, table: str, query: str = "") -> dict[str, Any]:
        view: dict[str, Any] = self.get(f"/v1/tables/{table}/view{query}", expect=200).json
        return view

    def act(self, table: str, action: Mapping[str, Any] | None = None, **kwargs: Any) -> Any:
        """Do an action of the own view; None: the first one."""
        view = self.view(table)
        body = {"version": view["version"], "action": action or view["actions"][0]}
        return self.post(f"/v1/tables/{table}/actions", body, **kwargs)

    def undo(self, table: str, to: int | None = None, **kwargs: Any) -> Any:
        body = {"version": self.view(table)["version"]} | ({} if to is None else {"to": to})
        return self.post(f"/v1/tables/{table}/undo", body, **kwargs)


def end_turn(caller: Caller, table: str) -> Any:
    """Play the caller's turn to its end with first actions; returns the last answer."""
    while True:
        view = caller.view(table)
        if not view["actions"]:
            raise AssertionError("it is not the caller's turn")
        answer = caller.act(table, view["actions"][0], expect=201)
        if caller.view(table)["turn"] != view["turn"] or answer.json["view"]["status"] == "finished":
            return answer


def play_out(callers: Sequence[Caller], table: str, rng: random.Random) -> None:
    """Random legal actions until the game is over; every listed action must be accepted."""
    for _ in range(3000):
        view = callers[0].view(table)
        if view["status"] == "finished":
            return
        seat = view["to_act"][0]
        actions = callers[seat].view(table)["actions"]
        callers[seat].act(table, rng.choice(actions), expect=201)
    raise AssertionError("the game does not end")


def problem(answer: Any, slug: str, status: int) -> dict[str, Any]:
    """The document of an answer, which must be this problem."""
    assert answer.status_code == status, (answer.status_code, answer.text)
    assert answer.content_type == "application/problem+json"
    document: dict[str, Any] = answer.json
    assert document["type"] == f"/problems/{slug}", document
    assert document["status"] == status
    assert set(document) >= {"type", "title", "status", "detail"}
    return document
