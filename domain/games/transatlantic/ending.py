"""The end of a turn and of the game: scrapped ships, the market's and the display's renewal, rounds, the last round."""

from __future__ import annotations

from domain.chance import Chance
from domain.games.transatlantic.facts import TurnEnded
from domain.games.transatlantic.scoring import ship_points
from domain.games.transatlantic.setting import Setting
from domain.games.transatlantic.setup import opening_turn
from domain.games.transatlantic.state import GameState, Pending, Stack, rows
from domain.games.transatlantic.terms import DISPLAY, LAST_STEAMSHIP, NO_PURCHASE


def end_turn(setting: Setting, state: GameState, seat: int, chance: Chance) -> TurnEnded:
    """A turn's end: scrapped ships are scored first, so by the docks as they were."""
    scored = tuple((key, owner, ship_points(setting, state, owner, key)) for key, owner in state.unscored)
    market, docked, drawn = _renewed_market(setting, state)
    display, discard, turned, pile = _renewed_display(state, chance)
    left = (*(state.market if market is None else market), *state.deck[drawn:])
    completes = seat == (state.start_seat - 1) % setting.seats and state.round > 0
    quiet = (0 if state.purchased else state.quiet + 1) if completes else state.quiet
    final_round, reason = state.final_round, state.reason
    if reason is None:
        reason = _end_in_sight(setting, left, quiet)
        final_round = None if reason is None else state.round + 1
    over = completes and state.round == final_round
    begins = not over and (completes or (state.round == 0 and seat == state.start_seat))
    return TurnEnded(
        seat=seat,
        scored=scored,
        docked=docked,
        market=market,
        drawn=drawn,
        display=display,
        discard=discard,
        turned=turned,
        pile=pile,
        round=state.round + 1 if begins else state.round,
        quiet=quiet,
        final_round=final_round,
        reason=reason,
        then=() if over else rows(_next_turn(setting, state, seat)),
    )


def _next_turn(setting: Setting, state: GameState, seat: int) -> Stack:
    """Clockwise from the start player; in the opening the other way round, ending with it."""
    if state.round == 0 and seat != state.start_seat:
        return opening_turn((seat - 1) % setting.seats)
    following = state.start_seat if state.round == 0 else (seat + 1) % setting.seats
    return (Pending("play", following),)


def _renewed_market(setting: Setting, state: GameState) -> tuple[tuple[str, ...] | None, str | None, int]:
    """Renewal: after a ship's purchase the leftmost ship goes to the docks; then close up and refill."""
    if not state.bought and not state.bought_headquarters:
        return None, None, 0
    left = [key for key in state.market if key is not None]
    docked = next((key for key in left if key in setting.steamships), None) if state.bought else None
    if docked is not None:
        left.remove(docked)
    drawn = min(len(state.deck), len(state.market) - len(left))
    return (*left, *state.deck[:drawn]), docked, drawn


def _renewed_display(
    state: GameState, chance: Chance
) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None, tuple[str, ...], tuple[str, ...] | None]:
    """Director, last step: the leftmost card to the discard, slide, refill to five different ones.

    Returns the display and the discard afterwards, the cards turned up, and the pile that is left
    if the discard was shuffled into a new one.
    """
    if not state.took_card:
        return None, None, (), None
    display, discard = list(state.display[1:]), [*state.discard, *state.display[:1]]
    pile, turned, shuffled = list(state.pile), [], False
    while len(display) < DISPLAY and not set(display).issuperset(pile + discard):
        if not pile:
            pile, discard, shuffled = list(chance.shuffled(discard)), [], True
        card = pile.pop(0)
        turned.append(card)
        (discard if card in display else display).append(card)
    return tuple(display), tuple(discard), tuple(turned), tuple(pile) if shuffled else None


def _end_in_sight(setting: Setting, left: tuple[str | None, ...], quiet: int) -> str | None:
    """The last steamship has left market and deck, or nobody has bought anything for many rounds."""
    if not any(key in setting.steamships for key in left):
        return LAST_STEAMSHIP
    return NO_PURCHASE if quiet >= setting.edition.rounds_without_purchase else None
