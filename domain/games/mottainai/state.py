"""The position of a game of Mottainai, and how facts change it. No rule and no choice lives here.

The position carries its own pending decisions: a stack of frames, of which the top one is to be decided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from domain.games.mottainai import facts as f
from domain.games.mottainai.cards import CARD, COPY, in_order

Cards = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Temple:
    """What one seat has. Hands are kept in the order of the card table; a task may be face down (the first)."""

    hand: Cards = ()
    task: str | None = None
    face_down: bool = False
    helpers: Cards = ()
    bench: Cards = ()
    sales: Cards = ()
    gallery: Cards = ()
    gift_shop: Cards = ()
    waiting: Cards = ()

    @property
    def works(self) -> Cards:
        return self.gallery + self.gift_shop


@dataclass(frozen=True, slots=True)
class Frame:
    """One pending decision, or a step of the turn that leads to some. What the fields mean depends on `kind`.

    Args:
        kind: which row of the frame tables lists, resolves and advances it.
        name: a task, an action or a work.
        other: a seat, −1 for none.
        n, m: counts, as of actions left, of helpers revealed.
        cards: cards concerned, or works already used.
    """

    kind: str
    name: str = ""
    other: int = -1
    n: int = 0
    m: int = 0
    cards: Cards = ()

    def packed(self) -> f.Packed:
        """As recorded: the fields without trailing defaults, then the cards."""
        values: list[str | int] = [self.kind, self.name, self.other, self.n, self.m]
        while not self.cards and values[-1] == _DEFAULTS[len(values) - 1]:
            values.pop()
        return (*values, *self.cards)


_DEFAULTS = (None, "", -1, 0, 0)


@dataclass(frozen=True, slots=True)
class State:
    """The position. The deck's top is its first card; what is returned goes to its end.

    Args:
        extra: turns that Frog still owes the active seat.
        ended: why the game is over, None while it is not; `decided_by`: the seat that the reason names.
    """

    temples: tuple[Temple, ...]
    deck: Cards
    floor: Cards
    start: int
    active: int
    number: int
    round: int
    extra: int
    ended: str | None
    decided_by: int
    frames: tuple[Frame, ...]


_ZONES = ("hand", "task", "face_down", "helpers", "bench", "sales", "gallery", "gift_shop", "waiting")


class _Draft:
    """A position while one fact is written down."""

    __slots__ = (
        "active",
        "decided_by",
        "deck",
        "ended",
        "extra",
        "floor",
        "frames",
        "number",
        "round",
        "start",
        "temples",
    )

    def __init__(self, state: State) -> None:
        self.temples = list(state.temples)
        self.deck, self.floor = state.deck, state.floor
        self.start, self.active = state.start, state.active
        self.number, self.round, self.extra = state.number, state.round, state.extra
        self.ended, self.decided_by = state.ended, state.decided_by
        self.frames = state.frames

    def done(self) -> State:
        return State(
            tuple(self.temples), self.deck, self.floor, self.start, self.active, self.number, self.round,
            self.extra, self.ended, self.decided_by, self.frames,
        )  # fmt: skip

    def put(self, seat: int, **zones: Any) -> None:
        temple = self.temples[seat]
        self.temples[seat] = Temple(*[zones[z] if z in zones else getattr(temple, z) for z in _ZONES])

    def take(self, cards: Cards, zone: str, seat: int) -> None:
        if zone == "deck":
            self.deck = _without(self.deck, cards)
        elif zone == "floor":
            self.floor = _without(self.floor, cards)
        elif zone == "task":
            self.put(seat, task=None, face_down=False)
        else:
            self.put(seat, **{zone: _without(getattr(self.temples[seat], zone), cards)})

    def add(self, cards: Cards, zone: str, seat: int) -> None:
        if zone not in _WORK_ZONES:
            cards = tuple([CARD[card] for card in cards])
        if zone == "deck":
            self.deck += cards
        elif zone == "floor":
            self.floor += cards
        elif zone == "task":
            self.put(seat, task=cards[0], face_down=False)
        elif zone == "hand":
            self.put(seat, hand=in_order(self.temples[seat].hand + cards))
        else:
            self.put(seat, **{zone: getattr(self.temples[seat], zone) + cards})


_WORK_ZONES = frozenset({"gallery", "gift_shop"})


def _without(zone: Cards, cards: Cards) -> Cards:
    if zone[: len(cards)] == cards:
        return zone[len(cards) :]
    left = list(zone)
    for card in cards:
        left.remove(card)
    return tuple(left)


def _turn_started(d: _Draft, fact: f.TurnStarted) -> None:
    d.active, d.number, d.round, d.extra = fact.seat, fact.number, fact.round, fact.extra


def _drawn(d: _Draft, fact: f.CardsDrawn) -> None:
    d.take(fact.cards, "deck", fact.seat)
    d.add(fact.cards, "waiting", fact.seat)


def _returned(d: _Draft, fact: f.CardsReturned) -> None:
    d.take(fact.cards, fact.src, fact.seat)
    d.add(fact.cards, "deck", fact.seat)


def _moved(d: _Draft, fact: f.CardsMoved) -> None:
    d.take(fact.cards, fact.src, fact.whose)
    d.add(fact.cards, fact.dst, fact.to)


def _completed(d: _Draft, fact: f.WorkCompleted) -> None:
    d.take((fact.card,), fact.src, fact.seat)
    d.add((fact.card,), fact.wing, fact.seat)


def _exchanged(d: _Draft, fact: f.HandsExchanged) -> None:
    d.put(fact.seat, hand=(), waiting=d.temples[fact.seat].waiting + fact.taken)
    d.put(fact.other, hand=in_order(fact.given))


def _hands_shown(d: _Draft, fact: f.HandsShown) -> None:
    for other, taken in zip(fact.others, fact.taken, strict=True):
        d.take(taken, "hand", other)
        d.add(taken, "waiting", fact.seat)


def _kite_copied(d: _Draft, fact: f.KiteCopied) -> None:
    wing = list(getattr(d.temples[fact.seat], fact.wing))
    wing[wing.index("kite")] = COPY[fact.work]
    d.put(fact.seat, **{fact.wing: tuple(wing)})


def _kites_turned_back(d: _Draft, fact: f.KitesTurnedBack) -> None:
    temple = d.temples[fact.seat]
    d.put(
        fact.seat,
        gallery=tuple(CARD[work] for work in temple.gallery),
        gift_shop=tuple(CARD[work] for work in temple.gift_shop),
    )


def _extra_turn_won(d: _Draft, fact: f.ExtraTurnWon) -> None:
    d.extra += 1


def _waiting_taken(d: _Draft, fact: f.WaitingTaken) -> None:
    temple = d.temples[fact.seat]
    d.put(fact.seat, hand=in_order(temple.hand + temple.waiting), waiting=())


def _end_reached(d: _Draft, fact: f.EndReached) -> None:
    d.ended, d.decided_by = fact.reason, fact.seat


def _nothing(d: _Draft, fact: Any) -> None:
    """The fact changes the stack only."""


_WRITE: dict[type, Callable[[_Draft, Any], None]] = {
    f.TurnStarted: _turn_started,
    f.ChoiceMade: _nothing,
    f.CardsDrawn: _drawn,
    f.CardsReturned: _returned,
    f.CardsMoved: _moved,
    f.CardsRevealed: _nothing,
    f.WorkCompleted: _completed,
    f.HandsExchanged: _exchanged,
    f.HandsShown: _hands_shown,
    f.KiteCopied: _kite_copied,
    f.KitesTurnedBack: _kites_turned_back,
    f.TaskStarted: _nothing,
    f.TaskSkipped: _nothing,
    f.ExtraTurnWon: _extra_turn_won,
    f.WaitingTaken: _waiting_taken,
    f.EndReached: _end_reached,
}


def _unpacked(packed: f.Packed) -> Frame:
    values: tuple[Any, ...] = (*packed, *_DEFAULTS[len(packed) :])
    kind, name, other, n, m = values[:5]
    return Frame(kind, name, other, n, m, values[5:])


def _dealt(fact: f.CardsDealt) -> State:
    temples = tuple(Temple(in_order(hand), task, True) for hand, task in zip(fact.hands, fact.tasks, strict=True))
    frames = tuple(map(_unpacked, fact.push))
    return State(temples, fact.deck, fact.floor, fact.start_seat, fact.start_seat, 1, 1, 0, None, -1, frames)


def evolve(state: State | None, fact: Any) -> State:
    """The position after a fact; None before the first one, `CardsDealt`."""
    if state is None:
        return _dealt(fact)
    draft = _Draft(state)
    _WRITE[type(fact)](draft, fact)
    if fact.keep >= 0:
        draft.frames = draft.frames[: fact.keep] + tuple(map(_unpacked, fact.push))
    return draft.done()
