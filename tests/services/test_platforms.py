"""Platforms, who may register, CORS, rate limits and metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from services import platforms
from tests.services.helpers import Api, Caller


def platform(api: Api, name: str = "Arcade") -> Caller:
    """A platform's credential as a caller."""
    made, secret = platforms.create(api.context, name)
    return Caller(api, secret, str(made.id))


def acting(caller: Caller, player: str) -> dict[str, str]:
    return {"Turnkeeper-Player": player}


def test_a_platform_registers_players_and_acts_for_them(api: Api) -> None:
    arcade = platform(api)
    ada = arcade.post("/v1/players", {"name": "Ada"}, expect=201).json
    me = arcade.get("/v1/me", headers=acting(arcade, ada["id"]), expect=200).json
    assert me == {"id": ada["id"], "name": "Ada"}
    assert Caller(api, ada["token"]).get("/v1/me", expect=200).json["id"] == ada["id"]


def test_a_platform_reaches_no_other_players(api: Api) -> None:
    arcade, other = platform(api), platform(api, "Other")
    theirs = other.post("/v1/players", {"name": "Bob"}, expect=201).json["id"]
    nobodys = api.player("Eve").id
    assert nobodys is not None
    for player in (theirs, nobodys, "no-id", "00000000-0000-4000-8000-000000000000"):
        arcade.get("/v1/me", headers=acting(arcade, player), expect=404)
    for player in (theirs, nobodys):
        arcade.post(f"/v1/players/{player}/token", expect=404)
        arcade.delete(f"/v1/players/{player}/token", expect=404)


def test_a_platform_issues_and_revokes_its_players_tokens(api: Api) -> None:
    arcade = platform(api)
    ada = arcade.post("/v1/players", {"name": "Ada"}, expect=201).json
    issued = arcade.post(f"/v1/players/{ada['id']}/token", expect=201).json["token"]
    Caller(api, ada["token"]).get("/v1/me", expect=401)
    Caller(api, issued).get("/v1/me", expect=200)
    arcade.delete(f"/v1/players/{ada['id']}/token", expect=204)
    Caller(api, issued).get("/v1/me", expect=401)
    arcade.get("/v1/me", headers=acting(arcade, ada["id"]), expect=200)


def test_a_platform_says_for_whom_it_acts_and_nobody_else_does(api: Api) -> None:
    arcade, ada = platform(api), api.player("Ada")
    arcade.get("/v1/me", expect=401)
    assert ada.id is not None
    ada.get("/v1/me", headers=acting(ada, ada.id), expect=403)
    api.public().get("/v1/tables", headers=acting(ada, ada.id), expect=401)
    ada.post(f"/v1/players/{ada.id}/token", expect=403)
    api.public().post(f"/v1/players/{ada.id}/token", expect=403)
    Caller(api, "pf_nonsense").get("/v1/tables", expect=401)


def test_what_a_platform_does_for_a_player_is_the_players(api: Api) -> None:
    arcade, bob = platform(api), api.player("Bob")
    ada = arcade.post("/v1/players", {"name": "Ada"}, expect=201).json
    wish = {"game": "roeko", "seats": [{"kind": "me"}, {"kind": "open"}], "start_seat": 0}
    opened = arcade.call("POST", "/v1/tables", json=wish, headers=acting(arcade, ada["id"]), expect=201).json
    bob.post(f"/v1/tables/{opened['id']}/seats", expect=201)
    view = arcade.get(f"/v1/tables/{opened['id']}/view", headers=acting(arcade, ada["id"]), expect=200)
    assert view.json["seat"] == 0
    assert "Authorization" in view.headers["Vary"]


def test_only_platforms_register_where_the_setting_says_so(make_api: Callable[..., Any]) -> None:
    with make_api(registration="platform") as api:
        refused = api.public().post("/v1/players", {"name": "Ada"}, expect=403)
        assert refused.json["type"] == "/problems/forbidden"
        arcade = platform(api)
        arcade.post("/v1/players", {"name": "Ada"}, expect=201)


def test_credentials_are_stored_hashed(api: Api) -> None:
    arcade = platform(api)
    assert arcade.token not in str(api.context.database.query("SELECT * FROM platforms"))


def test_a_limit_is_a_problem_with_the_time_to_come_again_and_reading_is_free(make_api: Callable[..., Any]) -> None:
    with make_api(write_limit="3 per hour") as api:
        ada, bob = api.player("Ada"), api.player("Bob")
        wish = {"game": "roeko", "seats": [{"kind": "me"}, {"kind": "open"}]}
        for _ in range(3):
            ada.post("/v1/tables", wish, expect=201)
        before = api.everything()
        refused = ada.post("/v1/tables", wish, expect=429)
        assert refused.json["type"] == "/problems/rate-limited"
        assert 0 < int(refused.headers["Retry-After"]) <= 3601
        assert api.everything() == before
        for _ in range(5):
            ada.get("/v1/tables", expect=200)
        bob.post("/v1/tables", wish, expect=201)


def test_registering_is_limited_by_address(make_api: Callable[..., Any]) -> None:
    with make_api(registration_limit="2 per hour") as api:
        for name in ("Ada", "Bob"):
            api.public().post("/v1/players", {"name": name}, expect=201)
        api.public().post("/v1/players", {"name": "Eve"}, expect=429)


def test_without_redis_each_process_counts_for_itself(make_api: Callable[..., Any]) -> None:
    with make_api(write_limit="2 per hour", redis_url="redis://127.0.0.1:1/0") as api:
        ada = api.player("Ada")
        wish = {"game": "roeko", "seats": [{"kind": "me"}, {"kind": "open"}]}
        statuses = [ada.post("/v1/tables", wish).status_code for _ in range(4)]
        assert statuses[:2] == [201, 201]
        assert 429 in statuses


@pytest.mark.parametrize(
    ("origin", "allowed"), [("https://play.example.org", True), ("https://evil.example.org", False)]
)
def test_pages_of_the_named_origins_may_call(make_api: Callable[..., Any], origin: str, allowed: bool) -> None:
    with make_api(cors_origins=("https://play.example.org",)) as api:
        asked = {
            "Origin": origin,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization, idempotency-key",
        }
        answer = api.public().call("OPTIONS", "/v1/tables", headers=asked)
        assert (answer.headers.get("Access-Control-Allow-Origin") == origin) is allowed
        read = api.public().get("/v1/games", headers={"Origin": origin}, expect=200)
        assert (read.headers.get("Access-Control-Allow-Origin") == origin) is allowed


def test_without_the_setting_no_page_of_another_origin_may_call(api: Api) -> None:
    answer = api.public().get("/v1/games", headers={"Origin": "https://play.example.org"}, expect=200)
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_metrics_count_requests_appends_and_truncations_and_name_nobody(api: Api) -> None:
    ada, bob = api.player("Ada"), api.player("Bob")
    table = api.table(ada, bob)
    ada.act(table, expect=201)
    ada.undo(table, expect=201)
    text = api.public().get("/metrics", expect=200).text
    for name in ("request_seconds", "appends_total", "truncations_total", "conflicts_total", "streams"):
        assert f"turnkeeper_{name}" in text
    for secret in (ada.token, ada.id, table, "Ada"):
        assert str(secret) not in text
