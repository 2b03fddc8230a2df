"""What may be seen: allow-lists for the state and for facts. Secret are the order of deck and pile, and what is out.

Everything else lies open, hands included (start hand and every card taken are public), so all views are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.games.transatlantic import facts, scoring
from domain.games.transatlantic.buying import cost
from domain.games.transatlantic.loading import house_price
from domain.games.transatlantic.setting import Setting
from domain.games.transatlantic.state import GameState, Region, Seat
from domain.games.transatlantic.terms import KINDS


def view(setting: Setting, state: GameState) -> dict[str, Any]:
    """The state as JSON, the same for every viewer."""
    return {
        "regions": {
            name: _region(setting, state, number, state.regions[number]) for number, name in enumerate(setting.regions)
        },
        "market": [
            {"slot": slot, "ship": ship, "cost": cost(setting, state, slot)}
            for slot, ship in enumerate(state.market)
            if ship is not None
        ],
        "ship_deck": {
            "left": len(state.deck),
            "next_deck": setting.ship(state.deck[0]).deck if state.deck else None,
        },
        "docks": scoring.docked(setting, state),
        "display": list(state.display),
        "extension": {
            "left": len(state.pile),
            "set": "A" if state.pile_a else "B",
            "discard": list(state.discard),
        },
        "supply": dict(zip(KINDS, state.supply, strict=True)),
        "last_round": state.final_round is not None and state.round == state.final_round,
        "seats": [_seat(setting, state, number, seat) for number, seat in enumerate(state.seats)],
    }


def _region(setting: Setting, state: GameState, number: int, region: Region) -> dict[str, Any]:
    return {
        "ships": [{"ship": afloat.ship, "owner": afloat.owner, "coal": afloat.coal} for afloat in region.ships],
        "houses": list(region.houses),
        "house_price": house_price(setting, state, number),
    }


def _seat(setting: Setting, state: GameState, number: int, seat: Seat) -> dict[str, Any]:
    return {
        "money": seat.money,
        "points": seat.points,
        "points_if_scored_now": scoring.total(setting, state, number),
        "hand": list(seat.hand),
        "stack": list(seat.stack),
        "waiting": [afloat.ship for afloat in seat.waiting],
        "waiting_coal": [afloat.coal for afloat in seat.waiting],
        "headquarters": list(seat.headquarters),
        "captains": seat.captains,
        "houses": seat.houses,
        "tile": seat.tile,
        "markers": dict(zip(KINDS, seat.markers, strict=True)),
        "contracts": seat.contracts,
    }


# Facts. `then` is not shown: who decides what next is in `to_act` and `actions`.

Fields = tuple[str, ...]
_OPEN: dict[type, Fields] = {
    facts.GameSetUp: ("start_seat", "sailing", "market", "display", "discard", "turned"),
    facts.CardPlayed: ("seat", "card", "money", "points"),
    facts.CardsTakenBack: ("seat", "card", "cards"),
    facts.CardTaken: ("seat", "card", "money", "points"),
    facts.TileSpent: ("seat", "card", "money", "points"),
    facts.CardCopied: ("seat", "owner", "card", "money", "points"),
    facts.ShipBought: ("seat", "slot", "ship", "paid", "coal"),
    facts.HeadquartersBought: ("seat", "slot", "ship", "paid"),
    facts.ShipDeployed: ("seat", "ship", "region", "place", "displaced", "riband", "contracts"),
    facts.ShipScrapped: ("seat", "ship", "money", "points"),
    facts.ShipTravelled: ("seat", "ship", "money", "points"),
    facts.RegionTravelled: ("seat", "region", "ships", "money", "points", "bonus"),
    facts.ModeChosen: ("seat", "mode"),
    facts.CoalLoaded: ("seat", "ship"),
    facts.MarkerTaken: ("seat", "kind", "paid", "contracts"),
    facts.HouseBuilt: ("seat", "region", "paid"),
    facts.ContractsSold: ("seat", "contracts", "money"),
    facts.ChoiceDeclined: ("seat",),
    facts.TurnEnded: (
        "seat", "scored", "docked", "market", "drawn", "display", "discard", "turned", "round", "quiet",
        "final_round", "reason",
    ),
}  # fmt: skip
"""Fact → the fields that everybody may see."""

_COUNTED: dict[type, Callable[[Any], dict[str, Any]]] = {
    facts.GameSetUp: lambda fact: {"deck": len(fact.deck), "out": len(fact.out), "pile": len(fact.pile)},
    facts.TurnEnded: lambda fact: {"pile": None if fact.pile is None else len(fact.pile)},
}
"""Fact → its secret fields, as far as their size goes."""


def fact_view(fact: Any) -> dict[str, Any]:
    """A fact's open fields as JSON."""
    shown = {name: _json(getattr(fact, name)) for name in _OPEN[type(fact)]}
    counted = _COUNTED.get(type(fact))
    return shown | counted(fact) if counted else shown


def _json(value: Any) -> Any:
    return [_json(entry) for entry in value] if isinstance(value, tuple) else value
