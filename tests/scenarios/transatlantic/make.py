"""Plays the whole games of this folder anew: `python -m tests.scenarios.transatlantic.make` (about a minute).

Bots and odd policies play on a table's record, some steps are undone and redone; every step is written down as it was
asked for. The results come from the second scorer of the tests, not from the game's own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from domain.game import Action, Position
from domain.games.transatlantic import GAME
from domain.games.transatlantic.facts import TurnEnded
from domain.play import undo_options
from tests.domain.games.transatlantic import scorer
from tests.ledger import Ledger

FOLDER = Path(__file__).parent
Policy = Callable[[Ledger, int, list[Action], Random], Action]


def automa(ledger: Ledger, seat: int, actions: list[Action], rng: Random) -> Action:
    view = ledger.rules.view(ledger.state, seat)
    options = ledger.rules.config.options
    return GAME.bots["automa"](Position(seat, len(ledger.state.seats), options, view, None, tuple(actions)), rng)


def blindly(ledger: Ledger, seat: int, actions: list[Action], rng: Random) -> Action:
    return rng.choice(actions)


def without_buying(ledger: Ledger, seat: int, actions: list[Action], rng: Random) -> Action:
    """Buys nothing that need not be bought, and does little else."""
    done = [action for action in actions if action["type"] == "done"]
    return done[0] if done else rng.choice(actions)


def undo(ledger: Ledger, seat: int, redo: bool = False) -> None:
    ledger.undo(seat, undo_options(ledger.table, seat)["redo"] if redo else None)


class Playing:
    """A game on a record, and the steps as they were asked for."""

    def __init__(self, seats: int, options: dict[str, Any], start_seat: int | None, number: int) -> None:
        self.seed = number.to_bytes(32, "big")
        self.head = {"game": "transatlantic", "seats": seats, "options": options, "start_seat": start_seat}
        self.ledger = Ledger(GAME, seats, options=options, start_seat=start_seat, game_seed=self.seed)
        self.entries: list[tuple[int, Action]] = []

    def act(self, seat: int, action: Action) -> None:
        self.entries.append((seat, dict(action)))
        if action["type"] in ("undo", "redo"):
            undo(self.ledger, seat, action["type"] == "redo")
        else:
            self.ledger.act(seat, action)

    @property
    def facts(self) -> list[Any]:
        """The game's facts on the record, undone ones included."""
        return [event.fact for event in self.ledger.events if type(event.fact) in GAME.facts]


def think_again(game: Playing, seat: int, rng: Random) -> None:
    """Undoes some steps; sometimes changes its mind back."""
    steps = len(game.ledger.table.steps) if rng.random() < 0.3 else 1
    for _ in range(steps):
        game.act(seat, {"type": "undo"})
    if rng.random() < 0.5:
        for _ in range(rng.randint(1, steps)):
            game.act(seat, {"type": "redo"})


def play(
    number: int,
    policies: Sequence[Policy],
    undoing: float = 0.0,
    start_seat: int | None = None,
    **options: bool,
) -> Playing:
    """A whole game; `undoing` is the share of provisional positions in which the seat thinks again."""
    game = Playing(len(policies), options, start_seat, number)
    rng, ledger = Random(number), game.ledger
    while ledger.to_act:
        (seat,) = ledger.to_act
        if ledger.table.steps and ledger.table.holder == seat and rng.random() < undoing:
            think_again(game, seat, rng)
            (seat,) = ledger.to_act
        game.act(seat, policies[seat](ledger, seat, ledger.legal(seat), rng))
    return game


def result_of(game: Playing) -> dict[str, Any]:
    totals, ranks, tie_break = scorer.result(game.ledger.rules.view(game.ledger.state, None))
    reason = game.ledger.rules.end_reason(game.ledger.state)
    return {"reason": reason, "totals": totals, "ranks": ranks, "tie_break": tie_break}


def write(name: str, game: Playing) -> None:
    result = result_of(game)
    lines = ",\n".join("  " + json.dumps(entry) for entry in game.entries)
    head = json.dumps(game.head | {"seed": game.seed.hex()})
    (FOLDER / f"{name}.json").write_text(f'{head[:-1]}, "actions": [\n{lines}\n], "result": {json.dumps(result)}}}\n')
    print(name, len(game.entries), result)


def last_steamship_docked(game: Playing) -> bool:
    """The end came in sight because the docks took the last steamship."""
    end = next(fact for fact in game.facts if isinstance(fact, TurnEnded) and fact.reason)
    return end.docked is not None and not game.ledger.rules.setting.steamships.intersection(end.market or ())


def tied(game: Playing) -> bool:
    return result_of(game)["tie_break"] is not None


def first(wanted: Callable[[Playing], bool], number: int, policies: Sequence[Policy], **options: bool) -> Playing:
    """The first game from this number on that is of the wanted kind."""
    while not wanted(game := play(number, policies, **options)):
        number += 1
    return game


def main() -> None:
    write("2-seats-automa", play(1, [automa] * 2))
    write("3-seats-automa-market", play(2, [automa] * 3, market=True))
    write("4-seats-automa-president", play(3, [automa] * 4, president=True))
    write("2-seats-automa-market-and-president", play(4, [automa] * 2, market=True, president=True))
    write("2-seats-random-president", play(5, [blindly] * 2, president=True))
    write("3-seats-random", play(6, [blindly] * 3))
    write("4-seats-random-given-start-seat", play(7, [blindly] * 4, start_seat=2))
    write("2-seats-thinking-again", play(8, [automa, blindly], undoing=0.3))
    write("3-seats-thinking-again-president", play(9, [blindly, automa, automa], undoing=0.3, president=True))
    write("4-seats-thinking-again-market", play(10, [automa, blindly] * 2, undoing=0.2, market=True))
    write("2-seats-no-purchase", play(11, [without_buying] * 2))
    write("3-seats-no-purchase-market-and-president", play(12, [without_buying] * 3, market=True, president=True))
    write("2-seats-last-steamship-to-the-docks", first(last_steamship_docked, 13, [automa] * 2))
    write("2-seats-tie-broken-by-the-youngest-ship", first(tied, 1000, [automa] * 2, market=True))


if __name__ == "__main__":
    main()
