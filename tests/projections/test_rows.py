"""Rows equal what the domain alone says of the record, after every command."""

from __future__ import annotations

from random import Random
from typing import Any
from uuid import UUID

import pytest

from domain import proposals
from projections import read
from services.commands import Call, carry_out
from tests.projections import oracle
from tests.projections.world import World
from workers import bots, scoring


def play_and_check(world: World, table_id: UUID, rng: Random, commands: int, *, resigns_at: int = -1) -> None:
    """Random commands, each followed and checked; bots answer in between."""
    for number in range(commands):
        if not world.to_act(table_id):
            return
        if number == resigns_at:
            people = [seat for seat in range(5) if _is_person(world, table_id, seat)]
            if len(people) > 1:
                world.resign(table_id, rng.choice(people))
                world.follow()
                oracle.check(world, table_id)
        if any(_is_person(world, table_id, seat) for seat in world.to_act(table_id)):
            world.random_command(table_id, rng)
        else:
            table = world.table(table_id)
            seat = world.to_act(table_id)[0]
            assert table.desk is not None
            assert bots.decide_once(world.context, table, seat, table.desk.seats[seat].bot or "")
        world.follow()
        oracle.check(world, table_id)


def _is_person(world: World, table_id: UUID, seat: int) -> bool:
    desk = world.table(table_id).desk
    return desk is not None and seat < len(desk.seats) and desk.seats[seat].kind == "human"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_rows_equal_the_domains_views_after_every_command_of_random_roeko(shared: World, seats: int) -> None:
    seed = 7000 + seats
    print(f"seed {seed}: pytest tests/projections/test_rows.py -k 'roeko and {seats}'")
    table_id = shared.open(seats)
    shared.follow()
    oracle.check(shared, table_id)
    play_and_check(shared, table_id, Random(seed), 45)


@pytest.mark.parametrize("game", ["veiled", "parry", "dicey", "sudden"])
def test_rows_equal_the_domains_views_in_games_that_stress_the_contract(shared: World, game: str) -> None:
    table_id = shared.open(2, ["random"], game=game)
    shared.follow()
    oracle.check(shared, table_id)
    play_and_check(shared, table_id, Random(f"rows of {game}"), 40, resigns_at=15)


def test_rows_equal_the_domains_views_when_people_resign_and_bots_play_on(shared: World) -> None:
    table_id = shared.open(3)
    play_and_check(shared, table_id, Random(41), 30, resigns_at=6)


def test_rows_equal_the_domains_views_through_agreed_take_backs_corrections_and_giving_up(shared: World) -> None:
    table_id = shared.open(3, game="veiled", casual=True)
    rng = Random("take-backs")
    for _ in range(12):
        play_and_check(shared, table_id, rng, 4)
        agree_on_a_take_back(shared, table_id, rng)
        shared.follow()
        oracle.check(shared, table_id)
    table = shared.table(table_id)
    assert table.settled.taken_back
    decided(
        shared, table_id, lambda table: proposals.truncate(table, table.settled.version - 1, "test", lambda v: True)
    )
    shared.follow()
    oracle.check(shared, table_id)
    decided(shared, table_id, lambda table: proposals.abandon(table, "moderation"))
    shared.follow()
    oracle.check(shared, table_id)
    listed = read.lobby_row(shared.context.database, table_id)
    assert listed is not None
    assert (listed.status, listed.body["to_act"], listed.body["result"]) == ("finished", [], None)


def decided(world: World, table_id: UUID, decide: Any) -> None:
    """Append what is decided, by nobody in particular."""
    carry_out(world.context, table_id, Call("test", "system", "test", {}), decide)


def agree_on_a_take_back(world: World, table_id: UUID, rng: Random) -> None:
    """Some seat asks for an earlier barrier; the rows must show the open request; all others accept, or one refuses."""
    table = world.table(table_id)
    barriers = [event.version for event in world.context.tables.recorded(table_id) if event.barrier]
    earlier = [version for version in barriers if version < table.settled.version]
    if not earlier or table.status != "running":
        return
    to, seat = rng.choice(earlier), rng.randrange(3)
    at = lambda version: world.context.tables.load_at(table_id, version).play  # noqa: E731
    decided(world, table_id, lambda table: proposals.take_back(table, seat, to, lambda v: v in barriers, at))
    for voter in [n for n in range(3) if n != seat]:
        world.follow()
        oracle.check(world, table_id)
        table = world.table(table_id)
        assert table.desk is not None
        asked = table.desk.proposals[-1]
        if voter not in proposals.waiting(table, asked):
            return
        accept, number = rng.random() < 0.8, asked.asked.number
        decided(world, table_id, lambda table, v=voter, a=accept, n=number: proposals.answer(table, v, n, a))


