"""What each viewer may see of a position and of a fact: allow-lists, field by field.

Waiting areas and face-down tasks are hidden from everybody, their owner included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.game import Viewer
from domain.games.mottainai import facts as f
from domain.games.mottainai.board import helpers_covered, sales_covered
from domain.games.mottainai.cards import CARD, EFFECT, MATERIAL, MATERIALS, WINGS, in_order
from domain.games.mottainai.scoring import breakdown
from domain.games.mottainai.state import Cards, Frame, State, Temple

PHASES = {
    "limit": "morning",
    "old_task": "morning",
    "morning": "morning",
    "choose": "morning",
    "noon": "noon",
    "evening": "evening",
}
SHOWN_FRAMES: Mapping[str, Callable[[Frame], list[str]]] = {
    "fan": lambda frame: list(frame.cards),
    "place": lambda frame: [frame.cards[0]],
}


def view(state: State, viewer: Viewer) -> dict[str, Any]:
    """The state for one viewer; after the end all hands are open."""
    return {
        "deck": len(state.deck),
        "floor": list(state.floor),
        "phase": PHASES[state.frames[0].kind],
        "performing": _performing(state),
        "pending": _pending(state.frames[-1]),
        "round": state.round,
        "extra_turns": state.extra,
        "seats": [_seat(state, seat, viewer) for seat in range(len(state.temples))],
    }


def _performing(state: State) -> dict[str, Any] | None:
    """The task being performed: whose, which, and the actions left; Pin's action is the active seat's."""
    for frame in reversed(state.frames):
        if frame.kind == "perform":
            owner = state.active if frame.other < 0 else frame.other
            return {"seat": owner, "task": frame.name, "left": frame.n}
    return None


def _pending(frame: Frame) -> dict[str, Any]:
    """What is to be decided, and the deck's cards that lie open for it."""
    shown = SHOWN_FRAMES.get(frame.kind)
    return {"decision": frame.kind, "shown": shown(frame) if shown else []}


def _seat(state: State, seat: int, viewer: Viewer) -> dict[str, Any]:
    temple = state.temples[seat]
    is_open = seat == viewer or state.ended is not None
    copies = [EFFECT[token] for token in temple.works if token.startswith("kite=")]
    return {
        "hand": list(temple.hand) if is_open else None,
        "hand_size": len(temple.hand),
        "task": "face_down" if temple.face_down else temple.task,
        "helpers": list(temple.helpers),
        "bench": list(temple.bench),
        "sales": list(temple.sales),
        "gallery": [CARD[token] for token in temple.gallery],
        "gift_shop": [CARD[token] for token in temple.gift_shop],
        "waiting": len(temple.waiting),
        "kite_as": copies[0] if copies else None,
        "kites": [
            {"wing": wing, "as": EFFECT[token]}
            for wing in WINGS
            for token in getattr(temple, wing)
            if token.startswith("kite=")
        ],
        "covered": _covered(temple),
        "points_if_scored_now": breakdown(state, seat, temple.hand if is_open else ())["total"],
    }


def _covered(temple: Temple) -> dict[str, list[str]]:
    """The materials of which there are helpers (sales) and all are covered."""

    def there(cards: Cards) -> list[str]:
        return [m for m in MATERIALS if any(MATERIAL[card] == m for card in cards)]

    return {
        "helpers": [m for m in there(temple.helpers) if helpers_covered(temple, m)],
        "sales": [m for m in there(temple.sales) if sales_covered(temple, m)],
    }


# Facts. A card's own zone decides who saw it: hands their seat, waiting areas nobody, everything else all.


def fact_view(fact: Any, viewer: Viewer) -> dict[str, Any]:
    """A fact's fields for one viewer while the game runs, the acting seat's own unseen draws left out."""
    return SHOWN[type(fact)](fact, viewer)


def faces(cards: Cards) -> list[str]:
    return [CARD[card] for card in cards]


def private(fact: f.CardsReturned) -> bool:
    """Whether a return is seen by its seat alone."""
    return fact.src == "hand"


