"""Buying in Transatlantic: market, captains, headquarters, renewal; one sentence of the rules page a test."""

from __future__ import annotations

import pytest

from domain.game import IllegalAction
from domain.games.transatlantic.facts import TurnEnded
from tests.domain.games.transatlantic.positions import (
    DONE,
    END_TURN,
    Table,
    buy,
    coal,
    deploy,
    given,
    play,
)

MARKET = "servia hammonia oregon umbria aller lahn"
HEADQUARTERS = "cunard_building_liverpool white_star_house_liverpool hapag_haus_hamburg lloydgebaeude_bremen"


def shop(**fields: object) -> Table:
    return given(market=MARKET, **fields).do(play("shipyard"))  # type: ignore[arg-type]


def slots(table: Table) -> list[int]:
    return [action["slot"] for action in table.legal("buy")]


def test_shipyard_may_buy_one_or_two_ships_or_none() -> None:
    assert DONE in shop().legal()
    assert shop().do(DONE).legal() == [END_TURN]
    table = shop().do(buy(0))
    assert DONE in table.legal("done")
    table.do(buy(1))
    assert table.legal("buy") == []


def test_ships_are_paid_one_after_the_other_at_the_slots_costs_before_renewal() -> None:
    table = shop(seat0={"money": 1000}).do(buy(0))
    assert table.seat().money == 1000 - 100
    table.do(buy(3))
    assert table.seat().money == 1000 - 100 - (120 + 30)
    assert table.state.market[0] is None


def test_a_captain_and_one_coal_go_on_each_ship() -> None:
    table = shop().do(buy(0), buy(1))
    assert table.seat().captains == 6
    assert table.coal("servia") == table.coal("hammonia") == 1


def test_without_a_captain_there_is_no_purchase() -> None:
    table = given(market=MARKET, seat0={"captains": 0}).do(play("shipyard"))
    assert table.legal() == [END_TURN]
    assert shop(seat0={"captains": 1}).do(buy(0)).legal("buy") == []


def test_only_what_the_seat_can_pay_is_for_sale() -> None:
    assert slots(shop(seat0={"money": 110})) == [0, 1]
    assert shop(seat0={"money": 99}).legal() == [END_TURN]


def test_one_of_the_ships_just_bought_is_deployed_now_and_another_one_waits() -> None:
    table = shop(seat0={"waiting": "gallia"}).do(buy(0), buy(1))
    assert {action["ship"] for action in table.legal("deploy")} == {"servia", "hammonia"}
    table.do(deploy("servia", "caribbean"))
    assert table.legal() == [END_TURN]
    assert [afloat.ship for afloat in table.seat().waiting] == ["gallia", "hammonia"]


FULL = {
    "north_atlantic": "britannic/1/0 umbria/1/0 oregon/1/0 lahn/1/0",
    "south_atlantic": "aquitania/1/0 celtic/1/0 baltic/1/0",
    "caribbean": "imperator/1/0 titanic/1/0 france/1/0",
}


def test_a_bought_ship_that_can_not_be_deployed_waits_with_its_owner() -> None:
    table = given(market="servia hammonia", regions=FULL).do(play("shipyard"), buy(0), DONE)
    assert table.legal() == [END_TURN]
    assert [afloat.ship for afloat in table.seat().waiting] == ["servia"]


def test_shipyard_plus_loads_one_extra_coal_on_one_of_the_ships_just_bought() -> None:
    hand = {"hand": "shipyard_plus", "waiting": "gallia"}
    table = given(market=MARKET, seat0=hand).do(play("shipyard_plus"), buy(0), buy(1))
    assert table.legal() == [coal("servia"), coal("hammonia")]
    table.do(coal("hammonia"))
    assert (table.coal("servia"), table.coal("hammonia")) == (1, 2)
    assert table.legal("deploy")


def test_the_extra_coal_goes_by_itself_on_the_only_ship_bought() -> None:
    table = given(market=MARKET, seat0={"hand": "shipyard_plus"}).do(play("shipyard_plus"), buy(0), DONE)
    assert table.coal("servia") == 2


# Headquarters


def test_shipyard_may_buy_one_headquarters_alone() -> None:
    table = given(market=HEADQUARTERS).do(play("shipyard"), buy(1))
    assert table.seat().headquarters == ("white_star_house_liverpool",)
    assert table.seat().money == 1000 - 200 - 10
    assert table.seat().captains == 7
    assert table.legal() == [END_TURN]


def test_shipyard_may_buy_one_headquarters_and_one_ship_in_either_order() -> None:
    market = "cunard_building_liverpool britannic hapag_haus_hamburg imperator"
    table = given(market=market).do(play("shipyard"), buy(0))
    assert slots(table) == [1, 3]
    table.do(buy(3))
    assert table.legal("deploy")
    table = given(market=market).do(play("shipyard"), buy(1))
    assert slots(table) == [0, 2, 3]
    assert table.do(buy(0)).seat().headquarters == ("cunard_building_liverpool",)


def test_shipyard_never_buys_two_headquarters() -> None:
    table = given(market=f"{HEADQUARTERS} britannic").do(play("shipyard"), buy(0))
    with pytest.raises(IllegalAction, match="never two") as refused:
        table.do(buy(1))
    assert refused.value.rule == "transatlantic.one-headquarters"


# Renewal


def bought(*purchases: int, market: str = MARKET, deck: str = "arizona parisian havel campania") -> Table:
    """A turn in which these slots were bought, ended."""
    table = given(market=market, deck=deck).do(play("shipyard"), *(buy(slot) for slot in purchases))
    while table.legal() != [END_TURN]:
        table.do(DONE if DONE in table.legal() else table.legal()[0])
    return table.do(END_TURN)


def test_the_leftmost_ship_left_goes_to_the_docks_the_rest_close_up_and_the_market_is_refilled() -> None:
    table = bought(0, 3)
    assert table.state.docks == ("hammonia",)
    assert table.state.market == ("oregon", "aller", "lahn", "arizona", "parisian", "havel")
    assert table.state.deck == ("campania",)


def test_headquarters_never_go_to_the_docks_they_are_skipped() -> None:
    table = bought(2, market="hapag_haus_hamburg cunard_building_liverpool umbria lahn aller servia", deck="havel")
    assert table.state.docks == ("lahn",)
    assert table.state.market == (
        "hapag_haus_hamburg", "cunard_building_liverpool", "aller", "servia", "havel", None,
    )  # fmt: skip


def test_with_only_a_headquarters_bought_no_ship_goes_to_the_docks_but_the_market_closes_up_and_is_refilled() -> None:
    table = bought(0, market="hapag_haus_hamburg umbria lahn", deck="havel")
    assert table.state.docks == ()
    assert table.state.market == ("umbria", "lahn", "havel", None, None, None)


def test_nothing_bought_nothing_changes() -> None:
    table = given(market=MARKET, deck="havel").do(play("shipyard"), DONE, END_TURN)
    assert table.state.market == tuple(MARKET.split())
    assert table.state.docks == ()
    assert table.of(TurnEnded)[0].market is None


def test_no_ship_left_in_the_market_none_goes_to_the_docks() -> None:
    table = bought(0, market="umbria", deck="hapag_haus_hamburg")
    assert table.state.docks == ()
    assert table.state.market[0] == "hapag_haus_hamburg"


def test_the_market_is_renewed_at_the_end_of_the_turn_so_nothing_new_is_seen_before() -> None:
    table = shop().do(buy(0))
    assert "imperator" not in str(table.rules.view(table.state, 0)["market"])
