"""Truncation, barriers and redo, sentence by sentence, on a toy with provisional marks and a die."""

from __future__ import annotations

from random import Random

import pytest

from domain import play, refusals
from domain.record import Branch, branch_at
from domain.table import BrokenRecord
from domain.viewing import view
from tests.ledger import Ledger
from tests.toys import TOYS

MARK, MARK2 = {"type": "mark", "value": 1}, {"type": "mark", "value": 2}
ROLL, END = {"type": "roll"}, {"type": "end_turn"}


@pytest.fixture
def ledger() -> Ledger:
    """Two seats, seat 0 begins; four events (opened, joined, started, set up)."""
    return Ledger(TOYS["dicey"], 2, start_seat=0)


def points(ledger: Ledger) -> tuple[int, ...]:
    return ledger.state.points


# The branch: at(v) = at(m) if v is a truncation to m, else at(v − 1) + [v].


@pytest.mark.parametrize(
    ("truncations", "version", "ranges", "through"),
    [
        ([], 0, (), ()),
        ([], 5, ((1, 5),), ()),
        ([(6, 4)], 6, ((1, 4),), (6,)),
        ([(6, 4)], 7, ((1, 4), (7, 7)), (6,)),
        ([(6, 4)], 5, ((1, 5),), ()),
        ([(6, 4), (8, 5)], 9, ((1, 5), (9, 9)), (8,)),
        ([(6, 4), (7, 6)], 8, ((1, 4), (8, 8)), (6, 7)),
        ([(6, 4), (9, 7)], 10, ((1, 4), (7, 7), (10, 10)), (6, 9)),
        ([(6, 4), (7, 5), (8, 6)], 8, ((1, 4),), (6, 8)),
        ([(3, 0), (5, 2)], 6, ((1, 2), (6, 6)), (5,)),
    ],
)
def test_what_stands_at_a_version(
    truncations: list[tuple[int, int]],
    version: int,
    ranges: tuple[tuple[int, int], ...],
    through: tuple[int, ...],
) -> None:
    assert branch_at(truncations, version) == Branch(ranges, through)


def test_random_branches_equal_the_definition() -> None:
    for seed in range(300):
        rng = Random(seed)
        standing: dict[int, list[int]] = {0: []}
        truncations = []
        for version in range(1, 25):
            if rng.random() < 0.3:
                to = rng.randrange(version)
                truncations.append((version, to))
                standing[version] = standing[to]
            else:
                standing[version] = [*standing[version - 1], version]
        for version, expected in standing.items():
            ranges = branch_at(truncations, version).ranges
            assert [v for first, last in ranges for v in range(first, last + 1)] == expected, f"seed {seed}"


# Undo, redo and what they leave behind


def test_an_undo_goes_one_action_back(ledger: Ledger) -> None:
    ledger.act(0, MARK)
    ledger.act(0, MARK2)
    ledger.undo(0)
    assert points(ledger) == (1, 0)
    ledger.undo(0)
    assert points(ledger) == (0, 0)


def test_an_undo_with_a_target_goes_back_over_several_actions_at_once(ledger: Ledger) -> None:
    began = ledger.table.version
    ledger.act(0, MARK)
    ledger.act(0, MARK2)
    ledger.undo(0, began)
    assert points(ledger) == (0, 0)
    assert ledger.table.version == began + 3


def test_a_redo_goes_forward_to_the_tip_that_was_cut(ledger: Ledger) -> None:
    ledger.act(0, MARK)
    ledger.act(0, MARK2)
    tip = ledger.table.version
    ledger.undo(0)
    assert view(ledger.table, 0)["undo"]["redo"] == tip
    ledger.undo(0, tip)
    assert points(ledger) == (3, 0)


def test_several_undos_are_redone_one_by_one(ledger: Ledger) -> None:
    ledger.act(0, MARK)
    ledger.act(0, MARK2)
    ledger.undo(0)
    ledger.undo(0)
    ledger.undo(0, view(ledger.table, 0)["undo"]["redo"])
    assert points(ledger) == (1, 0)
    ledger.undo(0, view(ledger.table, 0)["undo"]["redo"])
    assert points(ledger) == (3, 0)
    assert view(ledger.table, 0)["undo"]["redo"] is None


def test_a_new_action_gives_up_what_was_undone(ledger: Ledger) -> None:
    ledger.act(0, MARK)
    ledger.undo(0)
    ledger.act(0, MARK2)
    assert view(ledger.table, 0)["undo"]["redo"] is None


