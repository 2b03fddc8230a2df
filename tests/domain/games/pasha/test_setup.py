"""Set-up and material of Pasha: cards, stones, tiles as data, the start seat."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.chance import Chance
from domain.game import InvalidOptions
from domain.games.pasha import GAME
from domain.games.pasha.edition import data, tiles
from tests.domain.games.pasha.positions import CARDS, rules_for, seed, set_up

HOUSE = [(1, 3), (2, 3), (3, 3), (4, 3), (5, 3), (6, 3), (1, 2), (2, 2), (3, 2)]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_each_seat_has_its_nine_cards_in_a_hand_of_three_and_two_stacks_of_three(seats):
    state = set_up(rules_for(seats))[0].state
    assert len(state.seats) == seats
    for seat in state.seats:
        assert len(seat.hand) == 3
        assert [len(stack) for stack in seat.stacks] == [3, 3]
        assert Counter(seat.hand + sum(seat.stacks, ())) == Counter(CARDS)


def test_each_seat_has_five_stones_and_nothing_won():
    for seat in set_up(rules_for(3))[0].state.seats:
        assert (seat.stones, seat.played, seat.jeton, seat.won_cards, seat.won_tiles) == (5, None, None, (), ())


def test_the_first_tile_is_turned_up_above_the_column_of_its_die():
    rules = rules_for(2)
    set_up_fact, round_started = rules.setup(0, Chance(seed(3)))
    die, points = set_up_fact.tiles[0]
    state = set_up(rules, 3)[0].state
    assert (round_started.die, round_started.points) == (die, points)
    assert state.lying[die - 1] == (points,)
    assert sum(map(len, state.lying)) == 1
    assert state.face_down == set_up_fact.tiles[1:]


def test_cards_are_shuffled_seat_by_seat_then_the_tiles():
    chance = Chance(seed(5))
    expected = [chance.shuffled(CARDS) for _ in range(3)]
    order = chance.shuffled(HOUSE)
    fact = rules_for(3).setup(0, Chance(seed(5)))[0]
    assert [sum(stacks, ()) for stacks in fact.stacks] == expected
    assert fact.tiles == order


def test_the_first_fact_states_the_start_seat_given():
    assert [rules_for(4).setup(seat, Chance(seed(1)))[0].start_seat for seat in range(4)] == [0, 1, 2, 3]


def test_a_start_seat_not_given_is_drawn_by_chance():
    rules = rules_for(3)
    drawn = Counter(rules.setup(None, Chance(seed(number)))[0].start_seat for number in range(300))
    assert set(drawn) == {0, 1, 2}
    assert min(drawn.values()) > 60


def test_the_house_edition_holds_the_nine_tiles_of_the_material():
    assert sorted(tiles(data({"edition": "house"})["house.csv"])) == sorted(HOUSE)


def test_the_table_plays_with_the_content_of_its_tile_file():
    content = "die,points\n" + "6,9\n" * 9
    assert set_up(rules_for(2, tiles=content))[0].state.lying == ((), (), (), (), (), (9,))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "begin with"),
        ("points,die\n" + "1,1\n" * 9, "begin with"),
        ("die,points\n" + "1,1\n" * 8, "9 tiles, not 8"),
        ("die,points\n" + "1,1\n" * 10, "9 tiles, not 10"),
        ("die,points\n" + "1,1\n" * 8 + "7,1\n", "line 10: a die shows 1 to 6, not 7"),
        ("die,points\n" + "0,1\n" + "1,1\n" * 8, "line 2: a die shows 1 to 6, not 0"),
        ("die,points\n" + "1,1.5\n" + "1,1\n" * 8, "line 2 must be two whole numbers"),
        ("die,points\n" + "1,\n" + "1,1\n" * 8, "line 2 must be two whole numbers"),
        ("die,points\n" + "1,1,1\n" + "1,1\n" * 8, "line 2 must be two whole numbers"),
    ],
)
def test_a_tile_file_that_is_not_nine_tiles_of_die_and_points_is_refused(content, complaint):
    with pytest.raises(InvalidOptions, match=complaint):
        rules_for(2, tiles=content)


def test_a_table_without_its_tile_file_is_refused():
    with pytest.raises(InvalidOptions, match=r"house\.csv is missing"):
        GAME.rules[1](type(rules_for(2).config)(2, {"edition": "house", "specials": False}, {}))


def test_options_are_the_edition_and_the_specials_off_by_default():
    assert GAME.complete({}, 2) == {"specials": False, "edition": "house"}
    with pytest.raises(InvalidOptions):
        GAME.complete({"edition": "no such"}, 2)
    with pytest.raises(InvalidOptions):
        GAME.complete({"specials": 1}, 2)


def test_two_to_five_seats_play():
    assert GAME.seats == (2, 3, 4, 5)
