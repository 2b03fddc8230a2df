"""A sealed table's export as a scenario: `make scenario FILE=export.ndjson NAME=what-it-shows`.

The result written down is the recorded one: for a bug report, correct it by hand to what the rules say.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from uuid import UUID

from domain.audit import commands_of
from domain.chance import game_seed
from domain.desk import DESK, Opened, Resigned, Scored, Started, Substituted, Truncated
from domain.record import Event
from domain.registry import GAMES
from domain.table import Games, Play, Table
from infra.archive import Archive, parse
from tests.scenarios.replay import written


def scenario_of(archive: Archive, games: Games = GAMES) -> dict[str, Any]:
    """The scenario that a sealed record tells."""
    opened: Opened = archive.events[0].fact
    started: Started = next(event.fact for event in archive.events if isinstance(event.fact, Started))
    table = Table(id=archive.table, games=games)
    positions: dict[int, Play] = {}
    entries: list[tuple[int | None, dict[str, Any]]] = []
    counts: dict[int, int] = {}
    for command in commands_of(archive.events):
        entries += _entries(command, table, counts)
        for event in command:
            table = table.evolve(event, positions.__getitem__)
            positions[event.version] = table.play
        counts[command[-1].version] = len(entries)
    sheet = next(event.fact.sheet for event in reversed(archive.events) if isinstance(event.fact, Scored))
    return {
        "game": opened.game,
        "seats": len(opened.seats),
        "options": opened.options,
        "start_seat": opened.start_seat,
        "seed": _seed(archive.table, archive.server_seed, started).hex(),
        "actions": [list(entry) for entry in entries],
        "result": {
            "reason": sheet["reason"],
            "totals": [line["total"] for line in sheet["seats"]],
            "ranks": [line["rank"] for line in sheet["seats"]],
            "tie_break": sheet["tie_break"],
        },
    }


def _seed(table: UUID, server_seed: bytes, started: Started) -> bytes:
    return game_seed(server_seed, table, started.contributions)


def _entries(command: list[Event], table: Table, counts: dict[int, int]) -> list[tuple[int | None, dict[str, Any]]]:
    """What a command is in a scenario; nothing for most of what happens at the desk."""
    first = command[0]
    for event in command:
        fact = event.fact
        if isinstance(fact, Resigned | Substituted):
            return [(fact.seat, {"type": "resign"})]
        if isinstance(fact, Truncated):
            return [_truncation(event, table, counts)]
    if isinstance(first.fact, (*DESK, Scored)) or first.action is None:
        return []
    return [(first.seat, dict(first.action))]


def _truncation(event: Event, table: Table, counts: dict[int, int]) -> tuple[int | None, dict[str, Any]]:
    fact: Truncated = event.fact
    if fact.reason == "undo":
        began = [step.began for step in table.steps]
        return event.seat, {"type": "undo", "steps": len(began) - began.index(fact.to)}
    if fact.reason == "redo":
        return event.seat, {"type": "redo"}
    kind = "take_back" if fact.reason == "take_back" else "truncate"
    return event.seat, {"type": kind, "to": counts[fact.to]}


def main(file: str, name: str) -> None:
    scenario = scenario_of(parse(Path(file).read_bytes(), GAMES))
    path = Path(__file__).parent / scenario["game"] / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(written(scenario))
    print(f"{path}: {len(scenario['actions'])} actions, {scenario['result']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
