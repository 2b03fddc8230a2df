"""The bots of Pasha: what automa prefers, that it is reproducible and sees nothing hidden, and how often it wins."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from domain.bots import random_bot
from domain.game import Position
from domain.games.pasha import GAME
from domain.games.pasha.bots import automa
from domain.games.pasha.dice import row_of
from domain.games.pasha.odds import INDEX, RESULTS, distribution, expected, first_throw, plan
from tests.domain.games.pasha.positions import (
    bot_position,
    final_state,
    played,
    position,
    rolled,
    rules_for,
    seat,
    set_up,
    space,
)


def told(state, number=0, specials=False):
    """What a bot at the seat is told of a position; others' cards are taken as not seen at all."""
    rules = rules_for(len(state.seats), specials=specials)
    left = [Counter(map(str, (*one.hand, *sum(one.stacks, ())))) for one in state.seats]
    unknown = [{"guaranteed": {}, "possible": dict(cards)} for cards in left]
    knowledge = {"hands": unknown, "stacks": [{"guaranteed": {}, "possible": {}} for _ in left]}
    return Position(
        number,
        len(state.seats),
        rules.config.options,
        rules.view(state, number),
        knowledge,
        tuple(rules.legal_actions(state, number)),
    )


def choice(state, number=0, specials=False):
    return automa(told(state, number, specials), Random(1))


def test_the_game_offers_random_and_automa():
    assert set(GAME.bots) == {"random", "automa"}


# Odds


def test_the_odds_of_one_throw_are_those_of_the_page():
    ways = Counter()
    for dice, chance in zip(RESULTS, distribution([0.0] * len(RESULTS), 1), strict=True):
        ways[row_of(dice)] += chance * 7776
    assert {row: round(n, 6) for row, n in ways.items()} == {
        "none": 720,
        "pair": 3600,
        "two_pairs": 1800,
        "triple": 1200,
        "full_house": 300,
        "four_of_a_kind": 150,
        "five_of_a_kind": 6,
    }


def test_expected_values_equal_a_plain_listing_of_throws():
    values = [float(sum(dice) * (1 + len(set(dice)))) for dice in RESULTS]
    by_dice = dict(zip(RESULTS, values, strict=True))
    means = [by_dice[tuple(sorted((2, 5, *thrown)))] for thrown in product(range(1, 7), repeat=3)]
    assert expected(values)[INDEX[2, 5]] == pytest.approx(sum(means) / len(means))


def test_a_pasch_of_fives_in_three_throws_has_the_known_odds():
    # Five of a kind of any value in three throws with best play: 347,897/7,558,272, about 4.603 %.
    yahtzee = [float(row_of(dice) == "five_of_a_kind") for dice in RESULTS]
    assert first_throw(plan(yahtzee, 0, 1.0, 2).throws[2]) == pytest.approx(347897 / 7558272)


def test_a_plan_never_loses_by_more_stones_throws_or_a_restart():
    values = [float(sum(dice)) for dice in RESULTS]
    turn = plan(values, 3, 1.5, 3, restart=True)
    plain = plan(values, 3, 1.5, 3)
    for less, more in zip(plain.stones, plain.stones[1:], strict=False):
        assert all(a <= b for a, b in zip(less, more, strict=True))
    for without, with_restart in zip(plain.throws, turn.throws, strict=True):
        assert all(a <= b for a, b in zip(without, with_restart, strict=True))


# Preferences


def test_it_keeps_four_of_a_kind_and_throws_the_fifth():
    state = rolled("6-6-6-6-1", stones=0, phase="throw", throws_left=2)
    assert choice(state) == {"type": "throw", "keep": [6, 6, 6, 6]}


def test_it_stops_with_five_sixes():
    state = rolled("6-6-6-6-6", stones=0, phase="throw", throws_left=2)
    assert choice(state) == {"type": "stop"}
    assert choice(rolled("6-6-6-6-6")) == {"type": "place", "column": 6}


def test_it_takes_the_column_with_a_tile_when_two_pairs_leave_the_choice():
    state = position(
        seat(hand=(1,), played=-1, stones=0),
        seat(hand=(), stacks=(), played=-1, jeton="five_of_a_kind 6"),
        phase="stones",
        start_seat=1,
        shown="1-1-5-5-6",
        lying={1: (3,)},
    )
    assert choice(state) == {"type": "place", "column": 1}


