"""A call repeated with its key is carried out once and answered alike; the same key for anything else is refused."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from infra.database import OutcomeUnknown
from tests.services.helpers import ME, OPEN, Api, end_turn, problem

TABLE = {"game": "roeko", "seats": [ME, OPEN, OPEN]}


def test_opening_joining_starting_and_leaving_repeated_change_nothing_more(api: Api) -> None:
    ada, bob = api.player("Ada"), api.player("Bob")
    opened = ada.post("/v1/tables", TABLE, key="open", expect=201)
    path = f"/v1/tables/{opened.json['id']}"
    calls = [
        lambda: ada.post("/v1/tables", TABLE, key="open"),
        lambda: bob.post(f"{path}/seats", {"seat": 2, "entropy": "dice"}, key="join"),
        lambda: bob.delete(f"{path}/seats/me", headers={"Idempotency-Key": "leave"}),
        lambda: bob.post(f"{path}/seats", {"seat": 1}, key="again"),
        lambda: ada.post(f"{path}/start", {"fill_with": "random"}, key="start"),
        lambda: bob.delete(f"{path}/seats/me", headers={"Idempotency-Key": "resign"}),
    ]
    firsts = [call() for call in calls]
    assert firsts[0].json == opened.json
    assert firsts[0].headers["Location"] == opened.headers["Location"]
    before = api.everything()
    for call, first in zip(calls, firsts, strict=True):
        again = call()
        assert (again.status_code, again.json) == (first.status_code, first.json)
    assert api.everything() == before


def test_an_action_repeated_with_its_key_is_answered_as_of_its_own_version(api: Api) -> None:
    ada, bob = api.player(), api.player()
    table = api.table(ada, bob)
    view = ada.view(table)
    body = {"version": view["version"], "action": view["actions"][0]}
    first = ada.post(f"/v1/tables/{table}/actions", body, key="act", expect=201)
    undone = ada.undo(table, key="undo", expect=201)
    end_turn(ada, table)
    end_turn(bob, table)
    before = api.versions(table)
    again = ada.post(f"/v1/tables/{table}/actions", body, key="act", expect=201)
    assert again.json == first.json
    redone = ada.post(f"/v1/tables/{table}/undo", {"version": first.json["version"]}, key="undo", expect=201)
    assert redone.json == undone.json
    assert api.versions(table) == before


def test_the_same_action_without_a_key_is_stale_the_second_time(api: Api) -> None:
    ada, bob = api.player(), api.player()
    table = api.table(ada, bob)
    view = ada.view(table)
    body = {"version": view["version"], "action": view["actions"][0]}
    ada.post(f"/v1/tables/{table}/actions", body, expect=201)
    problem(ada.post(f"/v1/tables/{table}/actions", body), "stale-version", 409)


def test_a_key_used_for_something_else_is_a_mismatch(api: Api) -> None:
    ada, bob = api.player(), api.player()
    table, other = api.table(ada, bob), api.table(ada, bob)
    view = ada.view(table)
    body = {"version": view["version"], "action": view["actions"][0]}
    ada.post(f"/v1/tables/{table}/actions", body, key="k1", expect=201)
    before = api.everything()
    wrong = [
        ada.post(f"/v1/tables/{table}/actions", body | {"version": body["version"] + 1}, key="k1"),
        ada.post(f"/v1/tables/{table}/actions", body | {"action": {"type": "pass"}}, key="k1"),
        ada.post(f"/v1/tables/{other}/actions", body, key="k1"),
        ada.post(f"/v1/tables/{table}/undo", {"version": body["version"]}, key="k1"),
        ada.post("/v1/tables", TABLE, key="k1"),
        ada.post("/v1/me/token", key="k1"),
    ]
    for answer in wrong:
        problem(answer, "idempotency-mismatch", 409)
    assert api.everything() == before


def test_the_same_key_of_another_player_is_another_key(api: Api) -> None:
    ada, bob = api.player(), api.player()
    first = ada.post("/v1/tables", TABLE, key="mine", expect=201).json
    second = bob.post("/v1/tables", TABLE, key="mine", expect=201).json
    assert first["id"] != second["id"]


def test_a_refused_call_leaves_its_key_free(api: Api) -> None:
    ada, bob = api.player(), api.player()
    table = api.table(ada, bob)
    view = ada.view(table)
    wrong = {"version": view["version"], "action": {"type": "pass"}}
    problem(ada.post(f"/v1/tables/{table}/actions", wrong, key="k"), "illegal-action", 409)
    right = wrong | {"action": view["actions"][0]}
    ada.post(f"/v1/tables/{table}/actions", right, key="k", expect=201)


def test_a_token_is_shown_once_whatever_the_key(api: Api) -> None:
    public = api.public()
    made = public.post("/v1/players", {"name": "Ada"}, key="register", expect=201)
    problem(public.post("/v1/players", {"name": "Ada"}, key="register"), "idempotency-mismatch", 409)
    ada = api.player()
    ada.token = ada.post("/v1/me/token", key="renew", expect=201).json["token"]
    problem(ada.post("/v1/me/token", key="renew"), "idempotency-mismatch", 409)
    ada.get("/v1/me", expect=200)
    assert made.json["token"] not in str(api.everything())


@pytest.mark.parametrize("stored", [True, False])
def test_a_call_whose_answer_was_lost_is_answered_when_repeated(
    api: Api, monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    ada, bob = api.player(), api.player()
    table = api.table(ada, bob)
    view = ada.view(table)
    body = {"version": view["version"], "action": view["actions"][0]}
    recorder = type(api.context.tables.recorder)
    append = recorder.insert_events

    def lost(self: Any, *args: Any, **kwargs: Any) -> Any:
        if stored:
            append(self, *args, **kwargs)
        raise OutcomeUnknown("the line went dead")

    with monkeypatch.context() as patch:
        patch.setattr(recorder, "insert_events", lost)
        patch.setattr(recorder, "find_command", lambda *_: (_ for _ in ()).throw(OutcomeUnknown("still dead")))
        answer = ada.post(f"/v1/tables/{table}/actions", body, key="k")
    problem(answer, "unavailable", 503)
    assert answer.headers["Retry-After"] == "1"
    again = ada.post(f"/v1/tables/{table}/actions", body, key="k", expect=201).json
    assert again["version"] == view["version"] + 1
    assert len(api.context.tables.recorded(UUID(table), view["version"])) == 1


def test_a_call_whose_answer_was_lost_is_answered_even_at_once_if_it_was_stored(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = api.player(), api.player()
    table = api.table(ada, bob)
    recorder = type(api.context.tables.recorder)
    append = recorder.insert_events

    def lost(self: Any, *args: Any, **kwargs: Any) -> Any:
        append(self, *args, **kwargs)
        raise OutcomeUnknown("the line went dead")

    view = ada.view(table)
    with monkeypatch.context() as patch:
        patch.setattr(recorder, "insert_events", lost)
        done = ada.act(table, expect=201).json
    assert done["version"] == view["version"] + 1
    assert ada.view(table) == done["view"]
