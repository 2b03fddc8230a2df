"""Refusing what is not legal: the code of the rule and, for the player, what would be right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from domain.game import Action, IllegalAction
from domain.games.transatlantic.buying import cost, is_headquarters
from domain.games.transatlantic.cards import CARDS_NEEDED
from domain.games.transatlantic.setting import Setting
from domain.games.transatlantic.state import GameState, Pending
from domain.games.transatlantic.terms import KINDS, MAX_COAL

FIELDS: dict[str, dict[str, type]] = {
    "play": {"card": str},
    "tile": {"card": str},
    "buy": {"slot": int},
    "deploy": {"ship": str, "region": str},
    "travel": {"ship": str},
    "choose_region": {"region": str},
    "choose_mode": {"mode": str},
    "coal": {"ship": str},
    "marker": {"kind": str},
    "house": {"region": str},
    "copy": {"seat": int},
    "take_card": {"card": str},
    "done": {},
    "end_turn": {},
}
"""Action type → its fields besides `type`."""

Reason = tuple[str, str]


def check(setting: Setting, state: GameState, seat: int, action: Action, legal: Sequence[Action]) -> None:
    """Pass a legal action.

    Raises:
        IllegalAction: for any other; the code names the first rule that it breaks.
    """
    _check_shape(action)
    if action in legal:
        return
    code, message = _reason(setting, state, seat, action, legal)
    raise IllegalAction(f"transatlantic.{code}", message)


def _check_shape(action: Any) -> None:
    """An action has a known type and exactly its fields, each of its JSON type (`true` is no number)."""
    kind = action.get("type") if hasattr(action, "get") else None
    if type(kind) is not str or kind not in FIELDS:
        raise IllegalAction("transatlantic.unknown-action", f"the type of an action is one of {', '.join(FIELDS)}")
    fields = FIELDS[kind]
    if set(action) != {"type", *fields}:
        wanted = ", ".join(fields) or "nothing"
        raise IllegalAction("transatlantic.unknown-action", f"{kind} takes {wanted} besides its type")
    for name, wanted_type in fields.items():
        if type(action[name]) is not wanted_type:
            what = "a text" if wanted_type is str else "a whole number"
            raise IllegalAction("transatlantic.unknown-action", f"{name} must be {what}")


def _reason(setting: Setting, state: GameState, seat: int, action: Action, legal: Sequence[Action]) -> Reason:
    if not legal:
        return "not-your-decision", "this seat has nothing to decide now"
    offered = sorted({option["type"] for option in legal})
    if action["type"] not in offered:
        if action["type"] == "done":
            return "must-choose", f"this is no choice that may be declined; now: {', '.join(offered)}"
        if action["type"] == "tile" and state.pending[-1].what == "play":
            return "tile-spent", "the director tile carries out a display card once a game"
        return "not-now", f"{action['type']} is not what is to be decided; now: {', '.join(offered)}"
    explain = _REASONS.get(action["type"])
    found = explain(setting, state, state.pending[-1], action) if explain else None
    return found or ("not-offered", f"choose one of: {_listed(action, legal)}")


def _listed(action: Action, legal: Sequence[Action]) -> str:
    """The choices of the same type, in short."""
    fields = FIELDS[action["type"]]
    return "; ".join(
        ", ".join(str(option[name]) for name in fields) for option in legal if option["type"] == action["type"]
    )


def _play(setting: Setting, state: GameState, step: Pending, action: Action) -> Reason | None:
    card, own = action["card"], state.seats[step.seat]
    if card not in own.hand:
        return "card-not-in-hand", f"in hand: {', '.join(own.hand)}"
    needed = CARDS_NEEDED[card]
    return "too-few-cards", f"{card} needs {needed} played cards, itself included; now it would be {len(own.stack) + 1}"


def _display(setting: Setting, state: GameState, step: Pending, action: Action) -> Reason | None:
    return "card-not-in-display", f"on display: {', '.join(state.display)}"


def _buy(setting: Setting, state: GameState, step: Pending, action: Action) -> Reason | None:
    slot, own = action["slot"], state.seats[step.seat]
    if not 0 <= slot < len(state.market) or (key := state.market[slot]) is None:
        return "empty-slot", "there is nothing in this slot of the market"
    if is_headquarters(setting, key) and state.bought_headquarters:
        return "one-headquarters", "never two headquarters by one card"
    price = cost(setting, state, slot)
    return "not-enough-money", f"{key} costs £{price}, the seat has £{own.money}"


def _deploy(setting: Setting, state: GameState, step: Pending, action: Action) -> Reason | None:
    if action["region"] not in setting.regions:
        return "unknown-region", f"the regions are {', '.join(setting.regions)}"
    displaced = state.displaced.ship if state.displaced else None
    mine = [displaced] if displaced else [afloat.ship for afloat in state.seats[step.seat].waiting]
    if step.what == "deploy_new":
        mine = list(state.bought)
    if action["ship"] not in mine:
        return "ship-not-waiting", f"to be deployed: {', '.join(map(str, mine))}"
    return (
        "not-the-youngest",
        "a ship enters where it is younger than all others; only if that is nowhere, where a place is empty",
    )


def _travel(setting: Setting, state: GameState, step: Pending, action: Action) -> Reason | None:
    key = action["ship"]
    if key in step.names:
        return "travelled-already", "each ship travels at most once by one action"
    afloat = next((a for region in state.regions for a in region.ships if a.ship == key), None)
    if afloat is None or afloat.owner != step.seat:
        return "not-your-ship", "only own ships in the regions travel by this card"
    if not setting.can_travel(afloat):
        return "no-coal", "a steamship without coal can't travel"
    return "one-each", "global: one ship in each region, or one steamship of each flag"


def _region(setting: Setting, state: GameState, step: Pending, action: Action) -> Reason | None:
    return "unknown-region", f"the regions are {', '.join(setting.regions)}"


def _coal(setting: Setting, state: GameState, step: Pending, action: Action) -> Reason | None:
    key = action["ship"]
    if step.what == "extra_coal":
        return "not-just-bought", f"the extra coal goes on a ship just bought: {', '.join(state.bought)}"
    afloat = next((a for region in state.regions for a in region.ships if a.ship == key), None)
    if afloat is None or afloat.owner != step.seat or key not in setting.steamships:
        return "not-your-steamship", "coal goes on own steamships in the regions"
    if afloat.coal >= MAX_COAL:
        return "ship-full", f"a ship carries at most {MAX_COAL} coal"
    if key in step.names:
        return "different-ships", "one coal each on two different ships"
    return "fewest-first", "each coal goes to one of the own steamships with the fewest"


def _marker(setting: Setting, state: GameState, step: Pending, action: Action) -> Reason | None:
    kind = action["kind"]
    if kind in step.names:
        return "different-markers", "the markers must be different"
    if kind in KINDS and not state.supply[KINDS.index(kind)]:
        return "supply-exhausted", f"no {kind} marker is left"
    return None


def _house(setting: Setting, state: GameState, step: Pending, action: Action) -> Reason | None:
    return "no-house-there", "a house needs an own ship, a free place within the means and at most one own house there"


def _copy(setting: Setting, state: GameState, step: Pending, action: Action) -> Reason | None:
    return "nothing-to-copy", "another seat's top card can be copied, unless it is an agent"


_REASONS: dict[str, Callable[[Setting, GameState, Pending, Action], Reason | None]] = {
    "play": _play,
    "tile": _display,
    "take_card": _display,
    "buy": _buy,
    "deploy": _deploy,
    "travel": _travel,
    "choose_region": _region,
    "coal": _coal,
    "marker": _marker,
    "house": _house,
    "copy": _copy,
}
