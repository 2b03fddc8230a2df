"""What a seat can expect of its dice: the best values of keeping, throwing and spending stones, by backward induction.

Works on values given for the 252 results of five dice; what a result is worth in a game is told by `bots.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from operator import itemgetter
from typing import NamedTuple

from domain.games.pasha.dice import FACES, Dice, adjusted, adjustments

HANDS: tuple[Dice, ...] = tuple(dice for size in range(6) for dice in combinations_with_replacement(FACES, size))
"""Every multiset of up to five dice, the smaller ones first."""

INDEX = {dice: at for at, dice in enumerate(HANDS)}
RESULTS = tuple(dice for dice in HANDS if len(dice) == 5)
FIRST = INDEX[RESULTS[0]]
"""The results are the last of the multisets; their values are kept in lists from this index on."""

_WITH_ONE_MORE = tuple(tuple(INDEX[tuple(sorted((*dice, face)))] for face in FACES) for dice in HANDS[:FIRST])
_WITH_ONE_LESS = tuple(tuple(sorted({INDEX[dice[:at] + dice[at + 1 :]] for at in range(len(dice))})) for dice in HANDS)
_ADJUSTED = tuple(tuple(INDEX[adjusted(dice, *turned)] - FIRST for turned in adjustments(dice)) for dice in RESULTS)


def _picker(indices: Sequence[int]) -> Callable[[Sequence[float]], tuple[float, ...]]:
    """Takes the values at the indices out of a list, fast."""
    return itemgetter(*indices) if len(indices) > 1 else itemgetter(indices[0], indices[0])


_PICK_WITH_ONE_LESS = tuple(map(_picker, _WITH_ONE_LESS[1:]))
_PICK_ADJUSTED = tuple(map(_picker, _ADJUSTED))

Values = Sequence[float]
"""By result, in the order of `RESULTS`."""


def expected(values: Values) -> list[float]:
    """By multiset in the order of `HANDS`: the expected value when the dice missing of five are thrown."""
    means = [0.0] * FIRST + list(values)
    for at in range(FIRST - 1, -1, -1):
        a, b, c, d, e, f = _WITH_ONE_MORE[at]
        means[at] = (means[a] + means[b] + means[c] + means[d] + means[e] + means[f]) / 6
    return means


def best_kept(means: Sequence[float]) -> list[float]:
    """By result: the best of `expected` over all choices of up to four dice to keep."""
    best = list(means[:FIRST])
    for at, pick in enumerate(_PICK_WITH_ONE_LESS[: FIRST - 1], start=1):
        best[at] = max(best[at], *pick(best))
    return [max(pick(best)) for pick in _PICK_WITH_ONE_LESS[FIRST - 1 :]]


def after_a_stone(values: Values, price: float) -> list[float]:
    """By result: the best that one stone makes of it, its price paid, if the results are then worth `values`."""
    thrown = best_kept(expected(values))
    return [max(throw, *pick(values)) - price for throw, pick in zip(thrown, _PICK_ADJUSTED, strict=True)]


def better(values: Values, others: Values) -> list[float]:
    return list(map(max, values, others))


class Plan(NamedTuple):
    """A turn's values under best play.

    Args:
        stones: by number of stones left, then result: while stones may be spent.
        throws: by number of throws left, then result: before the next throw; entry 0 when no throw is left.
        again: expected when all five dice are thrown anew and two throws follow.
    """

    stones: tuple[list[float], ...]
    throws: tuple[list[float], ...]
    again: float


RESTART_THROWS = 2


def plan(placed: Values, stones: int, price: float, throws: int, *, restart: bool = False) -> Plan:
    """The best play of a turn.

    Args:
        placed: by result, what placing the jeton for it is worth.
        stones: how many may be spent, each at a price.
        throws: how many throws follow the first one at most, two or more.
        restart: whether the throws may be started anew once, as long as no stone is spent.
    """
    with_stones = [list(placed)]
    for _ in range(stones):
        with_stones.append(better(placed, after_a_stone(with_stones[-1], price)))
    with_throws = _throws(with_stones[-1], throws)
    again = first_throw(with_throws[RESTART_THROWS])
    if restart:
        stopped = [max(value, again) for value in with_stones[-1]]
        with_throws = _throws(stopped, throws)
    return Plan(tuple(with_stones), tuple(with_throws), again)


def _throws(stopped: Values, throws: int) -> list[list[float]]:
    """By number of throws left: stopping or throwing on, whichever is better."""
    values = [list(stopped)]
    for _ in range(throws):
        values.append(better(stopped, best_kept(expected(values[-1]))))
    return values


def first_throw(values: Values) -> float:
    """The expected value of throwing all five dice."""
    return expected(values)[0]


def distribution(placed: Values, throws: int) -> list[float]:
    """By result: how likely a turn of so many throws, without stones, ends with it if played for these values."""
    values = _throws(placed, throws - 1)
    chances = _thrown({0: 1.0})
    for left in range(throws - 1, 0, -1):
        means = expected(values[left - 1])
        held: dict[int, float] = {}
        for at, chance in enumerate(chances):
            kept = _choice(means, at, placed[at])
            held[kept] = held.get(kept, 0.0) + chance
        chances = _thrown(held)
    return chances


def _choice(means: Sequence[float], at: int, stopped: float) -> int:
    """The index among `HANDS` of what is kept of a result: the best subset of it, or all of it to stop."""
    best, chosen = stopped, FIRST + at
    seen, open_ = {chosen}, list(_WITH_ONE_LESS[chosen])
    while open_:
        subset = open_.pop()
        if subset in seen:
            continue
        seen.add(subset)
        if means[subset] > best + 1e-12:
            best, chosen = means[subset], subset
        open_ += _WITH_ONE_LESS[subset]
    return chosen


def _thrown(held: dict[int, float]) -> list[float]:
    """By result: its chance when from each multiset held, with its chance, the missing dice are thrown."""
    chances = [0.0] * len(HANDS)
    for at, chance in held.items():
        chances[at] += chance
    for at in range(FIRST):
        if chances[at]:
            for more in _WITH_ONE_MORE[at]:
                chances[more] += chances[at] / 6
    return chances[FIRST:]
