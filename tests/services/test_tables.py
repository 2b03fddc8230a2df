"""Opening, joining, leaving, starting, listing: what a table says of itself, and to whom."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any

from tests.services.helpers import ME, OPEN, Api, bot, problem

FIELDS = {
    "id",
    "game",
    "status",
    "version",
    "seats",
    "start_seat",
    "to_act",
    "turn",
    "options",
    "private",
    "commitment",
    "created_at",
    "updated_at",
    "result",
}


def test_an_opened_table_is_answered_with_all_its_fields_and_its_place(api: Api) -> None:
    ada = api.player("Ada")
    answer = ada.post("/v1/tables", {"game": "roeko", "seats": [ME, bot("automa"), OPEN]}, expect=201)
    table = answer.json
    assert set(table) >= FIELDS
    assert answer.headers["Location"] == f"/v1/tables/{table['id']}"
    assert (table["status"], table["version"], table["turn"], table["to_act"]) == ("open", 0, 0, [])
    assert table["seats"] == [
        {"seat": 0, "kind": "human", "player": {"id": ada.id, "name": "Ada"}, "bot": None},
        {"seat": 1, "kind": "bot", "player": None, "bot": "automa"},
        {"seat": 2, "kind": "open", "player": None, "bot": None},
    ]
    assert re.fullmatch("[0-9a-f]{64}", table["commitment"])
    assert "invitation" not in table
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", table["created_at"])


def test_a_table_reads_the_same_from_the_stream_and_from_its_rows(api: Api) -> None:
    ada, bob = api.player(), api.player()
    table = api.table(ada, bob)
    ada.act(table, expect=201)
    callers = (ada, bob, api.public())
    paths = (f"/v1/tables/{table}", f"/v1/tables/{table}/view")
    streamed = [caller.get(path).data for caller in callers for path in paths]
    api.follow()
    assert [caller.get(path).data for caller in callers for path in paths] == streamed


def test_an_auto_table_starts_when_the_last_open_seat_is_taken(api: Api) -> None:
    ada, bob = api.player(), api.player()
    opened = ada.post("/v1/tables", {"game": "roeko", "seats": [ME, OPEN]}, expect=201).json
    joined = bob.post(f"/v1/tables/{opened['id']}/seats", {"entropy": "bob's dice"}, expect=201).json
    assert joined["status"] == "running"
    assert joined["turn"] == 1
    assert joined["to_act"] == [joined["start_seat"]]
    assert ada.get(f"/v1/tables/{opened['id']}").json == joined


def test_a_manual_table_waits_for_its_owner_who_may_fill_it_with_bots(api: Api) -> None:
    ada = api.player()
    wish = {"game": "roeko", "seats": [ME, OPEN, OPEN], "start": "manual"}
    table = ada.post("/v1/tables", wish, expect=201).json["id"]
    started = ada.post(f"/v1/tables/{table}/start", {"fill_with": "automa"}, expect=201).json
    assert started["status"] == "running"
    assert [seat["bot"] for seat in started["seats"]] == [None, "automa", "automa"]


def test_a_start_without_a_body_is_a_start(api: Api) -> None:
    ada = api.player()
    wish = {"game": "roeko", "seats": [ME, bot()], "start": "manual"}
    table = ada.post("/v1/tables", wish, expect=201).json["id"]
    assert ada.call("POST", f"/v1/tables/{table}/start", expect=201).json["status"] == "running"


def test_a_seat_left_before_the_start_is_open_again(api: Api) -> None:
    ada, bob = api.player(), api.player()
    table = ada.post("/v1/tables", {"game": "roeko", "seats": [ME, OPEN, OPEN]}, expect=201).json["id"]
    bob.post(f"/v1/tables/{table}/seats", {"seat": 2}, expect=201)
    left = bob.delete(f"/v1/tables/{table}/seats/me", expect=200).json
    assert [seat["kind"] for seat in left["seats"]] == ["human", "open", "open"]
    bob.post(f"/v1/tables/{table}/seats", {"seat": 1}, expect=201)


def test_a_seat_left_in_a_running_game_is_played_on_by_a_bot_and_the_log_says_so(api: Api) -> None:
    ada, bob = api.player(), api.player()
    table = api.table(ada, bob)
    left = ada.delete(f"/v1/tables/{table}/seats/me", expect=200).json
    assert left["seats"][0] == {"seat": 0, "kind": "bot", "player": None, "bot": "automa"}
    api.follow()
    log = bob.get(f"/v1/tables/{table}/events", expect=200).json["items"]
    assert log[-1]["type"] == "table.Resigned"
    assert log[-1]["data"]["player"] == ada.id


def test_the_list_has_what_was_just_opened_and_the_filters_hold(own_api: Api, make_api: Callable[..., Any]) -> None:
    ada, bob = own_api.player(), own_api.player()
    seats = {"game": "roeko", "seats": [ME, OPEN]}
    waiting = [ada.post("/v1/tables", seats, expect=201).json["id"] for _ in range(3)]
    running = own_api.table(ada, bob)
    own_api.follow()
    ids = lambda query: [item["id"] for item in bob.get(f"/v1/tables{query}", expect=200).json["items"]]  # noqa: E731
    assert ids("") == [running, *waiting[::-1]]
    assert ids("?status=open") == waiting[::-1]
    assert ids("?status=running&game=roeko") == [running]
    assert ids(f"?player={bob.id}") == [running]
    assert ids("?status=finished") == ids("?game=chess") == ids(f"?player={uuid.uuid4()}") == []


def test_pages_follow_each_other_without_gap_or_double_while_tables_come_in(own_api: Api) -> None:
    ada = own_api.player()
    seats = {"game": "roeko", "seats": [ME, OPEN]}
    tables = [ada.post("/v1/tables", seats, expect=201).json["id"] for _ in range(5)]
    own_api.follow()
    found: list[str] = []
    page = ada.get("/v1/tables?limit=2", expect=200).json
    while True:
        found += [item["id"] for item in page["items"]]
        if page["next"] is None:
            break
        ada.post("/v1/tables", seats, expect=201)
        own_api.follow()
        page = ada.get(f"/v1/tables?limit=2&cursor={page['next']}", expect=200).json
    assert found == tables[::-1]


def test_my_turns_are_the_tables_that_wait_for_me(own_api: Api) -> None:
    ada, bob = own_api.player(), own_api.player()
    first, second = own_api.table(ada, bob), own_api.table(ada, bob)
    own_api.follow()
    assert [item["id"] for item in ada.get("/v1/me/turns", expect=200).json["items"]] == [first, second]
    assert bob.get("/v1/me/turns", expect=200).json == {"items": [], "next": None}


def test_games_say_what_can_be_played(api: Api) -> None:
    games = api.public().get("/v1/games", expect=200).json["items"]
    roeko = next(game for game in games if game["id"] == "roeko")
    assert roeko["title"] == {"en": "R-Öko", "de": "R-Öko"}
    assert roeko["seats"] == {"min": 2, "max": 5}
    assert {"automa", "random"} <= set(roeko["bots"])
    assert roeko["options"]["type"] == "object"
    assert api.public().get("/v1/games/roeko", expect=200).json == roeko


def test_an_erased_player_is_known_by_id_alone_and_has_no_token(api: Api) -> None:
    ada, bob = api.player("Ada Lovelace"), api.player()
    table = api.table(ada, bob)
    assert ada.delete("/v1/me", expect=204).data == b""
    problem(ada.get("/v1/me"), "unauthenticated", 401)
    for path in (f"/v1/tables/{table}", f"/v1/tables/{table}/view", f"/v1/tables/{table}/events"):
        assert "Lovelace" not in bob.get(path, expect=200).text
    assert bob.get(f"/v1/tables/{table}").json["seats"][0]["player"] == {"id": ada.id, "name": None}
    stored = "".join(str(rows) for name, rows in api.everything().items() if name != "events")
    assert "Lovelace" not in stored


def test_a_new_token_ends_the_old_one(api: Api) -> None:
    ada = api.player("Ada")
    renewed = ada.post("/v1/me/token", expect=201).json
    assert renewed["token"] != ada.token
    problem(ada.get("/v1/me"), "unauthenticated", 401)
    ada.token = renewed["token"]
    assert ada.get("/v1/me", expect=200).json == {"id": ada.id, "name": "Ada"}
