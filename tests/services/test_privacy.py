"""Who sees what: private tables, others' hands, those who resigned, and what no answer or log line ever holds."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
import structlog

from tests.services.helpers import ME, OPEN, Api, Caller, bot, problem


@pytest.fixture
def hidden(api: Api) -> tuple[Caller, Caller, str, str]:
    """Ada, Bob, a private table of Ada's with an open seat, and its invitation code."""
    ada, bob = api.player("Ada"), api.player("Bob")
    table = ada.post("/v1/tables", {"game": "roeko", "seats": [ME, OPEN, bot()], "private": True}, expect=201).json
    return ada, bob, table["id"], table["invitation"]


READS = ("", "/view", "/view?at=1", "/events", "/result")


def test_to_strangers_a_private_table_answers_as_one_that_does_not_exist(
    api: Api, hidden: tuple[Caller, Caller, str, str]
) -> None:
    ada, bob, table, _ = hidden
    nowhere = "00000000-0000-4000-8000-000000000000"
    for caller in (bob, api.public()):
        for _ in ("without rows", "with rows"):
            calls: list[tuple[str, str, Any]] = [("GET", path, None) for path in READS]
            if caller is bob:
                act = {"version": 0, "action": {"type": "pass"}}
                calls += [("POST", "/actions", act), ("POST", "/undo", {"version": 0}), ("POST", "/start", {})]
                calls += [("POST", "/seats", {}), ("DELETE", "/seats/me", None)]
            for method, path, body in calls:
                here = caller.call(method, f"/v1/tables/{table}{path}", json=body)
                there = caller.call(method, f"/v1/tables/{nowhere}{path}", json=body)
                assert (here.status_code, here.data) == (there.status_code, there.data) == (404, here.data)
            api.follow()
    assert table not in bob.get("/v1/tables?limit=100", expect=200).text
    assert table in ada.get("/v1/tables?limit=100", expect=200).text


def test_the_invitation_opens_a_private_table_and_is_told_to_its_players_alone(
    api: Api, hidden: tuple[Caller, Caller, str, str]
) -> None:
    ada, bob, table, code = hidden
    path = f"/v1/tables/{table}"
    assert ada.get(path, expect=200).json["invitation"] == code
    for caller in (bob, api.public()):
        assert "invitation" not in caller.get(f"{path}?invitation={code}", expect=200).json
        caller.get(f"{path}/view?invitation={code}", expect=200)
        caller.get(f"{path}/events?invitation={code}", expect=200)
        problem(caller.get(f"{path}?invitation={code}x"), "not-found", 404)
    assert bob.post(f"{path}/seats", {"invitation": code}, expect=201).json["invitation"] == code
    assert bob.get(path, expect=200).json["invitation"] == code
    api.follow()
    assert bob.get(path, expect=200).json["invitation"] == code


def test_who_resigned_from_a_private_table_sees_it_as_the_public_would(
    api: Api, hidden: tuple[Caller, Caller, str, str]
) -> None:
    _, bob, table, code = hidden
    bob.post(f"/v1/tables/{table}/seats", {"invitation": code}, expect=201)
    bob.delete(f"/v1/tables/{table}/seats/me", expect=200)
    assert bob.view(table)["seat"] is None
    assert "invitation" not in bob.get(f"/v1/tables/{table}", expect=200).json


def test_who_resigned_sees_the_public_view_from_then_on(api: Api) -> None:
    ada, bob = api.player(), api.player()
    table = api.table(ada, bob)
    ada.act(table, expect=201)
    api.follow()
    ada.delete(f"/v1/tables/{table}/seats/me", expect=200)
    public = api.public()
    for _ in ("at once", "from rows"):
        for path in ("/view", "/view?at=5", "/events"):
            ours, theirs = ada.get(f"/v1/tables/{table}{path}"), public.get(f"/v1/tables/{table}{path}")
            assert ours.data == theirs.data
        api.follow()
    problem(ada.act(table, {"type": "pass"}), "forbidden", 403)


def hands(view: dict[str, Any]) -> list[Any]:
    return [seat["hand"] for seat in view["state"]["seats"]]


