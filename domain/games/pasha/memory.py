"""What Pasha tells the memory engine: each seat's cards are a lot of their own, shuffled into its stacks, taken three
at a time into its hand and played in the open. The engine does all deduction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from domain.game import Viewer
from domain.games.pasha.facts import CardPlayed, GameSetUp
from domain.games.pasha.state import Seat
from domain.memory import Memory, Move, Shuffle, Zone, start

STACK = 3
"""Cards of a stack."""


def remember(memory: Memory | None, fact: Any) -> Memory | None:
    """The memory after a fact; None before the first, `GameSetUp`. Only cards played and taken move anything hidden."""
    if isinstance(fact, GameSetUp):
        return _set_up(fact)
    if memory is None or not isinstance(fact, CardPlayed):
        return memory
    hand = hand_of(fact.seat)
    return memory.after(Move((str(fact.value),), hand, None), Move(_kinds(fact.taken), stacks_of(fact.seat), hand))


def _set_up(fact: GameSetUp) -> Memory:
    zones = {}
    for seat in range(len(fact.stacks)):
        zones[hand_of(seat)] = Zone(sees=(seat,))
        zones[stacks_of(seat)] = Zone(ordered=True)
    memory = start(len(fact.stacks), zones)
    for seat, stacks in enumerate(fact.stacks):
        cards = _kinds(tuple(card for stack in stacks for card in stack))
        first = Move(_kinds(stacks[0]), stacks_of(seat), hand_of(seat))
        memory = memory.after(Shuffle(cards, stacks_of(seat)), first)
    return memory


def knowledge(memory: Memory, seats: int, viewer: Viewer) -> dict[str, Any]:
    """By seat what the viewer can know of its hand (null: its own, which it sees) and of its stacks together (View)."""
    return {
        "hands": [None if seat == viewer else _bounds(memory, viewer, hand_of(seat)) for seat in range(seats)],
        "stacks": [_bounds(memory, viewer, stacks_of(seat)) for seat in range(seats)],
    }


def standing(seats: Sequence[Seat], world: Mapping[str, Sequence[str]]) -> tuple[Seat, ...]:
    """The seats with hands and stacks of three as in a world."""
    dealt = []
    for number, seat in enumerate(seats):
        cards = tuple(map(int, world[stacks_of(number)]))
        stacks = tuple(cards[at : at + STACK] for at in range(0, len(cards), STACK))
        dealt.append(replace(seat, hand=tuple(sorted(map(int, world[hand_of(number)]))), stacks=stacks))
    return tuple(dealt)


def hand_of(seat: int) -> str:
    return f"hand {seat}"


def stacks_of(seat: int) -> str:
    return f"stacks {seat}"


def _bounds(memory: Memory, viewer: Viewer, zone: str) -> dict[str, dict[str, int]]:
    known = memory.knowledge(viewer, zone)
    return {"guaranteed": dict(known.guaranteed), "possible": dict(known.possible)}


def _kinds(cards: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(map(str, cards))
