"""Every problem of the contract at least once, by wrong calls; what is stored is the same before and after."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from domain.registry import GAMES
from services.http.problems import PROBLEMS
from tests.services.helpers import ME, OPEN, Api, Caller, bot, end_turn, problem


@dataclass
class World:
    """A running table with Ada to act and Bob waiting, an open one, a private one, a finished one."""

    ada: Caller
    bob: Caller
    eve: Caller
    public: Caller
    running: str
    waiting: str
    hidden: str
    over: str

    def act(self, who: Caller, version: int, action: Any, table: str | None = None) -> Any:
        return who.post(f"/v1/tables/{table or self.running}/actions", {"version": version, "action": action})

    def undo(self, who: Caller, version: int, to: int | None = None) -> Any:
        body = {"version": version} | ({} if to is None else {"to": to})
        return who.post(f"/v1/tables/{self.running}/undo", body)

    @property
    def now(self) -> dict[str, Any]:
        return self.ada.view(self.running)


def finished(api: Api, ada: Caller, bob: Caller) -> str:
    table = api.table(ada, bob)
    while ada.view(table)["status"] == "running":
        who = (ada, bob)[ada.view(table)["to_act"][0]]
        who.act(table, who.view(table)["actions"][-1], expect=201)
    return table


@pytest.fixture(scope="module")
def world(api: Api) -> World:
    ada, bob, eve = api.player("Ada"), api.player("Bob"), api.player("Eve")
    waiting = ada.post("/v1/tables", {"game": "roeko", "seats": [ME, OPEN, OPEN]}, expect=201).json["id"]
    hidden = ada.post("/v1/tables", {"game": "roeko", "seats": [ME, OPEN], "private": True}, expect=201).json["id"]
    over = finished(api, ada, bob)
    return World(ada, bob, eve, api.public(), api.table(ada, bob), waiting, hidden, over)


def first(world: World) -> Any:
    return world.now["actions"][0]


def with_body(world: World, path: str, body: bytes, kind: str = "application/json") -> Any:
    return world.ada.call("POST", path, data=body, content_type=kind)


TABLE = {"game": "roeko", "seats": [{"kind": "me"}, {"kind": "open"}]}


def opening(**change: Any) -> Callable[[World], Any]:
    return lambda world: world.ada.post("/v1/tables", TABLE | change)


def raw(path: str, body: bytes, kind: str = "application/json") -> Callable[[World], Any]:
    return lambda world: with_body(world, path, body, kind)


def acting(change: dict[str, Any] | None = None, **fields: Any) -> Callable[[World], Any]:
    """The first legal action of Ada's at the right version, with some fields of the body replaced."""

    def call(world: World) -> Any:
        body = {"version": world.now["version"], "action": first(world) | (change or {})} | fields
        return world.ada.post(f"/v1/tables/{world.running}/actions", body)

    return call


def getting(path: str, **headers: str) -> Callable[[World], Any]:
    return lambda world: world.public.get(path.format(**vars(world)), headers=headers)


NOWHERE = str(uuid.UUID(int=7))
DEEP = json.loads("[" * 9 + "]" * 9)

