"""Scoring: what a ship is worth, the final scoring and who wins. Points during the game are earned elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.game import ScoreSheet, SeatScore, ranks
from domain.games.transatlantic.setting import Setting
from domain.games.transatlantic.state import GameState
from domain.games.transatlantic.terms import FLAGS

ROW_POINTS = (5, 10, 15, 20)
POUNDS_A_POINT = 100
YOUNGEST_SHIP = "youngest_ship"


def docked(setting: Setting, state: GameState) -> dict[str, int]:
    """Ships in the docks, by flag."""
    counts = dict.fromkeys(FLAGS, 0)
    for key in state.docks:
        counts[setting.ship(key).flag] += 1
    return counts


def ship_value(markers: Sequence[int], column: int, docks: int) -> int:
    """Ship scoring: one, and one for each own marker in the flag's column and each ship of the flag in the docks."""
    return 1 + markers[column] + docks


def ship_points(setting: Setting, state: GameState, seat: int, key: str) -> int:
    """Ship scoring of one ship or headquarters; sailing ships have no flag and score nothing."""
    flag = setting.ship(key).flag
    if not flag:
        return 0
    column = setting.edition.column_of_flag[flag]
    return ship_value(state.seats[seat].markers, column, docked(setting, state)[flag])


def rows(markers: Sequence[int]) -> tuple[list[int], int]:
    """Points of the completed rows, and of the markers in the first row that is not complete."""
    complete = min(*markers, len(ROW_POINTS))
    if complete == len(ROW_POINTS):
        return list(ROW_POINTS), 0
    row = complete + 1
    return list(ROW_POINTS[:complete]), row * sum(count >= row for count in markers)


def owned(state: GameState, seat: int) -> list[str]:
    """A seat's ships in regions and waiting."""
    ships = [afloat.ship for region in state.regions for afloat in region.ships if afloat.owner == seat]
    return ships + [afloat.ship for afloat in state.seats[seat].waiting]


def breakdown(setting: Setting, state: GameState, seat: int) -> dict[str, Any]:
    """Every line of a seat's score as of now; `total` adds them up."""
    own = state.seats[seat]
    docks = docked(setting, state)
    ships: dict[str, dict[str, int]] = {}
    scored = [key for key in owned(state, seat) if key in setting.steamships] + list(own.headquarters)
    for flag in FLAGS:
        count = sum(setting.ship(key).flag == flag for key in scored)
        if count:
            value = ship_value(own.markers, setting.edition.column_of_flag[flag], docks[flag])
            ships[flag] = {"ships": count, "each": value, "points": count * value}
    complete, partial = rows(own.markers)
    cash = own.money // POUNDS_A_POINT
    total = own.points + sum(line["points"] for line in ships.values()) + cash + sum(complete) + partial
    return {
        "game": own.points,
        "ships": ships,
        "cash": cash,
        "rows": complete,
        "partial_row": partial,
        "total": total,
    }


def total(setting: Setting, state: GameState, seat: int) -> int:
    """What a seat would have if the game were scored now."""
    return int(breakdown(setting, state, seat)["total"])


def score(setting: Setting, state: GameState) -> ScoreSheet:
    """The score sheet. Most points win; tie: the youngest own ship still in play."""
    lines = [breakdown(setting, state, seat) for seat in range(setting.seats)]
    youngest = [max((setting.ship(key).year for key in owned(state, seat)), default=0) for seat in range(setting.seats)]
    keys = [(line["total"], year) for line, year in zip(lines, youngest, strict=True)]
    places = ranks(keys)
    best = [year for points, year in keys if points == max(keys)[0]]
    return ScoreSheet(
        seats=tuple(
            SeatScore(seat, line["total"], places[seat], {k: v for k, v in line.items() if k != "total"})
            for seat, line in enumerate(lines)
        ),
        tie_break=YOUNGEST_SHIP if len(best) > 1 and len(set(best)) > 1 else None,
        reason=str(state.reason),
    )
