"""The 16 fixed partitions of tables, and how far a projection has come in each of them."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from eventsourcing.persistence import Tracking
from eventsourcing.postgres import PostgresTrackingRecorder
from psycopg import Cursor
from psycopg.rows import DictRow
from psycopg.sql import SQL

from infra.database import Database

PARTITIONS = 16


def partition_of(table_id: UUID) -> int:
    """The table's partition, 0 to 15; the SQL function of this name gives the same, for ever."""
    return table_id.int & (PARTITIONS - 1)


class Positions(PostgresTrackingRecorder):
    """How far a projection called `name` has come, one position for each of the 16 partitions."""

    def __init__(self, datastore: Database, *, name: str = "views", tracking_table_name: str = "positions") -> None:
        super().__init__(datastore, tracking_table_name=tracking_table_name)
        self.database = datastore
        self.name = name

    def create_table(self) -> None:
        """Nothing: the migrations have made the table."""

    def tracked_name(self, partition: int) -> str:
        """The name under which the event library tracks this partition."""
        return f"{self.name}/{partition:02}"

    def read(self, cursor: Cursor[DictRow] | None = None) -> dict[int, int]:
        """The position of every partition (0: nothing projected yet), within the caller's transaction if
        given.
        """
        statement = SQL("SELECT application_name, notification_id FROM positions WHERE application_name = ANY(%s)")
        params = ([self.tracked_name(partition) for partition in range(PARTITIONS)],)
        rows = cursor.execute(statement, params).fetchall() if cursor else self.database.query(statement, params)
        found = {row["application_name"]: row["notification_id"] for row in rows}
        return {each: found.get(self.tracked_name(each), 0) for each in range(PARTITIONS)}

    def advance(self, cursor: Cursor[DictRow], partition: int, notification_id: int) -> None:
        """Move on within the caller's transaction.

        Errors: `IntegrityError` if the position is already there or beyond: another process projects this
        partition.
        """
        self._insert_tracking(cursor, Tracking(self.tracked_name(partition), notification_id))

    def reset(self, cursor: Cursor[DictRow], partitions: Iterable[int] = range(PARTITIONS)) -> None:
        """Back to the beginning within the caller's transaction, for a rebuild."""
        names = [self.tracked_name(partition) for partition in partitions]
        cursor.execute("DELETE FROM positions WHERE application_name = ANY(%s)", (names,))
