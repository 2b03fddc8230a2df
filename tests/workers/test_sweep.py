"""The sweep repeats the hints of due work that nobody took up, and only those."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from infra import tasks
from tests.projections.world import World
from workers import bots, sweep
from workers.tasks import RUN

Sent = list[tuple[str, UUID]]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """What was sent to a broker that takes everything."""
    found: Sent = []

    def send(name: str, **ids: Any) -> bool:
        found.append((name, ids["table"]))
        return True

    monkeypatch.setattr(tasks, "send", send)
    return found


def later(world: World, seconds: float) -> Any:
    return replace(world.context, now=lambda: world.context.now() + timedelta(seconds=seconds))


def test_work_that_nobody_took_up_is_hinted_again_until_it_is_done(world: World, sent: Sent) -> None:
    table_id = world.open(1, ["random"], start_seat=1)
    world.follow()
    sent.clear()
    assert sweep.sweep(world.context) == 0, "it is left to its first hint for a moment"
    assert sweep.sweep(later(world, 60)) == 1
    assert sweep.sweep(later(world, 120)) == 1
    assert sent == [("turnkeeper.bot", table_id)] * 2
    bots.play_on(world.context, table_id)
    world.follow()
    assert sweep.sweep(later(world, 180)) == 0


def test_every_kind_of_work_has_a_task(world: World, sent: Sent) -> None:
    table_id = world.open(0, ["random", "random"], game="sudden")
    for name in ("turnkeeper.bot", "turnkeeper.score", "turnkeeper.seal"):
        world.follow()
        sent.clear()
        assert sweep.sweep(later(world, 60)) == 1
        assert sent == [(name, table_id)]
        if name == "turnkeeper.bot":
            bots.play_on(world.context, table_id)
        else:
            RUN[name](replace(world.context, settings=replace(world.settings, seal_after=SEAL[name])), table_id)
    world.follow()
    assert sweep.sweep(later(world, 60)) == 0


SEAL = {"turnkeeper.score": 3600.0, "turnkeeper.seal": 0.0}


def test_without_a_broker_the_sweep_stops_at_once_and_the_work_waits(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def away(name: str, **_: Any) -> bool:
        tried.append(name)
        return False

    monkeypatch.setattr(tasks, "send", away)
    tables = [world.open(1, ["random"], start_seat=1) for _ in range(3)]
    world.follow()
    tried.clear()
    assert sweep.sweep(later(world, 60)) == 0
    assert tried == ["turnkeeper.bot"]
    assert [world.work(each) for each in tables] == [[("bot", 1)]] * 3


def test_the_follower_hints_new_work_once_and_not_what_a_worker_goes_on_with(world: World, sent: Sent) -> None:
    table_id = world.open(1, ["random", "random"], start_seat=0)
    world.follow()
    assert sent == []
    world.end_turn(table_id)
    world.follow()
    assert sent == [("turnkeeper.bot", table_id)]
    while bots.bots_to_act(world.table(table_id)):
        table = world.table(table_id)
        bots.decide_once(world.context, table, *bots.bots_to_act(table)[0])
        world.follow()
    assert sent == [("turnkeeper.bot", table_id)]
    world.resign(table_id, 0)
    world.follow()
    assert sent == [("turnkeeper.bot", table_id)] * 2
