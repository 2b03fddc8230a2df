"""All worlds of one viewer of a small game of Mottainai, listed: what the memory must answer exactly.

A world is a whole position. Each fact strikes out the worlds in which the viewer would have been told something else,
and branches over every card that another seat may have returned unseen. It shares no code with the memory.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import permutations
from typing import Any

from domain.games.mottainai import facts as f
from domain.games.mottainai.state import State, evolve
from domain.games.mottainai.view import fact_view

MOST = 4_000


class TooManyWorlds(Exception):
    """More worlds than a test wants to list."""


def told(fact: Any, viewer: int | None) -> str:
    return json.dumps(fact_view(fact, viewer), sort_keys=True)


def deals(fact: f.CardsDealt) -> Iterator[f.CardsDealt]:
    """Every way in which the cards of a deal can have come."""
    sizes = [*map(len, fact.hands), len(fact.tasks), len(fact.floor), len(fact.deck)]
    cards = [card for part in (*fact.hands, fact.tasks, fact.floor, fact.deck) for card in part]
    for order in set(permutations(cards)):
        rest, parts = list(order), []
        for size in sizes:
            parts.append(tuple(rest[:size]))
            rest = rest[size:]
        *hands, tasks, floor, deck = parts
        yield f.CardsDealt(fact.start_seat, tuple(hands), tasks, floor, deck, 0, (("choose",),))


def as_in(world: State, fact: Any) -> Iterator[Any]:
    """The fact as it would have been in a world; several where a seat may have chosen."""
    temple = world.temples[fact.seat]
    match fact:
        case f.CardsDrawn():
            yield replace(fact, cards=world.deck[: len(fact.cards)])
        case f.CardsRevealed() if fact.src == "deck":
            yield replace(fact, cards=world.deck[: len(fact.cards)])
        case f.CardsMoved() if fact.src == "deck":
            yield replace(fact, cards=world.deck[: len(fact.cards)])
        case f.CardsMoved() if fact.src == "task":
            yield replace(fact, cards=(world.temples[fact.whose].task,))
        case f.WaitingTaken():
            yield replace(fact, cards=temple.waiting)
        case f.HandsExchanged():
            yield replace(fact, given=temple.hand, taken=world.temples[fact.other].hand)
        case f.CardsReturned() if fact.src == "hand":
            yield from (replace(fact, cards=(card,)) for card in dict.fromkeys(temple.hand))
        case f.KitesTurnedBack():
            yield fact
        case _:
            needed = Counter(getattr(fact, "cards", ())) + Counter(getattr(fact, "shown", ()))
            needed += Counter([fact.card] if isinstance(fact, f.WorkCompleted) else ())
            if fact.src != "hand" or not needed - Counter(temple.hand):
                yield fact


def canonical(world: State) -> State:
    """Waiting areas have no order."""
    temples = tuple(replace(t, waiting=tuple(sorted(t.waiting))) for t in world.temples)
    return replace(world, temples=temples)


@cache
def first_worlds(deal: f.CardsDealt, viewer: int | None) -> frozenset[State]:
    """The worlds of a viewer after the deal."""
    heard = told(as_set(deal), viewer)
    return frozenset(canonical(evolve(None, each)) for each in deals(deal) if told(as_set(each), viewer) == heard)


class Worlds:
    """The worlds left to a viewer (a seat, or None for the public) after some facts."""

    def __init__(self, deal: f.CardsDealt, viewer: int | None) -> None:
        self.viewer = viewer
        self.worlds = set(first_worlds(deal, viewer))

    def tell(self, fact: Any) -> None:
        heard = told(sorted_cards(fact), self.viewer)
        self.worlds = {
            canonical(evolve(world, each))
            for world in self.worlds
            for each in as_in(world, fact)
            if told(sorted_cards(each), self.viewer) == heard
        }
        assert self.worlds, "the true world is always one of them"
        if len(self.worlds) > MOST:
            raise TooManyWorlds

    def knowledge(self) -> dict[str, Any]:
        """As the rules give it: hands, waiting areas, face-down tasks, deck."""
        worlds = list(self.worlds)
        seats = range(len(worlds[0].temples))

        def zone(cards: list[Any]) -> dict[str, Any]:
            counts = [Counter(each) for each in cards]
            kinds = sorted(set().union(*counts))
            least = {kind: min(c[kind] for c in counts) for kind in kinds}
            return {
                "guaranteed": {kind: n for kind, n in least.items() if n},
                "possible": {kind: max(c[kind] for c in counts) for kind in kinds},
            }

        deck = [world.deck for world in worlds]
        return {
            "hands": [None if s == self.viewer else zone([w.temples[s].hand for w in worlds]) for s in seats],
            "waiting": [zone([w.temples[s].waiting for w in worlds]) for s in seats],
            "tasks": [
                zone([(w.temples[s].task,) for w in worlds]) if worlds[0].temples[s].face_down else None for s in seats
            ],
            "deck": {
                "pool": zone(deck)["possible"],
                "at": {str(at): d[0] for at, d in enumerate(zip(*deck, strict=True)) if len(set(d)) == 1},
            },
        }


def as_set(deal: f.CardsDealt) -> f.CardsDealt:
    return replace(deal, hands=tuple(tuple(sorted(hand)) for hand in deal.hands))


def sorted_cards(fact: Any) -> Any:
    """Waiting areas and hands are told without an order."""
    if isinstance(fact, f.WaitingTaken):
        return replace(fact, cards=tuple(sorted(fact.cards)))
    if isinstance(fact, f.HandsExchanged):
        return replace(fact, given=tuple(sorted(fact.given)), taken=tuple(sorted(fact.taken)))
    return fact
