"""A second scorer of Mottainai, written from the rules page alone: it shares nothing with the game's own but the state.

The card table is read again; Kite copies and Fountain's helpers are read off the state.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import domain.games.mottainai.cards

TABLE = Path(domain.games.mottainai.cards.__file__).with_name("cards.csv")
ROWS = {row["key"]: row for row in csv.DictReader(TABLE.open(encoding="utf-8"))}
WORTH = {"paper": 1, "stone": 2, "cloth": 2, "clay": 3, "metal": 3}


def kind(card: str) -> str:
    return ROWS[card]["material"]


def per_type(cards: Any) -> dict[str, int]:
    return {material: sum(kind(card) == material for card in cards) for material in WORTH}


def points(state: Any, seat: int) -> int:
    me = state.temples[seat]
    gallery = [w.split("=")[-1] for w in me.gallery]
    shop = [w.split("=")[-1] for w in me.gift_shop]
    works = gallery + shop
    stones = [w for w in works if kind(w) == "stone"]
    both = stones if "go_set" in works else []
    in_gallery = [w for w in gallery if w not in both] + both
    in_shop = [w for w in shop if w not in both] + both

    # (1) the value of every own work
    total = sum(WORTH[kind(w)] for w in works)

    # (2) the value of every covered sale
    sold = per_type(me.sales)
    good = {m for m in WORTH if sold[m] and sum(WORTH[m] for w in in_shop if kind(w) == m) >= sold[m]}
    if "quilt" in works:
        good |= {"paper", "stone", "cloth"}
    for _ in range(works.count("pillar")):
        top = [m for m in WORTH if sold[m] == max(sold.values()) and m not in good]
        if top:
            good.add(max(top, key=WORTH.__getitem__))
    total += sum(WORTH[m] * sold[m] for m in good)

    # (3) backorders
    backorders = 0
    for material, worth in WORTH.items():
        rivals = [per_type(t.sales)[material] for s, t in enumerate(state.temples) if s != seat]
        leads = sold[material] > max(rivals)
        ties = sold[material] == max(rivals)
        eased = ("quilt" in works and material in ("paper", "stone", "cloth")) or (
            "lampshade" in works and material in ("clay", "metal")
        )
        if leads or (ties and eased):
            backorders += worth * per_type(me.hand)[material]
    total += backorders

    # (4) works' points
    helpers = per_type(me.helpers)
    if seat == state.active:
        helpers["paper"] += sum(f.m for f in state.frames if f.kind == "perform")
    total += 3 * works.count("scroll") + 2 * len(stones) * works.count("bench") + backorders * works.count("coin")
    total += 3 * max(helpers.values()) * works.count("haniwa")
    total += 3 * max(per_type(me.bench).values()) * works.count("teapot")
    total += gallery.count("tapestry") * len(in_gallery) + shop.count("tapestry") * len(in_shop)
    return total


def score(state: Any, teams: bool = False) -> dict[str, Any]:
    """The result as whole games note it: reason, totals and ranks by seat, tie-break."""
    seats = len(state.temples)
    own = [points(state, seat) for seat in range(seats)]
    side = [seat % 2 if teams else seat for seat in range(seats)]
    sums = {s: sum(p for p, t in zip(own, side, strict=True) if t == s) for s in side}
    champion = (state.decided_by % 2 if teams else state.decided_by) if state.ended == "turtle" else None

    def order(s: int) -> tuple[bool, int, int]:
        places = [(state.active + step) % seats for step in range(seats)]
        first = min(places.index(seat) for seat in range(seats) if side[seat] == s)
        return s != champion, -sums[s], first

    ranking = sorted(sums, key=order)
    ranks, place = {}, 1
    for s in ranking:
        ranks[s] = place
        place += side.count(s)
    tied = champion is None and list(sums.values()).count(max(sums.values())) > 1
    return {
        "reason": state.ended,
        "totals": [sums[s] for s in side],
        "ranks": [ranks[s] for s in side],
        "tie_break": "turn_order" if tied else None,
    }
