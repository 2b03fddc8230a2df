"""One way in which the hidden cards can lie, as far as it must be told apart from others: a *branch*.

Within a branch the groups are independent and lot cards are free: any arrangement of a lot's kinds over its cards is a
world. This module follows a move in one branch, which may split it; how branches are kept and asked is elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce

from domain.memory.group import (
    Block,
    Counts,
    Group,
    add,
    change,
    choose,
    is_lot,
    moved,
    number,
    open_block,
    portion,
    settled,
    take,
    tally,
    total,
)
from domain.memory.moves import TOP

Pile = tuple[tuple[str, int], ...]
"""Cells from the top: (lot, n) for n cards of a shuffled part, (kind, 1), or (block name, 1) for an unseen return."""


@dataclass(frozen=True, slots=True)
class Branch:
    """`lots`: lot → kinds of its cards that nobody placed yet; `groups`: unordered zone → group; `piles`: ordered zone
    → cells."""

    lots: dict[str, Counts] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
    piles: dict[str, Pile] = field(default_factory=dict)

    def key(self) -> object:
        """A hashable value, equal for equal branches."""
        return tuple(tuple(sorted(part.items())) for part in (self.lots, self.groups, self.piles))

    def with_group(self, zone: str, group: Group) -> Branch:
        groups = {**self.groups, zone: group}
        if not group.cards:
            del groups[zone]
        return Branch(self.lots, groups, self.piles)

    def with_pile(self, zone: str, *parts: Pile) -> Branch:
        """The branch with a pile laid together from parts, the uppermost first."""
        return Branch(self.lots, self.groups, {**self.piles, zone: reduce(joined, parts)})

    def with_spent(self, lot: str, kind: str) -> Branch:
        """A lot's card turned out to be of a kind that the lot still has."""
        left = change(self.lots[lot], kind, -1)
        lots = {**self.lots, lot: left}
        if not left:
            del lots[lot]
        return Branch(lots, self.groups, self.piles)

    def lots_with(self, kind: str, among: Iterable[str]) -> list[str]:
        return [card for card in among if is_lot(card) and number(self.lots[card], kind)]

    def blocks_in(self, zone: str) -> list[tuple[str, Block]]:
        """(owner, block) for each block that lies in a zone."""
        return [(owner, block) for owner, group in self.groups.items() for block in group.blocks if block.zone == zone]

    def block(self, name: str) -> tuple[str, int]:
        """The owner of the group out of which a block was chosen, and the block's index there."""
        for owner, group in self.groups.items():
            for index, block in enumerate(group.blocks):
                if block.name == name:
                    return owner, index
        raise KeyError(name)

    def size(self, zone: str) -> int:
        if zone in self.piles:
            return sum(n for _, n in self.piles[zone])
        size = sum(block.size for _, block in self.blocks_in(zone))
        if zone in self.groups:
            group = self.groups[zone]
            size += total(group.cards) - sum(block.size for block in group.blocks)
        return size


def distinct(branches: Iterable[Branch]) -> tuple[Branch, ...]:
    """The branches without repetitions, in order."""
    found = tuple(branches)
    return found if len(found) < 2 else tuple({branch.key(): branch for branch in found}.values())


def joined(above: Pile, below: Pile) -> Pile:
    if above and below and above[-1][0] == below[0][0] and is_lot(below[0][0]):
        return (*above[:-1], (below[0][0], above[-1][1] + below[0][1]), *below[1:])
    return above + below


def cut(pile: Pile, place: int) -> tuple[Pile, Pile]:
    """A pile in two parts: the cells above a place (as many cards as its number) and those from it downwards."""
    for index, (card, n) in enumerate(pile):
        if place < n:
            if not place:
                return pile[:index], pile[index:]
            return (*pile[:index], (card, place)), ((card, n - place), *pile[index + 1 :])
        place -= n
    if place:
        raise ValueError(f"the pile is {place} cards too short")
    return pile, ()


