"""Buying: what the market asks, and what a purchase brings. Renewal is in `ending.py`."""

from __future__ import annotations

from domain.game import Action
from domain.games.transatlantic.facts import CoalLoaded, GameFact, HeadquartersBought, ShipBought
from domain.games.transatlantic.setting import Setting, instead
from domain.games.transatlantic.state import GameState, Pending
from domain.games.transatlantic.terms import HEADQUARTERS

PURCHASES = 2
"""Shipyard: up to two purchases, of which at most one headquarters."""

DONE: Action = {"type": "done"}


def cost(setting: Setting, state: GameState, slot: int) -> int:
    """Price and slot cost of what lies in a slot; variant market: no slot costs."""
    key = state.market[slot]
    assert key is not None
    return setting.ship(key).price + (0 if setting.market else setting.edition.slot_costs[slot])


def coal_of(setting: Setting, slot: int) -> int:
    """A bought ship carries one coal; variant market: only those of the three left slots do."""
    return 0 if setting.market and slot >= len(setting.edition.slot_costs) // 2 else 1


def is_headquarters(setting: Setting, key: str) -> bool:
    return setting.ship(key).kind == HEADQUARTERS


def purchases(state: GameState) -> int:
    return len(state.bought) + int(state.bought_headquarters)


def affordable(setting: Setting, state: GameState, seat: int) -> list[int]:
    """The slots whose ship or headquarters the seat can pay and has a captain for."""
    own = state.seats[seat]
    if not own.captains:
        return []
    return [
        slot
        for slot, key in enumerate(state.market)
        if key is not None
        and cost(setting, state, slot) <= own.money
        and not (state.bought_headquarters and is_headquarters(setting, key))
    ]


def opening_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """Setup: each seat must buy one steamship."""
    slots = affordable(setting, state, step.seat)
    return [_buy(slot) for slot in slots if state.market[slot] in setting.steamships]


def buy_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """Shipyard: one or two ships, or one headquarters, or one of each; or none."""
    if purchases(state) == PURCHASES:
        return []
    return [*(_buy(slot) for slot in affordable(setting, state, step.seat)), DONE]


def _buy(slot: int) -> Action:
    return {"type": "buy", "slot": slot}


def buy_in_opening(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    return _bought(setting, state, step, action["slot"], (Pending("deploy_new", step.seat),))


def buy(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    return _bought(setting, state, step, action["slot"], (step,))


def _bought(setting: Setting, state: GameState, step: Pending, slot: int, follow: tuple[Pending, ...]) -> GameFact:
    key, paid, then = state.market[slot], cost(setting, state, slot), instead(state, *follow)
    assert key is not None
    if is_headquarters(setting, key):
        return HeadquartersBought(step.seat, slot, key, paid, then)
    return ShipBought(step.seat, slot, key, paid, coal_of(setting, slot), then)


def extra_coal_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """Shipyard_plus: one extra coal on one of the ships just bought."""
    return [{"type": "coal", "ship": key} for key in state.bought]


def load_extra_coal(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    return CoalLoaded(step.seat, action["ship"], instead(state))
