"""Take-backs behind a confirmed turn, agreements about absent seats, moderation: sentence by sentence."""

from __future__ import annotations

import pytest

from domain import play, proposals, refusals
from domain.viewing import view
from tests.ledger import Ledger
from tests.toys import TOYS

ROLL, END, MARK = {"type": "roll"}, {"type": "end_turn"}, {"type": "mark", "value": 1}


@pytest.fixture
def ledger() -> Ledger:
    """Three people, seat 0 begins."""
    return Ledger(TOYS["dicey"], 3, start_seat=0)


def ends(ledger: Ledger, version: int) -> bool:
    """Whether everybody saw the position right after a version, from the start on."""
    return any(event.version == version and event.barrier for event in ledger.events)


def ask(ledger: Ledger, seat: int, to: int) -> None:
    drafts = proposals.take_back(
        ledger.table, seat, to, lambda version: ends(ledger, version), lambda version: ledger.at(version).play
    )
    ledger.append(drafts, f"player:{seat}")


def reply(ledger: Ledger, seat: int, accept: bool, number: int = 1) -> None:
    ledger.append(proposals.answer(ledger.table, seat, number, accept), f"player:{seat}")


def state_of(ledger: Ledger, number: int = 1) -> str:
    return proposals.status(ledger.table, ledger.table.desk.proposals[number - 1])


def played(ledger: Ledger) -> int:
    """Seat 0 rolls and ends its turn; the version before that."""
    start = ledger.table.settled.version
    ledger.act(0, ROLL)
    ledger.act(0, END)
    return start


def test_all_other_people_accept_and_the_play_goes_back(ledger: Ledger) -> None:
    start = played(ledger)
    before = ledger.at(start).play
    ask(ledger, 0, start)
    reply(ledger, 1, True)
    assert state_of(ledger) == "open"
    assert ledger.to_act == (1,)
    reply(ledger, 2, True)
    assert state_of(ledger) == "accepted"
    assert (ledger.state, ledger.table.play.draws) == (before.state, before.draws)
    assert view(ledger.table, 2)["taken_back"]


def test_any_refusal_ends_it_and_stays_on_record(ledger: Ledger) -> None:
    ask(ledger, 0, played(ledger))
    reply(ledger, 1, False)
    assert state_of(ledger) == "refused"
    with pytest.raises(refusals.StaleVersion):
        reply(ledger, 2, True)
    assert ledger.to_act == (1,)


def test_the_request_names_the_draws_that_it_crosses(ledger: Ledger) -> None:
    start = played(ledger)
    ledger.act(1, ROLL)
    ask(ledger, 0, start)
    assert ledger.table.desk.proposals[0].asked.draws == (0, 1)


def test_it_is_void_once_the_game_moves_on(ledger: Ledger) -> None:
    ask(ledger, 0, played(ledger))
    ledger.act(1, ROLL)
    assert state_of(ledger) == "void"
    with pytest.raises(refusals.StaleVersion):
        reply(ledger, 1, True)


def test_provisional_steps_do_not_end_it_and_are_cut_by_it(ledger: Ledger) -> None:
    start = played(ledger)
    ask(ledger, 0, start)
    ledger.act(1, MARK)
    reply(ledger, 1, True)
    reply(ledger, 2, True)
    assert ledger.table.holder is None
    assert ledger.state == ledger.at(start).play.state


def test_strangers_and_askers_do_not_answer_and_nobody_twice(ledger: Ledger) -> None:
    ask(ledger, 0, played(ledger))
    with pytest.raises(refusals.Forbidden):
        reply(ledger, 0, True)
    reply(ledger, 1, True)
    with pytest.raises(refusals.StaleVersion):
        reply(ledger, 1, True)
    with pytest.raises(refusals.NotFound):
        reply(ledger, 2, True, number=9)


def test_the_target_lies_behind_the_last_barrier(ledger: Ledger) -> None:
    ledger.act(0, MARK)
    for to in (ledger.table.version, ledger.table.settled.version, 1):
        with pytest.raises(refusals.InvalidRequest):
            ask(ledger, 0, to)


def alone(casual: bool) -> Ledger:
    """Seat 0 is the only person left."""
    ledger = Ledger(TOYS["dicey"], 3, start_seat=0, casual=casual)
    for seat in (1, 2):
        ledger.append(play.resign(ledger.table, seat, str(seat), "automa"), f"player:{seat}")
    return ledger


def test_bots_refuse() -> None:
    ledger = alone(casual=False)
    ask(ledger, 0, played(ledger))
    assert state_of(ledger) == "refused"
    assert ledger.to_act == (1,)


