"""Setup: regions, decks, sailing ships, display and the order of the opening purchases."""

from __future__ import annotations

from domain.chance import Chance
from domain.games.transatlantic.facts import GameSetUp
from domain.games.transatlantic.setting import Setting
from domain.games.transatlantic.state import Pending, rows
from domain.games.transatlantic.terms import DISPLAY, HEADQUARTERS, SAILING


def set_up(setting: Setting, start_seat: int | None, chance: Chance) -> GameSetUp:
    """Setup. Without a given start seat the owner of the oldest sailing ship begins."""
    edition = setting.edition
    sailing = chance.shuffled([ship.key for ship in edition.of_kind(SAILING)])[: setting.seats]
    if start_seat is None:
        start_seat = min(range(setting.seats), key=lambda seat: edition.ships[sailing[seat]].year)
    ships, out = _decks(setting, chance)
    set_a, set_b = (chance.shuffled(cards) for cards in edition.extension_sets)
    display, discard, turned = _display(set_a + set_b)
    slots = len(edition.slot_costs)
    return GameSetUp(
        start_seat=start_seat,
        sailing=sailing,
        market=ships[:slots],
        deck=ships[slots:],
        out=out,
        display=display,
        pile=(set_a + set_b)[len(turned) :],
        pile_a=max(0, len(set_a) - len(turned)),
        discard=discard,
        turned=turned,
        then=rows(opening_turn((start_seat - 1) % setting.seats)),
    )


def _decks(setting: Setting, chance: Chance) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Steamship decks shuffled each, the first on top, some of each unseen out of the game; headquarters last."""
    deck: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    aside = setting.edition.ships_out[setting.seats]
    for ships in setting.edition.decks:
        shuffled = chance.shuffled(ships)
        deck += shuffled[aside:]
        out += shuffled[:aside]
    return deck + chance.shuffled([ship.key for ship in setting.edition.of_kind(HEADQUARTERS)]), out


def _display(pile: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Display, discard and the cards turned up: five are laid out, all different."""
    display: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    turned = 0
    while len(display) < DISPLAY and turned < len(pile):
        card = pile[turned]
        turned += 1
        display, discard = (display, (*discard, card)) if card in display else ((*display, card), discard)
    return display, discard, pile[:turned]


def opening_turn(seat: int) -> tuple[Pending, ...]:
    """Setup, last paragraph: in reverse turn order each seat buys one steamship, deploys it and ends its turn."""
    return (Pending("end", seat), Pending("opening", seat))
