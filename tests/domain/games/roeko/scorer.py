"""A second scorer for R-Öko, written from the rules page alone: it reads a finished game's view, not the state."""

from __future__ import annotations

from typing import Any


def score(view: dict[str, Any]) -> dict[str, Any]:
    """Totals, ranks and tie-break of a finished game as any viewer sees it."""
    seats = view["seats"]
    players = len(seats)
    dirty = [seat["illegal"] for seat in seats]
    disposers = len([cards for cards in dirty if cards != 0])
    totals = []
    for seat in seats:
        points = 0
        for values in seat["rewards"].values():
            if len(values) > 1:
                for value in values:
                    points += value
        points -= seat["illegal"]
        if seat["illegal"] == 0:
            if players == 2:
                points += 4
            elif players == 3:
                points += 2 * disposers
            else:
                points += disposers
        totals.append(points)
    order = sorted(range(players), key=lambda seat: (-totals[seat], dirty[seat]))
    ranks = [0] * players
    for place, seat in enumerate(order, start=1):
        before = order[place - 2] if place > 1 else None
        tied = before is not None and (totals[before], dirty[before]) == (totals[seat], dirty[seat])
        ranks[seat] = ranks[before] if tied and before is not None else place
    first = [seat for seat in range(players) if totals[seat] == max(totals)]
    separated = any(dirty[seat] != dirty[first[0]] for seat in first)
    return {"totals": totals, "ranks": ranks, "tie_break": "fewer_illegal" if separated else None}
