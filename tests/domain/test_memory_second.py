"""R-Öko with 88 cards and up to five seats, where worlds can't be listed: the engine against a second algorithm.

For each other seat all pairs of (three initial cards, illegal pile) are listed, seat by seat; the seats are joined by
the card totals: sums of initial cards, seat after seat, as far as a kind is scarce enough to bind.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import combinations_with_replacement
from typing import Any

import pytest

from domain.games.roeko.facts import CardsDelivered, CardsDisposed, DumpRefilled, GameSetUp, PileReshuffled
from domain.games.roeko.memory import PILE, hand_of, illegal_of, remember
from tests.domain.games.roeko.helpers import Policy, blindly, bot_policy
from tests.domain.games.roeko.test_playouts import play

KINDS = ("can1", "can2", "glass1", "glass2", "plastic1", "plastic2", "paper1", "paper2")
TOTAL = (19, 3) * 4
MOST_STATES = 2000

Counts = tuple[int, ...]


def counted(cards: Any) -> Counts:
    if isinstance(cards, dict):
        return tuple(cards.get(kind, 0) for kind in KINDS)
    return tuple(list(cards).count(kind) for kind in KINDS)


def plus(a: Counts, b: Counts) -> Counts:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def minus(a: Counts, b: Counts) -> Counts:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def chosen(pile: Counts, size: int) -> list[Counts]:
    if not pile:
        return [()] if size == 0 else []
    return [(n, *rest) for n in range(min(pile[0], size) + 1) for rest in chosen(pile[1:], size - n)]


INITIAL = [counted(cards) for cards in combinations_with_replacement(KINDS, 3)]


class Seat:
    """All (initial cards, illegal pile) of a hidden seat; its hand is what it has had less its illegal pile."""

    def __init__(self) -> None:
        self.net: Counts = (0,) * 8
        self.states = {(initial, (0,) * 8) for initial in INITIAL}

    def hand(self, initial: Counts, illegal: Counts) -> Counts:
        return minus(plus(initial, self.net), illegal)

    def lose(self, cards: Counts) -> None:
        self.net = minus(self.net, cards)
        self.states = {state for state in self.states if min(self.hand(*state)) >= 0}

    def gain(self, cards: Counts) -> None:
        self.net = plus(self.net, cards)

    def dispose(self, size: int) -> None:
        self.states = {
            (initial, plus(illegal, some))
            for initial, illegal in self.states
            for some in chosen(self.hand(initial, illegal), size)
        }


class Second:
    """What one viewer can know, found seat by seat."""

    def __init__(self, deal: GameSetUp, viewer: int | None) -> None:
        self.viewer = viewer
        own = counted(deal.hands[viewer]) if viewer is not None else (0,) * 8
        self.seats = {seat: Seat() for seat in range(len(deal.hands)) if seat != viewer}
        self.unseen = minus(TOTAL, plus(own, counted(deal.dumps)))
        self.first_pile = len(deal.pile)
        self.later_pile: Counts | None = None

    def tell(self, fact: Any) -> None:
        if isinstance(fact, CardsDelivered) and fact.seat in self.seats:
            singles = {f"{fact.material}1": fact.singles, f"{fact.material}2": fact.doubles}
            self.seats[fact.seat].lose(counted(singles))
            self.seats[fact.seat].gain(counted(fact.collected))
        elif isinstance(fact, CardsDisposed) and fact.seat in self.seats:
            self.seats[fact.seat].dispose(sum(fact.cards.values()))
        elif isinstance(fact, DumpRefilled):
            drawn = counted(fact.cards)
            if self.later_pile is not None:
                self.later_pile = minus(self.later_pile, drawn)
            else:
                self.unseen = minus(self.unseen, drawn)
                self.first_pile -= len(fact.cards)
        elif isinstance(fact, PileReshuffled):
            self.later_pile = counted(fact.cards)

    def too_many(self) -> bool:
        return any(len(seat.states) > MOST_STATES for seat in self.seats.values())

    def sums(self, seats: Iterable[Seat], kinds: tuple[int, ...]) -> set[Counts]:
        """Every sum of initial cards of some seats, in the given kinds, within what is unseen of them."""

        def join(sums: set[Counts], seat: Seat) -> set[Counts]:
            hands = {tuple(initial[k] for k in kinds) for initial, _ in seat.states}
            joined = {plus(some, hand) for some in sums for hand in hands}
            return {some for some in joined if all(n <= self.unseen[k] for n, k in zip(some, kinds, strict=True))}

        return reduce(join, seats, {(0,) * len(kinds)})

    def binding(self) -> tuple[int, ...]:
        return tuple(k for k in range(8) if self.unseen[k] < 3 * len(self.seats))

    def zones(self) -> dict[str, tuple[Counts, Counts]]:
        """Least and greatest counts of each hidden zone."""
        kinds = self.binding()
        found = {}
        for number, seat in self.seats.items():
            others = self.sums((other for other in self.seats.values() if other is not seat), kinds)
            room = {tuple(self.unseen[k] - n for k, n in zip(kinds, some, strict=True)) for some in others}
            fitting = {
                initial
                for initial, _ in seat.states
                if any(all(initial[k] <= n for k, n in zip(kinds, some, strict=True)) for some in room)
            }
            states = [state for state in seat.states if state[0] in fitting]
            found[hand_of(number)] = extremes(seat.hand(*state) for state in states)
            found[illegal_of(number)] = extremes(illegal for _, illegal in states)
        found[PILE] = self.pile()
        return found

    def pile(self) -> tuple[Counts, Counts]:
        if self.later_pile is not None:
            return self.later_pile, self.later_pile
        least, most = [], []
        for kind in range(8):
            kinds = (kind, *(k for k in self.binding() if k != kind))
            dealt = {some[0] for some in self.sums(self.seats.values(), kinds)}
            least.append(self.unseen[kind] - max(dealt))
            most.append(self.unseen[kind] - min(dealt))
        return tuple(least), tuple(most)


def extremes(piles: Iterable[Counts]) -> tuple[Counts, Counts]:
    listed = list(piles)
    return tuple(map(min, zip(*listed, strict=True))), tuple(map(max, zip(*listed, strict=True)))


def compare(seats: int, seed: int, policy: Policy, every: int) -> int:
    """Follow a whole game; compare at every so manyth fact. The number of (position, viewer) pairs compared."""
    facts = play(seats, seed, policy, check=False).facts
    viewers: list[int | None] = [*range(seats), None]
    seconds = {viewer: Second(facts[0], viewer) for viewer in viewers}
    memory = None
    compared = 0
    for number, fact in enumerate(facts):
        memory = remember(memory, fact)
        for viewer, second in list(seconds.items()):
            second.tell(fact)
            if second.too_many():
                del seconds[viewer]
            elif number % every == 0:
                for zone, (least, most) in second.zones().items():
                    known = memory.knowledge(viewer, zone)
                    assert (counted(known.guaranteed), counted(known.possible)) == (least, most), (seed, number, viewer)
                compared += 1
    return compared


@pytest.mark.parametrize("policy", [blindly, bot_policy("automa")], ids=["random", "automa"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_second_algorithm_finds_the_same_bounds_in_a_whole_game(seats: int, policy: Policy) -> None:
    assert compare(seats, 100 + seats, policy, every=6 * seats) > 5


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_second_algorithm_finds_the_same_bounds_at_every_position(seats: int) -> None:
    assert sum(compare(seats, seed, blindly, every=1) for seed in range(5)) > 100
