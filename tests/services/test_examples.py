"""The document's examples: one of every answer with a body, made by a tour with clock, ids and secrets frozen.

The tour is made again here and must give the same. `EXAMPLES=renew` writes the file anew.
"""

from __future__ import annotations

import json
import os
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.proposals import warn
from services import platforms, players
from services.commands import Call, carry_out
from tests.services.helpers import Api, Caller
from tests.services.test_twins import frozen
from workers import bots, sweep  # noqa: F401 (for their metrics)
from workers.scoring import score, seal

FILE = Path(__file__).parents[2] / "services" / "http" / "examples.json"
METRICS = "GET /metrics 200"
"""Shown without samples: what they are depends on all that the process did before."""


class Notebook:
    """Calls an application and keeps the first body of every answer, by method, path and status."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.kept: dict[str, Any] = {}

    def get(self, caller: Caller, path: str) -> Any:
        return self.note("GET", path, caller.get(path))

    def post(self, caller: Caller, path: str, body: Any = None) -> Any:
        return self.note("POST", path, caller.post(path, body))

    def note(self, method: str, path: str, answer: Any) -> Any:
        assert answer.status_code < 300, answer.text
        self.keep(method, path, answer, answer.json if answer.is_json else answer.text)
        return answer.json if answer.is_json else None

    def keep(self, method: str, path: str, answer: Any, body: Any) -> None:
        bound = self.api.app.url_map.bind("localhost")
        rule, _ = bound.match(path.split("?")[0], method, return_rule=True)
        self.kept.setdefault(f"{method} {rule.rule} {answer.status_code}", body)

    def listen(self, caller: Caller, path: str) -> None:
        """The first thing that a stream says."""
        answer = caller.get(path, expect=200, buffered=False)
        said = b"".join(islice(answer.response, 2)).decode()
        answer.close()
        self.keep("GET", path, answer, said)

    def turn(self, caller: Caller, table: str) -> None:
        """First actions of the own list, until there are none."""
        while (view := caller.view(table))["actions"]:
            body = {"version": view["version"], "action": view["actions"][0]}
            self.post(caller, f"/v1/tables/{table}/actions", body)

    def opened(self, ada: Caller, *others: Caller) -> str:
        """A running table."""
        seats = [{"kind": "me"}, *({"kind": "open"} for _ in others)]
        wish = {"game": "roeko", "seats": seats, "start_seat": 0, "start": "manual"}
        table: str = self.post(ada, "/v1/tables", wish)["id"]
        for other in others:
            self.post(other, f"/v1/tables/{table}/seats", {"entropy": "a word of mine"})
        self.post(ada, f"/v1/tables/{table}/start")
        self.api.follow()
        return table


def tour(api: Api) -> dict[str, Any]:
    """What a platform, two people and a moderator are told."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    keys = (key.private_bytes_raw(), key.public_key().public_bytes_raw())
    api.context.database.execute("INSERT INTO server_keys (private_key, public_key) VALUES (%s, %s)", keys)
    note, public = Notebook(api), api.public()
    arcade = Caller(api, platforms.create(api.context, "Arcade")[1])
    judge = Caller(api, players.register(api.context, "Judge", moderator=True)[1])
    made = [note.post(arcade, "/v1/players", {"name": name}) for name in ("Ada", "Bob")]
    ada, bob = (Caller(api, each["token"], each["id"]) for each in made)
    for path in ("/healthz", "/readyz", "/problems/undo-barrier", "/v1/games", "/v1/games/roeko"):
        note.get(public, path)
    note.get(ada, "/v1/me")
    ada = Caller(api, note.post(ada, "/v1/me/token")["token"], ada.id)
    bob = Caller(api, note.post(arcade, f"/v1/players/{bob.id}/token")["token"], bob.id)
    note.post(ada, "/v1/stream-tickets")
    agreeing(note, note.opened(ada, bob), ada, bob, judge)
    absent(note, note.opened(ada, bob, judge), bob, judge)
    finished(note, note.opened(ada, bob), ada, bob)
    note.get(public, "/metrics")
    note.kept[METRICS] = described(note.kept[METRICS])
    return note.kept


