"""What the interface asks of the read models: views, lobby, turns, results, the log, and waiting for a row.

Every function is one statement on one connection, so each answer is of one moment. Authorisation is the caller's.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import DictRow
from psycopg.sql import SQL, Composed

from domain.game import Viewer
from infra.database import Database
from projections.rows import PUBLIC, number_of

ROWS_CHANNEL = "turnkeeper.rows"
"""Where the follower says, after its commit, which tables have new rows: their ids, separated by spaces."""

FIRST_PAUSE, LONGEST_PAUSE = 0.002, 0.02
"""Seconds between two looks of who waits for a row; they grow."""

Cursor = tuple[datetime, UUID]
"""A place in a list, newest first: time and table of the last item given."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A view's row as its viewer gets it. `mark` without the viewer is (version, revision)."""

    viewer: Viewer
    version: int
    revision: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Listed:
    """A table's row in the lobby; `body` is the table resource with players' ids."""

    table_id: UUID
    status: str
    private: bool
    sealed: bool
    players: tuple[UUID | None, ...]
    insiders: tuple[UUID, ...]
    gone: tuple[UUID, ...]
    version: int
    revision: int
    recorded: int
    body: dict[str, Any]
    created_at: datetime
    updated_at: datetime

    def seat_of(self, player: UUID | None) -> Viewer:
        """The seat that a player holds; None for anybody else."""
        return None if player is None or player not in self.players else self.players.index(player)

    def is_visible_to(self, player: UUID | None) -> bool:
        return not self.private or player in (*self.insiders, *self.gone)


@dataclass(frozen=True, slots=True)
class Page:
    """Part of a list; `next` is where to go on, None at the end."""

    items: tuple[Listed, ...]
    next: Cursor | None


COLUMNS = SQL(
    "l.table_id, l.status, l.private, l.sealed, l.players, l.insiders, l.gone, l.version, l.revision, l.recorded,"
    " l.body, l.created_at, l.updated_at"
)


def view_row(database: Database, table_id: UUID, viewer: Viewer) -> Shown | None:
    """A viewer's row; None if it is not there (yet)."""
    rows = database.query(
        "SELECT version, revision, body FROM views WHERE table_id = %s AND viewer = %s",
        (table_id, number_of(viewer)),
    )
    return _shown(viewer, rows[0]) if rows else None


def view_for(database: Database, table_id: UUID, player: UUID | None) -> Shown | None:
    """The row of whatever seat a player holds, else the public one; None if it is not there, or hidden from them."""
    rows = database.query(
        "SELECT v.viewer, v.version, v.revision, v.body FROM lobby AS l JOIN views AS v"
        # Without a player NULL would be found among the seats that nobody, or a bot, holds.
        " ON v.table_id = l.table_id AND v.viewer ="
        " CASE WHEN %s::uuid IS NULL THEN -1 ELSE coalesce(array_position(l.players, %s::uuid), 0) - 1 END"
        " WHERE l.table_id = %s AND (NOT l.private OR %s::uuid = ANY (l.insiders || l.gone))",
        (player, player, table_id, player),
    )
    if not rows:
        return None
    viewer = rows[0]["viewer"]
    return _shown(None if viewer == PUBLIC else viewer, rows[0])


def _shown(viewer: Viewer, row: DictRow) -> Shown:
    return Shown(viewer, row["version"], row["revision"], bytes(row["body"]))


def wait_for_view(database: Database, table_id: UUID, viewer: Viewer, version: int, timeout: float) -> Shown | None:
    """A viewer's row once it shows `version` or later; None if it does not within `timeout` seconds."""
    deadline = time.monotonic() + timeout
    pause = FIRST_PAUSE
    while True:
        shown = view_row(database, table_id, viewer)
        if shown is not None and shown.version >= version:
            return shown
        if time.monotonic() + pause > deadline:
            return None
        time.sleep(pause)
        pause = min(1.5 * pause, LONGEST_PAUSE)


def wait_until_recorded(database: Database, table_id: UUID, version: int, timeout: float) -> bool:
    """Whether the rows of a table contain an event of any kind within `timeout` seconds.

    For versions that the caller appended itself: how long this takes tells of steps that others may not see.
    """
    deadline = time.monotonic() + timeout
    pause = FIRST_PAUSE
    while True:
        rows = database.query("SELECT recorded FROM lobby WHERE table_id = %s", (table_id,))
        if rows and rows[0]["recorded"] >= version:
            return True
        if time.monotonic() + pause > deadline:
            return False
        time.sleep(pause)
        pause = min(1.5 * pause, LONGEST_PAUSE)


def lobby_row(database: Database, table_id: UUID) -> Listed | None:
    """A table in the lobby; None if it is not there (yet)."""
    rows = database.query(SQL("SELECT {} FROM lobby AS l WHERE l.table_id = %s").format(COLUMNS), (table_id,))
    return _listed(rows[0]) if rows else None


