"""SQL that writes rows. All of it is idempotent: the same rows written twice are the same rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any
from uuid import UUID

from psycopg import Cursor
from psycopg.rows import DictRow

from projections.log import Change, Cut, LogRow
from projections.rows import LobbyRow, ResultRow, ViewRow, WorkRow

LONGEST_ERROR = 1000

TABLES = ("lobby", "views", "log", "work", "results")


@dataclass(frozen=True, slots=True)
class Written:
    """What a batch of events comes to for one table.

    Args:
        lobby: as of the last event.
        views: of those viewers who see something new.
        log: one row an event, what the batch itself changed in them included.
        changes: for rows that are stored already: those before the first of `log`.
        work, results: complete, what is not among them is taken away; None: as they were.
    """

    lobby: LobbyRow
    views: tuple[ViewRow, ...]
    log: tuple[LogRow, ...]
    changes: tuple[Change, ...]
    work: tuple[WorkRow, ...] | None
    results: tuple[ResultRow, ...] | None

    @property
    def table_id(self) -> UUID:
        return self.lobby.table_id


def _upsert(table: str, row: type, key: str, casts: dict[str, str]) -> str:
    """Made once, as text: composed statements would be put together again for every batch."""
    names = [field.name for field in fields(row)]
    values = ", ".join("%s" + casts.get(name, "") for name in names)
    news = ", ".join(f"{name} = excluded.{name}" for name in names if name not in key.split(", "))
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({values}) ON CONFLICT ({key}) DO UPDATE SET {news}"


UUIDS = "::uuid[]"
PUT_LOBBY = _upsert(
    "lobby",
    LobbyRow,
    "table_id",
    {"players": UUIDS, "insiders": UUIDS, "gone": UUIDS, "waits_for": UUIDS, "body": "::json"},
)
PUT_VIEW = _upsert("views", ViewRow, "table_id, viewer", {})
PUT_LOG = _upsert("log", LogRow, "table_id, version", {"entries": "::json", "whole": "::json"})
PUT_WORK = _upsert("work", WorkRow, "table_id, kind, seat", {})
PUT_RESULT = _upsert("results", ResultRow, "table_id, seat", {"player": "::uuid", "breakdown": "::json"})

CUT = "UPDATE log SET truncated_by = %s WHERE table_id = %s AND version BETWEEN %s AND %s AND NOT desk"
PUBLISH = (
    "UPDATE log SET private_to = NULL WHERE table_id = %s AND version BETWEEN %s AND %s AND private_to IS NOT NULL"
)

JSON_COLUMNS = {"entries", "whole", "breakdown"}
"""Columns of type json, which rows hold as UTF-8 bytes; `body` of the lobby's too, that of views is bytea."""


def write(cursor: Cursor[DictRow], batch: Sequence[Written]) -> None:
    """Write what came of a batch, within the caller's transaction."""
    changed = [(written.table_id, change) for written in batch for change in written.changes]
    _many(cursor, PUT_LOBBY, (written.lobby for written in batch))
    _many(cursor, PUT_VIEW, (row for written in batch for row in written.views))
    _many(cursor, PUT_LOG, (row for written in batch for row in written.log))
    for table_id, change in changed:
        if isinstance(change, Cut):
            cursor.execute(CUT, (change.by, table_id, change.first, change.last))
        else:
            cursor.execute(PUBLISH, (table_id, change.first, change.last))
    _replace(cursor, "work", PUT_WORK, {each.table_id: each.work for each in batch if each.work is not None})
    _replace(cursor, "results", PUT_RESULT, {each.table_id: each.results for each in batch if each.results is not None})


def forget(cursor: Cursor[DictRow], table_id: UUID) -> None:
    """Take all rows of a table away, and the note that it is broken, within the caller's transaction."""
    for name in (*TABLES, "broken"):
        cursor.execute(f"DELETE FROM {name} WHERE table_id = %s", (table_id,))


def mark_broken(cursor: Cursor[DictRow], table_id: UUID, version: int, error: str) -> None:
    """Note from which version on a table can't be projected, within the caller's transaction."""
    cursor.execute(
        "INSERT INTO broken VALUES (%s, %s, %s) ON CONFLICT (table_id) DO UPDATE"
        " SET version = excluded.version, error = excluded.error",
        (table_id, version, error.replace("\0", "")[:LONGEST_ERROR]),
    )


def close(cursor: Cursor[DictRow], table_id: UUID) -> None:
    """Let a table with a broken record wait for nobody, within the caller's transaction."""
    cursor.execute("DELETE FROM work WHERE table_id = %s", (table_id,))
    cursor.execute(
        "UPDATE lobby SET status = 'finished', waits_for = '{}',"
        """ body = (body::jsonb || '{"status": "finished", "to_act": [], "closed": "broken"}')::json"""
        " WHERE table_id = %s",
        (table_id,),
    )


def _replace(cursor: Cursor[DictRow], name: str, put: str, rows: dict[UUID, Any]) -> None:
    if rows:
        cursor.execute(f"DELETE FROM {name} WHERE table_id = ANY (%s)", (list(rows),))
        _many(cursor, put, (row for each in rows.values() for row in each))


def _many(cursor: Cursor[DictRow], statement: str, rows: Iterable[Any]) -> None:
    values = [_values(row) for row in rows]
    if values:
        cursor.executemany(statement, values)


def _values(row: Any) -> tuple[Any, ...]:
    as_text = JSON_COLUMNS | {"body"} if isinstance(row, LobbyRow) else JSON_COLUMNS
    return tuple(_value(getattr(row, field.name), as_text=field.name in as_text) for field in fields(row))


def _value(value: Any, *, as_text: bool) -> Any:
    if as_text and value is not None:
        return value.decode()
    return list(value) if isinstance(value, tuple) else value
