"""The rules of Transatlantic: one table of steps, and how a decision leads to the next.

A step that waits is a `Pending` on the state's stack; `STEPS` says for each kind what may be chosen, what the
choice leads to, and what happens where nothing is left to choose. Each rule lives in the module that `STEPS` names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar

from domain.chance import Chance
from domain.game import Action, Config, Language, Rules, ScoreSheet, Turn, Viewer
from domain.games.transatlantic import (
    buying,
    cards,
    deploying,
    ending,
    loading,
    refusals,
    scoring,
    setup,
    text,
    travelling,
    view,
)
from domain.games.transatlantic import (
    memory as remembering,
)
from domain.games.transatlantic.evolve import evolve, start
from domain.games.transatlantic.facts import ChoiceDeclined, GameFact, GameSetUp, TurnEnded
from domain.games.transatlantic.setting import Setting, instead
from domain.games.transatlantic.state import GameState, Pending, Stack, rows
from domain.memory import Memory


@dataclass(frozen=True, slots=True)
class Step:
    """A kind of decision.

    Args:
        options: what may be chosen; nothing, or only `done`: the step is over by itself.
        act: what a choice other than `done` and `end_turn` leads to.
        alone: what happens instead of a decision, if something does.
    """

    options: Callable[[Setting, GameState, Pending], list[Action]]
    act: Callable[[Setting, GameState, Pending, Action], GameFact]
    alone: Callable[[Setting, GameState, Pending], GameFact | None] = lambda setting, state, step: None


def _end_options(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    return [{"type": "end_turn"}]


def _nothing(setting: Setting, state: GameState, step: Pending) -> list[Action]:
    return []


def _never(setting: Setting, state: GameState, step: Pending, action: Action) -> GameFact:
    raise AssertionError(f"{step.what} is never chosen")


STEPS: dict[str, Step] = {
    "opening": Step(buying.opening_options, buying.buy_in_opening),
    "play": Step(cards.play_options, cards.play),
    "end": Step(_end_options, _never),
    "buy": Step(buying.buy_options, buying.buy),
    "extra_coal": Step(buying.extra_coal_options, buying.load_extra_coal),
    "deploy_new": Step(deploying.deploy_new_options, deploying.deploy),
    "deploy": Step(deploying.deploy_options, deploying.deploy),
    "displaced": Step(deploying.displaced_options, deploying.deploy, deploying.scrapping),
    "travel": Step(travelling.travel_options, travelling.travel),
    "region": Step(travelling.region_options, travelling.travel_region),
    "mode": Step(travelling.mode_options, travelling.choose_mode),
    "coal": Step(loading.coal_options, loading.load_coal),
    "copy": Step(cards.copy_options, cards.copy_card),
    "invest": Step(loading.invest_options, loading.invest),
    "pair": Step(loading.pair_options, loading.take_pair),
    "bonus": Step(loading.bonus_options, loading.take_bonus),
    "marker": Step(loading.marker_options, loading.take_marker),
    "contracts": Step(loading.contract_options, loading.take_for_contracts),
    "sale": Step(_nothing, _never, loading.selling),
    "card": Step(cards.display_options, cards.take_card),
}


class TransatlanticRules(Rules[GameState]):
    """Version 1 of the rules, 2–4 seats, variants market and president."""

    State: ClassVar[type] = GameState
    Memory: ClassVar[type] = Memory
    deliberate = frozenset({"play", "tile", "buy", "end_turn"})

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.setting = Setting.of(config)

    def setup(self, start_seat: int | None, chance: Chance) -> Sequence[Any]:
        return [setup.set_up(self.setting, start_seat, chance)]

    def to_act(self, state: GameState) -> tuple[int, ...]:
        return (state.pending[-1].seat,) if state.pending else ()

    def turn(self, state: GameState) -> Turn:
        return Turn(state.turn_number, state.turn_seat)

    def legal_actions(self, state: GameState, seat: int) -> Sequence[Action]:
        if not state.pending or state.pending[-1].seat != seat:
            return ()
        return _options(self.setting, state)

    def decide(self, state: GameState, seat: int, action: Action, chance: Chance) -> Sequence[Any]:
        """The facts of one decision, those included that follow without anybody deciding."""
        refusals.check(self.setting, state, seat, action, self.legal_actions(state, seat))
        return self._settled(state, self._chosen(state, state.pending[-1], action, chance))

    def _chosen(self, state: GameState, step: Pending, action: Action, chance: Chance) -> GameFact:
        if action["type"] == "end_turn":
            return ending.end_turn(self.setting, state, step.seat, chance)
        if action["type"] == "done":
            return ChoiceDeclined(step.seat, instead(state))
        return STEPS[step.what].act(self.setting, state, step, action)

    def _settled(self, state: GameState, fact: GameFact) -> list[GameFact]:
        """A fact and its consequences, each leaving a stack whose top is a real decision (or a consequence)."""
        settled: list[GameFact] = []
        following: GameFact | None = fact
        while following is not None:
            after = self.evolve(state, following)
            stack = _without_idle(self.setting, after)
            if stack != after.pending:
                following = replace(following, then=rows(stack))
                after = self.evolve(state, following)
            settled.append(following)
            state = after
            following = _alone(self.setting, state)
        return settled

    def evolve(self, state: GameState | None, fact: Any) -> GameState:
        if isinstance(fact, GameSetUp):
            return start(fact, self.setting.edition, self.setting.start_cards)
        assert state is not None, "the first fact sets the game up"
        return evolve(state, fact)

    def is_barrier(self, state: GameState, fact: Any) -> bool:
        """Only the end of a turn shows something new: ships from the deck, cards from the pile."""
        return isinstance(fact, TurnEnded) and (fact.drawn > 0 or bool(fact.turned))

    def is_final(self, state: GameState, seat: int, action: Action) -> bool:
        """Ending the turn, deciding in another seat's turn, or displacing a ship whose owner then decides.

        Nothing hidden is in play before a turn ends, so following the action to the next decision is exact.
        """
        if action["type"] == "end_turn" or seat != state.turn_seat:
            return True
        luck = Chance(bytes(32))
        choice: tuple[int, Action] | None = (seat, action)
        while choice is not None:
            for fact in self.decide(state, *choice, luck):
                state = self.evolve(state, fact)
            choice = self.forced(state)
        return self.to_act(state) != (seat,)

    def remember(self, memory: Any, state: GameState | None, fact: Any) -> Any:
        return remembering.remember(self.setting.edition, memory, state, fact)

    def knowledge(self, state: GameState, memory: Any, viewer: Viewer) -> dict[str, Any]:
        return remembering.knowledge(memory)

    def redrawn(self, state: GameState, world: Mapping[str, Sequence[str]], rng: Random) -> GameState:
        return remembering.standing(state, world)

    def end_reason(self, state: GameState) -> str | None:
        return None if state.pending else state.reason

    def score(self, state: GameState) -> ScoreSheet:
        return scoring.score(self.setting, state)

    def view(self, state: GameState, viewer: Viewer) -> dict[str, Any]:
        return view.view(self.setting, state)

    def fact_view(self, fact: Any, viewer: Viewer) -> dict[str, Any]:
        return view.fact_view(fact)

    def describe(self, fact: Any, language: Language, viewer: Viewer) -> str:
        return text.describe(self.setting, fact, language)


def _options(setting: Setting, state: GameState) -> list[Action]:
    step = state.pending[-1]
    return STEPS[step.what].options(setting, state, step)


def _alone(setting: Setting, state: GameState) -> GameFact | None:
    """What happens by itself at the top of the stack."""
    if not state.pending:
        return None
    step = state.pending[-1]
    return STEPS[step.what].alone(setting, state, step)


def _without_idle(setting: Setting, state: GameState) -> Stack:
    """The stack down to the first step in which something can be chosen or happens by itself."""
    stack = state.pending
    while stack:
        step = STEPS[stack[-1].what]
        options = step.options(setting, state, stack[-1])
        if any(option["type"] != "done" for option in options) or step.alone(setting, state, stack[-1]):
            break
        stack = stack[:-1]
    return stack
