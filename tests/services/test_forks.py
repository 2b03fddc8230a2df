"""Forks over HTTP: whose they are, from where they may be made, and that they tell nothing that was hidden."""

from __future__ import annotations

from tests.services.helpers import Api, Caller, end_turn

PASSING = ("table", "version", "log_head", "undo", "taken_back")


def fork(api: Api, caller: Caller, table: str, at: int, **kwargs: object) -> dict[str, object]:
    answer = caller.post(f"/v1/tables/{table}/forks", {"at": at}, **kwargs)  # type: ignore[arg-type]
    api.follow()
    found: dict[str, object] = answer.json
    return found


def test_a_fork_is_private_casual_and_its_makers_with_bots_on_the_other_seats(api: Api) -> None:
    ada, bob = api.player("Ada"), api.player("Bob")
    table = api.table(ada, bob)
    end_turn(ada, table)
    made = fork(api, bob, table, bob.view(table)["version"], expect=201)
    assert (made["private"], made["casual"], made["status"]) == (True, True, "running")
    assert [seat["kind"] for seat in made["seats"]] == ["bot", "human"]  # type: ignore[attr-defined]
    api.public().get(f"/v1/tables/{made['id']}", expect=404)
    ada.get(f"/v1/tables/{made['id']}", expect=404)
    mine, forked = bob.view(table), bob.view(str(made["id"]))
    for name in mine:
        if name not in PASSING:
            assert forked[name] == mine[name], name
    bob.act(str(made["id"]), expect=201)


def test_a_fork_does_not_change_the_table_it_was_made_from(api: Api) -> None:
    ada, bob = api.player("Ada"), api.player("Bob")
    table = api.table(ada, bob)
    before = api.versions(table)
    made = fork(api, ada, table, ada.view(table)["version"], expect=201)
    ada.act(str(made["id"]), expect=201)
    assert api.versions(table) == before


def test_nobody_forks_what_it_may_not_see_yet(api: Api) -> None:
    ada, bob, eve = api.player("Ada"), api.player("Bob"), api.player("Eve")
    table = api.table(ada, bob, private=True)
    ada.act(table, expect=201)
    ahead = ada.view(table)["version"]
    fork(api, bob, table, ahead, expect=404)
    fork(api, eve, table, 1, expect=404)
    fork(api, ada, table, 0, expect=404)
    assert fork(api, ada, table, ahead, expect=201)["status"] == "running"


def test_the_log_of_a_fork_does_not_tell_its_hidden_position(api: Api) -> None:
    ada, bob = api.player("Ada"), api.player("Bob")
    table = api.table(ada, bob)
    made = fork(api, ada, table, ada.view(table)["version"], expect=201)
    entries = ada.get(f"/v1/tables/{made['id']}/events", expect=200).json["items"]
    begun = next(entry for entry in entries if entry["type"] == "table.Forked")
    assert set(begun["data"]) == {"origin", "at", "exact", "start_seat"}
    assert begun["data"]["exact"] is False


def test_a_repeated_call_makes_one_fork_and_another_body_is_a_mismatch(api: Api) -> None:
    ada, bob = api.player("Ada"), api.player("Bob")
    table = api.table(ada, bob)
    at = ada.view(table)["version"]
    first = fork(api, ada, table, at, key="a-fork", expect=201)
    assert fork(api, ada, table, at, key="a-fork", expect=201)["id"] == first["id"]
    assert fork(api, ada, table, at - 1, key="a-fork", expect=409)["type"] == "/problems/idempotency-mismatch"
    api.public().post(f"/v1/tables/{table}/forks", {"at": at}, expect=401)