def described(metrics: str) -> str:
    """What the service's own metrics are, by name."""
    lines = metrics.splitlines(keepends=True)
    return "".join(sorted(line for line in lines if line.startswith("# TYPE turnkeeper") and "_created" not in line))


def agreeing(note: Notebook, table: str, ada: Caller, bob: Caller, judge: Caller) -> None:
    """Undo, a take-back, a correction, and what can be read meanwhile."""
    path, public = f"/v1/tables/{table}", note.api.public()
    start = ada.view(table)["version"]
    ada.act(table, expect=201)
    note.post(ada, f"{path}/undo", {"version": start + 1})
    note.turn(ada, table)
    note.api.follow()
    for who, asked in (
        (bob, f"{path}/view"),
        (bob, "/v1/me/turns"),
        (public, path),
        (public, f"{path}/events?limit=4"),
    ):
        note.get(who, asked)
    note.get(public, f"{path}/audit")
    note.listen(public, f"{path}/stream")
    note.get(public, "/v1/tables?status=running")
    number = note.post(ada, f"{path}/takebacks", {"version": ada.view(table)["version"], "to": start})["number"]
    note.post(bob, f"{path}/takebacks/{number}", {"accept": True})
    note.turn(ada, table)
    correction = {"version": ada.view(table)["version"], "to": start, "reason": "the wrong seat was played"}
    note.post(judge, f"{path}/truncate", correction)
    note.post(ada, f"{path}/forks", {"at": start})
    note.post(judge, f"{path}/abandon", {"reason": "both asked for it"})


def absent(note: Notebook, table: str, bob: Caller, other: Caller) -> None:
    """Of three, two agree that the bot plays on for the one who has not come for long."""
    carry_out(note.api.context, UUID(table), Call("clock", "clock", "warn", table, table), warn)
    proposal = {"version": bob.view(table)["version"], "kind": "substitute", "absent": 0}
    number = note.post(bob, f"/v1/tables/{table}/proposals", proposal)["number"]
    note.post(other, f"/v1/tables/{table}/proposals/{number}", {"accept": True})


def finished(note: Notebook, table: str, ada: Caller, bob: Caller) -> None:
    """A game to its end, scored and sealed; its file taken in again; a seat given up."""
    path, public, context = f"/v1/tables/{table}", note.api.public(), note.api.context
    while ada.view(table)["status"] == "running":
        for caller in (ada, bob):
            note.turn(caller, table)
    score(context, UUID(table))
    seal(context, UUID(table))
    note.api.follow()
    for asked in (f"{path}/result", f"/v1/players/{ada.id}/results", "/v1/leaderboards/roeko"):
        note.get(public, asked)
    file = public.get(f"{path}/export", expect=200)
    note.keep("GET", f"{path}/export", file, shortened(file.text))
    taken = ada.call("POST", "/v1/imports", data=file.data, content_type="application/x-ndjson")
    note.note("POST", "/v1/imports", taken)
    given = note.opened(ada, bob)
    note.note("DELETE", f"/v1/tables/{given}/seats/me", bob.delete(f"/v1/tables/{given}/seats/me"))


def test_the_examples_are_what_a_tour_is_told(own_api: Api) -> None:
    told = json.loads(json.dumps(tour(frozen(own_api)), sort_keys=True))
    if os.environ.get("EXAMPLES") == "renew":
        FILE.write_text(json.dumps(told, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    assert set(told) == set(kept), "run this test with EXAMPLES=renew"
    for name in told:
        assert told[name] == kept[name], name


def shortened(file: str) -> str:
    """A file's first and last lines: the middle is more of the same."""
    lines = file.splitlines(keepends=True)
    return "".join((*lines[:5], *lines[-3:]))


def test_every_answer_has_an_example(own_api: Api) -> None:
    document = own_api.public().get("/openapi.json", expect=200).json
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            for status, response in operation["responses"].items():
                if status in ("200", "201"):
                    (media,) = response["content"].values()
                    assert media["example"] is not None, (method, path, status)
