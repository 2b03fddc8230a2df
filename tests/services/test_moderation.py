"""Moderators: corrections, closing, annulling, reading without redaction; and what each does to results and lists."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest

from tests.services.helpers import ME, OPEN, Api, Caller, end_turn, problem
from tests.services.test_agreements import END, ROLL, Three, mark, position, seal, turns
from workers import scoring


@pytest.fixture
def three(toys: Api) -> Three:
    return Three(toys)


@pytest.fixture
def judge(toys: Api) -> Caller:
    return toys.moderator()


def truncate(caller: Caller, table: str, to: int, version: int | None = None, **kwargs: Any) -> Any:
    """Correct a table, as everybody sees it unless another version is given."""
    seen = caller.api.public().view(table)["version"] if version is None else version
    return caller.post(f"/v1/tables/{table}/truncate", {"version": seen, "to": to, "reason": "a slip"}, **kwargs)


def abandon(caller: Caller, table: str, **kwargs: Any) -> Any:
    return caller.post(f"/v1/tables/{table}/abandon", {"reason": "enough"}, **kwargs)


def auditor(caller: Caller, table: str, **kwargs: Any) -> Any:
    return caller.get(f"/v1/tables/{table}/events?as=auditor", **kwargs)


def test_after_a_correction_over_several_turns_everything_is_as_at_the_first_visit(three: Three, judge: Caller) -> None:
    for person in (three.bob, three.cy, three.ada):
        end_turn(person, three.table)
    done = truncate(judge, three.table, three.start, expect=201).json
    assert [event["type"] for event in done["events"]] == ["table.Truncated"]
    for _ in ("from the stream", "from rows"):
        assert [position(view) for view in three.views()] == [position(view) for view in three.first]
        three.api.follow()
    assert three.waiting() == three.queues
    assert all(view["taken_back"] and view["version"] == done["version"] for view in three.views())
    log = three.cy.get(f"/v1/tables/{three.table}/events", expect=200).json["items"]
    plays = [entry for entry in log if three.start < entry["version"] < done["version"]]
    assert {entry["truncated_by"] for entry in plays} == {done["version"]}
    assert log[-1]["data"] == {"to": three.start, "reason": "moderation"}
    (event,) = three.api.context.tables.recorded(UUID(three.table), done["version"] - 1)
    assert event.by == f"moderator:{judge.id}"
    assert event.action == {"type": "truncate", "to": three.start, "reason": "a slip"}
    assert three.ada.get(f"/v1/tables/{three.table}/audit").json["verified"]
    again = three.ada.act(three.table, ROLL, expect=201).json["view"]
    assert again["state"] == three.rolled["state"], "the same draw falls the same"


def test_a_correction_may_go_over_an_earlier_one_and_back_to_what_it_cut(three: Three, judge: Caller) -> None:
    end_turn(three.bob, three.table)
    tip, at = three.views(), three.ada.view(three.table)["version"]
    truncate(judge, three.table, three.start, expect=201)
    three.ada.act(three.table, END, expect=201)
    truncate(judge, three.table, at, expect=201)
    assert [position(view) for view in three.views()] == [position(view) for view in tip]
    truncate(judge, three.table, three.rolled["version"], expect=201)
    assert position(three.ada.view(three.table)) == position(three.rolled)
    assert three.ada.get(f"/v1/tables/{three.table}/audit").json["verified"]
    three.api.follow()
    log = three.bob.get(f"/v1/tables/{three.table}/events", expect=200).json["items"]
    standing = [entry["version"] for entry in log if not entry["truncated_by"] and entry["version"] > three.start]
    assert three.rolled["version"] in standing
    assert at not in standing


def test_a_correction_may_go_to_a_step_that_only_its_own_seat_saw(toys: Api, judge: Caller) -> None:
    ada, bob = toys.player("Ada"), toys.player("Bob")
    table = toys.table(ada, bob, game="dicey")
    ada.act(table, mark(1), expect=201)
    step = ada.view(table)
    ada.act(table, mark(2), expect=201)
    ada.act(table, END, expect=201)
    truncate(judge, table, step["version"], expect=201)
    for caller in (ada, bob, toys.public()):
        assert caller.view(table)["state"] == step["state"]
    assert ada.view(table)["actions"] == step["actions"]
    assert ada.view(table)["undo"]["allowed"] is False, "everybody has seen it now"
    toys.follow()
    log = bob.get(f"/v1/tables/{table}/events").json["items"]
    assert "withdrawn" not in {entry["type"] for entry in log}


def test_a_correction_cuts_provisional_steps(three: Three, judge: Caller) -> None:
    before = three.views()
    three.bob.act(three.table, mark(), expect=201)
    truncate(judge, three.table, three.now, expect=201)
    assert [position(view) for view in three.views()] == [position(view) for view in before]
    problem(three.bob.undo(three.table), "nothing-to-undo", 409)


def test_who_may_not_correct_changes_nothing(three: Three, judge: Caller, toys: Api) -> None:
    before = toys.everything()
    for caller, slug, status in (
        (three.ada, "forbidden", 403),
        (toys.player("Eve"), "forbidden", 403),
        (toys.public(), "unauthenticated", 401),
    ):
        problem(truncate(caller, three.table, three.start), slug, status)
        problem(abandon(caller, three.table), slug, status)
        problem(auditor(caller, three.table), slug if caller.token else "forbidden", status if caller.token else 403)
    after = toys.everything()
    assert after["events"] == before["events"]
    assert toys.context.database.query("SELECT * FROM disclosures WHERE table_id = %s", (three.table,)) == []


def test_a_moderator_is_a_player_like_others_at_an_own_running_table(toys: Api) -> None:
    judge, bob, other = toys.moderator(), toys.player("Bob"), toys.moderator("Other")
    table = toys.table(judge, bob, game="veiled")
    start = judge.view(table)["version"]
    end_turn(judge, table)
    problem(truncate(judge, table, start), "forbidden", 403)
    problem(abandon(judge, table), "forbidden", 403)
    problem(auditor(judge, table), "forbidden", 403)
    assert toys.context.database.query("SELECT * FROM disclosures WHERE table_id = %s", (table,)) == []
    truncate(other, table, start, expect=201)
    abandon(other, table, expect=201)
    auditor(judge, table, expect=200)


def test_bad_corrections_are_refused(three: Three, judge: Caller, toys: Api) -> None:
    three.bob.act(three.table, mark(), expect=201)
    before = toys.everything()["events"]
    head = toys.newest(three.table)
    record = toys.context.tables.recorded(UUID(three.table))
    begun = min(event.version for event in record if event.barrier)
    for to in (head, head + 1, begun - 1, 1, 0):
        assert "to" in problem(truncate(judge, three.table, to), "invalid-request", 422)["errors"]
    for version in (three.now - 1, head, head + 1):
        document = problem(truncate(judge, three.table, three.start, version), "stale-version", 409)
        assert document["version"] == three.now, "as everybody sees it"
    path = f"/v1/tables/{three.table}/truncate"
    for wrong in ({"reason": ""}, {"reason": "x" * 501}, {"reason": None}, {"to": "1"}, {"more": 1}):
        body = {"version": three.now, "to": three.start, "reason": "a slip"} | wrong
        assert set(problem(judge.post(path, body), "invalid-request", 422)["errors"]) == set(wrong)
    problem(truncate(judge, str(UUID(int=5)), 1, 1), "not-found", 404)
    waiting = three.ada.post("/v1/tables", {"game": "dicey", "seats": [ME, OPEN]}, expect=201).json["id"]
    problem(truncate(judge, waiting, 1, 0), "table-not-running", 409)
    assert [row for row in toys.everything()["events"] if str(row["originator_id"]) != waiting] == before


def test_the_middle_of_a_command_is_no_target(toys: Api, judge: Caller) -> None:
    ada, bob = toys.player("Ada"), toys.player("Bob")
    table = toys.table(ada, bob, game="roeko")
    while len(set(toys.versions(table))) < 40:
        for caller in (ada, bob):
            end_turn(caller, table)
    record = toys.context.tables.recorded(UUID(table))
    middle = next(a.version for a, b in pairwise(record) if a.command == b.command and a.version > 3)
    problem(truncate(judge, table, middle), "invalid-request", 422)


def test_a_repeated_correction_gets_the_first_answer(three: Three, judge: Caller) -> None:
    first = truncate(judge, three.table, three.start, key="fix", expect=201)
    three.ada.act(three.table, END, expect=201)
    versions = three.api.versions(three.table)
    again = truncate(judge, three.table, three.start, three.now, key="fix", expect=201)
    assert again.json == first.json
    assert three.api.versions(three.table) == versions
    problem(truncate(judge, three.table, three.now, three.now, key="fix"), "idempotency-mismatch", 409)


def test_a_correction_voids_open_requests(three: Three, judge: Caller) -> None:
    body = {"version": three.now, "to": three.start}
    three.ada.post(f"/v1/tables/{three.table}/takebacks", body, expect=201)
    truncate(judge, three.table, three.rolled["version"], expect=201)
    assert three.bob.view(three.table)["proposals"] == []
    answer = three.bob.post(f"/v1/tables/{three.table}/takebacks/1", {"accept": True})
    problem(answer, "stale-version", 409)
    assert three.waiting() == [[three.table], [], []]


def ended(api: Api, people: int = 3, **wish: Any) -> tuple[list[Caller], str, int]:
    """A dice game played to its end and scored; Ada rolled. Also the version before its last command."""
    callers = [api.player(f"P{n}") for n in range(people)]
    table = api.table(*callers, game="dicey", **wish)
    callers[0].act(table, ROLL, expect=201)
    last = 0
    while (view := callers[0].view(table))["status"] == "running":
        last = view["version"]
        callers[view["to_act"][0]].act(table, END, expect=201)
    scoring.score(api.context, UUID(table))
    api.follow()
    return callers, table, last


def listed(caller: Caller) -> list[tuple[str, bool]]:
    """A player's results: table and whether it counts."""
    items = caller.get(f"/v1/players/{caller.id}/results", expect=200).json["items"]
    return [(line["table"], line["counted"]) for line in items]


