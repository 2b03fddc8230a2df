"""Brute force for the tests of the memory engine: whole worlds as plain values, all of them, in a set.

Shares no code with the engine. A world is a pair of tuples (zone contents); every move maps each world to all worlds
that it can become, and drops those that disagree with what the viewer saw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations

Content = tuple[str, ...]
World = tuple[Content, ...]


@dataclass(frozen=True)
class Place:
    name: str
    sees: tuple[int, ...] = ()
    ordered: bool = False


@dataclass(frozen=True)
class Seen:
    """A move as one viewer saw it: `cards` is None if only their number is known."""

    n: int
    cards: Content | None
    source: str | None
    target: str | None
    at: int = 0
    top: bool = False


def multisets(content: Content, n: int) -> Iterator[Content]:
    """Every way to take n cards out of a multiset."""
    if n == 0:
        yield ()
    elif content:
        first = content[0]
        others = tuple(card for card in content if card != first)
        for k in range(min(n, len(content) - len(others)) + 1):
            for rest in multisets(others, n - k):
                yield (first,) * k + rest


class Worlds:
    """All worlds of one viewer."""

    def __init__(self, places: Iterable[Place]) -> None:
        self.places = {place.name: (i, place.ordered) for i, place in enumerate(places)}
        self.worlds: set[World] = {tuple(() for _ in self.places)}

    def shuffle(self, cards: Content, zone: str, top: bool = False) -> None:
        orders = set(permutations(cards))
        self.worlds = {self._put(world, zone, order, top) for world in self.worlds for order in orders}

    def show(self, cards: Content, zone: str, at: int = 0) -> None:
        index, ordered = self.places[zone]
        if ordered:
            self.worlds = {world for world in self.worlds if world[index][at : at + len(cards)] == cards}
        else:
            self.worlds = {world for world in self.worlds if not Counter(cards) - Counter(world[index])}

    def move(self, seen: Seen) -> None:
        self.worlds = {
            self._put(left, seen.target, cards, seen.top)
            for world in self.worlds
            for cards, left in self._taken(world, seen)
        }

    def _taken(self, world: World, seen: Seen) -> Iterator[tuple[Content, World]]:
        if seen.source is None:
            assert seen.cards is not None
            yield seen.cards, world
            return
        index, ordered = self.places[seen.source]
        content = world[index]
        if ordered:
            cards = content[seen.at : seen.at + seen.n]
            if seen.cards in (None, cards):
                yield cards, self._with(world, index, content[: seen.at] + content[seen.at + seen.n :])
            return
        arranged = seen.target is not None and self.places[seen.target][1]
        if seen.cards is not None:
            options = {seen.cards}
        else:
            options = set(permutations(content, seen.n)) if arranged else set(multisets(content, seen.n))
        for option in options:
            if not Counter(option) - Counter(content):
                left = Counter(content) - Counter(option)
                yield option, self._with(world, index, tuple(sorted(left.elements())))

    def _with(self, world: World, index: int, content: Content) -> World:
        return (*world[:index], content, *world[index + 1 :])

    def _put(self, world: World, zone: str | None, cards: Content, top: bool) -> World:
        if zone is None:
            return world
        index, ordered = self.places[zone]
        content = world[index]
        if ordered:
            return self._with(world, index, cards + content if top else content + cards)
        return self._with(world, index, tuple(sorted(content + cards)))

    def bounds(self, zone: str) -> tuple[dict[str, int], dict[str, int]]:
        index = self.places[zone][0]
        counts = [Counter(content) for content in {world[index] for world in self.worlds}]
        kinds = {kind for count in counts for kind in count}
        least = {kind: n for kind in sorted(kinds) if (n := min(count[kind] for count in counts))}
        return least, {kind: max(count[kind] for count in counts) for kind in sorted(kinds)}

    def known_places(self, zone: str) -> dict[int, str]:
        index = self.places[zone][0]
        by_place = list(zip(*(world[index] for world in self.worlds), strict=True))
        return {at: cards[0] for at, cards in enumerate(by_place) if len(set(cards)) == 1}
