"""A turn of Pasha: card, dice, stones, jeton, end. One test a sentence of the rules; specials at the end."""

from __future__ import annotations

import pytest

from domain.chance import Chance
from domain.game import IllegalAction
from tests.domain.games.pasha.positions import (
    END_TURN,
    RESTART,
    STOP,
    Rigged,
    act,
    carried_out,
    dice,
    kept,
    position,
    rolled,
    rules_for,
    seat,
    seed,
    space,
    types,
)

TWO = rules_for(2)
SPECIAL = rules_for(2, specials=True)


def throw(*keep):
    return {"type": "throw", "keep": list(keep)}


def rethrow(*keep):
    return {"type": "rethrow", "keep": list(keep)}


def adjust(before, after):
    return {"type": "adjust", "from": before, "to": after}


def place(column):
    return {"type": "place", "column": column}


def play(value):
    return {"type": "play_card", "value": value}


def legal(state, rules=TWO, number=0):
    return rules.legal_actions(state, number)


def refused(state, action, rules=TWO, number=0):
    """The rule's code; nothing is drawn."""
    chance = Chance(seed(1))
    with pytest.raises(IllegalAction) as refusal:
        rules.decide(state, number, action, chance)
    assert chance.counter == 0
    return refusal.value.rule


# Card


def test_any_hand_card_may_be_played_equal_cards_being_one_choice():
    assert legal(position(seat(hand=(-1, -1, 7)), seat())) == (play(-1), play(7))


def test_the_card_lies_face_up_and_the_throws_begin():
    state = act(TWO, position(seat(hand=(-1, -1, 7), stacks=[(1, 2, 3)]), seat()), Rigged(), play(-1))
    assert (state.seats[0].hand, state.seats[0].played) == ((-1, 7), -1)
    assert (state.phase, state.throws_left, state.dice) == ("throw", 3, None)
    assert state.seats[0].stacks == ((1, 2, 3),)


def test_with_the_last_card_of_the_hand_the_next_stack_is_taken():
    state = act(TWO, position(seat(hand=(4,), stacks=[(7, -1, 3), (1, 2, 5)]), seat()), Rigged(), play(4))
    assert (state.seats[0].hand, state.seats[0].stacks) == ((-1, 3, 7), ((1, 2, 5),))


def test_without_a_stack_the_hand_stays_empty():
    state = act(TWO, position(seat(hand=(4,), stacks=[]), seat()), Rigged(), play(4))
    assert (state.seats[0].hand, state.seats[0].stacks) == ((), ())


def test_a_single_card_is_not_played_by_itself_as_it_starts_the_turn():
    assert TWO.forced(position(seat(hand=(4,)), seat())) is None


def test_a_card_not_in_the_hand_is_refused():
    assert refused(position(seat(hand=(1, 2)), seat()), play(7)) == "pasha.card-not-in-hand"


def test_a_second_card_is_refused():
    assert refused(rolled("1-2-3-4-6"), play(1)) == "pasha.card-already-played"


# Dice


def test_the_first_throw_is_of_all_five_dice_and_has_no_other_choice():
    state = position(seat(played=3), seat(), phase="throw", throws_left=3)
    assert legal(state) == (throw(),)
    assert refused(state, throw(1)) == "pasha.wrong-keep"
    assert refused(state, STOP) == "pasha.throw-first"


def test_the_first_throw_waits_for_the_seat_so_that_the_card_can_be_undone():
    assert TWO.forced(position(seat(played=3), seat(), phase="throw", throws_left=3)) is None


def test_there_are_up_to_three_throws():
    state = position(seat(hand=(4, 5, 7)), seat())
    state = act(TWO, state, Rigged((1, 2, 3, 4, 6)), play(4), throw())
    assert (state.phase, state.throws_left) == ("throw", 2)
    state = act(TWO, state, Rigged((1, 2, 4)), throw(3, 6))
    assert (state.phase, state.throws_left) == ("throw", 1)
    state = act(TWO, state, Rigged((1, 2, 4)), throw(3, 6))
    assert (state.phase, state.throws_left) == ("stones", 0)
    assert not types(legal(state)) & {"throw", "stop"}
    assert refused(state, throw()) == "pasha.no-throw-left"
    assert refused(state, STOP) == "pasha.no-throw-left"


def test_after_each_throw_any_dice_may_be_set_aside_up_to_four_of_them():
    choices = kept(legal(rolled("1-2-3-4-6", phase="throw", throws_left=2)))
    assert len(choices) == 31
    assert len({tuple(choice) for choice in choices}) == 31
    assert max(map(len, choices)) == 4
    assert all(choice == sorted(choice) for choice in choices)