CASES: dict[str, tuple[str, Callable[[World], Any]]] = {
    "no JSON": ("malformed-json", raw("/v1/players", b'{"name": ')),
    "no UTF-8": ("malformed-json", raw("/v1/players", b'{"name": "\xff"}')),
    "half a surrogate": ("malformed-json", raw("/v1/players", b'{"name": "\\ud800"}')),
    "not a number": ("malformed-json", raw("/v1/players", b'{"name": NaN}')),
    "infinity": ("malformed-json", raw("/v1/players", b'{"name": 1e999}')),
    "an endless integer": ("malformed-json", raw("/v1/players", b'{"name": ' + b"9" * 5000 + b"}")),
    "nested without end": ("malformed-json", raw("/v1/players", b"[" * 60000)),
    "a form": ("malformed-json", raw("/v1/players", b"name=Ada", "application/x-www-form-urlencoded")),
    "text": ("malformed-json", raw("/v1/players", b'{"name": "Ada"}', "text/plain")),
    "a list for a body": ("invalid-request", raw("/v1/players", b"[]")),
    "a string for a body": ("invalid-request", raw("/v1/players", b'"Ada"')),
    "null for a body": ("invalid-request", raw("/v1/players", b"null")),
    "a huge body": ("payload-too-large", raw("/v1/players", b'{"name": "' + b"x" * 70000 + b'"}')),
    "no name": ("invalid-request", raw("/v1/players", b"{}")),
    "an empty name": ("invalid-request", raw("/v1/players", b'{"name": ""}')),
    "a blank name": ("invalid-request", raw("/v1/players", b'{"name": " "}')),
    "a name with a null character": ("invalid-request", raw("/v1/players", b'{"name": "A\\u0000da"}')),
    "a name of two lines": ("invalid-request", raw("/v1/players", b'{"name": "A\\nda"}')),
    "a long name": ("invalid-request", raw("/v1/players", b'{"name": "' + b"x" * 65 + b'"}')),
    "a number for a name": ("invalid-request", raw("/v1/players", b'{"name": 7}')),
    "an unknown field": ("invalid-request", raw("/v1/players", b'{"name": "Ada", "role": "moderator"}')),
    "an unknown query field": ("invalid-request", getting("/v1/tables/{running}?secret=1")),
    "a query where none is taken": ("invalid-request", getting("/v1/games?x=1")),
    "an unknown game": ("invalid-request", opening(game="chess")),
    "no seats": ("invalid-request", opening(seats=[])),
    "too many seats": ("invalid-request", opening(seats=[{"kind": "open"}] * 6)),
    "twice the same player": ("invalid-request", opening(seats=[{"kind": "me"}] * 2)),
    "a seat of no kind": ("invalid-request", opening(seats=[{"kind": "me"}, {"kind": "cat"}])),
    "a bot without a name": ("invalid-request", opening(seats=[{"kind": "me"}, {"kind": "bot"}])),
    "an unknown bot": ("invalid-request", opening(seats=[{"kind": "me"}, bot("hal")])),
    "a bot's name for a person": (
        "invalid-request",
        opening(seats=[{"kind": "me", "bot": "random"}, {"kind": "open"}]),
    ),
    "an unknown option": ("invalid-request", opening(options={"fast": True})),
    "a list of options": ("invalid-request", opening(options=[])),
    "a start seat beyond": ("invalid-request", opening(start_seat=2)),
    "true for a seat": ("invalid-request", opening(start_seat=True)),
    "one for true": ("invalid-request", opening(private=1)),
    "a word for true": ("invalid-request", opening(private="true")),
    "an unknown start mode": ("invalid-request", opening(start="later")),
    "long entropy": ("invalid-request", opening(entropy="x" * 65)),
    "entropy with a null character": ("invalid-request", opening(entropy="\0")),
    "a negative version": ("invalid-request", acting(version=-1)),
    "a fraction for a version": ("invalid-request", acting(version=3.0)),
    "text for a version": ("invalid-request", acting(version="3")),
    "a version beyond all numbers": ("invalid-request", acting(version=2**60)),
    "no action": ("invalid-request", lambda w: w.ada.post(f"/v1/tables/{w.running}/actions", {"version": 1})),
    "a word for an action": ("invalid-request", acting(action="end_turn")),
    "a list for an action": ("invalid-request", acting(action=["end_turn"])),
    "an action too deep": ("invalid-request", acting({"cards": DEEP})),
    "at a negative version": ("invalid-request", getting("/v1/tables/{running}/view?at=-1")),
    "at no version": ("invalid-request", getting("/v1/tables/{running}/view?at=first")),
    "a page without items": ("invalid-request", getting("/v1/tables?limit=0")),
    "a page too long": ("invalid-request", getting("/v1/tables?limit=101")),
    "a cursor of somebody's own": ("invalid-request", getting("/v1/tables?cursor=abc")),
    "a cursor of another list": ("invalid-request", getting("/v1/tables?cursor=WzEsMiwzXQ")),
    "a status that is none": ("invalid-request", getting("/v1/tables?status=paused")),
    "a player that is no id": ("invalid-request", getting("/v1/tables?player=me")),
    "an empty key": ("invalid-request", lambda w: w.ada.post("/v1/tables", TABLE, key="")),
    "a key with a blank": ("invalid-request", lambda w: w.ada.post("/v1/tables", TABLE, key="a b")),
    "a long key": ("invalid-request", lambda w: w.ada.post("/v1/tables", TABLE, key="k" * 256)),
    "no token": ("unauthenticated", lambda w: w.public.post("/v1/tables", TABLE)),
    "an unknown token": ("unauthenticated", getting("/v1/me", Authorization="Bearer tk_nobody")),
    "an unknown token where none is needed": (
        "unauthenticated",
        getting("/v1/tables/{running}/view", Authorization="Bearer tk_nobody"),
    ),
    "another scheme": ("unauthenticated", getting("/v1/tables/{running}", Authorization="Basic QWRhOmFkYQ==")),
    "an empty bearer": ("unauthenticated", getting("/v1/tables/{running}", Authorization="Bearer ")),
    "a seatless action": ("forbidden", lambda w: w.act(w.eve, w.now["version"], first(w))),
    "a seatless undo": ("forbidden", lambda w: w.undo(w.eve, w.now["version"])),
    "leaving without a seat": ("forbidden", lambda w: w.eve.delete(f"/v1/tables/{w.running}/seats/me")),
    "another's table to start": (
        "forbidden",
        lambda w: w.bob.post(f"/v1/tables/{w.waiting}/start", {"fill_with": "random"}),
    ),
    "no such path": ("not-found", getting("/v2/tables")),
    "no such game": ("not-found", getting("/v1/games/chess")),
    "no such problem": ("not-found", getting("/problems/none")),
    "no such leaderboard": ("not-found", getting("/v1/leaderboards/chess")),
    "no such player": ("not-found", getting(f"/v1/players/{NOWHERE}/results")),
    "no such table": ("not-found", getting(f"/v1/tables/{NOWHERE}")),
    "a view of no table": ("not-found", getting(f"/v1/tables/{NOWHERE}/view")),
    "a log of no table": ("not-found", getting(f"/v1/tables/{NOWHERE}/events")),
    "an id that is none": ("not-found", getting("/v1/tables/17/view")),
    "no result yet": ("not-found", getting("/v1/tables/{running}/result")),
    "a version to come": ("not-found", getting("/v1/tables/{running}/view?at=9999")),
    "an action at no table": ("not-found", lambda w: w.act(w.ada, 1, {"type": "pass"}, NOWHERE)),
    "an action at a hidden table": ("not-found", lambda w: w.act(w.eve, 1, {"type": "pass"}, w.hidden)),
    "a hidden table": ("not-found", getting("/v1/tables/{hidden}")),
    "joining without the code": ("not-found", lambda w: w.eve.post(f"/v1/tables/{w.hidden}/seats", {})),
    "joining with a wrong code": (
        "not-found",
        lambda w: w.eve.post(f"/v1/tables/{w.hidden}/seats", {"invitation": "x"}),
    ),
    "a method unknown here": ("method-not-allowed", lambda w: w.ada.call("PUT", f"/v1/tables/{w.running}")),
    "not in the list": ("illegal-action", acting({"singles": 9})),
    "an unknown kind of action": ("illegal-action", acting({"type": "fly"})),
    "an action of no kind": ("illegal-action", acting(action={})),
    "a number for a kind": ("illegal-action", acting({"type": 7})),
    "a fraction in an action": ("illegal-action", acting({"doubles": 0.0})),
    "true for a number": ("illegal-action", acting({"doubles": False})),
    "a field too many": ("illegal-action", acting({"why": None})),
    "a list in an action": ("illegal-action", acting({"material": ["paper"]})),
    "out of turn": ("not-your-turn", lambda w: w.act(w.bob, w.now["version"], first(w))),
    "an undo out of turn": ("not-your-turn", lambda w: w.undo(w.bob, w.now["version"])),
    "a stale action": ("stale-version", lambda w: w.act(w.ada, w.now["version"] - 1, first(w))),
    "an action ahead of time": ("stale-version", lambda w: w.act(w.ada, w.now["version"] + 1, first(w))),
    "a stale undo": ("stale-version", lambda w: w.undo(w.ada, 0)),
    "an undo of nothing": ("nothing-to-undo", lambda w: w.undo(w.ada, w.now["version"])),
    "an undo to before the turn": ("undo-barrier", lambda w: w.undo(w.ada, w.now["version"], 1)),
    "an undo to nowhere": ("invalid-request", lambda w: w.undo(w.ada, w.now["version"], w.now["version"] + 5)),
    "an action before the start": ("table-not-running", lambda w: w.act(w.ada, 0, {"type": "pass"}, w.waiting)),
    "an action after the end": ("table-not-running", lambda w: w.act(w.ada, 0, {"type": "pass"}, w.over)),
    "leaving after the end": ("table-not-running", lambda w: w.ada.delete(f"/v1/tables/{w.over}/seats/me")),
    "starting twice": ("table-not-running", lambda w: w.ada.post(f"/v1/tables/{w.running}/start", {})),
    "joining a running game": ("table-not-running", lambda w: w.eve.post(f"/v1/tables/{w.running}/seats", {})),
    "starting with open seats": ("invalid-request", lambda w: w.ada.post(f"/v1/tables/{w.waiting}/start", {})),
    "starting with an unknown bot": (
        "invalid-request",
        lambda w: w.ada.post(f"/v1/tables/{w.waiting}/start", {"fill_with": "hal"}),
    ),
    "a second seat": ("seat-taken", lambda w: w.ada.post(f"/v1/tables/{w.waiting}/seats", {})),
    "another's seat": ("seat-taken", lambda w: w.eve.post(f"/v1/tables/{w.waiting}/seats", {"seat": 0})),
    "no such seat": ("invalid-request", lambda w: w.eve.post(f"/v1/tables/{w.waiting}/seats", {"seat": 3})),
}


