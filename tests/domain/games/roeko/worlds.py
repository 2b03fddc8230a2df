"""All worlds of one viewer of R-Öko, listed: what the memory must answer exactly. Shares no code with it.

A world is what the viewer can't see: the other hands, the other illegal piles and the draw pile, as counts.
Each fact strikes out the worlds that it contradicts and branches over every disposal that it hides.
"""

from __future__ import annotations

from typing import Any

KINDS = ("can1", "can2", "glass1", "glass2", "plastic1", "plastic2", "paper1", "paper2")
Pile = tuple[int, ...]
World = tuple[tuple[Pile, ...], tuple[Pile, ...], Pile]
"""Other hands, other illegal piles (both in the order of the seats), draw pile."""


class TooManyWorlds(Exception):
    """More worlds than a test wants to list."""


def counts(cards: Any) -> Pile:
    """Counts of cards given as a list or as kind → count."""
    if isinstance(cards, dict):
        return tuple(cards.get(kind, 0) for kind in KINDS)
    return tuple(list(cards).count(kind) for kind in KINDS)


def choices(pile: Pile, size: int) -> list[Pile]:
    """Every way to choose so many cards of a pile, as counts."""
    if not pile:
        return [()] if size == 0 else []
    return [(n, *rest) for n in range(min(pile[0], size) + 1) for rest in choices(pile[1:], size - n)]


def add(some: Pile, more: Pile) -> Pile:
    return tuple(a + b for a, b in zip(some, more, strict=True))


def take(some: Pile, less: Pile) -> Pile | None:
    """What is left; None if it is not there."""
    left = tuple(a - b for a, b in zip(some, less, strict=True))
    return None if min(left) < 0 else left


class Worlds:
    """The worlds left to a viewer (a seat, or None for the public) after some facts."""

    def __init__(self, deal: Any, viewer: int | None, most: int) -> None:
        self.viewer, self.most = viewer, most
        self.others = [seat for seat in range(len(deal.hands)) if seat != viewer]
        unseen = add(counts(deal.pile), (0,) * 8)
        for seat in self.others:
            unseen = add(unseen, counts(deal.hands[seat]))
        nothing = ((0,) * 8,) * len(self.others)
        self.worlds: set[World] = {((), nothing, unseen)}
        for seat in self.others:
            self._become(
                {
                    ((*hands, hand), illegal, left)
                    for hands, illegal, pile in self.worlds
                    for hand in choices(pile, len(deal.hands[seat]))
                    if (left := take(pile, hand)) is not None
                }
            )

    def see(self, fact: Any) -> None:
        """Strike out and branch by a fact."""
        follow = getattr(self, f"_see_{type(fact).__name__}", None)
        if follow is not None:
            follow(fact)

    def _become(self, worlds: set[World]) -> None:
        if len(worlds) > self.most:
            raise TooManyWorlds
        assert worlds, "the facts contradict every world"
        self.worlds = worlds

    def _see_CardsDelivered(self, fact: Any) -> None:  # noqa: N802
        if fact.seat == self.viewer:
            return
        at = self.others.index(fact.seat)
        given = {f"{fact.material}1": fact.singles, f"{fact.material}2": fact.doubles}
        after = set()
        for hands, illegal, pile in self.worlds:
            left = take(hands[at], counts(given))
            if left is not None:
                hand = add(left, counts(fact.collected))
                after.add(((*hands[:at], hand, *hands[at + 1 :]), illegal, pile))
        self._become(after)

    def _see_CardsDisposed(self, fact: Any) -> None:  # noqa: N802
        if fact.seat == self.viewer:
            return
        at, size = self.others.index(fact.seat), sum(fact.cards.values())
        after = set()
        for hands, illegal, pile in self.worlds:
            for gone in choices(hands[at], size):
                left = take(hands[at], gone)
                assert left is not None
                heap = add(illegal[at], gone)
                after.add(((*hands[:at], left, *hands[at + 1 :]), (*illegal[:at], heap, *illegal[at + 1 :]), pile))
        self._become(after)

    def _see_DumpRefilled(self, fact: Any) -> None:  # noqa: N802
        drawn = counts(fact.cards)
        self._become({(h, i, left) for h, i, pile in self.worlds if (left := take(pile, drawn)) is not None})

    def _see_PileReshuffled(self, fact: Any) -> None:  # noqa: N802
        self._become({(h, i, counts(fact.cards)) for h, i, pile in self.worlds if not any(pile)})

    def bounds(self) -> dict[str, Any]:
        """`knowledge` as the rules page writes it, the pool left out."""
        hands: list[Any] = []
        illegal: list[Any] = []
        for seat in range(len(self.others) + (self.viewer is not None)):
            if seat == self.viewer:
                hands.append(None)
                illegal.append(None)
                continue
            at = self.others.index(seat)
            hands.append(extremes({world[0][at] for world in self.worlds}))
            illegal.append(extremes({world[1][at] for world in self.worlds}))
        return {"hands": hands, "illegal": illegal, "draw_pile": extremes({world[2] for world in self.worlds})}


def extremes(piles: set[Pile]) -> dict[str, dict[str, int]]:
    least, most = (tuple(map(pick, zip(*piles, strict=True))) for pick in (min, max))
    return {
        "guaranteed": {kind: n for kind, n in zip(KINDS, least, strict=True) if n},
        "possible": {kind: n for kind, n in zip(KINDS, most, strict=True) if n},
    }
