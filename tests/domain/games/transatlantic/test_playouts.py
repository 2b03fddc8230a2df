"""Random games of Transatlantic over all seat counts and variants, with the game's invariants after every fact.

A failure prints the call that plays the same game again: `playout(seats, options, seed)` of this module.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from domain.game import IllegalAction
from domain.games.transatlantic.rules import TransatlanticRules
from domain.games.transatlantic.state import GameState
from tests.domain.games.transatlantic import invariants, scorer
from tests.domain.games.transatlantic.positions import chance_from, rules_for

VARIANTS = [{"market": market, "president": president} for market in (False, True) for president in (False, True)]
TABLES = [(seats, options) for seats in (2, 3, 4) for options in VARIANTS]
NAMES = [f"{seats}-{'-'.join(name for name, on in options.items() if on) or 'plain'}" for seats, options in TABLES]
SOAK_GAMES = 300


class Game:
    """A game being played by random choices, checked after every fact."""

    def __init__(self, seats: int, options: dict[str, bool], seed: int) -> None:
        self.rules: TransatlanticRules = rules_for(seats, **options)
        self.chance, self.random, self.seed = chance_from(seed), Random(seed), seed
        self.decisions = 0
        state: Any = None
        for fact in self.rules.setup(None, self.chance):
            state = self.rules.evolve(state, fact)
        self.state: GameState = state

    def step(self) -> None:
        forced = self.rules.forced(self.state)
        if forced is None:
            (seat,) = self.rules.to_act(self.state)
            forced = seat, self.random.choice(self.rules.legal_actions(self.state, seat))
        for fact in self.rules.decide(self.state, *forced, self.chance):
            self.state = self.rules.evolve(self.state, fact)
            invariants.check(self.rules, self.state)
        invariants.somebody_is_to_act(self.rules, self.state)
        self.decisions += 1
        assert self.decisions < 20_000, "this game does not end"

    def play(self) -> GameState:
        while not self.rules.is_over(self.state):
            self.step()
        return self.state


def playout(seats: int, options: dict[str, bool], seed: int) -> None:
    """One whole game; on failure the seed is in the message."""
    game = Game(seats, options, seed)
    try:
        state = game.play()
        view = game.rules.view(state, None)
        sheet = game.rules.score(state)
        totals, ranks, tie_break = scorer.result(view)
        assert [line.total for line in sheet.seats] == totals
        assert [line.rank for line in sheet.seats] == ranks
        assert sheet.tie_break == tie_break
        assert sheet.reason in ("last_steamship", "no_purchase")
        assert [seat["points_if_scored_now"] for seat in view["seats"]] == totals
    except (AssertionError, IllegalAction) as error:
        raise AssertionError(f"playout({seats}, {options}, {seed}): {error}") from error


@pytest.mark.parametrize(("seats", "options"), TABLES, ids=NAMES)
def test_random_games_end_and_keep_their_invariants(seats: int, options: dict[str, bool]) -> None:
    for seed in range(2):
        playout(seats, options, seed)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("seats", "options"), TABLES, ids=NAMES)
def test_many_random_games_end_and_keep_their_invariants(seats: int, options: dict[str, bool]) -> None:
    for seed in range(1000, 1000 + SOAK_GAMES):
        playout(seats, options, seed)


def sampled(seats: int, options: dict[str, bool], seed: int, every: int) -> Any:
    """A game stopped at every so manieth decision."""
    game = Game(seats, options, seed)
    while not game.rules.is_over(game.state):
        if game.decisions % every == 0:
            yield game
        game.step()


NONSENSE: list[Any] = [
    {},
    {"type": "fly"},
    {"type": ["play"]},
    {"type": "play"},
    {"type": "play", "card": 3},
    {"type": "play", "card": "coal", "again": True},
    {"type": "buy", "slot": True},
    {"type": "buy", "slot": "0"},
    {"type": "buy", "slot": 99},
    {"type": "buy", "slot": -1},
    {"type": "deploy", "ship": "umbria"},
    {"type": "deploy", "ship": "nautilus", "region": "atlantis"},
    {"type": "travel", "ship": "nautilus"},
    {"type": "choose_region", "region": "atlantis"},
    {"type": "choose_mode", "mode": "both"},
    {"type": "coal", "ship": "nautilus"},
    {"type": "marker", "kind": "riband"},
    {"type": "marker", "kind": "gold"},
    {"type": "house", "region": "atlantis"},
    {"type": "copy", "seat": 9},
    {"type": "copy", "seat": False},
    {"type": "take_card", "card": "director"},
    {"type": "tile", "card": "director"},
    {"type": "done", "now": 1},
]


@pytest.mark.parametrize(("seats", "options"), [(2, VARIANTS[0]), (4, VARIANTS[3])])
def test_whatever_is_not_listed_is_refused_by_name_and_changes_nothing(seats: int, options: dict[str, bool]) -> None:
    others: list[Any] = []
    for game in sampled(seats, options, 5, every=7):
        (seat,) = game.rules.to_act(game.state)
        legal = list(game.rules.legal_actions(game.state, seat))
        before, drawn = repr(game.state), game.chance.counter
        for action in NONSENSE + [action for action in others if action not in legal]:
            with pytest.raises(IllegalAction) as refused:
                game.rules.decide(game.state, seat, action, game.chance)
            assert refused.value.rule.startswith("transatlantic.")
            assert refused.value.message
        with pytest.raises(IllegalAction):
            game.rules.decide(game.state, (seat + 1) % seats, legal[0], game.chance)
        assert (repr(game.state), game.chance.counter) == (before, drawn)
        others = (others + legal)[-25:]


def test_asking_and_deciding_never_change_a_state() -> None:
    for game in sampled(3, VARIANTS[3], 8, every=5):
        before = repr(game.state)
        (seat,) = game.rules.to_act(game.state)
        counter = game.chance.counter
        for action in game.rules.legal_actions(game.state, seat):
            game.rules.is_final(game.state, seat, action)
            state = game.state
            for fact in game.rules.decide(state, seat, action, chance_from(game.seed)):
                state = game.rules.evolve(state, fact)
            invariants.check(game.rules, state)
        game.rules.view(game.state, seat)
        assert repr(game.state) == before
        assert game.chance.counter == counter


def test_an_action_is_final_exactly_if_its_command_turns_out_a_barrier() -> None:
    """Nothing hidden plays a part before a turn ends, so the forecast is exact."""
    seen = {True: 0, False: 0}
    for game in sampled(3, VARIANTS[1], 3, every=3):
        (seat,) = game.rules.to_act(game.state)
        for action in game.rules.legal_actions(game.state, seat):
            seen[game.rules.is_final(game.state, seat, action)] += 1
            state, turn, chance = game.state, game.rules.turn(game.state), chance_from(1)
            choice: Any = (seat, action)
            barrier = False
            while choice is not None and not game.rules.is_over(state):
                for fact in game.rules.decide(state, *choice, chance):
                    barrier = barrier or game.rules.is_barrier(state, fact)
                    state = game.rules.evolve(state, fact)
                choice = game.rules.forced(state)
            barrier = barrier or game.rules.turn(state) != turn or game.rules.to_act(state) != (seat,)
            assert game.rules.is_final(game.state, seat, action) is (barrier or seat != turn.seat)
    assert min(seen.values()) > 20


def test_the_same_seed_and_actions_give_the_same_game() -> None:
    assert repr(Game(3, VARIANTS[2], 4).play()) == repr(Game(3, VARIANTS[2], 4).play())


def test_facts_are_json_and_lean() -> None:
    sizes = []
    for game in sampled(4, VARIANTS[3], 6, every=2):
        (seat,) = game.rules.to_act(game.state)
        for action in game.rules.legal_actions(game.state, seat)[:3]:
            for fact in game.rules.decide(game.state, seat, action, chance_from(2)):
                fields = {name: getattr(fact, name) for name in type(fact).__slots__}
                sizes.append(len(json.dumps(fields, ensure_ascii=False)))
    sizes.sort()
    assert sizes[len(sizes) // 2] <= 250
