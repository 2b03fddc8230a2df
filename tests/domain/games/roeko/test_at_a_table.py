"""R-Öko at a table: what is one command, what can be undone, and what others see meanwhile."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domain import play as plays
from domain.games.roeko import GAME
from domain.games.roeko.facts import CardsDelivered, CardsDisposed
from domain.viewing import view
from tests.domain.games.roeko.helpers import END_TURN, SEATS
from tests.ledger import Ledger


def until(ledger: Ledger, wanted: Any, rng: Random) -> None:
    """Play at random until the position is a wanted one."""
    while not wanted(ledger):
        (seat,) = ledger.to_act
        ledger.act(seat, rng.choice(ledger.legal(seat)))


def forces_a_disposal(ledger: Ledger) -> dict[str, Any] | None:
    """A delivery after which only one disposal is possible."""
    (seat,) = ledger.to_act
    for action in ledger.legal(seat):
        if action["type"] == "deliver":
            (fact,) = ledger.rules.decide(ledger.state, seat, action, ledger.chance)
            if ledger.rules.forced(ledger.rules.evolve(ledger.state, fact)):
                return dict(action)
    return None


@pytest.fixture
def forcing() -> tuple[Ledger, int, dict[str, Any]]:
    """A table where the seat to act has a delivery that forces its disposal."""
    for seed in range(40):
        ledger, rng = Ledger(GAME, 2, seed=seed, start_seat=0), Random(seed)
        while ledger.to_act:
            action = forces_a_disposal(ledger)
            if action is not None:
                return ledger, ledger.to_act[0], action
            (seat,) = ledger.to_act
            ledger.act(seat, rng.choice(ledger.legal(seat)))
    pytest.fail("no delivery forced a disposal")


def test_a_forced_disposal_happens_in_the_delivery_s_command(forcing: Any) -> None:
    ledger, seat, action = forcing
    events = ledger.act(seat, action)
    assert [type(event.fact) for event in events] == [CardsDelivered, CardsDisposed]
    assert len({event.command for event in events}) == 1
    assert ledger.legal(seat) == [END_TURN]


def test_undo_takes_a_delivery_and_its_forced_disposal_back_together(forcing: Any) -> None:
    ledger, seat, action = forcing
    state, memory = ledger.state, ledger.table.play.memory
    ledger.act(seat, action)
    ledger.undo(seat)
    assert ledger.state == state
    assert ledger.table.play.memory == memory


def test_nobody_else_sees_a_turn_before_it_ends(forcing: Any) -> None:
    ledger, seat, action = forcing
    shown = {viewer: view(ledger.table, viewer) for viewer in (1 - seat, None)}
    ledger.act(seat, action)
    assert view(ledger.table, seat)["state"]["delivered"] == action["material"]
    assert {viewer: view(ledger.table, viewer) for viewer in shown} == shown
    ledger.undo(seat)
    assert {viewer: view(ledger.table, viewer) for viewer in shown} == shown
    ledger.act(seat, action)
    ledger.act(seat, END_TURN)
    for viewer, before in shown.items():
        assert view(ledger.table, viewer)["state"] != before["state"]


def test_the_last_turn_can_be_undone_until_it_ends_and_the_table_is_running() -> None:
    ledger, rng = Ledger(GAME, 2, seed=3, start_seat=0), Random(3)
    until(ledger, lambda ledger: not all(ledger.state.rewards), rng)
    (seat,) = ledger.to_act
    assert ledger.table.status == "running"
    while ledger.table.steps:
        ledger.undo(seat)
    assert all(ledger.state.rewards)
    assert ledger.table.status == "running"
    ledger.undo(seat, plays.undo_options(ledger.table, seat)["redo"])
    until(ledger, lambda ledger: not ledger.to_act, rng)
    assert ledger.table.play.ended == "last_reward"


@pytest.mark.parametrize("seats", SEATS)
def test_the_view_of_every_viewer_has_its_knowledge(seats: int) -> None:
    ledger, rng = Ledger(GAME, seats, seed=seats), Random(seats)
    until(ledger, lambda ledger: ledger.state.turn > 6, rng)
    for viewer in (None, *range(seats)):
        knowledge = view(ledger.table, viewer)["knowledge"]
        assert set(knowledge) == {"hands", "illegal", "draw_pile"}
        assert [hand is None for hand in knowledge["hands"]] == [seat == viewer for seat in range(seats)]
