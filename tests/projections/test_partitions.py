"""Positions behind a batch of rows that the database is slow to write: their answer is never taken for another's."""

from __future__ import annotations

import time

from infra.database import Database
from infra.event_store import Positions
from projections.partitions import Claims, open_connection


def test_positions_are_stored_behind_rows_whose_results_are_still_under_way(database: Database) -> None:
    connection = open_connection(database.url, name="test")
    connection.execute("RESET ROLE")
    connection.execute("CREATE TEMPORARY TABLE slow (number int, pause text)")
    claims = Claims(connection, Positions(database))
    slow = "INSERT INTO slow SELECT %s, pg_sleep(0.0001)::text"
    for run in range(1, 61):
        with connection.transaction(), connection.pipeline():
            cursor = connection.cursor()
            cursor.executemany(slow, [(number,) for number in range(500)])
            cursor.execute("DELETE FROM slow WHERE number > 100")
            cursor.executemany("INSERT INTO slow VALUES (%s, 'x')", [(number,) for number in range(7 * run)])
            time.sleep(0.01)  # now some of the results are on their way
            claims.store({0: run, 1: run})
    assert [Positions(database).read()[each] for each in (0, 1)] == [60, 60]
    connection.close()
