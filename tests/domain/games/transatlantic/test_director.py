"""Director, president and the display of Transatlantic; one sentence of the rules page a test."""

from __future__ import annotations

import pytest

from domain.game import IllegalAction
from domain.games.transatlantic.facts import CardTaken, TurnEnded
from domain.games.transatlantic.view import fact_view
from tests.domain.games.transatlantic.positions import (
    DONE,
    END_TURN,
    Table,
    deploy,
    given,
    marker,
    play,
    take_card,
    tile,
)

SHOWN = "trade fleet cargo cruise global"
THREE = "shipyard transport region"
PRESIDENT = {"president": True}


def director(played: str = THREE, card: str = "director", **fields: object) -> Table:
    seat = {"hand": card, "stack": played, "tile": False} | dict(fields.pop("seat0", {}))  # type: ignore[call-overload]
    fields = {"display": SHOWN, "pile": "coal_plus region invest_plus", **fields}
    return given(seat0=seat, **fields).do(play(card))  # type: ignore[arg-type]


def test_director_needs_at_least_four_played_cards_with_this_one() -> None:
    table = given(seat0={"hand": "coal director", "stack": "shipyard transport"})
    assert [action["card"] for action in table.legal("play")] == ["coal"]
    with pytest.raises(IllegalAction) as refused:
        table.do(play("director"))
    assert refused.value.rule == "transatlantic.too-few-cards"
    assert play("director") in given(seat0={"hand": "director", "stack": THREE}).legal()


def test_director_takes_back_all_played_cards_itself_included() -> None:
    table = director()
    assert table.seat().hand == ("shipyard", "transport", "region", "director")
    assert table.seat().stack == ()


@pytest.mark.parametrize(("cards", "markers"), [(4, 0), (5, 0), (6, 1), (7, 1), (8, 2), (9, 2)])
def test_with_six_cards_one_marker_with_eight_two_different(cards: int, markers: int) -> None:
    table = director(" ".join(["coal"] * (cards - 1)))
    for n in range(markers):
        offered = table.legal()
        assert {action["type"] for action in offered} == {"marker"}
        assert len(offered) == 4 - n
        table.do(offered[0])
    assert {action["type"] for action in table.legal()} == {"take_card"}
    assert sum(table.seat().markers) == markers
    assert table.seat().markers[0] == 0, "never a riband"


def test_the_markers_of_director_are_no_choice_to_decline() -> None:
    assert DONE not in director(" ".join(["coal"] * 5)).legal()


def test_a_display_card_is_chosen_and_played_at_once_onto_the_stack() -> None:
    table = director(houses={"caribbean": (0, 0)}).do(take_card("trade"))
    assert table.seat().stack == ("trade",)
    assert table.seat().money == 1100
    assert table.legal() == [END_TURN]


def test_the_leftmost_of_the_other_four_goes_to_the_discard_the_rest_slide_and_five_are_refilled() -> None:
    table = director().do(take_card("cargo"))
    assert table.state.display == ("trade", "fleet", "cruise", "global"), "renewed at the end of the turn"
    table.do(END_TURN)
    assert table.state.display == ("fleet", "cruise", "global", "coal_plus", "region")
    assert table.state.discard == ("trade",)
    assert table.state.pile == ("invest_plus",)


def test_a_drawn_card_whose_kind_is_shown_goes_to_the_discard_and_the_next_is_drawn() -> None:
    table = director(pile="fleet coal_plus global region invest_plus").do(take_card("cargo"), END_TURN)
    assert table.state.display == ("fleet", "cruise", "global", "coal_plus", "region")
    assert table.state.discard == ("trade", "fleet", "global")
    assert table.of(TurnEnded)[0].turned == ("fleet", "coal_plus", "global", "region")


def test_an_empty_pile_is_replaced_by_the_shuffled_discard() -> None:
    table = director(pile="fleet", discard="region coal_plus invest_plus blue_riband", seat0={})
    before = table.chance.counter
    table.do(take_card("cargo"), END_TURN)
    assert table.chance.counter == before + 1
    assert len(table.state.display) == len(set(table.state.display)) == 5
    cards = [*table.state.display, *table.state.pile, *table.state.discard]
    assert sorted(cards) == sorted(
        ["trade", "fleet", "cruise", "global", "fleet", "region", "coal_plus", "invest_plus", "blue_riband"]
    )


def test_the_order_of_a_new_pile_is_secret() -> None:
    table = director(pile="", discard="region coal_plus invest_plus blue_riband").do(take_card("cargo"), END_TURN)
    (fact,) = table.of(TurnEnded)
    assert fact.pile is not None
    shown = fact_view(fact)
    assert shown["pile"] == len(fact.pile)


def test_if_pile_and_discard_hold_no_kind_that_is_not_shown_the_display_stays_short() -> None:
    table = director(pile="fleet cruise", display="trade fleet cruise").do(take_card("trade"), END_TURN)
    assert table.state.display == ("cruise", "fleet")
    assert sorted(table.state.pile + table.state.discard) == ["cruise", "fleet"]


