"""The whole games of this folder: a second scorer confirms each result, and together they show every end and every
fact. How they were made is in `make.py`; that they replay to their results is tested for all games in one place."""

from __future__ import annotations

import pytest

from domain.games.roeko.facts import FACTS
from tests.domain.games.roeko.scorer import score
from tests.scenarios.replay import SCENARIOS, load, replay, without_undone

NAMES = [name for name in SCENARIOS if name.startswith("roeko/")]
GAMES = {name: load(name) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_a_second_scorer_confirms_the_result(name: str) -> None:
    played = replay(GAMES[name])
    expected = {line: GAMES[name]["result"][line] for line in ("totals", "ranks", "tie_break")}
    assert score(played.rules.view(played.state, None)) == expected


def test_the_games_show_every_end_and_every_way_of_ranking() -> None:
    results = [game["result"] for game in GAMES.values()]
    assert {result["reason"] for result in results} == {"last_reward", "nobody_can_move"}
    assert {result["tie_break"] for result in results} == {None, "fewer_illegal"}
    assert any(result["ranks"].count(1) > 1 for result in results)


def test_the_games_show_every_fact() -> None:
    facts = {event.topic for game in GAMES.values() for event in replay(game).events}
    assert {cls.TOPIC for cls in FACTS} <= facts


@pytest.mark.parametrize("name", [name for name in NAMES if "thinking-again" in name])
def test_undone_steps_leave_no_trace_in_the_result(name: str) -> None:
    """The game without its undone steps: the same facts stand, the same luck is met."""
    game = GAMES[name]
    kept = without_undone(game["actions"])
    assert not any(action["type"] in ("undo", "redo") for _, action in kept)
    assert replay(game | {"actions": kept}).state == replay(game).state
