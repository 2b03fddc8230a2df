"""Whole games as data: reading them, and playing them again on a table's record.

A scenario is `{"game", "seats", "options", "start_seat", "seed": hex of the game seed, "actions": [[seat, action] …],
"result": {"reason", "totals", "ranks", "tie_break"}}`. Besides the game's own there are the actions `undo` (`steps`
actions back, 1 if left out), `redo`, `resign` (a bot's actions are listed as the seat's), `take_back` (agreed by all
others) and `truncate` (by a moderator, seat null), both `to` how it stood after so many entries.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from domain import play, proposals
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
    versions = [ledger.table.version]
    for seat, action in scenario["actions"]:
        STEPS.get(action["type"], act)(ledger, seat, action, versions)
        versions.append(ledger.table.version)
    return ledger


def act(ledger: Ledger, seat: Any, action: Any, versions: list[int]) -> None:
    """An action of the game."""
    ledger.act(seat, action)


def _undo(ledger: Ledger, seat: Any, action: Any, versions: list[int]) -> None:
    ledger.undo(seat, play.undo_options(ledger.table, seat)["to"][-action.get("steps", 1)])


def _redo(ledger: Ledger, seat: Any, action: Any, versions: list[int]) -> None:
    ledger.undo(seat, play.undo_options(ledger.table, seat)["redo"])


def _resign(ledger: Ledger, seat: Any, action: Any, versions: list[int]) -> None:
    ledger.append(play.resign(ledger.table, seat, str(seat), "automa"), f"player:{seat}")


def _truncate(ledger: Ledger, seat: Any, action: Any, versions: list[int]) -> None:
    drafts = proposals.truncate(ledger.table, versions[action["to"]], "scenario", versions.__contains__)
    ledger.append(drafts, "moderator:m")


def _take_back(ledger: Ledger, seat: Any, action: Any, versions: list[int]) -> None:
    drafts = proposals.take_back(
        ledger.table, seat, versions[action["to"]], versions.__contains__, lambda version: ledger.at(version).play
    )
    ledger.append(drafts, f"player:{seat}")
    asked = ledger.table.desk.proposals[-1].asked  # type: ignore[union-attr]
    for voter in asked.voters:
        ledger.append(proposals.answer(ledger.table, voter, asked.number, True), f"player:{voter}")


STEPS: dict[str, Callable[[Ledger, Any, Any, list[int]], None]] = {
    "undo": _undo,
    "redo": _redo,
    "resign": _resign,
    "truncate": _truncate,
    "take_back": _take_back,
}


def result_of(ledger: Ledger) -> dict[str, Any]:
    """The result as a scenario states it."""
    sheet = play.sheet_data(ledger.rules.score(ledger.state))
    return {
        "reason": sheet["reason"],
        "totals": [line["total"] for line in sheet["seats"]],
        "ranks": [line["rank"] for line in sheet["seats"]],
        "tie_break": sheet["tie_break"],
    }


def written(scenario: dict[str, Any]) -> str:
    """A scenario as its file holds it: one action a line."""
    head = {name: value for name, value in scenario.items() if name not in ("actions", "result")}
    actions = ",\n".join("  " + json.dumps(entry) for entry in scenario["actions"])
    return f'{json.dumps(head)[:-1]}, "actions": [\n{actions}\n], "result": {json.dumps(scenario["result"])}}}\n'


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