@pytest.mark.parametrize("name", CASES)
def test_a_refused_call_is_a_problem_document_and_changes_nothing(api: Api, world: World, name: str) -> None:
    slug, call = CASES[name]
    before = api.everything()
    document = problem(call(world), slug, PROBLEMS[slug].status)
    assert api.everything() == before
    assert set(document) == {"type", "title", "status", "detail", *PROBLEMS[slug].members}


def test_every_problem_of_the_contract_that_a_call_can_bring_about_is_among_the_cases() -> None:
    # These have tests of their own: they need a key used before, too many calls, a fault, no database.
    elsewhere = {"idempotency-mismatch", "rate-limited", "internal-error", "unavailable"}
    assert {slug for slug, _ in CASES.values()} == set(PROBLEMS) - elsewhere


def test_a_field_that_does_not_fit_is_named(world: World) -> None:
    answer = world.ada.post("/v1/tables", {"game": 7, "seats": [{"kind": "me"}, {"kind": "cat"}], "colour": "red"})
    errors = problem(answer, "invalid-request", 422)["errors"]
    assert set(errors) == {"game", "seats", "colour"}
    assert "kind" in errors["seats"]["1"]


def test_a_refused_method_lists_the_allowed_ones(world: World) -> None:
    answer = world.ada.call("PATCH", f"/v1/tables/{world.running}")
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


