"""Coal, markers and houses: the cards coal and invest in both versions, and the markers of director and president."""

from __future__ import annotations

from domain.game import Action
from domain.games.transatlantic.buying import DONE
from domain.games.transatlantic.facts import CoalLoaded, ContractsSold, GameFact, HouseBuilt, MarkerTaken
from domain.games.transatlantic.setting import Setting, houses_of, instead, own_steamships
from domain.games.transatlantic.state import GameState, Pending
from domain.games.transatlantic.terms import CHOICE, GOODS, HOUSES_A_REGION, KINDS, MAX_COAL, REGIONS

EVENLY, FREELY, ONE_EACH = "evenly", "freely", "one_each"
"""Ways to load: coal, coal_plus and invest_plus, invest's bunker."""

BUNKER_COAL = 2
"""Coal that comes with a bunker of invest and invest_plus."""

MARKER_PRICE, PAIR_PRICE = 50, 100
"""Pounds: invest (b) and (c); the two markers of invest_plus."""

CONTRACTS_A_MARKER, CONTRACT_PRICE = 3, 20
"""President: three contracts for a marker, £20 for each that is left."""

KINDS_OF = {"goods": GOODS, "any": CHOICE}


# Coal


def coal_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """Own steamships in regions with room: those with the fewest coal, or any, or each only once."""
    ships = [afloat for afloat in own_steamships(setting, state, step.seat) if afloat.coal < MAX_COAL]
    if step.word == EVENLY and ships:
        fewest = min(afloat.coal for afloat in ships)
        ships = [afloat for afloat in ships if afloat.coal == fewest]
    return [{"type": "coal", "ship": afloat.ship} for afloat in ships if afloat.ship not in step.names]


def load_coal(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    names = (*step.names, action["ship"]) if step.word == ONE_EACH else ()
    more = (Pending("coal", step.seat, step.count - 1, step.word, names),) if step.count > 1 else ()
    return CoalLoaded(step.seat, action["ship"], instead(state, *more))


# Markers


def _in_supply(state: GameState, kinds: tuple[str, ...], taken: tuple[str, ...] = ()) -> list[str]:
    """Markers that can be chosen: different ones, while supply lasts."""
    return [kind for kind in kinds if kind not in taken and state.supply[KINDS.index(kind)] > 0]


def _markers(kinds: list[str]) -> list[Action]:
    return [{"type": "marker", "kind": kind} for kind in kinds]


def marker_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """Free markers: of a house, of director."""
    return _markers(_in_supply(state, KINDS_OF[step.word], step.names))


def take_marker(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    kind = action["kind"]
    names = (*step.names, kind)
    more = (Pending("marker", step.seat, step.count - 1, step.word, names),) if step.count > 1 else ()
    return MarkerTaken(step.seat, kind, 0, 0, instead(state, *more))


def contract_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """President: per three contracts one marker may be taken, all different."""
    if state.seats[step.seat].contracts < CONTRACTS_A_MARKER:
        return []
    return [*_markers(_in_supply(state, CHOICE, step.names)), DONE]


def take_for_contracts(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    kind = action["kind"]
    again = Pending("contracts", step.seat, word=step.word, names=(*step.names, kind))
    return MarkerTaken(step.seat, kind, 0, CONTRACTS_A_MARKER, instead(state, again))


def selling(setting: Setting, state: GameState, step: Pending) -> GameFact | None:
    """President: the contracts that are left are sold."""
    left = state.seats[step.seat].contracts
    return ContractsSold(step.seat, left, CONTRACT_PRICE * left, instead(state)) if left else None


# Houses


def house_regions(setting: Setting, state: GameState, seat: int, money: int) -> list[Action]:
    """Regions with an own ship, a free place within the means, and at most one own house so far."""
    if not state.seats[seat].houses:
        return []
    return [
        {"type": "house", "region": setting.regions[number]}
        for number, region in enumerate(state.regions)
        if any(afloat.owner == seat for afloat in region.ships)
        and houses_of(region.houses, seat) < HOUSES_A_REGION
        and (price := house_price(setting, state, number)) is not None
        and price <= money
    ]


def house_price(setting: Setting, state: GameState, number: int) -> int | None:
    """The price of the cheapest free place; None if all are taken."""
    prices, taken = setting.house_prices[number], len(state.regions[number].houses)
    return prices[taken] if taken < len(prices) else None


# Invest


def invest_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """Invest: (a) a house, (b) a bunker, (c) a marker of goods, or nothing."""
    money = state.seats[step.seat].money
    markers = _in_supply(state, CHOICE) if money >= MARKER_PRICE else []
    return [*house_regions(setting, state, step.seat, money), *_markers(markers), DONE]


def invest(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    """Invest: a house brings a goods marker; a bunker one coal each for two different steamships."""
    if action["type"] == "house":
        price = house_price(setting, state, REGIONS.index(action["region"]))
        assert price is not None
        free = Pending("marker", step.seat, 1, "goods")
        return HouseBuilt(step.seat, action["region"], price, instead(state, free))
    coal = Pending("coal", step.seat, BUNKER_COAL, ONE_EACH)
    follow = (coal,) if action["kind"] == "bunker" else ()
    return MarkerTaken(step.seat, action["kind"], MARKER_PRICE, 0, instead(state, *follow))


def pair_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """Invest_plus: £100 for two different markers."""
    if not step.names and state.seats[step.seat].money < PAIR_PRICE:
        return []
    return _markers(_in_supply(state, CHOICE, step.names))


def take_pair(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    """Invest_plus: the first marker costs it all; fewer kinds left: what there is."""
    kind = action["kind"]
    names = (*step.names, kind)
    if not step.names and _in_supply(state, CHOICE, names):
        return MarkerTaken(step.seat, kind, PAIR_PRICE, 0, instead(state, Pending("pair", step.seat, names=names)))
    bonus = Pending("bonus", step.seat, word="bunker" if "bunker" in names else "")
    return MarkerTaken(step.seat, kind, 0 if step.names else PAIR_PRICE, 0, instead(state, bonus))


def bonus_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """Invest_plus: then, if wanted and free, a house, or two coal if one of the markers is a bunker."""
    coal = Pending("coal", step.seat, BUNKER_COAL, FREELY)
    loads = coal_options(setting, state, coal) if step.word == "bunker" else []
    houses = house_regions(setting, state, step.seat, max(map(max, setting.house_prices)))
    return [*houses, *loads, DONE]


def take_bonus(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    if action["type"] == "house":
        return HouseBuilt(step.seat, action["region"], 0, instead(state))
    return load_coal(setting, state, Pending("coal", step.seat, BUNKER_COAL, FREELY), action)