def test_a_short_display_is_left_short_when_nothing_is_left_to_draw() -> None:
    table = director(pile="", display="trade fleet").do(take_card("trade"), END_TURN)
    assert table.state.display == ("fleet",), "the leftmost went to the discard and came back"
    assert table.state.discard == ()


def test_with_an_empty_display_director_ends_after_its_markers() -> None:
    table = director(" ".join(["coal"] * 5), display="", pile="").do(marker("mail"))
    assert table.legal() == [END_TURN]
    assert table.seat().hand == ("coal",) * 5 + ("director",)
    assert table.do(END_TURN).state.display == ()


def test_the_tile_leaves_the_display_as_it_is() -> None:
    table = given(display=SHOWN, pile="region").do(tile("fleet"), END_TURN)
    assert table.state.display == tuple(SHOWN.split())


def test_the_last_display_card_is_taken_by_itself() -> None:
    assert director(display="trade", pile="").of(CardTaken)[0].card == "trade"


# The variant president


def president(contracts: int, **fields: object) -> Table:
    fields = {"options": PRESIDENT, "seat0": {"contracts": contracts}, **fields}
    return director("shipyard transport region coal", "president", **fields)


def test_president_needs_at_least_five_played_cards_with_this_one() -> None:
    for played, allowed in (("coal coal coal", False), ("coal coal coal coal", True)):
        table = given(options=PRESIDENT, seat0={"hand": "invest president", "stack": played})
        assert (play("president") in table.legal()) is allowed


def test_per_three_contracts_one_marker_may_be_taken_all_different() -> None:
    table = president(7)
    assert len(table.legal("marker")) == 4
    table.do(marker("mail"))
    assert table.legal("marker") == [marker("bunker"), marker("freight"), marker("passengers")]
    assert DONE in table.legal()
    table.do(marker("bunker"))
    assert table.seat().markers == (0, 1, 0, 1, 0)
    assert {action["type"] for action in table.legal()} == {"take_card"}


def test_the_remaining_contracts_are_sold_at_20_each() -> None:
    assert president(7).do(marker("mail"), marker("bunker")).seat().money == 1020
    table = president(7).do(marker("mail"), DONE)
    assert (table.seat().money, table.seat().contracts) == (1080, 0)
    assert president(2).seat().money == 1040
    assert president(0).seat().money == 1000


def test_president_gives_no_marker_for_the_number_of_cards() -> None:
    table = director(" ".join(["coal"] * 8), "president", options=PRESIDENT)
    assert {action["type"] for action in table.legal()} == {"take_card"}


def test_president_takes_a_display_card_and_renews_the_display_as_director_does() -> None:
    table = president(0).do(take_card("fleet"), END_TURN)
    assert table.seat().hand == ("shipyard", "transport", "region", "coal", "president")
    assert table.seat().stack == ("fleet",)
    assert table.state.display == ("cargo", "cruise", "global", "coal_plus", "region")
    assert table.state.discard == ("trade",)


def contracts(ship: str, others: str, region: str = "caribbean") -> int:
    regions = {region: others, "south_atlantic": "britannic/1/0"}
    table = given(options=PRESIDENT, regions=regions, seat0={"waiting": ship}).do(play("transport"))
    return (table.do(deploy(ship, region)) if table.legal("deploy") else table).seat().contracts


@pytest.mark.parametrize(
    ("ship", "others", "won"),
    [
        ("lusitania", "celtic/1/0", 2),  # 32,000 t and 25 knots, but fewer passengers
        ("lusitania", "parisian/1/0", 3),
        ("celtic", "lucania/1/0", 2),  # slower
        ("umbria", "oregon/1/0", 2),  # as many passengers as Oregon
        ("salier", "germanic/1/0", 0),
        ("lusitania", "", 3),
    ],
)
def test_a_first_deployment_earns_a_contract_for_each_quality_in_which_it_beats_every_other_ship_there(
    ship: str, others: str, won: int
) -> None:
    assert contracts(ship, others) == won


def test_the_ship_it_displaces_is_no_other_ship_of_the_region() -> None:
    others = "pennsylvania/1/0 palatia/1/0 campania/1/0"
    assert contracts("new_england", others) == 1, "faster than those left, but fewer passengers and less tonnage"


def test_displaced_ships_earn_no_contracts() -> None:
    regions = {"caribbean": "umbria/0/0 servia/0/0 arizona/1/0", "north_atlantic": "britannic/0/0"}
    table = given(options=PRESIDENT, regions=regions, seat0={"waiting": "lucania"})
    table.do(play("transport"), deploy("lucania", "caribbean"))
    assert table.ships("south_atlantic") == ["arizona"]
    assert table.seat(1).contracts == 0


def test_without_the_variant_there_are_no_contracts() -> None:
    table = given(seat0={"waiting": "lucania"}).do(play("transport"), deploy("lucania", "caribbean"))
    assert table.seat().contracts == 0
