"""The rules of Mottainai, bound to a table: setting up, and carrying a decision through the stack of frames.

Each frame's kind has a row that lists, resolves and advances it; the rows are in `turn.py`, `actions.py`,
`completing.py`, `works.py` and `aftermath.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from domain.chance import Chance
from domain.game import Action, Config, IllegalAction, Language, Rules, ScoreSheet, Turn, Viewer
from domain.games.mottainai import facts as f
from domain.games.mottainai import memory as knowing
from domain.games.mottainai import scoring, text, view
from domain.games.mottainai.actions import ACTION_FRAMES
from domain.games.mottainai.aftermath import AFTER_FRAMES
from domain.games.mottainai.board import Board, GameOver, Kind, Run, Setting
from domain.games.mottainai.cards import KEYS
from domain.games.mottainai.completing import COMPLETING_FRAMES
from domain.games.mottainai.refusals import refusal, well_formed
from domain.games.mottainai.state import Frame, evolve
from domain.games.mottainai.state import State as MottainaiState
from domain.games.mottainai.turn import TURN_FRAMES
from domain.games.mottainai.works import WORK_FRAMES
from domain.memory import Memory as PerfectMemory

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


class MottainaiRules(Rules[MottainaiState]):
    """Version 1."""

    State: ClassVar[type] = MottainaiState
    Memory: ClassVar[type | None] = PerfectMemory
    deliberate = frozenset({"no_task", "end_turn"})

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        limit = LONG_WING_LIMIT if config.options["long"] else WING_LIMIT
        self.setting = Setting(config.seats, limit, config.options["teams"])
        self._listed: tuple[MottainaiState | None, tuple[Action, ...]] = (None, ())

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

    def legal_actions(self, state: MottainaiState, seat: int) -> Sequence[Action]:
        if seat != state.active or state.ended:
            return ()
        known, actions = self._listed
        if known is not state:
            frame = state.frames[-1]
            actions = tuple(FRAMES[frame.kind].options(Board(state, self.setting), frame))
            self._listed = (state, actions)
        return actions

    def decide(self, state: MottainaiState, seat: int, action: Action, chance: Chance) -> Sequence[Any]:
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

    def evolve(self, state: MottainaiState | None, fact: Any) -> MottainaiState:
        return evolve(state, fact)

    def to_act(self, state: MottainaiState) -> tuple[int, ...]:
        return () if state.ended else (state.active,)

    def turn(self, state: MottainaiState) -> Turn:
        return Turn(state.number, state.active)

    def end_reason(self, state: MottainaiState) -> str | None:
        return state.ended

    def is_barrier(self, state: MottainaiState, fact: Any) -> bool:
        """A card of the deck, of another hand, or a face-down task turns up; or the waiting area is looked at."""
        match fact:
            case f.CardsMoved():
                return fact.src == "deck" or (fact.src == "task" and state.temples[fact.whose].face_down)
            case f.CardsRevealed():
                return fact.src == "deck"
            case f.HandsShown():
                return any(fact.hands)
            case f.WaitingTaken():
                return True
        return False

    def is_final(self, state: MottainaiState, seat: int, action: Action) -> bool:
        """Played through on the position: up to the first barrier nothing depends on a card the seat can't see."""
        chance, turn = Chance(bytes(32)), state.number
        step: tuple[int, Action] | None = (seat, action)
        while step:
            for fact in self.decide(state, *step, chance):
                if self.is_barrier(state, fact):
                    return True
                state = evolve(state, fact)
            if state.ended or state.number != turn:
                return True
            step = self.forced(state)
        return False

    def score(self, state: MottainaiState) -> ScoreSheet:
        return scoring.score(state, self.setting)

    def view(self, state: MottainaiState, viewer: Viewer) -> dict[str, Any]:
        return view.view(state, viewer)

    def fact_view(self, fact: Any, viewer: Viewer) -> dict[str, Any]:
        return view.fact_view(fact, viewer)

    def describe(self, fact: Any, language: Language, viewer: Viewer) -> str:
        return text.describe(fact, language, viewer)

    def remember(self, memory: Any, state: MottainaiState | None, fact: Any) -> PerfectMemory:
        return knowing.remember(memory, state, fact)

    def knowledge(self, state: MottainaiState, memory: Any, viewer: Viewer) -> dict[str, Any]:
        return knowing.knowledge(state, memory, viewer)

    def redrawn(self, state: MottainaiState, world: Mapping[str, Sequence[str]], rng: Random) -> MottainaiState:
        return knowing.redrawn(state, world)
