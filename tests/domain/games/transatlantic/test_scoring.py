"""Scoring in Transatlantic, with every check that the rules page prints."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.transatlantic import scoring
from tests.domain.games.transatlantic.positions import Table, given

BOARD = (6, 2, 4, 2, 2)
"""Columns of the page's check: ribands, bunkers, freight, mail, passengers."""

OF_FLAG = {"blue": "salier", "black": "frisia", "green": "devonia", "red": "abyssinia", "yellow": "republic"}


def lines(table: Table, seat: int = 0) -> dict[str, Any]:
    return scoring.breakdown(table.rules.setting, table.state, seat)


def worth(table: Table, flag: str) -> int:
    return scoring.ship_points(table.rules.setting, table.state, 0, OF_FLAG[flag])


def broke(**seat: Any) -> dict[str, Any]:
    return {"money": 0, **seat}


def test_the_boards_check_values_7_3_5_3_3_a_ship() -> None:
    table = given(seat0={"markers": BOARD})
    assert [worth(table, flag) for flag in ("blue", "black", "green", "red", "yellow")] == [7, 3, 5, 3, 3]


def test_docks_of_2_3_1_make_that_board_worth_9_6_6() -> None:
    table = given(seat0={"markers": BOARD}, docks="habsburg lahn pommerania hammonia palatia arizona")
    assert [worth(table, flag) for flag in ("blue", "black", "green")] == [9, 6, 6]
    assert [worth(table, flag) for flag in ("red", "yellow")] == [3, 3]


def test_the_boards_check_rows_5_and_10_third_row_2_times_3_make_21() -> None:
    table = given(seat0=broke(markers=BOARD))
    shown = lines(table)
    assert (shown["rows"], shown["partial_row"], shown["total"]) == ([5, 10], 6, 21)


@pytest.mark.parametrize(
    ("markers", "rows", "partial"),
    [
        ((0, 0, 0, 0, 0), [], 0),
        ((1, 0, 3, 0, 1), [], 3),
        ((1, 1, 1, 1, 1), [5], 0),
        ((2, 1, 1, 1, 7), [5], 4),
        ((3, 3, 3, 3, 2), [5, 10], 12),
        ((4, 4, 4, 4, 3), [5, 10, 15], 16),
        ((4, 4, 4, 4, 4), [5, 10, 15, 20], 0),
        ((9, 5, 4, 4, 4), [5, 10, 15, 20], 0),
    ],
)
def test_completed_rows_bring_5_10_15_20_and_the_first_incomplete_one_its_number_per_marker(
    markers: tuple[int, ...], rows: list[int], partial: int
) -> None:
    shown = lines(given(seat0=broke(markers=markers)))
    assert (shown["rows"], shown["partial_row"]) == (rows, partial)


def test_overflow_below_the_fourth_row_counts_for_ships() -> None:
    assert worth(given(seat0={"markers": (9, 0, 0, 0, 0)}), "blue") == 10


@pytest.mark.parametrize(("money", "points"), [(0, 0), (99, 0), (100, 1), (1234, 12)])
def test_one_point_per_full_100_pounds(money: int, points: int) -> None:
    assert lines(given(seat0={"money": money}))["cash"] == points


def test_every_own_steamship_still_in_play_and_every_headquarters_is_scored() -> None:
    table = given(
        seat0=broke(
            waiting="lucania", headquarters="cunard_building_liverpool hapag_haus_hamburg", markers=(0, 0, 0, 1, 0)
        ),
        regions={"caribbean": "umbria/0/0 lahn/1/0", "north_atlantic": "cutty_sark/0/0 scotia"},
        docks="palatia",
    )
    shown = lines(table)
    assert shown["ships"] == {
        "red": {"ships": 3, "each": 2, "points": 6},
        "black": {"ships": 1, "each": 2, "points": 2},
    }
    assert shown["total"] == 6 + 2 + 1


def test_points_during_the_game_are_kept() -> None:
    shown = lines(given(seat0=broke(points=17)))
    assert (shown["game"], shown["total"]) == (17, 17)


def sheet(**fields: Any) -> Any:
    table = given(reason="last_steamship", **fields)
    return table.rules.score(table.state)


def test_most_points_win() -> None:
    result = sheet(seat0=broke(points=5), seat1=broke(points=9))
    assert [line.rank for line in result.seats] == [2, 1]
    assert result.winners == (1,)
    assert (result.tie_break, result.reason) == (None, "last_steamship")


def test_a_tie_goes_to_the_youngest_own_ship_still_in_play_sailing_and_waiting_ships_included() -> None:
    result = sheet(
        seat0=broke(points=8), seat1=broke(points=7, waiting="umbria"), regions={"caribbean": "cutty_sark/0/0"}
    )
    assert [line.total for line in result.seats] == [8, 8]
    assert [line.rank for line in result.seats] == [2, 1]
    assert result.tie_break == "youngest_ship"
    result = sheet(seat0=broke(points=8), seat1=broke(points=8), regions={"caribbean": "cutty_sark/0/0 ariel/1/0"})
    assert result.winners == (0,)


def test_if_none_has_a_ship_the_victory_is_shared() -> None:
    result = sheet(seat0=broke(points=8), seat1=broke(points=8))
    assert result.winners == (0, 1)
    assert result.tie_break is None


def test_a_seat_with_a_ship_wins_a_tie_against_one_without() -> None:
    result = sheet(seat0=broke(points=8), seat1=broke(points=8), regions={"caribbean": "ariel/1/0"})
    assert result.winners == (1,)


def test_a_tie_behind_the_winner_is_no_tie_break_of_the_game() -> None:
    table = given(
        3, reason="last_steamship",
        seat0=broke(points=9), seat1=broke(points=4), seat2=broke(points=4), regions={"caribbean": "ariel/1/0"},
    )  # fmt: skip
    result = table.rules.score(table.state)
    assert [line.rank for line in result.seats] == [1, 2, 3]
    assert result.tie_break is None


def test_the_score_sheet_has_every_line() -> None:
    (line, _) = sheet(seat0=broke(money=250, points=3, markers=(1, 1, 1, 1, 1))).seats
    assert line.breakdown == {"game": 3, "ships": {}, "cash": 2, "rows": [5], "partial_row": 0}
    assert line.total == 10


def test_points_if_scored_now_are_what_the_final_scoring_would_give() -> None:
    table = given(seat0={"markers": BOARD, "money": 340}, regions={"caribbean": "salier/0/0"}, docks="lahn")
    assert table.rules.view(table.state, 1)["seats"][0]["points_if_scored_now"] == 21 + 3 + 8
