"""What holds for every game after every command of random play: one test, all games, toys included."""

from __future__ import annotations

import subprocess
import sys
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from domain import refusals
from domain.game import Game
from domain.record import canonical
from domain.table import Table, fold
from domain.viewing import entry, fact_view, view
from infra.compression import PresetZlib
from infra.mapper import EventMapper
from tests.every import configurations, replayable, seeds, tables
from tests.ledger import TABLE, Ledger

LONGEST = 20_000

SHOWN: WeakKeyDictionary[Ledger, tuple[Table, int, bytes]] = WeakKeyDictionary()


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("game", "seats", "options"), configurations())
def test_random_games_keep_the_invariants(game: Game, seats: int, options: dict[str, Any]) -> None:
    for seed in seeds(3):
        with replayable(__file__, seed):
            play_checked(game, seats, options, seed, sampled=0.15)


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize(("game", "seats", "options"), configurations())
def test_a_thousand_random_games_keep_the_invariants(game: Game, seats: int, options: dict[str, Any]) -> None:
    for seed in seeds(1000):
        with replayable(__file__, seed):
            play_checked(game, seats, options, seed, sampled=0.01)


def play_checked(game: Game, seats: int, options: dict[str, Any], seed: int, sampled: float) -> None:
    """A random game, cheap checks after every command and dear ones at a share of the positions."""
    rng = Random(seed)
    ledger = Ledger(game, seats, seed, options=options)
    while ledger.to_act:
        assert len(ledger.events) < LONGEST, "this game does not end"
        position_is_sound(ledger)
        if rng.random() < sampled:
            undoing_restores_everything(ledger)
            what_is_not_listed_is_refused(ledger, rng)
        if rng.random() < 0.1:
            go_back_and_forth(ledger, rng)
        act_checked(ledger, rng)
    assert ledger.table.status == "finished"
    assert ledger.rules.end_reason(ledger.state)
    nothing_happens_after_the_end(ledger)
    scores_add_up(ledger)
    the_record_reads_the_same(ledger)


def position_is_sound(ledger: Ledger) -> None:
    """Somebody is to act, whoever is has a list without repetitions, nobody else has one."""
    assert ledger.to_act
    seats = len(ledger.table.desk.seats)
    for seat in range(seats):
        listed = [canonical(action) for action in ledger.legal(seat)]
        assert len(set(listed)) == len(listed)
        assert bool(listed) == (seat in ledger.to_act)


def act_checked(ledger: Ledger, rng: Random) -> None:
    """An action of the list is accepted; a barrier was announced; before one nobody else sees anything."""
    seat = rng.choice(ledger.to_act)
    legal = ledger.legal(seat)
    action = rng.choice(legal)
    announced = ledger.rules.is_final(ledger.state, seat, action)
    before = b"" if announced else others(ledger, seat)
    frozen = repr(ledger.state)
    old = ledger.state
    events = ledger.act(seat, action)
    assert repr(old) == frozen, "a state was changed in place"
    assert all(not event.barrier for event in events[:-1])
    if events[-1].barrier:
        assert announced, f"{action} was a barrier, unannounced"
        assert ledger.table.holder is None
    else:
        assert others(ledger, seat) == before
        assert ledger.table.holder == seat


def others(ledger: Ledger, seat: int) -> bytes:
    """The views of everybody but one seat. Those of a position are asked for before and after the same step."""
    table, whose, shown = SHOWN.get(ledger) or (None, None, b"")
    if table is not ledger.table or whose != seat:
        seats = range(len(ledger.table.desk.seats))
        shown = canonical([view(ledger.table, viewer) for viewer in (None, *seats) if viewer != seat])
        SHOWN[ledger] = (ledger.table, seat, shown)
    return shown


def everything(ledger: Ledger, seat: int) -> tuple[Any, ...]:
    """What a position is for its seat, but for the versions and the time that it was reached at."""
    shown = view(ledger.table, seat)
    for passing in ("version", "log_head", "undo"):
        del shown[passing]
    play = ledger.table.play
    return canonical(shown), play.state, play.memory, play.draws, ledger.to_act


def undoing_restores_everything(ledger: Ledger) -> None:
    """do → undo → an equal state, view and action list, for every legal action that can be undone."""
    for seat in ledger.to_act:
        for action in ledger.legal(seat):
            table, recorded = ledger.table, list(ledger.events)
            before = everything(ledger, seat)
            if not ledger.act(seat, action)[-1].barrier:
                after = everything(ledger, seat)
                assert view(ledger.table, seat)["undo"]["allowed"]
                ledger.undo(seat)
                assert everything(ledger, seat) == before
                redo = view(ledger.table, seat)["undo"]["redo"]
                ledger.undo(seat, redo)
                assert everything(ledger, seat) == after
            ledger.table, ledger.events = table, recorded