def test_at_a_casual_table_without_other_people_it_is_done_at_once() -> None:
    ledger = alone(casual=True)
    ask(ledger, 0, played(ledger))
    assert state_of(ledger) == "accepted"
    assert ledger.to_act == (0,)


def test_a_moderator_goes_back_over_several_turns_and_over_a_truncation(ledger: Ledger) -> None:
    start = played(ledger)
    tip = ledger.table.version
    first = proposals.truncate(ledger.table, start, "wrong seat", lambda version: ends(ledger, version))
    (cut,) = ledger.append(first, "moderator:m")
    assert ledger.to_act == (0,)
    assert cut.action == {"type": "truncate", "to": start, "reason": "wrong seat"}
    ledger.append(
        proposals.truncate(ledger.table, tip, "right after all", lambda version: ends(ledger, version)), "moderator:m"
    )
    assert ledger.to_act == (1,)
    assert ledger.state.rolled is False
    assert sum(ledger.state.points) > 0


def test_a_moderator_does_not_go_back_before_the_start_nor_into_a_command(ledger: Ledger) -> None:
    for to in (0, 2, ledger.table.version):
        with pytest.raises(refusals.InvalidRequest):
            proposals.truncate(ledger.table, to, "", lambda version: ends(ledger, version))


def finished() -> Ledger:
    ledger = Ledger(TOYS["sudden"], 2, start_seat=0)
    for seat, stones in ((0, 3), (0, 3)):
        ledger.act(seat, {"type": "lay", "stones": stones})
    ledger.act(0, END)
    for stones in (3, 1):
        ledger.act(1, {"type": "lay", "stones": stones})
    return ledger


def test_a_truncation_over_the_end_is_legal_until_the_seal() -> None:
    ledger = finished()
    ledger.append(play.score(ledger.table), "system")
    last = next(event.version for event in reversed(ledger.events[:-4]) if event.barrier)
    drafts = proposals.truncate(ledger.table, last, "", lambda version: ends(ledger, version))
    assert drafts
    ledger.append(play.seal(ledger.table, ledger.server_seed), "system")
    with pytest.raises(refusals.TableNotRunning):
        proposals.truncate(ledger.table, last, "", lambda version: ends(ledger, version))


def test_a_sealed_game_is_annulled_not_abandoned() -> None:
    ledger = finished()
    ledger.append(play.score(ledger.table), "system")
    ledger.append(play.seal(ledger.table, ledger.server_seed), "system")
    ledger.append(proposals.abandon(ledger.table, "moderation", "played by one person"), "moderator:m")
    assert ledger.table.desk.annulled == "moderation"
    assert ledger.table.play.sheet is not None
    with pytest.raises(refusals.TableNotRunning):
        proposals.abandon(ledger.table, "moderation")


def test_abandoning_cuts_provisional_steps_and_ends_the_table(ledger: Ledger) -> None:
    ledger.act(0, MARK)
    events = ledger.append(proposals.abandon(ledger.table, "idle"), "clock")
    assert [event.topic for event in events] == ["table.Abandoned", "table.Truncated"]
    assert ledger.table.status == "finished"
    assert view(ledger.table, 0)["actions"] == []
    assert view(ledger.table, 0)["to_act"] == []
    with pytest.raises(refusals.TableNotRunning):
        ledger.act(0, MARK)


def test_after_a_warning_the_others_may_agree_that_a_bot_plays_on(ledger: Ledger) -> None:
    with pytest.raises(refusals.InvalidRequest):
        proposals.propose(ledger.table, 1, "substitute", 0)
    ledger.append(proposals.warn(ledger.table), "clock")
    assert proposals.warn(ledger.table) == []
    ledger.append(proposals.propose(ledger.table, 1, "substitute", 0), "player:1")
    assert proposals.waiting(ledger.table, ledger.table.desk.proposals[0]) == (2,)
    reply(ledger, 2, True)
    assert ledger.table.desk.seats[0].bot == "automa"
    assert ledger.table.desk.seat_of("0") is None


def test_after_a_warning_the_others_may_agree_to_give_up(ledger: Ledger) -> None:
    ledger.append(proposals.warn(ledger.table), "clock")
    ledger.append(proposals.propose(ledger.table, 2, "cancel", None), "player:2")
    reply(ledger, 1, True)
    assert ledger.table.desk.abandoned == "agreed"
    assert ledger.table.status == "finished"


def test_a_warning_is_over_as_soon_as_the_seat_acts(ledger: Ledger) -> None:
    ledger.append(proposals.warn(ledger.table), "clock")
    assert proposals.warned_seats(ledger.table) == (0,)
    ledger.act(0, MARK)
    assert proposals.warned_seats(ledger.table) == ()
    with pytest.raises(refusals.InvalidRequest):
        proposals.propose(ledger.table, 1, "cancel", None)
