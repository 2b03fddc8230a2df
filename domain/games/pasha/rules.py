"""The rules of Pasha, in the order of the rules page: set-up, card, dice, stones, jeton, end of turn and round.

Facts come from here; how they change the state is in `evolve.py`, who wins what in `scoring.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

from domain import memory as engine
from domain.chance import Chance
from domain.game import Action, Config, IllegalAction, InvalidOptions, Language, Rules, ScoreSheet, Turn, Viewer
from domain.games.pasha import memory as memories
from domain.games.pasha import scoring, text, view
from domain.games.pasha.actions import check_shape
from domain.games.pasha.dice import adjustments, columns_of, keeps, row_of
from domain.games.pasha.edition import file_name, tiles
from domain.games.pasha.evolve import evolve
from domain.games.pasha.facts import (
    CardPlayed,
    DiceRestarted,
    DiceRethrown,
    DiceThrown,
    DieAdjusted,
    GameSetUp,
    JetonPlaced,
    RoundStarted,
    ThrowingStopped,
    TurnEnded,
)
from domain.games.pasha.state import PashaState

CARDS = (-1, -1, -1, 1, 2, 3, 4, 5, 7)
STACK = 3
STONES = 5
THROWS = 3
ROUNDS = 9

FOUR_THROWS_CARD = 1
RESTART_CARD = 2
RESTART_THROWS = 2
"""Throws that follow a restart (Option specials)."""


class PashaRules(Rules[PashaState]):
    """Version 1 of the rules, 2–5 seats."""

    State: ClassVar[type] = PashaState
    Memory: ClassVar[type | None] = engine.Memory
    deliberate = frozenset({"play_card", "throw", "end_turn"})

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        name = file_name(config.options)
        if name not in config.data:
            raise InvalidOptions({"edition": f"the tile file {name} is missing"})
        self.tiles = tiles(config.data[name])
        self.specials = bool(config.options.get("specials", False))

    # Setup

    def setup(self, start_seat: int | None, chance: Chance) -> Sequence[Any]:
        """Seat by seat the cards are shuffled into stacks, then the tiles; a start seat not given is drawn last."""
        stacks = tuple(_stacks(chance.shuffled(CARDS)) for _ in range(self.config.seats))
        order = chance.shuffled(self.tiles)
        if start_seat is None:
            (start_seat,) = chance.integers(1, self.config.seats)
        return GameSetUp(start_seat, stacks, order, STONES), RoundStarted(1, start_seat, *order[0])

    # A round

    def legal_actions(self, state: PashaState, seat: int) -> tuple[dict[str, Any], ...]:
        if seat not in self.to_act(state):
            return ()
        return tuple(_OFFERS[state.phase](self, state))

    def decide(self, state: PashaState, seat: int, action: Action, chance: Chance) -> Sequence[Any]:
        check_shape(action)
        if seat not in self.to_act(state):
            raise IllegalAction("pasha.not-your-turn", _whose_turn(self, state))
        return _STEPS[action["type"]](self, state, action, chance)

    def may_restart(self, state: PashaState) -> bool:
        """Card 2's restart: once, after a throw or stop, before a stone is spent (Option specials)."""
        return state.restart and not state.stone_spent and state.dice is not None and state.phase in ("throw", "stones")

    # 1 Tile and 2 Turns: Card

    def _card_choices(self, state: PashaState) -> list[dict[str, Any]]:
        hand = state.seats[state.seat].hand
        return [{"type": "play_card", "value": value} for value in sorted(set(hand))]

    def _play_card(self, state: PashaState, action: Action, chance: Chance) -> Sequence[Any]:
        if state.phase != "card":
            raise IllegalAction("pasha.card-already-played", "one card a turn; this turn's lies on the table")
        seat, value = state.seats[state.seat], action["value"]
        if value not in seat.hand:
            raise IllegalAction("pasha.card-not-in-hand", f"play a card of the hand: {_listed(sorted(set(seat.hand)))}")
        taken = seat.stacks[0] if len(seat.hand) == 1 and seat.stacks else ()
        throws = THROWS + (self.specials and value == FOUR_THROWS_CARD)
        return (CardPlayed(state.seat, value, taken, throws, self.specials and value == RESTART_CARD),)

    # Dice

    def _throw_choices(self, state: PashaState) -> list[dict[str, Any]]:
        if state.dice is None:
            return [{"type": "throw", "keep": []}]
        throws = [{"type": "throw", "keep": list(kept)} for kept in keeps(state.dice)]
        return [*throws, {"type": "stop"}, *self._restart_choice(state)]

    def _throw(self, state: PashaState, action: Action, chance: Chance) -> Sequence[Any]:
        _refuse_before_the_card(state)
        _refuse_after_the_jeton(state)
        if state.phase != "throw":
            raise IllegalAction("pasha.no-throw-left", "the throws of this turn are over; a stone buys a rethrow")
        kept = _kept(state, action)
        return (DiceThrown(state.seat, kept, chance.dice(5 - len(kept)), state.throws_left - 1),)

    def _stop(self, state: PashaState, action: Action, chance: Chance) -> Sequence[Any]:
        _refuse_before_the_first_throw(state)
        _refuse_after_the_jeton(state)
        if state.phase != "throw":
            raise IllegalAction("pasha.no-throw-left", "the throws of this turn are over already")
        return (ThrowingStopped(state.seat),)

    def _restart_choice(self, state: PashaState) -> list[dict[str, Any]]:
        return [{"type": "restart"}] if self.may_restart(state) else []

    def _restart(self, state: PashaState, action: Action, chance: Chance) -> Sequence[Any]:
        _refuse_before_the_first_throw(state)
        _refuse_after_the_jeton(state)
        if not self.may_restart(state):
            raise IllegalAction(
                "pasha.no-restart", "the card 2 allows one restart a turn, before a stone is spent, with specials only"
            )
        return (DiceRestarted(state.seat, chance.dice(5), RESTART_THROWS),)

    # Stones

    def _stone_choices(self, state: PashaState) -> list[dict[str, Any]]:
        dice = state.dice or ()
        choices: list[dict[str, Any]] = [{"type": "place", "column": column} for column in columns_of(dice)]
        if state.seats[state.seat].stones:
            choices += [{"type": "adjust", "from": old, "to": new} for old, new in adjustments(dice)]
            choices += [{"type": "rethrow", "keep": list(kept)} for kept in keeps(dice)]
        return choices + self._restart_choice(state)

    def _rethrow(self, state: PashaState, action: Action, chance: Chance) -> Sequence[Any]:
        stones = _stones_after_one(state)
        kept = _kept(state, action)
        return (DiceRethrown(state.seat, kept, chance.dice(5 - len(kept)), stones),)

    def _adjust(self, state: PashaState, action: Action, chance: Chance) -> Sequence[Any]:
        stones = _stones_after_one(state)
        before, after = action["from"], action["to"]
        if before not in (state.dice or ()):
            raise IllegalAction("pasha.no-such-die", f"no die shows {before}; they show {_dice(state)}")
        if (before, after) not in adjustments(state.dice or ()):
            raise IllegalAction("pasha.wrong-adjustment", "a stone turns a die by one, and never 6 to 1 or 1 to 6")
        return (DieAdjusted(state.seat, before, after, stones),)

    # Jeton

    def _place(self, state: PashaState, action: Action, chance: Chance) -> Sequence[Any]:
        _refuse_during_the_throws(state)
        dice, column = state.dice or (), action["column"]
        if column not in columns_of(dice):
            raise IllegalAction(
                "pasha.wrong-column", f"{_dice(state)} is a result of column {_listed(columns_of(dice))}"
            )
        row = row_of(dice)
        below = sum(
            seat.jeton is not None and (seat.jeton.row, seat.jeton.column) == (row, column) for seat in state.seats
        )
        return (JetonPlaced(state.seat, row, column, below),)

    # End of the turn, 3 Award

    def _end_choice(self, state: PashaState) -> list[dict[str, Any]]:
        return [{"type": "end_turn"}]

    def _end_turn(self, state: PashaState, action: Action, chance: Chance) -> Sequence[Any]:
        """The next seat's turn; after the last one the award and, unless it was the ninth round, the next one."""
        if state.phase != "placed":
            raise IllegalAction("pasha.jeton-not-placed", "a turn ends when its jeton is placed")
        following = (state.seat + 1) % self.config.seats
        if following != state.start_seat:
            return (TurnEnded(state.seat, following),)
        awarded = scoring.award(state, state.seat)
        if state.round == ROUNDS:
            return (awarded,)
        return awarded, RoundStarted(state.round + 1, awarded.order[0], *state.face_down[0])

    # What the table asks

    def evolve(self, state: PashaState | None, fact: Any) -> PashaState:
        return evolve(state, fact)

    def to_act(self, state: PashaState) -> tuple[int, ...]:
        return (state.seat,) if state.phase in _OFFERS else ()

    def turn(self, state: PashaState) -> Turn:
        return Turn(state.turn, state.seat)

    def is_barrier(self, state: PashaState, fact: Any) -> bool:
        """Dice, a stack taken, a tile turned up: what the seat could not see before."""
        return isinstance(fact, _REVEALING) or (isinstance(fact, CardPlayed) and bool(fact.taken))

    def is_final(self, state: PashaState, seat: int, action: Action) -> bool:
        if action["type"] == "play_card":
            return len(state.seats[seat].hand) == 1 and bool(state.seats[seat].stacks)
        return action["type"] in _FINAL

    def end_reason(self, state: PashaState) -> str | None:
        return scoring.REASON if state.phase == "awarded" and state.round == ROUNDS else None

    def score(self, state: PashaState) -> ScoreSheet:
        return scoring.score(state)

    def view(self, state: PashaState, viewer: Viewer) -> dict[str, Any]:
        return view.view(state, viewer)

    def fact_view(self, fact: Any, viewer: Viewer) -> dict[str, Any]:
        return view.fact_view(fact, viewer)

    def describe(self, fact: Any, language: Language, viewer: Viewer) -> str:
        return text.describe(fact, language, viewer)

    def remember(self, memory: engine.Memory | None, state: PashaState | None, fact: Any) -> engine.Memory | None:
        return memories.remember(memory, fact)

    def knowledge(self, state: PashaState, memory: engine.Memory, viewer: Viewer) -> dict[str, Any]:
        return memories.knowledge(memory, self.config.seats, viewer)

    def redrawn(self, state: PashaState, world: Mapping[str, Sequence[str]], rng: Random) -> PashaState:
        """Hands and stacks as in a world; the face-down tiles in any order."""
        tiles = tuple(rng.sample(state.face_down, len(state.face_down)))
        return replace(state, seats=memories.standing(state.seats, world), face_down=tiles)


