"""The moves of Mottainai as `domain/memory` is told them, and its answers as JSON.

Hidden places: the deck, an ordered pile; each seat's hand, which it sees; waiting areas and face-down tasks, which
nobody sees. Everything else lies open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from domain.game import Viewer
from domain.games.mottainai import facts as f
from domain.games.mottainai.cards import CARD, in_order
from domain.games.mottainai.state import State
from domain.memory import EVERYBODY, Described, Memory, Move, Show, Shuffle, Zone, start

DECK = "deck"


def hand(seat: int) -> str:
    return f"hand{seat}"


def waiting(seat: int) -> str:
    return f"waiting{seat}"


def task(seat: int) -> str:
    return f"task{seat}"


def remember(memory: Memory | None, state: State | None, fact: Any) -> Memory:
    """The memory after a fact, given the state before it."""
    if memory is None or state is None:
        return _dealt(fact)
    moves = MOVES.get(type(fact))
    return memory.after(*moves(state, fact)) if moves else memory


def _dealt(fact: f.CardsDealt) -> Memory:
    seats = range(len(fact.hands))
    zones = {DECK: Zone(ordered=True)}
    for seat in seats:
        zones |= {hand(seat): Zone(sees=(seat,)), waiting(seat): Zone(), task(seat): Zone()}
    cards = in_order(tuple(chain(*fact.hands, fact.tasks, fact.floor, fact.deck)))
    return start(len(fact.hands), zones).after(
        Shuffle(cards, DECK),
        *(Move(fact.hands[seat], DECK, hand(seat)) for seat in seats),
        *(Move((fact.tasks[seat],), DECK, task(seat)) for seat in seats),
        Move(fact.floor, DECK, None),
    )


def _drawn(state: State, fact: f.CardsDrawn) -> list[Described]:
    return [Move(fact.cards, DECK, waiting(fact.seat))]


def _returned(state: State, fact: f.CardsReturned) -> list[Described]:
    """Under the deck: hidden from a hand, Fan's from the top where they lie open, known from anywhere else."""
    if fact.src == "deck":
        return [Move(fact.cards, DECK, DECK, seen=EVERYBODY, at=state.deck.index(fact.cards[0]))]
    source = hand(fact.seat) if fact.src == "hand" else None
    return [Move(tuple(CARD[card] for card in fact.cards), source, DECK)]


def _moved(state: State, fact: f.CardsMoved) -> list[Described]:
    """All lie open where they come to, but what Gong puts into the waiting area, which all know."""
    if fact.src == "deck":
        return [Move(fact.cards, DECK, None)]
    if fact.src == "hand":
        return [Move(fact.cards, hand(fact.whose), None)]
    if fact.src == "task" and state.temples[fact.whose].face_down:
        return [Move(fact.cards, task(fact.whose), None)]
    if fact.dst == "waiting":
        return [Move(tuple(CARD[card] for card in fact.cards), None, waiting(fact.to))]
    return []


def _revealed(state: State, fact: f.CardsRevealed) -> list[Described]:
    """Shown cards stay; what Fountain shows one by one counts together (two copies are two cards)."""
    if fact.src == "deck":
        return [Show(fact.cards, DECK)]
    before = state.frames[-1].cards if state.frames[-1].kind == "fountain" else ()
    return [Show(before + fact.cards, hand(fact.seat))]


def _completed(state: State, fact: f.WorkCompleted) -> list[Described]:
    source = DECK if fact.src == "deck" else hand(fact.seat)
    shown = [Show(fact.shown, hand(fact.seat))] if fact.shown else []
    return [Move((fact.card,), source, None), *shown]


def _exchanged(state: State, fact: f.HandsExchanged) -> list[Described]:
    return [
        Move(fact.taken, hand(fact.other), waiting(fact.seat)),
        Move(fact.given, hand(fact.seat), hand(fact.other)),
    ]


def _hands_shown(state: State, fact: f.HandsShown) -> list[Described]:
    told: list[Described] = []
    for other, cards, taken in zip(fact.others, fact.hands, fact.taken, strict=True):
        told.append(Show(cards, hand(other)))
        told.append(Move(taken, hand(other), waiting(fact.seat), seen=EVERYBODY))
    return told


def _waiting_taken(state: State, fact: f.WaitingTaken) -> list[Described]:
    return [Move(fact.cards, waiting(fact.seat), hand(fact.seat))]


MOVES: Mapping[type, Callable[[State, Any], list[Described]]] = {
    f.CardsDrawn: _drawn,
    f.CardsReturned: _returned,
    f.CardsMoved: _moved,
    f.CardsRevealed: _revealed,
    f.WorkCompleted: _completed,
    f.HandsExchanged: _exchanged,
    f.HandsShown: _hands_shown,
    f.WaitingTaken: _waiting_taken,
}


def knowledge(state: State, memory: Memory, viewer: Viewer) -> dict[str, Any]:
    """What a viewer can know: hands (None: its own), waiting areas, face-down tasks, the deck's pool and places."""

    def zone(name: str) -> dict[str, Any]:
        known = memory.knowledge(viewer, name)
        return {"guaranteed": known.guaranteed, "possible": known.possible}

    seats = range(len(state.temples))
    places = memory.places(viewer, DECK)
    return {
        "hands": [None if seat == viewer else zone(hand(seat)) for seat in seats],
        "waiting": [zone(waiting(seat)) for seat in seats],
        "tasks": [zone(task(seat)) if state.temples[seat].face_down else None for seat in seats],
        "deck": {
            "pool": memory.knowledge(viewer, DECK).possible,
            "at": {str(at): card for at, card in sorted(places.items())},
        },
    }


def redrawn(state: State, world: Mapping[str, Sequence[str]]) -> State:
    """The position with every hidden place holding what it holds in a world."""
    temples = tuple(
        replace(
            temple,
            hand=in_order(tuple(world[hand(seat)])),
            waiting=tuple(world[waiting(seat)]),
            task=world[task(seat)][0] if temple.face_down else temple.task,
        )
        for seat, temple in enumerate(state.temples)
    )
    return replace(state, temples=temples, deck=tuple(world[DECK]))
