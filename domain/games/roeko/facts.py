"""What can happen in R-Öko, as facts: every consequence of an action is written in them.

Cards are named by kind (`paper2`: paper, two icons). Who may see what of a fact lives in `view.py`.
"""

from __future__ import annotations

from domain.game import fact


@fact("roeko.GameSetUp")
class GameSetUp:
    """The deal, all of it: `hands` by seat, one card a `dumps` place (can, glass, plastic, paper), the draw
    `pile` from the top; `rewards` is every material's stack, next first."""

    start_seat: int
    hands: tuple[tuple[str, ...], ...]
    dumps: tuple[str, ...]
    pile: tuple[str, ...]
    rewards: tuple[int, ...]


@fact("roeko.CardsDelivered")
class CardsDelivered:
    """Steps 1 and 2 of a turn. With a `reward` the factory's recycling side went to the discard pile;
    without (None) it stays. `collected` is the dump side taken up, kind → count."""

    seat: int
    material: str
    singles: int
    doubles: int
    reward: int | None
    collected: dict[str, int]


@fact("roeko.CardsDisposed")
class CardsDisposed:
    """Step 3: the excess went face down to the seat's illegal pile. `cards` is kind → count, the owner's secret."""

    seat: int
    cards: dict[str, int]


@fact("roeko.DumpRefilled")
class DumpRefilled:
    """Step 4: cards turned up at a dump side, in the order drawn."""

    material: str
    cards: tuple[str, ...]


@fact("roeko.PileReshuffled")
class PileReshuffled:
    """The whole discard pile became the new draw pile; `cards` is its hidden order, from the top."""

    cards: tuple[str, ...]


@fact("roeko.TurnEnded")
class TurnEnded:
    """The turn of `seat` is over. `next_seat` is None when the game is, and `reason` says why."""

    seat: int
    next_seat: int | None
    reason: str | None


@fact("roeko.TurnPassed")
class TurnPassed:
    """A seat without cards let its turn go by. `next_seat` is None when the game is over, `reason` says why."""

    seat: int
    next_seat: int | None
    reason: str | None


FACTS = (GameSetUp, CardsDelivered, CardsDisposed, DumpRefilled, PileReshuffled, TurnEnded, TurnPassed)
