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
    display, pile, pile_a, discard = _display(setting, chance)
    slots = len(edition.slot_costs)
    return GameSetUp(
        start_seat=start_seat,
        sailing=sailing,
        market=ships[:slots],
        deck=ships[slots:],
        out=out,
        display=display,
        pile=pile,
        pile_a=pile_a,
        discard=discard,
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


def _display(setting: Setting, chance: Chance) -> tuple[tuple[str, ...], tuple[str, ...], int, tuple[str, ...]]:
    """Set A on top of set B, each shuffled; five cards laid out, all different."""
    set_a, set_b = (chance.shuffled(cards) for cards in setting.edition.extension_sets)
    pile = set_a + set_b
    display: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    turned = 0
    while len(display) < DISPLAY and turned < len(pile):
        card = pile[turned]
        turned += 1
        display, discard = (display, (*discard, card)) if card in display else ((*display, card), discard)
    return display, pile[turned:], max(0, len(set_a) - turned), discard


def opening_turn(seat: int) -> tuple[Pending, ...]:
    """Setup, last paragraph: in reverse turn order each seat buys one steamship, deploys it and ends its turn."""
    return (Pending("end", seat), Pending("opening", seat))
