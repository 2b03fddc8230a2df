"""The rules of Mottainai, bound to a table: setting up, and carrying a decision through the stack of frames.

Each frame's kind has a row that lists, resolves and advances it; the rows are in `turn.py`, `actions.py`,
`completing.py`, `works.py` and `aftermath.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.chance import Chance
from domain.game import Action, Config, IllegalAction, Rules, ScoreSheet, Turn
from domain.games.mottainai import facts as f
from domain.games.mottainai.actions import ACTION_FRAMES
from domain.games.mottainai.aftermath import AFTER_FRAMES
from domain.games.mottainai.board import Board, GameOver, Kind, Run, Setting
from domain.games.mottainai.cards import KEYS
from domain.games.mottainai.completing import COMPLETING_FRAMES
from domain.games.mottainai.refusals import refusal, well_formed
from domain.games.mottainai.state import Frame, State, evolve
from domain.games.mottainai.turn import TURN_FRAMES
from domain.games.mottainai.works import WORK_FRAMES

FRAMES: dict[str, Kind] = TURN_FRAMES | ACTION_FRAMES | COMPLETING_FRAMES | WORK_FRAMES | AFTER_FRAMES

HAND = 5
ONE_DECK_SEATS = 3
WING_LIMIT, LONG_WING_LIMIT = 5, 6


def decks(seats: int) -> int:
    """Material: one deck for 2 and 3 seats, two shuffled together for 4 and 5."""
    return 1 if seats <= ONE_DECK_SEATS else 2


def settle(run: Run) -> None:
    """Advance frames until one has something to decide."""
    while True:
        frame = run.frames[-1]
        kind = FRAMES[frame.kind]
        if kind.options(run, frame):
            return
        kind.advance(run, frame)


class MottainaiRules(Rules[State]):
    """Version 1."""

    State = State
    deliberate = frozenset({"no_task", "end_turn"})

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        limit = LONG_WING_LIMIT if config.options["long"] else WING_LIMIT
        self.setting = Setting(config.seats, limit, config.options["teams"])
        self._listed: tuple[State | None, tuple[Action, ...]] = (None, ())

    def setup(self, start_seat: int | None, chance: Chance) -> Sequence[Any]:
        """Five cards to each hand, one face-down card into each task slot, one card a seat to the floor."""
        seats = self.config.seats
        start = chance.integers(1, seats)[0] if start_seat is None else start_seat
        deck = chance.shuffled(KEYS * decks(seats))
        hands = tuple(deck[HAND * seat : HAND * (seat + 1)] for seat in range(seats))
        rest = deck[HAND * seats :]
        tasks, floor, deck = rest[:seats], rest[seats : 2 * seats], rest[2 * seats :]
        dealt = f.CardsDealt(start, hands, tasks, floor, deck, 0, (Frame("limit").packed(),))
        run = Run(evolve(None, dealt), self.setting)
        settle(run)
        run.close()
        return [dealt, *run.facts]

    def legal_actions(self, state: State, seat: int) -> Sequence[Action]:
        if seat != state.active or state.ended:
            return ()
        known, actions = self._listed
        if known is not state:
            frame = state.frames[-1]
            actions = tuple(FRAMES[frame.kind].options(Board(state, self.setting), frame))
            self._listed = (state, actions)
        return actions

    def decide(self, state: State, seat: int, action: Action, chance: Chance) -> Sequence[Any]:
        if state.ended:
            raise IllegalAction("mottainai.game-over", "the game is over")
        if seat != state.active:
            raise IllegalAction("mottainai.not-your-turn", f"it is the turn of seat {state.active}")
        frame = state.frames[-1]
        legal = self.legal_actions(state, seat)
        if not well_formed(action) or dict(action) not in legal:
            raise refusal(frame, action, legal)
        run = Run(state, self.setting)
        try:
            FRAMES[frame.kind].resolve(run, frame, dict(action))
            settle(run)
        except GameOver:
            return run.facts
        if run.silent:
            value = next((v for name, v in action.items() if name != "type"), None)
            run.emit(f.ChoiceMade(seat, action["type"], value))
        run.close()
        return run.facts

    def evolve(self, state: State | None, fact: Any) -> State:
        return evolve(state, fact)

    def to_act(self, state: State) -> tuple[int, ...]:
        return () if state.ended else (state.active,)

    def turn(self, state: State) -> Turn:
        return Turn(state.number, state.active)

    def end_reason(self, state: State) -> str | None:
        return state.ended
