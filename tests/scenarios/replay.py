"""Whole games as data: reading them, and playing them again on a table's record.

A scenario is `{"game", "seats", "options", "start_seat", "seed": hex of the game seed, "actions": [[seat, action] …],
"result": {"reason", "totals", "ranks", "tie_break"}}`; among the actions `undo` (one action back) and `redo`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from domain.play import sheet_data, undo_options
from domain.registry import GAMES
from tests.ledger import Ledger

SCENARIOS = {f"{path.parent.name}/{path.stem}": path for path in sorted(Path(__file__).parent.glob("*/*.json"))}


def load(name: str) -> dict[str, Any]:
    """A scenario by `<game>/<name>`."""
    scenario: dict[str, Any] = json.loads(SCENARIOS[name].read_text())
    return scenario


def replay(scenario: dict[str, Any]) -> Ledger:
    """The record of a scenario, played again; every action must be of a seat that is to act, and listed.

    Raises:
        Refusal: for an action that is not.
    """
    ledger = Ledger(
        GAMES[scenario["game"]],
        scenario["seats"],
        options=scenario["options"],
        start_seat=scenario["start_seat"],
        game_seed=bytes.fromhex(scenario["seed"]),
    )
    for seat, action in scenario["actions"]:
        if action["type"] == "undo":
            ledger.undo(seat)
        elif action["type"] == "redo":
            ledger.undo(seat, undo_options(ledger.table, seat)["redo"])
        else:
            ledger.act(seat, action)
    return ledger


def result_of(ledger: Ledger) -> dict[str, Any]:
    """The result as a scenario states it."""
    sheet = sheet_data(ledger.rules.score(ledger.state))
    return {
        "reason": sheet["reason"],
        "totals": [line["total"] for line in sheet["seats"]],
        "ranks": [line["rank"] for line in sheet["seats"]],
        "tie_break": sheet["tie_break"],
    }