def test_no_answer_of_a_running_game_shows_another_seats_hand(api: Api) -> None:
    callers = [api.player(name) for name in ("Ada", "Bob", "Eve")]
    table = api.table(*callers)
    rng = random.Random(11)
    for _ in range(30):
        view = callers[0].view(table)
        who = callers[view["to_act"][0]]
        for seat, caller in enumerate([*callers, api.public()]):
            shown = hands(caller.view(table))
            assert [hand is not None for hand in shown] == [seat == other for other in range(3)]
        done = who.act(table, rng.choice(who.view(table)["actions"]), expect=201).json
        if done["view"]["status"] == "finished":
            break
    api.follow()
    for seat, caller in enumerate(callers):
        for entry in caller.get(f"/v1/tables/{table}/events?limit=500").json["items"]:
            if entry["type"] == "roeko.CardsDisposed" and entry["seat"] != seat:
                assert not isinstance(entry["data"].get("cards"), dict)
            if entry["type"] == "roeko.GameSetUp":
                assert isinstance(entry["data"]["pile"], int)
                assert [hand is not None for hand in entry["data"]["hands"]] == [seat == other for other in range(3)]


def walk(value: Any) -> Iterator[str]:
    """Every name and text in a JSON value."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from walk(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from walk(inner)
    else:
        yield str(value)


def test_no_answer_and_no_log_line_holds_a_seed_a_salt_a_token_or_anybody_elses_code(api: Api) -> None:
    ada, bob = api.player(), api.player()
    answers: list[Any] = []
    with structlog.testing.capture_logs([structlog.contextvars.merge_contextvars]) as lines:
        table = ada.post("/v1/tables", {"game": "roeko", "seats": [ME, OPEN], "private": True}).json
        code, path = table["invitation"], f"/v1/tables/{table['id']}"
        bob.post(f"{path}/seats", {"invitation": code, "entropy": "bob's own dice"}, key="very-private-key")
        bob.get(f"{path}?invitation={code}", expect=200)
        for caller in (ada, bob):
            if caller.view(table["id"])["actions"]:
                answers.append(caller.act(table["id"], expect=201))
        api.follow()
        for caller in (ada, bob):
            answers += [caller.get(f"{path}{part}") for part in ("", "/view", "/events", "/view?at=2")]
    seed = api.context.tables.server_seed(UUID(table["id"]))
    texts = {text for answer in answers for text in walk(answer.json)}
    assert not any(seed.hex() in text for text in texts)
    assert not {"server_seed", "salt", "draws", "counter", "command"} & texts
    logged = json.dumps(lines, default=str)
    requests = [line for line in lines if line["event"] == "request"]
    assert len(requests) >= 10
    for secret in (seed.hex(), str(ada.token), str(bob.token), code, "dice", "very-private-key"):
        assert secret not in logged
    assert all({"request_id", "method", "route", "status", "milliseconds"} <= set(line) for line in requests)


def test_a_request_id_is_taken_over_if_it_is_well_formed(api: Api) -> None:
    public = api.public()
    taken = public.get("/v1/games", headers={"X-Request-Id": "trace-0123456789"})
    assert taken.headers["X-Request-Id"] == "trace-0123456789"
    for wrong in ("short", "x" * 65, "with blank and more", "<script>alert(1)"):
        answer = public.get("/v1/games", headers={"X-Request-Id": wrong})
        assert answer.headers["X-Request-Id"] != wrong
        assert UUID(answer.headers["X-Request-Id"])


def test_a_players_log_line_names_player_table_and_command(api: Api) -> None:
    ada, bob = api.player(), api.player()
    table = api.table(ada, bob)
    with structlog.testing.capture_logs([structlog.contextvars.merge_contextvars]) as lines:
        ada.act(table, expect=201)
    line = lines[-1]
    newest = api.context.tables.recorded(UUID(table))[-1]
    assert (line["player"], line["table"], line["command_id"]) == (ada.id, table, newest.command)


def test_nobody_without_a_token_is_taken_for_a_bot_or_an_open_seat(api: Api) -> None:
    ada = api.player()
    for seats in ([bot(), ME], [OPEN, ME, OPEN]):
        wish = {"game": "roeko", "seats": seats, "start_seat": 0}
        table = ada.post("/v1/tables", wish, expect=201).json["id"]
        api.follow()
        view = api.public().view(table)
        assert (view["seat"], view["actions"]) == (None, [])
        assert api.player().view(table) == view
