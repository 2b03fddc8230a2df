"""Plays the whole games of this folder anew: `python -m tests.scenarios.roeko.make` (minutes, for `nobody_can_move`).

Bots and odd policies play, some steps are undone and redone; every step is written down as it was asked for.
The results come from the second scorer of the tests, not from the game's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from domain.games.roeko import GAME
from domain.games.roeko.state import RoekoState
from domain.play import undo_options
from tests.domain.games.roeko.helpers import Policy, blindly, bot_policy
from tests.domain.games.roeko.scorer import score
from tests.ledger import Ledger
from tests.scenarios.replay import written
from tests.scenarios.roeko.stuck import nobody_can_move

FOLDER = Path(__file__).parent
UNDO, REDO = {"type": "undo"}, {"type": "redo"}
Entry = tuple[int, dict[str, Any]]


class Playing:
    """A game being played on a table's record and written down: every step as it was asked for."""

    def __init__(self, seats: int, start_seat: int, seed: bytes) -> None:
        self.ledger = Ledger(GAME, seats, start_seat=start_seat, game_seed=seed)
        self.entries: list[Entry] = []

    @property
    def state(self) -> RoekoState:
        return self.ledger.state

    @property
    def steps(self) -> int:
        """How many steps can be undone."""
        return len(self.ledger.table.steps)

    @property
    def facts(self) -> set[str]:
        return {type(event.fact).__name__ for event in self.ledger.events}

    def act(self, action: Any) -> None:
        """An action with all that follows by itself; undoing and redoing are actions too."""
        seat = self.state.seat
        self.entries.append((seat, dict(action)))
        if action == UNDO:
            self.ledger.undo(seat)
        elif action == REDO:
            self.ledger.undo(seat, undo_options(self.ledger.table, seat)["redo"])
        else:
            self.ledger.act(seat, action)

    def legal(self) -> Sequence[Any]:
        return self.ledger.legal(self.state.seat)

    def result(self) -> dict[str, Any]:
        """The second scorer's opinion of the finished game."""
        return score(self.ledger.rules.view(self.state, None))


def play(seats: int, number: int, policies: Sequence[Policy], undoing: float = 0.0) -> Playing:
    """A whole game; `undoing` is the share of provisional positions in which the seat thinks again."""
    game = Playing(seats, number % seats, seed_of(number))
    rng = Random(number)
    while not game.state.ended:
        if game.steps and rng.random() < undoing:
            think_again(game, rng)
        game.act(policies[game.state.seat](game.state, game.legal(), rng))
    return game


def think_again(game: Playing, rng: Random) -> None:
    """Undoes one step or all of them; sometimes changes its mind back."""
    steps = game.steps if rng.random() < 0.5 else 1
    for _ in range(steps):
        game.act(UNDO)
    if rng.random() < 0.5:
        for _ in range(rng.randint(1, steps)):
            game.act(REDO)


def seed_of(number: int) -> bytes:
    return number.to_bytes(32, "big")


def write(name: str, number: int, game: Playing) -> None:
    seats = game.state.seats
    scenario = {
        "game": "roeko",
        "seats": seats,
        "options": {},
        "start_seat": number % seats,
        "seed": seed_of(number).hex(),
        "actions": game.entries,
        "result": {"reason": game.state.ended} | game.result(),
    }
    (FOLDER / f"{name}.json").write_text(written(scenario))
    print(name, len(game.entries), scenario["result"])


def first(wanted: Callable[[Playing], bool], seats: int, policies: Sequence[Policy], since: int = 0) -> int:
    """The first number whose game is of the wanted kind."""
    number = since
    while not wanted(play(seats, number, policies)):
        number += 1
    return number


def main() -> None:
    automa = bot_policy("automa")
    for seats in (2, 3, 4, 5):
        write(f"{seats}-seats-automa", 100 + seats, play(seats, 100 + seats, [automa] * seats))
        policies = [automa, blindly] * 3
        write(f"{seats}-seats-thinking-again", 200 + seats, play(seats, 200 + seats, policies[:seats], undoing=0.25))
    for seats in (2, 5):
        write(f"{seats}-seats-random", 300 + seats, play(seats, 300 + seats, [blindly] * seats))
    kinds: list[tuple[str, int, Sequence[Policy], Callable[[Playing], bool]]] = [
        ("2-seats-tie-broken-by-fewer-illegal", 2, [automa] * 2, lambda g: g.result()["tie_break"] is not None),
        ("4-seats-shared-victory", 4, [automa] * 4, lambda g: g.result()["ranks"].count(1) == 2),
        ("5-seats-an-empty-hand-passes", 5, [blindly] * 5, lambda g: "TurnPassed" in g.facts),
    ]
    for name, seats, policies, wanted in kinds:
        number = first(wanted, seats, policies, since=1000)
        write(name, number, play(seats, number, policies))
    for seats, number in ((2, 2), (3, 2)):
        game = Playing(seats, number % seats, seed_of(number))
        for seat, action in nobody_can_move(seats, number % seats, seed_of(number)):
            assert seat == game.state.seat
            game.act(action)
        write(f"{seats}-seats-nobody-can-move", number, game)


if __name__ == "__main__":
    main()
