"""Dice in mid-turn: mark twice at most (provisional), roll once (chance), mark again, end the turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from domain.game import fact
from tests.toys.toy import Toy, toy_game

ROUNDS = 3


@dataclass(frozen=True, slots=True)
class DiceyState:
    seat: int
    points: tuple[int, ...]
    turn: int = 1
    marks: int = 0
    rolled: bool = False
    over: bool = False


@fact("dicey.SetUp")
class SetUp:
    start_seat: int


@fact("dicey.Marked")
class Marked:
    seat: int
    value: int


@fact("dicey.Rolled")
class Rolled:
    seat: int
    dice: tuple[int, ...]


@fact("dicey.TurnEnded")
class TurnEnded:
    next: int
    over: bool


class Dicey(Toy):
    State = DiceyState

    def setup(self, start_seat: int | None, chance: Any) -> Sequence[Any]:
        return [SetUp(chance.integers(1, self.config.seats)[0] if start_seat is None else start_seat)]

    def legal_actions(self, state: DiceyState, seat: int) -> list[Mapping[str, Any]]:
        if state.over or seat != state.seat:
            return []
        marks = [{"type": "mark", "value": value} for value in (1, 2)] if state.marks < 2 else []
        roll = [] if state.rolled else [{"type": "roll"}]
        return [*marks, *roll, {"type": "end_turn"}]

    def is_final(self, state: DiceyState, seat: int, action: Mapping[str, Any]) -> bool:
        return action["type"] != "mark"

    def decide(self, state: DiceyState, seat: int, action: Mapping[str, Any], chance: Any) -> Sequence[Any]:
        self.listed(state, seat, action)
        if action["type"] == "mark":
            return [Marked(seat, action["value"])]
        if action["type"] == "roll":
            return [Rolled(seat, chance.dice(2))]
        return [TurnEnded((seat + 1) % self.config.seats, state.turn >= ROUNDS * self.config.seats)]

    def evolve(self, state: DiceyState | None, fact: Any) -> DiceyState:
        if state is None:
            return DiceyState(fact.start_seat, (0,) * self.config.seats)
        match fact:
            case Marked(seat, value):
                return replace(state, marks=state.marks + 1, points=added(state.points, seat, value))
            case Rolled(seat, dice):
                return replace(state, rolled=True, points=added(state.points, seat, sum(dice)))
        return replace(state, seat=fact.next, turn=state.turn + 1, marks=0, rolled=False, over=fact.over)

    def totals(self, state: DiceyState) -> list[int]:
        return list(state.points)

    def view(self, state: DiceyState, viewer: int | None) -> dict[str, Any]:
        return {"points": list(state.points), "marks": state.marks, "rolled": state.rolled}


def added(points: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return tuple(old + value * (n == seat) for n, old in enumerate(points))


GAME = toy_game("dicey", Dicey, (SetUp, Marked, Rolled, TurnEnded))
