"""Who gets what: the award at the end of a round and the score sheet at the end of the game."""

from __future__ import annotations

from collections.abc import Sequence

from domain.game import ScoreSheet, SeatScore, ranks
from domain.games.pasha.facts import RoundAwarded
from domain.games.pasha.state import Jeton, PashaState, Seat, Tile

REASON = "nine_rounds"


def award(state: PashaState, ender: int) -> RoundAwarded:
    """Cards and tiles of a round by its jetons (A round 3), when the last seat ends its turn."""
    jetons = [seat.jeton for seat in state.seats]
    if any(jeton is None for jeton in jetons):
        raise ValueError("a round is awarded when every seat has placed its jeton")
    placed = [jeton for jeton in jetons if jeton is not None]
    order = highest_first(placed)
    cards = cards_won(order, [seat.played for seat in state.seats if seat.played is not None])
    return RoundAwarded(ender, order, cards, tiles_won(order, placed, state.lying))


def highest_first(jetons: Sequence[Jeton]) -> tuple[int, ...]:
    """The seats from the highest result to the lowest."""
    return tuple(sorted(range(len(jetons)), key=lambda seat: jetons[seat].height, reverse=True))


def cards_won(order: Sequence[int], played: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """By seat: the positive cards one each from the highest downwards, largest first; every −1 to the lowest."""
    won: list[tuple[int, ...]] = [()] * len(order)
    # At most one card a seat was played, so the positive ones never outnumber the seats.
    for seat, card in zip(order, sorted((card for card in played if card > 0), reverse=True), strict=False):
        won[seat] = (card,)
    won[order[-1]] += tuple(card for card in played if card < 0)
    return tuple(won)


def tiles_won(
    order: Sequence[int], jetons: Sequence[Jeton], lying: Sequence[Sequence[int]]
) -> tuple[tuple[Tile, ...], ...]:
    """By seat: all tiles above a column go to the highest jeton in it, stay if there is none."""
    won: list[tuple[Tile, ...]] = [()] * len(order)
    for column, tiles in enumerate(lying, start=1):
        winner = next((seat for seat in order if jetons[seat].column == column), None)
        if winner is not None:
            won[winner] += tuple((column, points) for points in tiles)
    return tuple(won)


def breakdown(seat: Seat) -> dict[str, int]:
    """Won cards, won tiles, a point per stone left (End and scoring)."""
    return {
        "cards": sum(seat.won_cards),
        "tiles": sum(points for _, points in seat.won_tiles),
        "stones": seat.stones,
    }


def points(seat: Seat) -> int:
    return sum(breakdown(seat).values())


def score(state: PashaState) -> ScoreSheet:
    """Most points win; equal totals share a rank, nothing separates them."""
    totals = [points(seat) for seat in state.seats]
    lines = tuple(
        SeatScore(number, total, rank, breakdown(seat))
        for number, (seat, total, rank) in enumerate(zip(state.seats, totals, ranks(totals), strict=True))
    )
    return ScoreSheet(lines, None, REASON)
