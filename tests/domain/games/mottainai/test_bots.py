"""The bots: strength, determinism, and that they know no more than their view tells."""

from __future__ import annotations

import random
from typing import Any

import pytest

from domain.chance import Chance
from domain.game import Position
from domain.games.mottainai import GAME
from tests.domain.games.mottainai.positions import Play, rules_for
from tests.domain.games.mottainai.test_view import twin


def position(rules: Any, state: Any) -> Position:
    seat = state.active
    actions = tuple(rules.legal_actions(state, seat))
    return Position(seat, rules.config.seats, rules.config.options, rules.view(state, seat), None, actions)


def duel(seed: int, bots: tuple[str, ...], **options: bool) -> tuple[int, ...]:
    """The winners of a game of bots."""
    rules, rng, chance = rules_for(len(bots), **options), random.Random(seed), Chance(seed.to_bytes(32, "big"))
    state: Any = None
    for fact in rules.setup(None, chance):
        state = rules.evolve(state, fact)
    while not state.ended:
        forced = rules.forced(state)
        action = forced[1] if forced else GAME.bots[bots[state.active]](position(rules, state), rng)
        for fact in rules.decide(state, state.active, action, chance):
            state = rules.evolve(state, fact)
    return rules.score(state).winners


def won(games: range) -> int:
    bots = [("automa", "random"), ("random", "automa")]
    return sum(bots[seed % 2][duel(seed, bots[seed % 2])[0]] == "automa" for seed in games)


def test_automa_beats_random_in_most_of_thirty_games() -> None:
    assert won(range(30)) >= 25


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_automa_beats_random_in_ninety_percent_of_two_hundred_games() -> None:
    wins = won(range(200))
    print(f"automa wins {wins} of 200 games against random")
    assert wins >= 180


@pytest.mark.parametrize("options", [{}, {"teams": True}])
def test_automa_plays_every_number_of_seats(options: dict[str, bool]) -> None:
    for seats in (4,) if options else (2, 3, 4, 5):
        assert duel(seats, ("automa",) * seats, **options)


def test_automa_is_deterministic_and_can_not_tell_twins_apart() -> None:
    rules, rng, chance = rules_for(3), random.Random(5), Chance(bytes(32))
    state: Any = None
    for fact in rules.setup(0, chance):
        state = rules.evolve(state, fact)
    for _ in range(60):
        chosen = GAME.bots["automa"](position(rules, state), random.Random(1))
        assert chosen == GAME.bots["automa"](position(rules, state), random.Random(2))
        if state.frames[-1].kind not in ("fan", "place"):
            other = twin(state, state.active, rng)
            assert chosen == GAME.bots["automa"](position(rules, other), random.Random(1))
        for fact in rules.decide(state, state.active, chosen, chance):
            state = rules.evolve(state, fact)
        if state.ended:
            return


def test_automa_completes_a_work_when_it_can() -> None:
    play = Play("hand: bowl jar vase", "", at="smith 1")
    assert GAME.bots["automa"](position(play.rules, play.state), random.Random(1)) == {"type": "perform", "as": "task"}


def test_automa_ends_the_game_with_cup_only_when_ahead() -> None:
    behind = Play("gallery: cup", "gallery: pin coin; shop: bell").do("no_task")
    ahead = Play("gallery: cup pin", "").do("no_task")
    rng = random.Random(1)
    assert GAME.bots["automa"](position(behind.rules, behind.state), rng)["type"] == "decline"
    assert GAME.bots["automa"](position(ahead.rules, ahead.state), rng) == {"type": "use_work", "work": "cup"}
