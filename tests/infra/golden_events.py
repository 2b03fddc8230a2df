"""Adds a golden line for every event type that has none: `.venv/bin/python -m tests.infra.golden_events`.

A line is the canonical bytes as once written. Lines are only ever added: records hold such bytes for ever.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from domain import desk, play, proposals, seating
from domain.forking import fork
from domain.game import Game
from domain.record import Draft, Event, write
from domain.registry import GAMES
from domain.table import Games
from infra.mapper import fact_classes
from tests.ledger import START, TABLE, Ledger
from tests.scenarios.replay import SCENARIOS, load, replay

FOLDER = Path(__file__).parent / "golden"


def golden_lines() -> list[bytes]:
    """The lines of all golden files."""
    return [line for path in sorted(FOLDER.glob("*.ndjson")) for line in path.read_bytes().splitlines()]


def missing(games: Games) -> set[tuple[str, int]]:
    """Topics and schema versions of today that no golden line shows."""
    shown = {(line["type"], line["schema"]) for line in map(json.loads, golden_lines())}
    return {(topic, cls.SCHEMA) for topic, cls in fact_classes(games).items()} - shown


def recorded(games: Games) -> Iterator[Event]:
    """Events of all types, as games make them."""
    yield from _framework(next(iter(games.values())))
    for name in SCENARIOS:
        if name.split("/")[0] in games:
            yield from replay(load(name)).events


def _framework(game: Game) -> Iterator[Event]:
    ledger = Ledger(game, 2, 1)
    seat = ledger.to_act[0]
    ledger.append(play.act_for_failed_bot(ledger.table, seat, "automa", 3, ledger.chance), "bot:automa")
    ledger.undo(seat)
    ledger.append(play.resign(ledger.table, 1, "1", "automa"), "player:1")
    ledger.play_on(Random(1), 3000)
    ledger.append(play.score(ledger.table), "system")
    ledger.append(play.seal(ledger.table, ledger.server_seed), "system")
    ledger.append(proposals.abandon(ledger.table, "moderation"), "moderator:m")
    imported = desk.Imported(table=str(TABLE), by="0", key="00" * 32, signature="00" * 64, origin="unsigned")
    ledger.append([Draft(imported, action={"type": "import"})], "player:0")
    yield from ledger.events
    idle = Ledger(game, 3, 1)
    idle.append(proposals.warn(idle.table), "clock")
    absent = idle.to_act[0]
    asking, asked = (seat for seat in range(3) if seat != absent)
    idle.append(proposals.propose(idle.table, asking, "substitute", absent), f"player:{asking}")
    idle.append(proposals.answer(idle.table, asked, 1, True), f"player:{asked}")
    idle.append(proposals.abandon(idle.table, "idle"), "clock")
    yield from idle.events
    origin = Ledger(game, 2, 1)
    yield from write(
        fork(origin.table, 0, player="0", server_seed=bytes(32), exact=True, rng=Random(1)),
        table=TABLE,
        version=0,
        digest=bytes(32),
        server_seed=bytes(32),
        by="player:0",
        at=START,
        command="0" * 32,
    )
    waiting = Ledger(game, 3, 1)
    waiting.table, waiting.events = waiting.at(2), waiting.events[:2]
    waiting.append(seating.leave(waiting.table, "1"), "player:1")
    waiting.append([Draft(desk.SeatFilled(seat=1, bot="automa"), seat=1, action={"type": "start"})], "player:0")
    yield from waiting.events


def main() -> None:
    wanted = missing(GAMES)
    for event in recorded(GAMES):
        if (event.topic, event.fact.SCHEMA) in wanted:
            wanted.remove((event.topic, event.fact.SCHEMA))
            with (FOLDER / f"{event.topic.split('.')[0]}.ndjson").open("ab") as file:
                file.write(event.written + b"\n")
        if not wanted:
            return
    print("no game recorded", *sorted(wanted))


if __name__ == "__main__":
    main()
