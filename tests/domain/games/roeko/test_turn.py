"""A turn of R-Öko and its end, one sentence of the rules page a test."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.games.roeko.facts import (
    CardsDelivered,
    CardsDisposed,
    DumpRefilled,
    GameSetUp,
    PileReshuffled,
    TurnEnded,
    TurnPassed,
)
from domain.games.roeko.rules import DECK
from tests.domain.games.roeko.helpers import (
    END_TURN,
    PASS,
    SEATS,
    after,
    cards,
    chance_from,
    deal,
    deliver,
    dispose,
    facts_of,
    given,
    legal,
    rules_for,
    start,
)

# Material and setup


def test_88_cards_nineteen_singles_and_three_doubles_of_each_material() -> None:
    (deal,) = rules_for(2).setup(0, chance_from(3))
    assert isinstance(deal, GameSetUp)
    dealt = Counter([*deal.hands[0], *deal.hands[1], *deal.dumps, *deal.pile])
    assert dealt == {
        f"{material}{icons}": {1: 19, 2: 3}[icons]
        for material in ("can", "glass", "plastic", "paper")
        for icons in (1, 2)
    }


@pytest.mark.parametrize(
    ("seats", "stack"),
    [
        (2, (0, 1, 2, -2, 4, 5)),
        (3, (0, 1, 2, 3, -2, 4, 5)),
        (4, (0, 1, 2, 3, -2, 4, 5)),
        (5, (0, 1, 2, 3, 3, -2, 4, 5)),
    ],
)
def test_every_material_has_the_reward_stack_of_the_number_of_players(seats: int, stack: tuple[int, ...]) -> None:
    _, state, _ = start(seats, 1)
    assert state.rewards == (stack,) * 4


@pytest.mark.parametrize(("seats", "pile"), [(2, 78), (3, 75), (4, 72), (5, 69)])
def test_three_cards_a_hand_one_a_dump_side_the_rest_is_the_draw_pile(seats: int, pile: int) -> None:
    _, state, _ = start(seats, 1)
    assert [sum(hand) for hand in state.hands] == [3] * seats
    assert [sum(dump) for dump in state.dumps] == [1] * 4
    assert state.pile_size == pile
    assert state.recycling == ((0, 0),) * 4
    assert not any(state.discard)


def test_the_deal_follows_the_shuffled_deck_seat_by_seat_then_dump_by_dump() -> None:
    (deal,) = rules_for(3).setup(1, chance_from(9))
    assert isinstance(deal, GameSetUp)
    order = chance_from(9).shuffled(DECK)
    assert [*deal.hands[0], *deal.hands[1], *deal.hands[2], *deal.dumps, *deal.pile] == list(order)
    assert deal.dumps == order[9:13]


def test_the_start_seat_is_the_one_fixed_or_drawn_by_chance() -> None:
    assert start(4, 1, start_seat=2)[1].seat == 2
    drawn = {start(4, seed, start_seat=None)[1].seat for seed in range(40)}
    assert drawn == {0, 1, 2, 3}


def test_the_first_fact_states_the_start_seat() -> None:
    (deal,) = rules_for(5).setup(3, chance_from(1))
    assert deal.start_seat == 3


# 1 Deliver


def test_one_or_more_cards_of_one_material_any_number_of_them() -> None:
    assert legal(given("paper1 paper1 paper2 can1")) == [
        deliver("can", 1, 0),
        deliver("paper", 0, 1),
        deliver("paper", 1, 0),
        deliver("paper", 1, 1),
        deliver("paper", 2, 0),
        deliver("paper", 2, 1),
    ]


def test_delivered_cards_go_to_that_factorys_recycling_side() -> None:
    state = after(given("paper1 paper2 can1"), deliver("paper", 1, 1))
    assert state.recycling == ((0, 0), (0, 0), (0, 0), (1, 1))
    assert state.hands[0] == cards("can1")
    assert state.delivered == 3


def test_one_to_three_icons_stay_and_bring_no_reward() -> None:
    state = after(given("glass1 glass2", there={"glass": (0, 0)}), deliver("glass", 1, 1))
    assert state.icons(1) == 3
    assert state.won[0] == ((), (), (), ())
    assert state.rewards[1] == (0, 1, 2, -2, 4, 5)
    assert not any(state.discard)


@pytest.mark.parametrize(
    ("there", "singles", "doubles"), [((2, 0), 2, 0), ((1, 1), 1, 0), ((0, 0), 4, 0), ((0, 1), 0, 1)]
)
def test_all_icons_there_count_and_four_take_the_top_reward_and_clear_the_factory(
    there: tuple[int, int], singles: int, doubles: int
) -> None:
    hand = "can1 " * singles + "can2 " * doubles
    state = after(given(hand, there={"can": there}), deliver("can", singles, doubles))
    assert state.won[0][0] == (0,)
    assert state.rewards[0] == (1, 2, -2, 4, 5)
    assert state.recycling[0] == (0, 0)
    assert state.discard == cards("can1 " * (there[0] + singles) + "can2 " * (there[1] + doubles))


def test_never_more_than_one_reward_however_many_icons() -> None:
    state = after(given("can2 can2 can2 can1 can1", there={"can": (3, 0)}), deliver("can", 2, 3))
    assert sum(state.discard) == 8
    assert state.won[0][0] == (0,)
    assert len(state.rewards[0]) == 5


def test_rewards_are_kept_in_the_order_won() -> None:
    first = after(given("can2 can2 can1", pile="can1 can2 can2"), deliver("can", 0, 2))
    assert first.won[0][0] == (0,)
    again = given("can2 can2", rewards={"can": (-2, 4, 5)})
    assert facts_of(again, deliver("can", 0, 2))[0].reward == -2


# 2 Collect


@pytest.mark.parametrize("singles", [1, 4])
def test_the_dump_side_of_the_same_factory_comes_to_the_hand_reward_or_not(singles: int) -> None:
    position = given("can1 can1 can1 can1", dump={"can": "glass1 paper2", "glass": "can1"})
    state = after(position, deliver("can", singles))
    assert state.hands[0] == cards("glass1 paper2 " + "can1 " * (4 - singles))
    assert state.dumps[0] == cards("")
    assert state.dumps[1] == cards("can1")


def test_delivery_reward_and_collected_cards_are_one_fact() -> None:
    position = given("can1 can1", there={"can": (2, 0)}, dump={"can": "paper1 paper1 can2"})
    assert facts_of(position, deliver("can", 2)) == [
        CardsDelivered(0, "can", 2, 0, reward=0, collected={"can2": 1, "paper1": 2})
    ]


def test_an_empty_dump_side_is_collected_as_nothing() -> None:
    assert facts_of(given("can1"), deliver("can", 1))[0].collected == {}


# 3 Hand limit


def test_with_five_cards_the_turn_can_end_at_once() -> None:
    state = after(given("can1 paper1 paper1", dump={"can": "glass1 glass1 glass1"}), deliver("can", 1))
    assert sum(state.hands[0]) == 5
    assert legal(state) == [END_TURN]


def test_with_more_than_five_cards_exactly_the_excess_is_disposed_of() -> None:
    state = after(given("can1 paper1 paper1 paper1 paper1", dump={"can": "can2 can2 can1"}), deliver("can", 1))
    assert state.excess == 2
    assert [action["cards"] for action in legal(state)] == [
        {"can1": 1, "can2": 1},
        {"can1": 1, "paper1": 1},
        {"can2": 2},
        {"can2": 1, "paper1": 1},
        {"paper1": 2},
    ]


def test_disposed_cards_go_to_the_illegal_pile_those_just_collected_too() -> None:
    state = after(given("can1 paper1 paper1 paper1 paper1", dump={"can": "can2 can1"}), deliver("can", 1))
    assert facts_of(state, dispose(can2=1)) == [CardsDisposed(0, {"can2": 1})]
    disposed = after(state, dispose(can2=1))
    assert disposed.illegal[0] == cards("can2")
    assert disposed.hands[0] == cards("can1 paper1 paper1 paper1 paper1")
    assert legal(disposed) == [END_TURN]


def test_the_excess_counts_collected_cards_after_a_reward_too() -> None:
    position = given("can1 can1 glass1 glass1 glass1", there={"can": (2, 0)}, dump={"can": "paper1 " * 4})
    state = after(position, deliver("can", 2))
    assert state.won[0][0] == (0,)
    assert state.excess == 2


def test_at_most_56_disposals_are_listed() -> None:
    state = given("can1 can2 glass1 glass2 plastic1 plastic2 paper1 paper2", delivered="can")
    choices = [tuple(sorted(action["cards"].items())) for action in legal(state)]
    assert len(choices) == len(set(choices)) == 56


def test_a_single_choice_of_disposal_is_forced() -> None:
    state = given("can1 " * 7, delivered="glass")
    assert rules_for(2).forced(state) == (0, dispose(can1=2))


def test_deliveries_end_of_turn_and_passes_are_never_forced() -> None:
    for position in (given("can1"), given("can1", delivered="can"), given("")):
        assert len(legal(position)) == 1
        assert rules_for(2).forced(position) is None


# 4 End the turn


@pytest.mark.parametrize(
    ("there", "drawn"), [((0, 0), 1), ((1, 0), 2), ((0, 1), 3), ((2, 0), 3), ((3, 0), 4), ((1, 1), 4)]
)
def test_the_refill_is_the_icons_left_there_plus_one(there: tuple[int, int], drawn: int) -> None:
    pile = "can1 glass1 paper1 can2 paper2"
    state = given("paper1", delivered="can", there={"can": there, "glass": (2, 0)}, pile=pile)
    refilled, _ = facts_of(state, END_TURN)
    assert refilled == DumpRefilled("can", tuple(pile.split()[:drawn]))
    ended = after(state, END_TURN)
    assert ended.dumps[0] == cards(" ".join(pile.split()[:drawn]))
    assert ended.pile_size == 5 - drawn


def test_then_the_next_seat_clockwise_is_to_act() -> None:
    for seats in SEATS:
        for seat in range(seats):
            state = given("", seats=seats, seat=seat, delivered="can", pile="can1", turn=7)
            ended = after(state, END_TURN)
            assert (ended.seat, ended.turn, ended.delivered) == ((seat + 1) % seats, 8, None)
            assert facts_of(state, END_TURN)[-1] == TurnEnded(seat, (seat + 1) % seats, None)


def test_an_empty_draw_pile_is_replaced_by_the_shuffled_discard_pile_in_mid_refill() -> None:
    state = given("", delivered="can", there={"can": (3, 0)}, pile="glass2", discard="paper1 paper1 paper2 can2")
    first, reshuffled, second, ended = facts_of(state, END_TURN)
    assert first == DumpRefilled("can", ("glass2",))
    assert isinstance(reshuffled, PileReshuffled)
    assert sorted(reshuffled.cards) == ["can2", "paper1", "paper1", "paper2"]
    assert second == DumpRefilled("can", reshuffled.cards[:3])
    assert isinstance(ended, TurnEnded)
    after_it = after(state, END_TURN)
    assert after_it.pile_size == 1
    assert not any(after_it.discard)
    assert after_it.dumps[0] == cards(" ".join(("glass2", *reshuffled.cards[:3])))


def test_the_new_draw_pile_is_in_an_order_drawn_by_chance() -> None:
    state = given("", delivered="can", discard="can1 glass1 plastic1 paper1")
    orders = {facts_of(state, END_TURN, chance_from(seed))[0].cards for seed in range(400)}
    assert len(orders) == 24


def test_this_turns_cleared_cards_are_in_the_reshuffle() -> None:
    position = given("can1 can1 glass1", there={"can": (0, 1)}, dump={"can": "paper1"})
    state = after(position, deliver("can", 2))
    reshuffled, refilled, _ = facts_of(state, END_TURN)
    assert sorted(reshuffled.cards) == ["can1", "can1", "can2"]
    assert refilled.cards == reshuffled.cards[:1]


def test_a_pile_just_used_up_is_not_reshuffled_before_a_card_is_needed() -> None:
    state = given("", delivered="can", there={"can": (1, 0)}, pile="glass1 glass1", discard="paper1 paper1")
    facts = facts_of(state, END_TURN)
    assert [type(fact) for fact in facts] == [DumpRefilled, TurnEnded]
    ended = after(state, END_TURN)
    assert ended.pile_size == 0
    assert ended.discard == cards("paper1 paper1")


def test_with_both_piles_empty_the_refill_stops_short_and_nothing_fails() -> None:
    short = given("", "can1", delivered="can", there={"can": (3, 0)}, pile="glass1")
    assert facts_of(short, END_TURN) == [DumpRefilled("can", ("glass1",)), TurnEnded(0, 1, None)]
    none = given("", "can1", delivered="can", there={"can": (3, 0)})
    assert facts_of(none, END_TURN) == [TurnEnded(0, 1, None)]
    assert after(none, END_TURN).dumps[0] == cards("")


def test_a_reshuffle_of_fewer_cards_than_needed_stops_short_too() -> None:
    state = given("", delivered="can", there={"can": (3, 0)}, discard="paper1 paper1")
    facts = facts_of(state, END_TURN)
    assert facts[:2] == [PileReshuffled(("paper1", "paper1")), DumpRefilled("can", ("paper1", "paper1"))]


def test_only_the_refill_shows_new_cards_so_only_ending_a_turn_is_final() -> None:
    rules = rules_for(2)
    position = given("can1 " * 5, dump={"can": "glass1 paper1"}, pile="can1")
    delivered = after(position, deliver("can", 1))
    disposed = after(delivered, dispose(can1=1))
    for state in (position, delivered, disposed):
        for action in legal(state):
            reveals = any(rules.is_barrier(state, fact) for fact in facts_of(state, action))
            assert reveals == (action == END_TURN)
            assert rules.is_final(state, 0, action) == (action == END_TURN)
    assert rules.is_final(given(""), 0, PASS)


# Passing


def test_a_seat_whose_turn_begins_with_an_empty_hand_can_only_pass() -> None:
    assert legal(given("", "can1")) == [PASS]


def test_a_pass_moves_no_card_and_ends_the_turn() -> None:
    state = given("", "can1", dump={"can": "glass1"}, pile="paper1", turn=4)
    assert facts_of(state, PASS) == [TurnPassed(0, 1, None)]
    passed = after(state, PASS)
    assert (passed.seat, passed.turn, passed.passes) == (1, 5, 1)
    assert (passed.hands, passed.dumps, passed.pile_size) == (state.hands, state.dumps, 1)


def test_a_delivery_ends_a_row_of_passes() -> None:
    state = after(given("", "can1", "", seats=3), PASS, deliver("can", 1))
    assert state.passes == 0
    assert after(state, END_TURN, PASS).passes == 1


@pytest.mark.parametrize("seats", SEATS)
def test_if_every_seat_passes_in_a_row_nobody_can_move_and_the_game_ends(seats: int) -> None:
    state = given("", seats=seats, seat=1)
    state = after(state, *[PASS] * (seats - 1))
    assert state.ended is None
    assert facts_of(state, PASS) == [TurnPassed(0, None, "nobody_can_move")]
    over = after(state, PASS)
    rules = rules_for(seats)
    assert rules.end_reason(over) == "nobody_can_move"
    assert rules.to_act(over) == ()
    assert rules.score(over).reason == "nobody_can_move"


def test_nobody_can_move_is_reached_from_a_deal_of_few_cards() -> None:
    """The last cards end on recycling sides: no hand, no dump side that a hand could still reach."""
    rules = rules_for(2)
    state = rules.evolve(None, deal("can1", "glass1", dumps="plastic1 paper1 plastic1 paper1", pile=""))
    turns = [deliver("can", 1), deliver("glass", 1), deliver("plastic", 1), deliver("paper", 1)]
    for turn in turns:
        state = after(state, turn, END_TURN)
    turns = [deliver("plastic", 1), deliver("paper", 1)]
    for turn in turns:
        state = after(state, turn, END_TURN)
    assert after(state, PASS, PASS).ended == "nobody_can_move"


# The end


def test_the_last_reward_of_a_factory_does_not_end_the_game_before_the_turn_ends() -> None:
    position = given("can2 can2", rewards={"can": (5,)}, dump={"can": "glass1"})
    state = after(position, deliver("can", 0, 2))
    assert state.ended is None
    assert state.hands[0] == cards("glass1")
    assert legal(state) == [END_TURN]
    assert not rules_for(2).is_final(position, 0, deliver("can", 0, 2))


def test_the_last_turns_end_refills_nothing_and_ends_the_game() -> None:
    position = given("can2 can2", rewards={"can": (5,)}, dump={"can": "glass1"}, pile="paper1 paper1")
    state = after(position, deliver("can", 0, 2))
    assert facts_of(state, END_TURN) == [TurnEnded(0, None, "last_reward")]
    over = after(state, END_TURN)
    assert over.dumps[0] == cards("")
    assert over.pile_size == 2
    assert over.ended == "last_reward"


def test_nobody_else_gets_a_turn_after_the_last_reward() -> None:
    over = after(given("can2 can2", "can1", rewards={"can": (5,)}), deliver("can", 0, 2), END_TURN)
    rules = rules_for(2)
    assert rules.to_act(over) == ()
    assert all(not rules.legal_actions(over, seat) for seat in (0, 1))
    assert rules.turn(over).seat == 0


def test_a_last_but_one_reward_ends_nothing() -> None:
    state = after(given("can2 can2", rewards={"can": (4, 5)}, pile="can1"), deliver("can", 0, 2), END_TURN)
    assert state.ended is None
    assert state.rewards[0] == (5,)