def put(branch: Branch, zone: str | None, cards: Pile, place: str) -> Branch:
    """Lay cells (known kinds, lot cards, blocks) into a zone."""
    if zone is None:
        return branch
    if zone in branch.piles:
        pile = branch.piles[zone]
        for name, _ in cards:
            if name[0] == "#":
                branch = _relabel(branch, name, zone)
        return branch.with_pile(zone, cards, pile) if place == TOP else branch.with_pile(zone, pile, cards)
    plain = tally(cell for cell in cards if cell[0][0] != "#")
    if plain:
        branch = branch.with_group(zone, add(branch.groups.get(zone, Group()), plain))
    for name, _ in cards:
        if name[0] == "#":
            branch = _relabel(branch, name, zone)
    return branch


def _relabel(branch: Branch, name: str, zone: str) -> Branch:
    owner, _ = branch.block(name)
    return branch.with_group(owner, moved(branch.groups[owner], name, zone))


def shuffled(branch: Branch, lot: str, cards: Counts, onto: str, place: str) -> Branch:
    """A new lot, laid onto a pile."""
    if not cards:
        return branch
    branch = replace(branch, lots={**branch.lots, lot: cards})
    return put(branch, onto, ((lot, total(cards)),), place)


def see(branch: Branch, zone: str, kind: str, at: int) -> Iterator[Branch]:
    """The branch split by how a card of a kind can have been in a zone (in a pile: at that place), and without it."""
    if zone not in branch.piles:
        yield from _see_loose(branch, zone, kind)
        return
    above, from_there = cut(branch.piles[zone], at)
    ((card, _),), below = cut(from_there, 1)
    branch = branch.with_pile(zone, above, below)
    if card[0] == "#":
        yield from _open_as(branch, card, kind)
    elif is_lot(card):
        if number(branch.lots[card], kind):
            yield branch.with_spent(card, kind)
    elif card == kind:
        yield branch


def _open_as(branch: Branch, name: str, kind: str) -> Iterator[Branch]:
    """A card of a block is seen to be of a kind: it was a known card of it, or a lot's."""
    owner, index = branch.block(name)
    group = branch.groups[owner]
    opened = open_block(group, name, kind)
    if opened is not None:
        yield branch.with_group(owner, opened)
    for lot in branch.lots_with(kind, (card for card, _ in group.blocks[index].reach)):
        opened = open_block(group, name, lot, kind)
        if opened is not None:
            yield branch.with_spent(lot, kind).with_group(owner, opened)


def _see_loose(branch: Branch, zone: str, kind: str) -> Iterator[Branch]:
    """One card of a kind is seen to leave an unordered zone.

    A known card of it goes first. Any world in which a lot's card was the one that left is the same world with the
    two exchanged, unless the known one lies in a block from which that lot's card is barred because it came later.
    """
    group = branch.groups.get(zone)
    if group is not None:
        known = take(group, kind)
        if known is not None:
            yield branch.with_group(zone, known)
            if portion(group, (), True).bounds(frozenset((kind,)))[0]:
                return
        for lot in branch.lots_with(kind, (card for card, _ in group.cards)):
            if known is not None and number(group.blocks[0].reach, lot) == number(group.cards, lot):
                continue
            unknown = take(group, lot, kind)
            if unknown is not None:
                yield branch.with_spent(lot, kind).with_group(zone, unknown)
    for _, block in branch.blocks_in(zone):
        yield from _open_as(branch, block.name, kind)


def draw(branch: Branch, zone: str, n: int, at: int, name: str, target: str) -> tuple[Branch, Pile]:
    """The branch without n cards that leave a zone unseen, and the cells that left (none if they lie as a block)."""
    if zone in branch.piles:
        above, from_there = cut(branch.piles[zone], at)
        taken, below = cut(from_there, n)
        return branch.with_pile(zone, above, below), taken
    group, kept = branch.groups[zone], target not in branch.piles
    card = group.cards[0][0]
    if len(group.cards) == 1 and not group.blocks and _is_loose(branch, card, kept):
        return branch.with_group(zone, Group(change(group.cards, card, -n))), ((card, n),)
    if kept:
        return branch.with_group(zone, choose(group, name, n, target, True)), ()
    names = tuple(f"{name}.{i}" for i in range(n))
    for each in names:
        group = choose(group, each, 1, target, False)
    return branch.with_group(zone, group), tuple((each, 1) for each in names)


