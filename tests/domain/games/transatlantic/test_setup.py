"""Material and setup of Transatlantic, one sentence of the rules page a test."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.games.transatlantic.facts import TurnEnded
from domain.games.transatlantic.terms import REGIONS, START_CARDS, STEAMSHIP
from tests.domain.games.transatlantic.positions import END_TURN, buy, rules_for, started

SEATS = (2, 3, 4)


@pytest.mark.parametrize("seats", SEATS)
def test_there_are_the_north_atlantic_and_as_many_other_regions_as_seats(seats: int) -> None:
    setting = rules_for(seats).setting
    assert setting.regions == (
        "north_atlantic", "south_atlantic", "caribbean", "indian_ocean", "far_east",
    )[: seats + 1]  # fmt: skip
    assert setting.places == (4, 3, 3, 3, 3)[: seats + 1]
    assert [len(prices) for prices in setting.house_prices] == [4, 3, 3, 3, 3][: seats + 1]


@pytest.mark.parametrize("seats", SEATS)
def test_scotia_lies_in_the_north_atlantic_and_a_sailing_ship_in_each_other_region_in_seat_order(seats: int) -> None:
    table = started(seats)
    (deal,) = table.facts
    assert table.ships("north_atlantic") == ["scotia"]
    for seat in range(seats):
        (afloat,) = table.state.regions[seat + 1].ships
        assert (afloat.ship, afloat.owner) == (deal.sailing[seat], seat)
    assert len(set(deal.sailing)) == seats
    assert set(deal.sailing) <= {"taeping", "ariel", "thermopylae", "cutty_sark"}


@pytest.mark.parametrize("seed", range(8))
def test_the_oldest_sailing_ships_owner_is_start_player(seed: int) -> None:
    table = started(3, seed)
    (deal,) = table.facts
    years = {"taeping": 1863, "ariel": 1865, "thermopylae": 1868, "cutty_sark": 1869}
    oldest = min(deal.sailing, key=years.__getitem__)
    assert deal.start_seat == deal.sailing.index(oldest)


def test_a_given_start_seat_is_the_start_player() -> None:
    assert {started(4, seed, start_seat=2).facts[0].start_seat for seed in range(4)} == {2}


@pytest.mark.parametrize(("seats", "of_a_deck"), [(2, 3), (3, 4), (4, 5)])
def test_with_fewer_seats_one_or_two_ships_of_each_deck_are_unseen_out_of_the_game(seats: int, of_a_deck: int) -> None:
    table = started(seats)
    ship = table.rules.setting.ship
    coming = [key for key in table.state.market if key] + list(table.state.deck)
    assert [ship(key).deck for key in coming] == sorted(ship(key).deck for key in coming)
    decks = Counter(ship(key).deck for key in coming)
    assert decks == dict.fromkeys(range(1, 10), of_a_deck) | {10: 5}
    assert Counter(ship(key).deck for key in table.state.out) == {
        deck: 5 - of_a_deck for deck in range(1, 10) if of_a_deck < 5
    }


def test_the_market_has_six_slots_and_is_filled_from_deck_1_on() -> None:
    table = started(2)
    assert [table.rules.setting.ship(str(key)).deck for key in table.state.market] == [1, 1, 1, 2, 2, 2]


@pytest.mark.parametrize("seats", SEATS)
def test_each_seat_has_seven_cards_150_pounds_seven_houses_and_nine_captains_one_on_its_sailing_ship(
    seats: int,
) -> None:
    for seat in started(seats).state.seats:
        assert sorted(seat.hand) == sorted(START_CARDS)
        assert (seat.money, seat.houses, seat.captains, seat.tile) == (150, 7, 9 - 1, True)
        assert seat.stack == ()


def test_the_variant_president_has_that_card_instead_of_director() -> None:
    hand = started(2, president=True).seat().hand
    assert "president" in hand
    assert "director" not in hand
    assert len(hand) == 7


def test_the_display_shows_five_different_cards_of_set_a_which_lies_on_top_of_set_b() -> None:
    table = started(2)
    state = table.state
    assert len(set(state.display)) == 5
    assert len(state.pile) == 17
    assert state.pile_a == 6
    kinds = Counter(state.display + state.pile)
    assert set(kinds.values()) == {2}
    assert len(kinds) == 11
    assert set(state.display + state.pile[:6]) == set(state.pile[6:]) == set(kinds)


def test_the_supply_has_12_ribands_16_bunkers_and_13_of_each_goods_marker() -> None:
    assert started(2).rules.view(started(2).state, None)["supply"] == {
        "riband": 12, "bunker": 16, "freight": 13, "mail": 13, "passengers": 13,
    }  # fmt: skip


def test_the_docks_start_empty() -> None:
    assert set(started(2).rules.view(started(2).state, None)["docks"].values()) == {0}


@pytest.mark.parametrize("seats", SEATS)
def test_each_seat_buys_one_steamship_in_reverse_turn_order_then_the_start_player_begins(seats: int) -> None:
    table = started(seats, start_seat=1)
    order = []
    for _ in range(seats):
        order.append(table.to_act)
        assert {action["type"] for action in table.legal()} == {"buy"}
        table.do(buy(0))
        while table.legal() != [END_TURN]:
            table.do(table.legal()[0])
        table.do(END_TURN)
    assert order == [(1 - 1 - n) % seats for n in range(seats)]
    assert table.to_act == 1
    assert table.state.round == 1
    assert {action["type"] for action in table.legal()} == {"play", "tile"}
    assert table.rules.turn(table.state).number == seats + 1


def test_an_opening_purchase_costs_price_and_slot_cost_takes_a_captain_and_brings_one_coal() -> None:
    table = started(2)
    key = str(table.state.market[2])
    seat, price = table.to_act, table.rules.setting.ship(key).price
    table.do(buy(2))
    own = table.seat(seat)
    assert own.money == 150 - price - 20
    assert own.captains == 7
    assert table.coal(key) == 1


def test_after_an_opening_purchase_the_market_is_renewed_as_always() -> None:
    table = started(2)
    first, second = table.state.market[:2]
    table.do(buy(0))
    while table.legal() != [END_TURN]:
        table.do(table.legal()[0])
    table.do(END_TURN)
    assert table.of(TurnEnded)[-1].docked == second
    assert None not in table.state.market
    assert first not in table.state.market


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("seed", range(6))
def test_the_cheapest_opening_purchase_never_costs_more_than_90(seats: int, seed: int) -> None:
    table = started(seats, seed)
    for _ in range(seats):
        costs = [offer["cost"] for offer in table.rules.view(table.state, None)["market"]]
        assert min(costs) <= 90
        dearest = table.legal("buy")[-1]
        table.do(dearest)
        while table.legal() != [END_TURN]:
            table.do(table.legal()[0])
        table.do(END_TURN)


def test_every_region_in_play_has_a_name_of_the_page() -> None:
    assert started(4).rules.setting.regions == REGIONS


def test_only_steamships_are_for_sale_in_the_opening() -> None:
    table = started(2)
    kinds = {table.rules.setting.ship(str(table.state.market[action["slot"]])).kind for action in table.legal()}
    assert kinds == {STEAMSHIP}
