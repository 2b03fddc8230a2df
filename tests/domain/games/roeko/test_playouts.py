"""Random games of R-Öko with the invariants of the rules page after every fact.

Reproduce one game: `pytest tests/domain/games/roeko/test_playouts.py --co` names the tests; a failure prints
the seats, the seed and the fact at which it broke, and `play(seats, seed)` plays that game again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from random import Random
from typing import Any

import pytest

from domain.chance import Chance
from domain.game import IllegalAction
from domain.games.roeko.facts import CardsDelivered, GameSetUp, PileReshuffled
from domain.games.roeko.rules import REWARDS, RoekoRules
from domain.games.roeko.state import MATERIALS, RoekoState
from tests.domain.games.roeko.helpers import SEATS, Policy, blindly, bot_policy, chance_from, legal, rules_for
from tests.domain.games.roeko.scorer import score as second_score

ALL = (19, 3) * 4


@dataclass
class Played:
    """A finished game: its facts, its last state, and what befell it."""

    rules: RoekoRules
    facts: list[Any]
    state: RoekoState
    actions: int = 0
    reshuffles: int = 0
    passes: int = 0


def play(seats: int, seed: int, policy: Policy = blindly, *, check: bool = True) -> Played:
    """A whole game; `check` asserts the invariants after every fact."""
    rules, chance, rng = rules_for(seats), chance_from(seed), Random(seed)
    (deal,) = rules.setup(None, chance)
    state = rules.evolve(None, deal)
    played = Played(rules, [deal], state)
    try:
        while not state.ended:
            actions = rules.legal_actions(state, state.seat)
            if check:
                check_decisions(rules, state, chance, rng)
            action = policy(state, actions, rng)
            for fact in rules.decide(state, state.seat, action, chance):
                before, state = state, rules.evolve(state, fact)
                played.facts.append(fact)
                played.reshuffles += type(fact).__name__ == "PileReshuffled"
                played.passes += type(fact).__name__ == "TurnPassed"
                if check:
                    check_state(before, state, fact)
            played.actions += 1
    except AssertionError as broken:
        broken.add_note(f"seats {seats}, seed {seed}, after {played.facts[-1]}")
        raise
    played.state = state
    return played


def check_state(before: RoekoState, state: RoekoState, fact: Any) -> None:
    """What holds after every fact: conservation, one zone a card, the bounds of the rules page."""
    zones = [*state.hands, *state.illegal, *state.dumps, state.discard, pile_counts(state), open_counts(state)]
    assert all(count >= 0 for zone in zones for count in zone)
    assert tuple(map(sum, zip(*zones, strict=True))) == ALL
    for material in range(4):
        won = [value for seat in state.won for value in seat[material]]
        assert sorted([*won, *state.rewards[material]]) == sorted(REWARDS[state.seats])
        assert state.rewards[material] == REWARDS[state.seats][len(won) :]
        assert 0 <= state.icons(material) <= 3
    assert all(sum(hand) <= 8 for hand in state.hands)
    assert state.excess <= 3
    waiting = [hand for seat, hand in enumerate(state.hands) if seat != state.seat or state.delivered is None]
    assert all(sum(hand) <= 5 for hand in waiting)
    assert sum(not stack for stack in state.rewards) <= 1
    if isinstance(fact, PileReshuffled):
        assert pile_counts(state) == before.discard
        assert before.pile_size == 0
    if isinstance(fact, CardsDelivered):
        icons = before.icons(MATERIALS.index(fact.material)) + fact.singles + 2 * fact.doubles
        assert icons <= 11
        assert (fact.reward is None) == (icons < 4)
        assert (fact.reward is None) == (state.icons(MATERIALS.index(fact.material)) > 0)


def pile_counts(state: RoekoState) -> tuple[int, ...]:
    left = state.pile[state.drawn :]
    return tuple(left.count(kind) for kind in range(8))


def open_counts(state: RoekoState) -> tuple[int, ...]:
    """The recycling sides as counts by kind."""
    return tuple(count for side in state.recycling for count in side)


def check_decisions(rules: RoekoRules, state: RoekoState, chance: Chance, rng: Random) -> None:
    """Somebody is to act; every listed action is accepted, each once; what is not listed is refused."""
    assert rules.to_act(state) == (state.seat,)
    listed = list(rules.legal_actions(state, state.seat))
    assert 0 < len(listed) <= 56
    before = chance.counter
    for action in rng.sample(listed, min(3, len(listed))):
        facts = rules.decide(state, state.seat, action, Chance(bytes(32)))
        final = any(rules.is_barrier(state, fact) for fact in facts) or action["type"] in ("end_turn", "pass")
        assert rules.is_final(state, state.seat, action) == final
    for action in rng.sample(CANDIDATES, 6):
        if action in listed:
            continue
        with pytest.raises(IllegalAction):
            rules.decide(state, state.seat, action, chance)
    for seat in range(state.seats):
        if seat != state.seat:
            assert not rules.legal_actions(state, seat)
            with pytest.raises(IllegalAction):
                rules.decide(state, seat, listed[0], chance)
    assert chance.counter == before


CANDIDATES: list[dict[str, Any]] = [
    *(
        {"type": "deliver", "material": material, "singles": singles, "doubles": doubles}
        for material in ("can", "glass", "plastic", "paper")
        for singles in range(6)
        for doubles in range(4)
    ),
    *(
        {"type": "dispose", "cards": {kind: count}}
        for kind in ("can1", "can2", "glass1", "plastic1", "paper1", "paper2")
        for count in (1, 2, 3)
    ),
    {"type": "end_turn"},
    {"type": "pass"},
]


def check_end(played: Played) -> None:
    """The score equals an independent recomputation; the record replays to an equal state."""
    rules, state = played.rules, played.state
    sheet = rules.score(state)
    second = second_score(rules.view(state, None))
    assert [line.total for line in sheet.seats] == second["totals"]
    assert [line.rank for line in sheet.seats] == second["ranks"]
    assert sheet.tie_break == second["tie_break"]
    assert sheet.reason == state.ended == rules.end_reason(state)
    assert replayed(rules, played.facts) == state
    if state.ended == "last_reward":
        assert [stack for stack in state.rewards if not stack] == [()]
    else:
        assert not any(map(any, state.hands))


def replayed(rules: RoekoRules, facts: Iterable[Any]) -> RoekoState:
    state: RoekoState | None = None
    for fact in facts:
        state = rules.evolve(state, fact)
    assert state is not None
    return state


def no_rush(state: RoekoState, actions: Any, rng: Random) -> Any:
    """Avoids rewards and delivers single cards: long games, many disposals, exhausted piles."""
    if state.delivered is not None or not any(state.hands[state.seat]):
        return rng.choice(actions)

    def rank(action: Any) -> tuple[bool, int, float]:
        material = MATERIALS.index(action["material"])
        icons = state.icons(material) + action["singles"] + 2 * action["doubles"]
        return icons >= 4, -sum(state.dumps[material]), rng.random()

    return min(actions, key=rank)


@pytest.mark.parametrize("seats", SEATS)
def test_random_games_keep_every_invariant_after_every_fact(seats: int) -> None:
    for seed in range(60):
        check_end(play(seats, seed))


@pytest.mark.parametrize("seats", SEATS)
def test_hoarding_games_exhaust_the_piles_and_keep_every_invariant(seats: int) -> None:
    games = [play(seats, seed, no_rush) for seed in range(12)]
    for game in games:
        check_end(game)
    assert any(game.reshuffles for game in games)


@pytest.mark.parametrize("seats", SEATS)
def test_automa_games_keep_every_invariant(seats: int) -> None:
    for seed in range(6):
        check_end(play(seats, seed, bot_policy("automa")))


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seats", SEATS)
def test_a_thousand_random_games_keep_every_invariant(seats: int) -> None:
    games = [play(seats, seed) for seed in range(1000, 2000)]
    for game in games:
        check_end(game)
    passed = sum(game.passes > 0 for game in games)
    reshuffled = sum(game.reshuffles > 0 for game in games)
    actions = sum(game.actions for game in games)
    print(f"{seats} seats: {actions} actions, {reshuffled} games with a reshuffle, {passed} with a pass")


@pytest.mark.parametrize("seats", SEATS)
def test_doing_and_undoing_gives_an_equal_state_view_and_list(seats: int) -> None:
    """States are values: every legal action of sampled positions leaves the position as it was."""
    rules, chance, rng = rules_for(seats), chance_from(seats), Random(seats)
    state = rules.evolve(None, rules.setup(None, chance)[0])
    while not state.ended:
        before = (repr(state), [rules.view(state, viewer) for viewer in (None, *range(seats))], legal(state))
        for action in legal(state):
            there, luck = state, Chance(bytes(32), chance.counter)
            for fact in rules.decide(state, state.seat, action, luck):
                there = rules.evolve(there, fact)
            assert there != state
        assert (repr(state), [rules.view(state, viewer) for viewer in (None, *range(seats))], legal(state)) == before
        for fact in rules.decide(state, state.seat, blindly(state, legal(state), rng), chance):
            state = rules.evolve(state, fact)


def test_the_same_seed_and_actions_give_the_same_facts() -> None:
    assert play(3, 17, check=False).facts == play(3, 17, check=False).facts


def test_the_state_is_made_of_plain_values() -> None:
    def plain(value: Any) -> bool:
        if isinstance(value, tuple):
            return all(map(plain, value))
        return value is None or type(value) in (int, str, bool)

    for state in (play(2, 5, check=False).state, play(5, 5, check=False).state):
        assert all(plain(getattr(state, field.name)) for field in fields(state))


def test_a_usual_fact_is_lean() -> None:
    facts = [fact for fact in play(4, 2, check=False).facts if not isinstance(fact, GameSetUp)]
    sizes = sorted(len(json.dumps(asdict(fact))) for fact in facts)
    assert sizes[len(sizes) // 2] <= 250
