"""Random games of Pasha with the invariants of the rules page after every fact.

A failure names seats, options and seed; `pytest tests/domain/games/pasha/test_playouts.py -k "<the test's id>"` plays
that game again.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from domain.chance import Chance
from domain.game import IllegalAction
from domain.games.pasha.facts import CardPlayed, DiceRethrown, DieAdjusted, GameSetUp, JetonPlaced, RoundAwarded
from domain.games.pasha.rules import PashaRules
from domain.games.pasha.state import PashaState
from tests.domain.games.pasha.positions import CARDS, rules_for, seed
from tests.domain.games.pasha.scorer import placed, second_score

PHASES = ("card", "throw", "stones", "placed")
BARRIERS = ("throw", "rethrow", "restart", "end_turn")

CANDIDATES: list[dict[str, Any]] = [
    *({"type": "play_card", "value": value} for value in (-1, 0, 1, 2, 3, 4, 5, 6, 7, None, True)),
    *({"type": kind, "keep": keep} for kind in ("throw", "rethrow") for keep in ([], [1], [6, 6], [2, 1], [1] * 5, 3)),
    *({"type": "place", "column": column} for column in (None, 0, 1, 2, 3, 4, 5, 6, 7, "1")),
    *({"type": "adjust", "from": old, "to": new} for old in range(8) for new in (old - 1, old + 1, 1, 6)),
    *({"type": kind} for kind in ("stop", "restart", "end_turn", "pass", "undo")),
    {},
]


def play(seats: int, number: int, *, specials: bool) -> None:
    """A whole random game; every invariant is asserted after every fact."""
    rules, chance, rng = rules_for(seats, specials=specials), Chance(seed(number)), Random(number)
    facts: list[Any] = []
    state: Any = None
    for fact in rules.setup(None, chance):
        state = rules.evolve(state, fact)
        facts.append(fact)
    while not rules.is_over(state):
        (seat,) = rules.to_act(state)
        check_decisions(rules, state, seat, rng)
        action = rng.choice(rules.legal_actions(state, seat))
        before, drawn = state, chance.counter
        told = rules.decide(state, seat, action, chance)
        for fact in told:
            known = rules.is_barrier(state, fact)
            assert known == rules.is_barrier(state, fact)
            state = rules.evolve(state, fact)
            facts.append(fact)
            check_state(rules, state, facts)
        check_barrier(rules, before, seat, action, told, chance.counter - drawn)
    check_end(rules, state, facts)


def check_decisions(rules: PashaRules, state: PashaState, seat: int, rng: Random) -> None:
    """Somebody is to act; every action is listed once and accepted; others are refused; nothing is mutated."""
    remembered = repr(state)
    listed = rules.legal_actions(state, seat)
    assert listed
    assert len({repr(action) for action in listed}) == len(listed) <= 60
    for action in rng.sample(listed, min(3, len(listed))):
        assert rules.decide(state, seat, action, Chance(bytes(32)))
    for action in rng.sample(CANDIDATES, 8):
        # True equals 1 in Python, so types are compared too.
        if repr(action) in map(repr, listed):
            continue
        chance = Chance(bytes(32))
        with pytest.raises(IllegalAction):
            rules.decide(state, seat, action, chance)
        assert chance.counter == 0
    for other in range(rules.config.seats):
        if other != seat:
            assert rules.legal_actions(state, other) == ()
            with pytest.raises(IllegalAction):
                rules.decide(state, other, listed[0], Chance(bytes(32)))
    for viewer in (None, *range(rules.config.seats)):
        rules.view(state, viewer)
    listed[0]["type"] = "spoilt"
    if "keep" in listed[-1]:
        listed[-1]["keep"].append(9)
    assert repr(state) == remembered
    assert rules.legal_actions(state, seat)[0]["type"] != "spoilt"
    assert 9 not in rules.legal_actions(state, seat)[-1].get("keep", [])


def check_barrier(rules: PashaRules, before: PashaState, seat: int, action: Any, told: Any, draws: int) -> None:
    """`final` is said of an action exactly if it turned out to be a barrier."""
    after = before
    barrier = draws > 0
    for fact in told:
        barrier = barrier or rules.is_barrier(after, fact)
        after = rules.evolve(after, fact)
    barrier = barrier or rules.turn(after) != rules.turn(before) or rules.is_over(after)
    assert rules.is_final(before, seat, action) == barrier
    assert barrier == (action["type"] in BARRIERS or (action["type"] == "play_card" and bool(told[0].taken)))


def check_state(rules: PashaRules, state: PashaState, facts: list[Any]) -> None:
    """Conservation of cards, stones, tiles and jetons; sizes that the rules bound."""
    seats = state.seats
    owned = Counter[int]()
    for one in seats:
        unplayed = [*one.hand, *sum(one.stacks, ())]
        assert one.hand == tuple(sorted(one.hand))
        assert len(one.hand) <= 3
        assert not Counter(unplayed) - Counter(CARDS)
        owned += Counter([*unplayed, *one.won_cards, *([] if one.played is None else [one.played])])
    assert owned == Counter({card: n * len(seats) for card, n in Counter(CARDS).items()})
    spent = Counter(fact.seat for fact in facts if isinstance(fact, DieAdjusted | DiceRethrown))
    assert [one.stones + spent[number] for number, one in enumerate(seats)] == [5] * len(seats)
    won = [tile for one in seats for tile in one.won_tiles]
    lying = [(column, points) for column, above in enumerate(state.lying, start=1) for points in above]
    assert sorted([*won, *lying, *state.face_down]) == sorted(rules.tiles)
    assert state.round + len(state.face_down) == 9
    spaces = [(one.jeton.row, one.jeton.column, one.jeton.level) for one in seats if one.jeton is not None]
    assert len(set(spaces)) == len(spaces)
    assert all((row, column, level - 1) in spaces for row, column, level in spaces if level)
    assert state.phase in (*PHASES, "awarded")
    assert 0 <= state.throws_left <= 4
    assert state.dice is None or (len(state.dice) == 5 and state.dice == tuple(sorted(state.dice)))


def check_end(rules: PashaRules, state: PashaState, facts: list[Any]) -> None:
    """Nine rounds, a jeton a seat and round, 19 card points a seat, the second scorer's figures."""
    seats = rules.config.seats
    assert rules.end_reason(state) == "nine_rounds"
    assert rules.to_act(state) == ()
    assert isinstance(facts[0], GameSetUp)
    assert sum(isinstance(fact, RoundAwarded) for fact in facts) == 9
    assert Counter(fact.seat for fact in facts if isinstance(fact, JetonPlaced)) == dict.fromkeys(range(seats), 9)
    assert Counter(fact.seat for fact in facts if isinstance(fact, CardPlayed)) == dict.fromkeys(range(seats), 9)
    assert rules.turn(state).number == 9 * seats
    sheet = rules.score(state)
    assert sum(line.breakdown["cards"] for line in sheet.seats) == 19 * seats
    expected = second_score(seats, facts)
    assert [{**line.breakdown, "total": line.total} for line in sheet.seats] == expected
    assert [line.rank for line in sheet.seats] == placed([line["total"] for line in expected])
    folded = None
    for fact in facts:
        folded = rules.evolve(folded, fact)
    assert folded == state


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("specials", [False, True], ids=["plain", "specials"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_random_game_keeps_every_invariant_to_its_end(seats, specials, number):
    play(seats, number, specials=specials)


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_many_random_games_keep_every_invariant(seats):
    for number in range(100, 160):
        print(f"seats {seats}, seed {number}")
        play(seats, number, specials=number % 2 == 1)
