"""Deploying: where a ship may enter, whom it displaces, and what becomes of a displaced ship."""

from __future__ import annotations

from collections.abc import Sequence

from domain.game import Action
from domain.games.transatlantic.facts import GameFact, ShipDeployed, ShipScrapped
from domain.games.transatlantic.setting import Setting, houses_of, instead
from domain.games.transatlantic.state import Afloat, GameState, Pending
from domain.games.transatlantic.terms import NORTH_ATLANTIC, REGIONS, RIBAND


def open_regions(setting: Setting, state: GameState, key: str) -> list[int]:
    """The regions that a ship can enter from the top; if there are none, those with an empty place."""
    year = setting.ship(key).year
    from_top = [
        number
        for number, region in enumerate(state.regions)
        if not region.ships or setting.ship(region.ships[0].ship).year < year
    ]
    return from_top or [
        number for number, region in enumerate(state.regions) if len(region.ships) < setting.places[number]
    ]


def _deployments(setting: Setting, state: GameState, keys: Sequence[str]) -> list[Action]:
    return [
        {"type": "deploy", "ship": key, "region": setting.regions[number]}
        for key in keys
        for number in open_regions(setting, state, key)
    ]


def deploy_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """A waiting ship must be deployed first if possible; the owner chooses which."""
    return _deployments(setting, state, [afloat.ship for afloat in state.seats[step.seat].waiting])


def deploy_new_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """Shipyard and opening: one of the ships just bought that can be deployed is deployed now."""
    return _deployments(setting, state, state.bought)


def displaced_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """A displaced ship is deployed again by the same rules, its owner choosing; the neutral ship is not."""
    displaced = state.displaced
    assert displaced is not None
    return [] if displaced.owner is None else _deployments(setting, state, (displaced.ship,))


def deploy(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    """A ship enters a region; in a full region the bottom ship is displaced and its owner decides next."""
    key, number = action["ship"], REGIONS.index(action["region"])
    ship, region = setting.ship(key), state.regions[number]
    place = sum(setting.ship(other.ship).year > ship.year for other in region.ships)
    others = region.ships
    follow: tuple[Pending, ...] = ()
    displaced = None
    if len(others) == setting.places[number]:
        bottom, others = others[-1], others[:-1]
        displaced = bottom.ship
        owner = step.seat if bottom.owner is None else bottom.owner
        follow = (Pending("displaced", owner),)
    first = state.displaced is None
    return ShipDeployed(
        seat=step.seat,
        ship=key,
        region=action["region"],
        place=place,
        displaced=displaced,
        riband=action["region"] == NORTH_ATLANTIC and _wins_riband(setting, state, key, others),
        contracts=_contracts(setting, key, others) if setting.president and first else 0,
        then=instead(state, *follow),
    )


def _wins_riband(setting: Setting, state: GameState, key: str, others: tuple[Afloat, ...]) -> bool:
    """A ship strictly faster than all others then in the north atlantic wins a riband, while supply lasts."""
    knots = setting.ship(key).knots
    return state.supply[RIBAND] > 0 and all(setting.ship(other.ship).knots < knots for other in others)


def _contracts(setting: Setting, key: str, others: tuple[Afloat, ...]) -> int:
    """Variant president: one contract each for tonnage, speed and passengers beyond every other ship's there."""
    own, rivals = setting.ship(key), [setting.ship(other.ship) for other in others]
    return (
        all(rival.tonnage < own.tonnage for rival in rivals)
        + all(rival.knots < own.knots for rival in rivals)
        + all(rival.passengers < own.passengers for rival in rivals)
    )


def scrapping(setting: Setting, state: GameState, step: Pending) -> GameFact | None:
    """A displaced ship that can enter nowhere is scrapped, after a last trip if able; Scotia just goes."""
    displaced = state.displaced
    assert displaced is not None
    if displaced_options(setting, state, step):
        return None
    if displaced.owner is None:
        return ShipScrapped(None, displaced.ship, 0, 0, instead(state))
    money = points = 0
    if setting.can_travel(Afloat(displaced.ship, displaced.owner, displaced.coal)):
        money = setting.ship(displaced.ship).income
        points = houses_of(state.regions[displaced.region].houses, displaced.owner)
    return ShipScrapped(displaced.owner, displaced.ship, money, points, instead(state))
