"""The award at the end of a round, the next start seat, the end of the game and its scoring."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.domain.games.pasha.positions import (
    END_TURN,
    Rigged,
    act,
    awarded,
    carried_out,
    position,
    rules_for,
    seat,
    space,
)


def cards(state):
    return [list(one.won_cards) for one in state.seats]


def tiles(state):
    return [list(one.won_tiles) for one in state.seats]


ORDER = [
    "none", "pair 1", "pair 6", "two_pairs 1", "two_pairs 6", "triple 1", "triple 6", "full_house 1",
    "full_house 6", "four_of_a_kind 1", "four_of_a_kind 6", "five_of_a_kind 1", "five_of_a_kind 6",
]  # fmt: skip


@pytest.mark.parametrize(("lower", "higher"), list(pairwise(ORDER)))
def test_a_higher_row_beats_a_lower_and_further_right_beats_further_left(lower, higher):
    assert cards(awarded((1, lower), (7, higher))) == [[1], [7]]
    assert cards(awarded((1, higher), (7, lower))) == [[7], [1]]


@pytest.mark.parametrize("start_seat", [0, 1])
@pytest.mark.parametrize("where", ["none", "pair 3", "five_of_a_kind 6"])
def test_on_one_space_the_later_jeton_of_the_round_is_higher(where, start_seat):
    last = 1 - start_seat
    state = awarded((1, where), (7, where), start_seat=start_seat)
    assert cards(state)[last] == [7]
    assert state.seat == last


def test_the_lowest_result_takes_all_the_minus_ones():
    state = awarded((-1, "pair 6"), (-1, "pair 1"), (4, "triple 1"))
    assert cards(state) == [[], [-1, -1], [4]]


def test_positive_cards_go_from_the_highest_downwards_largest_first():
    state = awarded((2, "pair 6"), (5, "pair 1"), (4, "triple 1"), (4, "triple 2"))
    assert cards(state) == [[4], [2], [4], [5]]


def test_with_k_positive_cards_the_k_highest_get_one_each():
    state = awarded((-1, "pair 6"), (3, "pair 1"), (-1, "triple 1"), (1, "triple 2"))
    assert cards(state) == [[], [-1, -1], [1], [3]]


def test_the_lowest_may_take_a_positive_card_when_there_is_one_for_everybody():
    assert cards(awarded((5, "none"), (3, "pair 1"))) == [[3], [5]]


def test_the_highest_jeton_in_a_column_takes_all_tiles_there():
    state = awarded((1, "pair 2"), (2, "triple 2"), (3, "triple 5"), lying={2: (3, 2)})
    assert tiles(state) == [[], [(2, 3), (2, 2)], []]
    assert state.lying[1] == ()


def test_in_a_column_the_jeton_on_top_of_its_space_is_the_highest():
    assert tiles(awarded((1, "pair 2"), (2, "pair 2"), lying={2: (3,)})) == [[], [(2, 3)]]


def test_tiles_without_a_jeton_in_their_column_stay():
    state = awarded((1, "pair 2"), (2, "none"), lying={4: (3,), 1: (2,)})
    assert tiles(state) == [[], []]
    assert (state.lying[3], state.lying[0]) == ((3,), (2,))


def test_a_new_tile_lies_beside_those_that_stay():
    state = awarded((1, "pair 2"), (2, "none"), lying={6: (2,)})
    assert state.lying[5] == (2, 3)
    assert state.face_down == ()


def test_the_highest_result_starts_the_next_round():
    state = awarded((1, "pair 2"), (2, "none"), (3, "triple 1"), (4, "triple 6"), start_seat=1)
    assert (state.round, state.start_seat, state.seat, state.phase) == (2, 3, 3, "card")


def test_cards_and_jetons_leave_the_table_after_the_award():
    state = awarded((1, "pair 2"), (2, "none"))
    assert [(one.played, one.jeton) for one in state.seats] == [(None, None)] * 2


def test_won_cards_go_to_the_winners_own_pile():
    seats = [seat(won=(5,), played=1, jeton="none"), seat(won=(-1,), tiles=[(1, 2)], played=3, jeton="pair 3")]
    state = position(*seats, phase="placed", turn_of=1, shown="1-2-3-3-5", lying={3: (2,)})
    state = act(rules_for(2), state, Rigged(), END_TURN)
    assert cards(state) == [[5, 1], [-1, 3]]
    assert tiles(state) == [[], [(1, 2), (3, 2)]]


# End and scoring


def ninth_round(*seats, **more):
    """The last seat's turn of round nine, its jeton placed."""
    return position(*seats, phase="placed", turn_of=len(seats) - 1, round=9, shown="1-2-3-4-6", face_down=(), **more)


def last(**values):
    return seat(hand=(), **values)


def test_after_round_nine_the_last_end_turn_ends_the_game():
    rules = rules_for(2)
    state = ninth_round(last(played=1, jeton="none"), last(played=-1, jeton="pair 1"))
    facts = carried_out(rules, state, Rigged(), END_TURN)
    assert [type(fact).__name__ for fact in facts] == ["RoundAwarded"]
    state = act(rules, state, Rigged(), END_TURN)
    assert rules.end_reason(state) == "nine_rounds"
    assert rules.to_act(state) == ()
    assert [rules.legal_actions(state, number) for number in (0, 1)] == [(), ()]


def test_before_round_nine_is_over_there_is_no_end_reason():
    state = ninth_round(last(played=1, jeton="none"), last(played=-1, jeton="pair 1"))
    assert rules_for(2).end_reason(state) is None
    assert rules_for(2).end_reason(awarded((1, "none"), (2, "none"))) is None


def test_points_are_won_cards_and_won_tiles_and_one_for_each_stone_left():
    rules = rules_for(2)
    state = ninth_round(
        last(played=1, jeton="none", won=(7, -1, -1), tiles=[(2, 3), (6, 2)], stones=4),
        last(played=-1, jeton="pair 1", won=(5, 3), stones=0),
    )
    sheet = rules.score(act(rules, state, Rigged(), END_TURN))
    assert [line.breakdown for line in sheet.seats] == [
        {"cards": 4, "tiles": 5, "stones": 4},
        {"cards": 9, "tiles": 0, "stones": 0},
    ]
    assert [line.total for line in sheet.seats] == [13, 9]
    assert [line.rank for line in sheet.seats] == [1, 2]
    assert (sheet.tie_break, sheet.reason) == (None, "nine_rounds")


def test_equal_totals_share_a_rank_and_the_next_place_is_skipped():
    rules = rules_for(4)
    seats = [last(stones=stones, played=1, jeton=space("none", n)) for n, stones in enumerate((3, 5, 5, 0))]
    sheet = rules.score(act(rules, ninth_round(*seats), Rigged(), END_TURN))
    assert [line.rank for line in sheet.seats] == [3, 1, 1, 4]
    assert sheet.winners == (1, 2)
    assert sheet.tie_break is None


def test_tiles_never_won_go_to_nobody():
    rules = rules_for(2)
    seats = [last(played=-1, jeton="pair 1"), last(played=-1, jeton="pair 2")]
    state = act(rules, ninth_round(*seats, lying={5: (3, 3)}), Rigged(), END_TURN)
    assert [line.breakdown["tiles"] for line in rules.score(state).seats] == [0, 0]
    assert state.lying[4] == (3, 3)