def test_a_table_waits_in_the_lobby_until_its_seats_are_taken(world: World) -> None:
    table_id = world.open(1, ["automa"], start="manual")
    world.follow()
    oracle.check(world, table_id)
    listed = read.lobby_row(world.context.database, table_id)
    assert listed is not None
    assert listed.status == "open"
    assert listed.body["to_act"] == []
    assert listed.body["turn"] == 0
    shown = read.view_row(world.context.database, table_id, None)
    assert shown is not None
    assert b'"state":{}' in shown.body


def test_the_rows_of_others_do_not_move_with_provisional_steps(world: World) -> None:
    table_id = world.open(3)
    world.follow()
    before = world.rows("lobby", "views")
    seat = world.to_act(table_id)[0]
    action = world.provisional(table_id, seat)
    assert action is not None
    world.act(table_id, seat, action)
    world.follow()
    after = world.rows("lobby", "views")
    assert [row for row in after["views"] if row["viewer"] != seat] == [
        row for row in before["views"] if row["viewer"] != seat
    ]
    assert [row for row in after["views"] if row["viewer"] == seat] != [
        row for row in before["views"] if row["viewer"] == seat
    ]
    hidden = {"holder", "recorded"}  # never shown: they say who may read on, and how far the rows have come
    assert {name for name, value in after["lobby"][0].items() if value != before["lobby"][0][name]} == hidden


def test_work_appears_and_goes_with_the_record(world: World) -> None:
    table_id = world.open(2, ["automa"], start_seat=0)
    world.follow()
    assert world.work(table_id) == []
    action = world.provisional(table_id, 0)
    assert action is not None
    world.act(table_id, 0, action)
    world.undo(table_id, 0)
    world.follow()
    assert world.work(table_id) == [], "a person's undo wants no bot"
    world.end_turn(table_id)
    world.end_turn(table_id)
    world.follow()
    assert world.work(table_id) == [("bot", 2)]
    bots.play_on(world.context, table_id)
    world.follow()
    assert world.work(table_id) == []
    world.resign(table_id, 0)
    world.follow()
    assert world.work(table_id) == [("bot", 0)]


def test_a_resigning_holders_hidden_steps_are_cut_and_its_bot_is_wanted(world: World) -> None:
    table_id = world.open(2, start_seat=0)
    action = world.provisional(table_id, 0)
    assert action is not None
    world.act(table_id, 0, action)
    world.follow()
    world.resign(table_id, 0)
    world.follow()
    oracle.check(world, table_id)
    assert world.work(table_id) == [("bot", 0)]


def test_a_finished_game_wants_its_score_then_its_seal_then_nothing(world: World) -> None:
    table_id = world.open(0, ["random", "random"])
    bots.play_on(world.context, table_id)
    world.follow()
    oracle.check(world, table_id)
    assert world.work(table_id) == [("score", -1)]
    assert read.result(world.context.database, table_id) is None
    scoring.score(world.context, table_id)
    world.follow()
    oracle.check(world, table_id)
    assert world.work(table_id) == [("seal", -1)]
    scoring.seal(world.context, table_id)
    world.follow()
    oracle.check(world, table_id)
    assert world.work(table_id) == []


def test_results_are_those_of_the_recorded_sheet_with_who_sat_where(world: World) -> None:
    table_id = world.open(1, ["random"], start_seat=0)
    player = world.person_at(table_id, 0)
    assert player is not None
    rng = Random(5)
    while world.to_act(table_id):
        if world.to_act(table_id) == (0,):
            world.act(table_id, 0, rng.choice(world.legal(table_id, 0)))
        else:
            bots.play_on(world.context, table_id)
    scoring.finish(world.context, table_id)
    world.follow()
    table = world.folded(table_id)
    assert table.rules is not None
    sheet = table.rules.score(table.settled.state)
    rows = world.context.database.query("SELECT * FROM results WHERE table_id = %s ORDER BY seat", (table_id,))
    assert [(row["seat"], row["total"], row["rank"]) for row in rows] == [
        (line.seat, line.total, line.rank) for line in sheet.seats
    ]
    assert [(row["player"], row["bot"]) for row in rows] == [(player.id, None), (None, "random")]
    assert all(row["counted"] for row in rows)
    mine = read.results_of(world.context.database, player.id)
    assert [row["table_id"] for row in mine] == [table_id]


def test_a_casual_table_is_not_counted(world: World) -> None:
    table_id = world.open(0, ["random", "random"], casual=True)
    bots.play_on(world.context, table_id)
    scoring.finish(world.context, table_id)
    world.follow()
    rows = world.context.database.query("SELECT counted FROM results WHERE table_id = %s", (table_id,))
    assert [row["counted"] for row in rows] == [False, False]
