"""What happens when a viewer's knowledge splits into too many branches: it forgets where the vaguest cards can be.

Only known cards that are returned unseen and drawn again unseen, over and over, get here; a game without such a cycle
never does. Forgetting keeps every possible world and adds impossible ones: bounds stay true, but are no longer tight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from domain.memory.branch import Branch, Pile, distinct, joined, tidied
from domain.memory.group import Group, is_lot, rename, tally

LIMIT = 64
"""Branches a viewer may have: a move costs some 50 µs for each of them, and twice as many hardly ever suffice where
these don't."""


def within_limit(branches: tuple[Branch, ...]) -> tuple[Branch, ...]:
    """The branches or, if they are too many, fewer ones that cover all their worlds."""
    if len(branches) <= LIMIT:
        return branches
    while len(branches) > LIMIT // 2:
        kinds = _vague(branches)
        if not kinds:
            return distinct(tidied(_blurred(branch), branch) for branch in branches)
        for kind in kinds[: 1 + len(kinds) // 4]:
            branches = distinct(tidied(_without(branch, kind), branch) for branch in branches)
    return branches


def _vague(branches: tuple[Branch, ...]) -> list[str]:
    """The known kinds, first those with the most different whereabouts."""
    places: dict[str, set[object]] = {}
    for branch in branches:
        for kind, place in _known(branch):
            places.setdefault(kind, set()).add(place)
    return sorted(places, key=lambda kind: (-len(places[kind]), kind))


def _known(branch: Branch) -> Iterator[tuple[str, object]]:
    """Each known kind with a place where it is, or whence it may have been taken."""
    for zone, group in branch.groups.items():
        for card, n in group.cards:
            if not is_lot(card):
                yield card, (zone, n, tuple(block.name for block in group.blocks if dict(block.reach).get(card)))
    for zone, pile in branch.piles.items():
        for at, (card, _) in enumerate(pile):
            if card[0] not in "#*":
                yield card, (zone, at)


def _without(branch: Branch, kind: str) -> Branch:
    """The branch with all known cards of a kind counted as unknown ones of one of its lots."""
    lot = min(branch.lots, default="*forgotten")
    piles = sum(cell[0] == kind for pile in branch.piles.values() for cell in pile)
    found = piles + sum(n for group in branch.groups.values() for card, n in group.cards if card == kind)
    lots = {**branch.lots, lot: tally((*branch.lots.get(lot, ()), (kind, found)))}
    return _renamed(replace(branch, lots=lots if found else branch.lots), kind, lot)


def _blurred(branch: Branch) -> Branch:
    """A branch without known cards, all its lots counted as one and its blocks bound to no group."""
    lot = min(branch.lots, default="*forgotten")
    for other in sorted(branch.lots):
        if other != lot:
            lots = {name: cards for name, cards in branch.lots.items() if name != other}
            lots[lot] = tally((*lots[lot], *branch.lots[other]))
            branch = _renamed(replace(branch, lots=lots), other, lot)
    return replace(branch, groups={zone: _unbound(group) for zone, group in branch.groups.items()})


def _unbound(group: Group) -> Group:
    return Group(group.cards, tuple(replace(block, kept=False) for block in group.blocks))


def _renamed(branch: Branch, card: str, lot: str) -> Branch:
    groups = {zone: rename(group, card, lot) for zone, group in branch.groups.items()}
    piles = {zone: _renamed_cells(pile, card, lot) for zone, pile in branch.piles.items()}
    return replace(branch, groups=groups, piles=piles)


def _renamed_cells(pile: Pile, card: str, lot: str) -> Pile:
    if all(name != card for name, _ in pile):
        return pile
    cells: Pile = ()
    for name, n in pile:
        cells = joined(cells, ((lot if name == card else name, n),))
    return cells
