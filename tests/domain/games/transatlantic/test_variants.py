"""The variants of Transatlantic, alone and together; one sentence of the rules page a test."""

from __future__ import annotations

import pytest

from tests.domain.games.transatlantic.positions import DONE, END_TURN, buy, deploy, given, play, started

MARKET = "servia hammonia oregon umbria aller lahn"
BOTH = {"market": True, "president": True}


def test_variant_market_has_no_slot_costs() -> None:
    table = given(market=MARKET, options={"market": True}).do(play("shipyard"))
    costs = [offer["cost"] for offer in table.rules.view(table.state, None)["market"]]
    assert costs == [100, 100, 100, 120, 100, 120]
    assert table.do(buy(5)).seat().money == 880


@pytest.mark.parametrize(("slot", "coal"), [(0, 1), (1, 1), (2, 1), (3, 0), (4, 0), (5, 0)])
def test_ships_from_the_three_left_slots_come_with_one_coal_from_the_three_right_with_none(
    slot: int, coal: int
) -> None:
    table = given(market=MARKET, options={"market": True}).do(play("shipyard"), buy(slot))
    assert table.coal(MARKET.split()[slot]) == coal


def test_the_extra_coal_of_shipyard_plus_comes_on_top() -> None:
    table = given(market=MARKET, options=BOTH, seat0={"hand": "shipyard_plus"})
    table.do(play("shipyard_plus"), buy(5), DONE)
    assert table.coal("lahn") == 1


def test_without_the_variant_every_slot_brings_coal() -> None:
    table = given(market=MARKET).do(play("shipyard"), buy(5))
    assert table.coal("lahn") == 1


def test_headquarters_have_no_slot_cost_in_the_variant_market() -> None:
    table = given(market="- - - - - hapag_haus_hamburg", options={"market": True}).do(play("shipyard"), buy(5))
    assert table.seat().money == 800


def test_an_opening_deployment_earns_contracts_too() -> None:
    table = started(2, president=True)
    seat = table.to_act
    table.do(buy(0))
    if table.legal("deploy"):
        table.do(table.legal("deploy")[-1])
    assert table.seat(seat).contracts > 0


def test_a_ship_that_waited_earns_contracts_when_it_is_deployed() -> None:
    table = given(market="servia umbria", options={"president": True}).do(play("shipyard"), buy(0), buy(1))
    table.do(deploy("servia", "caribbean"))
    assert table.seat().contracts == 3
    table = given(options={"president": True}, seat0={"waiting": "umbria"}, regions={"caribbean": "servia/0/0"})
    table.do(play("transport"), deploy("umbria", "caribbean"))
    assert table.seat().contracts == 3


def test_both_variants_may_be_combined() -> None:
    table = started(3, **BOTH)
    assert "president" in table.seat().hand
    offers = table.rules.view(table.state, None)["market"]
    assert all(offer["cost"] == table.rules.setting.ship(offer["ship"]).price for offer in offers)


def test_a_pair_of_ships_bought_keeps_each_its_slots_coal() -> None:
    table = given(market=MARKET, options={"market": True}).do(play("shipyard"), buy(0), buy(3))
    assert (table.coal("servia"), table.coal("umbria")) == (1, 0)
    assert table.legal("deploy")
    assert END_TURN not in table.legal()
