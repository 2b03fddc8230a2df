"""The state of a game of Pasha: an immutable value that holds all, hidden cards too.

What a viewer sees of it is in `view.py`, how facts change it in `evolve.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from domain.games.pasha.dice import ROWS, Dice

Tile = tuple[int, int]
"""Die value and points of a bonus tile."""


@dataclass(frozen=True, slots=True)
class Jeton:
    """Where a seat's result of this round lies; `level` counts the jetons below it on the same space."""

    row: str
    column: int | None
    level: int

    @property
    def height(self) -> tuple[int, int, int]:
        """Sorts results, the greatest is the highest: row, then further right, then the later one (Award)."""
        return ROWS.index(self.row), self.column or 0, self.level


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat's cards, stones and jeton. `hand` is sorted; `stacks` lie face down, the next one first."""

    hand: tuple[int, ...]
    stacks: tuple[tuple[int, ...], ...]
    played: int | None
    stones: int
    jeton: Jeton | None
    won_cards: tuple[int, ...]
    won_tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class PashaState:
    """A position.

    Args:
        round: from 1; 0 before the first tile.
        turn: number of the turn in the game, from 1.
        start_seat: of the round.
        seat: whose turn it is.
        phase: `card`, `throw`, `stones`, `placed`; `awarded` between two rounds and after the last.
        dice: of this turn, ascending; None before its first throw.
        throws_left: of this turn, stones' throws not counted.
        restart: the turn's card allows to start its throws anew, and that was not done yet.
        stone_spent: in this turn.
        seats: by number.
        lying: by column, from the first: the points of the tiles above it.
        face_down: the tiles in the order they will be turned up.
    """

    round: int
    turn: int
    start_seat: int
    seat: int
    phase: str
    dice: Dice | None
    throws_left: int
    restart: bool
    stone_spent: bool
    seats: tuple[Seat, ...]
    lying: tuple[tuple[int, ...], ...]
    face_down: tuple[Tile, ...]
