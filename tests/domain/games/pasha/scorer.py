"""A second scorer of Pasha, written from the rules page alone: it reads a game's facts, no code is shared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

LOWEST_TO_HIGHEST = [
    "none", "pair", "two_pairs", "triple", "full_house", "four_of_a_kind", "five_of_a_kind",
]  # fmt: skip


def second_score(seats: int, facts: Iterable[Any]) -> list[dict[str, int]]:
    """By seat: cards, tiles, stones and their total."""
    piles: list[dict[str, int]] = [{"cards": 0, "tiles": 0, "stones": 5} for _ in range(seats)]
    above: dict[int, list[int]] = {}
    played: dict[int, int] = {}
    results: list[tuple[int, int, int]] = []  # row, column, seat; in the order of placing
    for fact in facts:
        name = type(fact).__name__
        if name == "RoundStarted":
            above.setdefault(fact.die, []).append(fact.points)
        elif name == "CardPlayed":
            played[fact.seat] = fact.value
        elif name in ("DieAdjusted", "DiceRethrown"):
            piles[fact.seat]["stones"] -= 1
        elif name == "JetonPlaced":
            results.append((LOWEST_TO_HIGHEST.index(fact.row), fact.column or 0, fact.seat))
        if len(results) == seats:
            _award(results, played, above, piles)
            results, played = [], {}
    return [pile | {"total": sum(pile.values())} for pile in piles]


def _award(
    results: list[tuple[int, int, int]],
    played: dict[int, int],
    above: dict[int, list[int]],
    piles: list[dict[str, int]],
) -> None:
    # A stable sort keeps the earlier of two equal results first, that is lower.
    upwards = sorted(results, key=lambda result: result[:2])
    piles[upwards[0][2]]["cards"] -= sum(1 for card in played.values() if card == -1)
    downwards = [seat for _, _, seat in reversed(upwards)]
    for card in sorted((card for card in played.values() if card != -1), reverse=True):
        piles[downwards.pop(0)]["cards"] += card
    for _, column, seat in reversed(upwards):
        piles[seat]["tiles"] += sum(above.pop(column, []))


def placed(totals: list[int]) -> list[int]:
    """Ranks of totals: 1 + the number of better ones."""
    return [1 + len([other for other in totals if other > total]) for total in totals]
