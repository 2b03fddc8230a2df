"""What happens when a viewer's knowledge splits into too many branches: the vaguest card is forgotten.

Only a hand that is known, returned unseen and drawn again unseen, over and over, gets here; no game of one hidden
choice per card does. Forgetting keeps every possible world and adds impossible ones: bounds stay true, not tight.
"""

from __future__ import annotations

from dataclasses import replace

from domain.memory.branch import Branch, distinct
from domain.memory.group import change, is_lot, number, rename, total

LIMIT = 256
"""Branches a viewer may have; a move costs some 20 µs for each."""


def within_limit(branches: tuple[Branch, ...]) -> tuple[Branch, ...]:
    """The branches, or fewer that cover their worlds."""
    while len(branches) > LIMIT:
        kind = _vaguest(branches)
        branches = distinct(_forget(branch, kind) for branch in branches)
    return branches


def _vaguest(branches: tuple[Branch, ...]) -> str:
    """The known kind with the most different whereabouts."""
    kinds = {
        card
        for branch in branches
        for card in (*_held(branch), *(cell for pile in branch.piles.values() for cell, _ in pile))
        if not is_lot(card) and card[0] != "#"
    }
    return max(sorted(kinds), key=lambda kind: len({_whereabouts(branch, kind) for branch in branches}))


def _held(branch: Branch) -> list[str]:
    return [card for group in branch.groups.values() for card, _ in group.cards]


def _whereabouts(branch: Branch, kind: str) -> object:
    return (
        tuple(sorted((zone, number(group.cards, kind)) for zone, group in branch.groups.items())),
        tuple(
            sorted(
                (zone, tuple(i for i, cell in enumerate(pile) if cell[0] == kind))
                for zone, pile in branch.piles.items()
            )
        ),
    )


def _forget(branch: Branch, kind: str) -> Branch:
    """The branch with all known cards of a kind counted as unknown cards of the largest lot."""
    lot = max(sorted(branch.lots), key=lambda name: total(branch.lots[name]), default="*forgotten")
    groups = {zone: rename(group, kind, lot) for zone, group in branch.groups.items()}
    found = sum(number(group.cards, kind) for group in branch.groups.values())
    found += sum(cell == kind for pile in branch.piles.values() for cell, _ in pile)
    lots = {**branch.lots, lot: change(branch.lots.get(lot, ()), kind, found)} if found else branch.lots
    forgotten = replace(branch, lots=lots, groups=groups)
    for zone, pile in branch.piles.items():
        forgotten = forgotten.with_pile(zone, [(lot, 1) if cell[0] == kind else cell for cell in pile])
    return forgotten
