"""A world drawn from those that a viewer can't tell apart; `docs/memory.md` states the odds."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, factorial, prod
from random import Random

from domain.memory.branch import Branch
from domain.memory.group import Group, is_lot, total

World = dict[str, tuple[str, ...]]
"""Zone → its cards' kinds: of a pile from the top, of another zone in ascending order."""


def sample(branches: tuple[Branch, ...], rng: Random) -> World:
    """A world: chance dealt uniformly, each unseen choice uniform among those that agree with all that was seen."""
    weights = [_deals(branch) for branch in branches]
    while True:
        branch = branches[0] if len(branches) == 1 else _pick(branches, weights, rng)
        dealt = {lot: _shuffled(kinds, rng) for lot, kinds in branch.lots.items()}
        hands = {zone: _dealt(group, dealt) for zone, group in branch.groups.items()}
        if rng.random() < prod(_odds(group, hands[zone]) for zone, group in branch.groups.items()):
            return _world(branch, dealt, hands, rng)


def _pick(branches: tuple[Branch, ...], weights: list[int], rng: Random) -> Branch:
    ticket = rng.randrange(sum(weights))
    for branch, weight in zip(branches, weights, strict=True):
        ticket -= weight
        if ticket < 0:
            return branch
    raise AssertionError("a ticket lies below the sum of the weights")


def _deals(branch: Branch) -> int:
    """In how many ways the kinds of the lots can lie over their cards."""
    return prod(factorial(total(kinds)) // prod(factorial(n) for _, n in kinds) for kinds in branch.lots.values())


def _shuffled(kinds: tuple[tuple[str, int], ...], rng: Random) -> list[str]:
    cards = [kind for kind, n in kinds for _ in range(n)]
    rng.shuffle(cards)
    return cards


def _dealt(group: Group, dealt: dict[str, list[str]]) -> dict[str, list[str]]:
    """The kinds of a group's lot cards, by lot; the earlier ones are those that its earliest blocks can hold."""
    return {card: [dealt[card].pop() for _ in range(n)] for card, n in group.cards if is_lot(card)}


def _odds(group: Group, hand: dict[str, list[str]]) -> float:
    """How much rarer a deal is than the deal of its still unseen cards alone suggests.

    Of x cards of a kind dealt together, y are unseen: as the cards of a hand have no order, x!/(x−y)!y! of the ways
    in which the others can have been seen are one.
    """
    odds = 1.0
    for lot, kind, n in group.spent:
        if lot in hand:
            odds /= comb(n + hand[lot].count(kind), n)
    return odds


def _world(branch: Branch, dealt: dict[str, list[str]], hands: dict[str, dict[str, list[str]]], rng: Random) -> World:
    zones: dict[str, list[str]] = {}
    blocks: dict[str, list[str]] = {}
    for owner, group in branch.groups.items():
        left, chosen = _choices(group, hands[owner], rng)
        zones.setdefault(owner, []).extend(left)
        for block, cards in zip(group.blocks, chosen, strict=True):
            if block.zone in branch.piles:
                blocks[block.name] = cards
            else:
                zones.setdefault(block.zone, []).extend(cards)
    world = {zone: tuple(sorted(cards)) for zone, cards in zones.items()}
    for zone, pile in branch.piles.items():
        cards = []
        for card, n in pile:
            if card[0] == "#":
                cards += blocks[card]
            else:
                cards += [dealt[card].pop() if is_lot(card) else card for _ in range(n)]
        world[zone] = tuple(cards)
    return world


def _choices(group: Group, hand: dict[str, list[str]], rng: Random) -> tuple[list[str], list[list[str]]]:
    """What was left behind and what each block took, the kinds of the lot cards being given.

    Block after block, uniformly among the multisets that leave every later sight possible: the blocks up to j hold
    at most reach(j) of each kind, lot cards counted as what they are.
    """
    cards = _of_kinds(group.cards, hand)
    taken: dict[str, int] = {}
    chosen = []
    for block in group.blocks:
        reach = _of_kinds(block.reach, hand)
        room = [(kind, n - taken.get(kind, 0)) for kind, n in reach.items()]
        ways = list(_multisets(room, block.size))
        way = ways[rng.randrange(len(ways))]
        for kind in way:
            taken[kind] = taken.get(kind, 0) + 1
        chosen.append(way)
    left = [kind for kind, n in cards.items() for _ in range(n - taken.get(kind, 0))]
    return left, chosen


def _of_kinds(counts: tuple[tuple[str, int], ...], hand: dict[str, list[str]]) -> dict[str, int]:
    kinds: dict[str, int] = {}
    for card, n in counts:
        for kind in hand[card][:n] if is_lot(card) else [card] * n:
            kinds[kind] = kinds.get(kind, 0) + 1
    return kinds


def _multisets(room: list[tuple[str, int]], size: int) -> Iterator[list[str]]:
    """All multisets of a size with at most so many of each kind."""
    if not size:
        yield []
    elif room:
        kind, most = room[0]
        for n in range(min(most, size) + 1):
            for others in _multisets(room[1:], size - n):
                yield [kind] * n + others