def leads(caller: Caller) -> bool:
    """Whether a player is on the leaderboard."""
    items = caller.get("/v1/leaderboards/dicey?limit=100", expect=200).json["items"]
    return caller.id in [line["player"]["id"] for line in items]


def test_results_follow_a_correction_over_the_end(toys: Api, judge: Caller) -> None:
    callers, table, last = ended(toys)
    ada, _, cy = callers
    first = ada.get(f"/v1/tables/{table}/result", expect=200).json
    assert listed(ada) == [(table, True)]
    assert leads(ada)
    truncate(judge, table, last, expect=201)
    toys.follow()
    problem(ada.get(f"/v1/tables/{table}/result"), "not-found", 404)
    assert listed(ada) == []
    assert not leads(ada)
    assert turns(cy) == [table]
    assert ada.get(f"/v1/tables/{table}").json["status"] == "running"
    cy.act(table, mark(2), expect=201)
    cy.act(table, END, expect=201)
    scoring.score(toys.context, UUID(table))
    toys.follow()
    second = ada.get(f"/v1/tables/{table}/result", expect=200).json
    assert [line["total"] for line in second["seats"]] == [first["seats"][0]["total"], 0, 2]
    assert listed(ada) == [(table, False)], "what was taken back counts for no leaderboard"
    assert not leads(ada)
    seal(toys, table)
    problem(truncate(judge, table, last), "table-not-running", 409)
    assert ada.get(f"/v1/tables/{table}/audit").json["verified"]


