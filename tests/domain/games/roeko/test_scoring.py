"""End and scoring, sentence by sentence, with every worked value of the rules page."""

from __future__ import annotations

import pytest

from domain.games.roeko.scoring import clean_bonus, counted, score_sheet
from tests.domain.games.roeko.helpers import END_TURN, after, deliver, given, rules_for

NOTHING = ((), (), (), ())


def won(**rewards: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(rewards.get(material, ()) for material in ("can", "glass", "plastic", "paper"))


def totals(illegal: list[int]) -> list[int]:
    """Totals of seats that won nothing: the clean bonus less the disposals."""
    return [line.total for line in score_sheet([NOTHING] * len(illegal), illegal, "last_reward").seats]


def test_the_worked_game_is_a_tie_on_points_won_by_the_seat_with_fewer_illegal_cards() -> None:
    sheet = score_sheet(
        [won(can=(0, 1, 2), glass=(5,)), won(can=(-2, 4), glass=(0, 1), paper=(2, 5))], [0, 3], "last_reward"
    )
    assert [line.total for line in sheet.seats] == [7, 7]
    assert [line.rank for line in sheet.seats] == [1, 2]
    assert sheet.tie_break == "fewer_illegal"
    assert sheet.winners == (0,)


@pytest.mark.parametrize(
    ("values", "points"),
    [((), 0), ((5,), 0), ((-2,), 0), ((0, -2), -2), ((0, 5), 5), ((0, 1, 2), 3), ((-2, 4), 2), ((1, 2, 3, -2), 4)],
)
def test_fewer_than_two_rewards_of_a_material_score_nothing_else_all_values_count(
    values: tuple[int, ...], points: int
) -> None:
    assert counted(values) == points


def test_each_illegal_card_costs_a_point_single_or_double() -> None:
    position = given("can1", illegal=["paper1 paper2", "can1"], delivered="can", rewards={"can": ()})
    over = after(position, END_TURN)
    assert [line.total for line in rules_for(2).score(over).seats] == [-2, -1]


@pytest.mark.parametrize(
    ("illegal", "expected"),
    [
        ([0, 0], [4, 4]),
        ([0, 1], [4, -1]),
        ([0, 0, 1], [2, 2, -1]),
        ([0, 2, 1], [4, -2, -1]),
        ([0, 0, 0], [0, 0, 0]),
        ([0, 0, 2, 1], [2, 2, -2, -1]),
        ([0, 3, 2, 1, 1], [4, -3, -2, -1, -1]),
        ([0, 0, 0, 0, 7], [1, 1, 1, 1, -7]),
    ],
)
def test_the_clean_bonus_goes_by_the_number_of_players_and_of_disposers(
    illegal: list[int], expected: list[int]
) -> None:
    assert totals(illegal) == expected


def test_a_seat_that_disposed_gets_no_clean_bonus() -> None:
    assert [clean_bonus([1, 5, 0], seat) for seat in range(3)] == [0, 0, 4]


def test_equal_totals_rank_by_fewer_illegal_cards_also_behind_the_winner() -> None:
    rewards = [won(can=(5, 5)), won(can=(5, 3)), won(can=(5, 4)), won(can=(4, 1))]
    sheet = score_sheet(rewards, [0, 1, 2, 0], "last_reward")
    assert [line.total for line in sheet.seats] == [12, 7, 7, 7]
    assert [line.rank for line in sheet.seats] == [1, 3, 4, 2]
    assert sheet.tie_break is None


def test_equal_totals_and_equal_illegal_cards_share_a_rank_and_the_next_is_skipped() -> None:
    sheet = score_sheet([won(can=(5, 4)), won(can=(3, 2)), won(glass=(3, 2)), won(can=(0, 1))], [1, 1, 1, 1], "x")
    assert [line.rank for line in sheet.seats] == [1, 2, 2, 4]
    assert sheet.tie_break is None


def test_a_victory_shared_by_equal_seats_names_no_tie_break() -> None:
    sheet = score_sheet([won(can=(5, 4)), won(glass=(5, 4))], [2, 2], "last_reward")
    assert sheet.winners == (0, 1)
    assert sheet.tie_break is None


def test_the_breakdown_names_cards_sum_and_what_counts_of_each_material() -> None:
    sheet = score_sheet([won(can=(0, 1, 2), glass=(5,)), NOTHING], [0, 2], "last_reward")
    assert sheet.seats[0].breakdown == {
        "materials": {
            "can": {"cards": 3, "sum": 3, "counted": 3},
            "glass": {"cards": 1, "sum": 5, "counted": 0},
            "plastic": {"cards": 0, "sum": 0, "counted": 0},
            "paper": {"cards": 0, "sum": 0, "counted": 0},
        },
        "illegal": 0,
        "clean_bonus": 4,
    }
    assert sheet.seats[1].breakdown["illegal"] == 2
    assert sheet.seats[1].breakdown["clean_bonus"] == 0


def test_a_disposal_forced_in_the_last_turn_costs_its_point_and_the_clean_bonus() -> None:
    position = given(
        "can1 can1 can1 can1 glass1 glass1 glass1",
        rewards={"can": (5,)},
        dump={"can": "paper1 paper1 plastic1"},
    )
    delivered = after(position, deliver("can", 4))
    assert delivered.excess == 1
    over = after(delivered, {"type": "dispose", "cards": {"plastic1": 1}}, END_TURN)
    line = rules_for(2).score(over).seats[0]
    assert (line.breakdown["illegal"], line.breakdown["clean_bonus"], line.total) == (1, 0, -1)