def test_undo_targets_are_the_versions_at_which_an_own_action_began(ledger: Ledger) -> None:
    first = ledger.table.play.version
    ledger.act(0, MARK)
    ledger.undo(0)
    second = ledger.table.play.version
    ledger.act(0, MARK2)
    third = ledger.table.play.version
    ledger.act(0, MARK)
    assert view(ledger.table, 0)["undo"]["to"] == [second, third]
    assert first not in view(ledger.table, 0)["undo"]["to"]


def test_after_an_undo_the_same_luck_is_met_again(ledger: Ledger) -> None:
    ledger.act(0, MARK)
    ledger.undo(0)
    rolled = ledger.act(0, ROLL)[0].fact
    other = Ledger(TOYS["dicey"], 2, start_seat=0)
    assert other.act(0, ROLL)[0].fact == rolled


# Barriers


def test_a_throw_can_not_be_undone(ledger: Ledger) -> None:
    ledger.act(0, ROLL)
    with pytest.raises(refusals.UndoBarrier):
        ledger.undo(0)


def test_a_mark_before_the_throw_can_not_be_undone_after_it(ledger: Ledger) -> None:
    before = ledger.table.version
    ledger.act(0, MARK)
    ledger.act(0, ROLL)
    with pytest.raises(refusals.UndoBarrier):
        ledger.undo(0, before)


def test_a_mark_after_the_throw_can_be_undone(ledger: Ledger) -> None:
    ledger.act(0, ROLL)
    ledger.act(0, MARK)
    ledger.undo(0)
    with pytest.raises(refusals.UndoBarrier):
        ledger.undo(0)


def test_a_turn_without_an_own_action_has_nothing_to_undo(ledger: Ledger) -> None:
    with pytest.raises(refusals.NothingToUndo):
        ledger.undo(0)
    ledger.act(0, END)
    with pytest.raises(refusals.NothingToUndo):
        ledger.undo(1)


def test_nobody_else_undoes_and_nobody_undoes_a_finished_turn(ledger: Ledger) -> None:
    ledger.act(0, MARK)
    with pytest.raises(refusals.NotYourTurn):
        ledger.undo(1)
    ledger.act(0, END)
    with pytest.raises(refusals.NotYourTurn):
        ledger.undo(0)


def test_an_unoffered_target_is_an_invalid_request(ledger: Ledger) -> None:
    ledger.act(0, MARK)
    for to in (ledger.table.version, ledger.table.version + 5):
        with pytest.raises(refusals.InvalidRequest):
            ledger.undo(0, to)


def test_another_seats_decision_is_a_barrier_and_final_at_once() -> None:
    ledger = Ledger(TOYS["parry"], 2, start_seat=0)
    (attacked,) = ledger.act(0, {"type": "attack", "seat": 1})
    assert attacked.barrier
    (answered,) = ledger.act(1, {"type": "block"})
    assert answered.barrier
    with pytest.raises(refusals.UndoBarrier):
        ledger.undo(0)
    with pytest.raises(refusals.NotYourTurn):
        ledger.undo(1)


def test_a_forced_single_choice_of_another_seat_is_carried_out_and_is_no_barrier() -> None:
    ledger = Ledger(TOYS["parry"], 2, start_seat=0)
    ledger.act(0, {"type": "attack", "seat": 1})
    ledger.act(1, {"type": "block"})
    events = ledger.act(0, {"type": "attack", "seat": 1})
    assert [event.seat for event in events] == [0, 1]
    assert not events[-1].barrier
    assert ledger.to_act == (0,)
    ledger.undo(0)
    assert ledger.state.lives == (9, 9)


def test_drawing_a_card_that_its_owner_does_not_see_can_be_undone() -> None:
    ledger = Ledger(TOYS["veiled"], 2, start_seat=0)
    deck = ledger.state.deck
    ledger.act(0, {"type": "draw"})
    ledger.undo(0)
    assert ledger.state.deck == deck


def test_a_game_may_end_in_mid_action() -> None:
    ledger = Ledger(TOYS["sudden"], 2, start_seat=0)
    for _ in range(2):
        ledger.act(0, {"type": "lay", "stones": 3})
    ledger.act(0, END)
    ledger.act(1, {"type": "lay", "stones": 3})
    events = ledger.act(1, {"type": "lay", "stones": 3})
    assert [event.topic for event in events] == ["sudden.StoneLaid", "sudden.PileFilled", "table.Ended"]
    assert ledger.table.status == "finished"
    with pytest.raises(refusals.TableNotRunning):
        ledger.undo(1)


# Who sees what


