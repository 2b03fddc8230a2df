"""Views, actions, undo and the log over HTTP: what each viewer gets, when, and under which tag."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from tests.services.helpers import Api, Caller, bot, end_turn, play_out, problem


@pytest.fixture
def two(api: Api) -> tuple[Caller, Caller, str]:
    """Ada, to act, and Bob at a running table."""
    ada, bob = api.player("Ada"), api.player("Bob")
    return ada, bob, api.table(ada, bob)


def test_a_view_has_the_fields_of_the_contract(two: tuple[Caller, Caller, str]) -> None:
    ada, _, table = two
    view = ada.view(table)
    assert set(view) == {
        "table",
        "game",
        "version",
        "status",
        "seat",
        "to_act",
        "turn",
        "state",
        "knowledge",
        "actions",
        "undo",
        "proposals",
        "taken_back",
        "log_head",
    }
    assert set(view["undo"]) == {"allowed", "reason", "to", "redo"}
    assert set(view["log_head"]) == {"version", "digest", "signature"}
    assert (view["seat"], view["to_act"], view["turn"]) == (0, [0], 1)


def test_an_action_is_answered_with_its_events_and_the_view_that_a_get_then_gives(
    api: Api, two: tuple[Caller, Caller, str]
) -> None:
    ada, _, table = two
    before = ada.view(table)
    done = ada.act(table, expect=201).json
    assert done["version"] == done["view"]["version"] > before["version"]
    assert [event["version"] for event in done["events"]] == list(range(before["version"] + 1, done["version"] + 1))
    assert ada.view(table) == done["view"]
    api.follow()
    assert ada.view(table) == done["view"]
    log = ada.get(f"/v1/tables/{table}/events?after={before['version']}", expect=200).json["items"]
    assert log == done["events"]


def test_steps_that_can_be_undone_show_to_nobody_else(api: Api, two: tuple[Caller, Caller, str]) -> None:
    ada, bob, table = two
    others = (bob, api.public())
    paths = ("", "/view", "/events")
    seen = [other.get(f"/v1/tables/{table}{path}").data for other in others for path in paths]
    done = ada.act(table, expect=201).json
    assert done["view"]["undo"]["allowed"]
    for _ in ("from the stream", "from rows"):
        assert [other.get(f"/v1/tables/{table}{path}").data for other in others for path in paths] == seen
        api.follow()
        seen[2], seen[5] = (other.get(f"/v1/tables/{table}/events").data for other in others)
    for other in others:
        log = other.get(f"/v1/tables/{table}/events").json["items"]
        assert log[-1]["version"] == other.view(table)["version"]


def test_undo_goes_back_one_action_and_redo_forward_again(two: tuple[Caller, Caller, str]) -> None:
    ada, _, table = two
    start = ada.view(table)
    done = ada.act(table, expect=201).json["view"]
    back = ada.undo(table, expect=201).json
    assert back["events"][0]["type"] == "table.Truncated"
    assert back["view"]["state"] == start["state"]
    assert back["view"]["actions"] == start["actions"]
    assert back["view"]["undo"]["redo"] == done["version"]
    again = ada.undo(table, to=done["version"], expect=201).json["view"]
    assert again["state"] == done["state"]
    problem(ada.undo(table, to=999_999), "invalid-request", 422)


def test_a_turn_that_ended_can_not_be_undone(two: tuple[Caller, Caller, str]) -> None:
    ada, bob, table = two
    end_turn(ada, table)
    problem(ada.undo(table), "not-your-turn", 409)
    problem(bob.undo(table), "nothing-to-undo", 409)


def test_every_listed_action_is_accepted_and_the_view_says_what_undo_will_answer(api: Api) -> None:
    ada, bob = api.player(), api.player()
    table = api.table(ada, bob)
    rng = random.Random(5)
    for _ in range(25):
        view = ada.view(table)
        who = (ada, bob)[view["to_act"][0]]
        for caller in (ada, bob):
            undo = caller.view(table)["undo"]
            if not undo["allowed"]:
                problem(caller.undo(table), undo["reason"], 409)
        own = who.view(table)
        if own["undo"]["allowed"] and rng.random() < 0.4:
            who.undo(table, to=rng.choice(own["undo"]["to"]), expect=201)
        else:
            who.act(table, rng.choice(own["actions"]), expect=201)


def test_a_view_of_an_earlier_version_is_the_view_of_then(api: Api, two: tuple[Caller, Caller, str]) -> None:
    ada, bob, table = two
    callers = (ada, bob, api.public())
    then: list[dict[int, Any]] = [{}, {}, {}]
    for _ in range(3):
        for who in (ada, bob):
            while who.view(table)["actions"]:
                for number, caller in enumerate(callers):
                    view = caller.view(table)
                    then[number][view["version"]] = view
                who.act(table, expect=201)
    for number, caller in enumerate(callers):
        for version, view in then[number].items():
            assert caller.view(table, f"?at={version}") == view


def test_between_barriers_of_another_seat_the_past_is_shown_as_of_the_barrier(two: tuple[Caller, Caller, str]) -> None:
    ada, bob, table = two
    start = bob.view(table)
    step = ada.act(table, expect=201).json["version"]
    end_turn(ada, table)
    assert bob.view(table, f"?at={step}") == start
    assert ada.view(table, f"?at={step}")["version"] == step


def test_the_past_is_nowhere_before_it_may_be_seen(two: tuple[Caller, Caller, str]) -> None:
    ada, bob, table = two
    step = ada.act(table, expect=201).json["version"]
    problem(bob.get(f"/v1/tables/{table}/view?at={step}"), "not-found", 404)
    assert ada.view(table, f"?at={step}")["version"] == step
    assert ada.view(table, "?at=0")["status"] == "open"


def test_a_view_is_tagged_and_not_sent_twice(api: Api, two: tuple[Caller, Caller, str]) -> None:
    ada, bob, table = two
    path = f"/v1/tables/{table}/view"
    answer = ada.get(path)
    tag = answer.headers["ETag"]
    assert tag == f'"{answer.json["version"]}.3.0"'
    assert answer.headers["Vary"] == "Authorization"
    assert answer.headers["Cache-Control"] == "private"
    assert api.public().get(path).headers["ETag"].endswith('.public"')
    for given in (tag, f'"other", {tag}', "*"):
        again = ada.get(path, headers={"If-None-Match": given}, expect=304)
        assert (again.data, again.headers["ETag"]) == (b"", tag)
    assert bob.get(path, headers={"If-None-Match": tag}).status_code == 200
    api.follow()
    assert ada.get(path, headers={"If-None-Match": tag}).status_code == 304
    ada.act(table, expect=201)
    assert ada.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_two_views_with_one_tag_are_the_same_bytes(api: Api, two: tuple[Caller, Caller, str]) -> None:
    ada, bob, table = two
    seen: dict[str, bytes] = {}
    path = f"/v1/tables/{table}/view"

    def look() -> None:
        for caller in (ada, bob, api.public()):
            answer = caller.get(path)
            assert seen.setdefault(answer.headers["ETag"], answer.data) == answer.data

    look()
    for step in (ada.act, ada.undo, ada.act, ada.undo, lambda table, **kw: ada.undo(table, to=5, **kw)):
        step(table)
        look()
        api.follow()
        look()
    end_turn(ada, table)
    look()
    bob.act(table, expect=201)
    look()
    bob.delete(f"/v1/tables/{table}/seats/me", expect=200)
    look()


def test_a_player_reads_at_once_what_it_wrote(two: tuple[Caller, Caller, str]) -> None:
    ada, _, table = two
    version = ada.act(table, expect=201).json["version"]
    assert ada.view(table, f"?min_version={version}")["version"] == version
    assert ada.view(table)["version"] == version
    assert ada.get(f"/v1/tables/{table}").json["version"] == version


def test_waiting_for_a_version_that_does_not_come_is_bounded_and_answered(
    two: tuple[Caller, Caller, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, _, table = two
    monkeypatch.setattr("services.reading.PATIENCE", 0.1)
    before = time.monotonic()
    assert ada.view(table, "?min_version=100000") == ada.view(table)
    assert time.monotonic() - before < 60


def test_the_log_is_read_in_pages_and_tells_what_was_cut(api: Api, two: tuple[Caller, Caller, str]) -> None:
    ada, bob, table = two
    ada.act(table, expect=201)
    cut = ada.undo(table, expect=201).json["version"]
    end_turn(ada, table)
    api.follow()
    path = f"/v1/tables/{table}/events"
    whole = bob.get(path, expect=200).json["items"]
    assert [entry["version"] for entry in whole] == api.versions(table)
    assert whole[cut - 1] == {"version": cut, "type": "withdrawn"}
    own = ada.get(path, expect=200).json["items"]
    assert own[cut - 2]["truncated_by"] == cut
    paged, page = [], bob.get(f"{path}?limit=3", expect=200).json
    while page["items"]:
        paged += page["items"]
        if page["next"] is None:
            break
        page = bob.get(f"{path}?limit=3&after={page['next']}", expect=200).json
        assert page == bob.get(f"{path}?limit=3&cursor={paged[-1]['version']}", expect=200).json
    assert paged == whole


def test_log_texts_come_in_both_languages(api: Api, two: tuple[Caller, Caller, str]) -> None:
    ada, _, table = two
    end_turn(ada, table)
    api.follow()
    for entry in ada.get(f"/v1/tables/{table}/events").json["items"]:
        assert entry["text"]["en"]
        assert entry["text"]["de"]
        assert entry["text"]["en"] != entry["text"]["de"]


def test_a_whole_game_over_http_ends_is_scored_and_read_back(own_api: Api) -> None:
    from uuid import UUID

    from domain import play
    from services.commands import Call, carry_out

    ada, bob = own_api.player("Ada"), own_api.player("Bob")
    table = own_api.table(ada, bob)
    play_out((ada, bob), table, random.Random(3))
    problem(ada.get(f"/v1/tables/{table}/result"), "not-found", 404)
    carry_out(own_api.context, UUID(table), Call("scorer", "system", "score", {}), play.score)
    own_api.follow()
    result = own_api.public().get(f"/v1/tables/{table}/result", expect=200).json
    assert set(result) == {"seats", "winners", "tie_break", "reason"}
    assert [line["player"]["name"] for line in result["seats"]] == ["Ada", "Bob"]
    assert all(set(line) == {"seat", "player", "bot", "team", "total", "rank", "breakdown"} for line in result["seats"])
    assert result["winners"] == [line["seat"] for line in result["seats"] if line["rank"] == 1]
    assert ada.get(f"/v1/tables/{table}").json["result"] == result
    lines = ada.get(f"/v1/players/{ada.id}/results", expect=200).json["items"]
    assert [(line["table"], line["total"]) for line in lines] == [(table, result["seats"][0]["total"])]
    board = ada.get("/v1/leaderboards/roeko", expect=200).json["items"]
    assert {line["player"]["name"]: line["wins"] for line in board} == {
        line["player"]["name"]: int(line["rank"] == 1) for line in result["seats"]
    }
    ada.delete("/v1/me", expect=204)
    board = bob.get("/v1/leaderboards/roeko", expect=200).json["items"]
    assert [line["player"]["name"] for line in board] == ["Bob"]


def test_a_bots_turn_is_nobody_elses(api: Api) -> None:
    ada = api.player()
    wish = {"game": "roeko", "seats": [{"kind": "me"}, bot()], "start_seat": 1}
    table = ada.post("/v1/tables", wish, expect=201).json["id"]
    assert ada.view(table)["actions"] == []
    problem(ada.act(table, {"type": "pass"}), "not-your-turn", 409)
