"""Plays the whole games of this folder anew: `python -m tests.scenarios.roeko.make` (minutes, for `nobody_can_move`).

Bots and odd policies play, some steps are undone and redone; every step is written down as it was asked for.
The results come from the second scorer of the tests, not from the game's own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from domain.chance import Chance
from domain.games.roeko.state import RoekoState
from tests.domain.games.roeko.helpers import Policy, blindly, bot_policy, rules_for
from tests.domain.games.roeko.scorer import score
from tests.scenarios.roeko.stuck import nobody_can_move

FOLDER = Path(__file__).parent
UNDO, REDO = {"type": "undo"}, {"type": "redo"}
Entry = tuple[int, dict[str, Any]]


class Playing:
    """A game being played and written down: actions, what they force, and undone steps."""

    def __init__(self, seats: int, start_seat: int, seed: bytes) -> None:
        self.rules = rules_for(seats)
        self.chance = Chance(seed)
        (deal,) = self.rules.setup(start_seat, self.chance)
        self.state = self.rules.evolve(None, deal)
        self.entries: list[Entry] = []
        self.steps: list[RoekoState] = []
        self.cut: list[tuple[RoekoState, list[RoekoState]]] = []
        self.facts: list[str] = []

    def act(self, action: Any) -> None:
        """An action with all that follows by itself; undoing and redoing are actions too."""
        seat = self.state.seat
        self.entries.append((seat, dict(action)))
        if action == UNDO:
            self.cut.append((self.state, self.steps))
            self.state, self.steps = self.steps[-1], self.steps[:-1]
        elif action == REDO:
            self.state, self.steps = self.cut.pop()
        else:
            self._decided(seat, action)

    def _decided(self, seat: int, action: Any) -> None:
        before = self.state
        self._apply(seat, action)
        while not self.state.ended and (forced := self.rules.forced(self.state)):
            self._apply(*forced)
        final = action["type"] in ("end_turn", "pass")
        self.steps = [] if final else [*self.steps, before]
        self.cut = []

    def _apply(self, seat: int, action: Any) -> None:
        for fact in self.rules.decide(self.state, seat, action, self.chance):
            self.state = self.rules.evolve(self.state, fact)
            self.facts.append(type(fact).__name__)


def play(seats: int, number: int, policies: Sequence[Policy], undoing: float = 0.0) -> Playing:
    """A whole game; `undoing` is the share of provisional positions in which the seat thinks again."""
    game = Playing(seats, number % seats, seed_of(number))
    rng = Random(number)
    while not game.state.ended:
        if game.steps and rng.random() < undoing:
            think_again(game, rng)
        actions = game.rules.legal_actions(game.state, game.state.seat)
        game.act(policies[game.state.seat](game.state, actions, rng))
    return game


def think_again(game: Playing, rng: Random) -> None:
    """Undoes one step or all of them; sometimes changes its mind back."""
    steps = len(game.steps) if rng.random() < 0.5 else 1
    for _ in range(steps):
        game.act(UNDO)
    if rng.random() < 0.5:
        for _ in range(rng.randint(1, steps)):
            game.act(REDO)


def seed_of(number: int) -> bytes:
    return number.to_bytes(32, "big")


def write(name: str, number: int, game: Playing) -> None:
    view = game.rules.view(game.state, None)
    result = {"reason": game.state.ended} | score(view)
    seats = game.state.seats
    head = {"game": "roeko", "seats": seats, "options": {}, "start_seat": number % seats, "seed": seed_of(number).hex()}
    lines = ",\n".join("  " + json.dumps(entry) for entry in game.entries)
    text = json.dumps(head)[:-1] + f', "actions": [\n{lines}\n], "result": {json.dumps(result)}}}\n'
    (FOLDER / f"{name}.json").write_text(text)
    print(name, len(game.entries), result)


def first(wanted: Callable[[Playing], bool], seats: int, policies: Sequence[Policy], since: int = 0) -> int:
    """The first number whose game is of the wanted kind."""
    number = since
    while not wanted(play(seats, number, policies)):
        number += 1
    return number


def result_of(game: Playing) -> dict[str, Any]:
    return score(game.rules.view(game.state, None))


def main() -> None:
    automa = bot_policy("automa")
    for seats in (2, 3, 4, 5):
        write(f"{seats}-seats-automa", 100 + seats, play(seats, 100 + seats, [automa] * seats))
        policies = [automa, blindly] * 3
        write(f"{seats}-seats-thinking-again", 200 + seats, play(seats, 200 + seats, policies[:seats], undoing=0.25))
    for seats in (2, 5):
        write(f"{seats}-seats-random", 300 + seats, play(seats, 300 + seats, [blindly] * seats))
    kinds: list[tuple[str, int, Sequence[Policy], Callable[[Playing], bool]]] = [
        ("2-seats-tie-broken-by-fewer-illegal", 2, [automa] * 2, lambda g: result_of(g)["tie_break"] is not None),
        ("4-seats-shared-victory", 4, [automa] * 4, lambda g: result_of(g)["ranks"].count(1) == 2),
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
