"""One hidden place and the blocks chosen out of it: which contents are possible. Pure arithmetic on counts.

A *class* is a kind ("paper1": a known card) or a lot ("*3": a card of lot 3, kind unknown). A group counts what came
in and what was seen to leave; the cards that somebody took out unseen are its blocks, in order of time. Let D(j) be
the cards in the first j blocks, by class. Exactly those D are possible that grow with j, have the blocks' sizes and
stay under `reach(j)`, the least stock of each class at any time since block j (less would make a later sight
impossible). Reach grows with j, so a D(j) below it always extends to D(j+1): each bound is a shortest path over j.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

Counts = tuple[tuple[str, int], ...]
"""A multiset: (class, count) pairs in ascending order, counts above zero."""

Bounds = tuple[int, int]
"""The least and the greatest value of a count."""


def _hash_once(value: Block | Group) -> int:
    """The hash of an immutable value that is looked up in caches again and again, remembered beside its fields."""
    known = value.__dict__.get("hash")
    if known is None:
        known = value.__dict__["hash"] = hash(tuple(getattr(value, name) for name in value.__dataclass_fields__))
    return known


@dataclass(frozen=True)
class Block:
    """Cards that left a group unseen, at one time.

    `zone`: where they lie now; in a pile the place is the cell `name`. `reach`: see above. `kept`: they lie in the
    unordered zone into which they were put; see `branch._is_loose`.
    """

    name: str
    size: int
    zone: str
    reach: Counts
    kept: bool = False

    __hash__ = _hash_once


@dataclass(frozen=True)
class Group:
    """What came into one hidden zone and was not seen to leave it.

    `cards`: by class, the blocks' cards included. `spent`: (lot, kind, count) of its lot cards whose kind was seen
    when they left, kept while no card of that lot joins; only the odds of `sample` need it.
    """

    cards: Counts = ()
    blocks: tuple[Block, ...] = ()
    spent: tuple[tuple[str, str, int], ...] = ()

    __hash__ = _hash_once


def is_lot(card: str) -> bool:
    return card[0] == "*"


def number(counts: Counts, card: str) -> int:
    for name, n in counts:
        if name == card:
            return n
    return 0


def total(counts: Counts) -> int:
    return sum(n for _, n in counts)


def tally(cards: Iterable[tuple[str, int]]) -> Counts:
    """The multiset of the given (class, count) pairs."""
    counts: dict[str, int] = {}
    for card, n in cards:
        counts[card] = counts.get(card, 0) + n
    return tuple(sorted((card, n) for card, n in counts.items() if n))


def change(counts: Counts, card: str, by: int) -> Counts:
    return tally((*counts, (card, by)))


def under(counts: Counts, card: str, most: int) -> Counts:
    """The multiset with at most so many of one class."""
    if number(counts, card) <= most:
        return counts
    return tuple((name, most if name == card else n) for name, n in counts if name != card or most)


def is_feasible(group: Group) -> bool:
    taken = 0
    for block in group.blocks:
        taken += block.size
        if total(block.reach) < taken:
            return False
    return True


@lru_cache(maxsize=4096)
def add(group: Group, cards: Counts) -> Group:
    """The group after cards joined it."""
    joined = {card for card, _ in cards}
    spent = tuple(entry for entry in group.spent if entry[0] not in joined)
    return Group(tally((*group.cards, *cards)), group.blocks, spent)


def _reaching(block: Block, reach: Counts) -> Block:
    return block if reach is block.reach else replace(block, reach=reach)


@lru_cache(maxsize=4096)
def take(group: Group, card: str, kind: str | None = None) -> Group | None:
    """The group after one card of a class was seen to leave it (a lot's card as `kind`); None if none can be there."""
    left = number(group.cards, card) - 1
    if left < 0:
        return None
    blocks = tuple(_reaching(block, under(block.reach, card, left)) for block in group.blocks)
    spent = group.spent
    if kind is not None:
        spent = spend(spent, card, kind)
    taken = Group(change(group.cards, card, -1), blocks, spent)
    return taken if is_feasible(taken) else None


def spend(spent: tuple[tuple[str, str, int], ...], lot: str, kind: str) -> tuple[tuple[str, str, int], ...]:
    counts = {(name, what): n for name, what, n in spent}
    counts[lot, kind] = counts.get((lot, kind), 0) + 1
    return tuple(sorted((name, what, n) for (name, what), n in counts.items()))


@lru_cache(maxsize=4096)
def choose(group: Group, name: str, size: int, zone: str, kept: bool) -> Group:
    """The group after somebody took `size` cards out of it, unseen, as a block that lies in `zone`."""
    return replace(group, blocks=(*group.blocks, Block(name, size, zone, group.cards, kept)))


@lru_cache(maxsize=4096)
def open_block(group: Group, name: str, card: str, kind: str | None = None) -> Group | None:
    """The group after one card of a block turned out to be of a class; None if it can't be."""
    index = next(i for i, block in enumerate(group.blocks) if block.name == name)
    most = number(group.blocks[index].reach, card) - 1
    if most < 0:
        return None
    blocks = []
    for i, block in enumerate(group.blocks):
        if i < index:
            blocks.append(_reaching(block, under(block.reach, card, most)))
        elif i > index or block.size > 1:
            size = block.size - (i == index)
            blocks.append(replace(block, size=size, reach=change(block.reach, card, -1)))
    spent = group.spent if kind is None else spend(group.spent, card, kind)
    opened = Group(change(group.cards, card, -1), tuple(blocks), spent)
    return opened if is_feasible(opened) else None


def settled(group: Group, index: int, known: Counts) -> Group:
    """The group after the first blocks, up to `index`, turned out to hold exactly `known` and lot cards of their reach.

    Only for blocks whose reach has just their number of cards; what is left of them stays as one block.
    """
    found = dict(known)

    def rest(counts: Counts) -> Counts:
        return tally((card, n - found.get(card, 0)) for card, n in counts)

    last = group.blocks[index]
    size = total(last.reach) - total(known)
    left = (replace(last, size=size, reach=rest(last.reach)),) if size else ()
    later = tuple(replace(block, reach=rest(block.reach)) for block in group.blocks[index + 1 :])
    return Group(rest(group.cards), left + later, group.spent)


def moved(group: Group, name: str, zone: str) -> Group:
    """The group with a block lying somewhere else."""
    blocks = (
        replace(block, zone=zone, kept=False) if block.name == name and block.zone != zone else block
        for block in group.blocks
    )
    return Group(group.cards, tuple(blocks), group.spent)


@lru_cache(maxsize=4096)
def rename(group: Group, card: str, other: str) -> Group:
    """The group with one class counted as another; possible contents are never lost by it."""
    if not number(group.cards, card):
        return group

    def renamed(counts: Counts) -> Counts:
        return tally((other if name == card else name, n) for name, n in counts)

    blocks = tuple(
        replace(block, reach=renamed(block.reach)) if number(block.reach, card) else block for block in group.blocks
    )
    spent = tuple(entry for entry in group.spent if entry[0] != other)
    return Group(renamed(group.cards), blocks, spent)


class Portion:
    """Some of a group's cards: certain blocks, with or without what was left behind. Answers are remembered."""

    __slots__ = ("_bounds", "cards", "chosen", "group", "rest")

    def __init__(self, group: Group, chosen: tuple[int, ...], rest: bool) -> None:
        self.group = group
        self.chosen = chosen
        self.rest = rest
        reach = () if rest or not chosen else group.blocks[chosen[-1]].reach
        self.cards = tuple(card for card, _ in (group.cards if rest else reach))
        self._bounds: dict[frozenset[str], Bounds] = {}

    def bounds(self, classes: frozenset[str]) -> Bounds:
        """How many of its cards can be of the given classes together."""
        wanted = classes.intersection(self.cards)
        known = self._bounds.get(wanted)
        if known is None:
            known = self._bounds[wanted] = self._count(wanted)
        return known

    def _count(self, classes: frozenset[str]) -> Bounds:
        if not classes:
            return 0, 0
        if not self.rest:
            return _span(self.group, classes, self.chosen)
        others = tuple(i for i in range(len(self.group.blocks)) if i not in self.chosen)
        least, most = _span(self.group, classes, others)
        held = sum(n for card, n in self.group.cards if card in classes)
        return held - most, held - least


portion: Callable[[Group, tuple[int, ...], bool], Portion] = lru_cache(maxsize=4096)(Portion)


def _span(group: Group, classes: frozenset[str], chosen: tuple[int, ...]) -> Bounds:
    """Bounds of the number of cards of some classes in the chosen blocks (ascending indices) together."""
    if not chosen:
        return 0, 0
    sizes = [0]
    low, high = [0], [0]
    for block in group.blocks:
        inside = sum(n for card, n in block.reach if card in classes)
        outside = total(block.reach) - inside
        sizes.append(sizes[-1] + block.size)
        low.append(max(low[-1], sizes[-1] - outside))
        high.append(min(high[-1] + block.size, inside))
    # Reach never shrinks from block to block, so what the later ones allow narrows no bound of the earlier ones.
    first, last = chosen[0], chosen[-1] + 1
    if last - first == len(chosen):
        least = max(0, low[last] - high[first])
        return least, min(sizes[last] - sizes[first], high[last] - low[first])
    return _walk(group, chosen, low, high, min), _walk(group, chosen, low, high, max)


def _walk(
    group: Group, chosen: tuple[int, ...], low: list[int], high: list[int], best: Callable[[Iterable[int]], int]
) -> int:
    """The extreme number of cards in blocks that do not follow each other: a walk over all D(j) within the bounds."""
    sums = {0: 0}
    for i, block in enumerate(group.blocks):
        counts = i in chosen
        following = {}
        for value in range(low[i + 1], high[i + 1] + 1):
            ways = [
                sums[before] + (value - before if counts else 0)
                for before in range(max(low[i], value - block.size), min(high[i], value) + 1)
                if before in sums
            ]
            if ways:
                following[value] = best(ways)
        sums = following
    return best(sums.values())
