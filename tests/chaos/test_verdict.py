"""The verdict over a run is worth something only if it notices what does not hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import pytest

from services import seats, turns
from tests.chaos import verdict
from tests.chaos.crowd import Promise
from tests.projections.world import World, world_over
from workers import bots, scoring


@dataclass
class Played:
    """A finished game of a person and a bot, and what the person was told."""

    world: World
    table_id: UUID
    crowd: Any

    def check(self) -> dict[str, int]:
        self.world.follower.disconnect()  # a rebuild takes its partitions over
        return verdict.check(self.world.context, self.crowd)


@pytest.fixture
def played(database_url: str) -> Iterator[Played]:
    with world_over(database_url) as world:
        player, key = world.player(), uuid4().hex
        wish = {
            "game": "roeko",
            "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}],
            "options": {},
            "private": False,
            "casual": False,
            "start_seat": 0,
            "start": "auto",
            "entropy": "",
        }
        table_id = seats.open_table(world.context, player, wish, key)[0].table.id
        promises = [Promise(str(table_id), str(player.id), key, (), None)]
        while world.table(table_id).status == "running":
            while world.to_act(table_id) == (0,):
                key, action = uuid4().hex, world.legal(table_id, 0)[-1]
                version = world.table(table_id).seen_by(0).version
                outcome = turns.act(world.context, player, table_id, version=version, action=action, key=key)
                versions = tuple(event.version for event in outcome.events)
                promises.append(Promise(str(table_id), str(player.id), key, versions, action))
            bots.play_on(world.context, table_id)
        scoring.finish(world.context, table_id)
        world.follow()
        people = [SimpleNamespace(id=str(player.id))]
        yield Played(
            world, table_id, SimpleNamespace(promises=promises, refused=[], tables=[str(table_id)], people=people)
        )


def test_a_game_that_went_well_passes(played: Played) -> None:
    assert verdict.unfinished(played.world.context) == 0
    counts = played.check()
    assert counts["confirmed"] == len(played.crowd.promises)
    assert counts["bots' moves"] > 5


def test_a_confirmed_action_that_is_not_recorded_is_noticed(played: Played) -> None:
    played.crowd.promises.append(replace(played.crowd.promises[-1], key=uuid4().hex))
    with pytest.raises(AssertionError, match="not recorded"):
        played.check()


def test_an_action_that_was_recorded_but_never_confirmed_is_noticed(played: Played) -> None:
    played.crowd.promises.pop()
    with pytest.raises(AssertionError, match="not confirmed"):
        played.check()


def test_a_refused_action_that_was_recorded_is_noticed(played: Played) -> None:
    played.crowd.refused.append((played.crowd.promises[-1].player, played.crowd.promises[-1].key))
    with pytest.raises(AssertionError, match="refused, but recorded"):
        played.check()


def test_a_row_that_is_not_what_the_record_says_is_noticed(played: Played) -> None:
    played.world.context.database.execute("UPDATE results SET total = total + 1 WHERE seat = 1")
    with pytest.raises(AssertionError, match="rows of results differ"):
        played.check()


def test_a_bot_that_moved_twice_at_a_position_is_noticed(played: Played) -> None:
    events = played.world.context.tables.recorded(played.table_id)
    place = next(n for n, event in enumerate(events) if event.by.startswith("bot:") and event.action is not None)
    undone = [*events[: place + 1], events[place]]
    with pytest.raises(Exception, match=r"moved twice|follows version"):
        verdict._bots_moved_once(played.world.context, played.table_id, undone)


def test_a_game_that_has_not_ended_is_counted(played: Played) -> None:
    played.world.open(2)
    played.world.follow()
    assert verdict.unfinished(played.world.context) > 0
