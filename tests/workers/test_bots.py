"""Bots' turns: once each, whoever asks how often, and never stuck on a bot that fails."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier
from typing import Any

import pytest
from structlog.testing import capture_logs

from domain.game import Action, Position
from domain.registry import GAMES
from services.context import connect
from tests.projections.world import World
from tests.workers.conftest import Hesitant
from workers import bots


def by_whom(world: World, table_id: Any, after: int) -> list[str]:
    return [event.by for event in world.context.tables.recorded(table_id, after)]


def test_bots_play_until_a_person_is_to_act(world: World) -> None:
    table_id = world.open(1, ["random", "automa"], start_seat=1)
    head = world.table(table_id).version
    assert bots.play_on(world.context, table_id) is False
    assert world.to_act(table_id) == (0,)
    assert set(by_whom(world, table_id, head)) == {"bot:random", "bot:automa"}


def test_bots_play_a_game_among_themselves_to_its_end(world: World) -> None:
    table_id = world.open(0, ["automa", "random"])
    bots.play_on(world.context, table_id)
    assert world.table(table_id).status == "finished"


def test_a_bot_does_nothing_unless_its_seat_has_to_act(world: World) -> None:
    table_id = world.open(1, ["random"], start_seat=0)
    head = world.table(table_id).version
    bots.play_on(world.context, table_id)
    assert world.table(table_id).version == head


def test_a_person_may_undo_without_a_bot_moving_in_between(world: World) -> None:
    table_id = world.open(1, ["random"], start_seat=0)
    action = world.provisional(table_id, 0)
    assert action is not None
    world.act(table_id, 0, action)
    bots.play_on(world.context, table_id)
    world.undo(table_id, 0)
    assert world.to_act(table_id) == (0,)


def test_a_task_run_twice_moves_once(world: World) -> None:
    table_id = world.open(1, ["random"], start_seat=1)
    table = world.table(table_id)
    assert bots.decide_once(world.context, table, 1, "random")
    after = world.table(table_id).version
    assert not bots.decide_once(world.context, table, 1, "random"), "the position has passed"
    assert world.table(table_id).version == after


def test_tasks_run_at_once_in_several_processes_move_once(world: World) -> None:
    table_id = world.open(0, ["random", "random", "random"], game="dicey")
    contexts = [connect(world.settings, world.context.games) for _ in range(4)]
    start = Barrier(len(contexts))

    def run(context: Any) -> None:
        start.wait()
        while context.tables.load(table_id).status == "running":
            bots.play_on(context, table_id)

    with ThreadPoolExecutor(len(contexts)) as pool:
        list(pool.map(run, contexts))
    for context in contexts:
        context.database.close()
    events = world.context.tables.recorded(table_id)
    commands = [event for event in events if event.action is not None and event.by == "bot:random"]
    assert len({event.command for event in commands}) == len(commands)
    assert world.folded(table_id).status == "finished"
    alone = world.open(0, ["random", "random", "random"], game="dicey")
    bots.play_on(world.context, alone)
    assert world.table(alone).status == "finished"


def test_a_decision_is_the_same_whoever_takes_it(world: World) -> None:
    table_id = world.open(0, ["random", "random"])
    table = world.table(table_id)
    seed = world.context.tables.server_seed(table_id)
    seat = world.to_act(table_id)[0]
    drafts = [bots._decision(world.context, table, seat, "random") for _ in range(3)]
    assert drafts[0] == drafts[1] == drafts[2]
    first = bots.rng_for(seed, table.play.version, seat)
    assert bots.rng_for(seed, table.play.version, seat).random() == first.random()
    draws = {bots.rng_for(seed, version, seat).random() for version in range(20)}
    assert len(draws) == 20, "another position, other luck"


def test_a_bot_is_told_what_its_seats_view_shows_and_nothing_else(world: World) -> None:
    table_id = world.open(1, ["random", "random"], start_seat=1)
    table = world.table(table_id)
    assert table.rules is not None
    position = bots.position_of(table, 1)
    assert position.state == json.loads(json.dumps(table.rules.view(table.play.state, 1)))
    assert list(position.actions) == json.loads(json.dumps(table.rules.legal_actions(table.play.state, 1)))
    assert [seat["hand"] is None for seat in position.state["seats"]] == [True, False, True]
    told = {"seat", "seats", "options", "state", "knowledge", "actions", "data"}
    assert set(Position.__dataclass_fields__) == told, "whatever is added must be public, or the seat's own"


def test_a_bot_that_spoils_what_it_is_told_spoils_nothing(world: World) -> None:
    def spoiling(position: Position, rng: Random, /) -> Action:
        action = dict(position.actions[0])
        for each in position.actions:
            each["type"] = "spoilt"  # type: ignore[index]
        position.state["seats"].clear()
        return action

    world.context.games["roeko"].bots["spoiling"] = spoiling  # type: ignore[index]
    table_id = world.open(1, ["spoiling"], start_seat=1)
    bots.play_on(world.context, table_id)
    assert world.to_act(table_id) == (0,)
    assert world.folded(table_id).play.state == world.table(table_id).play.state


@pytest.mark.parametrize("name", ["raising", "cheating"])
def test_a_bot_that_fails_repeatedly_plays_its_first_legal_action_on_record(world: World, name: str) -> None:
    table_id = world.open(1, [name], start_seat=1)
    head = world.table(table_id).version
    first = world.legal(table_id, 1)[0]
    with capture_logs():
        assert bots.decide_once(world.context, world.table(table_id), 1, name)
    events = world.context.tables.recorded(table_id, head)
    assert events[0].topic == "table.BotFailed"
    assert (events[0].fact.seat, events[0].fact.bot, events[0].fact.attempts) == (1, name, bots.ATTEMPTS)
    assert events[1].action == first
    with capture_logs():
        bots.play_on(world.context, table_id)
    assert world.to_act(table_id) == (0,), "the game goes on"


def test_a_bot_is_asked_again_before_it_counts_as_failed(world: World) -> None:
    hesitant = world.context.games["roeko"].bots["hesitant"]
    assert isinstance(hesitant, Hesitant)
    hesitant.asked = 0
    table_id = world.open(1, ["hesitant"], start_seat=1)
    head = world.table(table_id).version
    with capture_logs():
        assert bots.decide_once(world.context, world.table(table_id), 1, "hesitant")
    assert hesitant.asked == bots.ATTEMPTS
    assert "table.BotFailed" not in [event.topic for event in world.context.tables.recorded(table_id, head)]


def test_a_resigned_seat_is_played_on_by_its_bot(world: World) -> None:
    table_id = world.open(2, start_seat=0)
    world.resign(table_id, 0)
    bots.play_on(world.context, table_id)
    assert world.to_act(table_id) == (1,)
    world.resign(table_id, 1)
    bots.play_on(world.context, table_id)
    assert world.table(table_id).status == "finished"


def test_a_task_that_would_take_too_long_says_that_there_is_more_to_do(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "DECISIONS", 3)
    table_id = world.open(0, ["random", "random"])
    assert bots.play_on(world.context, table_id) is True
    assert world.table(table_id).status == "running"


@pytest.mark.parametrize(("game", "bot"), [(game.key, bot) for game in GAMES.values() for bot in game.bots])
def test_every_bot_of_every_game_plays_from_what_it_is_told_without_failing(world: World, game: str, bot: str) -> None:
    table_id = world.open(0, [bot] * GAMES[game].seats[0], game=game)
    for _ in range(40):
        table = world.table(table_id)
        for seat, name in bots.bots_to_act(table)[:1]:
            assert bots.decide_once(world.context, table, seat, name)
    assert "table.BotFailed" not in {event.topic for event in world.context.tables.recorded(table_id)}
