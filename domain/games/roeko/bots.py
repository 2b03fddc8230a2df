"""The bots of R-Öko: `random`, and `automa`, which weighs each action one turn ahead.

A bot sees its seat's view and, where the table keeps it, the memory's knowledge; never the state.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from domain.bots import random_bot
from domain.game import Action, Bot, Position
from domain.games.roeko.scoring import counted
from domain.games.roeko.state import HAND_LIMIT, KINDS, MATERIALS

Cards = Mapping[str, int]

ICONS_FOR_REWARD = 4
SINGLE_WORTH, DOUBLE_WORTH = 0.35, 0.75
"""What a card in hand promises, in points, beside the set it belongs to."""
SET_SHARE = 0.55
"""Share of a material's next reward that a hand complete for it is credited with, less when icons are missing."""
FIRST_CARD = 0.5
"""Share of the rewards still to come that a first reward card of a material is credited with."""
DISPOSAL = 1.4
"""What one disposed card costs: its point, and a little for the room it shows to be missing."""
GIFT = 0.45
"""Share of a reward put within reach of the next seat that counts as lost."""


def automa(position: Position, rng: Random, /) -> Action:
    """The best action by `value_of`, ties broken by their order: deterministic, it draws nothing from `rng`."""
    if len(position.actions) == 1:
        return position.actions[0]
    return max(position.actions, key=lambda action: value_of(position, action))


def value_of(position: Position, action: Action) -> float:
    """What an action is worth to the seat, in points."""
    if action["type"] == "deliver":
        return _delivery_value(position, action)
    if action["type"] == "dispose":
        return hand_value(position, _without(_own_hand(position), action["cards"]))
    return 0.0


def _delivery_value(position: Position, action: Action) -> float:
    """A reward's worth, the hand it leaves, what must be disposed of and what it opens to the next seat."""
    material = action["material"]
    factory = position.state["factories"][material]
    icons = factory["icons"] + action["singles"] + 2 * action["doubles"]
    spent = {f"{material}1": action["singles"], f"{material}2": action["doubles"]}
    hand: Cards = _with(_without(_own_hand(position), spent), factory["dump"])
    value = 0.0
    if icons >= ICONS_FOR_REWARD:
        value += reward_worth(position, position.seat, material)
        value += _ending(position, factory)
    else:
        value -= GIFT * _gift(position, material, icons)
    excess = sum(hand.values()) - HAND_LIMIT
    if excess > 0:
        value -= DISPOSAL * excess + _clean_bonus_lost(position)
        hand = _kept(position, hand, excess)
    return value + hand_value(position, hand)


def hand_value(position: Position, hand: Cards) -> float:
    """What the cards in a hand promise: more the nearer a material's set is to its next reward."""
    return sum(_material_value(position, material, hand) for material in MATERIALS)


def _material_value(position: Position, material: str, hand: Cards) -> float:
    singles, doubles = hand.get(f"{material}1", 0), hand.get(f"{material}2", 0)
    icons = singles + 2 * doubles
    if not icons:
        return 0.0
    missing = max(0, ICONS_FOR_REWARD - icons - position.state["factories"][material]["icons"])
    nearness = (1.0, 0.45, 0.2, 0.08)[min(missing, 3)]
    promised = max(0.0, reward_worth(position, position.seat, material))
    return SINGLE_WORTH * singles + DOUBLE_WORTH * doubles + SET_SHARE * nearness * promised


def reward_worth(position: Position, seat: int, material: str) -> float:
    """What the next reward of a material is worth to a seat, the two-cards rule and later rewards considered."""
    stack = position.state["factories"][material]["rewards"]
    won = position.state["seats"][seat]["rewards"].get(material, [])
    if not stack:
        return 0.0
    gain = float(counted([*won, stack[0]]) - counted(won))
    if won:
        return gain
    best_to_come = max([stack[0] + later for later in stack[1:]], default=0)
    return FIRST_CARD * max(0, best_to_come)


def _gift(position: Position, material: str, icons: int) -> float:
    """The next reward's worth to the next seat, by how surely it can complete what lies there."""
    follower = (position.seat + 1) % position.seats
    reach = _reach(position, follower, material, ICONS_FOR_REWARD - icons)
    return reach * max(0.0, reward_worth(position, follower, material))


def _reach(position: Position, seat: int, material: str, needed: int) -> float:
    """How surely a seat can deliver so many icons: 1 if proved, 0 if excluded, between the two a guess."""
    if position.knowledge is None:
        return (1.0, 0.7, 0.4, 0.2)[min(needed - 1, 3)]
    known = position.knowledge["hands"][seat]
    size = position.state["seats"][seat]["hand_size"]
    if _icons(known["guaranteed"], material, size) >= needed:
        return 1.0
    if _icons(known["possible"], material, size) < needed:
        return 0.0
    return (0.6, 0.4, 0.25, 0.15)[min(needed - 1, 3)]


def _icons(cards: Cards, material: str, size: int) -> int:
    """Most icons of a material among so many cards."""
    doubles = min(cards.get(f"{material}2", 0), size)
    return 2 * doubles + min(cards.get(f"{material}1", 0), size - doubles)


def _ending(position: Position, factory: Mapping[str, Any]) -> float:
    """What ending the game with a factory's last reward brings: good when ahead, bad when behind."""
    if len(factory["rewards"]) > 1:
        return 0.0
    points = [_points(seat) for seat in position.state["seats"]]
    lead = points[position.seat] + factory["rewards"][0]
    lead -= max(points[seat] for seat in range(position.seats) if seat != position.seat)
    return 6.0 if lead > 0 else -6.0


def _points(seat: Mapping[str, Any]) -> int:
    """Points as they stand, the clean bonus left out."""
    points: int = sum(counted(values) for values in seat["rewards"].values()) - seat["illegal"]
    return points


def _clean_bonus_lost(position: Position) -> float:
    """The clean bonus that a first disposal throws away."""
    if position.state["seats"][position.seat]["illegal"]:
        return 0.0
    return 4.0 if position.seats == 2 else 2.0


def _kept(position: Position, hand: Cards, excess: int) -> Cards:
    """The hand after the disposals that cost its promise least, one card at a time."""
    for _ in range(excess):
        hand = max(
            (_without(hand, {kind: 1}) for kind in KINDS if hand.get(kind)),
            key=lambda left: hand_value(position, left),
        )
    return hand


def _own_hand(position: Position) -> Cards:
    hand: Cards = position.state["seats"][position.seat]["hand"]
    return hand


def _with(some: Cards, more: Cards) -> dict[str, int]:
    return {kind: some.get(kind, 0) + more.get(kind, 0) for kind in KINDS}


def _without(some: Cards, less: Cards) -> dict[str, int]:
    return {kind: some.get(kind, 0) - less.get(kind, 0) for kind in KINDS}


BOTS: Mapping[str, Bot] = {"random": random_bot, "automa": automa}