def test_it_spends_no_stone_when_the_space_cannot_get_better():
    state = position(
        seat(hand=(1,), played=7, stones=5),
        seat(hand=(), played=5, jeton="pair 1"),
        phase="stones",
        start_seat=1,
        shown="6-6-6-2-1",
    )
    assert choice(state) == {"type": "place", "column": 6}


def test_it_spends_a_stone_to_win_the_seven_from_the_last_place():
    state = position(
        seat(hand=(), played=7, stones=1),
        seat(hand=(), played=-1, jeton="triple 2"),
        phase="stones",
        start_seat=1,
        round=9,
        shown="1-3-3-4-6",
    )
    action = choice(state)
    assert action == {"type": "adjust", "from": 4, "to": 3}


def test_it_throws_on_for_the_seven_and_rests_on_a_sure_win():
    trailing = position(
        seat(hand=(), played=7, stones=0),
        seat(hand=(), played=1, jeton="full_house 6"),
        phase="throw",
        start_seat=1,
        shown="4-4-4-1-2",
        throws_left=1,
    )
    assert choice(trailing) == {"type": "throw", "keep": [4, 4, 4]}
    leading = replace(trailing, seats=(trailing.seats[0], replace(trailing.seats[1], jeton=space("pair 1"))))
    assert choice(leading) == {"type": "stop"}


def test_it_plays_a_large_card_last_against_a_weak_result_and_a_minus_one_against_a_strong_one_to_lose_little():
    weak = position(seat(hand=(1, 7), stones=0), seat(hand=(), played=-1, jeton="none"), start_seat=1, turn_of=0)
    strong = position(
        seat(hand=(1, 7), stones=0), seat(hand=(), played=-1, jeton="five_of_a_kind 6"), start_seat=1, turn_of=0
    )
    assert choice(weak) == {"type": "play_card", "value": 7}
    assert choice(strong) == {"type": "play_card", "value": 1}


def test_it_restarts_a_hopeless_throw_when_it_may():
    state = position(
        seat(hand=(), played=2, stones=0),
        seat(hand=(), played=7, jeton="triple 6"),
        phase="stones",
        start_seat=1,
        shown="1-2-3-4-6",
        restart=True,
    )
    assert choice(state, specials=True) == {"type": "restart"}


# Reproducible, blind


@pytest.mark.parametrize("seats", [2, 4])
def test_the_same_position_gives_the_same_choice(seats):
    rules = rules_for(seats, specials=True)
    for command in played(rules, [automa] * seats, 12):
        again = automa(bot_position(rules, command.before, command.seat), Random(99))
        assert again == command.action


def test_every_choice_is_one_of_the_listed_actions():
    for seats in GAME.seats:
        rules = rules_for(seats, specials=seats % 2 == 1)
        for command in played(rules, [automa] * seats, seats):
            assert command.action in rules.legal_actions(command.before.state, command.seat)


# Strength


def wins(games):
    """Automa's wins, draws and losses in two-seat games against random, seats swapped every game."""
    rules, outcome = rules_for(2), Counter()
    for number in range(games):
        own = number % 2
        sheet = rules.score(final_state(rules, [automa if n == own else random_bot for n in (0, 1)], number))
        outcome[sheet.winners if len(sheet.winners) > 1 else sheet.winners == (own,)] += 1
    return outcome


def test_automa_beats_random_in_nine_of_ten_games():
    games = 20
    outcome = wins(games)
    print(f"automa won {outcome[True]} of {games} games against random, seeds 0 to {games - 1}")
    assert outcome[True] >= 0.9 * games


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_automa_beats_random_in_nine_of_ten_of_400_games():
    outcome = wins(400)
    print(f"automa won {outcome[True]} of 400 games against random ({100 * outcome[True] / 400:.1f} %)")
    assert outcome[True] >= 360


def test_automa_ends_ahead_of_three_random_seats_more_often_than_not():
    rules, first = rules_for(4), 0
    for number in range(8):
        bots = [automa if n == number % 4 else random_bot for n in range(4)]
        first += number % 4 in rules.score(final_state(rules, bots, number)).winners
    assert first >= 5


def test_a_fresh_game_is_played_without_any_help_of_a_person():
    rules = rules_for(3)
    assert set_up(rules)[0].state.phase == "card"
    assert rules.is_over(final_state(rules, [automa, random_bot, automa], 5))
