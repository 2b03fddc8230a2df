"""Another seat decides in mid-turn: who is attacked blocks or takes the hit; without a shield there is no choice,
and the hit is taken in the same command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from domain.game import fact
from tests.toys.dicey import added
from tests.toys.toy import Toy, toy_game


@dataclass(frozen=True, slots=True)
class ParryState:
    seat: int
    lives: tuple[int, ...]
    shields: tuple[int, ...]
    attacked: int | None = None
    attacks: int = 0
    turn: int = 1
    over: bool = False


@fact("parry.SetUp")
class SetUp:
    start_seat: int


@fact("parry.Attacked")
class Attacked:
    seat: int
    target: int


@fact("parry.Answered")
class Answered:
    seat: int
    blocked: bool


@fact("parry.TurnEnded")
class TurnEnded:
    next: int
    over: bool


class Parry(Toy):
    State = ParryState

    def setup(self, start_seat: int | None, chance: Any) -> Sequence[Any]:
        return [SetUp(chance.integers(1, self.config.seats)[0] if start_seat is None else start_seat)]

    def to_act(self, state: ParryState) -> tuple[int, ...]:
        return () if state.over else (state.seat if state.attacked is None else state.attacked,)

    def legal_actions(self, state: ParryState, seat: int) -> list[Mapping[str, Any]]:
        if seat not in self.to_act(state):
            return []
        if state.attacked is not None:
            return [{"type": "take"}, *([{"type": "block"}] if state.shields[seat] else [])]
        others = [n for n in range(self.config.seats) if n != seat]
        attacks = [{"type": "attack", "seat": n} for n in others] if state.attacks < 2 else []
        return [*attacks, {"type": "end_turn"}]

    def is_final(self, state: ParryState, seat: int, action: Mapping[str, Any]) -> bool:
        return action["type"] != "attack" or bool(state.shields[action["seat"]])

    def decide(self, state: ParryState, seat: int, action: Mapping[str, Any], chance: Any) -> Sequence[Any]:
        self.listed(state, seat, action)
        if action["type"] == "attack":
            return [Attacked(seat, action["seat"])]
        if action["type"] in ("take", "block"):
            return [Answered(seat, action["type"] == "block")]
        over = min(state.lives) <= 0 or state.turn == 12
        return [TurnEnded((seat + 1) % self.config.seats, over)]

    def evolve(self, state: ParryState | None, fact: Any) -> ParryState:
        seats = self.config.seats
        if state is None:
            return ParryState(fact.start_seat, (9,) * seats, (1,) * seats)
        match fact:
            case Attacked(_, target):
                return replace(state, attacked=target, attacks=state.attacks + 1)
            case Answered(seat, True):
                return replace(state, attacked=None, shields=added(state.shields, seat, -1))
            case Answered(seat, False):
                return replace(state, attacked=None, lives=added(state.lives, seat, -1))
        return replace(state, seat=fact.next, attacks=0, turn=state.turn + 1, over=fact.over)

    def totals(self, state: ParryState) -> list[int]:
        return list(state.lives)

    def view(self, state: ParryState, viewer: int | None) -> dict[str, Any]:
        return {"lives": list(state.lives), "shields": list(state.shields), "attacked": state.attacked}


GAME = toy_game("parry", Parry, (SetUp, Attacked, Answered, TurnEnded))
