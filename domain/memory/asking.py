"""What a set of branches says of a zone: bounds of each kind's count, known places of a pile."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations

from domain.memory.branch import Branch
from domain.memory.group import Portion, is_lot, number, portion, total
from domain.memory.moves import Knowledge


def knowledge(branches: tuple[Branch, ...], zone: str) -> Knowledge:
    """The least and the greatest count of each kind in a zone, over all worlds of all branches."""
    first, *others = (_in_branch(branch, zone) for branch in branches)
    guaranteed, possible = first.guaranteed, first.possible
    for other in others:
        guaranteed = {kind: least for kind, n in guaranteed.items() if (least := min(n, other.guaranteed.get(kind, 0)))}
        possible = {
            kind: max(possible.get(kind, 0), other.possible.get(kind, 0)) for kind in {**possible, **other.possible}
        }
    return Knowledge(dict(sorted(guaranteed.items())), dict(sorted(possible.items())))


def places(branches: tuple[Branch, ...], zone: str) -> dict[int, str]:
    """Place from the top (0) → kind, for each place of a pile where only one kind can lie."""
    first, *others = (_places(branch, zone) for branch in branches)
    return {at: kind for at, kind in first.items() if all(other.get(at) == kind for other in others)}


def _places(branch: Branch, zone: str) -> dict[int, str]:
    cells = [card for card, n in branch.piles[zone] for _ in range(n)]
    known = {}
    for at, card in enumerate(cells):
        found = _of_parts(branch, *_parts(branch, ((card, 1),), ())).guaranteed
        if found:
            known[at] = next(iter(found))
    return known


def _in_branch(branch: Branch, zone: str) -> Knowledge:
    if zone in branch.piles:
        return _of_parts(branch, *_parts(branch, branch.piles[zone], ()))
    named = [(block.name, 1) for _, block in branch.blocks_in(zone)]
    return _of_parts(branch, *_parts(branch, named, (zone,)))


def _parts(
    branch: Branch, cells: Iterable[tuple[str, int]], zones: tuple[str, ...]
) -> tuple[dict[str, int], list[Portion]]:
    """Cells, blocks and what is left in zones, as fixed counts of classes and portions of groups."""
    fixed: dict[str, int] = {}
    blocks = set()
    for card, n in cells:
        if card[0] == "#":
            blocks.add(card)
        else:
            fixed[card] = fixed.get(card, 0) + n
    portions = []
    for owner, group in branch.groups.items():
        if not group.blocks:
            if owner in zones:
                for card, n in group.cards:
                    fixed[card] = fixed.get(card, 0) + n
            continue
        chosen = tuple(i for i, block in enumerate(group.blocks) if block.name in blocks)
        if chosen or owner in zones:
            portions.append(portion(group, chosen, owner in zones))
    return fixed, portions


def _of_parts(branch: Branch, fixed: dict[str, int], portions: list[Portion]) -> Knowledge:
    """Bounds of each kind's count in the parts together.

    A kind's cards are the known ones and those of lots. With the known ones and all cards of some lots counted as one,
    each part gives exact bounds; a lot holds no more than T(kind) of it and no more than T − T(kind) others. By the
    duality of flows the greatest count is the least such sum over the sets of lots, and the least the greatest.
    """
    classes = dict.fromkeys(chain(fixed, *(part.cards for part in portions)))
    lots = [card for card in classes if is_lot(card)]
    kinds = dict.fromkeys(card for card in classes if not is_lot(card))
    for lot in lots:
        kinds.update(dict.fromkeys(kind for kind, _ in branch.lots[lot]))
    answer = Knowledge()
    cached: dict[tuple[str, ...], tuple[int, int]] = {}

    def bounds(cards: tuple[str, ...]) -> tuple[int, int]:
        cards = tuple(card for card in cards if card in classes)
        if cards not in cached:
            low = high = sum(fixed.get(card, 0) for card in cards)
            wanted = frozenset(cards)
            for part in portions:
                least, most = part.bounds(wanted)
                low, high = low + least, high + most
            cached[cards] = low, high
        return cached[cards]

    totals = {lot: total(branch.lots[lot]) for lot in lots}
    for kind in kinds:
        held = {lot: n for lot in lots if (n := number(branch.lots[lot], kind))}
        least, most = bounds((kind,))
        most += sum(held.values())
        for some in _subsets(tuple(held)):
            low, high = bounds((kind, *some))
            least = max(least, low - sum(totals[lot] - held[lot] for lot in some))
            most = min(most, high + sum(n for lot, n in held.items() if lot not in some))
        if least:
            answer.guaranteed[kind] = least
        if most:
            answer.possible[kind] = most
    return answer


def _subsets(lots: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    """Every non-empty subset; a zone seldom holds cards of more than one lot, in these games of ten at most."""
    return chain.from_iterable(combinations(lots, n) for n in range(1, len(lots) + 1))
