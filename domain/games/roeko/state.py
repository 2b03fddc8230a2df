"""The state of a game of R-Öko and how facts are written into it; no rule is decided here.

Cards are counted by kind: a `Counts` holds eight numbers in the order of `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from domain.games.roeko.facts import (
    CardsDelivered,
    CardsDisposed,
    DumpRefilled,
    GameSetUp,
    PileReshuffled,
    TurnEnded,
    TurnPassed,
)

MATERIALS = ("can", "glass", "plastic", "paper")
KINDS = tuple(f"{material}{icons}" for material in MATERIALS for icons in (1, 2))
"""Kind 2m is the single of material m, kind 2m + 1 its double."""

MATERIAL_INDEX = {material: index for index, material in enumerate(MATERIALS)}
KIND_INDEX = {kind: index for index, kind in enumerate(KINDS)}

HAND_LIMIT = 5

Counts = tuple[int, ...]
NONE: Counts = (0,) * len(KINDS)


@dataclass(frozen=True, slots=True)
class RoekoState:
    """A position.

    Args:
        seat, turn: whose turn it is and its number, from 1.
        hands, illegal: by seat.
        won: by seat and material, reward values in the order won.
        recycling: by material, (singles, doubles).
        dumps: by material.
        rewards: by material, the next one first.
        pile, drawn: the draw pile as shuffled, from the top, and how many of it are gone.
        delivered: index of this turn's factory; None before the delivery.
        passes: turns passed in a row.
        ended: the reason why the game is over.
    """

    seat: int
    turn: int
    hands: tuple[Counts, ...]
    illegal: tuple[Counts, ...]
    won: tuple[tuple[tuple[int, ...], ...], ...]
    recycling: tuple[tuple[int, int], ...]
    dumps: tuple[Counts, ...]
    rewards: tuple[tuple[int, ...], ...]
    pile: tuple[int, ...]
    drawn: int
    discard: Counts
    delivered: int | None = None
    passes: int = 0
    ended: str | None = None

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def pile_size(self) -> int:
        return len(self.pile) - self.drawn

    @property
    def excess(self) -> int:
        """Cards that the acting seat must dispose of now: those over the hand limit, once it has delivered."""
        if self.delivered is None:
            return 0
        return max(0, sum(self.hands[self.seat]) - HAND_LIMIT)

    def icons(self, material: int) -> int:
        """Icons on a factory's recycling side."""
        singles, doubles = self.recycling[material]
        return singles + 2 * doubles


def counts_of(kinds: Iterable[str]) -> Counts:
    """Cards listed one by one, counted."""
    counts = [0] * len(KINDS)
    for kind in kinds:
        counts[KIND_INDEX[kind]] += 1
    return tuple(counts)


def counts_from(cards: Mapping[str, int]) -> Counts:
    """Counts written as JSON, kind → count."""
    counts = [0] * len(KINDS)
    for kind, count in cards.items():
        counts[KIND_INDEX[kind]] = count
    return tuple(counts)


def named(counts: Counts) -> dict[str, int]:
    """Counts as JSON, kind → count: in the order of the kinds, zeros left out."""
    return {KINDS[kind]: count for kind, count in enumerate(counts) if count}


def plus(some: Counts, more: Counts) -> Counts:
    return tuple([a + b for a, b in zip(some, more, strict=True)])


def minus(some: Counts, less: Counts) -> Counts:
    return tuple([a - b for a, b in zip(some, less, strict=True)])


def _set(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    return (*items[:index], item, *items[index + 1 :])


def evolve(state: RoekoState | None, fact: Any) -> RoekoState:
    """The state after a fact; None before the first, which is `GameSetUp`."""
    if state is None:
        return _set_up(fact)
    return WRITE[type(fact)](state, fact)


def _set_up(fact: GameSetUp) -> RoekoState:
    seats = len(fact.hands)
    return RoekoState(
        seat=fact.start_seat,
        turn=1,
        hands=tuple(counts_of(hand) for hand in fact.hands),
        illegal=(NONE,) * seats,
        won=(((),) * len(MATERIALS),) * seats,
        recycling=((0, 0),) * len(MATERIALS),
        dumps=tuple(counts_of([card]) for card in fact.dumps),
        rewards=(fact.rewards,) * len(MATERIALS),
        pile=tuple(KIND_INDEX[card] for card in fact.pile),
        drawn=0,
        discard=NONE,
    )


def _delivered(state: RoekoState, fact: CardsDelivered) -> RoekoState:
    seat, material = fact.seat, MATERIAL_INDEX[fact.material]
    collected = counts_from(fact.collected)
    hand = list(plus(state.hands[seat], collected))
    hand[2 * material] -= fact.singles
    hand[2 * material + 1] -= fact.doubles
    singles, doubles = state.recycling[material]
    there = (singles + fact.singles, doubles + fact.doubles)
    won, rewards, discard = state.won, state.rewards, state.discard
    if fact.reward is not None:
        mine = won[seat]
        won = _set(won, seat, _set(mine, material, (*mine[material], fact.reward)))
        rewards = _set(rewards, material, rewards[material][1:])
        cleared = list(discard)
        cleared[2 * material] += there[0]
        cleared[2 * material + 1] += there[1]
        discard, there = tuple(cleared), (0, 0)
    return replace(
        state,
        hands=_set(state.hands, seat, tuple(hand)),
        won=won,
        recycling=_set(state.recycling, material, there),
        dumps=_set(state.dumps, material, minus(state.dumps[material], collected)),
        rewards=rewards,
        discard=discard,
        delivered=material,
        passes=0,
    )


def _disposed(state: RoekoState, fact: CardsDisposed) -> RoekoState:
    seat, cards = fact.seat, counts_from(fact.cards)
    return replace(
        state,
        hands=_set(state.hands, seat, minus(state.hands[seat], cards)),
        illegal=_set(state.illegal, seat, plus(state.illegal[seat], cards)),
    )


def _refilled(state: RoekoState, fact: DumpRefilled) -> RoekoState:
    material = MATERIAL_INDEX[fact.material]
    return replace(
        state,
        dumps=_set(state.dumps, material, plus(state.dumps[material], counts_of(fact.cards))),
        drawn=state.drawn + len(fact.cards),
    )


def _reshuffled(state: RoekoState, fact: PileReshuffled) -> RoekoState:
    return replace(state, pile=tuple(KIND_INDEX[card] for card in fact.cards), drawn=0, discard=NONE)


def _turn_ended(state: RoekoState, fact: TurnEnded) -> RoekoState:
    return _next_turn(replace(state, delivered=None), fact.next_seat, fact.reason)


def _turn_passed(state: RoekoState, fact: TurnPassed) -> RoekoState:
    return _next_turn(replace(state, passes=state.passes + 1), fact.next_seat, fact.reason)


def _next_turn(state: RoekoState, seat: int | None, reason: str | None) -> RoekoState:
    if seat is None:
        return replace(state, ended=reason)
    return replace(state, seat=seat, turn=state.turn + 1)


WRITE: Mapping[type, Callable[[RoekoState, Any], RoekoState]] = {
    CardsDelivered: _delivered,
    CardsDisposed: _disposed,
    DumpRefilled: _refilled,
    PileReshuffled: _reshuffled,
    TurnEnded: _turn_ended,
    TurnPassed: _turn_passed,
}
