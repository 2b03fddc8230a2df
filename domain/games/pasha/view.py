"""What a viewer sees of a game of Pasha, as JSON: allow-lists for the state and for each fact.

Hidden are hands of others, every stack (its owner's too) and the order of the tiles; all else is public.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from domain.game import Viewer
from domain.games.pasha import scoring
from domain.games.pasha.facts import (
    CardPlayed,
    DiceRestarted,
    DiceRethrown,
    DiceThrown,
    DieAdjusted,
    GameSetUp,
    JetonPlaced,
    RoundAwarded,
    RoundStarted,
    ThrowingStopped,
    TurnEnded,
)
from domain.games.pasha.state import Jeton, PashaState, Seat, Tile

_SHOWN_PHASE = {"awarded": "placed"}
"""The award is no phase that waits for a seat: a finished game stays in its last turn's."""


def view(state: PashaState, viewer: Viewer) -> dict[str, Any]:
    """The state for one viewer (View)."""
    return {
        "round": state.round,
        "start_seat": state.start_seat,
        "phase": _SHOWN_PHASE.get(state.phase, state.phase),
        "dice": None if state.dice is None else list(state.dice),
        "throws_left": state.throws_left,
        "tiles": {str(column): list(tiles) for column, tiles in enumerate(state.lying, start=1) if tiles},
        "tiles_left": _tiles(sorted(state.face_down)),
        "seats": [_seat(seat, viewer == number) for number, seat in enumerate(state.seats)],
    }


def _seat(seat: Seat, own: bool) -> dict[str, Any]:
    return {
        "hand": list(seat.hand) if own else None,
        "hand_size": len(seat.hand),
        "stacks": len(seat.stacks),
        "played": seat.played,
        "stones": seat.stones,
        "jeton": _jeton(seat.jeton),
        "won": {"cards": list(seat.won_cards), "tiles": _tiles(seat.won_tiles)},
        "points_if_scored_now": scoring.points(seat),
    }


def _jeton(jeton: Jeton | None) -> dict[str, Any] | None:
    if jeton is None:
        return None
    return {"row": jeton.row, "column": jeton.column, "level": jeton.level}


def _tiles(tiles: Iterable[Tile]) -> list[dict[str, int]]:
    return [{"die": die, "points": points} for die, points in tiles]


def fact_view(fact: Any, viewer: Viewer) -> dict[str, Any]:
    """A fact's fields for one viewer; what is hidden from it is null."""
    return _FACT_VIEWS[type(fact)](fact, viewer)


def _set_up(fact: GameSetUp, viewer: Viewer) -> dict[str, Any]:
    return {
        "start_seat": fact.start_seat,
        "stacks": [_own_hand(stacks, viewer == number) for number, stacks in enumerate(fact.stacks)],
        "tiles": _tiles(sorted(fact.tiles)),
        "stones": fact.stones,
    }


def _own_hand(stacks: Sequence[tuple[int, ...]], own: bool) -> list[list[int] | None]:
    hand, *face_down = stacks
    return [sorted(hand) if own else None, *(None for _ in face_down)]


def _card_played(fact: CardPlayed, viewer: Viewer) -> dict[str, Any]:
    hidden = bool(fact.taken) and viewer != fact.seat
    return {
        "seat": fact.seat,
        "value": fact.value,
        "taken": None if hidden else sorted(fact.taken),
        "throws": fact.throws,
        "restart": fact.restart,
    }


def _awarded(fact: RoundAwarded, viewer: Viewer) -> dict[str, Any]:
    return {
        "seat": fact.seat,
        "order": list(fact.order),
        "cards": [list(cards) for cards in fact.cards],
        "tiles": [_tiles(tiles) for tiles in fact.tiles],
    }


def _public(*names: str) -> Callable[[Any, Viewer], dict[str, Any]]:
    """A view of the named fields, the same for everyone."""

    def shown(fact: Any, viewer: Viewer) -> dict[str, Any]:
        values = {name: getattr(fact, name) for name in names}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    return shown


_FACT_VIEWS: Mapping[type, Callable[[Any, Viewer], dict[str, Any]]] = {
    GameSetUp: _set_up,
    RoundStarted: _public("round", "start_seat", "die", "points"),
    CardPlayed: _card_played,
    DiceThrown: _public("seat", "kept", "thrown", "throws_left"),
    DiceRestarted: _public("seat", "thrown", "throws_left"),
    ThrowingStopped: _public("seat"),
    DiceRethrown: _public("seat", "kept", "thrown", "stones"),
    DieAdjusted: _public("seat", "before", "after", "stones"),
    JetonPlaced: _public("seat", "row", "column", "level"),
    TurnEnded: _public("seat", "next_seat"),
    RoundAwarded: _awarded,
}
