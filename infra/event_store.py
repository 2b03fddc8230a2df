"""The event store: appends, and reads that never skip an event which commits late.

The recorder extends the event library's PostgreSQL recorder at its documented points. It knows stored events
(an id, a version, a topic, bytes) and commands; what an event means is the mapper's and the domain's
business.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import psycopg
from eventsourcing.persistence import (
    IntegrityError,
    Notification,
    StoredEvent,
    Subscription,
)
from eventsourcing.postgres import PostgresApplicationRecorder
from psycopg import Connection, Cursor
from psycopg.rows import DictRow
from psycopg.sql import SQL, Composed, Literal

from infra.database import Database, OutcomeUnknown, Unavailable
from infra.horizon import Horizon
from infra.positions import PARTITIONS, Positions, partition_of

DESK_PREFIX = "table."  # the partial index events_desk_idx covers exactly these topics
LAST_VERSION = 2**63 - 1


def _sixteen_bytes(*parts: bytes) -> UUID:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return UUID(bytes=digest.digest()[:16])


def command_id(actor: str, key: str) -> UUID:
    """The id under which a command is stored: `actor` (a player's id, a bot's, …) and its key, hashed
    together.
    """
    return _sixteen_bytes(actor.encode(), key.encode())


def body_hash(body: bytes) -> UUID:
    """The fingerprint by which the same key with another body is recognised."""
    return _sixteen_bytes(body)


@dataclass(frozen=True, slots=True)
class CommandRow:
    """What is kept of a command: enough to answer its repetition as the first time.

    `first_version` and `version`: the first and the last version it appended to `table_id` (0, 0: none);
    `kind`: which call it was, e.g. "action" or "undo".
    """

    command_id: UUID
    body_hash: UUID
    table_id: UUID | None
    first_version: int
    version: int
    kind: str

    def spanning(self, table_id: UUID, first_version: int, version: int) -> CommandRow:
        """The row with what the command came to append."""
        return replace(self, table_id=table_id, first_version=first_version, version=version)


@dataclass(frozen=True, slots=True)
class Batch:
    """What a follower reads at once; `upto`: up to this id nothing more will ever come for its partitions."""

    notifications: Sequence[Notification]
    upto: int


class VersionTaken(IntegrityError):
    """An event of this table and version is already stored: somebody else appended first."""


class CommandRepeated(IntegrityError):
    """A command of this actor and key is already stored."""


CONFLICTS: dict[str, type[IntegrityError]] = {"events_pkey": VersionTaken, "commands_pkey": CommandRepeated}

APPEND = SQL("SELECT append_events(%b::uuid[], %b::bigint[], %b::text[], %b::bytea[], %s, %s, %s, %s, %s, %s)")
SELECT_NOTIFICATIONS = SQL(
    "SELECT notification_id, originator_id, originator_version, topic, state FROM events"
    " WHERE notification_id BETWEEN %s AND %s"
)
NO_COMMAND = (None, None, None, 0, 0, None)


class EventRecorder(PostgresApplicationRecorder):
    """The library's recorder on our tables: concurrent appends, no table lock, no NOTIFY, no hidden
    repetition.

    Errors of every method: `Unavailable` if the database does not answer within its time.
    """

    def __init__(self, datastore: Database, *, events_table_name: str = "events") -> None:
        super().__init__(datastore, events_table_name=events_table_name)
        self.database = datastore
        self.horizon = Horizon(datastore)

    def create_table(self) -> None:
        """Nothing: the migrations have made the tables."""

    def insert_events(
        self,
        stored_events: Sequence[StoredEvent],
        *,
        command: CommandRow | None = None,
        cursor: Cursor[DictRow] | None = None,
        **_: Any,
    ) -> Sequence[int] | None:
        """Append all of `stored_events`, in their order, and the command's row, or nothing; returns their
        ids.

        One statement, one round trip. With `cursor` it is part of the caller's transaction (which should then
        end soon: readers wait for it). Errors: `CommandRepeated` (looked at first), `VersionTaken`;
        `OutcomeUnknown` if the connection broke under way: the append may be stored, `find_command` will
        tell.
        """
        if not stored_events and command is None:
            return None
        params = self._append_params(stored_events, command)
        if cursor is not None:
            return self._append(cursor, params)
        try:
            with self.database.get_connection() as connection:
                return self._append_alone(connection, params)
        except _Broken as error:
            self.database.pool.drain()
            raise OutcomeUnknown(str(error)) from error.__cause__

    def _append_alone(self, connection: Connection[DictRow], params: Sequence[Any]) -> Sequence[int]:
        try:
            with connection.cursor() as cursor:
                return self._append(cursor, params)
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            # A statement that failed was rolled back by the server; without its answer nobody knows.
            if connection.closed:
                raise _Broken(str(error)) from error
            raise

    def _append(self, cursor: Cursor[DictRow], params: Sequence[Any]) -> Sequence[int]:
        try:
            cursor.execute(APPEND, params, prepare=True)
        except psycopg.errors.UniqueViolation as error:
            conflict = CONFLICTS.get(error.diag.constraint_name or "", IntegrityError)
            raise conflict(str(error)) from error
        return [row["append_events"] for row in cursor.fetchall()]

    @staticmethod
    def _append_params(stored_events: Sequence[StoredEvent], command: CommandRow | None) -> Sequence[Any]:
        return (
            [event.originator_id for event in stored_events],
            [event.originator_version for event in stored_events],
            [event.topic for event in stored_events],
            [event.state for event in stored_events],
            *(
                NO_COMMAND
                if command is None
                else (
                    command.command_id,
                    command.body_hash,
                    command.table_id,
                    command.first_version,
                    command.version,
                    command.kind,
                )
            ),
        )

    def find_command(self, actor: str, key: str) -> CommandRow | None:
        """The stored command of this actor and key; None if it was never carried out."""
        rows = self.database.query("SELECT * FROM commands WHERE command_id = %s", (command_id(actor, key),))
        return CommandRow(**rows[0]) if rows else None

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """A table's events with `gt` < version ≤ `lte`, by version."""
        rows = self.database.query(
            SQL(
                "SELECT originator_id, originator_version, topic, state FROM events WHERE originator_id = %s"
                " AND originator_version > %s AND originator_version <= %s"
                " ORDER BY originator_version {} LIMIT %s"
            ).format(SQL("DESC" if desc else "ASC")),
            (originator_id, -1 if gt is None else gt, LAST_VERSION if lte is None else lte, limit),
        )
        return [_stored(row) for row in rows]

    def select_ranges(self, table_id: UUID, ranges: Iterable[tuple[int, int | None]]) -> Sequence[StoredEvent]:
        """A table's events in the given disjoint ranges of versions, ends included (None: to the last), in
        one query.
        """
        pairs = list(ranges)
        if not pairs:
            return []
        rows = self.database.query(
            "SELECT e.originator_id, e.originator_version, e.topic, e.state"
            " FROM unnest(%b::bigint[], %b::bigint[]) AS r (first, last)"
            " JOIN events AS e ON e.originator_id = %s AND e.originator_version BETWEEN r.first AND r.last"
            " ORDER BY e.originator_version",
            (
                [first for first, _ in pairs],
                [LAST_VERSION if last is None else last for _, last in pairs],
                table_id,
            ),
        )
        return [_stored(row) for row in rows]

    def select_topics(self, table_id: UUID, prefix: str = DESK_PREFIX, *, gt: int = -1) -> Sequence[StoredEvent]:
        """A table's events after version `gt` whose topic begins with `prefix`, by version.

        For `DESK_PREFIX` a partial index of just these is used, however long the table's play is.
        """
        rows = self.database.query(select_topics_statement(prefix), (table_id, gt))
        return [_stored(row) for row in rows]

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
        partitions: Sequence[int] | None = None,
    ) -> Sequence[Notification]:
        """Events of all tables by notification id, from `start` to `stop`, `limit` at most, none beyond the
        horizon.

        So who goes on after the last id it got will never have skipped one. `topics`, `partitions`: only
        those.
        """
        first = 0 if start is None else start + (not inclusive_of_start)
        horizon = self._horizon_for(first, limit, stop, filtered=bool(topics) or partitions is not None)
        last = horizon if stop is None else min(stop, horizon)
        return self._notifications(first, last, limit, topics, partitions)

    def follow(self, after: int, limit: int, partitions: Sequence[int] | None = None) -> Batch:
        """The next events after position `after` for a follower, and the position to record for them."""
        horizon = self._horizon_for(after + 1, limit, None, filtered=partitions is not None)
        found = self._notifications(after + 1, horizon, limit, (), partitions)
        return Batch(found, found[-1].id if len(found) == limit else max(after, horizon))

    def beyond(self, after: int, upto: int, limit: int, partitions: Sequence[int]) -> Sequence[Notification]:
        """Events after `after` up to `upto` as far as they can be seen, past the horizon too. An append under way
        may still commit in between: no position may be recorded for this.
        """
        return self._notifications(after + 1, upto, limit, (), partitions)

    def _horizon_for(self, first: int, limit: int, stop: int | None, *, filtered: bool) -> int:
        """The known horizon where it reaches for the whole answer (a reader far behind), else a fresh one."""
        known = self.horizon.known
        whole = (stop is not None and stop <= known) or (not filtered and first + limit <= known)
        return known if whole else self.horizon.advance()

    def _notifications(
        self, first: int, last: int, limit: int, topics: Sequence[str], partitions: Sequence[int] | None
    ) -> list[Notification]:
        if first > last:
            return []
        statement = Composed([SELECT_NOTIFICATIONS])
        params: list[Any] = [first, last]
        if topics:
            statement += SQL(" AND topic = ANY(%s)")
            params.append(list(topics))
        if partitions is not None:
            statement += SQL(" AND partition_of(originator_id) = ANY(%s)")
            params.append(list(partitions))
        rows = self.database.query(statement + SQL(" ORDER BY notification_id LIMIT %s"), (*params, limit))
        return [
            Notification(
                id=row["notification_id"],
                originator_id=row["originator_id"],
                originator_version=row["originator_version"],
                topic=row["topic"],
                state=bytes(row["state"]),
            )
            for row in rows
        ]

    def max_notification_id(self) -> int | None:
        """The last notification id that is safe to read; None if there is none."""
        horizon = self.horizon.advance()
        rows = self.database.query(
            "SELECT max(notification_id) AS last FROM events WHERE notification_id <= %s", (horizon,)
        )
        last: int | None = rows[0]["last"]
        return last

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[PostgresApplicationRecorder]:
        """An endless iterator over the events after `gt`; it polls."""
        return PollingSubscription(self, gt, topics)


