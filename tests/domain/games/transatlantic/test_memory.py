"""Perfect memory in Transatlantic: what can be known of deck, ships out and extension, against a second reckoning."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from domain.games.transatlantic.facts import TurnEnded
from domain.games.transatlantic.rules import TransatlanticRules
from domain.games.transatlantic.state import GameState
from domain.games.transatlantic.terms import HEADQUARTERS
from tests.domain.games.transatlantic.positions import chance_from, rules_for


def play_on(rules: TransatlanticRules, seed: int) -> Any:
    """A random game as (state, knowledge) at each turn's beginning."""
    chance, random = chance_from(seed), Random(seed)
    state: Any = None
    memory = None
    for fact in rules.setup(None, chance):
        memory, state = rules.remember(memory, state, fact), rules.evolve(state, fact)
    turn = 0
    while not rules.is_over(state):
        if rules.turn(state).number != turn:
            turn = rules.turn(state).number
            yield state, memory
        (seat,) = rules.to_act(state)
        for fact in rules.decide(state, seat, random.choice(rules.legal_actions(state, seat)), chance):
            memory, state = rules.remember(memory, state, fact), rules.evolve(state, fact)


def reckoned(rules: TransatlanticRules, state: GameState) -> tuple[dict[str, Any], dict[str, Any]]:
    """Bounds of deck and ships out: of each deck the unseen ships lie in the deck or are out, any way round."""
    ship = rules.setting.ship
    deck: dict[str, dict[str, int]] = {"guaranteed": {}, "possible": {}}
    out: dict[str, dict[str, int]] = {"guaranteed": {}, "possible": {}}
    for number in range(1, 11):
        left = [key for key in state.deck if ship(key).deck == number]
        aside = [key for key in state.out if ship(key).deck == number]
        for key in left + aside:
            if left:
                deck["possible"][key] = 1
            if aside:
                out["possible"][key] = 1
            if not aside:
                deck["guaranteed"][key] = 1
            if not left:
                out["guaranteed"][key] = 1
    return deck, out


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (4, 3)])
def test_the_ships_left_and_out_are_bounded_exactly(seats: int, seed: int) -> None:
    rules = rules_for(seats)
    for state, memory in play_on(rules, seed):
        known = rules.knowledge(state, memory, 0)
        assert known is not None
        deck, out = reckoned(rules, state)
        shown = {kind: known["ship_deck"][kind] for kind in ("guaranteed", "possible")}
        assert shown == deck, f"seed {seed}"
        assert known["ships_out"] == out, f"seed {seed}"


@pytest.mark.parametrize("seed", [4, 5])
def test_the_extension_piles_composition_is_known_its_order_is_not(seed: int) -> None:
    rules = rules_for(3, president=True)
    for state, memory in play_on(rules, seed):
        known = rules.knowledge(state, memory, None)
        assert known is not None
        assert known["extension"]["guaranteed"] == known["extension"]["possible"] == Counter(state.pile)
        top = state.pile[: state.pile_a] if state.pile_a else state.pile
        if len(set(top)) > 1:
            assert "0" not in known["extension"]["at"]


def test_with_two_seats_the_ships_out_may_be_any_unseen_ones() -> None:
    rules = rules_for(2)
    state, memory = next(play_on(rules, 9))
    known = rules.knowledge(state, memory, 1)
    assert known is not None
    assert known["ships_out"]["guaranteed"].keys() == set(state.out[:4]), (
        "of decks 1 and 2 all three came to the market"
    )
    assert len(known["ships_out"]["possible"]) == 4 + 7 * 5
    headquarters = {ship.key for ship in rules.setting.edition.of_kind(HEADQUARTERS)}
    assert headquarters <= known["ship_deck"]["guaranteed"].keys()


def test_with_four_seats_nothing_is_out() -> None:
    rules = rules_for(4)
    for state, memory in play_on(rules, 10):
        known = rules.knowledge(state, memory, 2)
        assert known is not None
        assert known["ships_out"] == {"guaranteed": {}, "possible": {}}
        assert known["ship_deck"]["guaranteed"] == Counter(state.deck)


def test_every_viewer_knows_the_same() -> None:
    rules = rules_for(3)
    for state, memory in play_on(rules, 12):
        assert len({str(rules.knowledge(state, memory, viewer)) for viewer in (None, 0, 1, 2)}) == 1


def test_a_reshuffled_discard_makes_a_pile_of_known_composition() -> None:
    """Director after director in turn, until the pile has run out and been made anew."""
    rules, chance = rules_for(4), chance_from(3)
    (deal,) = rules.setup(0, chance)
    memory, state = rules.remember(None, None, deal), rules.evolve(None, deal)
    reshuffled = 0
    while not reshuffled or state.turn_number % 4:
        (seat,) = rules.to_act(state)
        actions = rules.legal_actions(state, seat)
        wanted = [action for action in actions if action.get("card") == "director"]
        for fact in rules.decide(state, seat, (wanted or actions)[0], chance):
            memory, state = rules.remember(memory, state, fact), rules.evolve(state, fact)
            reshuffled += isinstance(fact, TurnEnded) and fact.pile is not None
    known = rules.knowledge(state, memory, 0)
    assert known is not None
    assert known["extension"]["guaranteed"] == known["extension"]["possible"] == Counter(state.pile)
