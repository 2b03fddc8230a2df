"""What must hold when everything has calmed down, said of the record and the rows alone."""

from __future__ import annotations

from collections import Counter
from typing import Any
from uuid import UUID

from domain.audit import audit
from domain.desk import Ended, Scored, Sealed
from domain.record import Event, canonical
from domain.table import Play, Table
from infra.event_store import command_id
from projections.rebuild import rebuild
from services.context import Context
from tests.chaos.crowd import Crowd, Promise

ROWS = ("lobby", "views", "log", "work", "results", "broken")

UNFINISHED = """
SELECT (SELECT count(*) FROM (SELECT originator_id FROM events EXCEPT SELECT table_id FROM lobby WHERE sealed) AS t)
     + (SELECT count(*) FROM work) AS count
"""


def unfinished(context: Context) -> int:
    """Tables that are not sealed, and work that is to be done."""
    count: int = context.database.query(UNFINISHED)[0]["count"]
    return count


def check(context: Context, crowd: Crowd) -> dict[str, int]:
    """Look at everything; returns how much of what was looked at. Raises AssertionError for what does not hold."""
    ids = [row["id"] for row in context.database.query("SELECT DISTINCT originator_id AS id FROM events ORDER BY 1")]
    assert {UUID(table) for table in crowd.tables} <= set(ids), "a table that was confirmed is not there"
    promises = _by_table(crowd.promises)
    commands = context.database.query("SELECT * FROM commands WHERE table_id IS NOT NULL")
    rows: dict[UUID, list[Any]] = {table_id: [] for table_id in ids}
    for row in commands:
        rows[row["table_id"]].append(row)
    counts: Counter[str] = Counter(tables=len(ids), commands=len(commands), refusals=len(crowd.refused))
    people = {person.id for person in crowd.people}
    for table_id in ids:
        events = context.tables.recorded(table_id)
        counts["events"] += len(events)
        assert [event.version for event in events] == list(range(1, len(events) + 1)), f"{table_id}: versions"
        _commands_are_there_once(table_id, events, rows[table_id])
        counts["confirmed"] += _promises_are_kept(events, promises.get(str(table_id), []), people)
        counts["bots' moves"] += _bots_moved_once(context, table_id, events)
        for kind in (Ended, Scored, Sealed):
            assert sum(isinstance(event.fact, kind) for event in events) == 1, f"{table_id}: {kind.__name__}"
        found = audit(table_id, context.games, events, context.tables.server_seed(table_id))
        assert found.verified, f"{table_id}: {[each for each in found.checks if not each.ok]}"
    for player, key in crowd.refused:
        assert context.tables.command(player, key) is None, f"refused, but recorded: {key}"
    _rows_equal_a_rebuild(context)
    return dict(counts)


def _by_table(promises: list[Promise]) -> dict[str, list[Promise]]:
    found: dict[str, list[Promise]] = {}
    for promise in promises:
        found.setdefault(promise.table, []).append(promise)
    return found


def _commands_are_there_once(table_id: UUID, events: list[Event], rows: list[Any]) -> None:
    """Command rows and events tell of the same commands, each in one piece."""
    spans: dict[str, list[int]] = {}
    for event in events:
        spans.setdefault(event.command, []).append(event.version)
    for command, versions in spans.items():
        assert versions == list(range(versions[0], versions[-1] + 1)), f"{table_id}: {command} is in pieces"
    stored = {row["command_id"].hex: (row["first_version"], row["version"]) for row in rows}
    told = {command: (versions[0], versions[-1]) for command, versions in spans.items()}
    assert stored == {command: span for command, span in told.items() if command in stored}, f"{table_id}: commands"
    # What a writer of the harness opened has no command row.
    assert all(told[command][0] == 1 for command in told.keys() - stored.keys()), f"{table_id}: events of no command"


def _promises_are_kept(events: list[Event], promises: list[Promise], people: set[str]) -> int:
    """Everything that was confirmed is in the record once; nothing of a person is there that was not confirmed."""
    by_command = {event.command: event for event in reversed(events)}
    kept = set()
    for promise in promises:
        first = by_command.get(command_id(promise.player, promise.key).hex)
        assert first is not None, f"confirmed, but not recorded: {promise}"
        assert first.by == f"player:{promise.player}"
        assert promise.action is None or canonical(first.action) == canonical(_asked(promise.action)), promise
        versions = [event.version for event in events if event.command == first.command]
        assert promise.versions in ((), tuple(versions)), promise
        kept.add(first.command)
    assert len(kept) == len(promises)
    persons = {event.command for event in events if event.by.removeprefix("player:") in people}
    assert persons == kept, "a person's command is recorded that was not confirmed"
    return len(kept)


def _asked(action: Any) -> dict[str, Any]:
    return {name: value for name, value in action.items() if name != "final"}


def _bots_moved_once(context: Context, table_id: UUID, events: list[Event]) -> int:
    """No two decisions of bots were taken for the same seat at the same position."""
    table = Table(id=table_id, games=context.games)
    positions: dict[int, Play] = {0: table.play}
    moved: Counter[tuple[int, int | None]] = Counter()
    for event in events:
        if event.by.startswith("bot:") and event.action is not None:
            moved[table.play.version, event.seat] += 1
        table = table.evolve(event, positions.__getitem__)
        positions[event.version] = table.play
    twice = [position for position, times in moved.items() if times > 1]
    assert not twice, f"{table_id}: a bot moved twice at {twice}"
    return sum(moved.values())


def _rows_equal_a_rebuild(context: Context) -> None:
    before = _rows(context)
    assert not before["broken"], before["broken"]
    _, faults = rebuild(context.settings, games=context.games)
    assert not faults, faults
    after = _rows(context)
    for name in ROWS:
        assert before[name] == after[name], f"rows of {name} differ from a rebuild"


def _rows(context: Context) -> dict[str, list[Any]]:
    query = "SELECT row_to_json(t)::text AS row FROM (SELECT * FROM {} ORDER BY 1, 2, 3) AS t"
    return {name: [row["row"] for row in context.database.query(query.format(name))] for name in ROWS}
