"""R-Öko's moves as the memory engine follows them, and its answers as the view's `knowledge`.

Hidden zones are each seat's hand and illegal pile, and the draw pile. Deductions live in `domain/memory`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
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
from domain.games.roeko.state import KINDS, Counts, RoekoState, counts_from, counts_of, minus, named, plus
from domain.memory import Described, Knowledge, Memory, Move, Shuffle, Zone, start

PILE = "draw_pile"


def hand_of(seat: int) -> str:
    return f"hand {seat}"


def illegal_of(seat: int) -> str:
    return f"illegal {seat}"


def remember(memory: Memory | None, fact: Any) -> Memory:
    """What all viewers have seen after a fact; None: before the first."""
    if memory is None:
        memory = start(len(fact.hands), zones(len(fact.hands)))
    return memory.after(*DESCRIBED[type(fact)](fact))


def zones(seats: int) -> dict[str, Zone]:
    """Each seat sees its own hand and illegal pile, nobody the draw pile."""
    own = {name(seat): Zone(sees=(seat,)) for seat in range(seats) for name in (hand_of, illegal_of)}
    return {PILE: Zone(ordered=True), **own}


def _set_up(fact: GameSetUp) -> list[Described]:
    deck = sorted((*(card for hand in fact.hands for card in hand), *fact.dumps, *fact.pile))
    hands = [Move(hand, PILE, hand_of(seat)) for seat, hand in enumerate(fact.hands)]
    return [Shuffle(tuple(deck), PILE), *hands, Move(fact.dumps, PILE, None)]


def _delivered(fact: CardsDelivered) -> list[Described]:
    cards = (f"{fact.material}1",) * fact.singles + (f"{fact.material}2",) * fact.doubles
    return [Move(cards, hand_of(fact.seat), None), Move(_listed(fact.collected), None, hand_of(fact.seat))]


def _disposed(fact: CardsDisposed) -> list[Described]:
    return [Move(_listed(fact.cards), hand_of(fact.seat), illegal_of(fact.seat))]


def _refilled(fact: DumpRefilled) -> list[Described]:
    return [Move(fact.cards, PILE, None)]


def _reshuffled(fact: PileReshuffled) -> list[Described]:
    """The discard pile was open: everybody knows what the new draw pile is made of."""
    return [Shuffle(tuple(sorted(fact.cards)), PILE)]


def _nothing_moved(fact: TurnEnded | TurnPassed) -> list[Described]:
    return []


def _listed(cards: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(kind for kind, count in cards.items() for _ in range(count))


DESCRIBED: Mapping[type, Callable[[Any], list[Described]]] = {
    GameSetUp: _set_up,
    CardsDelivered: _delivered,
    CardsDisposed: _disposed,
    DumpRefilled: _refilled,
    PileReshuffled: _reshuffled,
    TurnEnded: _nothing_moved,
    TurnPassed: _nothing_moved,
}


def knowledge(state: RoekoState, memory: Memory, viewer: Viewer) -> dict[str, Any]:
    """What a viewer can know of the other hands and illegal piles and of the draw pile, as JSON.

    `pool` is the overview of the draw pile: all copies but the viewer's own, those lying open, and those
    guaranteed to be in another hand or illegal pile.
    """
    others = [seat for seat in range(state.seats) if seat != viewer]
    hands = {seat: memory.knowledge(viewer, hand_of(seat)) for seat in others}
    illegal = {seat: memory.knowledge(viewer, illegal_of(seat)) for seat in others}
    proved = (known.guaranteed for known in (*hands.values(), *illegal.values()))
    return {
        "hands": [_bounds(hands.get(seat)) for seat in range(state.seats)],
        "illegal": [_bounds(illegal.get(seat)) for seat in range(state.seats)],
        "draw_pile": {
            "pool": named(_pool(state, others, proved)),
            **(_bounds(memory.knowledge(viewer, PILE)) or {}),
        },
    }


def standing(state: RoekoState, world: Mapping[str, Iterable[str]]) -> RoekoState:
    """The position with hands, illegal piles and draw pile as in a world."""
    seats = range(state.seats)
    return replace(
        state,
        hands=tuple(counts_of(world[hand_of(seat)]) for seat in seats),
        illegal=tuple(counts_of(world[illegal_of(seat)]) for seat in seats),
        pile=tuple(KINDS.index(kind) for kind in world[PILE]),
        drawn=0,
    )


def _pool(state: RoekoState, others: Iterable[int], proved: Iterable[Mapping[str, int]]) -> Counts:
    """All that the viewer can't place: what is hidden from it, less what it has proved of hands and illegal piles."""
    drawn = Counter(state.pile[state.drawn :])
    pool: Counts = tuple(drawn[kind] for kind in range(len(KINDS)))
    for seat in others:
        pool = plus(pool, plus(state.hands[seat], state.illegal[seat]))
    for known in proved:
        pool = minus(pool, counts_from(known))
    return pool


def _bounds(known: Knowledge | None) -> dict[str, dict[str, int]] | None:
    if known is None:
        return None
    return {"guaranteed": _ordered(known.guaranteed), "possible": _ordered(known.possible)}


def _ordered(counts: Mapping[str, int]) -> dict[str, int]:
    return {kind: counts[kind] for kind in KINDS if counts.get(kind)}
