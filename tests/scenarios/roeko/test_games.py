"""The whole games of this folder: each replays to its result, which a second scorer confirms, and together they
show every number of seats and every end. How they were made is in `make.py`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.domain.games.roeko.scorer import score
from tests.scenarios.roeko.make import Playing

GAMES = {path.stem: json.loads(path.read_text()) for path in sorted(Path(__file__).parent.glob("*.json"))}


def replay(game: dict[str, Any]) -> Playing:
    """The game played again from its seed; each action must come from the seat that is to act and be listed."""
    playing = Playing(game["seats"], game["start_seat"], bytes.fromhex(game["seed"]))
    for seat, action in game["actions"]:
        assert playing.rules.to_act(playing.state) == (seat,)
        if action["type"] not in ("undo", "redo"):
            assert action in playing.rules.legal_actions(playing.state, seat)
        playing.act(action)
    return playing


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_replays_to_its_result(name: str) -> None:
    game = GAMES[name]
    played = replay(game)
    sheet = played.rules.score(played.state)
    assert {
        "reason": sheet.reason,
        "totals": [line.total for line in sheet.seats],
        "ranks": [line.rank for line in sheet.seats],
        "tie_break": sheet.tie_break,
    } == game["result"]
    second = score(played.rules.view(played.state, None))
    assert second == {name: game["result"][name] for name in ("totals", "ranks", "tie_break")}


def test_the_games_show_every_number_of_seats_and_every_end() -> None:
    assert len(GAMES) >= 10
    assert {game["seats"] for game in GAMES.values()} == {2, 3, 4, 5}
    assert {game["result"]["reason"] for game in GAMES.values()} == {"last_reward", "nobody_can_move"}
    assert {game["result"]["tie_break"] for game in GAMES.values()} == {None, "fewer_illegal"}
    assert any(game["result"]["ranks"].count(1) > 1 for game in GAMES.values())


def test_the_games_show_every_fact_and_steps_undone_and_redone() -> None:
    facts = {fact for game in GAMES.values() for fact in replay(game).facts}
    assert facts == {
        "CardsDelivered",
        "CardsDisposed",
        "DumpRefilled",
        "PileReshuffled",
        "TurnEnded",
        "TurnPassed",
    }
    undone = {action["type"] for game in GAMES.values() for _, action in game["actions"]}
    assert {"undo", "redo"} <= undone


@pytest.mark.parametrize("name", [name for name in GAMES if "thinking-again" in name])
def test_undone_steps_leave_no_trace_in_the_result(name: str) -> None:
    """The game without its undone steps: the same facts stand, the same luck is met."""
    game = GAMES[name]
    played = replay(game)
    kept = without_undone(game["actions"])
    assert not any(action["type"] in ("undo", "redo") for _, action in kept)
    assert replay(game | {"actions": kept}).state == played.state


def without_undone(actions: list[Any]) -> list[Any]:
    """The steps that stand in the end."""
    kept: list[Any] = []
    cut: list[list[Any]] = []
    for seat, action in actions:
        if action["type"] == "undo":
            cut.append(kept)
            kept = kept[:-1]
        elif action["type"] == "redo":
            kept = cut.pop()
        else:
            kept, cut = [*kept, [seat, action]], []
    return kept
