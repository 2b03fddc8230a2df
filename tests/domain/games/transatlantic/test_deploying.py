"""Deploying in Transatlantic: entering, displacing, scrapping, ribands; a test for each sentence of the page."""

from __future__ import annotations

import pytest

from domain.game import Action, IllegalAction
from domain.games.transatlantic.facts import ShipDeployed, ShipScrapped, TurnEnded
from tests.domain.games.transatlantic.positions import DONE, END_TURN, Table, buy, deploy, given, play, travel

NOWHERE = {
    "south_atlantic": "titanic/1/0 baltic/1/0 celtic/1/0",
    "caribbean": "imperator/1/0 france/1/0 lusitania/1/0",
}
"""Two regions, full, with top ships too young for most to enter."""


def places(table: Table) -> set[str]:
    return {action["region"] for action in table.legal("deploy")}


def test_a_ship_enters_at_the_top_and_the_others_move_down() -> None:
    table = given(regions={"caribbean": "gallia/1/0 abyssinia/1/0"}, seat0={"waiting": "umbria"})
    table.do(play("transport"), deploy("umbria", "caribbean"))
    assert table.ships("caribbean") == ["umbria", "gallia", "abyssinia"]


def test_it_must_be_younger_than_every_ship_there() -> None:
    table = given(regions={"caribbean": "lahn/1/0", "south_atlantic": "gallia/1/0"}, seat0={"waiting": "umbria"})
    table.do(play("transport"))
    assert places(table) == {"north_atlantic", "south_atlantic"}
    with pytest.raises(IllegalAction) as refused:
        table.do(deploy("umbria", "caribbean"))
    assert refused.value.rule == "transatlantic.not-the-youngest"


def test_a_ship_that_can_enter_from_the_top_nowhere_is_sorted_in_by_year_in_a_region_with_an_empty_place() -> None:
    regions = NOWHERE | {"north_atlantic": "teutonic/1/0 aller/1/0 gallia/1/0"}
    table = given(regions=regions, seat0={"waiting": "oregon"}).do(play("transport"))
    assert table.ships("north_atlantic") == ["teutonic", "aller", "oregon", "gallia"]
    assert table.of(ShipDeployed)[0].displaced is None


def test_it_is_sorted_in_below_all_others_too() -> None:
    regions = NOWHERE | {"north_atlantic": "teutonic/1/0 aller/1/0"}
    table = given(regions=regions, seat0={"waiting": "oregon"}).do(play("transport"))
    assert table.ships("north_atlantic") == ["teutonic", "aller", "oregon"]


def test_sorting_in_is_no_choice_while_the_ship_can_enter_somewhere_from_the_top() -> None:
    regions = {"caribbean": "lahn/1/0", "south_atlantic": "lahn/1/0", "north_atlantic": "gallia/1/0"}
    table = given(regions=regions, seat0={"waiting": "umbria"}).do(play("transport"))
    assert table.ships("north_atlantic") == ["umbria", "gallia"]


def test_if_the_region_was_full_its_bottom_ship_is_displaced_and_its_owner_chooses() -> None:
    """Another seat decides within the turn."""
    regions = {
        "caribbean": "lahn/1/0 gallia/0/0 devonia/1/1",
        "south_atlantic": "abyssinia/0/1",
        "north_atlantic": "republic/0/1",
    }
    table = given(regions=regions, seat0={"waiting": "teutonic"})
    table.do(play("transport"), deploy("teutonic", "caribbean"))
    assert table.to_act == 1
    assert table.rules.turn(table.state).seat == 0
    assert table.legal() == [deploy("devonia", "north_atlantic"), deploy("devonia", "south_atlantic")]
    table.do(deploy("devonia", "south_atlantic"))
    assert table.ships("south_atlantic") == ["devonia", "abyssinia"]
    assert table.coal("devonia") == 1
    assert table.to_act == 0
    assert travel("abyssinia") in table.legal()


def test_a_chain_over_three_regions() -> None:
    """Celtic pushes Oregon, Oregon pushes Republic, Republic enters the third region."""
    regions = {
        "north_atlantic": "teutonic/0/0 aller/0/0 umbria/0/0 oregon/1/1",
        "south_atlantic": "hammonia/0/0 gallia/0/0 republic/2/1",
        "caribbean": "abyssinia/2/0 taeping/2/0",
        "indian_ocean": "campania/0/0 lucania/0/0 teutonic/0/0",
    }
    table = given(3, regions=regions, seat0={"waiting": "celtic"})
    table.do(play("region"), deploy("celtic", "north_atlantic"))
    assert table.to_act == 1
    assert places(table) == {"south_atlantic", "caribbean"}
    table.do(deploy("oregon", "south_atlantic"))
    assert table.to_act == 0, "Republic has one place to go, so its owner need not act"
    assert table.ships("caribbean") == ["republic", "abyssinia", "taeping"]
    assert [(fact.ship, fact.seat) for fact in table.of(ShipDeployed)] == [
        ("celtic", 0), ("oregon", 1), ("republic", 2),
    ]  # fmt: skip
    assert table.legal("choose_region")