def _is_loose(branch: Branch, card: str, kept: bool) -> bool:
    """Whether unseen cards that were put somewhere may forget the group they came from, once their class is known.

    A lot's cards kept in an unordered zone stay in their group while the lot has doubles: what their like turn out to
    be weighs on the odds of a sample (never on a bound).
    """
    return not (kept and is_lot(card)) or all(count == 1 for _, count in branch.lots[card])


def unsettled(branch: Branch, source: str, target: str | None = None) -> tuple[str, Block] | None:
    """(owner, block) of the next block that must be opened before unseen cards can leave a zone; None if none must.

    For a choice (no `target`): a block that lies there. For all cards going to `target`: one that came from there, if
    unseen choices were made out of both.
    """
    if target is None:
        return next(iter(branch.blocks_in(source)), None)
    coming, there = branch.groups.get(source), branch.groups.get(target)
    if coming and there and coming.blocks and there.blocks:
        return source, coming.blocks[0]
    return None


def open_as_any(branch: Branch, owner: str, block: Block) -> Iterator[Branch]:
    """The branch split by the class of a card of a block, which becomes an ordinary card of the zone where it lies."""
    for card, _ in block.reach:
        opened = open_block(branch.groups[owner], block.name, card)
        if opened is not None:
            yield reveal_in_place(branch.with_group(owner, opened), block, card)


def reveal_in_place(branch: Branch, block: Block, card: str, n: int = 1) -> Branch:
    """Cards of a block, no longer counted in its group, as cards of the class in the zone where they lie."""
    if block.zone in branch.piles:
        pile = branch.piles[block.zone]
        at = pile.index((block.name, 1))
        return branch.with_pile(block.zone, pile[:at], ((card, 1),), pile[at + 1 :])
    return put(branch, block.zone, ((card, n),), TOP)


def pour(branch: Branch, source: str, target: str) -> Branch:
    """All cards of an unordered zone go, unseen, into another one: the group moves as it is, or two are joined."""
    for owner, block in branch.blocks_in(source):
        branch = branch.with_group(owner, moved(branch.groups[owner], block.name, target))
    coming, there = branch.groups.get(source), branch.groups.get(target)
    if coming is None:
        return branch
    if there is not None:
        coming = add(there, coming.cards) if not coming.blocks else add(coming, there.cards)
    groups = {zone: kept for zone, kept in branch.groups.items() if zone != source}
    return replace(branch, groups={**groups, target: coming})


def tidied(branch: Branch, before: Branch) -> Branch:
    """The branch with blocks settled that can hold one multiset only: they hold all that was there, or one class.

    Only groups that changed are looked at.
    """
    for owner, group in branch.groups.items():
        if not group.blocks or group is before.groups.get(owner):
            continue
        taken = 0
        for index, block in enumerate(group.blocks):
            taken += block.size
            if len(block.reach) == 1 and _is_loose(branch, block.reach[0][0], block.kept):
                opened = open_block(group, block.name, block.reach[0][0])
                assert opened is not None
                return tidied(reveal_in_place(branch.with_group(owner, opened), block, block.reach[0][0]), before)
            if total(block.reach) == taken and all(other.zone == block.zone for other in group.blocks[:index]):
                known = tuple(held for held in block.reach if _is_loose(branch, held[0], block.kept))
                if known and (not index or block.zone not in branch.piles):
                    found = branch.with_group(owner, settled(group, index, known))
                    for card, n in known:
                        found = reveal_in_place(found, block, card, n)
                    return tidied(found, before)
    return branch
