"""The bots of Pasha. `automa` plays for the expected worth of the space its jeton will lie on, given the jetons
lying, the cards at stake and the tiles above; it sees only a `Position`. The dice's odds are in `odds.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import comb
from random import Random
from typing import Any, NamedTuple

from domain.bots import random_bot
from domain.game import Action, Bot, Position
from domain.games.pasha.dice import ROWS, Dice, columns_of, row_of
from domain.games.pasha.odds import FIRST, INDEX, RESULTS, Plan, distribution, expected, first_throw, plan

Space = tuple[int, int]
"""Row from 0 (no pair) and column (0 without a pair): the greater lies higher."""

_STONE_EARNS = 1.75
"""Points of cards that a stone kept for a later round wins there on average; measured by play against itself.
In the last round a stone is worth its point."""


class Stakes(NamedTuple):
    """What a jeton placed now can win and lose.

    Args:
        seats: at the table.
        jetons: the spaces of those that lie already.
        cards: those played, the own one among them.
        unplayed: by seat still to come in this round: its cards that one of will be played.
        tiles: by column from the first: the points above it.
    """

    seats: int
    jetons: tuple[Space, ...]
    cards: tuple[int, ...]
    unplayed: tuple[tuple[int, ...], ...]
    tiles: tuple[int, ...]


def automa(position: Position, rng: Random, /) -> Action:
    """Plays the card, keeps the dice, spends the stones and places the jeton that are worth most on average."""
    if len(position.actions) == 1:
        return position.actions[0]
    worth = _worth_of_cards if position.state["phase"] == "card" else _worth_of_dice
    values = worth(position)
    _, best = max(
        enumerate(position.actions), key=lambda listed: (round(values[listed[0]], 9), _calm(listed[1]), -listed[0])
    )
    return best


def _calm(action: Action) -> int:
    """What breaks a tie: rather rest than throw, rather keep many dice than few."""
    return 5 if action["type"] in ("stop", "place") else len(action.get("keep", ()))


BOTS: Mapping[str, Bot] = {"random": random_bot, "automa": automa}


def _worth_of_cards(position: Position) -> list[float]:
    """By action: what the turn is worth that begins with the card."""
    specials = position.options["specials"]
    own = position.state["seats"][position.seat]
    worth = []
    for action in position.actions:
        card = action["value"]
        stakes = _stakes(position, card)
        throws, restart = (3 if specials and card == 1 else 2), specials and card == 2
        turn = _plan(stakes, own["stones"], _price(position), throws, restart)
        worth.append(first_throw(turn.throws[-1]) - _others_share(stakes))
    return worth


def _worth_of_dice(position: Position) -> list[float]:
    """By action: what the turn is worth that goes on with throwing, stopping, a stone or the jeton."""
    state = position.state
    own = state["seats"][position.seat]
    price, stakes = _price(position), _stakes(position, own["played"])
    restart = any(action["type"] == "restart" for action in position.actions)
    turn = _plan(stakes, own["stones"], price, 3, restart)
    at = INDEX[tuple(state["dice"])] - FIRST
    thrown = expected(turn.throws[max(state["throws_left"] - 1, 0)])
    fewer_stones: list[float] = turn.stones[max(own["stones"] - 1, 0)]
    rethrown = expected(fewer_stones)
    spaces, row = _worth_of_spaces(stakes), ROWS.index(row_of(tuple(state["dice"])))

    def worth(action: Action) -> float:
        match action["type"]:
            case "throw":
                return thrown[INDEX[tuple(action["keep"])]]
            case "stop":
                return turn.throws[0][at]
            case "restart":
                return turn.again
            case "rethrow":
                return rethrown[INDEX[tuple(action["keep"])]] - price
            case "adjust":
                return fewer_stones[_adjusted(state["dice"], action)] - price
            case _:
                return spaces[row, action["column"] or 0]

    return [worth(action) for action in position.actions]


def _adjusted(dice: Sequence[int], action: Action) -> int:
    turned = list(dice)
    turned[turned.index(action["from"])] = action["to"]
    return INDEX[tuple(sorted(turned))] - FIRST


def _price(position: Position) -> float:
    return 1.0 if position.state["round"] == 9 else _STONE_EARNS * _advantage(position.seats)


def _advantage(seats: int) -> float:
    """By how much a point won helps: it is won, and not by one of the others."""
    return seats / (seats - 1)


def _stakes(position: Position, card: int) -> Stakes:
    """The stakes for the own seat in turn, its card being the given one."""
    state, seats = position.state, position.seats
    order = [(state["start_seat"] + step) % seats for step in range(seats)]
    at = order.index(position.seat)
    before, after = order[:at], order[at + 1 :]
    jetons = [state["seats"][seat]["jeton"] for seat in before]
    return Stakes(
        seats,
        tuple((ROWS.index(jeton["row"]), jeton["column"] or 0) for jeton in jetons),
        tuple(sorted((card, *(state["seats"][seat]["played"] for seat in before)))),
        tuple(_unplayed(position.knowledge or {}, seat) for seat in after),
        tuple(sum(state["tiles"].get(str(column), ())) for column in range(1, 7)),
    )


def _unplayed(knowledge: Mapping[str, Any], seat: int) -> tuple[int, ...]:
    """All cards another seat still has: of each kind, those its hand may hold at most and its stacks must at least."""
    may, must = knowledge["hands"][seat]["possible"], knowledge["stacks"][seat]["guaranteed"]
    cards = sorted({*map(int, may), *map(int, must)})
    return tuple(card for card in cards for _ in range(may.get(str(card), 0) + must.get(str(card), 0)))


@lru_cache(maxsize=64)
def _plan(stakes: Stakes, stones: int, price: float, throws: int, restart: bool) -> Plan:
    spaces = _worth_of_spaces(stakes)
    placed = [max([spaces[space] for space in open_]) for open_ in _OPEN_SPACES]
    return plan(placed, stones, price, throws, restart=restart)


@lru_cache(maxsize=64)
def _worth_of_spaces(stakes: Stakes) -> Mapping[Space, float]:
    """By space: the points expected of a jeton on it, against the average of the others."""
    awards = _awards(stakes)
    advantage = _advantage(stakes.seats)
    to_come = len(stakes.unplayed)
    worth = {}
    for space in SPACES:
        row, column = space
        above = sum(other > space for other in stakes.jetons)
        chance = _habits().not_below[space]
        cards = sum(
            comb(to_come, more) * chance**more * (1 - chance) ** (to_come - more) * awards[above + more]
            for more in range(to_come + 1)
        )
        worth[space] = advantage * (cards + _tiles(stakes, row, column))
    return worth


def _tiles(stakes: Stakes, row: int, column: int) -> float:
    """The points expected of the tiles above a jeton's column."""
    if column == 0 or any(other[1] == column and other[0] > row for other in stakes.jetons):
        return 0.0
    kept = (1 - _habits().over_it[row, column]) ** len(stakes.unplayed)
    return stakes.tiles[column - 1] * kept


