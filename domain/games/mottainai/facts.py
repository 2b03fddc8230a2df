"""What can happen in a game of Mottainai, as recorded.

Every fact but the first names its `seat`; `keep` and `push` say what the stack of pending decisions is
afterwards: so many frames from the bottom stay, these lie on them (`keep` −1: it is unchanged).
"""

from __future__ import annotations

from domain.game import fact

Cards = tuple[str, ...]
Packed = tuple[str | int, ...]
Frames = tuple[Packed, ...]


@fact("mottainai.CardsDealt")
class CardsDealt:
    """The setup: hands and face-down tasks by seat, the floor, the deck from the top."""

    start_seat: int
    hands: tuple[Cards, ...]
    tasks: Cards
    floor: Cards
    deck: Cards
    keep: int = -1
    push: Frames = ()


@fact("mottainai.TurnStarted")
class TurnStarted:
    """`number` from 1, extra turns counted; `round` from 1; `extra` turns that are still owed by Frog."""

    seat: int
    number: int
    round: int
    extra: int
    keep: int = -1
    push: Frames = ()


@fact("mottainai.ChoiceMade")
class ChoiceMade:
    """A decision that moves no card yet: the action's type and its value."""

    seat: int
    choice: str
    value: str | int | None
    keep: int = -1
    push: Frames = ()


@fact("mottainai.CardsDrawn")
class CardsDrawn:
    """From the top of the deck, face down into the seat's waiting area."""

    seat: int
    by: str
    cards: Cards
    keep: int = -1
    push: Frames = ()


@fact("mottainai.CardsReturned")
class CardsReturned:
    """Under the deck, in this order, from a zone of the seat, the floor, or (Fan) the top of the deck."""

    seat: int
    by: str
    cards: Cards
    src: str
    keep: int = -1
    push: Frames = ()


@fact("mottainai.CardsMoved")
class CardsMoved:
    """Face up from zone `src` of seat `whose` to zone `dst` of seat `to`; floor and deck belong to nobody.

    `by` is the task, step or work that moved them.
    """

    seat: int
    by: str
    cards: Cards
    src: str
    whose: int
    dst: str
    to: int
    keep: int = -1
    push: Frames = ()


@fact("mottainai.CardsRevealed")
class CardsRevealed:
    """Shown to all and left where they are: `src` hand or deck (its top)."""

    seat: int
    by: str
    cards: Cards
    src: str
    keep: int = -1
    push: Frames = ()


@fact("mottainai.WorkCompleted")
class WorkCompleted:
    """A card became a work; `src` hand or deck, `by` smith, craft, cloak, poem or dice, `shown` hand cards."""

    seat: int
    by: str
    card: str
    wing: str
    src: str
    shown: Cards
    keep: int = -1
    push: Frames = ()


@fact("mottainai.HandsExchanged")
class HandsExchanged:
    """Puppet: `given` is the other seat's hand now, `taken` lies in the seat's waiting area."""

    seat: int
    other: int
    given: Cards
    taken: Cards
    keep: int = -1
    push: Frames = ()


@fact("mottainai.HandsShown")
class HandsShown:
    """Jar: the opponents' hands as shown, and what of each went into the seat's waiting area; by seat."""

    seat: int
    material: str
    others: tuple[int, ...]
    hands: tuple[Cards, ...]
    taken: tuple[Cards, ...]
    keep: int = -1
    push: Frames = ()


@fact("mottainai.KiteCopied")
class KiteCopied:
    """The seat's Kite in this wing counts as this work until the turn ends."""

    seat: int
    wing: str
    work: str
    keep: int = -1
    push: Frames = ()


@fact("mottainai.KitesTurnedBack")
class KitesTurnedBack:
    """The seat's Kites are Kites again."""

    seat: int
    keep: int = -1
    push: Frames = ()


@fact("mottainai.TaskStarted")
class TaskStarted:
    """The seat performs the task of `owner` with so many actions."""

    seat: int
    owner: int
    task: str
    actions: int
    keep: int = -1
    push: Frames = ()


@fact("mottainai.TaskSkipped")
class TaskSkipped:
    """The seat revealed nothing for Curtain or Tower and does not perform the task of `owner`."""

    seat: int
    owner: int
    task: str
    keep: int = -1
    push: Frames = ()


@fact("mottainai.ExtraTurnWon")
class ExtraTurnWon:
    """Frog: the seat has one more turn after this one."""

    seat: int
    keep: int = -1
    push: Frames = ()


@fact("mottainai.WaitingTaken")
class WaitingTaken:
    """The evening: the seat's waiting area came into its hand."""

    seat: int
    cards: Cards
    keep: int = -1
    push: Frames = ()


@fact("mottainai.EndReached")
class EndReached:
    """The game is over: `wing`, `deck`, `cup`, `turtle` or `round_limit`, brought about for or by `seat`."""

    seat: int
    reason: str
    keep: int = -1
    push: Frames = ()


FACTS = (
    CardsDealt,
    TurnStarted,
    ChoiceMade,
    CardsDrawn,
    CardsReturned,
    CardsMoved,
    CardsRevealed,
    WorkCompleted,
    HandsExchanged,
    HandsShown,
    KiteCopied,
    KitesTurnedBack,
    TaskStarted,
    TaskSkipped,
    ExtraTurnWon,
    WaitingTaken,
    EndReached,
)
