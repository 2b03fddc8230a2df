"""Playing cards in Transatlantic: turn, tile, agent, coal, invest, fleet, trade; a test for each sentence."""

from __future__ import annotations

import pytest

from domain.game import IllegalAction
from domain.games.transatlantic.facts import CardCopied, CoalLoaded, MarkerTaken
from tests.domain.games.transatlantic.positions import (
    DONE,
    END_TURN,
    Table,
    buy,
    coal,
    copy,
    given,
    house,
    marker,
    play,
    tile,
    travel,
)


def hand(card: str, **seat: object) -> dict[str, object]:
    return {"hand": card, **seat}


def played(card: str, **fields: object) -> Table:
    """A seat that has just played its only card."""
    seat = hand(card, **fields.pop("seat0", {}))  # type: ignore[arg-type]
    return given(seat0=seat, **fields).do(play(card))  # type: ignore[arg-type]


# A turn


def test_a_hand_card_goes_onto_the_stack_of_which_the_top_shows() -> None:
    table = given(seat0={"hand": "coal invest", "stack": "transport"}).do(play("coal"))
    assert table.seat().stack == ("transport", "coal")
    assert table.seat().hand == ("invest",)


def test_any_hand_card_may_be_played_even_if_nothing_of_it_can_be_done() -> None:
    table = given(seat0={"hand": "shipyard transport region coal agent invest", "money": 0}, display="trade")
    assert [action["card"] for action in table.legal("play")] == [
        "shipyard", "transport", "region", "coal", "agent", "invest",
    ]  # fmt: skip
    for card in ("shipyard", "transport", "coal", "agent"):
        assert given(seat0={"hand": card, "money": 0}).do(play(card)).legal() == [END_TURN]


def test_a_card_not_in_hand_is_refused() -> None:
    with pytest.raises(IllegalAction) as refused:
        given(seat0={"hand": "coal"}).do(play("invest"))
    assert refused.value.rule == "transatlantic.card-not-in-hand"


def test_a_turn_ends_only_when_its_seat_says_so_then_the_next_one_clockwise_begins() -> None:
    table = given(3, turn=1, seat1={"hand": "trade"}).do(play("trade"))
    assert table.legal() == [END_TURN]
    table.do(END_TURN)
    assert table.to_act == 2
    assert table.rules.turn(table.state).number == 21


# The director tile


def test_the_tile_carries_out_a_display_card_without_taking_it_and_leaves_the_display_unchanged() -> None:
    display = "trade fleet cargo cruise global"
    table = given(display=display, pile="coal_plus", houses={"caribbean": (0, 0)}).do(tile("trade"))
    assert table.seat().money == 1100
    assert table.seat().stack == ()
    assert not table.seat().tile
    table.do(END_TURN)
    assert table.state.display == tuple(display.split())


def test_the_tile_is_spent_once_a_game() -> None:
    table = given(display="trade", seat0={"tile": False})
    assert table.legal("tile") == []
    with pytest.raises(IllegalAction) as refused:
        table.do(tile("trade"))
    assert refused.value.rule == "transatlantic.tile-spent"


def test_the_tile_can_not_be_used_with_an_empty_display() -> None:
    assert given(display="").legal("tile") == []


# Agent


def test_the_agent_carries_out_the_top_card_of_another_seats_stack_as_if_its_own() -> None:
    table = given(
        seat0=hand("agent"), seat1={"stack": "coal trade"}, houses={"caribbean": (0, 1), "south_atlantic": (1,)}
    ).do(play("agent"), copy(1))
    assert table.seat(0).money == 1050
    assert table.of(CardCopied)[0].card == "trade"
    assert table.seat(0).stack == ("agent",)
    assert table.seat(1).stack == ("coal", "trade")


def test_the_agent_copies_no_agent_and_without_anything_to_copy_has_no_effect() -> None:
    assert given(seat0=hand("agent"), seat1={"stack": "trade agent"}).do(play("agent")).legal() == [END_TURN]
    assert given(seat0=hand("agent")).do(play("agent")).legal() == [END_TURN]
    table = given(3, seat0=hand("agent"), seat1={"stack": "agent"}, seat2={"stack": "coal"}).do(play("agent"))
    assert table.legal() == [copy(2), DONE]
    with pytest.raises(IllegalAction) as refused:
        table.do(copy(1))
    assert refused.value.rule == "transatlantic.nothing-to-copy"


def test_the_agent_may_decline() -> None:
    assert given(seat0=hand("agent"), seat1={"stack": "trade"}).do(play("agent"), DONE).legal() == [END_TURN]


def test_a_copied_shipyard_buys_and_deploys_for_the_copying_seat() -> None:
    table = given(market="gallia umbria", seat0=hand("agent"), seat1={"stack": "shipyard"})
    table.do(play("agent"), copy(1), buy(0), DONE)
    assert {action["ship"] for action in table.legal("deploy")} == {"gallia"}