def test_provisional_steps_undone_ones_too_show_to_nobody_else(ledger: Ledger) -> None:
    before = [view(ledger.table, viewer) for viewer in (1, None)]
    ledger.act(0, MARK)
    assert [view(ledger.table, viewer) for viewer in (1, None)] == before
    ledger.undo(0)
    assert [view(ledger.table, viewer) for viewer in (1, None)] == before
    assert view(ledger.table, 0)["version"] == ledger.table.version
    ledger.act(0, ROLL)
    assert view(ledger.table, 1)["version"] == ledger.table.version


def test_a_desk_event_makes_no_action_stale(ledger: Ledger) -> None:
    ledger.act(0, MARK)
    seen = view(ledger.table, 0)["version"]
    ledger.append(play.resign(ledger.table, 1, "1", "automa"), "player:1")
    assert view(ledger.table, 0)["version"] == seen
    assert view(ledger.table, 0)["undo"]["allowed"]


def test_resigning_truncates_the_own_provisional_steps_in_the_same_command(ledger: Ledger) -> None:
    ledger.act(0, MARK)
    events = ledger.append(play.resign(ledger.table, 0, "0", "automa"), "player:0")
    assert [event.topic for event in events] == ["table.Resigned", "table.Truncated"]
    assert points(ledger) == (0, 0)
    assert ledger.table.desk.seats[0].bot == "automa"
    assert ledger.table.desk.seat_of("0") is None


# Truncations that everybody sees


def test_a_truncation_behind_the_barrier_restores_the_position_and_marks_it(ledger: Ledger) -> None:
    start = ledger.table.play
    back = ledger.table.version
    ledger.act(0, ROLL)
    ledger.act(0, END)
    ledger.act(1, ROLL)
    ledger.truncate(back)
    assert ledger.state == start.state
    assert ledger.table.play.draws == start.draws
    assert view(ledger.table, 1)["taken_back"]
    assert ledger.to_act == (0,)


def test_a_truncation_to_a_truncation_lands_on_its_branch(ledger: Ledger) -> None:
    ledger.act(0, ROLL)
    rolled = ledger.table.version
    ledger.act(0, END)
    cut = ledger.truncate(rolled)[0].version
    ledger.act(0, MARK)
    ledger.act(0, END)
    ledger.truncate(cut)
    assert ledger.state == ledger.at(rolled).play.state


def test_a_truncation_to_a_cut_branch_brings_it_back(ledger: Ledger) -> None:
    start = ledger.table.version
    ledger.act(0, ROLL)
    rolled = ledger.table.version
    ledger.truncate(start)
    ledger.act(0, END)
    ledger.truncate(rolled)
    assert ledger.state.rolled
    assert ledger.to_act == (0,)


def test_a_truncation_over_the_end_resumes_the_game() -> None:
    ledger = Ledger(TOYS["dicey"], 2, 5)
    ledger.play_on(Random(5), 1000)
    ended = ledger.table
    last_turn = next(event.version for event in reversed(ledger.events[:-3]) if event.barrier)
    ledger.append(play.score(ledger.table), "system")
    ledger.truncate(last_turn)
    assert ledger.table.status == "running"
    assert ledger.table.play.sheet is None
    assert ledger.to_act
    ledger.play_on(Random(6), 1000)
    assert ledger.table.status == ended.status == "finished"


def test_desk_events_survive_every_truncation(ledger: Ledger) -> None:
    start = ledger.table.version
    ledger.act(0, ROLL)
    ledger.append(play.resign(ledger.table, 1, "1", "automa"), "player:1")
    ledger.truncate(start)
    assert ledger.table.desk.seats[1].bot == "automa"


def test_an_event_that_does_not_fit_is_named(ledger: Ledger) -> None:
    with pytest.raises(BrokenRecord, match=f"event {ledger.table.version}"):
        ledger.table.evolve(ledger.events[-1])


# The end


def test_a_game_is_scored_once_and_sealed_once() -> None:
    ledger = Ledger(TOYS["dicey"], 2, 5)
    with pytest.raises(refusals.TableNotRunning):
        play.score(ledger.table)
    ledger.play_on(Random(5), 1000)
    with pytest.raises(refusals.TableNotRunning):
        play.seal(ledger.table, ledger.server_seed)
    ledger.append(play.score(ledger.table), "system")
    assert play.score(ledger.table) == []
    ledger.append(play.seal(ledger.table, ledger.server_seed), "system")
    assert play.seal(ledger.table, ledger.server_seed) == []
    assert ledger.table.desk.server_seed == ledger.server_seed.hex()
