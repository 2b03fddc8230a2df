"""What others see of a turn of Pasha and when; what can be undone. Played at a table, by the framework's barriers."""

from __future__ import annotations

import pytest

from domain import viewing
from domain.games.pasha import GAME
from domain.refusals import Refusal
from tests.ledger import Ledger


def table(seats=3, **options):
    return Ledger(GAME, seats, seed=4, start_seat=0, options=options)


def state(ledger, viewer):
    return viewing.view(ledger.table, viewer)["state"]


def version(ledger, viewer):
    return viewing.view(ledger.table, viewer)["version"]


def first(ledger, kind):
    seat = ledger.to_act[0]
    return next(action for action in ledger.legal(seat) if action["type"] == kind)


def do(ledger, *kinds):
    """The seat in turn takes the first action of each kind."""
    for kind in kinds:
        ledger.act(ledger.to_act[0], first(ledger, kind))
    return ledger


def end_turn(ledger):
    do(ledger, "throw", "stop", "place", "end_turn")


def others_saw(ledger, step):
    """Whether by a step the public's view changed; all other seats' change with it or not at all."""
    actor = ledger.to_act[0]
    viewers = [None, *(seat for seat in range(len(ledger.table.desk.seats)) if seat != actor)]
    before = {viewer: (state(ledger, viewer), version(ledger, viewer)) for viewer in viewers}
    do(ledger, step)
    changed = {before[viewer] != (state(ledger, viewer), version(ledger, viewer)) for viewer in viewers}
    assert len(changed) == 1
    return changed.pop()


def test_before_the_first_throw_nobody_else_sees_that_a_card_was_played():
    ledger = table()
    assert not others_saw(ledger, "play_card")
    assert state(ledger, 0)["phase"] == "throw"
    for viewer in (1, 2, None):
        assert state(ledger, viewer)["phase"] == "card"
        assert state(ledger, viewer)["seats"][0]["played"] is None
        assert state(ledger, viewer)["seats"][0]["hand_size"] == 3


def test_the_first_throw_shows_card_and_dice():
    ledger = do(table(), "play_card")
    assert others_saw(ledger, "throw")
    for viewer in (0, 1, None):
        assert state(ledger, viewer)["dice"] == list(ledger.state.dice)
        assert state(ledger, viewer)["seats"][0]["played"] == ledger.state.seats[0].played


def test_stops_adjustments_and_the_jeton_are_seen_at_the_next_barrier_only():
    ledger = do(table(), "play_card", "throw")
    for step in ("stop", "adjust", "place"):
        assert not others_saw(ledger, step)
    public, own = state(ledger, None)["seats"][0], state(ledger, 0)["seats"][0]
    assert (public["jeton"], public["stones"]) == (None, 5)
    assert own["jeton"] is not None
    assert others_saw(ledger, "end_turn")
    public = state(ledger, None)["seats"][0]
    assert (public["jeton"], public["stones"]) == (own["jeton"], 4)


def test_a_rethrow_shows_the_adjustment_and_the_stones_before_it():
    ledger = do(table(), "play_card", "throw", "stop", "adjust")
    assert others_saw(ledger, "rethrow")
    assert state(ledger, None)["seats"][0]["stones"] == 3
    assert state(ledger, None)["dice"] == list(ledger.state.dice)


def test_each_throw_is_public():
    ledger = do(table(), "play_card", "throw")
    assert others_saw(ledger, "throw")
    assert others_saw(ledger, "throw")


@pytest.mark.parametrize("turn", range(1, 10))
def test_on_the_third_and_sixth_turn_playing_a_card_takes_a_stack_and_is_public_at_once(turn):
    ledger = table(2)
    while ledger.state.round < turn or ledger.to_act != (0,):
        do(ledger, "play_card")
        end_turn(ledger)
    (final,) = {action["final"] for action in finals(ledger, 0) if action["type"] == "play_card"}
    assert others_saw(ledger, "play_card") == (turn in (3, 6)) == final
    undo = viewing.view(ledger.table, 0)["undo"]
    assert undo["allowed"] == (turn not in (3, 6))


def finals(ledger, seat):
    return [{"final": False} | action for action in viewing.view(ledger.table, seat)["actions"]]


def test_throws_and_the_end_of_the_turn_are_announced_as_final_and_nothing_else():
    ledger = table()
    seen = {}
    for step in ("play_card", "throw", "stop", "place", "end_turn"):
        for action in finals(ledger, 0):
            seen.setdefault(action["type"], set()).add(action["final"])
        do(ledger, step)
    assert seen == {
        "play_card": {False},
        "throw": {True},
        "stop": {False},
        "place": {False},
        "adjust": {False},
        "rethrow": {True},
        "end_turn": {True},
    }


def test_a_played_card_can_be_undone_before_the_throw_and_not_after():
    ledger = table()
    before = ledger.state
    do(ledger, "play_card")
    ledger.undo(0)
    assert ledger.state == before
    do(ledger, "play_card", "throw")
    with pytest.raises(Refusal) as refusal:
        ledger.undo(0)
    assert refusal.value.slug == "undo-barrier"


def test_stop_adjustment_and_jeton_can_be_undone_one_by_one():
    ledger = do(table(), "play_card", "throw")
    states = [ledger.state]
    for step in ("stop", "adjust", "place"):
        do(ledger, step)
        states.append(ledger.state)
    for expected in reversed(states[:-1]):
        ledger.undo(0)
        assert ledger.state == expected
    assert viewing.view(ledger.table, 0)["undo"]["allowed"] is False


def test_a_repeated_throw_meets_the_same_luck():
    thrown = []
    for undone in (False, True):
        ledger = do(table(), "play_card", "throw", "stop", "adjust")
        if undone:
            ledger.undo(0)
            do(ledger, "adjust")
        do(ledger, "rethrow")
        thrown.append(ledger.state.dice)
    assert thrown[0] == thrown[1]


def test_the_award_the_next_start_seat_and_the_next_tile_follow_the_last_end_turn():
    ledger = table(2)
    for _ in range(2):
        do(ledger, "play_card")
        end_turn(ledger)
    names = [event.topic for event in ledger.events[-2:]]
    assert names == ["pasha.RoundAwarded", "pasha.RoundStarted"]
    assert ledger.events[-2].action == {"type": "end_turn"}
    assert ledger.state.round == 2


def test_a_usual_action_is_one_small_event():
    ledger = table(2)
    sizes = {}
    while ledger.to_act:
        for kind in ("play_card", "throw", "throw", "stop", "adjust", "place", "end_turn"):
            if any(action["type"] == kind for action in ledger.legal(ledger.to_act[0])):
                events = ledger.act(ledger.to_act[0], first(ledger, kind))
                sizes.setdefault(kind, []).append(len(events))
    assert max(sizes["play_card"] + sizes["throw"] + sizes["place"]) <= 2  # with the jeton placed by itself
    assert ledger.table.status == "finished"