# Coal


def test_coal_loads_bunkers_the_printed_one_counts_and_two_more() -> None:
    regions = {"caribbean": "umbria/0/0 servia/0/0 gallia/0/0", "south_atlantic": "lahn/0/0"}
    table = played("coal", seat0={"markers": {"bunker": 1}}, regions=regions)
    while table.legal("coal"):
        table.do(table.legal("coal")[0])
    assert len(table.of(CoalLoaded)) == 2 + 2


def test_each_coal_goes_to_one_of_the_own_steamships_with_the_fewest_at_that_moment() -> None:
    table = played("coal", regions={"caribbean": "umbria/0/1 servia/0/0 gallia/0/1 cutty_sark/0/0"})
    assert table.coal("servia") == 1, "the first coal was forced"
    assert table.legal() == [coal("umbria"), coal("servia"), coal("gallia")]
    table.do(coal("gallia"))
    assert table.legal() == [coal("umbria"), coal("servia")]
    with pytest.raises(IllegalAction) as refused:
        table.do(coal("gallia"))
    assert refused.value.rule == "transatlantic.fewest-first"


def test_until_none_is_left_or_all_have_three() -> None:
    table = played("coal", regions={"caribbean": "umbria/0/2 servia/1/0"})
    assert table.coal("umbria") == 3
    assert len(table.of(CoalLoaded)) == 1
    assert table.legal() == [END_TURN]


def test_coal_goes_to_steamships_in_regions_only() -> None:
    assert played("coal", seat0={"waiting": "umbria"}).legal() == [END_TURN]


def test_coal_plus_loads_bunkers_and_three_spread_freely_at_most_three_a_ship() -> None:
    table = played("coal_plus", regions={"caribbean": "umbria/0/1 servia/0/0"})
    table.do(coal("umbria"), coal("umbria"))
    assert table.coal("umbria") == 3
    assert table.coal("servia") == 2, "the rest had one place to go"
    assert len(table.of(CoalLoaded)) == 1 + 3


# Fleet and trade


def test_fleet_scores_two_points_per_different_flag_waiting_ships_included_headquarters_not() -> None:
    table = played(
        "fleet",
        seat0={"waiting": "frisia", "headquarters": "lloydgebaeude_bremen"},
        regions={"caribbean": "umbria/0/0 servia/0/0 cutty_sark/0/0", "south_atlantic": "teutonic/0/0 arizona/1/0"},
    )
    assert table.seat().points == 2 * 3


def test_trade_pays_50_per_own_house() -> None:
    table = played("trade", houses={"caribbean": (0, 1, 0), "north_atlantic": (1, 0)})
    assert table.seat().money == 1000 + 150


# Invest

OWN = {"caribbean": "umbria/0/0 servia/0/3", "south_atlantic": "lahn/0/1 teutonic/1/0"}


def test_invest_a_builds_a_house_for_the_cheapest_free_place_and_takes_a_goods_marker_free() -> None:
    table = played("invest", regions=OWN, houses={"caribbean": (1,)}).do(house("caribbean"))
    assert table.seat().money == 1000 - 30
    assert table.seat().houses == 6
    assert table.legal() == [marker("freight"), marker("mail"), marker("passengers")]
    table.do(marker("mail"))
    assert table.seat().markers == (0, 0, 0, 1, 0)
    assert table.seat().money == 970
    assert table.legal() == [END_TURN]


@pytest.mark.parametrize(("taken", "price"), [((), 20), ((1,), 30), ((1, 1), 40)])
def test_house_places_cost_20_30_40_and_a_fourth_in_the_north_atlantic_50(taken: tuple[int, ...], price: int) -> None:
    for name in ("north_atlantic", "caribbean"):
        table = played("invest", regions={name: "umbria/0/0"}, houses={name: taken})
        assert table.do(house(name)).seat().money == 1000 - price
    table = played("invest", regions={"north_atlantic": "umbria/0/0"}, houses={"north_atlantic": (1, 1, 0)})
    assert table.do(house("north_atlantic")).seat().money == 950


def test_a_house_needs_an_own_ship_there_a_free_place_and_at_most_one_own_house_so_far() -> None:
    def houses_with(**fields: object) -> list[str]:
        return [action["region"] for action in played("invest", **fields).legal("house")]

    assert houses_with(regions=OWN) == ["south_atlantic", "caribbean"]
    assert houses_with(regions=OWN, houses={"caribbean": (0, 0)}) == ["south_atlantic"]
    assert houses_with(regions=OWN, houses={"caribbean": (1, 1, 0)}) == ["south_atlantic"]
    assert houses_with(regions=OWN, seat0={"houses": 0}) == []
    assert houses_with(regions=OWN, seat0={"money": 20}, houses={"caribbean": (1,)}) == ["south_atlantic"]
    assert houses_with(regions={"caribbean": "cutty_sark/0/0"}) == ["caribbean"]