def _awards(stakes: Stakes) -> list[float]:
    """By place from the highest: the points of cards expected, the cards to come being any unplayed ones."""
    awards = [0.0] * stakes.seats
    below = 0
    for value in (1, 2, 3, 4, 5, 7):
        chances = [1.0]  # by number: that so many cards at stake are of this value or more
        for share in _shares(stakes, value):
            chances = [
                (chances[n] * (1 - share) if n < len(chances) else 0.0) + (chances[n - 1] * share if n else 0.0)
                for n in range(len(chances) + 1)
            ]
        for place in range(stakes.seats):
            awards[place] += (value - below) * sum(chances[place + 1 :])
        below = value
    awards[-1] -= sum(1 - share for share in _shares(stakes, 1))
    return awards


def _shares(stakes: Stakes, value: int) -> list[float]:
    """For each card at stake: how likely it is of a value or more."""
    known = [float(card >= value) for card in stakes.cards]
    return known + [sum(card >= value for card in cards) / len(cards) for cards in stakes.unplayed]


def _others_share(stakes: Stakes) -> float:
    """What the others together win on average if one's own winnings are counted as `_worth_of_spaces` does: what
    remains of the cards at stake, shared among them. Makes turns with different cards comparable."""
    unplayed = sum(sum(cards) / len(cards) for cards in stakes.unplayed)
    return (sum(stakes.cards) + unplayed) / (stakes.seats - 1)


class Habits(NamedTuple):
    """Where others' jetons come to lie: chances by space, of a result not below it; of one in its column."""

    not_below: Mapping[Space, float]
    over_it: Mapping[Space, float]


SPACES: tuple[Space, ...] = ((0, 0), *((row, column) for row in range(1, len(ROWS)) for column in range(1, 7)))


def _spaces(dice: Dice) -> list[Space]:
    return [(ROWS.index(row_of(dice)), column or 0) for column in columns_of(dice)]


_OPEN_SPACES = [_spaces(dice) for dice in RESULTS]
_BEST_SPACE = [max(spaces) for spaces in _OPEN_SPACES]


@cache
def _habits() -> Habits:
    """Of a seat that throws three times for the highest space, spends no stone and takes the higher pair's column."""
    chances = [1 / len(RESULTS)] * len(RESULTS)
    for _ in range(2):  # first play for any higher space, then for how many results the space beats
        lower = {space: sum(c for c, s in zip(chances, _BEST_SPACE, strict=True) if s < space) for space in SPACES}
        chances = distribution([lower[space] for space in _BEST_SPACE], 3)
    lying = list(zip(chances, _BEST_SPACE, strict=True))
    return Habits(
        {space: sum(c for c, other in lying if other >= space) for space in SPACES},
        {
            (row, column): sum(c for c, other in lying if other[1] == column and other[0] >= row)
            for row, column in SPACES
        },
    )
