"""Plays the whole games of this folder anew: `python -m tests.scenarios.pasha.make`.

Each is played by bots from the first seed whose game shows what the scenario's name says. Results come from the second
scorer, not from the rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from domain.bots import random_bot
from domain.chance import Chance
from domain.game import Action, Bot, Position
from domain.games.pasha import GAME
from domain.games.pasha.bots import automa
from tests.domain.games.pasha.positions import Moment, bot_position, carried_out, rules_for, seed
from tests.domain.games.pasha.scorer import placed, second_score

FOLDER = Path(__file__).parent
UNDO, REDO = {"type": "undo"}, {"type": "redo"}


def hasty(position: Position, rng: Random, /) -> Action:
    """Throws once, stops and spends no stone."""
    kinds = {action["type"]: action for action in position.actions}
    for kind in ("stop", "place", "end_turn"):
        if kind in kinds:
            return kinds[kind]
    return rng.choice(position.actions)


def restarter(position: Position, rng: Random, /) -> Action:
    """Restarts whenever it may, else plays at random."""
    return next((action for action in position.actions if action["type"] == "restart"), random_bot(position, rng))


class Game:
    """A game being played and written down: its facts as they stand and every step, undone ones too."""

    def __init__(self, seats: int, start_seat: int | None, key: bytes, *, specials: bool) -> None:
        self.seats, self.rules, self.chance = seats, rules_for(seats, specials=specials), Chance(key)
        self.facts = list(self.rules.setup(start_seat, self.chance))
        self.moment = Moment().after(self.rules, *self.facts)
        self.entries: list[list[Any]] = []
        self.steps: list[tuple[Moment, list[Any]]] = []
        self.cuts: list[tuple[Moment, list[Any], list[tuple[Moment, list[Any]]]]] = []

    def enter(self, seat: int, action: Action) -> None:
        """An action with all that follows by itself; undoing and redoing are entries too."""
        self.entries.append([seat, dict(action)])
        if action == UNDO:
            self.cuts.append((self.moment, self.facts, self.steps))
            (self.moment, self.facts), self.steps = self.steps[-1], self.steps[:-1]
        elif action == REDO:
            self.moment, self.facts, self.steps = self.cuts.pop()
        else:
            self._act(seat, action)

    def _act(self, seat: int, action: Action) -> None:
        final = self.rules.is_final(self.moment.state, seat, action)
        told = carried_out(self.rules, self.moment.state, self.chance, action)
        self.steps = [] if final else [*self.steps, (self.moment, self.facts)]
        self.cuts = []
        self.facts = self.facts + told
        self.moment = self.moment.after(self.rules, *told)

    @property
    def totals(self) -> list[int]:
        return [line["total"] for line in second_score(self.seats, self.facts)]

    def told(self, name: str) -> list[Any]:
        return [fact for fact in self.facts if type(fact).__name__ == name]


def play(wanted: Wanted, number: int) -> Game:
    """A whole game between the wanted bots."""
    game = Game(len(wanted.bots), wanted.start_seat, seed(number), specials=wanted.specials)
    rng = Random(number)
    while not game.rules.is_over(game.moment.state):
        if wanted.undo and game.steps and rng.random() < 0.3:
            think_again(game, rng)
        (at,) = game.rules.to_act(game.moment.state)
        game.enter(at, wanted.bots[at](bot_position(game.rules, game.moment, at), rng))
    return game


def think_again(game: Game, rng: Random) -> None:
    """Undoes some of the provisional steps and perhaps redoes some of these."""
    undone = rng.randint(1, len(game.steps))
    for entry in [UNDO] * undone + [REDO] * rng.randint(0, undone):
        game.enter(game.moment.state.seat, entry)


def anything(game: Game) -> bool:
    return True


def shared_victory(game: Game) -> bool:
    return placed(game.totals).count(1) > 1


def round_without_a_pair(game: Game) -> bool:
    rows = [fact.row for fact in game.told("JetonPlaced")]
    rounds = [rows[at : at + game.seats] for at in range(0, len(rows), game.seats)]
    return ["none"] * game.seats in rounds


def tiles_left(game: Game) -> bool:
    """Two tiles or more were never won, one column had two."""
    won = sum(len(tiles) for fact in game.told("RoundAwarded") for tiles in fact.tiles)
    doubled = any(len(tiles) > 1 for fact in game.told("RoundAwarded") for tiles in fact.tiles)
    return won <= 7 and doubled


def two_restarts(game: Game) -> bool:
    return len(game.told("DiceRestarted")) >= 2


def four_throws(game: Game) -> bool:
    return any(fact.throws == 4 for fact in game.told("CardPlayed"))


def all_minus_ones(game: Game) -> bool:
    """In a round every card was a −1."""
    return any(sum(map(sum, fact.cards)) == -game.seats for fact in game.told("RoundAwarded"))


def thought_again(game: Game) -> bool:
    entries = [entry for _, entry in game.entries]
    return UNDO in entries and REDO in entries


def no_stone_spent(game: Game) -> bool:
    return not game.told("DieAdjusted") and not game.told("DiceRethrown")


def piled_jetons(game: Game) -> bool:
    return any(fact.level >= 2 for fact in game.told("JetonPlaced"))


@dataclass(frozen=True)
class Wanted:
    """What a scenario shows: who plays, how, and what must happen in it."""

    bots: Sequence[Bot]
    start_seat: int | None = 0
    specials: bool = False
    undo: bool = False
    shows: Callable[[Game], bool] = anything


SCENARIOS = {
    "2-seats-automa-beats-random": Wanted([automa, random_bot], shows=lambda game: placed(game.totals) == [1, 2]),
    "2-seats-shared-victory": Wanted([automa, automa], 1, shows=shared_victory),
    "2-seats-a-round-without-a-pair": Wanted([hasty, hasty], shows=round_without_a_pair),
    "2-seats-specials-restart-twice": Wanted([restarter, restarter], specials=True, shows=two_restarts),
    "2-seats-all-cards-minus-one": Wanted([random_bot, random_bot], shows=all_minus_ones),
    "3-seats-start-seat-drawn": Wanted([automa, random_bot, automa], None),
    "3-seats-undo-and-redo": Wanted([random_bot, automa, random_bot], 2, undo=True, shows=thought_again),
    "3-seats-specials-four-throws": Wanted([automa] * 3, 1, specials=True, shows=four_throws),
    "4-seats-automa-at-every-seat": Wanted([automa] * 4, 3),
    "4-seats-specials-undo-and-redo": Wanted([random_bot] * 4, 1, specials=True, undo=True, shows=thought_again),
    "5-seats-tiles-left-lying-and-two-won-at-once": Wanted([random_bot] * 5, 4, shows=tiles_left),
    "5-seats-three-jetons-on-a-space": Wanted([automa] * 5, shows=piled_jetons),
    "5-seats-stones-kept-to-the-end": Wanted([hasty] * 5, 2, shows=no_stone_spent),
}


def written(wanted: Wanted, number: int, game: Game) -> str:
    """The scenario as JSON, an entry a line."""
    head = {
        "game": GAME.key,
        "seats": game.seats,
        "options": {"specials": wanted.specials, "edition": "house"},
        "start_seat": wanted.start_seat,
        "seed": seed(number).hex(),
    }
    result = {"reason": "nine_rounds", "totals": game.totals, "ranks": placed(game.totals), "tie_break": None}
    lines = ",\n".join("  " + json.dumps(entry) for entry in game.entries)
    return json.dumps(head)[:-1] + f', "actions": [\n{lines}\n], "result": {json.dumps(result)}}}\n'


def main() -> None:
    for name, wanted in SCENARIOS.items():
        number = 1
        while not wanted.shows(game := play(wanted, number)):
            number += 1
        (FOLDER / f"{name}.json").write_text(written(wanted, number, game))
        print(f"{name}: seed {number}, {len(game.entries)} entries, totals {game.totals}")


if __name__ == "__main__":
    main()