def test_equal_dice_are_one_choice():
    assert kept(legal(rolled("2-2-2-2-2", phase="throw", throws_left=2))) == [[], [2], [2, 2], [2, 2, 2], [2, 2, 2, 2]]


def test_dice_set_aside_earlier_may_be_thrown_again():
    state = rolled("1-2-3-4-4", phase="throw", throws_left=2)
    state = act(TWO, state, Rigged((6, 6, 2)), throw(4, 4))
    assert state.dice == dice("2-4-4-6-6")
    assert throw(6, 6) in legal(state)
    assert act(TWO, state, Rigged((1, 1, 1)), throw(6, 6)).dice == dice("1-1-1-6-6")


def test_one_may_stop_early_and_go_on_to_the_stones():
    state = rolled("1-1-3-4-6", phase="throw", throws_left=2)
    assert STOP in legal(state)
    after = act(TWO, state, Rigged(), STOP)
    assert (after.phase, after.throws_left, after.dice) == ("stones", 0, state.dice)
    assert {"place", "rethrow", "adjust"} == types(legal(after))


@pytest.mark.parametrize("keep", [[5], [1, 1], [2, 1], [1, 2, 3, 4, 6]])
def test_dice_that_are_not_there_or_all_five_or_not_ascending_cannot_be_kept(keep):
    assert refused(rolled("1-2-3-4-6", phase="throw", throws_left=2), throw(*keep)) == "pasha.wrong-keep"
    assert refused(rolled("1-2-3-4-6"), rethrow(*keep)) == "pasha.wrong-keep"


# Stones


def test_stones_are_spent_after_the_last_throw_or_stopping_only():
    state = rolled("1-2-3-4-6", phase="throw", throws_left=1)
    assert types(legal(state)) == {"throw", "stop"}
    assert refused(state, rethrow()) == "pasha.throws-left"
    assert refused(state, adjust(1, 2)) == "pasha.throws-left"


def test_a_stone_throws_any_dice_once_more():
    after = act(TWO, rolled("1-2-3-4-6", stones=3), Rigged((6, 6, 6)), rethrow(4, 6))
    assert (after.dice, after.seats[0].stones, after.phase) == (dice("4-6-6-6-6"), 2, "stones")


def test_a_stone_turns_one_die_by_one():
    after = act(TWO, rolled("1-2-3-4-6", stones=3), Rigged(), adjust(3, 2))
    assert (after.dice, after.seats[0].stones) == (dice("1-2-2-4-6"), 2)


def test_a_die_never_turns_from_six_to_one_or_back():
    state = rolled("1-1-6-6-6")
    choices = [(choice["from"], choice["to"]) for choice in legal(state) if choice["type"] == "adjust"]
    assert choices == [(1, 2), (6, 5)]
    assert refused(state, adjust(6, 1)) == "pasha.wrong-adjustment"
    assert refused(state, adjust(1, 6)) == "pasha.wrong-adjustment"
    assert refused(state, adjust(6, 7)) == "pasha.wrong-adjustment"
    assert refused(state, adjust(1, 3)) == "pasha.wrong-adjustment"
    assert refused(state, adjust(3, 4)) == "pasha.no-such-die"


def test_effects_are_taken_in_any_order_as_often_as_one_can_pay():
    state = rolled("1-2-3-4-6", stones=3)
    state = act(TWO, state, Rigged((6, 6), (5,)), adjust(4, 5), rethrow(2, 3, 5), rethrow(2, 3, 6, 6))
    assert (state.seats[0].stones, state.dice) == (0, dice("2-3-5-6-6"))


def test_without_a_stone_no_effect_is_left():
    state = rolled("1-1-2-2-6", stones=0)
    assert types(legal(state)) == {"place"}
    assert refused(state, rethrow()) == "pasha.no-stone-left"
    assert refused(state, adjust(1, 2)) == "pasha.no-stone-left"


# Jeton


@pytest.mark.parametrize(
    ("shown", "row", "columns"),
    [
        ("1-2-3-4-6", "none", [None]),
        ("1-2-3-4-5", "none", [None]),
        ("2-3-4-4-5", "pair", [4]),
        ("2-2-4-4-5", "two_pairs", [2, 4]),
        ("4-5-6-6-6", "triple", [6]),
        ("2-2-2-6-6", "full_house", [2]),
        ("5-5-5-5-2", "four_of_a_kind", [5]),
        ("3-3-3-3-3", "five_of_a_kind", [3]),
    ],
)
def test_the_row_is_the_combination_and_the_column_its_value(shown, row, columns):
    state = rolled(shown)
    assert [choice["column"] for choice in legal(state) if choice["type"] == "place"] == columns
    for column in columns:
        after = act(TWO, state, Rigged(), place(column))
        assert (after.seats[0].jeton.row, after.seats[0].jeton.column) == (row, column)


