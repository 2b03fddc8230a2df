"""What Transatlantic tells the memory engine: two piles and the ships that never come. The engine does all deduction.

Nothing is hidden from one seat and known to another, so every viewer knows the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from domain.games.transatlantic.edition import Edition
from domain.games.transatlantic.facts import GameSetUp, TurnEnded
from domain.games.transatlantic.state import GameState
from domain.games.transatlantic.terms import HEADQUARTERS
from domain.memory import Memory, Move, Shuffle, Zone, start

SHIP_DECK, SHIPS_OUT, EXTENSION = "ship_deck", "ships_out", "extension"

_ZONES = {SHIP_DECK: Zone(ordered=True), SHIPS_OUT: Zone(), EXTENSION: Zone(ordered=True)}


def remember(edition: Edition, memory: Memory | None, state: GameState | None, fact: Any) -> Memory | None:
    """The memory after a fact; None before the first. Only the end of a turn turns hidden cards up."""
    if isinstance(fact, GameSetUp):
        return _set_up(edition, fact)
    if memory is None or state is None or not isinstance(fact, TurnEnded):
        return memory
    if fact.drawn:
        memory = memory.after(Move(state.deck[: fact.drawn], SHIP_DECK, None))
    if fact.pile is None:
        return memory.after(Move(fact.turned, EXTENSION, None))
    old, new = fact.turned[: len(state.pile)], fact.turned[len(state.pile) :]
    return memory.after(Move(old, EXTENSION, None), Shuffle(new + fact.pile, EXTENSION), Move(new, EXTENSION, None))


def _set_up(edition: Edition, fact: GameSetUp) -> Memory:
    """Each deck is a lot of its own, of which some ships leave unseen; set A lies on set B."""
    memory = start(len(fact.sailing), _ZONES)
    aside = edition.ships_out[len(fact.sailing)]
    below = 0
    for number, ships in enumerate(edition.decks):
        below += len(ships) - aside
        out = fact.out[number * aside : (number + 1) * aside]
        memory = memory.after(Shuffle(ships, SHIP_DECK), Move(out, SHIP_DECK, SHIPS_OUT, at=below))
    headquarters = tuple(ship.key for ship in edition.of_kind(HEADQUARTERS))
    set_a, set_b = edition.extension_sets
    return memory.after(
        Shuffle(headquarters, SHIP_DECK),
        Move(fact.market, SHIP_DECK, None),
        Shuffle(set_a, EXTENSION),
        Shuffle(set_b, EXTENSION),
        Move(fact.turned, EXTENSION, None),
    )


def knowledge(memory: Memory) -> dict[str, Any]:
    """Zone → least and greatest count of each ship or card, and of a pile what lies at a place from the top (0)."""
    shown: dict[str, dict[str, Any]] = {zone: _bounds(memory, zone) for zone in _ZONES}
    for zone in (SHIP_DECK, EXTENSION):
        shown[zone] |= {"at": {str(place): kind for place, kind in memory.places(None, zone).items()}}
    return shown


def standing(state: GameState, world: Mapping[str, Sequence[str]]) -> GameState:
    """The position with both piles and the ships that never come as in a world."""
    return replace(state, deck=tuple(world[SHIP_DECK]), out=tuple(world[SHIPS_OUT]), pile=tuple(world[EXTENSION]))


def _bounds(memory: Memory, zone: str) -> dict[str, dict[str, int]]:
    known = memory.knowledge(None, zone)
    return {"guaranteed": dict(known.guaranteed), "possible": dict(known.possible)}
