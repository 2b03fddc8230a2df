"""Take-backs behind a confirmed turn: asked, answered, carried out, and every way in which they are not."""

from __future__ import annotations

import threading
from typing import Any
from uuid import UUID

import pytest

from domain import play
from domain.record import Draft
from domain.table import Table
from services.commands import Call, carry_out
from tests.services.helpers import ME, OPEN, Api, Caller, bot, problem
from workers import scoring

END, ROLL = {"type": "end_turn"}, {"type": "roll"}


def mark(value: int = 1) -> dict[str, Any]:
    return {"type": "mark", "value": value}


def ask(caller: Caller, table: str, to: int, version: int | None = None, **kwargs: Any) -> Any:
    """Ask to go back to a version."""
    body = {"version": caller.view(table)["version"] if version is None else version, "to": to}
    return caller.post(f"/v1/tables/{table}/takebacks", body, **kwargs)


def answer(caller: Caller, table: str, accept: bool, number: int = 1, **kwargs: Any) -> Any:
    return caller.post(f"/v1/tables/{table}/takebacks/{number}", {"accept": accept}, **kwargs)


def turns(caller: Caller) -> list[str]:
    """The tables that wait for a player."""
    caller.api.follow()
    return [each["id"] for each in caller.get("/v1/me/turns", expect=200).json["items"]]


def position(view: dict[str, Any]) -> dict[str, Any]:
    """What a view says of the position alone: neither by which way nor when it was reached."""
    return {name: value for name, value in view.items() if name not in ("version", "log_head", "taken_back")}


