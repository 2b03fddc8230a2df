"""A draw hidden even from its owner: cards wait face down until the turn ends; drawing is no barrier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from domain.game import fact
from tests.toys.toy import Toy, toy_game


@dataclass(frozen=True, slots=True)
class VeiledState:
    seat: int
    deck: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    waiting: tuple[int, ...] = ()
    turn: int = 1
    over: bool = False


@fact("veiled.SetUp")
class SetUp:
    start_seat: int
    deck: tuple[int, ...]


@fact("veiled.CardDrawn")
class CardDrawn:
    seat: int


@fact("veiled.TurnEnded")
class TurnEnded:
    next: int
    over: bool


class Veiled(Toy):
    State = VeiledState

    def setup(self, start_seat: int | None, chance: Any) -> Sequence[Any]:
        return [SetUp(start_seat or 0, chance.shuffled(tuple(range(1, 13))))]

    def legal_actions(self, state: VeiledState, seat: int) -> list[Mapping[str, Any]]:
        if state.over or seat != state.seat:
            return []
        draw = [{"type": "draw"}] if state.deck and len(state.waiting) < 3 else []
        return [*draw, {"type": "end_turn"}]

    def decide(self, state: VeiledState, seat: int, action: Mapping[str, Any], chance: Any) -> Sequence[Any]:
        self.listed(state, seat, action)
        if action["type"] == "draw":
            return [CardDrawn(seat)]
        return [TurnEnded((seat + 1) % self.config.seats, not state.deck or state.turn == 12)]

    def evolve(self, state: VeiledState | None, fact: Any) -> VeiledState:
        if state is None:
            return VeiledState(fact.start_seat, fact.deck, ((),) * self.config.seats)
        if isinstance(fact, CardDrawn):
            return replace(state, deck=state.deck[1:], waiting=(*state.waiting, state.deck[0]))
        hands = tuple(
            tuple(sorted(hand + state.waiting)) if n == state.seat else hand for n, hand in enumerate(state.hands)
        )
        return replace(state, hands=hands, waiting=(), seat=fact.next, turn=state.turn + 1, over=fact.over)

    def totals(self, state: VeiledState) -> list[int]:
        return [sum(hand) for hand in state.hands]

    def view(self, state: VeiledState, viewer: int | None) -> dict[str, Any]:
        hands = [list(hand) if n == viewer or state.over else None for n, hand in enumerate(state.hands)]
        sizes = [len(hand) for hand in state.hands]
        return {"deck": len(state.deck), "waiting": len(state.waiting), "hands": hands, "sizes": sizes}

    def fact_view(self, fact: Any, viewer: int | None) -> dict[str, Any]:
        return {"start_seat": fact.start_seat} if isinstance(fact, SetUp) else super().fact_view(fact, viewer)


GAME = toy_game("veiled", Veiled, (SetUp, CardDrawn, TurnEnded))