def test_a_score_alone_can_be_taken_off_and_is_made_again(toys: Api, judge: Caller) -> None:
    callers, table, _ = ended(toys)
    end = toys.newest(table) - 1
    truncate(judge, table, end, expect=201)
    toys.follow()
    assert callers[0].view(table)["status"] == "finished"
    problem(callers[0].get(f"/v1/tables/{table}/result"), "not-found", 404)
    scoring.score(toys.context, UUID(table))
    callers[0].get(f"/v1/tables/{table}/result", expect=200)


def test_a_sealed_result_can_be_annulled_and_counts_nowhere(toys: Api, judge: Caller) -> None:
    callers, table, last = ended(toys)
    ada = callers[0]
    seal(toys, table)
    result = ada.get(f"/v1/tables/{table}/result", expect=200).json
    problem(abandon(ada, table), "forbidden", 403)
    assert leads(ada)
    first = abandon(judge, table, key="void", expect=201)
    assert [event["type"] for event in first.json["events"]] == ["table.Annulled"]
    toys.follow()
    assert listed(ada) == [(table, False)]
    assert not leads(ada)
    assert ada.get(f"/v1/tables/{table}/result", expect=200).json == result, "it stays on record"
    assert ada.get(f"/v1/tables/{table}").json["closed"] == "moderation"
    assert abandon(judge, table, key="void", expect=201).json == first.json
    problem(abandon(judge, table), "table-not-running", 409)
    problem(truncate(judge, table, last), "table-not-running", 409)
    assert ada.get(f"/v1/tables/{table}/audit").json["verified"]
    ada.get(f"/v1/tables/{table}/export", expect=200)