def test_no_goods_marker_left_brings_the_house_alone() -> None:
    table = played("invest", regions=OWN, supply={"freight": 0, "mail": 0, "passengers": 0})
    assert table.do(house("caribbean")).legal() == [END_TURN]


def test_invest_b_buys_a_bunker_for_50_and_loads_one_coal_each_on_two_different_steamships_with_room() -> None:
    regions = {"caribbean": "umbria/0/0 servia/0/2 gallia/0/3", "south_atlantic": "lahn/0/1"}
    table = played("invest", regions=regions).do(marker("bunker"))
    assert table.seat().money == 950
    assert table.legal() == [coal("lahn"), coal("umbria"), coal("servia")]
    table.do(coal("umbria"))
    assert table.legal() == [coal("lahn"), coal("servia")]
    with pytest.raises(IllegalAction) as refused:
        table.do(coal("umbria"))
    assert refused.value.rule == "transatlantic.different-ships"
    table.do(coal("servia"))
    assert (table.coal("umbria"), table.coal("servia"), table.coal("lahn")) == (1, 3, 1)
    assert table.legal() == [END_TURN]


def test_coal_that_does_not_fit_is_lost() -> None:
    table = played("invest", regions={"caribbean": "umbria/0/0 servia/0/3"}).do(marker("bunker"))
    assert table.coal("umbria") == 1
    assert table.legal() == [END_TURN]


def test_invest_c_buys_a_goods_marker_for_50() -> None:
    table = played("invest").do(marker("freight"))
    assert table.seat().money == 950
    assert table.seat().markers == (0, 0, 1, 0, 0)
    assert table.legal() == [END_TURN]


def test_invest_may_do_nothing() -> None:
    assert played("invest").do(DONE).legal() == [END_TURN]


def test_a_marker_whose_supply_is_out_can_not_be_chosen() -> None:
    table = played("invest", supply={"mail": 0, "bunker": 0})
    assert table.legal("marker") == [marker("freight"), marker("passengers")]
    with pytest.raises(IllegalAction) as refused:
        table.do(marker("mail"))
    assert refused.value.rule == "transatlantic.supply-exhausted"


def test_no_card_ever_gives_a_riband_for_money() -> None:
    assert marker("riband") not in played("invest").legal()
    assert marker("riband") not in played("invest_plus").legal()


# Invest plus


def test_invest_plus_pays_100_for_two_different_markers() -> None:
    table = played("invest_plus").do(marker("mail"))
    assert marker("mail") not in table.legal()
    with pytest.raises(IllegalAction) as refused:
        table.do(marker("mail"))
    assert refused.value.rule == "transatlantic.different-markers"
    table.do(marker("freight"))
    assert table.seat().money == 900
    assert table.seat().markers == (0, 0, 1, 1, 0)


def test_invest_plus_without_100_has_no_effect() -> None:
    assert played("invest_plus", seat0={"money": 99}).legal() == [END_TURN]


def test_invest_plus_with_fewer_kinds_left_gives_what_there_is() -> None:
    supply = {"freight": 0, "mail": 0, "passengers": 0}
    table = played("invest_plus", supply=supply)
    assert [fact.kind for fact in table.of(MarkerTaken)] == ["bunker"]
    assert table.seat().money == 900
    assert played("invest_plus", supply=supply | {"bunker": 0}).seat().money == 1000


def test_then_if_wanted_a_house_is_built_free() -> None:
    table = played("invest_plus", regions=OWN).do(marker("mail"), marker("freight"))
    assert table.legal() == [house("south_atlantic"), house("caribbean"), DONE]
    table.do(house("caribbean"))
    assert table.seat().money == 900
    assert table.state.regions[2].houses == (0,)
    assert table.legal() == [END_TURN]


def test_or_if_one_marker_is_a_bunker_two_coal_freely_on_one_or_two_own_steamships() -> None:
    table = played("invest_plus", regions=OWN).do(marker("mail"), marker("bunker"))
    assert coal("umbria") in table.legal()
    table.do(coal("umbria"), coal("umbria"))
    assert table.coal("umbria") == 2
    assert table.legal() == [END_TURN]
    table = played("invest_plus", regions=OWN).do(marker("bunker"), marker("mail"), coal("umbria"), coal("lahn"))
    assert (table.coal("umbria"), table.coal("lahn")) == (1, 2)


def test_or_neither() -> None:
    assert played("invest_plus", regions=OWN).do(marker("mail"), marker("bunker"), DONE).legal() == [END_TURN]


def test_a_card_deeper_in_the_stack_can_not_be_copied() -> None:
    table = given(seat0=hand("agent"), seat1={"stack": "trade transport"}, regions={"caribbean": "umbria/0/1"})
    table.do(play("agent"), copy(1))
    assert table.legal() == [travel("umbria"), DONE]
