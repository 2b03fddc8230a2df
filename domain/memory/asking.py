"""What a set of branches says of a zone: bounds of each kind's count, known places of a pile."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, combinations

from domain.memory.branch import Branch
from domain.memory.group import Counts, Group, Portion, is_lot, portion, tally, total
from domain.memory.moves import Knowledge


def knowledge(branches: tuple[Branch, ...], zone: str) -> Knowledge:
    """The least and the greatest count of each kind in a zone, over all worlds of all branches."""
    found = [_in_branch(branch, zone) for branch in branches]
    first, *others = {id(answer): answer for answer in found}.values()  # branches mostly differ elsewhere
    guaranteed, possible = dict(first.guaranteed), dict(first.possible)
    if not others:
        return Knowledge(guaranteed, possible)
    for other in others:
        for kind, n in tuple(guaranteed.items()):
            least = other.guaranteed.get(kind, 0)
            if not least:
                del guaranteed[kind]
            elif least < n:
                guaranteed[kind] = least
        for kind, n in other.possible.items():
            if n > possible.get(kind, 0):
                possible[kind] = n
    return Knowledge(dict(sorted(guaranteed.items())), dict(sorted(possible.items())))


def places(branches: tuple[Branch, ...], zone: str) -> dict[int, str]:
    """Place from the top (0) → kind, for each place of a pile where only one kind can lie."""
    first, *others = branches
    known = _places(first, zone)
    for branch in others:
        if known:
            found = _places(branch, zone)
            known = {at: kind for at, kind in known.items() if found.get(at) == kind}
    return known


def _places(branch: Branch, zone: str) -> dict[int, str]:
    known = {}
    at = 0
    for card, n in branch.piles[zone]:
        kind = _only_kind(branch, card)
        if kind is not None:
            known.update(dict.fromkeys(range(at, at + n), kind))
        at += n
    return known


def _only_kind(branch: Branch, cell: str) -> str | None:
    """The kind of a cell's cards if it can be one only: a known card, a lot of one kind, a block that must hold it."""
    if is_lot(cell):
        kinds = branch.lots[cell]
        return kinds[0][0] if len(kinds) == 1 else None
    if cell[0] != "#":
        return cell
    owner, index = branch.block(cell)
    single = tuple((lot, kinds[0][0]) for lot, kinds in branch.lots.items() if len(kinds) == 1)
    return _held_for_sure(branch.groups[owner], index, single)


@lru_cache(maxsize=4096)
def _held_for_sure(group: Group, index: int, single: tuple[tuple[str, str], ...]) -> str | None:
    """A kind of which a block of a group must hold a card; `single`: the lots with one kind left, and that kind."""
    kinds = dict(single)
    classes: dict[str, set[str]] = {}
    for card, _ in group.blocks[index].reach:
        kind = kinds.get(card) if is_lot(card) else card
        if kind is not None:
            classes.setdefault(kind, set()).add(card)
    part = portion(group, (index,), False)
    return next((kind for kind, cards in classes.items() if part.bounds(frozenset(cards))[0]), None)


def _in_branch(branch: Branch, zone: str) -> Knowledge:
    """Bounds of the cells of a pile or of what is left in a zone's group, and of the blocks there, together."""
    fixed = [cell for cell in branch.piles.get(zone, ()) if cell[0][0] != "#"]
    parts = []
    for owner, group in branch.groups.items():
        rest = owner == zone
        if not group.blocks:
            fixed += group.cards if rest else ()
            continue
        chosen = tuple(i for i, block in enumerate(group.blocks) if block.zone == zone)
        if chosen or rest:
            parts.append(portion(group, chosen, rest))
    classes = {card for card, _ in fixed}.union(*(part.cards for part in parts))
    lots = tuple((card, branch.lots[card]) for card in sorted(classes) if is_lot(card))
    return _bounds(tally(fixed), tuple(parts), lots)


@lru_cache(maxsize=4096)
def _bounds(fixed: Counts, parts: tuple[Portion, ...], lots: tuple[tuple[str, Counts], ...]) -> Knowledge:
    """Bounds of each kind's count in some cards of fixed classes and some portions of groups together.

    A kind's cards are the known ones and those of lots. With the known ones and all cards of some lots counted as one,
    each part gives exact bounds; a lot holds no more than T(kind) of it and no more than T − T(kind) others. By the
    duality of flows the greatest count is the least such sum over the sets of lots, and the least the greatest.
    """
    known = {card for card, _ in fixed}.union(*(part.cards for part in parts))
    kinds = [card for card in known if not is_lot(card)]
    stock = {lot: dict(counts) for lot, counts in lots}
    size = {lot: total(counts) for lot, counts in lots}
    free: dict[tuple[str, ...], tuple[int, int]] = {}
    answer = Knowledge()
    for kind in sorted({*kinds, *chain.from_iterable(stock.values())}):
        held = {lot: counts[kind] for lot, counts in stock.items() if kind in counts}
        least, most = _count(fixed, parts, (kind,)) if kind in known else (0, 0)
        most += sum(held.values())
        for some in _subsets(tuple(held)):
            if kind in known:
                low, high = _count(fixed, parts, (kind, *some))
            else:
                low, high = free.get(some) or free.setdefault(some, _count(fixed, parts, some))
            least = max(least, low - sum(size[lot] - held[lot] for lot in some))
            most = min(most, high + sum(n for lot, n in held.items() if lot not in some))
        if least:
            answer.guaranteed[kind] = least
        if most:
            answer.possible[kind] = most
    return answer


def _count(fixed: Counts, parts: tuple[Portion, ...], classes: tuple[str, ...]) -> tuple[int, int]:
    """Bounds of the number of cards of some classes together."""
    low = high = sum(n for card, n in fixed if card in classes)
    for part in parts:
        least, most = part.bounds(frozenset(classes))
        low, high = low + least, high + most
    return low, high


def _subsets(lots: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Every non-empty subset of the lots that have a kind: of one lot, most often."""
    if len(lots) == 1:
        return (lots,)
    return tuple(chain.from_iterable(combinations(lots, n) for n in range(1, len(lots) + 1)))