def test_an_abandoned_game_has_no_result_and_is_sealed_later(own_api: Api) -> None:
    api, judge = own_api, own_api.moderator()
    ada, bob = api.player("Ada"), api.player("Bob")
    table = api.table(ada, bob)
    end_turn(ada, table)
    bob.act(table, expect=201)
    before = ada.view(table)
    first = abandon(judge, table, key="close", expect=201)
    assert [event["type"] for event in first.json["events"]] == ["table.Abandoned", "table.Truncated"]
    assert abandon(judge, table, key="close", expect=201).json == first.json
    problem(abandon(judge, table), "table-not-running", 409)
    for caller in (ada, bob):
        view = caller.view(table)
        assert (view["status"], view["to_act"], view["actions"]) == ("finished", [], [])
        assert view["state"] == caller.view(table, f"?at={before['version']}")["state"]
    resource = ada.get(f"/v1/tables/{table}").json
    assert (resource["status"], resource["closed"], resource["result"]) == ("finished", "moderation", None)
    body = {"version": bob.view(table)["version"], "action": {"type": "pass"}}
    problem(bob.post(f"/v1/tables/{table}/actions", body), "table-not-running", 409)
    problem(bob.undo(table), "table-not-running", 409)
    problem(truncate(judge, table, before["version"]), "table-not-running", 409)
    problem(bob.delete(f"/v1/tables/{table}/seats/me"), "table-not-running", 409)
    assert turns(ada) == turns(bob) == []
    problem(ada.get(f"/v1/tables/{table}/export"), "not-found", 404)
    scoring.finish(api.context, UUID(table))
    api.follow()
    problem(ada.get(f"/v1/tables/{table}/result"), "not-found", 404)
    assert listed(ada) == []
    audit = ada.get(f"/v1/tables/{table}/audit", expect=200).json
    assert audit["verified"]
    assert audit["seed"]
    ada.get(f"/v1/tables/{table}/export", expect=200)


def test_an_open_table_can_be_closed_too(toys: Api, judge: Caller) -> None:
    ada, bob = toys.player("Ada"), toys.player("Bob")
    table = ada.post("/v1/tables", {"game": "dicey", "seats": [ME, OPEN]}, expect=201).json["id"]
    abandon(judge, table, expect=201)
    problem(bob.post(f"/v1/tables/{table}/seats"), "table-not-running", 409)
    assert ada.get(f"/v1/tables/{table}").json["closed"] == "moderation"


def test_reading_without_redaction_shows_what_is_hidden_and_is_noted_first(toys: Api, judge: Caller) -> None:
    ada, bob = toys.player("Ada"), toys.player("Bob")
    table = toys.table(ada, bob, game="roeko", private=True)
    ada.act(table, expect=201)
    ada.undo(table, expect=201)
    ada.act(table, expect=201)
    toys.follow()
    whole = auditor(judge, table, expect=200).json["items"]
    record = toys.context.tables.recorded(UUID(table))
    assert [entry["version"] for entry in whole] == [event.version for event in record], "provisional steps too"
    assert "withdrawn" not in {entry["type"] for entry in whole}
    setup = next(entry for entry in whole if entry["type"] == "roeko.GameSetUp")
    own = next(
        entry for entry in ada.get(f"/v1/tables/{table}/events").json["items"] if entry["type"] == "roeko.GameSetUp"
    )
    assert setup["data"] != own["data"]
    page = judge.get(f"/v1/tables/{table}/events?as=auditor&after=2&limit=1", expect=200)
    assert page.json["next"] == "3"
    assert [entry["version"] for entry in page.json["items"]] == [3]
    noted = toys.context.database.query(
        "SELECT moderator, after FROM disclosures WHERE table_id = %s ORDER BY id", (table,)
    )
    assert [(str(row["moderator"]), row["after"]) for row in noted] == [(judge.id, 0), (judge.id, 2)]


def test_a_moderator_sees_no_more_than_the_public_without_asking_for_it(toys: Api, judge: Caller) -> None:
    ada, bob = toys.player("Ada"), toys.player("Bob")
    table = toys.table(ada, bob, game="roeko")
    ada.act(table, expect=201)
    toys.follow()
    for path in ("view", "events"):
        assert judge.get(f"/v1/tables/{table}/{path}").json == toys.public().get(f"/v1/tables/{table}/{path}").json


@pytest.mark.parametrize("how", ["casual", "take-back"])
def test_casual_tables_and_take_backs_count_for_no_leaderboard(toys: Api, how: str) -> None:
    if how == "casual":
        callers, table, _ = ended(toys, casual=True)
    else:
        callers = [toys.player(name) for name in ("Ada", "Bob")]
        table = toys.table(*callers, game="dicey")
        start = callers[0].view(table)["version"]
        callers[0].act(table, END, expect=201)
        body = {"version": callers[0].view(table)["version"], "to": start}
        callers[0].post(f"/v1/tables/{table}/takebacks", body, expect=201)
        callers[1].post(f"/v1/tables/{table}/takebacks/1", {"accept": True}, expect=201)
        while (view := callers[0].view(table))["status"] == "running":
            callers[view["to_act"][0]].act(table, END, expect=201)
        scoring.score(toys.context, UUID(table))
        toys.follow()
        assert callers[0].view(table)["taken_back"]
    for caller in callers:
        assert listed(caller) == [(table, False)]
        assert not leads(caller)
