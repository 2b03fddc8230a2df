"""The state of a game: immutable values, cheap to copy. What may be done in it is not said here.

Everything that waits to be decided is one stack, `GameState.pending`; its last entry is decided next.
"""

from __future__ import annotations

from dataclasses import dataclass

from domain.games.transatlantic.facts import Row, Rows


@dataclass(frozen=True, slots=True)
class Pending:
    """A decision that waits, or a consequence that waits for the decisions above it.

    Args:
        what: which step of the rules; each has its entry in `rules.STEPS`.
        seat: who decides it.
        count: how many times more, where the step counts.
        word: a sort of the step: the card, the mode, the way to load.
        names: what was chosen before in this step: ships that travelled, marker kinds taken.
    """

    what: str
    seat: int
    count: int = 0
    word: str = ""
    names: tuple[str, ...] = ()

    def row(self) -> Row:
        """As facts hold it, defaults at the end left out."""
        if self.names or self.word:
            return (self.what, self.seat, self.count, self.word, *self.names)
        return (self.what, self.seat, self.count) if self.count else (self.what, self.seat)

    @classmethod
    def of(cls, row: Row) -> Pending:
        what, seat, count, word = (*row, *_DEFAULTS[len(row) - 2 :])[:4]
        return cls(str(what), int(seat), int(count), str(word), tuple(map(str, row[4:])))


Stack = tuple[Pending, ...]
_DEFAULTS: Row = (0, "")


def rows(stack: Stack) -> Rows:
    return tuple(pending.row() for pending in stack)


def stack_of(then: Rows) -> Stack:
    return tuple(Pending.of(row) for row in then)


@dataclass(frozen=True, slots=True)
class Afloat:
    """A ship in a region, or waiting. `owner` None: the neutral ship. Sailing and neutral ships carry no coal."""

    ship: str
    owner: int | None
    coal: int


@dataclass(frozen=True, slots=True)
class Region:
    """Ships from the top, the youngest first; houses by the seat they belong to, the cheapest place first."""

    ships: tuple[Afloat, ...]
    houses: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Displaced:
    """The ship that has just been pushed out of a region and is to be deployed anew."""

    ship: str
    owner: int | None
    coal: int
    region: int


@dataclass(frozen=True, slots=True)
class Seat:
    """What a seat has. `hand` in the cards' fixed order, `stack` with its top last, `markers` by kind."""

    money: int
    points: int
    hand: tuple[str, ...]
    stack: tuple[str, ...]
    waiting: tuple[Afloat, ...]
    headquarters: tuple[str, ...]
    captains: int
    houses: int
    tile: bool
    markers: tuple[int, ...]
    contracts: int


@dataclass(frozen=True, slots=True)
class GameState:
    """A game of Transatlantic.

    Args:
        market: six slots from the left; None where a ship was bought this turn, or none is left.
        deck, pile: the next one first; `pile_a` cards of set A are on top of the pile.
        out, scrapped: ships that never came, and those that left the game; `docks` as they arrived.
        unscored: ships scrapped this turn with their owners.
        bought: steamships bought this turn; `bought_headquarters`, `took_card`: this turn too.
        purchased: whether anything was bought in this round; `quiet`: full rounds in a row without.
        round: 0 in the opening.
        final_round: the last round, once known; `reason` why.
        turn: number and seat of the current turn.
    """

    seats: tuple[Seat, ...]
    regions: tuple[Region, ...]
    market: tuple[str | None, ...]
    deck: tuple[str, ...]
    out: tuple[str, ...]
    docks: tuple[str, ...]
    scrapped: tuple[str, ...]
    unscored: tuple[tuple[str, int], ...]
    display: tuple[str, ...]
    pile: tuple[str, ...]
    pile_a: int
    discard: tuple[str, ...]
    supply: tuple[int, ...]
    start_seat: int
    round: int
    turn_number: int
    turn_seat: int
    purchased: bool
    quiet: int
    final_round: int | None
    reason: str | None
    bought: tuple[str, ...]
    bought_headquarters: bool
    took_card: bool
    displaced: Displaced | None
    pending: Stack