def test_with_two_pairs_the_player_chooses_either_column_even_without_a_stone():
    state = rolled("2-2-4-4-5", stones=0)
    assert legal(state) == (place(2), place(4))
    assert TWO.forced(state) is None


@pytest.mark.parametrize("column", [None, 1, 3, 7])
def test_the_dice_decide_the_row_and_column_no_lower_claim(column):
    assert refused(rolled("2-2-2-4-4"), place(column)) == "pasha.wrong-column"


def test_a_jeton_goes_on_top_of_those_on_its_space():
    state = position(
        seat(jeton="triple 6"), seat(played=2), seat(jeton=space("triple 6", 1)), seat(jeton="triple 5"),
        phase="stones", turn_of=1, start_seat=2, shown="6-6-6-1-2",
    )  # fmt: skip
    assert act(rules_for(4), state, Rigged(), place(6)).seats[1].jeton == space("triple 6", 2)


def test_without_a_pair_it_lies_in_front_of_the_board_on_top_of_earlier_ones():
    state = position(seat(jeton="none"), seat(played=2), seat(), phase="stones", turn_of=1, shown="1-2-3-4-6")
    assert act(rules_for(3), state, Rigged(), place(None)).seats[1].jeton == space("none", 1)


def test_the_only_space_without_a_stone_left_is_taken_in_the_same_command():
    state = rolled("1-2-3-4-6", stones=0, phase="throw", throws_left=1)
    facts = carried_out(TWO, state, Rigged((6, 6, 6, 6)), throw(6))
    assert [type(fact).__name__ for fact in facts] == ["DiceThrown", "JetonPlaced"]
    assert act(TWO, state, Rigged((6, 6, 6, 6)), throw(6)).phase == "placed"


def test_with_a_stone_left_placing_is_explicit():
    assert TWO.forced(rolled("1-2-3-4-6", stones=1)) is None


def test_the_jeton_waits_for_the_throws_to_end():
    assert refused(rolled("1-1-3-4-6", phase="throw", throws_left=1), place(1)) == "pasha.throws-left"


# End of the turn


def test_after_placing_there_is_end_turn_only_and_it_waits_for_the_seat():
    state = act(TWO, rolled("1-1-3-4-6"), Rigged(), place(1))
    assert legal(state) == (END_TURN,)
    assert TWO.forced(state) is None
    for action in (throw(), STOP, rethrow(), adjust(1, 2), place(1)):
        assert refused(state, action) == "pasha.jeton-placed"


def test_the_turn_does_not_end_before_the_jeton_is_placed():
    assert refused(rolled("1-1-3-4-6"), END_TURN) == "pasha.jeton-not-placed"
    assert refused(position(seat(), seat()), END_TURN) == "pasha.jeton-not-placed"


@pytest.mark.parametrize(("ending", "following"), [(1, 2), (2, 3), (3, 0)])
def test_turns_go_clockwise_once_each_from_the_start_seat(ending, following):
    seats = [seat(played=3, jeton=space("none", level)) for level in range(4)]
    state = position(*seats, phase="placed", turn_of=ending, start_seat=1, shown="1-2-3-4-6")
    after = act(rules_for(4), state, Rigged(), END_TURN)
    assert (after.seat, after.phase, after.dice, after.turn) == (following, "card", None, state.turn + 1)
    assert rules_for(4).to_act(after) == (following,)


# Refusals


def test_another_seat_has_nothing_to_decide():
    state = position(seat(), seat())
    assert legal(state, number=1) == ()
    assert refused(state, play(1), number=1) == "pasha.not-your-turn"


def test_a_turn_begins_with_playing_a_card():
    state = position(seat(), seat())
    for action in (throw(), STOP, RESTART, rethrow(), adjust(1, 2), place(None)):
        assert refused(state, action) == "pasha.card-first"


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        ({}, "pasha.unknown-action"),
        ([], "pasha.unknown-action"),
        (None, "pasha.unknown-action"),
        ({"type": None}, "pasha.unknown-action"),
        ({"type": ["stop"]}, "pasha.unknown-action"),
        ({"type": "roll"}, "pasha.unknown-action"),
        ({"type": "play_card"}, "pasha.malformed-action"),
        ({"type": "play_card", "value": True}, "pasha.malformed-action"),
        ({"type": "play_card", "value": 1.0}, "pasha.malformed-action"),
        ({"type": "play_card", "value": "1"}, "pasha.malformed-action"),
        ({"type": "play_card", "value": 1, "seat": 0}, "pasha.malformed-action"),
        ({"type": "throw"}, "pasha.malformed-action"),
        ({"type": "throw", "keep": "12"}, "pasha.malformed-action"),
        ({"type": "throw", "keep": [True]}, "pasha.malformed-action"),
        ({"type": "throw", "keep": [[1]]}, "pasha.malformed-action"),
        ({"type": "adjust", "from": 1}, "pasha.malformed-action"),
        ({"type": "place", "column": False}, "pasha.malformed-action"),
        ({"type": "stop", "now": 1}, "pasha.malformed-action"),
    ],
)
def test_what_is_no_action_is_refused_in_every_phase(action, rule):
    for state in (position(seat(), seat()), rolled("1-1-1-1-1"), rolled("1-1-2-3-4", phase="throw", throws_left=1)):
        assert refused(state, action) == rule


