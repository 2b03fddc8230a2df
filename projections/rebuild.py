"""Builds rows anew from the record: `python -m projections.rebuild [table id …]`. Readers find the old rows until
those of a table are replaced, in one transaction each; followers wait meanwhile.

Afterwards the rows are what they were, unless the program has changed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from uuid import UUID

from psycopg import Connection
from psycopg.rows import DictRow

from domain.registry import GAMES
from domain.table import Games
from infra.database import Database
from infra.event_store import PARTITIONS, partition_of
from infra.settings import Settings
from infra.signing import Signer
from infra.tables import Tables
from projections import store
from projections.partitions import demand, open_connection
from projections.projector import Fault, Projector

TABLES = "SELECT originator_id AS id FROM events WHERE originator_version = 1 AND partition_of(originator_id) = %s"


def rebuild(
    settings: Settings, table_ids: Sequence[UUID] | None = None, games: Games = GAMES
) -> tuple[int, list[Fault]]:
    """Rebuild the rows of some tables (None: of all); returns how many, and the faults of those that can't be.

    Raises:
        psycopg.errors.LockNotAvailable: if a follower does not give its partitions up; Unavailable.
    """
    database = Database(
        settings.database_url or "", size=2, timeout=settings.database_timeout, name="turnkeeper-rebuild"
    )
    tables = Tables(
        database,
        games,
        cache_tables=0,
        snapshot_interval=settings.snapshot_interval,
        cipher_key=settings.cipher_key,
    )
    projector = Projector(tables, Signer(database), seal_after=settings.seal_after, size=0)
    done, faults = 0, []
    connection = open_connection(database.url, name="turnkeeper-rebuild-rows")
    try:
        wanted = None if table_ids is None else {partition_of(each) for each in table_ids}
        demand(connection, range(PARTITIONS) if wanted is None else sorted(wanted))
        for partition in range(PARTITIONS) if wanted is None else sorted(wanted):
            found = [row["id"] for row in database.query(TABLES, (partition,))]
            for table_id in found if table_ids is None else [each for each in found if each in table_ids]:
                fault = _table(connection, projector, table_id)
                done += 1
                if fault is not None:
                    faults.append(fault)
    finally:
        connection.close()
        database.close()
    return done, faults


def _table(connection: Connection[DictRow], projector: Projector, table_id: UUID) -> Fault | None:
    projected = projector.rebuild(table_id)
    with connection.transaction():
        cursor = connection.cursor()
        store.forget(cursor, table_id)
        if projected.written is not None:
            store.write(cursor, [projected.written])
        if projected.fault is not None:
            store.mark_broken(cursor, table_id, projected.fault.version, projected.fault.error)
            if projected.fault.closed:
                store.close(cursor, table_id)
    return projected.fault


def main() -> int:
    """Exit status 1 if a table can't be projected."""
    done, faults = rebuild(Settings.from_environ(), [UUID(text) for text in sys.argv[1:]] or None)
    print(f"{done} tables rebuilt")
    for fault in faults:
        print(f"table {fault.table_id} can't be projected from version {fault.version} on: {fault.error}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
