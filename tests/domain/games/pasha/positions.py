"""Helpers for the tests of Pasha: positions in one line, a small driver for whole games. No test lives here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from domain.chance import Chance
from domain.game import Bot, Config, Position
from domain.games.pasha import GAME
from domain.games.pasha.state import Jeton, PashaState, Seat

CARDS = (-1, -1, -1, 1, 2, 3, 4, 5, 7)
END_TURN = {"type": "end_turn"}
STOP = {"type": "stop"}
RESTART = {"type": "restart"}


def rules_for(seats: int = 2, *, specials: bool = False, tiles: str | None = None) -> Any:
    """The current rules at a table of so many seats."""
    options = GAME.complete({"specials": specials}, seats)
    data = GAME.data(options) if tiles is None else {"house.csv": tiles}
    return GAME.rules[GAME.current_rules](Config(seats, options, data))


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


@dataclass(frozen=True, slots=True)
class Moment:
    """A position of a game with what was remembered on the way to it."""

    state: Any = None
    memory: Any = None

    def after(self, rules: Any, *facts: Any) -> Moment:
        moment = self
        for fact in facts:
            memory = rules.remember(moment.memory, moment.state, fact)
            moment = Moment(rules.evolve(moment.state, fact), memory)
        return moment


def set_up(rules: Any, number: int = 1, start_seat: int | None = 0) -> tuple[Moment, Chance]:
    """A fresh game and its chance."""
    chance = Chance(seed(number))
    return Moment().after(rules, *rules.setup(start_seat, chance)), chance


def carried_out(rules: Any, state: Any, chance: Chance, action: Mapping[str, Any]) -> list[Any]:
    """The facts of an action of the seat in turn and of the forced choices that follow."""
    told: list[Any] = []
    step: tuple[int, Any] | None = (state.seat, action)
    while step is not None:
        facts = rules.decide(state, *step, chance)
        for fact in facts:
            state = rules.evolve(state, fact)
        told += facts
        step = None if rules.is_over(state) else rules.forced(state)
    return told


def act(rules: Any, state: Any, chance: Chance, *actions: Mapping[str, Any]) -> Any:
    """The state after actions of the seats in turn and the forced choices that follow."""
    for action in actions:
        for fact in carried_out(rules, state, chance, action):
            state = rules.evolve(state, fact)
    return state


class Rigged(Chance):
    """Chance whose dice are given."""

    def __init__(self, *throws: Sequence[int]) -> None:
        super().__init__(bytes(32))
        self.throws = list(throws)

    def dice(self, count: int, sides: int = 6) -> tuple[int, ...]:
        self.counter += 1
        thrown = tuple(self.throws.pop(0))
        assert len(thrown) == count
        return thrown


def dice(text: str) -> tuple[int, ...]:
    """`"3-5-5-6-2"` as dice, ascending."""
    return tuple(sorted(map(int, text.split("-"))))


def space(text: str, level: int = 0) -> Jeton:
    """`"triple 6"`, `"none"` as a jeton."""
    row, _, column = text.partition(" ")
    return Jeton(row, int(column) if column else None, level)


def seat(
    hand: Sequence[int] = (1, 2, 3),
    stacks: Sequence[Sequence[int]] = (),
    played: int | None = None,
    stones: int = 5,
    jeton: str | Jeton | None = None,
    won: Sequence[int] = (),
    tiles: Sequence[tuple[int, int]] = (),
) -> Seat:
    lying = space(jeton) if isinstance(jeton, str) else jeton
    return Seat(tuple(sorted(hand)), tuple(map(tuple, stacks)), played, stones, lying, tuple(won), tuple(tiles))


def position(
    *seats: Seat,
    phase: str = "card",
    turn_of: int = 0,
    start_seat: int = 0,
    round: int = 1,  # noqa: A002
    shown: str | None = None,
    throws_left: int = 0,
    restart: bool = False,
    stone_spent: bool = False,
    lying: Mapping[int, Sequence[int]] | None = None,
    face_down: Sequence[tuple[int, int]] = ((6, 3),),
) -> PashaState:
    """A position; `shown` are the dice, `lying` the tiles' points by column."""
    above = lying or {}
    return PashaState(
        round=round,
        turn=1,
        start_seat=start_seat,
        seat=turn_of,
        phase=phase,
        dice=None if shown is None else dice(shown),
        throws_left=throws_left,
        restart=restart,
        stone_spent=stone_spent,
        seats=tuple(seats or (seat(), seat())),
        lying=tuple(tuple(above.get(column, ())) for column in range(1, 7)),
        face_down=tuple(face_down),
    )


def rolled(shown: str, stones: int = 5, phase: str = "stones", throws_left: int = 0, **more: Any) -> PashaState:
    """Seat 0 of two has played a card and shows these dice."""
    return position(
        seat(hand=(1, 2), played=3, stones=stones),
        seat(),
        phase=phase,
        shown=shown,
        throws_left=throws_left,
        **more,
    )


def awarded(
    *results: tuple[int, str], start_seat: int = 0, lying: Mapping[int, Sequence[int]] | None = None
) -> PashaState:
    """The position after a round: each seat's card and the space of its jeton, placed clockwise from the start seat."""
    seats: list[Seat] = [seat()] * len(results)
    spaces: list[str] = []
    for step in range(len(results)):
        number = (start_seat + step) % len(results)
        card, where = results[number]
        seats[number] = seat(hand=(1, 2), played=card, jeton=space(where, spaces.count(where)))
        spaces.append(where)
    rules = rules_for(len(results))
    last = (start_seat - 1) % len(results)
    state = position(*seats, phase="placed", turn_of=last, start_seat=start_seat, shown="1-2-3-4-6", lying=lying or {})
    return act(rules, state, Rigged(), END_TURN)


def types(actions: Sequence[Mapping[str, Any]]) -> set[str]:
    return {action["type"] for action in actions}


def kept(actions: Sequence[Mapping[str, Any]], kind: str = "throw") -> list[list[int]]:
    return [action["keep"] for action in actions if action["type"] == kind]


def bot_position(rules: Any, moment: Moment, number: int) -> Position:
    """What a bot at the seat is told."""
    return Position(
        number,
        rules.config.seats,
        rules.config.options,
        json.loads(json.dumps(rules.view(moment.state, number))),
        json.loads(json.dumps(knowledge_of(rules, moment, number))),
        tuple(rules.legal_actions(moment.state, number)),
    )


def knowledge_of(rules: Any, moment: Moment, viewer: int | None) -> Any:
    return rules.knowledge(moment.state, moment.memory, viewer)


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a game: the moments before and after it, who did what, the facts."""

    before: Moment
    seat: int
    action: Mapping[str, Any]
    facts: list[Any]
    after: Moment


def played(rules: Any, bots: Sequence[Bot], number: int, start_seat: int | None = None) -> Iterator[Command]:
    """A game between bots, command by command, with the given seed."""
    moment, chance = set_up(rules, number, start_seat)
    rng = Random(number)
    while not rules.is_over(moment.state):
        (at,) = rules.to_act(moment.state)
        action = bots[at](bot_position(rules, moment, at), rng)
        facts = carried_out(rules, moment.state, chance, action)
        after = moment.after(rules, *facts)
        yield Command(moment, at, action, facts, after)
        moment = after


def final_state(rules: Any, bots: Sequence[Bot], number: int) -> Any:
    *_, last = played(rules, bots, number)
    return last.after.state