class PollingSubscription(Subscription[PostgresApplicationRecorder]):
    """Looks for new events every `pause` seconds: nothing to lose, unlike a notification sent before one
    listens.
    """

    pause = 0.02
    batch = 500

    def __init__(self, recorder: EventRecorder, gt: int | None, topics: Sequence[str]) -> None:
        super().__init__(recorder=recorder, gt=gt, topics=topics)
        self._ahead: list[Notification] = []

    def __next__(self) -> Notification:
        while not self._has_been_stopped:
            if self._ahead:
                notification = self._ahead.pop()
                self._last_notification_id = notification.id
                return notification
            self._ahead = list(
                self._recorder.select_notifications(
                    self._last_notification_id or 0, self.batch, topics=self._topics, inclusive_of_start=False
                )
            )[::-1]
            if not self._ahead:
                time.sleep(self.pause)
        raise StopIteration


class _Broken(Exception):
    """The connection broke during an append."""


def _stored(row: DictRow) -> StoredEvent:
    return StoredEvent(
        originator_id=row["originator_id"],
        originator_version=row["originator_version"],
        topic=row["topic"],
        state=bytes(row["state"]),
    )


def select_topics_statement(prefix: str) -> Composed:
    """The query of `select_topics`. The pattern is a literal: as a parameter the planner could not see that it
    implies the partial index's condition."""
    escaped = prefix.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return SQL(
        "SELECT originator_id, originator_version, topic, state FROM events WHERE originator_id = %s"
        " AND originator_version > %s AND topic LIKE {} ORDER BY originator_version"
    ).format(Literal(escaped.replace("%", "%%") + "%%"))


__all__ = [
    "DESK_PREFIX",
    "PARTITIONS",
    "Batch",
    "CommandRepeated",
    "CommandRow",
    "EventRecorder",
    "Horizon",
    "OutcomeUnknown",
    "Positions",
    "Unavailable",
    "VersionTaken",
    "body_hash",
    "command_id",
    "partition_of",
]
