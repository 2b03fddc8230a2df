"""Cards: what may be played, and which steps each card's action is made of."""

from __future__ import annotations

from collections.abc import Callable

from domain.game import Action
from domain.games.transatlantic.buying import DONE
from domain.games.transatlantic.facts import CardCopied, CardPlayed, CardsTakenBack, CardTaken, GameFact, TileSpent
from domain.games.transatlantic.loading import EVENLY, FREELY
from domain.games.transatlantic.setting import Setting, instead
from domain.games.transatlantic.state import GameState, Pending
from domain.games.transatlantic.terms import AGENT, BUNKER, DIRECTOR, PRESIDENT

CARDS_NEEDED = {DIRECTOR: 4, PRESIDENT: 5}
"""Played cards, this one included, without which the card can't be played."""

DIRECTOR_MARKERS = ((8, 2), (6, 1))
"""Director: from so many cards, so many markers."""

FLEET_POINTS, TRADE_MONEY = 2, 50

Steps = tuple[Pending, ...]


def _shipyard(state: GameState, seat: int) -> Steps:
    return (Pending("buy", seat), Pending("deploy_new", seat))


def _shipyard_plus(state: GameState, seat: int) -> Steps:
    return (Pending("buy", seat), Pending("extra_coal", seat), Pending("deploy_new", seat))


def _travel(card: str) -> Callable[[GameState, int], Steps]:
    return lambda state, seat: (Pending("deploy", seat), Pending("travel", seat, word=card))


def _region(state: GameState, seat: int) -> Steps:
    return (Pending("deploy", seat), Pending("region", seat))


def _global(state: GameState, seat: int) -> Steps:
    return (Pending("deploy", seat), Pending("mode", seat))


def _coal(extra: int, way: str) -> Callable[[GameState, int], Steps]:
    """Bunkers, the printed one counts, and some more."""
    return lambda state, seat: (Pending("coal", seat, 1 + state.seats[seat].markers[BUNKER] + extra, way),)


def _step(what: str) -> Callable[[GameState, int], Steps]:
    return lambda state, seat: (Pending(what, seat),)


STEPS_OF: dict[str, Callable[[GameState, int], Steps]] = {
    "shipyard": _shipyard,
    "shipyard_plus": _shipyard_plus,
    "transport": _travel("transport"),
    "transport_plus": _travel("transport_plus"),
    "region": _region,
    "cargo": _travel("cargo"),
    "cruise": _travel("cruise"),
    "global": _global,
    "blue_riband": _travel("blue_riband"),
    "coal": _coal(2, EVENLY),
    "coal_plus": _coal(3, FREELY),
    AGENT: _step("copy"),
    "invest": _step("invest"),
    "invest_plus": _step("pair"),
}
"""Card → its steps in order. Trade and fleet have none: they pay at once."""


def _steps(state: GameState, seat: int, card: str) -> Steps:
    return STEPS_OF[card](state, seat) if card in STEPS_OF else ()


def gain(setting: Setting, state: GameState, seat: int, card: str) -> tuple[int, int]:
    """Pounds and points that a card brings at once."""
    if card == "trade":
        return TRADE_MONEY * sum(region.houses.count(seat) for region in state.regions), 0
    if card == "fleet":
        return 0, FLEET_POINTS * len(flags_of(setting, state, seat))
    return 0, 0


def flags_of(setting: Setting, state: GameState, seat: int) -> set[str]:
    """The flags among a seat's ships, waiting ones included, headquarters not."""
    ships = [afloat.ship for region in state.regions for afloat in region.ships if afloat.owner == seat]
    ships += [afloat.ship for afloat in state.seats[seat].waiting]
    return {setting.ship(key).flag for key in ships} - {""}


# A turn


def play_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """Any hand card; director and president need their number of cards; or, once, the tile for a display card."""
    own = state.seats[step.seat]
    played = len(own.stack) + 1
    options: list[Action] = [
        {"type": "play", "card": card} for card in dict.fromkeys(own.hand) if played >= CARDS_NEEDED.get(card, 0)
    ]
    if own.tile:
        options += [{"type": "tile", "card": card} for card in state.display]
    return options


def play(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    card, end = action["card"], Pending("end", step.seat)
    if card in CARDS_NEEDED:
        return _take_back(state, step.seat, card)
    then = instead(state, *_steps(state, step.seat, card), end)
    made = TileSpent if action["type"] == "tile" else CardPlayed
    return made(step.seat, card, *gain(setting, state, step.seat, card), then)


def _take_back(state: GameState, seat: int, card: str) -> GameFact:
    """Director and president: all played cards come back, markers may follow, then a display card is chosen."""
    cards = len(state.seats[seat].stack) + 1
    steps: Steps
    if card == DIRECTOR:
        markers = next((markers for least, markers in DIRECTOR_MARKERS if cards >= least), 0)
        steps = (Pending("marker", seat, markers, "any"),) if markers else ()
    else:
        steps = (Pending("contracts", seat), Pending("sale", seat))
    return CardsTakenBack(seat, card, cards, instead(state, *steps, Pending("card", seat), Pending("end", seat)))


def display_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """Director and president: a display card; with an empty display they end before."""
    return [{"type": "take_card", "card": card} for card in state.display]


def take_card(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    card = action["card"]
    then = instead(state, *_steps(state, step.seat, card))
    return CardTaken(step.seat, card, *gain(setting, state, step.seat, card), then)


def copy_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    """Agent: the top card of another seat's stack, not an agent, or nothing."""
    options: list[Action] = [
        {"type": "copy", "seat": seat}
        for seat, other in enumerate(state.seats)
        if seat != step.seat and other.stack and other.stack[-1] != AGENT
    ]
    return [*options, DONE]


def copy_card(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    card = state.seats[action["seat"]].stack[-1]
    then = instead(state, *_steps(state, step.seat, card))
    return CardCopied(step.seat, action["seat"], card, *gain(setting, state, step.seat, card), then)
