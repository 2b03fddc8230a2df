"""Travelling: which ships a card lets travel, what they earn. Region cards take all ships of a region along."""

from __future__ import annotations

from domain.game import Action
from domain.games.transatlantic.buying import DONE
from domain.games.transatlantic.edition import Ship
from domain.games.transatlantic.facts import GameFact, ModeChosen, RegionTravelled, ShipTravelled
from domain.games.transatlantic.setting import Setting, houses_of, instead
from domain.games.transatlantic.state import GameState, Pending
from domain.games.transatlantic.terms import REGIONS, RIBAND

LIMITS = {"transport": 2, "transport_plus": 3, "cargo": 1, "cruise": 1}
"""Ships that may travel by a card. Blue_riband: as many as ribands; global: one a region, or one a flag."""

NO_LIMIT = 99
"""Global: as many as there are regions or flags; the modes see to it."""

MUST = ("cargo", "cruise")
"""Cards that must travel if a ship can; the others let travel "up to" so many."""

BY_REGION, BY_FLAG = "regions", "flags"
"""The two modes of global."""

CRUISE_FARE, CRUISE_PASSENGERS = 10, 100
"""Cruise: £10 for each 100 passengers."""


def earnings(setting: Setting, ship: Ship, by: str) -> int:
    """What a travelling ship takes: its income; cargo by tonnage, cruise by passengers instead."""
    if by == "cargo":
        base, per_thousand, most = setting.edition.cargo
        return min(most, base + per_thousand * (ship.tonnage // 1000))
    if by == "cruise":
        return CRUISE_FARE * (ship.passengers // CRUISE_PASSENGERS)
    return ship.income


def limit(state: GameState, step: Pending) -> int:
    """How many ships may travel in this action."""
    if step.word == "blue_riband":
        return 1 + state.seats[step.seat].markers[RIBAND]
    return LIMITS.get(step.word, NO_LIMIT)


def travellers(setting: Setting, state: GameState, step: Pending) -> list[str]:
    """The own ships that can travel next: each at most once an action; global one a region or a flag."""
    if len(step.names) >= limit(state, step):
        return []
    flags = {setting.ship(key).flag for key in step.names} if step.word == BY_FLAG else set()
    found = []
    for region in state.regions:
        if step.word == BY_REGION and any(afloat.ship in step.names for afloat in region.ships):
            continue
        for afloat in region.ships:
            if afloat.owner != step.seat or afloat.ship in step.names or not setting.can_travel(afloat):
                continue
            if step.word == BY_FLAG and not _new_flag(setting, afloat.ship, flags):
                continue
            found.append(afloat.ship)
    return found


def _new_flag(setting: Setting, key: str, flags: set[str]) -> bool:
    return key in setting.steamships and setting.ship(key).flag not in flags


def travel_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    options: list[Action] = [{"type": "travel", "ship": key} for key in travellers(setting, state, step)]
    if options and step.word not in MUST:
        options.append(DONE)
    return options


def travel(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    """One ship travels: a coal less, its earnings, and a point for each own house in its region."""
    key = action["ship"]
    region = next(region for region in state.regions if any(afloat.ship == key for afloat in region.ships))
    return ShipTravelled(
        seat=step.seat,
        ship=key,
        money=earnings(setting, setting.ship(key), step.word),
        points=houses_of(region.houses, step.seat),
        then=instead(state, Pending("travel", step.seat, word=step.word, names=(*step.names, key))),
    )


def region_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """Region: any region, also one where nothing can travel."""
    return [{"type": "choose_region", "region": name} for name in setting.regions]


def travel_region(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    """Region: every ship there that can travel does; the card's player also gets the oldest foreign one's income."""
    region = state.regions[REGIONS.index(action["region"])]
    travelling = [afloat for afloat in region.ships if setting.can_travel(afloat)]
    money, points = [0] * setting.seats, [0] * setting.seats
    for afloat in travelling:
        if afloat.owner is not None:
            money[afloat.owner] += setting.ship(afloat.ship).income
            points[afloat.owner] += houses_of(region.houses, afloat.owner)
    foreign = [afloat.ship for afloat in travelling if afloat.owner != step.seat]
    bonus = setting.ship(foreign[-1]).income if foreign else 0
    money[step.seat] += bonus
    return RegionTravelled(
        seat=step.seat,
        region=action["region"],
        ships=tuple(afloat.ship for afloat in travelling),
        money=tuple(money),
        points=tuple(points),
        bonus=bonus,
        then=instead(state),
    )


def mode_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """Global: one own ship in each region, or one own steamship of each flag; a mode nobody could use is left out."""
    return [
        {"type": "choose_mode", "mode": mode}
        for mode in (BY_REGION, BY_FLAG)
        if travellers(setting, state, Pending("travel", step.seat, word=mode))
    ]


def choose_mode(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    mode = action["mode"]
    return ModeChosen(step.seat, mode, instead(state, Pending("travel", step.seat, word=mode)))
