"""What R-Öko refuses, by which rule, and that a refusal or a look changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from domain.game import IllegalAction
from domain.games.roeko.state import RoekoState
from tests.domain.games.roeko.helpers import END_TURN, PASS, after, chance_from, deliver, dispose, given, rules_for

START = given("can1 can1 paper2", "glass1", dump={"can": "paper1 paper1 paper1 paper1 paper1"}, pile="can1 can1")
DELIVERED = given("can1 can1 paper1", delivered="can", pile="can1 can1")
EXCESS = after(START, deliver("can", 1))
EMPTY = given("", "can1")
OVER = after(given("", delivered="can", rewards={"can": ()}), END_TURN)


def refusal(state: RoekoState, action: Any, seat: int | None = None) -> IllegalAction:
    """The refusal of an action, which must leave state and chance as they were."""
    chance, before = chance_from(1), repr(state)
    with pytest.raises(IllegalAction) as refused:
        rules_for(state.seats).decide(state, state.seat if seat is None else seat, action, chance)
    assert repr(state) == before
    assert chance.counter == 0
    return refused.value


@pytest.mark.parametrize(
    ("state", "action", "rule"),
    [
        (START, END_TURN, "roeko.deliver-first"),
        (START, dispose(can1=1), "roeko.deliver-first"),
        (START, PASS, "roeko.hand-not-empty"),
        (START, deliver("can", 0, 0), "roeko.deliver-at-least-one"),
        (START, deliver("can", 3), "roeko.not-in-hand"),
        (START, deliver("paper", 0, 2), "roeko.not-in-hand"),
        (START, deliver("glass", 1), "roeko.not-in-hand"),
        (EXCESS, END_TURN, "roeko.dispose-first"),
        (EXCESS, deliver("can", 1), "roeko.already-delivered"),
        (EXCESS, PASS, "roeko.already-delivered"),
        (EXCESS, dispose(paper1=1), "roeko.wrong-excess"),
        (EXCESS, dispose(paper1=3), "roeko.wrong-excess"),
        (EXCESS, {"type": "dispose", "cards": {}}, "roeko.wrong-excess"),
        (EXCESS, dispose(can1=2), "roeko.not-in-hand"),
        (EXCESS, dispose(glass1=2), "roeko.not-in-hand"),
        (DELIVERED, deliver("can", 1), "roeko.already-delivered"),
        (DELIVERED, dispose(can1=1), "roeko.wrong-excess"),
        (DELIVERED, PASS, "roeko.already-delivered"),
        (EMPTY, deliver("can", 1), "roeko.must-pass"),
        (EMPTY, END_TURN, "roeko.deliver-first"),
        (EMPTY, dispose(can1=1), "roeko.deliver-first"),
        (OVER, END_TURN, "roeko.game-over"),
        (OVER, PASS, "roeko.game-over"),
    ],
)
def test_an_action_against_a_rule_is_refused_by_its_name(state: RoekoState, action: Any, rule: str) -> None:
    assert refusal(state, action).rule == rule


def test_another_seats_action_is_refused() -> None:
    assert refusal(START, deliver("glass", 1), seat=1).rule == "roeko.not-your-turn"


def test_a_refusal_says_what_would_be_right() -> None:
    assert "exactly 2 cards" in refusal(EXCESS, dispose(paper1=1)).message
    assert "dispose of 2 cards" in refusal(EXCESS, END_TURN).message
    assert "deliver one or more cards" in refusal(START, END_TURN).message
    assert "end the turn" in refusal(DELIVERED, deliver("can", 1)).message
    assert "2 single and 0 double" in refusal(START, deliver("can", 3)).message


MALFORMED: list[Any] = [
    {},
    {"type": None},
    {"type": ["deliver"]},
    {"type": "swap"},
    {"type": "deliver"},
    {"type": "deliver", "material": "can", "singles": 1},
    {"type": "deliver", "material": "can", "singles": 1, "doubles": 0, "seat": 0},
    {"type": "deliver", "material": "can", "singles": True, "doubles": 0},
    {"type": "deliver", "material": "can", "singles": 1.0, "doubles": 0},
    {"type": "deliver", "material": "can", "singles": "1", "doubles": 0},
    {"type": "deliver", "material": "can", "singles": 2, "doubles": -1},
    {"type": "deliver", "material": "wood", "singles": 1, "doubles": 0},
    {"type": "deliver", "material": 3, "singles": 1, "doubles": 0},
    {"type": "deliver", "material": ["can"], "singles": 1, "doubles": 0},
    {"type": "end_turn", "now": True},
    {"type": "pass", "cards": {}},
    {"type": "dispose"},
    {"type": "dispose", "cards": None},
    {"type": "dispose", "cards": ["paper1", "paper1"]},
    {"type": "dispose", "cards": {"paper1": 2, "can1": 0}},
    {"type": "dispose", "cards": {"paper1": 3, "can1": -1}},
    {"type": "dispose", "cards": {"paper1": True, "can1": 1}},
    {"type": "dispose", "cards": {"paper1": 2.0}},
    {"type": "dispose", "cards": {"paper3": 2}},
    {"type": "dispose", "cards": {1: 2}},
    {"type": "dispose", "cards": {"paper1": 2}, "seat": 0},
    None,
    "end_turn",
    [["type", "end_turn"]],
]


@pytest.mark.parametrize("action", MALFORMED, ids=repr)
def test_a_malformed_action_is_refused_as_unknown(action: Any) -> None:
    for state in (START, EXCESS, DELIVERED, EMPTY):
        assert refusal(state, action).rule == "roeko.unknown-action"


@pytest.mark.parametrize("state", [START, EXCESS, DELIVERED, EMPTY, OVER])
def test_looking_and_deciding_change_no_state(state: RoekoState) -> None:
    rules, before = rules_for(2), repr(state)
    for seat in (0, 1):
        for action in rules.legal_actions(state, seat):
            for fact in rules.decide(state, seat, action, chance_from(1)):
                rules.evolve(state, fact)
            rules.is_final(state, seat, action)
    for viewer in (None, 0, 1):
        rules.view(state, viewer)
    assert repr(state) == before
    assert hash(state) is not None


def test_actions_handed_out_may_be_changed_without_harm() -> None:
    rules = rules_for(2)
    for action in rules.legal_actions(EXCESS, 0):
        action["cards"].clear()
    assert all(sum(action["cards"].values()) == 2 for action in rules.legal_actions(EXCESS, 0))
