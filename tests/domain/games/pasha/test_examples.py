"""The worked examples of the rules, each played out."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from domain.games.pasha.dice import row_of
from tests.domain.games.pasha.positions import Rigged, act, awarded, dice, position, rolled, rules_for, seat

TWO = rules_for(2)


def test_three_stones_make_four_fives_of_3_5_5_6_2():
    state = act(
        TWO,
        rolled("3-5-5-6-2", stones=3),
        Rigged(),
        {"type": "adjust", "from": 3, "to": 4},
        {"type": "adjust", "from": 4, "to": 5},
        {"type": "adjust", "from": 6, "to": 5},
    )
    jeton = state.seats[0].jeton
    assert state.dice == dice("5-5-5-5-2")
    assert (jeton.row, jeton.column, state.seats[0].stones) == ("four_of_a_kind", 5, 0)


def test_fours_kept_then_sixes_kept_and_the_other_three_thrown_give_a_triple_of_sixes():
    state = position(seat(hand=(1, 2)), seat())
    state = act(
        TWO,
        state,
        Rigged((2, 3, 4, 4, 5), (2, 6, 6), (4, 5, 6)),
        {"type": "play_card", "value": 1},
        {"type": "throw", "keep": []},
        {"type": "throw", "keep": [4, 4]},
        {"type": "throw", "keep": [6, 6]},
    )
    assert state.dice == dice("4-5-6-6-6")
    assert [action for action in TWO.legal_actions(state, 0) if action["type"] == "place"] == [
        {"type": "place", "column": 6}
    ]
    jeton = act(TWO, state, Rigged(), {"type": "place", "column": 6}).seats[0].jeton
    assert (jeton.row, jeton.column) == ("triple", 6)


def test_four_seats_share_two_minus_ones_a_four_and_a_seven():
    green, blue, yellow, orange = range(4)
    state = awarded((-1, "pair 1"), (4, "full_house 6"), (7, "triple 3"), (-1, "pair 2"), lying={2: (3,)})
    assert [one.won_cards for one in state.seats] == [(-1, -1), (7,), (4,), ()]
    assert state.seats[orange].won_tiles == ((2, 3),)
    assert not any(state.seats[other].won_tiles for other in (green, blue, yellow))


def test_five_seats_with_three_minus_ones():
    state = awarded((-1, "pair 2"), (-1, "four_of_a_kind 5"), (3, "five_of_a_kind 3"), (-1, "none"), (5, "triple 1"))
    assert [sum(one.won_cards) for one in state.seats] == [0, 3, 5, -3, 0]
    assert state.seats[3].won_cards == (-1, -1, -1)


def test_five_threes_beat_four_fives():
    state = awarded((7, "five_of_a_kind 3"), (1, "four_of_a_kind 5"))
    assert [one.won_cards for one in state.seats] == [(7,), (1,)]


def test_all_cards_minus_one_the_lowest_takes_all_and_nobody_else_a_card():
    state = awarded((-1, "pair 1"), (-1, "none"), (-1, "triple 6"))
    assert [one.won_cards for one in state.seats] == [(), (-1, -1, -1), ()]


def test_one_seat_alone_without_a_pair_is_lowest_even_if_it_played_last():
    state = awarded((4, "pair 1"), (-1, "pair 2"), (-1, "none"))
    assert [one.won_cards for one in state.seats] == [(), (4,), (-1, -1)]


def test_of_two_without_a_pair_the_earlier_is_the_lowest():
    state = awarded((-1, "none"), (4, "pair 2"), (-1, "none"), start_seat=2)
    assert [one.won_cards for one in state.seats] == [(), (4,), (-1, -1)]


def test_when_nobody_has_a_pair_the_last_is_highest_takes_the_largest_card_and_starts_and_tiles_stay():
    state = awarded((2, "none"), (-1, "none"), (5, "none"), start_seat=2, lying={1: (3,), 6: (2,)})
    assert [one.won_cards for one in state.seats] == [(2,), (5,), (-1,)]
    assert (state.start_seat, state.seat) == (1, 1)
    assert (state.lying[0], state.lying[5][0]) == ((3,), 2)
    assert not any(one.won_tiles for one in state.seats)


@pytest.mark.parametrize(
    ("row", "ways"),
    [
        ("none", 720),
        ("pair", 3600),
        ("two_pairs", 1800),
        ("triple", 1200),
        ("full_house", 300),
        ("four_of_a_kind", 150),
        ("five_of_a_kind", 6),
    ],
)
def test_odds_of_one_throw_of_7776(row, ways):
    found = Counter(row_of(tuple(sorted(throw))) for throw in product(range(1, 7), repeat=5))
    assert found[row] == ways
    assert found.total() == 7776