def test_a_displaced_ship_is_sorted_in_where_a_place_is_empty() -> None:
    regions = {
        "north_atlantic": "teutonic/0/0 umbria/0/0 oregon/0/0 gallia/0/0",
        "south_atlantic": "titanic/1/0 baltic/1/0",
        "caribbean": NOWHERE["caribbean"],
    }
    table = given(regions=regions, seat0={"waiting": "celtic"}).do(play("transport"))
    assert table.ships("south_atlantic") == ["titanic", "baltic", "gallia"]


# Scrapping

SCRAPS = NOWHERE | {"north_atlantic": "teutonic/0/0 umbria/0/0 oregon/0/0 gallia/1/2"}


def scrapping(bottom: str = "gallia/1/2", **fields: object) -> Table:
    """Celtic, deployed in the north atlantic, pushes out its bottom ship, which can enter nowhere."""
    regions = SCRAPS | {"north_atlantic": f"teutonic/0/0 umbria/0/0 oregon/0/0 {bottom}"}
    table = given(regions=regions, seat0={"waiting": "celtic"}, **fields)  # type: ignore[arg-type]
    return table.do(play("transport"))


def test_if_that_is_impossible_it_is_scrapped_after_a_last_trip_taken_automatically() -> None:
    table = scrapping(houses={"north_atlantic": (1, 0, 1)})
    (fact,) = table.of(ShipScrapped)
    assert (fact.seat, fact.ship, fact.money, fact.points) == (1, "gallia", 40, 2)
    assert table.seat(1).money == 1040
    assert table.state.scrapped == ("gallia",)
    assert table.to_act == 0


def test_a_scrapped_steamship_without_coal_makes_no_last_trip() -> None:
    (fact,) = scrapping("gallia/1/0", houses={"north_atlantic": (1,)}).of(ShipScrapped)
    assert (fact.money, fact.points) == (0, 0)


def test_a_scrapped_ships_captain_comes_back() -> None:
    assert scrapping().seat(1).captains == 9


def test_a_scrapped_ship_never_goes_to_the_docks() -> None:
    assert scrapping().do(DONE, END_TURN).state.docks == ()


def test_at_the_end_of_the_turn_its_owner_gets_a_ship_scoring_for_it() -> None:
    table = scrapping(seat1={"markers": {"mail": 2}}, docks="abyssinia")
    assert table.seat(1).points == 0
    table.do(DONE, END_TURN)
    assert table.of(TurnEnded)[0].scored == (("gallia", 1, 1 + 2 + 1),)
    assert table.seat(1).points == 4


def test_scrapped_ships_are_scored_before_the_market_adds_to_the_docks() -> None:
    regions = SCRAPS | {"north_atlantic": "teutonic/0/0 umbria/0/0 oregon/0/0 gallia/1/0"}
    table = given(regions=regions, market="celtic lucania").do(play("shipyard"), buy(0), DONE, END_TURN)
    assert table.state.docks == ("lucania",)
    assert table.seat(1).points == 1


def test_sailing_ships_have_no_flag_and_score_nothing_but_make_their_last_trip_without_coal() -> None:
    table = scrapping("cutty_sark/1/0").do(DONE, END_TURN)
    assert table.of(ShipScrapped)[0].money == 20
    assert table.of(TurnEnded)[0].scored == (("cutty_sark", 1, 0),)


def test_a_displaced_scotia_leaves_the_game_even_if_there_is_room() -> None:
    regions = {"north_atlantic": "teutonic/0/0 umbria/0/0 oregon/0/0 scotia", "caribbean": ""}
    table = given(regions=regions, seat0={"waiting": "celtic"})
    table.do(play("transport"), deploy("celtic", "north_atlantic"))
    (fact,) = table.of(ShipScrapped)
    assert (fact.seat, fact.ship, fact.money) == (None, "scotia", 0)
    assert table.do(DONE, END_TURN).of(TurnEnded)[0].scored == ()
    assert table.state.scrapped == ("scotia",)


# The blue riband


def test_a_ship_strictly_faster_than_all_others_in_the_north_atlantic_wins_a_riband() -> None:
    table = given(regions={"north_atlantic": "gallia/1/0 scotia"}, seat0={"waiting": "arizona"})
    table.do(play("transport"), deploy("arizona", "north_atlantic"))
    assert table.seat().markers[0] == 1
    assert table.state.supply[0] == 11


