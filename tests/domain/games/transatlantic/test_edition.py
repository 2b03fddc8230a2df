"""The edition of Transatlantic: the house figures keep their formula, and a bad pair of files is refused on load."""

from __future__ import annotations

import csv
import json
from typing import Any

import pytest

from domain.game import Config, InvalidOptions
from domain.games.transatlantic import GAME
from domain.games.transatlantic.edition import FIGURES_FILE, SHIPS_FILE, Edition, EditionError, files, parse
from domain.games.transatlantic.rules import TransatlanticRules
from domain.games.transatlantic.terms import EXTENSION, STEAMSHIP
from tests.domain.games.transatlantic.positions import chance_from


@pytest.fixture
def house() -> Edition:
    return parse(files("house"))


def test_the_house_edition_has_45_steamships_one_a_year_four_sailing_ships_scotia_and_five_headquarters(
    house: Edition,
) -> None:
    assert [ship.year for ship in house.of_kind("steamship")] == list(range(1870, 1915))
    assert [len(house.of_kind(kind)) for kind in ("neutral", "sailing", "headquarters")] == [1, 4, 5]
    assert [len(deck) for deck in house.decks] == [5] * 9


def test_incomes_follow_deck_tonnage_and_speed_and_prices_are_twice_the_income(house: Edition) -> None:
    for deck in house.decks:
        ships = [house.ships[key] for key in deck]
        largest = max(ships, key=lambda ship: (ship.tonnage, ship.year))
        slowest = min(ships, key=lambda ship: (ship.knots, ship.tonnage, -ship.year))
        for ship in ships:
            assert ship.income == 20 + 10 * ship.deck + 10 * (ship is largest) - 10 * (ship is slowest)
            assert ship.price == 2 * ship.income


def test_headquarters_cost_200_sailing_ships_earn_20_and_scotia_30(house: Edition) -> None:
    assert {ship.price for ship in house.of_kind("headquarters")} == {200}
    assert {ship.income for ship in house.of_kind("sailing")} == {20}
    assert house.ships["scotia"].income == 30


def test_the_extension_deck_has_22_cards_eleven_kinds_in_each_set(house: Edition) -> None:
    assert len(EXTENSION) == 11
    for cards in house.extension_sets:
        assert sorted(cards) == sorted(EXTENSION)


def changed_figures(**changes: Any) -> dict[str, str]:
    contents = files("house")
    return contents | {FIGURES_FILE: json.dumps(json.loads(contents[FIGURES_FILE]) | changes)}


def changed_ship(which: str, **changes: str) -> dict[str, str]:
    contents = files("house")
    rows = list(csv.DictReader(contents[SHIPS_FILE].splitlines()))
    lines = [",".join(rows[0])]
    for row in rows:
        row |= changes if row["key"] == which else {}
        lines.append(",".join(f'"{value}"' for value in row.values()))
    return contents | {SHIPS_FILE: "\n".join(lines)}


@pytest.mark.parametrize(
    ("contents", "says"),
    [
        (changed_ship("gallia", year="1870"), "same year"),
        (changed_ship("gallia", key="umbria"), "twice"),
        (changed_ship("gallia", flag="purple"), "flag"),
        (changed_ship("gallia", flag=""), "flag"),
        (changed_ship("gallia", kind="airship"), "no such kind"),
        (changed_ship("gallia", tonnage="big"), "whole number"),
        (changed_ship("gallia", price=""), "price"),
        (changed_ship("ariel", kind="neutral"), "exactly one neutral"),
        (changed_figures(slot_costs=[0, 10]), "slot_costs"),
        (changed_figures(slot_costs=[0, 10, 20, 30, 40, -5]), "slot_costs"),
        (changed_figures(captains="nine"), "captains"),
        (changed_figures(start_money=True), "start_money"),
        (changed_figures(start_money=90), "start_money"),
        (changed_figures(house_prices={"north_atlantic": [20], "default": [20, 30, 40]}), "house_prices"),
        (changed_figures(ships_out_per_deck={"2": 5, "3": 1, "4": 0}), "ships_out_per_deck"),
        (changed_figures(ships_out_per_deck={"2": 2}), "ships_out_per_deck"),
        (changed_figures(column_of_flag={"red": "mail", "blue": "mail"}), "flag"),
        (
            changed_figures(column_of_flag=dict.fromkeys(("blue", "black", "green", "red", "yellow"), "mail")),
            "column of its own",
        ),
        (changed_figures(column_of_flag={"red": "mast"}), "no such column"),
        (changed_figures(extension_sets={"A": ["piracy"], "B": []}), "unknown card"),
        (changed_figures(supply={"riband": 12}), "bunker"),
        (files("house") | {FIGURES_FILE: "no json"}, "JSON"),
        ({SHIPS_FILE: files("house")[SHIPS_FILE]}, "missing"),
    ],
)
def test_a_bad_edition_is_refused_on_load(contents: dict[str, str], says: str) -> None:
    with pytest.raises(EditionError, match=says):
        parse(contents)
    with pytest.raises(InvalidOptions) as refused:
        TransatlanticRules(Config(2, {"edition": "house"}, contents))
    assert "edition" in refused.value.errors


def test_the_option_edition_picks_the_pair_and_only_editions_at_hand_are_offered() -> None:
    options = GAME.complete({"edition": "house"}, 2)
    assert set(GAME.data(options)) == {SHIPS_FILE, FIGURES_FILE}
    with pytest.raises(InvalidOptions):
        GAME.complete({"edition": "boxed"}, 2)


def test_a_table_plays_with_the_figures_that_its_record_carries() -> None:
    contents = changed_figures(start_money=500, captains=4, houses=2, slot_costs=[5] * 6, rounds_without_purchase=1)
    rules = TransatlanticRules(Config(2, {}, contents))
    assert rules.setting.edition.start_money == 500
    assert rules.setting.edition.slot_costs == (5,) * 6


def test_the_figures_of_an_edition_reach_the_table() -> None:
    rules = TransatlanticRules(Config(2, {}, changed_figures(start_money=500, captains=4, houses=2)))
    (deal,) = rules.setup(0, chance_from(1))
    seat = rules.evolve(None, deal).seats[0]
    assert (seat.money, seat.captains, seat.houses) == (500, 3, 2)


def test_every_ship_of_the_edition_is_of_a_known_kind(house: Edition) -> None:
    assert {ship.kind for ship in house.ships.values()} == {"neutral", "sailing", STEAMSHIP, "headquarters"}