_REVEALING = (DiceThrown, DiceRestarted, DiceRethrown, RoundStarted)
_FINAL = frozenset({"throw", "rethrow", "restart", "end_turn"})

_OFFERS: Mapping[str, Callable[[PashaRules, PashaState], list[dict[str, Any]]]] = {
    "card": PashaRules._card_choices,
    "throw": PashaRules._throw_choices,
    "stones": PashaRules._stone_choices,
    "placed": PashaRules._end_choice,
}
"""Phase → what the seat in turn may do."""

_STEPS: Mapping[str, Callable[[PashaRules, PashaState, Action, Chance], Sequence[Any]]] = {
    "play_card": PashaRules._play_card,
    "throw": PashaRules._throw,
    "stop": PashaRules._stop,
    "restart": PashaRules._restart,
    "rethrow": PashaRules._rethrow,
    "adjust": PashaRules._adjust,
    "place": PashaRules._place,
    "end_turn": PashaRules._end_turn,
}


def _stacks(cards: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(cards[at : at + STACK]) for at in range(0, len(cards), STACK))


def _kept(state: PashaState, action: Action) -> tuple[int, ...]:
    kept = tuple(action["keep"])
    if state.dice is None and kept:
        raise IllegalAction("pasha.wrong-keep", "the first throw is of all five dice: keep none")
    if state.dice is not None and kept not in keeps(state.dice):
        raise IllegalAction("pasha.wrong-keep", f"keep up to four of {_dice(state)}, in ascending order")
    return kept


