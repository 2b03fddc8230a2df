"""Travelling in Transatlantic, and the cards with an anchor; one sentence of the rules page a test."""

from __future__ import annotations

import pytest

from domain.game import IllegalAction
from domain.games.transatlantic.facts import RegionTravelled, ShipTravelled
from tests.domain.games.transatlantic.positions import (
    DONE,
    END_TURN,
    Table,
    deploy,
    given,
    mode,
    play,
    region,
    rules_for,
    travel,
)

FLEET = {
    "north_atlantic": "servia/0/2 gallia/0/1 abyssinia/0/0 scotia",
    "caribbean": "umbria/0/1 cutty_sark/0/0",
    "south_atlantic": "teutonic/1/3",
}


def fleet(card: str = "transport", **fields: object) -> Table:
    seat = {"hand": card} | dict(fields.pop("seat0", {}))  # type: ignore[call-overload]
    return given(regions=fields.pop("regions", FLEET), seat0=seat, **fields).do(play(card))  # type: ignore[arg-type]


def able(table: Table) -> set[str]:
    return {action["ship"] for action in table.legal("travel")}


def test_a_travelling_ship_removes_one_coal_and_its_income_goes_to_its_owner() -> None:
    table = fleet().do(travel("servia"))
    assert table.coal("servia") == 1
    assert table.seat().money == 1050


def test_a_steamship_without_coal_can_not_travel() -> None:
    table = fleet()
    assert "abyssinia" not in able(table)
    with pytest.raises(IllegalAction) as refused:
        table.do(travel("abyssinia"))
    assert refused.value.rule == "transatlantic.no-coal"


def test_sailing_ships_need_no_coal() -> None:
    table = fleet().do(travel("cutty_sark"))
    assert table.coal("cutty_sark") == 0
    assert table.seat().money == 1020


def test_one_point_per_own_house_in_its_region() -> None:
    table = fleet(houses={"north_atlantic": (0, 1, 0), "caribbean": (0,)}).do(travel("servia"))
    assert table.seat().points == 2
    assert table.seat(1).points == 0


def test_each_ship_travels_at_most_once_per_action() -> None:
    table = fleet("transport_plus").do(travel("servia"))
    with pytest.raises(IllegalAction) as refused:
        table.do(travel("servia"))
    assert refused.value.rule == "transatlantic.travelled-already"


def test_only_own_ships_travel() -> None:
    with pytest.raises(IllegalAction) as refused:
        fleet().do(travel("teutonic"))
    assert refused.value.rule == "transatlantic.not-your-ship"


@pytest.mark.parametrize(("card", "count"), [("transport", 2), ("transport_plus", 3)])
def test_transport_travels_with_up_to_two_or_three_own_ships(card: str, count: int) -> None:
    table = fleet(card)
    for _ in range(count):
        assert DONE in table.legal()
        table.do(table.legal("travel")[0])
    assert table.legal() == [END_TURN]


def test_up_to_is_also_none() -> None:
    assert fleet().do(DONE).legal() == [END_TURN]


def test_a_seat_without_a_ship_that_can_travel_goes_on_to_the_end_of_its_turn() -> None:
    assert fleet(regions={"caribbean": "umbria/0/0"}).legal() == [END_TURN]


# Cargo and cruise


@pytest.mark.parametrize(
    ("tonnage", "money"), [(11_000, 150), (1_000, 50), (26_000, 300), (52_000, 300), (25_000, 290)]
)
def test_cargo_pays_40_and_10_per_1000_tons_at_most_300(tonnage: int, money: int) -> None:
    ship = next(ship for ship in rules_for(2).setting.edition.ships.values() if ship.tonnage == tonnage)
    table = fleet("cargo", regions={"caribbean": f"{ship.key}/0/1"})
    assert table.seat().money == 1000 + money


@pytest.mark.parametrize(("passengers", "money"), [(1_700, 170), (100, 10), (4_200, 420)])
def test_cruise_pays_10_for_100_passengers(passengers: int, money: int) -> None:
    ship = next(ship for ship in rules_for(2).setting.edition.ships.values() if ship.passengers == passengers)
    assert fleet("cruise", regions={"caribbean": f"{ship.key}/0/1"}).seat().money == 1000 + money


@pytest.mark.parametrize("card", ["cargo", "cruise"])
def test_cargo_and_cruise_must_travel_with_one_ship_if_a_ship_can(card: str) -> None:
    table = fleet(card)
    assert DONE not in table.legal()
    assert len(able(table)) == 4
    assert table.do(table.legal()[0]).legal() == [END_TURN]
    assert fleet(card, regions={"caribbean": "umbria/0/0"}).legal() == [END_TURN]


# Region


