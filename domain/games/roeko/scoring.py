"""Scoring: the rules page's "End and scoring", as functions of rewards won and cards disposed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.game import ScoreSheet, SeatScore, ranks
from domain.games.roeko.state import MATERIALS, RoekoState

Won = Sequence[Sequence[int]]
"""A seat's rewards by material, in the order of `MATERIALS`."""


def score(state: RoekoState) -> ScoreSheet:
    """The score sheet of a finished game."""
    return score_sheet(state.won, [sum(pile) for pile in state.illegal], state.ended or "")


def score_sheet(won: Sequence[Won], illegal: Sequence[int], reason: str) -> ScoreSheet:
    """Points and places: most points, then fewer cards disposed; equal in both share a rank.

    Args:
        won: by seat.
        illegal: cards in each seat's illegal pile.
        reason: why the game ended.
    """
    breakdowns = [_breakdown(rewards, illegal, seat) for seat, rewards in enumerate(won)]
    totals = [_total(breakdown) for breakdown in breakdowns]
    places = ranks([(total, -cards) for total, cards in zip(totals, illegal, strict=True)])
    lines = tuple(
        SeatScore(seat=seat, total=totals[seat], rank=places[seat], breakdown=breakdowns[seat])
        for seat in range(len(won))
    )
    leaders = {cards for total, cards in zip(totals, illegal, strict=True) if total == max(totals)}
    return ScoreSheet(seats=lines, tie_break="fewer_illegal" if len(leaders) > 1 else None, reason=reason)


def counted(values: Sequence[int]) -> int:
    """Points of one material's rewards: fewer than two cards count nothing, else all values do."""
    return sum(values) if len(values) >= 2 else 0


def clean_bonus(illegal: Sequence[int], seat: int) -> int:
    """The bonus of a seat with an empty illegal pile, by the number of players who disposed."""
    if illegal[seat]:
        return 0
    disposers = sum(cards > 0 for cards in illegal)
    return {2: 4, 3: 2 * disposers}.get(len(illegal), disposers)


def _breakdown(won: Won, illegal: Sequence[int], seat: int) -> dict[str, Any]:
    return {
        "materials": {
            material: {"cards": len(values), "sum": sum(values), "counted": counted(values)}
            for material, values in zip(MATERIALS, won, strict=True)
        },
        "illegal": illegal[seat],
        "clean_bonus": clean_bonus(illegal, seat),
    }


def _total(breakdown: dict[str, Any]) -> int:
    earned = sum(material["counted"] for material in breakdown["materials"].values())
    return int(earned + breakdown["clean_bonus"] - breakdown["illegal"])