def _dealt(fact: f.CardsDealt, viewer: Viewer) -> dict[str, Any]:
    return {
        "start_seat": fact.start_seat,
        "hands": [list(in_order(hand)) if seat == viewer else None for seat, hand in enumerate(fact.hands)],
        "floor": list(fact.floor),
        "deck": len(fact.deck),
    }


def _drawn(fact: f.CardsDrawn, viewer: Viewer) -> dict[str, Any]:
    return {"seat": fact.seat, "by": fact.by, "count": len(fact.cards)}


def _returned(fact: f.CardsReturned, viewer: Viewer) -> dict[str, Any]:
    hidden = private(fact) and viewer != fact.seat
    return {
        "seat": fact.seat,
        "by": fact.by,
        "from": fact.src,
        "count": len(fact.cards),
        "cards": None if hidden else faces(fact.cards),
    }


def _moved(fact: f.CardsMoved, viewer: Viewer) -> dict[str, Any]:
    return {
        "seat": fact.seat,
        "by": fact.by,
        "cards": faces(fact.cards),
        "from": fact.src,
        "from_seat": None if fact.src in ("floor", "deck") else fact.whose,
        "into": fact.dst,
        "into_seat": None if fact.dst == "floor" else fact.to,
    }


def _exchanged(fact: f.HandsExchanged, viewer: Viewer) -> dict[str, Any]:
    """Each hand is known to who held it; the one that is given also to who holds it now."""
    return {
        "seat": fact.seat,
        "other": fact.other,
        "given": list(fact.given) if viewer in (fact.seat, fact.other) else None,
        "given_count": len(fact.given),
        "taken": list(fact.taken) if viewer == fact.other else None,
        "taken_count": len(fact.taken),
    }


def _hands_shown(fact: f.HandsShown, viewer: Viewer) -> dict[str, Any]:
    return {
        "seat": fact.seat,
        "material": fact.material,
        "hands": [
            {"seat": seat, "hand": list(hand), "taken": list(taken)}
            for seat, hand, taken in zip(fact.others, fact.hands, fact.taken, strict=True)
        ],
    }


def _choice(fact: f.ChoiceMade, viewer: Viewer) -> dict[str, Any]:
    """Which card was picked is told to others by the fact that moves or shows it."""
    hidden = fact.choice == "choose_card" and viewer != fact.seat
    return {"seat": fact.seat, "choice": fact.choice, "value": None if hidden else fact.value}


def _waiting_taken(fact: f.WaitingTaken, viewer: Viewer) -> dict[str, Any]:
    return {
        "seat": fact.seat,
        "count": len(fact.cards),
        "cards": list(fact.cards) if viewer == fact.seat else None,
    }


def _fields(*names: str) -> Callable[[Any, Viewer], dict[str, Any]]:
    """Facts that are open to all: these fields, as they are."""

    def shown(fact: Any, viewer: Viewer) -> dict[str, Any]:
        values = {name: getattr(fact, name) for name in ("seat", *names)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    return shown


SHOWN: Mapping[type, Callable[[Any, Viewer], dict[str, Any]]] = {
    f.CardsDealt: _dealt,
    f.TurnStarted: _fields("number", "round", "extra"),
    f.ChoiceMade: _choice,
    f.CardsDrawn: _drawn,
    f.CardsReturned: _returned,
    f.CardsMoved: _moved,
    f.CardsRevealed: _fields("by", "cards", "src"),
    f.WorkCompleted: _fields("by", "card", "wing", "src", "shown"),
    f.HandsExchanged: _exchanged,
    f.HandsShown: _hands_shown,
    f.KiteCopied: _fields("wing", "work"),
    f.KitesTurnedBack: _fields(),
    f.TaskStarted: _fields("owner", "task", "actions"),
    f.TaskSkipped: _fields("owner", "task"),
    f.ExtraTurnWon: _fields(),
    f.WaitingTaken: _waiting_taken,
    f.EndReached: _fields("reason"),
}