class Three:
    """Ada, Bob and Cy at dice; Ada has rolled and ended her turn, which the table's `start` lies before."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.ada, self.bob, self.cy = self.people = tuple(api.player(name) for name in ("Ada", "Bob", "Cy"))
        self.table = api.table(*self.people, game="dicey")
        self.start = self.ada.view(self.table)["version"]
        self.first = self.views()
        self.queues = self.waiting()
        self.ada.act(self.table, ROLL, expect=201)
        self.rolled = self.ada.view(self.table)
        self.ada.act(self.table, END, expect=201)
        self.now = self.ada.view(self.table)["version"]

    def views(self) -> list[dict[str, Any]]:
        return [each.view(self.table) for each in (*self.people, self.api.public())]

    def waiting(self) -> list[list[str]]:
        return [turns(each) for each in self.people]


@pytest.fixture
def three(toys: Api) -> Three:
    return Three(toys)


def test_a_request_names_its_target_and_the_draws_it_crosses_and_waits_in_the_others_queues(three: Three) -> None:
    before = three.views()
    asked = ask(three.ada, three.table, three.start, expect=201).json
    assert (asked["number"], asked["status"], asked["version"]) == (1, "open", three.now)
    for view, caller in zip(three.views(), (*three.people, three.api.public()), strict=True):
        (proposal,) = view["proposals"]
        assert len(proposal.pop("draws")) == 1
        assert proposal == {
            "number": 1,
            "kind": "take_back",
            "seat": 0,
            "to": three.start,
            "absent": None,
            "waits_for": [1, 2],
            "answer": caller in (three.bob, three.cy),
        }
    assert [{**view, "proposals": []} for view in three.views()] == before, "nothing else has changed"
    assert three.waiting() == [[], [three.table], [three.table]]
    (entry,) = three.cy.get(f"/v1/tables/{three.table}/events?after={three.now}").json["items"]
    assert (entry["type"], entry["data"]["to"], len(entry["data"]["draws"])) == ("table.Proposed", three.start, 1)
    assert entry["text"]["en"]
    assert entry["text"]["de"]


def test_draws_are_numbered_as_the_record_counts_them(three: Three) -> None:
    record = three.api.context.tables.recorded(UUID(three.table))
    before = sum(event.draws for event in record if event.version <= three.start)
    asked = ask(three.ada, three.table, three.start, expect=201).json
    assert asked["view"]["proposals"][0]["draws"] == [before]
    nothing_crossed = ask(three.ada, three.table, three.rolled["version"], expect=201).json
    assert nothing_crossed["view"]["proposals"][1]["draws"] == []


def test_once_all_have_accepted_everything_is_as_at_the_first_visit(three: Three) -> None:
    ask(three.ada, three.table, three.start, expect=201)
    assert answer(three.bob, three.table, True, expect=201).json["status"] == "open"
    assert three.ada.view(three.table)["version"] == three.now
    done = answer(three.cy, three.table, True, expect=201).json
    assert done["status"] == "accepted"
    assert [event["type"] for event in done["events"]] == ["table.Answered", "table.Truncated"]
    for _ in ("from the stream", "from rows"):
        assert [position(view) for view in three.views()] == [position(view) for view in three.first]
        three.api.follow()
    assert three.waiting() == three.queues == [[three.table], [], []]
    for view in three.views():
        assert (view["version"], view["taken_back"]) == (done["version"], True)
    log = three.bob.get(f"/v1/tables/{three.table}/events").json["items"]
    cut = {entry["version"] for entry in log if entry["truncated_by"] == done["version"]}
    assert cut == set(range(three.start + 1, three.now + 1))
    audit = three.ada.get(f"/v1/tables/{three.table}/audit", expect=200).json
    assert audit["verified"], audit


def test_after_a_take_back_the_same_draw_falls_the_same(three: Three) -> None:
    ask(three.ada, three.table, three.start, expect=201)
    for each in (three.bob, three.cy):
        answer(each, three.table, True, expect=201)
    three.ada.act(three.table, mark(2), expect=201)
    again = three.ada.act(three.table, ROLL, expect=201).json["view"]
    assert again["state"]["points"][0] == three.rolled["state"]["points"][0] + 2


def test_one_refusal_ends_a_request_and_the_record_keeps_it(three: Three) -> None:
    before = three.views()
    ask(three.ada, three.table, three.start, expect=201)
    assert answer(three.bob, three.table, False, expect=201).json["status"] == "refused"
    assert three.views() == before
    assert three.waiting() == [[], [three.table], []], "Bob, whose turn it is"
    problem(answer(three.cy, three.table, True), "stale-version", 409)
    log = three.cy.get(f"/v1/tables/{three.table}/events?after={three.now}").json["items"]
    assert [entry["type"] for entry in log] == ["table.Proposed", "table.Answered"]
    assert three.views() == before


def test_a_request_dies_when_the_game_moves_on(three: Three) -> None:
    ask(three.ada, three.table, three.start, expect=201)
    answer(three.cy, three.table, True, expect=201)
    three.bob.act(three.table, ROLL, expect=201)
    before = three.views()
    assert all(view["proposals"] == [] for view in before)
    assert three.waiting() == [[], [three.table], []]
    document = problem(answer(three.bob, three.table, True), "stale-version", 409)
    assert document["version"] == three.bob.view(three.table)["version"]
    assert three.views() == before


def test_undone_and_provisional_steps_do_not_move_the_game_on_and_acceptance_cuts_them(three: Three) -> None:
    ask(three.ada, three.table, three.start, expect=201)
    three.bob.act(three.table, mark(), expect=201)
    three.bob.undo(three.table, expect=201)
    three.bob.act(three.table, mark(2), expect=201)
    assert three.ada.view(three.table)["proposals"][0]["waits_for"] == [1, 2]
    answer(three.bob, three.table, True, expect=201)
    assert answer(three.cy, three.table, True, expect=201).json["status"] == "accepted"
    assert [position(view) for view in three.views()] == [position(view) for view in three.first]
    problem(three.bob.undo(three.table), "not-your-turn", 409)


def test_moves_made_meanwhile_can_not_change_what_acceptance_does(three: Three) -> None:
    """A second request of the same position names another target; each does what it says, and one voids the other."""
    ask(three.ada, three.table, three.start, expect=201)
    ask(three.cy, three.table, three.rolled["version"], expect=201)
    for voter in (three.ada, three.bob):
        last = answer(voter, three.table, True, number=2, expect=201).json
    assert last["status"] == "accepted"
    assert position(three.ada.view(three.table)) == position(three.rolled)
    problem(answer(three.bob, three.table, True, number=1), "stale-version", 409)


def test_who_is_not_asked_can_not_answer(three: Three) -> None:
    ask(three.ada, three.table, three.start, expect=201)
    before = three.api.everything()
    problem(answer(three.ada, three.table, True), "forbidden", 403)
    problem(answer(three.api.public(), three.table, True), "unauthenticated", 401)
    problem(answer(three.api.player("Eve"), three.table, True), "forbidden", 403)
    problem(answer(three.bob, three.table, True, number=2), "not-found", 404)
    problem(answer(three.bob, three.table, True, number=0), "not-found", 404)
    problem(ask(three.api.player("Eve"), three.table, three.start), "forbidden", 403)
    problem(ask(three.api.public(), three.table, three.start), "unauthenticated", 401)
    after = three.api.everything()
    assert after["events"] == before["events"]
    assert after["commands"] == before["commands"]


def test_strangers_do_not_even_learn_of_a_private_tables_requests(toys: Api) -> None:
    ada, bob, eve = (toys.player(name) for name in ("Ada", "Bob", "Eve"))
    table = toys.table(ada, bob, game="dicey", private=True)
    start = ada.view(table)["version"]
    now = ada.act(table, END, expect=201).json["version"]
    ask(ada, table, start, expect=201)
    problem(answer(eve, table, True), "not-found", 404)
    problem(ask(eve, table, start, now), "not-found", 404)
    assert answer(bob, table, True, expect=201).json["status"] == "accepted"


def test_an_answer_counts_once_and_a_repeated_call_gets_the_first_answer(three: Three) -> None:
    first = ask(three.ada, three.table, three.start, key="ask", expect=201)
    given = answer(three.bob, three.table, True, key="yes", expect=201)
    problem(answer(three.bob, three.table, True), "stale-version", 409)
    problem(answer(three.bob, three.table, False), "stale-version", 409)
    problem(answer(three.bob, three.table, False, key="yes"), "idempotency-mismatch", 409)
    problem(ask(three.ada, three.table, three.rolled["version"], key="ask"), "idempotency-mismatch", 409)
    last = answer(three.cy, three.table, True, key="yes", expect=201)
    three.ada.act(three.table, ROLL, expect=201)
    three.ada.act(three.table, END, expect=201)
    versions, moved = three.api.versions(three.table), three.views()
    assert ask(three.ada, three.table, three.start, three.now, key="ask", expect=201).json == first.json
    assert answer(three.bob, three.table, True, key="yes", expect=201).json == given.json
    assert answer(three.cy, three.table, True, key="yes", expect=201).json == last.json
    assert three.api.versions(three.table) == versions
    assert three.views() == moved


def test_a_stale_request_and_a_bad_target_are_refused(three: Three) -> None:
    record = three.api.context.tables.recorded(UUID(three.table))
    begun = min(event.version for event in record if event.barrier)
    for version in (three.now - 1, three.now + 1, 0):
        document = problem(ask(three.ada, three.table, three.start, version), "stale-version", 409)
        assert document["version"] == three.now
    three.bob.act(three.table, mark(), expect=201)
    provisional = three.bob.view(three.table)["version"]
    problem(ask(three.bob, three.table, three.start, three.now), "stale-version", 409)
    for to in (three.now, provisional, provisional + 1, begun - 1, 0):
        document = problem(ask(three.bob, three.table, to), "invalid-request", 422)
        assert "to" in document["errors"]
    for to in (-1, None, "1", 1.5, True):
        problem(ask(three.ada, three.table, to), "invalid-request", 422)  # type: ignore[arg-type]
    for accept in (None, "true", 1):
        problem(answer(three.cy, three.table, accept), "invalid-request", 422)  # type: ignore[arg-type]


def test_a_request_may_also_go_forward_to_what_was_taken_back(three: Three) -> None:
    """Redo of a take-back: the tip that was cut is a version like any other."""
    tip = three.views()
    ask(three.ada, three.table, three.start, expect=201)
    for each in (three.bob, three.cy):
        answer(each, three.table, True, expect=201)
    asked = ask(three.ada, three.table, three.now, expect=201).json
    assert asked["view"]["proposals"][0]["draws"] == [], "no draw is crossed backwards"
    for each in (three.bob, three.cy):
        answer(each, three.table, True, number=2, expect=201)
    assert [position(view) for view in three.views()] == [position(view) for view in tip]
    assert three.ada.get(f"/v1/tables/{three.table}/audit").json["verified"]


def test_bots_refuse(toys: Api) -> None:
    ada, bob = toys.player("Ada"), toys.player("Bob")
    table = toys.table(ada, bob, game="dicey", seats=[ME, OPEN, bot()])
    start = ada.view(table)["version"]
    ada.act(table, END, expect=201)
    before = ada.view(table)
    assert ask(ada, table, start, expect=201).json["status"] == "refused"
    assert ada.view(table) == before
    problem(answer(bob, table, True), "stale-version", 409)


def test_at_a_casual_table_bots_are_not_asked(toys: Api) -> None:
    ada, bob = toys.player("Ada"), toys.player("Bob")
    table = toys.table(ada, bob, game="dicey", seats=[ME, OPEN, bot()], casual=True)
    start = ada.view(table)
    ada.act(table, END, expect=201)
    asked = ask(ada, table, start["version"], expect=201).json
    assert asked["view"]["proposals"][0]["waits_for"] == [1]
    assert answer(bob, table, True, expect=201).json["status"] == "accepted"
    assert position(ada.view(table)) == position(start)


def test_with_nobody_to_ask_it_is_done_at_once(toys: Api) -> None:
    ada = toys.player("Ada")
    table = toys.table(ada, game="dicey", seats=[ME, bot()], casual=True)
    start = ada.view(table)
    ada.act(table, ROLL, expect=201)
    done = ask(ada, table, start["version"], expect=201).json
    assert done["status"] == "accepted"
    assert position(done["view"]) == position(start)
    assert done["view"]["taken_back"]


def test_a_voter_or_asker_who_resigns_takes_the_request_along(three: Three) -> None:
    """A bot holds the seat then; it was not asked, and it would refuse."""
    ask(three.ada, three.table, three.start, expect=201)
    answer(three.bob, three.table, True, expect=201)
    three.cy.delete(f"/v1/tables/{three.table}/seats/me", expect=200)
    assert three.ada.view(three.table)["proposals"] == []
    assert ask(three.ada, three.table, three.start, expect=201).json["status"] == "refused"
    problem(answer(three.cy, three.table, True), "forbidden", 403)
    other = Three(three.api)
    ask(other.ada, other.table, other.start, expect=201)
    other.ada.delete(f"/v1/tables/{other.table}/seats/me", expect=200)
    assert other.bob.view(other.table)["proposals"] == []
    problem(answer(other.bob, other.table, True), "stale-version", 409)


def test_two_last_answers_at_once_take_back_once(three: Three) -> None:
    ask(three.ada, three.table, three.start, expect=201)
    answers: list[int] = []
    threads = [
        threading.Thread(target=lambda who=who: answers.append(answer(who, three.table, True).status_code))
        for who in (three.bob, three.cy)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [201, 201]
    log = [event.topic for event in three.api.context.tables.recorded(UUID(three.table))]
    assert log.count("table.Truncated") == 1
    assert [position(view) for view in three.views()] == [position(view) for view in three.first]


def finished(api: Api) -> Three:
    """A table played to its end, not scored yet; `now` is the version before Cy's last turn ended."""
    three = Three(api)
    while (view := three.ada.view(three.table))["status"] == "running":
        three.now = view["version"]
        three.people[view["to_act"][0]].act(three.table, END, expect=201)
    return three


