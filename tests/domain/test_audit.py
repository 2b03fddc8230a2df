"""An audit accepts every true record, and names the first event of a false one."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from domain import play, proposals
from domain.audit import Audit, audit, commands_of
from domain.game import Game
from domain.record import Event, canonical, chained, salt
from infra.mapper import EventMapper
from tests.every import replayable, seeds, tables
from tests.infra.test_tables import turbulent
from tests.ledger import TABLE, Ledger
from tests.toys import TOYS


def ended(game: Game, seats: int, seed: int) -> Ledger:
    """A whole game with undos and truncations, scored and sealed."""
    ledger = turbulent(game, seats, seed, commands=40)
    ledger.play_on(Random(seed), 20_000)
    ledger.append(play.score(ledger.table), "system")
    ledger.append(play.seal(ledger.table, ledger.server_seed), "system")
    return ledger


def audited(ledger: Ledger, events: list[Event] | None = None) -> Audit:
    return audit(TABLE, ledger.games, ledger.events if events is None else events, ledger.server_seed)


def failed(found: Audit) -> list[str]:
    return [f"{check.name}: {check.detail}" for check in found.checks if not check.ok]


def rewritten(ledger: Ledger, version: int, change: Any) -> list[Event]:
    """The record with one event's bytes changed and all digests made to fit: what only a forger with the seed can."""
    mapper = EventMapper(games=ledger.games)
    events, digest = [], bytes(32)
    for event in ledger.events:
        written = event.written
        if event.version == version:
            envelope = json.loads(written)
            change(envelope)
            written = canonical(envelope)
        digest = chained(digest, salt(ledger.server_seed, event.version), written)
        events.append(mapper.read(TABLE, event.version, written, digest))
    return events


@pytest.mark.parametrize(("game", "seats"), tables())
def test_true_records_are_verified(game: Game, seats: int) -> None:
    for seed in seeds(1):
        with replayable(__file__, seed):
            ledger = ended(game, seats, seed)
            assert failed(audited(ledger)) == []
            for upto in (1, 3, len(ledger.events) // 2):
                whole = [event for command in commands_of(ledger.events[:upto]) for event in command]
                assert len(whole) == upto


def test_take_backs_agreements_and_moderation_are_verified() -> None:
    ledger = Ledger(TOYS["dicey"], 3, start_seat=0)
    start = ledger.table.version
    ledger.act(0, {"type": "roll"})
    ledger.act(0, {"type": "end_turn"})

    def ends(version: int) -> bool:
        return any(event.version == version and event.barrier for event in ledger.events)

    asked = proposals.take_back(ledger.table, 0, start, ends, lambda version: ledger.at(version).play)
    ledger.append(asked, "player:0")
    for seat in (1, 2):
        ledger.append(proposals.answer(ledger.table, seat, 1, True), f"player:{seat}")
    ledger.append(proposals.warn(ledger.table), "clock")
    ledger.append(proposals.propose(ledger.table, 1, "substitute", 0), "player:1")
    ledger.append(proposals.answer(ledger.table, 2, 2, True), "player:2")
    ledger.append(proposals.abandon(ledger.table, "moderation", "enough"), "moderator:m")
    assert failed(audited(ledger)) == []


@pytest.fixture(scope="module")
def dicey() -> Ledger:
    ledger = Ledger(TOYS["dicey"], 2, 4, start_seat=0)
    ledger.act(0, {"type": "mark", "value": 1})
    ledger.undo(0)
    ledger.play_on(Random(4), 1000)
    ledger.append(play.score(ledger.table), "system")
    ledger.append(play.seal(ledger.table, ledger.server_seed), "system")
    return ledger


def version_of(ledger: Ledger, topic: str) -> int:
    return next(event.version for event in ledger.events if event.topic == topic)


FORGERIES: list[tuple[str, str, Any]] = [
    (
        "a changed die",
        "dicey.Rolled",
        lambda envelope: envelope["data"]["dice"].reverse() or envelope["data"].update(dice=[6, 1]),
    ),
    ("an action that was not asked for", "dicey.Marked", lambda envelope: envelope["data"].update(value=2)),
    ("an illegal action", "dicey.Marked", lambda envelope: envelope.update(action={"type": "mark", "value": 5})),
    ("another seat", "dicey.Rolled", lambda envelope: envelope.update(seat=1 - envelope["seat"])),
    ("a barrier denied", "dicey.Rolled", lambda envelope: envelope.pop("barrier")),
    ("a draw denied", "dicey.Rolled", lambda envelope: envelope.pop("draws")),
    ("another start seat", "dicey.SetUp", lambda envelope: envelope["data"].update(start_seat=1)),
    ("another end", "table.Ended", lambda envelope: envelope["data"].update(reason="bored")),
    ("a wrong score", "table.Scored", lambda envelope: envelope["data"]["sheet"]["seats"][0].update(total=999)),
    ("another seed", "table.Sealed", lambda envelope: envelope["data"].update(server_seed="00" * 32)),
    ("a wider undo", "table.Truncated", lambda envelope: envelope["data"].update(to=1)),
    ("another contribution", "table.Started", lambda envelope: envelope["data"].update(contributions=["x", ""])),
    ("another player", "table.SeatTaken", lambda envelope: envelope["data"].update(player="0")),
]


@pytest.mark.parametrize(("topic", "change"), [pytest.param(*rest, id=name) for name, *rest in FORGERIES])
def test_a_forger_who_knows_the_seed_is_named_too(dicey: Ledger, topic: str, change: Any) -> None:
    version = version_of(dicey, topic)
    found = audited(dicey, rewritten(dicey, version, change))
    (failure,) = failed(found)
    assert failure.startswith(("play: event", "commitment: event"))
    assert f"event {version}:" in failure or topic in ("dicey.Marked", "table.Started", "table.SeatTaken")


def test_a_flipped_byte_breaks_the_chain_at_its_event(dicey: Ledger) -> None:
    for event in dicey.events:
        flipped = bytes([event.written[-3] ^ 1])
        broken = replace(event, written=event.written[:-3] + flipped + event.written[-2:])
        events = [broken if other is event else other for other in dicey.events]
        assert f"digests: event {event.version}:" in " ".join(failed(audited(dicey, events)))


def test_a_missing_and_a_moved_event_are_named(dicey: Ledger) -> None:
    gone = dicey.events[:5] + dicey.events[6:]
    assert failed(audited(dicey, gone))[0].startswith("order: event 6:")
    moved = [*dicey.events[:4], dicey.events[5], dicey.events[4], *dicey.events[6:]]
    assert failed(audited(dicey, moved))[0].startswith("order: event 5:")


def test_the_wrong_seed_fails_at_the_commitment(dicey: Ledger) -> None:
    found = audit(TABLE, dicey.games, dicey.events, bytes(32))
    assert not found.verified
    assert "commitment: event 1" in failed(found)[0]


def test_another_table_has_other_luck(dicey: Ledger) -> None:
    other = TABLE.__class__(int=TABLE.int + 1)
    found = audit(other, dicey.games, dicey.events, dicey.server_seed)
    rolled = version_of(dicey, "dicey.Rolled")
    assert failed(found) == [line for line in failed(found) if line.startswith(f"play: event {rolled}:")]
