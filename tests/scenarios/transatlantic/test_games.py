"""The whole games of this folder: each replays to its result, which a second scorer confirms, and together they show
every number of seats, both variants alone and together, every end and every fact. `make.py` says how they were made."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from domain.games.transatlantic import GAME
from domain.games.transatlantic.facts import FACTS, ShipDeployed, TurnEnded
from tests.scenarios.replay import without_undone
from tests.scenarios.transatlantic.make import Playing, last_steamship_docked, result_of

GAMES = {path.stem: json.loads(path.read_text()) for path in sorted(Path(__file__).parent.glob("*.json"))}


@cache
def replay(name: str) -> Playing:
    """The game played again on a record from its seed."""
    game = GAMES[name]
    playing = Playing(game["seats"], game["options"], game["start_seat"], int(game["seed"], 16))
    for seat, action in game["actions"]:
        playing.act(seat, action)
    return playing


def sheet_of(playing: Playing) -> dict[str, Any]:
    sheet = playing.ledger.rules.score(playing.ledger.state)
    return {
        "reason": sheet.reason,
        "totals": [line.total for line in sheet.seats],
        "ranks": [line.rank for line in sheet.seats],
        "tie_break": sheet.tie_break,
    }


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_replays_to_its_result_which_a_second_scorer_confirms(name: str) -> None:
    played = replay(name)
    assert sheet_of(played) == GAMES[name]["result"]
    assert result_of(played) == GAMES[name]["result"]


def test_the_games_show_every_number_of_seats_every_variant_and_every_end() -> None:
    assert len(GAMES) >= 8
    assert {game["seats"] for game in GAMES.values()} == set(GAME.seats)
    variants = {
        (game["options"].get("market", False), game["options"].get("president", False)) for game in GAMES.values()
    }
    assert variants == {(market, president) for market in (False, True) for president in (False, True)}
    assert {game["result"]["reason"] for game in GAMES.values()} == {"last_steamship", "no_purchase"}
    assert {game["result"]["tie_break"] for game in GAMES.values()} == {None, "youngest_ship"}


def test_the_last_steamship_is_bought_in_some_and_docked_in_others() -> None:
    ended = [name for name, game in GAMES.items() if game["result"]["reason"] == "last_steamship"]
    assert {last_steamship_docked(replay(name)) for name in ended} == {False, True}


def test_the_games_show_every_fact_and_steps_undone_and_redone() -> None:
    assert {type(fact) for name in GAMES for fact in replay(name).facts} == set(FACTS)
    undone = {action["type"] for game in GAMES.values() for _, action in game["actions"]}
    assert {"undo", "redo"} <= undone


def test_another_seat_decides_within_a_turn() -> None:
    turn_seat, elsewhere = None, 0
    for seat, action in GAMES["4-seats-automa-president"]["actions"]:
        if turn_seat is None:
            turn_seat = seat
        elsewhere += seat != turn_seat and action["type"] == "deploy"
        if action["type"] == "end_turn":
            turn_seat = None
    assert elsewhere > 0


def test_the_games_show_a_reshuffled_pile_a_chain_and_the_end_of_scotia() -> None:
    facts = [fact for name in GAMES for fact in replay(name).facts]
    assert any(isinstance(fact, TurnEnded) and fact.pile is not None for fact in facts)
    chains = [
        (fact, following)
        for fact, following in pairwise(facts)
        if isinstance(fact, ShipDeployed) and isinstance(following, ShipDeployed) and following.displaced
    ]
    assert chains
    assert any(getattr(fact, "ship", None) == "scotia" for fact in facts)


@pytest.mark.parametrize("name", [name for name in GAMES if "thinking-again" in name])
def test_undone_steps_leave_no_trace_in_the_result(name: str) -> None:
    """The game without its undone steps: the same facts stand, the same luck is met."""
    game = GAMES[name]
    plain = Playing(game["seats"], game["options"], game["start_seat"], int(game["seed"], 16))
    for seat, action in without_undone(game["actions"]):
        plain.act(seat, action)
    assert plain.ledger.state == replay(name).ledger.state