def seal(api: Api, table: str) -> None:
    """Seal a scored game without waiting."""

    def decide(loaded: Table) -> list[Draft]:
        return play.seal(loaded, api.context.tables.server_seed(loaded.id))

    carry_out(api.context, UUID(table), Call("system", "system", "seal", [], None), decide)
    api.follow()


def test_an_end_can_be_taken_back_until_it_is_sealed(toys: Api) -> None:
    three = finished(toys)
    scoring.score(toys.context, UUID(three.table))
    toys.follow()
    path = f"/v1/tables/{three.table}/result"
    assert three.ada.get(path, expect=200).json["reason"] == "done"
    ask(three.ada, three.table, three.now, expect=201)
    assert three.table in turns(three.bob)
    for each in (three.bob, three.cy):
        answer(each, three.table, True, expect=201)
    assert three.ada.view(three.table)["status"] == "running"
    problem(three.ada.get(path), "not-found", 404)
    three.api.follow()
    assert three.bob.get(f"/v1/players/{three.bob.id}/results").json["items"] == []
    three.cy.act(three.table, mark(2), expect=201)
    three.cy.act(three.table, END, expect=201)
    scoring.score(toys.context, UUID(three.table))
    toys.follow()
    totals = [line["total"] for line in three.ada.get(path, expect=200).json["seats"]]
    assert totals[2] == 2
    (line,) = three.bob.get(f"/v1/players/{three.bob.id}/results").json["items"]
    assert line["counted"] is False, "with a take-back behind it"


def test_nothing_is_taken_back_of_a_table_that_is_open_sealed_or_given_up(toys: Api) -> None:
    ada, bob = toys.player("Ada"), toys.player("Bob")
    body = {"game": "dicey", "seats": [ME, OPEN]}
    waiting = ada.post("/v1/tables", body, expect=201).json["id"]
    problem(ask(ada, waiting, 1, 0), "table-not-running", 409)
    three = finished(toys)
    ask(three.ada, three.table, three.now, expect=201)
    scoring.score(toys.context, UUID(three.table))
    problem(answer(three.bob, three.table, True), "stale-version", 409)
    seal(toys, three.table)
    problem(ask(three.ada, three.table, three.now), "table-not-running", 409)
    problem(answer(three.bob, three.table, True), "table-not-running", 409)
    given_up = toys.table(ada, bob, game="dicey")
    start = ada.view(given_up)["version"]
    ada.act(given_up, END, expect=201)
    ask(ada, given_up, start, expect=201)
    toys.moderator().post(f"/v1/tables/{given_up}/abandon", {"reason": "enough"}, expect=201)
    problem(answer(bob, given_up, True), "table-not-running", 409)
    problem(ask(ada, given_up, start), "table-not-running", 409)