def test_the_region_example() -> None:
    """Own Germanic and foreign City of New York travel, older Abyssinia has no coal: 110 for you, 70 for the other."""
    regions = {"caribbean": "city_of_new_york/1/1 germanic/0/1 abyssinia/1/0"}
    table = fleet("region", regions=regions).do(region("caribbean"))
    assert table.seat(0).money == 1000 + 110
    assert table.seat(1).money == 1000 + 70
    assert table.coal("city_of_new_york") == table.coal("germanic") == table.coal("abyssinia") == 0


def test_scotia_counts_as_the_oldest_foreign_ship_and_is_always_coaled() -> None:
    table = fleet("region", regions={"north_atlantic": "city_of_new_york/1/1 germanic/0/1 scotia"})
    table.do(region("north_atlantic"))
    assert table.seat(0).money == 1000 + 40 + 30
    assert table.seat(1).money == 1000 + 70
    assert table.of(RegionTravelled)[0].ships == ("city_of_new_york", "germanic", "scotia")
    assert table.coal("scotia") == 0


def test_the_others_get_house_points_too() -> None:
    table = fleet("region", houses={"south_atlantic": (1, 0, 1)}).do(region("south_atlantic"))
    assert (table.seat(0).points, table.seat(1).points) == (0, 2)
    assert table.seat(1).money == 1060
    assert table.seat(0).money == 1060


def test_any_region_may_be_chosen_also_one_where_nothing_can_travel() -> None:
    table = fleet("region", regions={})
    assert len(table.legal("choose_region")) == 3
    table.do(region("caribbean"))
    assert table.of(RegionTravelled)[0].ships == ()
    assert table.legal() == [END_TURN]


# Global


def test_global_travels_with_one_own_ship_in_each_region() -> None:
    table = fleet("global").do(mode("regions"), travel("servia"))
    assert able(table) == {"umbria", "cutty_sark"}
    assert table.do(travel("cutty_sark")).legal() == [END_TURN]


def test_global_travels_with_one_own_steamship_of_each_flag() -> None:
    regions = {"caribbean": "umbria/0/1 servia/0/1 cutty_sark/0/0", "south_atlantic": "teutonic/0/1"}
    table = fleet("global", regions=regions).do(mode("flags"))
    assert able(table) == {"umbria", "servia", "teutonic"}
    table.do(travel("umbria"))
    assert able(table) == {"teutonic"}
    assert table.do(travel("teutonic")).legal() == [END_TURN]


def test_global_may_leave_ships_where_they_are() -> None:
    assert fleet("global").do(mode("regions"), DONE).legal() == [END_TURN]


def test_a_mode_in_which_nothing_can_travel_is_no_choice() -> None:
    table = fleet("global", regions={"caribbean": "cutty_sark/0/0"})
    assert able(table) == {"cutty_sark"}
    assert fleet("global", regions={}).legal() == [END_TURN]


# Blue riband


@pytest.mark.parametrize("won", [0, 1, 2])
def test_blue_riband_travels_with_up_to_as_many_ships_as_own_ribands_the_printed_one_counts(won: int) -> None:
    table = fleet("blue_riband", seat0={"markers": {"riband": won}})
    for _ in range(1 + won):
        assert DONE in table.legal()
        table.do(table.legal("travel")[0])
    assert table.legal() == [END_TURN]


def test_a_riband_won_by_the_cards_own_deployment_counts() -> None:
    table = given(
        regions={"caribbean": "umbria/0/1 servia/0/1"}, seat0={"hand": "blue_riband", "waiting": "lucania"}
    ).do(play("blue_riband"), deploy("lucania", "north_atlantic"), travel("lucania"))
    assert DONE in table.legal()
    assert len(table.legal("travel")) == 2


# Anchors


@pytest.mark.parametrize("card", ["transport", "transport_plus", "region", "cargo", "cruise", "global", "blue_riband"])
def test_cards_with_an_anchor_deploy_a_waiting_ship_first(card: str) -> None:
    table = fleet(card, seat0={"waiting": "lucania"})
    assert {action["type"] for action in table.legal()} == {"deploy"}
    table.do(deploy("lucania", "caribbean"))
    assert table.legal("travel") or table.legal("choose_region") or table.legal("choose_mode")


@pytest.mark.parametrize("card", ["shipyard", "shipyard_plus", "coal", "coal_plus", "agent", "invest", "invest_plus"])
def test_other_cards_deploy_no_waiting_ship(card: str) -> None:
    table = fleet(card, seat0={"waiting": "lucania"}, market="celtic baltic")
    assert table.legal("deploy") == []


@pytest.mark.parametrize("card", ["trade", "fleet"])
def test_cards_that_pay_at_once_leave_only_the_end_of_the_turn(card: str) -> None:
    assert fleet(card, seat0={"waiting": "lucania"}).legal() == [END_TURN]


def test_a_ship_deployed_by_the_card_may_travel_by_it() -> None:
    table = given(seat0={"waiting": "lucania"}).do(play("transport"), deploy("lucania", "caribbean"))
    table.do(travel("lucania"))
    assert table.of(ShipTravelled)[0].money == 80
