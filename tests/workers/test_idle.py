"""The idle rule: warned, then closed, on record; whoever acts in time loses nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from services.context import connect
from tests.projections import oracle
from tests.projections.world import World
from workers import idle


def after(world: World, days: float) -> Any:
    """The context as it will be so many days from now."""
    now = world.context.now() + timedelta(days=days)
    return replace(world.context, now=lambda: now)


def topics(world: World, table_id: UUID) -> list[str]:
    return [event.topic for event in world.context.tables.recorded(table_id)]


def look(world: World, days: float) -> int:
    world.follow()
    found = idle.look(after(world, days))
    world.follow()
    return found


def test_a_table_that_waits_for_a_person_is_warned_then_closed_on_record(world: World) -> None:
    table_id = world.open(2)
    assert look(world, 23) == 0
    assert look(world, 25) == 1
    warned = world.context.tables.recorded(table_id)[-1]
    assert (warned.topic, warned.by) == ("table.Warned", "clock")
    assert warned.fact.seats == world.to_act(table_id)
    assert look(world, 29) == 0
    assert look(world, 32) == 1
    closed = world.context.tables.recorded(table_id)[-1]
    assert (closed.topic, closed.by, closed.fact.reason) == ("table.Abandoned", "clock", "idle")
    assert world.table(table_id).status == "finished"
    assert look(world, 100) == 0
    oracle.check(world, table_id)


def test_a_table_is_warned_once_at_a_position_and_again_at_a_later_one(world: World) -> None:
    table_id = world.open(2)
    assert look(world, 25) == 1
    assert look(world, 26) == 0
    world.act(table_id, world.to_act(table_id)[0], world.legal(table_id, world.to_act(table_id)[0])[0])
    assert look(world, 23) == 0
    assert look(world, 26) == 1
    assert topics(world, table_id).count("table.Warned") == 2


def test_days_without_a_sweep_cost_nobody_a_seat(world: World) -> None:
    table_id = world.open(2)
    assert look(world, 90) == 1
    assert topics(world, table_id)[-1] == "table.Warned", "closed only some time after a warning"
    assert look(world, 95) == 0
    assert look(world, 97) == 1
    assert topics(world, table_id)[-1] == "table.Abandoned"


def test_a_holders_hidden_steps_are_cut_when_its_table_is_closed(world: World) -> None:
    table_id = world.open(2, game="veiled", start_seat=0)
    world.act(table_id, 0, {"type": "draw"})
    look(world, 25)
    look(world, 40)
    assert topics(world, table_id)[-2:] == ["table.Abandoned", "table.Truncated"]
    assert world.table(table_id).holder is None
    oracle.check(world, table_id)


def test_nobody_is_warned_while_only_bots_are_to_act(world: World) -> None:
    table_id = world.open(1, ["random"], start_seat=1)
    assert look(world, 400) == 0
    assert world.table(table_id).status == "running"


def test_a_table_that_never_started_is_closed(world: World) -> None:
    table_id = world.open(1, ["random"], start="manual")
    assert look(world, 29) == 0
    assert look(world, 31) == 1
    assert topics(world, table_id)[-1] == "table.Abandoned"
    assert world.table(table_id).status == "finished"
    oracle.check(world, table_id)


def test_two_sweeps_at_once_warn_once(world: World) -> None:
    table_id = world.open(2)
    world.follow()
    later, other = after(world, 25), connect(world.settings, world.context.games)
    contexts = [later, replace(other, now=later.now)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(idle.look, contexts))
    other.database.close()
    assert topics(world, table_id).count("table.Warned") == 1


def test_a_table_that_cannot_be_read_keeps_nobody_from_the_others(world: World, monkeypatch: Any) -> None:
    tables = sorted([world.open(2), world.open(2)])
    world.follow()
    load = world.context.tables.load

    def broken(table_id: UUID) -> Any:
        if table_id == tables[0]:
            raise ValueError("a record that breaks")
        return load(table_id)

    monkeypatch.setattr(world.context.tables, "load", broken)
    assert idle.look(after(world, 25)) == 1
    assert [topics(world, each).count("table.Warned") for each in tables] == [0, 1]
