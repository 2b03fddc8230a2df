"""The whole games of this folder: each replays to its result, which a second scorer confirms, and together they
complete every work and show every number of seats, option and end. `make.py` says how they were made."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from domain.games.mottainai import GAME
from domain.games.mottainai.cards import KEYS
from domain.games.mottainai.facts import FACTS
from tests.domain.games.mottainai.scorer import score
from tests.scenarios.mottainai.make import REDO, UNDO, Playing

GAMES = {path.stem: json.loads(path.read_text()) for path in sorted(Path(__file__).parent.glob("*.json"))}


@cache
def replay(name: str) -> Playing:
    """The game played again from its seed; every action must be listed, every undo possible."""
    game = GAMES[name]
    playing = Playing(game["seats"], game["options"], int(game["seed"], 16))
    assert playing.state.start == game["start_seat"]
    cut: list[Any] = []
    for seat, action in game["actions"]:
        assert seat == playing.state.active
        if action == UNDO:
            cut.append((playing.state, playing.steps))
            playing.state, playing.steps = playing.steps[-1], playing.steps[:-1]
        elif action == REDO:
            playing.state, playing.steps = cut.pop()
        else:
            assert action in playing.rules.legal_actions(playing.state, seat)
            playing.act(action)
            cut = []
    return playing


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_replays_to_its_result_which_a_second_scorer_confirms(name: str) -> None:
    played, result = replay(name), GAMES[name]["result"]
    sheet = played.rules.score(played.state)
    assert score(played.state, played.options["teams"]) == result
    assert {
        "reason": sheet.reason,
        "totals": [line.total for line in sheet.seats],
        "ranks": [line.rank for line in sheet.seats],
        "tie_break": sheet.tie_break,
    } == result


def test_the_games_complete_every_work() -> None:
    assert set().union(*(replay(name).completed for name in GAMES)) == set(KEYS)


def test_the_games_show_every_number_of_seats_option_and_end() -> None:
    assert len(GAMES) >= 12
    assert {game["seats"] for game in GAMES.values()} == set(GAME.seats)
    assert {game["result"]["reason"] for game in GAMES.values()} == {"wing", "deck", "cup", "turtle", "round_limit"}
    assert {game["result"]["tie_break"] for game in GAMES.values()} == {None, "turn_order"}
    options = {(game["seats"], game["options"]["long"], game["options"]["teams"]) for game in GAMES.values()}
    assert {(2, False, False), (2, True, False), (4, False, False), (4, True, True), (5, True, False)} <= options


def test_the_games_undo_and_redo() -> None:
    asked = {action["type"] for game in GAMES.values() for _, action in game["actions"]}
    assert {"undo", "redo"} <= asked


def test_the_games_record_every_kind_of_fact() -> None:
    assert set().union(*(replay(name).kinds for name in GAMES)) >= {kind.__name__ for kind in FACTS} - {"CardsDealt"}
