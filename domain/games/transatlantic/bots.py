"""The bots of Transatlantic. A bot is told its seat's view and the legal actions, never the state.

`automa` values every legal action in points and takes the best. Money counts by what it still buys: a third of a
point for £10 while there is time, what it scores at the end once the last round has begun.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from random import Random
from typing import Any

from domain.bots import random_bot
from domain.game import Action, Bot, Position
from domain.games.transatlantic.edition import DEFAULT, Edition, Ship, files, parse
from domain.games.transatlantic.terms import (
    CHOICE,
    GOODS,
    HEADQUARTERS,
    KINDS,
    MAX_COAL,
    NORTH_ATLANTIC,
    REGIONS,
    SHIP_PLACES,
    STEAMSHIP,
)

TRIPS = 2.0
"""How often a newly bought ship is expected to travel."""

FUTURE_SHIPS = 2.0
"""Ships of a flag still to come that a marker will count for."""

LIMITS = {"transport": 2, "transport_plus": 3, "cargo": 1, "cruise": 1}


@lru_cache(maxsize=8)
def _figures(edition: str) -> Edition:
    return parse(files(edition))


class Judge:
    """One position, with what a seat needs to value its choices."""

    def __init__(self, position: Position) -> None:
        self.edition = (
            parse(position.data) if position.data else _figures(str(position.options.get("edition", DEFAULT)))
        )
        self.state, self.seat = position.state, position.seat
        self.own: Mapping[str, Any] = self.state["seats"][self.seat]
        self.market_variant = bool(position.options.get("market", False))
        self.last = bool(self.state["last_round"])
        self.rate = 100.0 if self.last else 30.0
        self.afloat = [(name, entry) for name, region in self.state["regions"].items() for entry in region["ships"]]

    # What things are worth

    def ship(self, key: str) -> Ship:
        return self.edition.ships[key]

    def flag_value(self, flag: str) -> float:
        """What a ship of this flag scores now."""
        column = KINDS[self.edition.column_of_flag[flag]]
        return float(1 + self.own["markers"][column] + self.state["docks"][flag])

    def ships_of(self, kind: str) -> int:
        """Own ships and headquarters whose flag has its column with this marker."""
        flags = [flag for flag, column in self.edition.column_of_flag.items() if KINDS[column] == kind]
        own = [entry["ship"] for _, entry in self.afloat if entry["owner"] == self.seat]
        return sum(self.ship(key).flag in flags for key in (*own, *self.own["waiting"], *self.own["headquarters"]))

    def marker(self, kind: str) -> float:
        """A marker: a point for each ship of its flag, now and later; bunkers load coal, and rows count."""
        markers = self.own["markers"]
        row = markers[kind] + 1
        rows = (row if row <= 4 else 0) + (5 if row <= 4 and all(markers[k] >= row for k in KINDS if k != kind) else 0)
        later = 0.0 if self.last else FUTURE_SHIPS + (2.0 if kind == "bunker" else 0.0)
        return self.ships_of(kind) + later + 0.6 * rows

    def best_markers(self, count: int, kinds: tuple[str, ...] = CHOICE) -> float:
        values = sorted((self.marker(kind) for kind in kinds if self.state["supply"][kind]), reverse=True)
        return sum(values[:count])

    def houses_in(self, region: str) -> int:
        return int(self.state["regions"][region]["houses"].count(self.seat))

    def own_ships_in(self, region: str) -> int:
        return sum(entry["owner"] == self.seat for entry in self.state["regions"][region]["ships"])

    def house(self, region: str) -> float:
        """A house: a point for each trip from its region, less where few own ships lie."""
        return 0.0 if self.last else 1.5 * min(2, self.own_ships_in(region))

    def income(self, ship: Ship, by: str = "") -> float:
        if by == "cargo":
            base, per_thousand, most = self.edition.cargo
            return min(most, base + per_thousand * (ship.tonnage // 1000)) / self.rate
        if by == "cruise":
            return ship.passengers / 10 / self.rate
        return ship.income / self.rate

    def can_travel(self, entry: Mapping[str, Any]) -> bool:
        return entry["coal"] > 0 or self.ship(entry["ship"]).kind != STEAMSHIP

    def trip(self, region: str, entry: Mapping[str, Any], by: str = "") -> float:
        """A trip: income and house points, less the coal it burns, dear where the ship earns more later."""
        ship = self.ship(entry["ship"])
        coal = 0.0 if self.last or ship.kind != STEAMSHIP else 0.4 * ship.income / self.rate
        return self.income(ship, by) + self.houses_in(region) - coal

    def purchase(self, ship: Ship, cost: int) -> float:
        """A purchase by flag value and payback: what the ship scores and earns, less what it costs."""
        if ship.kind == HEADQUARTERS:
            return self.flag_value(ship.flag) - cost / 100
        earns = 0.0 if self.last else TRIPS * ship.income / self.rate + 1.0
        return self.flag_value(ship.flag) + earns - cost / self.rate

    def coal(self, entry: Mapping[str, Any]) -> float:
        """One coal on a ship: most of a trip's income, less for a third that may never burn."""
        ship = self.ship(entry["ship"])
        if self.last or entry["coal"] >= MAX_COAL:
            return 0.0
        return ship.income / self.rate * (0.7, 0.5, 0.3)[entry["coal"]]

    # Cards

    def card(self, card: str) -> float:
        """What carrying out a card now is worth."""
        return CARDS[card](self, card)

    def shipyard(self, card: str) -> float:
        offers = [(self.purchase(self.ship(o["ship"]), o["cost"]), o["cost"]) for o in self.state["market"]]
        value, money, left = 0.0, self.own["money"], min(2, self.own["captains"])
        for worth, cost in sorted(offers, reverse=True):
            if left and worth > 0 and cost <= money:
                value, money, left = value + worth, money - cost, left - 1
        crowded = 0.5 * len(self.own["waiting"])
        return value - crowded + (1.0 if card == "shipyard_plus" and value else 0.0)

    def deploying(self) -> float:
        return 1.0 if self.own["waiting"] and not self.last else 0.0

    def trips(self, card: str) -> list[float]:
        return sorted(
            (
                self.trip(region, entry, card)
                for region, entry in self.afloat
                if entry["owner"] == self.seat and self.can_travel(entry)
            ),
            reverse=True,
        )

    def travel(self, card: str) -> float:
        most = LIMITS.get(card, 1 + self.own["markers"]["riband"])
        trips = self.trips(card)[:most]
        return sum(trip for trip in trips if trip > 0) + self.deploying()

    def world(self, card: str) -> float:
        return max(self.by_region(), self.by_flag()) + self.deploying()

    def by_region(self) -> float:
        best: dict[str, float] = {}
        for region, entry in self.afloat:
            if entry["owner"] == self.seat and self.can_travel(entry):
                best[region] = max(best.get(region, 0.0), self.trip(region, entry))
        return sum(best.values())

    def by_flag(self) -> float:
        best: dict[str, float] = {}
        for region, entry in self.afloat:
            flag = self.ship(entry["ship"]).flag
            if flag and entry["owner"] == self.seat and self.can_travel(entry):
                best[flag] = max(best.get(flag, 0.0), self.trip(region, entry))
        return sum(best.values())

    def region(self, name: str) -> float:
        """A region's trips, the bonus, less half of what the others get."""
        value = bonus = 0.0
        for entry in self.state["regions"][name]["ships"]:
            if not self.can_travel(entry):
                continue
            income = self.ship(entry["ship"]).income / self.rate
            if entry["owner"] == self.seat:
                value += self.trip(name, entry)
            else:
                bonus = income
                value -= 0.3 * income if entry["owner"] is not None else 0.0
        return value + bonus

    def best_region(self, card: str) -> float:
        return max(self.region(name) for name in self.state["regions"]) + self.deploying()

    def coaling(self, card: str) -> float:
        steps = [
            ship.income / self.rate * worth
            for _, entry in self.afloat
            if entry["owner"] == self.seat and (ship := self.ship(entry["ship"])).kind == STEAMSHIP
            for worth in (0.7, 0.5, 0.3)[entry["coal"] :]
        ]
        cubes = 1 + self.own["markers"]["bunker"] + (3 if card == "coal_plus" else 2)
        return 0.0 if self.last else sum(sorted(steps, reverse=True)[:cubes])

    def invest(self, card: str) -> float:
        money = self.own["money"]
        houses = [
            self.house(name) + self.best_markers(1, GOODS) - region["house_price"] / self.rate
            for name, region in self.state["regions"].items()
            if region["house_price"] is not None
            and region["house_price"] <= money
            and self.own["houses"]
            and self.own_ships_in(name)
            and self.houses_in(name) < 2
        ]
        markers = [self.best_markers(1) + 0.5 - 50 / self.rate] if money >= 50 else []
        return float(max([0.0, *houses, *markers]))

    def invest_plus(self, card: str) -> float:
        return self.best_markers(2) + 1.5 - 100 / self.rate if self.own["money"] >= 100 else 0.0

    def fleet(self, card: str) -> float:
        own = [entry["ship"] for _, entry in self.afloat if entry["owner"] == self.seat] + self.own["waiting"]
        return 2.0 * len({self.ship(key).flag for key in own} - {""})

    def trade(self, card: str) -> float:
        return 50.0 * sum(self.houses_in(name) for name in self.state["regions"]) / self.rate

    def agent(self, card: str) -> float:
        tops = [seat["stack"][-1] for n, seat in enumerate(self.state["seats"]) if n != self.seat and seat["stack"]]
        return max([0.0, *(self.card(top) for top in tops if top in CARDS and top != "agent")])

    def recall(self, card: str) -> float:
        """Director or president: the cards that come back, markers, and a new card played at once."""
        back = len(self.own["stack"]) + 1
        display = max((self.card(name) for name in self.state["display"]), default=0.0)
        if card == "director":
            markers = self.best_markers(2 if back >= 8 else 1 if back >= 6 else 0)
        else:
            markers = self.best_markers(min(4, self.own["contracts"] // 3))
        return display + 0.8 * markers + (0.0 if self.last else 0.5 * (back - 5))

    # Choices

    def buy(self, action: Action) -> float:
        offer = next(offer for offer in self.state["market"] if offer["slot"] == action["slot"])
        bare = self.market_variant and offer["slot"] >= 3
        return self.purchase(self.ship(offer["ship"]), offer["cost"]) - (1.0 if bare else 0.0)

    def deploy(self, action: Action) -> float:
        """The best earner first; where it wins a riband, has houses, and pushes out others rather than own ships."""
        ship, name = self.ship(action["ship"]), action["region"]
        there = self.state["regions"][name]["ships"]
        value = ship.income / self.rate + self.houses_in(name)
        others = there
        if len(there) == SHIP_PLACES[name]:
            others, bottom = there[:-1], there[-1]
            worth = self.ship(bottom["ship"]).income / self.rate * (0.3 + 0.5 * bottom["coal"])
            value += -worth if bottom["owner"] == self.seat else 0.5 * worth
        knots = max((self.ship(entry["ship"]).knots for entry in others), default=0)
        if name == NORTH_ATLANTIC and ship.knots > knots and self.state["supply"]["riband"]:
            value += self.marker("riband")
        return value + 0.01 * REGIONS.index(name)

    def choose_travel(self, action: Action) -> float:
        region, entry = next((name, entry) for name, entry in self.afloat if entry["ship"] == action["ship"])
        return self.trip(region, entry)

    def choose_coal(self, action: Action) -> float:
        entry = next((entry for _, entry in self.afloat if entry["ship"] == action["ship"]), None)
        return self.ship(action["ship"]).income / self.rate if entry is None else self.coal(entry)

    def choose_house(self, action: Action) -> float:
        price = int(self.state["regions"][action["region"]]["house_price"])
        return self.house(str(action["region"])) + self.best_markers(1, GOODS) - price / self.rate

    def choose_marker(self, action: Action) -> float:
        return self.marker(action["kind"]) + (0.5 if action["kind"] == "bunker" else 0.0)

    def copied(self, action: Action) -> float:
        return self.card(self.state["seats"][action["seat"]]["stack"][-1])

    def tile(self, action: Action) -> float:
        """The tile is kept for a card of weight, until the last round."""
        return self.card(action["card"]) - (0.0 if self.last else 3.0)

    def value(self, action: Action) -> float:
        """What an action is worth in points; ending a choice, or a turn, is worth nothing."""
        judged = ACTIONS.get(action["type"])
        return judged(self, action) if judged else 0.0


CARDS: dict[str, Callable[[Judge, str], float]] = {
    "shipyard": Judge.shipyard,
    "shipyard_plus": Judge.shipyard,
    "transport": Judge.travel,
    "transport_plus": Judge.travel,
    "cargo": Judge.travel,
    "cruise": Judge.travel,
    "blue_riband": Judge.travel,
    "global": Judge.world,
    "region": Judge.best_region,
    "coal": Judge.coaling,
    "coal_plus": Judge.coaling,
    "invest": Judge.invest,
    "invest_plus": Judge.invest_plus,
    "fleet": Judge.fleet,
    "trade": Judge.trade,
    "agent": Judge.agent,
    "director": Judge.recall,
    "president": Judge.recall,
}

ACTIONS: dict[str, Callable[[Judge, Action], float]] = {
    "play": lambda judge, action: judge.card(action["card"]),
    "take_card": lambda judge, action: judge.card(action["card"]) + 1.0,
    "tile": Judge.tile,
    "copy": Judge.copied,
    "buy": Judge.buy,
    "deploy": Judge.deploy,
    "travel": Judge.choose_travel,
    "choose_region": lambda judge, action: judge.region(action["region"]),
    "choose_mode": lambda judge, action: judge.by_region() if action["mode"] == "regions" else judge.by_flag(),
    "coal": Judge.choose_coal,
    "marker": Judge.choose_marker,
    "house": Judge.choose_house,
}


def automa(position: Position, rng: Random, /) -> Action:
    """The action worth most; of equals the one listed first. Uses no chance."""
    judge = Judge(position)
    return max(position.actions, key=judge.value)


BOTS: dict[str, Bot] = {"random": random_bot, "automa": automa}
