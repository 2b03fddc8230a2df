"""What each viewer may see of a state and of a fact: allow-lists, field by field.

Nothing is shown that is not named here. What can be *inferred* of hidden zones is in `memory.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.game import Viewer
from domain.games.roeko.facts import (
    CardsDelivered,
    CardsDisposed,
    DumpRefilled,
    GameSetUp,
    PileReshuffled,
    TurnEnded,
    TurnPassed,
)
from domain.games.roeko.state import KINDS, MATERIALS, RoekoState, named


def view(state: RoekoState, viewer: Viewer) -> dict[str, Any]:
    """The state for one viewer; after the end all hands and illegal piles are open."""
    return {
        "factories": {material: _factory(state, index) for index, material in enumerate(MATERIALS)},
        "draw_pile": state.pile_size,
        "discard_pile": named(state.discard),
        "delivered": None if state.delivered is None else MATERIALS[state.delivered],
        "passes": state.passes,
        "must_dispose": state.excess if viewer == state.seat else 0,
        "seats": [_seat(state, seat, state.ended is not None or seat == viewer) for seat in range(state.seats)],
    }


def _factory(state: RoekoState, index: int) -> dict[str, Any]:
    singles, doubles = state.recycling[index]
    name = MATERIALS[index]
    there = {f"{name}1": singles, f"{name}2": doubles}
    return {
        "recycling": {kind: count for kind, count in there.items() if count},
        "icons": state.icons(index),
        "dump": named(state.dumps[index]),
        "rewards": list(state.rewards[index]),
    }


def _seat(state: RoekoState, seat: int, is_open: bool) -> dict[str, Any]:
    return {
        "hand": named(state.hands[seat]) if is_open else None,
        "hand_size": sum(state.hands[seat]),
        "rewards": {name: list(won) for name, won in zip(MATERIALS, state.won[seat], strict=True) if won},
        "illegal": sum(state.illegal[seat]),
        "illegal_cards": named(state.illegal[seat]) if is_open else None,
    }


def fact_view(fact: Any, viewer: Viewer) -> dict[str, Any]:
    """A fact's fields for one viewer while the game runs."""
    return SHOWN[type(fact)](fact, viewer)


def _set_up(fact: GameSetUp, viewer: Viewer) -> dict[str, Any]:
    return {
        "start_seat": fact.start_seat,
        "hands": [sorted(hand, key=KINDS.index) if seat == viewer else None for seat, hand in enumerate(fact.hands)],
        "dumps": list(fact.dumps),
        "pile": len(fact.pile),
        "rewards": list(fact.rewards),
    }


def _delivered(fact: CardsDelivered, viewer: Viewer) -> dict[str, Any]:
    return {
        "seat": fact.seat,
        "material": fact.material,
        "singles": fact.singles,
        "doubles": fact.doubles,
        "reward": fact.reward,
        "collected": dict(fact.collected),
    }


def _disposed(fact: CardsDisposed, viewer: Viewer) -> dict[str, Any]:
    return {
        "seat": fact.seat,
        "count": sum(fact.cards.values()),
        "cards": dict(fact.cards) if viewer == fact.seat else None,
    }


def _refilled(fact: DumpRefilled, viewer: Viewer) -> dict[str, Any]:
    return {"material": fact.material, "cards": list(fact.cards)}


def _reshuffled(fact: PileReshuffled, viewer: Viewer) -> dict[str, Any]:
    return {"count": len(fact.cards)}


def _turn_over(fact: TurnEnded | TurnPassed, viewer: Viewer) -> dict[str, Any]:
    return {"seat": fact.seat, "next_seat": fact.next_seat, "reason": fact.reason}


SHOWN: Mapping[type, Callable[[Any, Viewer], dict[str, Any]]] = {
    GameSetUp: _set_up,
    CardsDelivered: _delivered,
    CardsDisposed: _disposed,
    DumpRefilled: _refilled,
    PileReshuffled: _reshuffled,
    TurnEnded: _turn_over,
    TurnPassed: _turn_over,
}
