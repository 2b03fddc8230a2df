"""What can happen in Pasha, as it is recorded. All consequences of an action are in facts: throws, awards, who is next.

Cards are their points, a tile is `(die, points)`, dice are faces. Which action leads to which fact: `rules.py`.
"""

from __future__ import annotations

from domain.game import fact


@fact("pasha.GameSetUp")
class GameSetUp:
    """The order of everything face down: by seat three stacks of three cards, the first one its hand; the tiles.

    `stones`: how many each seat begins with.
    """

    start_seat: int
    stacks: tuple[tuple[tuple[int, ...], ...], ...]
    tiles: tuple[tuple[int, int], ...]
    stones: int


@fact("pasha.RoundStarted")
class RoundStarted:
    """The next tile was turned up above the column of its die; `start_seat` begins the round."""

    round: int
    start_seat: int
    die: int
    points: int


@fact("pasha.CardPlayed")
class CardPlayed:
    """A hand card lies face up; `taken` are the cards of the next stack if it was the hand's last.

    `throws`: how many the seat has in this turn; `restart`: whether it may start them anew once.
    """

    seat: int
    value: int
    taken: tuple[int, ...]
    throws: int
    restart: bool


@fact("pasha.DiceThrown")
class DiceThrown:
    """The dice not kept were thrown: `thrown` in the order drawn."""

    seat: int
    kept: tuple[int, ...]
    thrown: tuple[int, ...]
    throws_left: int


@fact("pasha.DiceRestarted")
class DiceRestarted:
    """All five dice were thrown anew, by the card 2 played with the option `specials`."""

    seat: int
    thrown: tuple[int, ...]
    throws_left: int


@fact("pasha.ThrowingStopped")
class ThrowingStopped:
    """The seat renounced its remaining throws."""

    seat: int


@fact("pasha.DiceRethrown")
class DiceRethrown:
    """A stone was spent to throw the dice not kept once more; `stones`: how many are left."""

    seat: int
    kept: tuple[int, ...]
    thrown: tuple[int, ...]
    stones: int


@fact("pasha.DieAdjusted")
class DieAdjusted:
    """A stone was spent to turn a die from one face to the next; `stones`: how many are left."""

    seat: int
    before: int
    after: int
    stones: int


@fact("pasha.JetonPlaced")
class JetonPlaced:
    """The seat's result stands. Row `none`, column None: in front of the board. Level 0 is the bottom of a pile."""

    seat: int
    row: str
    column: int | None
    level: int


@fact("pasha.TurnEnded")
class TurnEnded:
    """A turn ended and another seat of the round follows."""

    seat: int
    next_seat: int


@fact("pasha.RoundAwarded")
class RoundAwarded:
    """The round's last turn, `seat`'s, ended: the cards played and tiles won by each seat; jetons come back.

    `order`: the seats from the highest result to the lowest.
    """

    seat: int
    order: tuple[int, ...]
    cards: tuple[tuple[int, ...], ...]
    tiles: tuple[tuple[tuple[int, int], ...], ...]


FACTS: tuple[type, ...] = (
    GameSetUp,
    RoundStarted,
    CardPlayed,
    DiceThrown,
    DiceRestarted,
    ThrowingStopped,
    DiceRethrown,
    DieAdjusted,
    JetonPlaced,
    TurnEnded,
    RoundAwarded,
)
