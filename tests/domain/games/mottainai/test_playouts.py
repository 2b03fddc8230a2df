"""Random games of every seat count and option, with what must hold after every fact."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from domain.chance import Chance
from domain.games.mottainai.cards import EFFECT, MATERIAL, MATERIALS
from domain.games.mottainai.facts import EndReached
from tests.domain.games.mottainai.positions import located, rules_for

TABLES = [(2, {}), (2, {"long": True}), (3, {}), (3, {"long": True}), (4, {}), (4, {"long": False})]
TABLES += [(4, {"teams": True}), (4, {"teams": True, "long": False}), (5, {}), (5, {"long": False})]
FIRST = int(os.environ.get("SEED", "1"))


def name(table: Any) -> str:
    seats, options = table
    return "-".join([str(seats), *(f"{key}={value}" for key, value in options.items())])


def condition(rules: Any, state: Any) -> str | None:
    """The end condition that a position fulfils, counted anew: Turtle, then a full wing, then an empty deck."""
    for seat in state.temples:
        works = [EFFECT[work] for work in seat.works]
        if "turtle" in works and {MATERIAL[work] for work in works} == set(MATERIALS):
            return "turtle"
    for seat in state.temples:
        stones = sum(MATERIAL[work] == "stone" for work in seat.works)
        go_set = any(EFFECT[work] == "go_set" for work in seat.works)
        for wing in (seat.gallery, seat.gift_shop):
            here = [work for work in wing if not (go_set and MATERIAL[work] == "stone")]
            if len(here) + (stones if go_set else 0) >= rules.setting.wing_limit:
                return "wing"
    return None if state.deck else "deck"


def playout(table: Any, seed: int) -> str:
    seats, options = table
    rules = rules_for(seats, **options)
    rng, chance = random.Random(seed), Chance(seed.to_bytes(32, "big"))
    state: Any = None
    for fact in rules.setup(None, chance):
        state = rules.evolve(state, fact)
    cards = located(state)
    drawn = chance.counter
    assert drawn == 2, "setting up draws the start seat and the shuffle"
    while state.ended is None:
        (seat,) = rules.to_act(state)
        actions = rules.legal_actions(state, seat)
        assert actions, f"seat {seat} waits without a choice: {state.frames}"
        assert len({repr(a) for a in actions}) == len(actions), "the same choice twice"
        assert len(actions) <= 60
        before = hash((repr(state), repr(actions)))
        facts = rules.decide(state, seat, rng.choice(actions), chance)
        assert hash((repr(state), repr(rules.legal_actions(state, seat)))) == before, "a shared value was changed"
        assert facts
        for fact, after in zip(facts, [*facts[1:], None], strict=True):
            state = rules.evolve(state, fact)
            assert located(state) == cards, f"a card was lost or made by {fact}"
            if reason := condition(rules, state):
                assert state.ended or (isinstance(after, EndReached) and after.reason == reason), "played on"
    assert chance.counter == drawn, "play draws nothing"
    assert state.ended in (condition(rules, state), "cup", "round_limit")
    sheet = rules.score(state)
    assert len(sheet.winners) == (2 if options.get("teams") else 1)
    return str(state.ended)


def run(table: Any, seed: int) -> None:
    try:
        playout(table, seed)
    except Exception:
        print(f"reproduce: SEED={seed} python -m pytest {__file__} -k '{name(table)} and few'")
        raise


@pytest.mark.parametrize("table", TABLES, ids=name)
def test_a_few_random_games_keep_every_card_and_end(table: Any) -> None:
    for seed in range(FIRST, FIRST + 4):
        run(table, seed)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("table", TABLES, ids=name)
def test_five_hundred_random_games_keep_every_card_and_end(table: Any) -> None:
    for seed in range(FIRST, FIRST + 500):
        run(table, seed)