def test_an_equally_fast_ship_wins_none() -> None:
    table = given(regions={"north_atlantic": "arizona/1/0"}, seat0={"waiting": "servia"})
    table.do(play("transport"), deploy("servia", "north_atlantic"))
    assert table.seat().markers[0] == 0


def test_a_fast_ship_in_another_region_wins_none() -> None:
    table = given(seat0={"waiting": "lusitania"}).do(play("transport"), deploy("lusitania", "caribbean"))
    assert table.seat().markers[0] == 0


def test_the_ship_it_displaced_no_longer_counts() -> None:
    table = given(
        regions={"north_atlantic": "new_england/1/0 palatia/1/0 prinzregent_luitpold/1/0 lucania/1/0"},
        seat0={"waiting": "oceanic"},
    )
    table.do(play("transport"), deploy("oceanic", "north_atlantic"))
    assert table.seat().markers[0] == 1


def test_redeployments_win_ribands_too() -> None:
    regions = {
        "north_atlantic": "gallia/0/0",
        "caribbean": "umbria/0/0 servia/0/0 arizona/1/0",
        "south_atlantic": "teutonic/0/0 lahn/0/0 aller/0/0",
    }
    table = given(regions=regions, seat0={"waiting": "celtic"}).do(play("transport"), deploy("celtic", "caribbean"))
    assert table.ships("north_atlantic") == ["arizona", "gallia"]
    assert table.seat(1).markers[0] == 1


def test_no_riband_is_won_when_the_supply_is_out() -> None:
    table = given(seat0={"waiting": "lusitania"}, supply={"riband": 0})
    table.do(play("transport"), deploy("lusitania", "north_atlantic"))
    assert table.seat().markers[0] == 0
    assert table.state.supply[0] == 0


# Being forced


def test_a_card_with_deploying_needs_one_waiting_ship_deployed_first_if_possible_owners_choice_which() -> None:
    table = given(seat0={"waiting": "umbria lahn"}).do(play("transport"))
    assert {action["type"] for action in table.legal()} == {"deploy"}
    assert {action["ship"] for action in table.legal()} == {"umbria", "lahn"}


def test_only_one_waiting_ship_is_deployed_by_a_card() -> None:
    table = given(seat0={"waiting": "umbria lahn"}).do(play("transport"), deploy("umbria", "caribbean"))
    assert table.legal("deploy") == []


def test_a_ship_that_can_be_deployed_nowhere_does_not_stop_the_card() -> None:
    regions = SCRAPS | {"north_atlantic": "teutonic/0/1 umbria/0/0 oregon/0/0 gallia/1/2"}
    table = given(regions=regions, seat0={"waiting": "salier"}).do(play("transport"))
    assert table.legal() == [travel("teutonic"), DONE]


# What can be undone


def is_final(table: Table, action: Action) -> bool:
    return table.rules.is_final(table.state, table.to_act, action)


def test_displacing_a_ship_whose_owner_then_chooses_is_final() -> None:
    regions = {"caribbean": "lahn/0/0 gallia/0/0 devonia/1/1"}
    table = given(regions=regions, seat0={"waiting": "teutonic"}).do(play("transport"))
    assert is_final(table, deploy("teutonic", "caribbean"))
    assert not is_final(table, deploy("teutonic", "south_atlantic"))
    table.do(deploy("teutonic", "caribbean"))
    assert is_final(table, deploy("devonia", "south_atlantic")), "a decision in another seat's turn always is"


def test_displacing_a_ship_with_one_place_to_go_or_none_can_still_be_undone() -> None:
    crowded = {"caribbean": "lahn/0/0 gallia/0/0 devonia/1/1", "south_atlantic": "umbria/0/0 servia/0/0 oregon/0/0"}
    table = given(regions=crowded, seat0={"waiting": "teutonic"}).do(play("transport"))
    assert not is_final(table, deploy("teutonic", "caribbean"))
    assert table.do(deploy("teutonic", "caribbean")).ships("north_atlantic") == ["devonia"]
    full = NOWHERE | {"north_atlantic": "umbria/0/0 servia/0/0 oregon/0/0 gallia/1/0"}
    table = given(regions=full, seat0={"waiting": "celtic"})
    assert not is_final(table, play("transport")), "Gallia can go nowhere, so nobody decides"


def test_playing_a_card_that_forces_a_displacement_is_final_too() -> None:
    regions = {
        "north_atlantic": "umbria/0/0 servia/0/0 oregon/0/0 gallia/1/0",
        "south_atlantic": "titanic/1/0 baltic/1/0",
        "caribbean": "imperator/1/0 france/1/0",
    }
    table = given(regions=regions, seat0={"waiting": "celtic"})
    assert is_final(table, play("transport"))
    assert not is_final(table, play("coal"))