def _stones_after_one(state: PashaState) -> int:
    _refuse_during_the_throws(state)
    stones = state.seats[state.seat].stones
    if not stones:
        raise IllegalAction("pasha.no-stone-left", "every effect costs a stone, and this seat has spent all five")
    return stones - 1


def _refuse_before_the_card(state: PashaState) -> None:
    if state.phase == "card":
        raise IllegalAction("pasha.card-first", "a turn begins with playing a card")


def _refuse_before_the_first_throw(state: PashaState) -> None:
    _refuse_before_the_card(state)
    if state.dice is None and state.phase == "throw":
        raise IllegalAction("pasha.throw-first", "throw the dice once at least")


def _refuse_during_the_throws(state: PashaState) -> None:
    _refuse_before_the_first_throw(state)
    _refuse_after_the_jeton(state)
    if state.phase == "throw":
        raise IllegalAction("pasha.throws-left", "use the throws left or stop first")


def _refuse_after_the_jeton(state: PashaState) -> None:
    if state.phase == "placed":
        raise IllegalAction("pasha.jeton-placed", "the result stands once the jeton is placed; end the turn")


def _whose_turn(rules: PashaRules, state: PashaState) -> str:
    return "the game is over" if rules.is_over(state) else f"it is the turn of seat {state.seat}"


def _dice(state: PashaState) -> str:
    return "-".join(map(str, state.dice or ()))


def _listed(values: Sequence[int | None]) -> str:
    return " or ".join("null" if value is None else str(value) for value in values)
