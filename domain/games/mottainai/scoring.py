"""The end of a game in points ("End and scoring"), and the works that count there (END).

What an END work gives is one row of `EXTRA`, or of the tables of what Pillar, Quilt and Lampshade change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from domain.game import ScoreSheet, SeatScore, ranks
from domain.games.mottainai.board import Setting, count, has, in_wing, sales_covered
from domain.games.mottainai.cards import EFFECT, MATERIALS, VALUE, VALUE_OF, WINGS, of_material
from domain.games.mottainai.state import Cards, State, Temple

SCROLL, BENCH, HANIWA, TEAPOT, TAPESTRY = 3, 2, 3, 3, 1

COVERED_BY_QUILT = ("paper", "stone", "cloth")
TIE_SUFFICES = {"quilt": ("paper", "stone", "cloth"), "lampshade": ("clay", "metal")}


class Scored(NamedTuple):
    """What the rows of `EXTRA` look at. `revealed`: Fountain's helpers, if the game ended in that task."""

    temple: Temple
    backorders: int
    revealed: int


def most(cards: Cards, more: Mapping[str, int] | None = None) -> int:
    """The number of cards of the material that most of them are of; `more` counts on top."""
    return max(count(cards, material) + (more or {}).get(material, 0) for material in MATERIALS)


EXTRA: Mapping[str, Callable[[Scored, str], int]] = {
    "scroll": lambda s, wing: SCROLL,
    "bench": lambda s, wing: BENCH * count(s.temple.works, "stone"),
    "tapestry": lambda s, wing: TAPESTRY * len(in_wing(s.temple, wing)),
    "haniwa": lambda s, wing: HANIWA * most(s.temple.helpers, {"paper": s.revealed}),
    "teapot": lambda s, wing: TEAPOT * most(s.temple.bench),
    "coin": lambda s, wing: s.backorders,
}
"""Points by a work standing in a wing; each copy has its row's points."""


def covered_sales(temple: Temple) -> set[str]:
    """The materials of which all sales count: covered, by Quilt, or by Pillar where that gives most."""
    sold = {material: count(temple.sales, material) for material in MATERIALS}
    covered = {material for material in MATERIALS if sold[material] and sales_covered(temple, material)}
    if has(temple, "quilt"):
        covered |= {material for material in COVERED_BY_QUILT if sold[material]}
    if pillars := has(temple, "pillar"):
        tied = [m for m in MATERIALS if sold[m] and sold[m] == max(sold.values()) and m not in covered]
        covered |= set(sorted(tied, key=VALUE_OF.__getitem__, reverse=True)[:pillars])
    return covered


def backorder_materials(state: State, seat: int) -> list[str]:
    """The materials whose hand cards score: strictly most sales, or with Quilt and Lampshade as many as any."""
    temple = state.temples[seat]
    tie = {material for work, materials in TIE_SUFFICES.items() if has(temple, work) for material in materials}
    found = []
    for material in MATERIALS:
        own = count(temple.sales, material)
        best = max(count(other.sales, material) for s, other in enumerate(state.temples) if s != seat)
        if own > best or (own == best and material in tie):
            found.append(material)
    return found


def breakdown(state: State, seat: int, hand: Cards) -> dict[str, Any]:
    """A seat's points: `works`, `sales`, `backorders`, `effects` by work, and their `total`.

    Args:
        hand: the hand cards to count; of a hidden hand none.
    """
    temple = state.temples[seat]
    covered = covered_sales(temple)
    backorders = sum(VALUE[card] for m in backorder_materials(state, seat) for card in of_material(hand, m))
    scored = Scored(temple, backorders, _revealed(state) if seat == state.active else 0)
    effects: dict[str, int] = {}
    for wing in WINGS:
        for token in getattr(temple, wing):
            if row := EXTRA.get(EFFECT[token]):
                effects[EFFECT[token]] = effects.get(EFFECT[token], 0) + row(scored, wing)
    parts = {
        "works": sum(VALUE[token] for token in temple.works),
        "sales": sum(VALUE_OF[m] * count(temple.sales, m) for m in covered),
        "backorders": backorders,
    }
    return {**parts, "effects": effects, "total": sum(parts.values()) + sum(effects.values())}


def _revealed(state: State) -> int:
    """Fountain's helpers in the task that is being performed."""
    return sum(frame.m for frame in state.frames if frame.kind == "perform")


def score(state: State, setting: Setting) -> ScoreSheet:
    """The score sheet: most points, then the seat whose turn it is and turn order from it; Turtle's owner first.

    With teams `total` is the partners' sum, `breakdown.total` the seat's own.
    """
    lines = [breakdown(state, seat, temple.hand) for seat, temple in enumerate(state.temples)]
    size = 2 if setting.teams else setting.seats
    sides = [seat % size for seat in range(setting.seats)]
    totals = [sum(line["total"] for line, s in zip(lines, sides, strict=True) if s == side) for side in range(size)]
    turtle = state.decided_by % size if state.ended == "turtle" else -1
    keys = [(side == turtle, totals[side], -((side - state.active) % size)) for side in range(size)]
    places = ranks([keys[side] for side in sides])
    best = max(totals)
    tied = turtle < 0 and totals.count(best) > 1
    return ScoreSheet(
        tuple(
            SeatScore(seat, totals[sides[seat]], places[seat], lines[seat], sides[seat] if setting.teams else None)
            for seat in range(setting.seats)
        ),
        "turn_order" if tied else None,
        str(state.ended),
    )
