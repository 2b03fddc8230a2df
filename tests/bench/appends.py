"""Appends a second of one event (about 300 bytes) by 1, 8 and 16 processes on one PostgreSQL: through our recorder,
the event library's own, our function without its lock, and a bare INSERT. Interleaved.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import psycopg
from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore

from infra.database import Database
from infra.event_store import CommandRow, EventRecorder
from tests.bench.figures import median, ms, quantile, scaled, show

STATE = os.urandom(300)
WRITERS = (1, 8, 16)

UNLOCKED = """
CREATE TABLE bare (LIKE events INCLUDING ALL);
GRANT SELECT, INSERT ON bare TO turnkeeper_app;
DO $$ BEGIN
    EXECUTE replace(replace(replace(pg_get_functiondef('append_events'::regproc),
        'append_events', 'append_unlocked'), 'PERFORM pg_advisory_xact_lock_shared(1953854062, 2);', ''),
        'INTO events', 'INTO bare');
END $$;
"""

Append = Callable[[StoredEvent], Any]


def ours(url: str) -> Append:
    recorder = EventRecorder(Database(url, size=1))

    def append(event: StoredEvent) -> None:
        table: Any = event.originator_id
        row = CommandRow(uuid4(), table, table, event.originator_version, event.originator_version, "act")
        recorder.insert_events([event], command=row)

    return append


def function(url: str) -> Append:
    """Our function on a connection of its own: what the statement costs, without pool and command."""
    return _called(url, "append_events")


def unlocked(url: str) -> Append:
    """The same statement, on a table of the same shape, without the lock that readers go by."""
    return _called(url, "append_unlocked")


def _called(url: str, name: str) -> Append:
    connection = psycopg.connect(url, autocommit=True)
    values = "%b::uuid[], %b::bigint[], %b::text[], %b::bytea[], NULL, NULL, NULL, 0, 0, NULL"
    statement = f"SELECT {name}({values})"

    def append(event: StoredEvent) -> None:
        given = ([event.originator_id], [event.originator_version], [event.topic], [event.state])
        connection.execute(statement.encode(), given, prepare=True).fetchall()

    return append


def bare(url: str) -> Append:
    connection = psycopg.connect(url, autocommit=True)
    statement = (
        "INSERT INTO bare (originator_id, originator_version, topic, state) VALUES (%b, %b, %s, %b)"
        " RETURNING notification_id"
    )

    def append(event: StoredEvent) -> None:
        values = (event.originator_id, event.originator_version, event.topic, event.state)
        connection.execute(statement, values, prepare=True).fetchall()

    return append


def stock(url: str) -> Append:
    recorder = stock_recorder(url)
    return lambda event: recorder.insert_events([event])


def stock_recorder(url: str) -> PostgresApplicationRecorder:
    dsn = psycopg.conninfo.conninfo_to_dict(url)
    store = PostgresDatastore(
        dbname=str(dsn["dbname"]),
        host=str(dsn["host"]),
        port=str(dsn.get("port", 5432)),
        user=str(dsn["user"]),
        password="",
        pool_size=1,
        originator_id_type="uuid",
    )
    return PostgresApplicationRecorder(store, events_table_name="stock_events")


CONTENDERS: dict[str, Callable[[str], Append]] = {
    "ours, with the command's row": ours,
    "the library's recorder": stock,
    "our function, bare connection": function,
    "the same function without lock": unlocked,
    "bare INSERT": bare,
}


def _write(make: Callable[[str], Append], url: str, seconds: float, barrier: Any, found: Any) -> None:
    append = make(url)
    table, version, spent = uuid4(), 0, []
    append(StoredEvent(table, 0, "bench.Happened", STATE))
    barrier.wait()
    end = time.perf_counter() + seconds
    while (begun := time.perf_counter()) < end:
        version += 1
        append(StoredEvent(table, version, "bench.Happened", STATE))
        spent.append(time.perf_counter() - begun)
    found.put((version, quantile(spent, 0.5), quantile(spent, 0.99)))
    found.close()
    found.join_thread()
    os._exit(0)  # pools are of no use any more


def measure(make: Callable[[str], Append], url: str, writers: int, seconds: float) -> tuple[float, float, float]:
    """Appends a second of all together, and the writers' median p50 and p99."""
    fork = multiprocessing.get_context("fork")
    barrier, found = fork.Barrier(writers), fork.Queue()
    processes = [fork.Process(target=_write, args=(make, url, seconds, barrier, found)) for _ in range(writers)]
    for each in processes:
        each.start()
    results = [found.get(timeout=120) for _ in processes]
    for each in processes:
        each.join(30)
    return (
        sum(count for count, _, _ in results) / seconds,
        median([p50 for _, p50, _ in results]),
        median([p99 for _, _, p99 in results]),
    )


def bench(url: str) -> None:
    """Args: url: of a migrated database, as its owner."""
    stock_recorder(url).create_table()
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(UNLOCKED.encode())
    rounds, seconds = int(scaled(3, 1)), scaled(2.0, 0.3)
    rates: dict[Any, list[tuple[float, float, float]]] = {}
    for _ in range(rounds):
        for writers in WRITERS:
            for name, make in CONTENDERS.items():
                rates.setdefault((name, writers), []).append(measure(make, url, writers, seconds))
    per_second = {key: median([rate for rate, _, _ in each]) for key, each in rates.items()}

    def cell(name: str, writers: int) -> str:
        p50 = median([each[1] for each in rates[name, writers]])
        p99 = median([each[2] for each in rates[name, writers]])
        return f"{per_second[name, writers]:,.0f} ({ms(p50)} / {ms(p99)})"

    show(
        "Appends/s (p50 / p99 of one), by writers",
        ("", *map(str, WRITERS)),
        [(name, *(cell(name, writers) for writers in WRITERS)) for name in CONTENDERS],
    )
    ratios = (
        ("ours, with the command's row", "the library's recorder"),
        ("our function, bare connection", "the same function without lock"),
        ("our function, bare connection", "bare INSERT"),
    )

    def ratio(one: str, other: str, writers: int) -> str:
        pairs = zip(rates[one, writers], rates[other, writers], strict=True)
        return f"{median([a[0] / b[0] for a, b in pairs]):.2f}"

    show(
        "Appends, medians of the ratios within a round",
        ("", *map(str, WRITERS)),
        [(f"{one} : {other}", *(ratio(one, other, writers) for writers in WRITERS)) for one, other in ratios],
    )
