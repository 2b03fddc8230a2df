"""The figures that a table plays with: ships and everything else that the rules leave to an edition.

An edition is a pair of files in `editions/<name>/`. Reading and checking them lives here; no figure does.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from domain.game import InvalidOptions
from domain.games.transatlantic.terms import EXTENSION, FLAGS, HEADQUARTERS, KINDS, NEUTRAL, SAILING, SEATS, STEAMSHIP

SHIPS_FILE, FIGURES_FILE = "ships.csv", "edition.json"
DEFAULT = "house"
_EDITIONS = Path(__file__).parent / "editions"
_COLUMNS = ("key", "kind", "deck", "year", "name", "flag", "company", "tonnage", "knots", "passengers", "income")
_SLOTS = 6


class EditionError(InvalidOptions):
    """What is wrong with an edition's files, found before a table plays with them."""

    def __init__(self, wrong: str) -> None:
        super().__init__({"edition": wrong})


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship, or a company's headquarters. Tonnage in tons, income and price in pounds.

    `year` is 0 for headquarters, `flag` empty for neutral and sailing ships, `price` 0 for what is never sold.
    """

    key: str
    kind: str
    deck: int
    year: int
    name: str
    flag: str
    tonnage: int
    knots: int
    passengers: int
    income: int
    price: int


@dataclass(frozen=True, slots=True)
class Edition:
    """All figures of one edition.

    Args:
        ships: by key, in the order of the file.
        slot_costs: extra cost of each market slot, left to right.
        house_prices, house_prices_default: of the north atlantic and of every other region, cheapest first.
        cargo: base, per 1,000 tons, at most.
        column_of_flag: flag → place of its column among the marker kinds.
        ships_out: seats → ships of each steamship deck that stay out of the game.
        extension_sets: cards of set A and of set B.
        supply: markers by kind, in the order of the kinds.
    """

    name: str
    ships: Mapping[str, Ship]
    slot_costs: tuple[int, ...]
    house_prices: tuple[int, ...]
    house_prices_default: tuple[int, ...]
    cargo: tuple[int, int, int]
    column_of_flag: Mapping[str, int]
    ships_out: Mapping[int, int]
    extension_sets: tuple[tuple[str, ...], tuple[str, ...]]
    captains: int
    houses: int
    supply: tuple[int, ...]
    start_money: int
    rounds_without_purchase: int

    def of_kind(self, kind: str) -> tuple[Ship, ...]:
        return tuple(ship for ship in self.ships.values() if ship.kind == kind)

    @property
    def decks(self) -> tuple[tuple[str, ...], ...]:
        """Keys of the steamships of each deck, deck by deck."""
        steamships = self.of_kind(STEAMSHIP)
        numbers = sorted({ship.deck for ship in steamships})
        return tuple(tuple(ship.key for ship in steamships if ship.deck == number) for number in numbers)


def editions() -> tuple[str, ...]:
    """The names of the editions at hand."""
    return tuple(sorted(path.parent.name for path in _EDITIONS.glob(f"*/{FIGURES_FILE}")))


def files(name: str) -> dict[str, str]:
    """The contents of an edition's two files, by file name, checked.

    Raises:
        EditionError: if the pair is no valid edition.
    """
    contents = {file: (_EDITIONS / name / file).read_text(encoding="utf-8") for file in (SHIPS_FILE, FIGURES_FILE)}
    parse(contents)
    return contents


def parse(contents: Mapping[str, str]) -> Edition:
    """The edition of two files' contents.

    Raises:
        EditionError: naming the first thing that is wrong.
    """
    for file in (SHIPS_FILE, FIGURES_FILE):
        if file not in contents:
            raise EditionError(f"{file} is missing")
    return _parse(contents[SHIPS_FILE], contents[FIGURES_FILE])


@lru_cache(maxsize=16)
def _parse(ships_text: str, figures_text: str) -> Edition:
    try:
        figures = json.loads(figures_text)
    except json.JSONDecodeError as error:
        raise EditionError(f"{FIGURES_FILE} is no JSON: {error}") from error
    try:
        edition = _edition(_ships(ships_text), figures)
    except (KeyError, TypeError, AttributeError) as error:
        raise EditionError(f"{FIGURES_FILE}: {error!r} is missing or of a wrong type") from error
    _check_ships(edition)
    _check_figures(edition)
    return edition


def _ships(text: str) -> dict[str, Ship]:
    reader = csv.DictReader(text.splitlines())
    _need(set(_COLUMNS) <= set(reader.fieldnames or ()), f"{SHIPS_FILE} needs the columns {', '.join(_COLUMNS)}")
    ships: dict[str, Ship] = {}
    for row in reader:
        ship = _ship(row)
        _need(ship.key not in ships, f"the key {ship.key} is there twice")
        ships[ship.key] = ship
    return ships


def _ship(row: Mapping[str, str]) -> Ship:
    def number(column: str) -> int:
        text = (row[column] or "").strip()
        _need(not text or text.isdecimal(), f"{row['key']}: {column} is no whole number: {text!r}")
        return int(text or 0)

    return Ship(
        key=row["key"],
        kind=row["kind"],
        deck=number("deck"),
        year=number("year"),
        name=row["name"],
        flag=row["flag"] or "",
        tonnage=number("tonnage"),
        knots=number("knots"),
        passengers=number("passengers"),
        income=number("income"),
        price=number("price"),
    )


def _edition(ships: Mapping[str, Ship], figures: Mapping[str, Any]) -> Edition:
    prices, cargo, sets = figures["house_prices"], figures["cargo"], figures["extension_sets"]
    columns, out = figures["column_of_flag"], figures["ships_out_per_deck"]
    for column in columns.values():
        _need(column in KINDS, f"column_of_flag: no such column: {column}")
    return Edition(
        name=str(figures["name"]),
        ships=ships,
        slot_costs=_numbers(figures, "slot_costs"),
        house_prices=tuple(sorted(_numbers(prices, "north_atlantic"))),
        house_prices_default=tuple(sorted(_numbers(prices, "default"))),
        cargo=(_number(cargo, "base"), _number(cargo, "per_1000_t"), _number(cargo, "max")),
        column_of_flag={flag: KINDS.index(column) for flag, column in columns.items()},
        ships_out={int(seats): _number(out, seats) for seats in out},
        extension_sets=(tuple(sets["A"]), tuple(sets["B"])),
        captains=_number(figures, "captains"),
        houses=_number(figures, "houses"),
        supply=tuple(_number(figures["supply"], kind) for kind in KINDS),
        start_money=_number(figures, "start_money"),
        rounds_without_purchase=_number(figures, "rounds_without_purchase"),
    )


def _number(table: Mapping[str, Any], name: str) -> int:
    value = table[name]
    _need(type(value) is int and value >= 0, f"{name} must be a whole number, not negative")
    return int(value)


def _numbers(table: Mapping[str, Any], name: str) -> tuple[int, ...]:
    _need(isinstance(table[name], list), f"{name} must be a list")
    return tuple(_number({name: value}, name) for value in table[name])


def _check_ships(edition: Edition) -> None:
    afloat = [ship for ship in edition.ships.values() if ship.kind != HEADQUARTERS]
    years = [ship.year for ship in afloat]
    _need(0 not in years, "every ship needs a year")
    _need(len(set(years)) == len(years), "two ships have the same year")
    for ship in edition.ships.values():
        _need(ship.kind in (NEUTRAL, SAILING, STEAMSHIP, HEADQUARTERS), f"{ship.key}: no such kind: {ship.kind}")
        flagged = ship.kind in (STEAMSHIP, HEADQUARTERS)
        _need((ship.flag in edition.column_of_flag) if flagged else not ship.flag, f"{ship.key}: flag {ship.flag!r}")
        _need(bool(ship.price) == flagged, f"{ship.key}: steamships and headquarters have a price, no others")
    _need(len(edition.of_kind(NEUTRAL)) == 1, "there must be exactly one neutral ship")
    _need(len(edition.of_kind(SAILING)) >= max(SEATS), f"there must be {max(SEATS)} sailing ships")
    _need(bool(edition.of_kind(STEAMSHIP)), "there must be steamships")


def _check_figures(edition: Edition) -> None:
    _need(len(edition.slot_costs) == _SLOTS, f"slot_costs must name {_SLOTS} slots")
    _need(len(edition.house_prices) == 4, "house_prices: the north atlantic has four places")
    _need(len(edition.house_prices_default) == 3, "house_prices: the other regions have three places")
    _need(sorted(edition.column_of_flag.values()) == list(range(len(KINDS))), "each flag needs a column of its own")
    _need(set(edition.column_of_flag) == set(FLAGS), f"column_of_flag: the flags are {', '.join(FLAGS)}")
    for cards in edition.extension_sets:
        _need(all(card in EXTENSION for card in cards), "extension_sets: an unknown card")
    smallest = min(len(deck) for deck in edition.decks)
    for seats in SEATS:
        _need(seats in edition.ships_out, f"ships_out_per_deck: {seats} seats are missing")
        _need(edition.ships_out[seats] < smallest, "ships_out_per_deck: no ship would be left of a deck")
    # In the opening a seat must buy: whatever early ship lies leftmost has to be within its means.
    dearest = max(edition.ships[key].price for deck in edition.decks[:3] for key in deck)
    _need(
        dearest + edition.slot_costs[0] <= edition.start_money, "start_money does not buy each ship of the first decks"
    )
    _need(edition.captains >= 2, "captains: a seat needs one for its sailing ship and one for the opening")
    _need(edition.rounds_without_purchase >= 1, "rounds_without_purchase must be 1 or more")


def _need(holds: bool, otherwise: str) -> None:
    if not holds:
        raise EditionError(otherwise)
