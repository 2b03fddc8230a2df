"""Many writers at once, in one process and in two: one wins each version, and every success can be read back."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from uuid import UUID

import pytest

from services.context import connect
from services.http.app import create_app
from tests.services.helpers import ME, OPEN, Api, Caller, end_turn, problem

WRITERS = 20


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


@pytest.fixture
def other(own_api: Api) -> Any:
    """A second process's application over the same database, with a cache of its own."""
    context = connect(own_api.context.settings)
    yield Api(create_app(context=context), context, own_api.follower)
    context.database.close()


def via(api: Api, caller: Caller) -> Caller:
    return Caller(api, caller.token, caller.id)


def test_of_twenty_writers_at_one_version_one_wins_each_time(own_api: Api, other: Api) -> None:
    ada, bob = own_api.player(), own_api.player()
    table = own_api.table(ada, bob)
    for _ in range(4):
        view = ada.view(table)
        who = (ada, bob)[view["to_act"][0]]
        own = who.view(table)
        body = {"version": own["version"], "action": own["actions"][0]}
        path = f"/v1/tables/{table}/actions"
        doors = [who, via(other, who)]
        answers = at_once([partial(doors[n % 2].post, path, body) for n in range(WRITERS)])
        won = [answer for answer in answers if answer.status_code == 201]
        assert len(won) == 1
        for answer in answers:
            if answer not in won:
                assert answer.json["type"] in ("/problems/stale-version", "/problems/not-your-turn")
        assert who.view(table)["version"] == won[0].json["version"]
    versions = own_api.versions(table)
    assert versions == list(range(1, len(versions) + 1))


def test_twenty_repetitions_at_once_with_one_key_are_one_action_and_one_answer(own_api: Api, other: Api) -> None:
    ada, bob = own_api.player(), own_api.player()
    table = own_api.table(ada, bob)
    view = ada.view(table)
    body = {"version": view["version"], "action": view["actions"][0]}
    doors = [ada, via(other, ada)]
    path = f"/v1/tables/{table}/actions"
    answers = at_once([partial(doors[n % 2].post, path, body, key="once") for n in range(WRITERS)])
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.data for answer in answers}) == 1
    assert len(own_api.context.tables.recorded(UUID(table), view["version"])) == 1


def test_of_twenty_who_want_the_last_seat_one_gets_it(own_api: Api) -> None:
    ada = own_api.player()
    table = ada.post("/v1/tables", {"game": "roeko", "seats": [ME, OPEN]}, expect=201).json["id"]
    many = [own_api.player(f"player {n}") for n in range(WRITERS)]
    answers = at_once([partial(who.post, f"/v1/tables/{table}/seats", {}) for who in many])
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * (WRITERS - 1)
    seated = ada.get(f"/v1/tables/{table}").json["seats"][1]["player"]["id"]
    winner = next(who for who, answer in zip(many, answers, strict=True) if answer.status_code == 201)
    assert seated == winner.id


def test_a_resignation_in_between_makes_no_action_stale(own_api: Api, other: Api) -> None:
    ada, bob, eve = own_api.player(), own_api.player(), own_api.player()
    table = own_api.table(ada, bob, eve)
    view = ada.view(table)
    via(other, eve).delete(f"/v1/tables/{table}/seats/me", expect=200)
    body = {"version": view["version"], "action": view["actions"][0]}
    ada.post(f"/v1/tables/{table}/actions", body, expect=201)


def test_a_process_with_a_cached_table_cannot_append_onto_a_truncated_position(own_api: Api, other: Api) -> None:
    ada, bob = own_api.player(), own_api.player()
    table = own_api.table(ada, bob)
    there = via(other, ada)
    done = ada.act(table, expect=201).json
    cached = there.view(table)
    assert cached["version"] == done["version"]
    ada.undo(table, expect=201)
    body = {"version": cached["version"], "action": cached["actions"][0]}
    document = problem(there.post(f"/v1/tables/{table}/actions", body), "stale-version", 409)
    assert document["version"] == ada.view(table)["version"] == there.view(table)["version"]
    end_turn(there, table)
    assert ada.view(table) == there.view(table)


def test_a_write_of_another_process_between_load_and_append_is_no_success(
    own_api: Api, other: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = own_api.player(), own_api.player()
    table = own_api.table(ada, bob)
    view = ada.view(table)
    body = {"version": view["version"], "action": view["actions"][0]}
    append = own_api.context.tables.append
    waited: list[int] = []

    def late(*args: Any, **more: Any) -> Any:
        if not waited:
            waited.append(1)
            via(other, ada).act(table, view["actions"][-1], expect=201)
        return append(*args, **more)

    monkeypatch.setattr(own_api.context.tables, "append", late)
    problem(ada.post(f"/v1/tables/{table}/actions", body), "stale-version", 409)
    assert len(own_api.context.tables.recorded(UUID(table), view["version"])) == 1


def test_what_a_process_knew_of_a_table_refuses_nothing_that_is_right_by_now(own_api: Api, other: Api) -> None:
    """Each process goes on from what it remembers; only a refusal by the newest state is given."""
    ada, bob = own_api.player(), own_api.player()
    table = own_api.table(ada, bob)
    here, there = via(own_api, bob), via(other, bob)
    assert here.view(table)["actions"] == []
    own_api.context.tables.load(UUID(table))
    end_turn(via(other, ada), table)
    view = there.view(table)
    here.post(f"/v1/tables/{table}/actions", {"version": view["version"], "action": view["actions"][0]}, expect=201)
    again = there.undo(table, expect=201).json["view"]
    assert here.post(f"/v1/tables/{table}/undo", {"version": again["version"]}).status_code == 409
    assert here.view(table) == there.view(table)
