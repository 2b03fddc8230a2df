"""A second, independent reading of the scoring rules, straight from a view: what the game's own scoring must equal."""

from __future__ import annotations

import csv
from typing import Any

from domain.games.transatlantic.edition import SHIPS_FILE, files

COLUMN = {"blue": "riband", "black": "bunker", "green": "freight", "red": "mail", "yellow": "passengers"}


def figures() -> dict[str, dict[str, str]]:
    """The rows of the house edition's ships, by key."""
    return {row["key"]: row for row in csv.DictReader(files("house")[SHIPS_FILE].splitlines())}


def ship_points(seat: dict[str, Any], docks: dict[str, int], flag: str) -> int:
    return 1 + seat["markers"][COLUMN[flag]] + docks[flag]


def row_points(markers: dict[str, int]) -> int:
    """5, 10, 15, 20 for full rows; in the first row that is not full its number for each marker."""
    points = 0
    for row in (1, 2, 3, 4):
        filled = sum(count >= row for count in markers.values())
        if filled < 5:
            return points + row * filled
        points += 5 * row
    return points


def total(view: dict[str, Any], number: int) -> int:
    """A seat's final points."""
    rows, seat = figures(), view["seats"][number]
    own = [ship["ship"] for region in view["regions"].values() for ship in region["ships"] if ship["owner"] == number]
    scored = [key for key in own + seat["waiting"] if rows[key]["kind"] == "steamship"] + seat["headquarters"]
    ships = sum(ship_points(seat, view["docks"], rows[key]["flag"]) for key in scored)
    return int(seat["points"]) + ships + seat["money"] // 100 + row_points(seat["markers"])


def youngest(view: dict[str, Any], number: int) -> int:
    rows = figures()
    own = [ship["ship"] for region in view["regions"].values() for ship in region["ships"] if ship["owner"] == number]
    return max((int(rows[key]["year"]) for key in own + view["seats"][number]["waiting"]), default=0)


def result(view: dict[str, Any]) -> tuple[list[int], list[int], str | None]:
    """Totals, ranks and what broke a tie for first."""
    seats = range(len(view["seats"]))
    totals = [total(view, seat) for seat in seats]
    years = [youngest(view, seat) for seat in seats]
    ranks = [1 + sum((totals[other], years[other]) > (totals[seat], years[seat]) for other in seats) for seat in seats]
    first = [seat for seat in seats if totals[seat] == max(totals)]
    broken = len(first) > 1 and len({years[seat] for seat in first}) > 1
    return totals, ranks, "youngest_ship" if broken else None
