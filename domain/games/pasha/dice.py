"""Five dice as a multiset: the row and columns of a result, the choices of dice to keep, the turns of one die.

Pure arithmetic of faces, in ascending order; who may throw when is in `rules.py`.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

Dice = tuple[int, ...]

FACES = range(1, 7)
ROWS = ("none", "pair", "two_pairs", "triple", "full_house", "four_of_a_kind", "five_of_a_kind")
"""The rows of the board from the lowest up, behind the place in front of it."""

_ROW_OF_COUNTS = {
    (1, 1, 1, 1, 1): "none",
    (2, 1, 1, 1): "pair",
    (2, 2, 1): "two_pairs",
    (3, 1, 1): "triple",
    (3, 2): "full_house",
    (4, 1): "four_of_a_kind",
    (5,): "five_of_a_kind",
}


@cache
def row_of(dice: Dice) -> str:
    """The row that five dice decide, the highest they make (Material, Jeton)."""
    return _ROW_OF_COUNTS[tuple(sorted(map(dice.count, set(dice)), reverse=True))]


@cache
def columns_of(dice: Dice) -> tuple[int | None, ...]:
    """The columns open to five dice: either pair's, else the longest set's; `(None,)` without a pair (Jeton)."""
    if row_of(dice) == "none":
        return (None,)
    longest = max(map(dice.count, dice))
    return tuple(face for face in FACES if dice.count(face) == longest)


@cache
def keeps(dice: Dice) -> tuple[Dice, ...]:
    """Every choice of up to four of five dice, equal dice being one choice; fewest first."""
    return tuple(kept for size in range(5) for kept in sorted(set(combinations(dice, size))))


@cache
def adjustments(dice: Dice) -> tuple[tuple[int, int], ...]:
    """Each face among the dice with the next lower and higher one; 6 and 1 are no neighbours (Stones, b)."""
    return tuple((face, other) for face in sorted(set(dice)) for other in (face - 1, face + 1) if other in FACES)


def adjusted(dice: Dice, before: int, after: int) -> Dice:
    """The dice with one of the given face turned to another."""
    at = dice.index(before)
    return tuple(sorted((*dice[:at], after, *dice[at + 1 :])))
