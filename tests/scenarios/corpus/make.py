"""Plays the games of this folder anew: `python -m tests.scenarios.corpus.make [game …]` (minutes for all).

Bots play, and everything that may happen to a record happens in each: steps undone and redone, a take-back, corrections
onto cut branches and over the end, a seat given up. What is written down is what was asked for; the results are the
program's own, for these games watch over changes. Results that a second scorer confirms are in the games' folders.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from domain.game import Game
from domain.play import undo_options
from domain.registry import GAMES
from tests.every import option_sets
from tests.ledger import Ledger
from tests.scenarios.replay import STEPS, act, result_of, written
from workers.bots import position_of

FOLDER = Path(__file__).parent
UNDOING = 0.35
"""Share of the positions with steps to undo in which the seat thinks again."""
BACK = 12
"""Entries that a correction goes back over, about."""


class Playing:
    """A game being played and written down."""

    def __init__(self, game: Game, seats: int, number: int, options: dict[str, Any]) -> None:
        self.rng = Random(number)
        self.game, self.seed = game, number.to_bytes(32, "big")
        self.ledger = Ledger(game, seats, options=options, game_seed=self.seed)
        self.versions = [self.ledger.table.version]
        self.entries: list[tuple[int | None, dict[str, Any]]] = []

    def do(self, seat: int | None, action: dict[str, Any]) -> None:
        """One entry, carried out as a replay does it."""
        STEPS.get(action["type"], act)(self.ledger, seat, action, self.versions)
        self.versions.append(self.ledger.table.version)
        self.entries.append((seat, action))

    def step(self) -> None:
        """What the seat to act does next: mostly what its bot says."""
        seat = self.ledger.to_act[0]
        options = undo_options(self.ledger.table, seat)
        if options["redo"] is not None and self.rng.random() < 0.5:
            self.do(seat, {"type": "redo"})
        elif options["to"] and self.rng.random() < UNDOING:
            self.do(seat, {"type": "undo", "steps": self.rng.randint(1, len(options["to"]))})
        else:
            bot = self.game.bots["random" if seat == 0 and self.rng.random() < 0.3 else "automa"]
            self.do(seat, bot(position_of(self.ledger.table, seat), self.rng))

    def until(self, ready: Callable[[], bool]) -> bool:
        """Play on until something is so; False if the game ends before."""
        while self.ledger.to_act:
            if ready():
                return True
            self.step()
        return False

    def after(self, entries: int) -> bool:
        """Play so many entries on, and to a position that everybody sees."""
        wanted = len(self.entries) + entries
        return self.until(lambda: len(self.entries) >= wanted and self.ledger.table.holder is None)

    def target(self, back: int) -> int:
        """How many entries lay before a position that everybody saw, so many entries ago or a little more."""
        public = {event.version for event in self.ledger.events if event.barrier}
        last = self.ledger.table.settled.version
        return max(
            n
            for n, version in enumerate(self.versions)
            if version in public and version < last and n <= max(1, len(self.entries) - back)
        )

    def take_back(self) -> None:
        """The seat that acts again wants to be where it was before."""
        self.do(self.ledger.to_act[0], {"type": "take_back", "to": self.target(3)})

    def correct(self, back: int) -> None:
        self.do(None, {"type": "truncate", "to": self.target(back)})


def play(game: Game, seats: int, number: int, options: dict[str, Any]) -> Playing:
    """A whole game in which everything happens once, over the end included."""
    playing = Playing(game, seats, number, options)
    if playing.after(15):
        playing.take_back()
    if playing.after(20):
        tip = len(playing.entries)
        playing.correct(BACK)
        if playing.after(6):
            playing.do(None, {"type": "truncate", "to": tip})
    playing.until(lambda: False)
    playing.correct(4)
    if seats > 2:
        playing.do(playing.ledger.to_act[0], {"type": "resign"})
    playing.until(lambda: False)
    return playing


def write(game: Game, seats: int, number: int, options: dict[str, Any], name: str) -> None:
    playing = play(game, seats, number, options)
    ledger = playing.ledger
    opened = ledger.events[0].fact
    scenario = {
        "game": game.key,
        "seats": seats,
        "options": opened.options,
        "start_seat": None,
        "seed": playing.seed.hex(),
        "actions": [list(entry) for entry in playing.entries],
        "result": result_of(ledger),
    }
    (FOLDER / f"{game.key}-{name}.json").write_text(written(scenario))
    kinds = [action["type"] for _, action in playing.entries]
    print(game.key, name, len(kinds), {kind: kinds.count(kind) for kind in STEPS}, scenario["result"])


def main(keys: list[str]) -> None:
    for key in keys or GAMES:
        game = GAMES[key]
        for seats in game.seats:
            write(game, seats, 100 * seats + 1, {}, f"{seats}-seats")
        other = list(option_sets(game, game.seats[0]))[-1]
        write(game, game.seats[0], 9001, other, "other-options" if other else "again")


if __name__ == "__main__":
    main(sys.argv[1:])