# Option specials


def test_card_1_gives_four_throws_with_specials_only():
    state = position(seat(hand=(1, 2, 3)), seat())
    assert act(SPECIAL, state, Rigged(), play(1)).throws_left == 4
    assert act(TWO, state, Rigged(), play(1)).throws_left == 3
    assert act(SPECIAL, state, Rigged(), play(3)).throws_left == 3


def test_the_fourth_throw_is_optional():
    state = position(seat(hand=(1, 2, 3)), seat())
    state = act(SPECIAL, state, Rigged((1, 2, 3, 4, 6)), play(1), throw())
    state = act(SPECIAL, state, Rigged((1,), (1,), (1,)), *[throw(*keep) for keep in ((1, 2, 3, 4), (1, 1, 2, 3))])
    assert state.throws_left == 1
    assert {"throw", "stop"} == types(legal(state, SPECIAL))


def with_card_2(*throws, keep=()):
    """Seat 0 has played the card 2 with specials and thrown."""
    state = act(SPECIAL, position(seat(hand=(2, 3)), seat()), Rigged(), play(2))
    for thrown, dice_kept in zip(throws, keep or [()] * len(throws), strict=True):
        state = act(SPECIAL, state, Rigged(thrown), throw(*dice_kept))
    return state


@pytest.mark.parametrize("throws", [1, 2, 3])
def test_card_2_allows_a_restart_after_any_throw(throws):
    state = with_card_2(*[(1, 2, 3, 4, 6)] * throws)
    assert RESTART in legal(state, SPECIAL)
    after = act(SPECIAL, state, Rigged((5, 5, 5, 5, 1)), RESTART)
    assert (after.dice, after.throws_left, after.phase) == (dice("1-5-5-5-5"), 2, "throw")


def test_a_restart_comes_after_stop_too():
    state = act(SPECIAL, with_card_2((1, 2, 3, 4, 6)), Rigged(), STOP)
    assert RESTART in legal(state, SPECIAL)


def test_a_restart_comes_before_a_stone_is_spent():
    state = act(SPECIAL, with_card_2((1, 2, 3, 4, 6)), Rigged(), STOP, adjust(1, 2))
    assert RESTART not in legal(state, SPECIAL)
    assert refused(state, RESTART, SPECIAL) == "pasha.no-restart"


def test_there_is_one_restart():
    state = act(SPECIAL, with_card_2((1, 2, 3, 4, 6)), Rigged((1, 2, 3, 4, 6)), RESTART)
    assert RESTART not in legal(state, SPECIAL)
    state = act(SPECIAL, state, Rigged((1,), (1,)), throw(1, 2, 3, 4), throw(1, 2, 3, 4))
    assert (state.phase, RESTART in legal(state, SPECIAL)) == ("stones", False)


def test_a_restart_needs_a_throw_before_it():
    state = with_card_2()
    assert legal(state, SPECIAL) == (throw(),)
    assert refused(state, RESTART, SPECIAL) == "pasha.throw-first"


def test_there_is_no_restart_without_specials_or_with_another_card():
    without = act(TWO, position(seat(hand=(2, 3)), seat()), Rigged((1, 2, 3, 4, 6)), play(2), throw())
    other = act(SPECIAL, position(seat(hand=(2, 3)), seat()), Rigged((1, 2, 3, 4, 6)), play(3), throw())
    for state, rules in ((without, TWO), (other, SPECIAL)):
        assert RESTART not in legal(state, rules)
        assert refused(state, RESTART, rules) == "pasha.no-restart"


def test_a_possible_restart_keeps_the_jeton_from_being_placed_by_itself():
    state = position(seat(hand=(2, 3), stones=0), seat())
    state = act(SPECIAL, state, Rigged((1, 2, 3, 4, 6)), play(2), throw(), STOP)
    assert legal(state, SPECIAL) == (place(None), RESTART)
    assert state.phase == "stones"
