"""The whole games of this folder: each replays to its result, which a second scorer confirms, and together they show
every number of seats, every fact and every action. How they were made is in `make.py`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from domain.games.pasha.facts import FACTS
from tests.domain.games.pasha.scorer import placed, second_score
from tests.scenarios.pasha.make import SCENARIOS, Game, anything

GAMES = {path.stem: json.loads(path.read_text()) for path in sorted(Path(__file__).parent.glob("*.json"))}


def replay(game: dict[str, Any]) -> Game:
    """The game played again from its seed; each action must come from the seat that is to act and be listed."""
    key, specials = bytes.fromhex(game["seed"]), game["options"]["specials"]
    playing = Game(game["seats"], game["start_seat"], key, specials=specials)
    for seat, action in game["actions"]:
        assert playing.rules.to_act(playing.moment.state) == (seat,)
        if action["type"] not in ("undo", "redo"):
            assert action in playing.rules.legal_actions(playing.moment.state, seat)
        playing.enter(seat, action)
    return playing


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_replays_to_its_result(name: str) -> None:
    game = GAMES[name]
    replayed = replay(game)
    sheet = replayed.rules.score(replayed.moment.state)
    assert {
        "reason": replayed.rules.end_reason(replayed.moment.state),
        "totals": [line.total for line in sheet.seats],
        "ranks": [line.rank for line in sheet.seats],
        "tie_break": sheet.tie_break,
    } == game["result"]
    second = second_score(game["seats"], replayed.facts)
    assert [line["total"] for line in second] == game["result"]["totals"]
    assert placed([line["total"] for line in second]) == game["result"]["ranks"]
    assert sum(line["cards"] for line in second) == 19 * game["seats"]


@pytest.mark.parametrize("name", [name for name, wanted in SCENARIOS.items() if wanted.shows is not anything])
def test_a_whole_game_shows_what_its_name_says(name: str) -> None:
    assert SCENARIOS[name].shows(replay(GAMES[name]))


def test_every_scenario_is_there() -> None:
    assert set(GAMES) == set(SCENARIOS)
    assert len(GAMES) >= 8


def test_the_games_show_every_number_of_seats_specials_and_a_drawn_start_seat() -> None:
    assert {game["seats"] for game in GAMES.values()} == {2, 3, 4, 5}
    assert {game["options"]["specials"] for game in GAMES.values()} == {False, True}
    assert None in {game["start_seat"] for game in GAMES.values()}
    assert any(game["result"]["ranks"].count(1) > 1 for game in GAMES.values())


def test_the_games_show_every_fact_and_every_action_undo_and_redo_too() -> None:
    facts = {type(fact) for game in GAMES.values() for fact in replay(game).facts}
    assert facts == set(FACTS)
    assert {action["type"] for game in GAMES.values() for _, action in game["actions"]} == {
        "play_card",
        "throw",
        "stop",
        "restart",
        "rethrow",
        "adjust",
        "place",
        "end_turn",
        "undo",
        "redo",
    }