def go_back_and_forth(ledger: Ledger, rng: Random) -> None:
    """Some undos and redos, as the view offers them; what it does not offer is refused."""
    holder = ledger.table.holder
    for seat in range(len(ledger.table.desk.seats)):
        offer = view(ledger.table, seat)["undo"]
        if not offer["allowed"]:
            with pytest.raises(refusals.Refusal) as refused:
                ledger.undo(seat)
            assert refused.value.slug == offer["reason"]
        if seat == holder:
            targets = [*offer["to"], *([offer["redo"]] if offer["redo"] else [])]
            before = others(ledger, seat)
            ledger.undo(seat, rng.choice(targets))
            assert others(ledger, seat) == before


def what_is_not_listed_is_refused(ledger: Ledger, rng: Random) -> None:
    """Actions changed a little, other seats' and malformed ones are refused with a rule and append nothing."""
    seat = ledger.to_act[0]
    legal = {canonical(action) for action in ledger.legal(seat)}
    for action in (*mutations(rng.choice(ledger.legal(seat)), rng), {"type": "fly"}, {}, {"type": None}):
        if canonical(action) in legal:
            continue
        count, table = len(ledger.events), ledger.table
        with pytest.raises(refusals.NotAllowedByRules) as refused:
            ledger.act(seat, action)
        assert refused.value.members["rule"].count(".") == 1
        assert (len(ledger.events), ledger.table) == (count, table)
    for other in set(range(len(ledger.table.desk.seats))) - set(ledger.to_act):
        with pytest.raises(refusals.NotYourTurn):
            ledger.act(other, ledger.legal(seat)[0])


def mutations(action: Any, rng: Random) -> list[dict[str, Any]]:
    """A legal action with a field too many, too few, or of another value or type."""
    changed: list[dict[str, Any]] = [{**action, "extra": 1}]
    for name, value in action.items():
        changed.append({key: kept for key, kept in action.items() if key != name})
        for other in (None, True, -1, 99, "nothing", [], {}, 1.5, [value]):
            changed.append({**action, name: other})
        if type(value) is int:
            changed.append({**action, name: value + 1})
    return rng.sample(changed, min(12, len(changed)))


def nothing_happens_after_the_end(ledger: Ledger) -> None:
    for seat in range(len(ledger.table.desk.seats)):
        assert not ledger.legal(seat)
        with pytest.raises(refusals.TableNotRunning):
            ledger.act(seat, {"type": "end_turn"})
        with pytest.raises(refusals.TableNotRunning):
            ledger.undo(seat)


def scores_add_up(ledger: Ledger) -> None:
    """A line a seat, ranks without gaps but for shared places, somebody wins, the reason is that of the end."""
    sheet = ledger.rules.score(ledger.state)
    assert [line.seat for line in sheet.seats] == list(range(len(ledger.table.desk.seats)))
    assert sheet.winners
    for line in sheet.seats:
        assert line.rank == 1 + sum(other.rank < line.rank for other in sheet.seats)
    assert sheet.reason == ledger.table.play.ended


def the_record_reads_the_same(ledger: Ledger) -> None:
    """Stored, loaded and folded again, the record gives the same table; every event can be shown to everybody."""
    mapper = EventMapper(compressor=PresetZlib(), games=ledger.games)
    loaded = [mapper.to_domain_event(mapper.to_stored_event(event)) for event in ledger.events]
    assert loaded == ledger.events
    again = fold(TABLE, ledger.games, loaded)
    assert (again.settled, again.play, again.desk) == (ledger.table.settled, ledger.table.play, ledger.table.desk)
    for event in ledger.events:
        for viewer in (None, *range(len(ledger.table.desk.seats))):
            shown = entry(ledger.rules, event, viewer, whole=False)
            assert all(shown["text"].values())
            canonical(shown)


@pytest.mark.parametrize(("game", "seats"), tables())
def test_what_the_public_sees_of_an_event_every_seat_sees(game: Game, seats: int) -> None:
    for seed in seeds(2):
        with replayable(__file__, seed):
            ledger = Ledger(game, seats, seed)
            ledger.play_on(Random(seed), 80)
            for event in ledger.events:
                public = fact_view(ledger.rules, event.fact, None)
                for seat in range(seats):
                    assert is_within(public, fact_view(ledger.rules, event.fact, seat))


def is_within(less: Any, more: Any) -> bool:
    """Whether everything that the one says, the other says too; null says nothing."""
    if isinstance(less, dict) and isinstance(more, dict):
        return all(name in more and is_within(value, more[name]) for name, value in less.items())
    if isinstance(less, list) and isinstance(more, list):
        return len(less) == len(more) and all(map(is_within, less, more))
    return less is None or less == more


@pytest.mark.parametrize(("game", "seats"), tables())
def test_a_record_is_the_same_in_every_process(game: Game, seats: int) -> None:
    """Same seed and actions, same chain of digests, whatever PYTHONHASHSEED is."""
    code = (
        "import sys; from random import Random; from tests.every import ALL_GAMES; from tests.ledger import Ledger;"
        "ledger = Ledger(ALL_GAMES[sys.argv[1]], int(sys.argv[2]), 7); ledger.play_on(Random(7), 120);"
        "print(ledger.table.digest.hex())"
    )
    heads = {
        subprocess.run(
            [sys.executable, "-c", code, game.key, str(seats)],
            env={"PYTHONHASHSEED": hashed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hashed in ("1", "2")
    }
    assert len(heads) == 1