def test_a_bad_token_is_answered_with_how_to_authenticate(world: World) -> None:
    answer = world.public.get("/v1/me", headers={"Authorization": "Bearer nonsense"}, expect=401)
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_stale_version_is_told_the_current_one(world: World) -> None:
    document = problem(world.act(world.ada, 0, {"type": "pass"}), "stale-version", 409)
    assert document["version"] == world.now["version"]


def test_an_illegal_action_names_the_rule(world: World) -> None:
    assert problem(acting({"singles": 9})(world), "illegal-action", 409)["rule"] == "roeko.not-in-hand"


def test_the_type_of_every_problem_leads_to_what_it_means(world: World) -> None:
    for slug, kind in PROBLEMS.items():
        page = world.public.get(f"/problems/{slug}", expect=200).json
        assert (page["title"], page["status"]) == (kind.title, kind.status)


def test_what_lies_before_a_barrier_is_no_undo(api: Api, world: World) -> None:
    table = api.table(world.ada, world.bob)
    end_turn(world.ada, table)
    end_turn(world.bob, table)
    problem(world.ada.undo(table, to=world.ada.view(table)["version"] - 1), "undo-barrier", 409)


def test_a_fault_tells_nothing_but_where_to_look(own_api: Api) -> None:
    @own_api.app.get("/broken")
    def broken() -> None:
        raise ValueError("the password is swordfish")

    own_api.app.config["PROPAGATE_EXCEPTIONS"] = False
    answer = own_api.public().get("/broken")
    document = problem(answer, "internal-error", 500)
    assert document["request_id"] == answer.headers["X-Request-Id"]
    assert "swordfish" not in answer.text
    assert "ValueError" not in answer.text


@pytest.mark.parametrize("game", GAMES)
def test_a_mutilated_action_of_any_game_is_illegal_and_never_a_fault(api: Api, game: str) -> None:
    ada, bob = api.player(), api.player()
    seats = [ME, OPEN] + [bot()] * (GAMES[game].seats[0] - 2)
    table = ada.post("/v1/tables", {"game": game, "seats": seats, "start_seat": 0}, expect=201).json["id"]
    bob.post(f"/v1/tables/{table}/seats", {}, expect=201)
    view = next(view for view in (ada.view(table), bob.view(table)) if view["actions"])
    who = ada if view["seat"] == 0 else bob
    wrong = [None, True, -1, 10**6, 1.5, "", "x", [], {}, [1], {"a": 1}, [None], [[]]]
    kinds = {action["type"]: action for action in view["actions"]}
    for action in [{}, {"type": None}, {"type": []}, {"type": "nonsense"}, *kinds.values()]:
        spoilt = [action] if action not in kinds.values() else []
        spoilt += [{**action, name: value} for name in action if name != "final" for value in wrong]
        spoilt += [{key: value for key, value in action.items() if key != name} for name in action if name != "final"]
        listed = [{k: v for k, v in each.items() if k != "final"} for each in view["actions"]]
        for each in spoilt:
            bare = {key: value for key, value in each.items() if key != "final"}
            if json.dumps(bare, sort_keys=True) in {json.dumps(one, sort_keys=True) for one in listed}:
                continue
            body = {"version": view["version"], "action": each}
            problem(who.post(f"/v1/tables/{table}/actions", body), "illegal-action", 409)
