"""Finds a game that ends because nobody can move: seats that see everything and want just that.

It takes every hand to run empty at once, so most of the 88 cards must be disposed of before a factory gives its
last reward. A beam search over whole turns gets there; ordinary play practically never does.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from domain.chance import Chance
from domain.games.roeko.rules import RoekoRules
from domain.games.roeko.state import RoekoState
from tests.domain.games.roeko.helpers import rules_for

WIDTH, DISPOSALS = 400, 5
Line = tuple[Any, ...]
Node = tuple[RoekoState, int, Line]
"""A position, the draws made on the way, and the way: nested (rest, (seat, action)) pairs."""


def nobody_can_move(seats: int, start_seat: int, seed: bytes) -> list[tuple[int, Any]]:
    """The actions of such a game, forced ones left out.

    Raises:
        LookupError: if the search ends without one.
    """
    rules, chance, rng = rules_for(seats), Chance(seed), Random(0)
    (deal,) = rules.setup(start_seat, chance)
    beam: list[Node] = [(rules.evolve(None, deal), chance.counter, ())]
    while beam:
        found: dict[Any, Node] = {}
        for node in beam:
            for state, draws, line in whole_turns(rules, node, seed, rng):
                if state.ended == "nobody_can_move":
                    return listed(line)
                if not state.ended and all(state.rewards):
                    key = (state.hands, state.dumps, state.recycling, state.pile_size, state.discard)
                    found.setdefault(key, (state, draws, line))
        beam = sorted(found.values(), key=lambda node: distance(node[0]) + rng.random())[:WIDTH]
    raise LookupError("every line came to a last reward")


def whole_turns(rules: RoekoRules, node: Node, seed: bytes, rng: Random) -> Iterator[Node]:
    """What a seat can make of its turn; of many disposals a few."""
    open_nodes = [node]
    while open_nodes:
        state, draws, line = open_nodes.pop()
        actions = rules.legal_actions(state, state.seat)
        if actions[0]["type"] == "dispose":
            actions = rng.sample(list(actions), min(DISPOSALS, len(actions)))
        for action in actions:
            seat, there, chance = state.seat, state, Chance(seed, draws)
            for fact in rules.decide(state, seat, action, chance):
                there = rules.evolve(there, fact)
            steps = (line, (seat, action))
            if not there.ended and (forced := rules.forced(there)):
                for fact in rules.decide(there, *forced, chance):
                    there = rules.evolve(there, fact)
            reached = (there, chance.counter, steps)
            if action["type"] in ("end_turn", "pass"):
                yield reached
            else:
                open_nodes.append(reached)


def distance(state: RoekoState) -> float:
    """Smaller is nearer: few cards in play, few materials in the hands, rewards left to take."""
    hands, dumps = sum(map(sum, state.hands)), sum(map(sum, state.dumps))
    rest = state.pile_size + sum(state.discard)
    value = hands + dumps + rest - 0.7 * sum(map(len, state.rewards))
    value += 2 * sum(len(stack) == 1 for stack in state.rewards) - 0.5 * sum(not any(dump) for dump in state.dumps)
    if rest < 8:
        value += 0.6 * hands
    if rest < 6 and dumps < 4:
        value += 0.8 * sum(hand[kind] + hand[kind + 1] > 0 for hand in state.hands for kind in (0, 2, 4, 6))
    return value


def listed(line: Line) -> list[tuple[int, Any]]:
    steps = []
    while line:
        line, step = line
        steps.append(step)
    return steps[::-1]
