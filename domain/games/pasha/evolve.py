"""How each fact of Pasha changes the state. Writes down what the fact says; no rule and no chance is here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from domain.games.pasha.dice import FACES, Dice, adjusted
from domain.games.pasha.facts import (
    CardPlayed,
    DiceRestarted,
    DiceRethrown,
    DiceThrown,
    DieAdjusted,
    GameSetUp,
    JetonPlaced,
    RoundAwarded,
    RoundStarted,
    ThrowingStopped,
    TurnEnded,
)
from domain.games.pasha.state import Jeton, PashaState, Seat


def evolve(state: PashaState | None, fact: Any) -> PashaState:
    """The state after a fact; None before the first, `GameSetUp`."""
    if state is None:
        return _set_up(fact)
    return _CHANGES[type(fact)](state, fact)


def _set_up(fact: GameSetUp) -> PashaState:
    return PashaState(
        round=0,
        turn=0,
        start_seat=fact.start_seat,
        seat=fact.start_seat,
        phase="awarded",
        dice=None,
        throws_left=0,
        restart=False,
        stone_spent=False,
        seats=tuple(
            Seat(tuple(sorted(first)), tuple(rest), None, fact.stones, None, (), ()) for first, *rest in fact.stacks
        ),
        lying=((),) * len(FACES),
        face_down=fact.tiles,
    )


def _round_started(state: PashaState, fact: RoundStarted) -> PashaState:
    lying = tuple(
        (*tiles, fact.points) if column == fact.die else tiles for column, tiles in enumerate(state.lying, start=1)
    )
    return replace(
        state,
        round=fact.round,
        turn=state.turn + 1,
        start_seat=fact.start_seat,
        seat=fact.start_seat,
        phase="card",
        lying=lying,
        face_down=state.face_down[1:],
    )


def _card_played(state: PashaState, fact: CardPlayed) -> PashaState:
    seat = state.seats[fact.seat]
    at = seat.hand.index(fact.value)
    hand = seat.hand[:at] + seat.hand[at + 1 :]
    if fact.taken:
        hand, stacks = tuple(sorted(fact.taken)), seat.stacks[1:]
    else:
        stacks = seat.stacks
    after = replace(seat, hand=hand, stacks=stacks, played=fact.value)
    return _with_seat(state, fact.seat, after, phase="throw", throws_left=fact.throws, restart=fact.restart)


def _thrown(state: PashaState, fact: DiceThrown) -> PashaState:
    return _with_throws(state, fact.kept + fact.thrown, fact.throws_left)


def _restarted(state: PashaState, fact: DiceRestarted) -> PashaState:
    return replace(_with_throws(state, fact.thrown, fact.throws_left), restart=False)


def _stopped(state: PashaState, fact: ThrowingStopped) -> PashaState:
    return replace(state, phase="stones", throws_left=0)


def _rethrown(state: PashaState, fact: DiceRethrown) -> PashaState:
    return _with_stones(state, fact.seat, fact.stones, tuple(sorted(fact.kept + fact.thrown)))


def _adjusted(state: PashaState, fact: DieAdjusted) -> PashaState:
    return _with_stones(state, fact.seat, fact.stones, adjusted(state.dice or (), fact.before, fact.after))


def _placed(state: PashaState, fact: JetonPlaced) -> PashaState:
    after = replace(state.seats[fact.seat], jeton=Jeton(fact.row, fact.column, fact.level))
    return _with_seat(state, fact.seat, after, phase="placed", restart=False)


def _turn_ended(state: PashaState, fact: TurnEnded) -> PashaState:
    return replace(state, turn=state.turn + 1, seat=fact.next_seat, phase="card", dice=None, stone_spent=False)


def _awarded(state: PashaState, fact: RoundAwarded) -> PashaState:
    seats = tuple(
        replace(seat, played=None, jeton=None, won_cards=seat.won_cards + cards, won_tiles=seat.won_tiles + tiles)
        for seat, cards, tiles in zip(state.seats, fact.cards, fact.tiles, strict=True)
    )
    gone = {die for tiles in fact.tiles for die, _ in tiles}
    lying = tuple(() if column in gone else tiles for column, tiles in enumerate(state.lying, start=1))
    return replace(state, phase="awarded", dice=None, stone_spent=False, seats=seats, lying=lying)


_CHANGES: Mapping[type, Callable[[PashaState, Any], PashaState]] = {
    RoundStarted: _round_started,
    CardPlayed: _card_played,
    DiceThrown: _thrown,
    DiceRestarted: _restarted,
    ThrowingStopped: _stopped,
    DiceRethrown: _rethrown,
    DieAdjusted: _adjusted,
    JetonPlaced: _placed,
    TurnEnded: _turn_ended,
    RoundAwarded: _awarded,
}


def _with_throws(state: PashaState, dice: Dice, throws_left: int) -> PashaState:
    phase = "throw" if throws_left else "stones"
    return replace(state, dice=tuple(sorted(dice)), throws_left=throws_left, phase=phase)


def _with_stones(state: PashaState, number: int, stones: int, dice: Dice) -> PashaState:
    after = replace(state.seats[number], stones=stones)
    return _with_seat(state, number, after, dice=dice, stone_spent=True)


def _with_seat(state: PashaState, number: int, seat: Seat, **changes: Any) -> PashaState:
    seats = (*state.seats[:number], seat, *state.seats[number + 1 :])
    return replace(state, seats=seats, **changes)
