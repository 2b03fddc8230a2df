"""A golden line of every event type that was ever written must load for ever."""

from __future__ import annotations

import json

import pytest

from domain.record import Draft, Event, canonical, envelope
from domain.registry import GAMES
from infra.compression import PresetZlib
from infra.mapper import EventMapper
from tests.infra.golden_events import golden_lines, missing
from tests.ledger import TABLE


@pytest.fixture(scope="module")
def mapper() -> EventMapper:
    return EventMapper(compressor=PresetZlib(), games=GAMES)


def test_every_event_type_has_a_golden_line() -> None:
    assert missing(GAMES) == set(), "run .venv/bin/python -m tests.infra.golden_events"


@pytest.mark.parametrize("line", golden_lines(), ids=lambda line: json.loads(line)["type"])
def test_a_golden_line_loads(mapper: EventMapper, line: bytes) -> None:
    event = mapper.read(TABLE, 1, line, bytes(32))
    old = json.loads(line)
    assert event.written == line
    assert (event.topic, event.by, event.command, event.seat) == (
        old["type"],
        old["by"],
        old["command"],
        old.get("seat"),
    )
    if old["schema"] == event.fact.SCHEMA:
        assert canonical(rewritten(event)) == line


def rewritten(event: Event) -> dict[str, object]:
    draft = Draft(event.fact, event.seat, event.action, event.barrier, event.draws)
    return envelope(draft, by=event.by, at=event.at, command=event.command)


def test_a_stored_event_is_about_as_small_as_the_entropy_in_it(mapper: EventMapper) -> None:
    for line in golden_lines():
        stored = mapper.to_stored_event(mapper.read(TABLE, 1, line, bytes(32)))
        assert mapper.to_domain_event(stored).written == line
        if b"CardsDelivered" in line:
            assert len(stored.state) < 0.7 * len(line)


@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b"not json",
        b'{"type":"os.system","schema":1,"data":{},"by":"system","at":"2027-01-01T00:00:00.000000Z","command":""}',
        b'{"type":"table.Ended","schema":1,"data":{"reason":5},"by":"x","at":"2027-01-01T00:00:00Z","command":""}',
        b'{"type":"table.Ended","schema":1,"data":{},"by":"x","at":"2027-01-01T00:00:00Z","command":""}',
    ],
)
def test_what_is_no_event_of_ours_is_refused(mapper: EventMapper, line: bytes) -> None:
    with pytest.raises((KeyError, ValueError)):
        mapper.read(TABLE, 1, line, bytes(32))