def lobby_page(
    database: Database,
    *,
    asker: UUID | None,
    status: str | None = None,
    game: str | None = None,
    player: UUID | None = None,
    after: Cursor | None = None,
    limit: int = 50,
) -> Page:
    """Tables that the asker may see, newest first.

    Args:
        status, game, player: only these; `player` has a seat at the table.
        after: the last item already given.
    """
    wanted: Mapping[str, tuple[Any, ...]] = {
        "(NOT l.private OR %s::uuid = ANY (l.insiders || l.gone))": (asker,),
        "l.status = %s": (status,),
        "l.game = %s": (game,),
        "l.players @> ARRAY[%s::uuid]": (player,),
        "(l.created_at, l.table_id) < (%s, %s)": after or (None,),
    }
    always = "(NOT l.private OR %s::uuid = ANY (l.insiders || l.gone))"
    used = {text: given for text, given in wanted.items() if text == always or given[0] is not None}
    statement = SQL("SELECT {} FROM lobby AS l WHERE {} ORDER BY l.created_at DESC, l.table_id DESC LIMIT %s").format(
        COLUMNS,
        SQL(" AND ").join(Composed([SQL(text)]) for text in used),
    )
    rows = database.query(statement, [*(value for given in used.values() for value in given), limit + 1])
    items = tuple(_listed(row) for row in rows[:limit])
    more = len(rows) > limit
    return Page(items, (items[-1].created_at, items[-1].table_id) if more else None)


def turns_of(database: Database, player: UUID, limit: int = 200) -> tuple[Listed, ...]:
    """The tables that wait for a player, the longest waiting first."""
    statement = SQL(
        "SELECT {} FROM lobby AS l WHERE l.waits_for @> ARRAY[%s::uuid] ORDER BY l.waits_since, l.table_id LIMIT %s"
    ).format(COLUMNS)
    return tuple(_listed(row) for row in database.query(statement, (player, limit)))


def _listed(row: DictRow) -> Listed:
    return Listed(
        **{**row, "players": tuple(row["players"]), "insiders": tuple(row["insiders"]), "gone": tuple(row["gone"])},
    )


def result(database: Database, table_id: UUID) -> dict[str, Any] | None:
    """The result of a scored table as the table resource has it, players by id; None before."""
    listed = lobby_row(database, table_id)
    return None if listed is None else listed.body["result"]


def results_of(database: Database, player: UUID, *, after: Cursor | None = None, limit: int = 50) -> list[DictRow]:
    """A player's lines of score sheets, newest first, from public tables."""
    beyond = SQL("AND (r.scored_at, r.table_id) < (%s, %s)") if after else SQL("")
    statement = SQL(
        "SELECT r.* FROM results AS r JOIN lobby AS l USING (table_id) WHERE r.player = %s AND NOT l.private {}"
        " ORDER BY r.scored_at DESC, r.table_id DESC LIMIT %s"
    ).format(beyond)
    return database.query(statement, (player, *(after or ()), limit))


LOG_PAGE = SQL(
    "SELECT g.version, g.truncated_by, g.private_to, g.whole, l.sealed,"
    " coalesce(g.entries -> %(name)s, g.entries -> 'public') AS entry"
    " FROM lobby AS l JOIN log AS g USING (table_id)"
    " WHERE l.table_id = %(table)s AND g.version > %(after)s"
    " AND g.version <= CASE WHEN l.holder = %(viewer)s OR %(auditor)s THEN l.recorded ELSE l.public_upto END"
    " ORDER BY g.version LIMIT %(limit)s"
)


def log_page(
    database: Database, table_id: UUID, viewer: Viewer, *, after: int = 0, limit: int = 100, auditor: bool = False
) -> list[dict[str, Any]]:
    """The log as a viewer may read it, from version `after` + 1 on, `limit` entries at most.

    What lies behind another seat's provisional steps is held back until these are public, so that no gap tells of
    them; steps that were cut before are `withdrawn`. Once the record is sealed everybody reads all of it.

    Args:
        auditor: reads all of it at any time.
    """
    number = number_of(viewer)
    rows = database.query(
        LOG_PAGE,
        {
            "table": table_id,
            "viewer": number,
            "name": "public" if viewer is None else str(viewer),
            "after": after,
            "limit": limit,
            "auditor": auditor,
        },
    )
    return [_entry(row, number, whole=row["sealed"] or auditor) for row in rows]


def _entry(row: DictRow, viewer: int, *, whole: bool) -> dict[str, Any]:
    if not whole and row["private_to"] not in (None, viewer):
        return {"version": row["version"], "type": "withdrawn"}
    entry: dict[str, Any] = row["entry"]
    digest = entry.pop("digest")
    if whole and row["whole"] is not None:
        entry["data"] = row["whole"]
    return entry | {"truncated_by": row["truncated_by"], "digest": digest}
