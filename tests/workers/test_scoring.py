"""After the end: scored once, sealed once and not before its time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from celery import Celery

from domain.chance import commitment
from domain.desk import Truncated
from domain.proposals import abandon
from domain.record import Draft
from services.commands import Call, carry_out
from services.context import connect
from tests.projections import oracle
from tests.projections.world import World
from workers import bots, scoring
from workers.tasks import RUN, register


def topics(world: World, table_id: UUID) -> list[str]:
    return [event.topic for event in world.context.tables.recorded(table_id)]


def ended(world: World, **wish: Any) -> UUID:
    table_id = world.open(0, ["random", "random"], game="sudden", **wish)
    bots.play_on(world.context, table_id)
    assert world.table(table_id).status == "finished"
    return table_id


def test_an_ended_game_is_scored_then_sealed(world: World) -> None:
    table_id = ended(world)
    scoring.finish(world.context, table_id)
    assert topics(world, table_id)[-3:] == ["table.Ended", "table.Scored", "table.Sealed"]
    desk = world.folded(table_id).desk
    assert desk is not None
    assert desk.server_seed is not None
    assert commitment(bytes.fromhex(desk.server_seed)) == desk.commitment


def test_scoring_and_sealing_twice_or_at_once_happens_once(world: World) -> None:
    table_id = ended(world)
    contexts = [connect(world.settings, world.context.games) for _ in range(4)]
    with ThreadPoolExecutor(len(contexts)) as pool:
        list(pool.map(lambda context: scoring.finish(context, table_id), contexts))
    for context in contexts:
        scoring.finish(context, table_id)
        context.database.close()
    assert topics(world, table_id).count("table.Scored") == 1
    assert topics(world, table_id).count("table.Sealed") == 1


@pytest.mark.parametrize("name", RUN)
def test_a_hint_for_a_table_that_does_not_exist_is_dropped(world: World, name: str) -> None:
    app = Celery("test", set_as_current=False)
    register(app, lambda: world.context)
    app.tasks[name].run(table=str(uuid4()))


def test_an_abandoned_game_is_sealed_without_a_score(world: World) -> None:
    table_id = world.open(2)
    carry_out(
        world.context, table_id, Call("m", "moderator:m", "abandon", ""), lambda table: abandon(table, "moderation")
    )
    world.follow()
    assert world.work(table_id) == [("seal", -1)]
    scoring.finish(world.context, table_id)
    assert topics(world, table_id)[-2:] == ["table.Abandoned", "table.Sealed"]
    world.follow()
    assert world.work(table_id) == []
    oracle.check(world, table_id)


def test_a_running_game_is_neither_scored_nor_sealed(world: World) -> None:
    table_id = world.open(2)
    head = world.table(table_id).version
    scoring.finish(world.context, table_id)
    assert world.table(table_id).version == head


def test_the_seal_waits_for_its_time(make_world: Any) -> None:
    with make_world(seal_after=3600.0) as world:
        table_id = ended(world)
        scoring.finish(world.context, table_id)
        assert topics(world, table_id)[-1] == "table.Scored"
        scored_at = world.table(table_id).settled.at
        world.follow()
        row = world.context.database.query("SELECT kind, due FROM work WHERE table_id = %s", (table_id,))[0]
        assert (row["kind"], row["due"]) == ("seal", scored_at + timedelta(hours=1))
        early = replace(world.context, now=lambda: scored_at + timedelta(minutes=59))
        scoring.seal(early, table_id)
        assert topics(world, table_id)[-1] == "table.Scored"
        late = replace(world.context, now=lambda: scored_at + timedelta(minutes=61))
        scoring.seal(late, table_id)
        assert topics(world, table_id)[-1] == "table.Sealed"
        world.follow()
        assert world.work(table_id) == []


def test_a_game_taken_back_over_its_end_is_scored_anew_when_it_ends_again(make_world: Any) -> None:
    with make_world(seal_after=3600.0) as world:
        table_id = world.open(0, ["random", "random"], game="dicey")
        start = world.table(table_id).version
        bots.play_on(world.context, table_id)
        scoring.score(world.context, table_id)
        draft = Draft(Truncated(to=start, reason="moderation"), action={"type": "moderation"}, barrier=True)
        carry_out(world.context, table_id, Call("m", "moderator:m", "truncate", start), lambda table: [draft])
        world.follow()
        assert world.rows("results")["results"] == []
        assert [kind for kind, _ in world.work(table_id)] == ["bot"]
        bots.play_on(world.context, table_id)
        scoring.finish(world.context, table_id)
        assert topics(world, table_id).count("table.Scored") == 2
        world.follow()
        assert [row["counted"] for row in world.rows("results")["results"]] == [False, False]
