"""The follower: `python -m projections.follower`. Reads events in batches and writes all rows of a batch, and how far
it has come, in one transaction. Any number of them share the 16 partitions.

It never gives up: whatever fails, it connects again and goes on from the stored positions.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

import psycopg
import structlog
from eventsourcing.persistence import StoredEvent
from prometheus_client import Counter, Gauge, Histogram
from psycopg import Connection, Cursor
from psycopg.rows import DictRow

from domain.registry import GAMES
from domain.table import Games
from infra import tasks
from infra.database import Database
from infra.event_store import PARTITIONS, EventRecorder, Positions, partition_of
from infra.logging import configure_logging
from infra.redis import Wakeups
from infra.settings import Settings
from infra.signing import Signer
from infra.tables import Tables
from projections import store
from projections.overtaking import Overtaking
from projections.partitions import Claims, open_connection
from projections.projector import Fault, Projected, Projector
from projections.read import ROWS_CHANNEL

REFRESH = 0.5
"""Seconds between two looks at who else follows, and between two records of positions without news."""
LONGEST_REST = 5.0
"""Seconds to wait after failures in a row, at most."""

log = structlog.get_logger(__name__)

EVENTS = Counter("turnkeeper_projected_events_total", "Events whose rows were written")
LAG = Gauge(
    "turnkeeper_follower_lag_events",
    "Event ids between a partition and the newest",
    ["partition"],
    multiprocess_mode="livemax",
)
BROKEN = Gauge("turnkeeper_broken_tables", "Tables that can't be projected", multiprocess_mode="livemax")
BATCH = Histogram("turnkeeper_projection_batch_seconds", "Time from reading a batch to its commit")
FAILURES = Counter("turnkeeper_follower_failures_total", "Times that the follower had to start again")


class Follower:
    """One follower. `run` until stopped, or `step` by hand (tests). Not for several threads.

    Args:
        settings: its database, Redis and limits.
        games: the registry.
        wakeups: None: its own from the settings.
    """

    def __init__(self, settings: Settings, games: Games = GAMES, *, wakeups: Wakeups | None = None) -> None:
        self._settings = settings
        self.database = Database(
            settings.database_url or "", size=2, timeout=settings.database_timeout, name="turnkeeper-follower"
        )
        tables = Tables(
            self.database,
            games,
            cache_tables=0,
            snapshot_interval=settings.snapshot_interval,
            cipher_key=settings.cipher_key,
        )
        self._recorder: EventRecorder = tables.recorder
        self._projector = Projector(
            tables, Signer(self.database), seal_after=settings.seal_after, size=settings.cache_tables
        )
        self._wakeups = wakeups or Wakeups(settings.redis_url)
        self._overtaking = Overtaking(self.database)
        self._connection: Connection[DictRow] | None = None
        self._claims: Claims | None = None
        self._broken: dict[UUID, int] = {}
        self._refresh_at = 0.0
        self._store_at = 0.0
        self._stored: dict[int, int] = {}
        self._overtaken = 0
        self._stopped = threading.Event()

    @property
    def partitions(self) -> tuple[int, ...]:
        """Those it projects now."""
        return tuple(sorted(self._claims.at)) if self._claims else ()

    def run(self) -> None:
        """Follow until stopped."""
        rest = 0.0
        while not self._stopped.is_set():
            try:
                if not self.step():
                    self._wakeups.wait(self._settings.follower_poll)
                rest = 0.0
            except Exception as error:
                FAILURES.inc()
                log.warning("follower starts again", exc_info=error if rest else None, error=str(error))
                self.disconnect()
                rest = min(max(0.1, 2 * rest), LONGEST_REST)
                self._stopped.wait(rest)
        self.close()

    def stop(self) -> None:
        """End `run` soon; for other threads and signal handlers."""
        self._stopped.set()
        self._wakeups.stop()

    def disconnect(self) -> None:
        """Give up all partitions and go on from stored rows next time."""
        connection, self._connection, self._claims = self._connection, None, None
        self._projector.forget()
        self._broken = {}
        self._stored = {}
        if connection is not None:
            with suppress(psycopg.Error):
                connection.close()

    def close(self) -> None:
        """Give up everything, connections too."""
        self.disconnect()
        self.database.close()

    def step(self) -> bool:
        """One batch; False if there was nothing to do.

        Raises:
            PersistenceError, psycopg.Error: if the database fails; call `disconnect` then.
        """
        claims = self._connected()
        if time.monotonic() >= self._refresh_at:
            self._refresh(claims)
        if not claims.at:
            return False
        if self._next(claims) or self._overtake(claims):
            return True
        if time.monotonic() >= self._store_at:
            self._write([], claims.at)
        return False

    def _connected(self) -> Claims:
        if self._claims is None:
            self._connection = open_connection(self.database.url, name="turnkeeper-follower-rows")
            self._claims = Claims(self._connection, Positions(self.database))
            self._refresh_at = 0.0
            self._overtaken = 0
        return self._claims

    def _refresh(self, claims: Claims) -> None:
        won, lost = claims.refresh()
        self._refresh_at = time.monotonic() + REFRESH
        if lost:
            self._projector.forget()
            self._broken = {each: version for each, version in self._broken.items() if partition_of(each) in claims.at}
            for each in lost:
                self._stored.pop(each, None)
                LAG.labels(each).set(0)
        if won:
            self._stored |= {each: claims.at[each] for each in won}
            self._overtaken = 0
            self._mend(won)
        if won or lost:
            log.info("partitions", won=won, lost=lost, now=len(claims.at))

    def _mend(self, partitions: Sequence[int]) -> None:
        """Try tables that could not be projected once more: the program may be another one now."""
        found = self.database.query(
            "SELECT table_id, version FROM broken WHERE partition_of(table_id) = ANY (%s)", (list(partitions),)
        )
        for row in found:
            table_id: UUID = row["table_id"]
            self._broken[table_id] = row["version"]
            projected = self._projector.rebuild(table_id)
            if projected.fault is None:
                self._write([projected], {}, afresh=True)
                del self._broken[table_id]
                log.info("table can be projected again", table=str(table_id))
        BROKEN.set(len(self._broken))

    def _next(self, claims: Claims) -> bool:
        """The next batch of the partitions that are furthest behind, up to where others are."""
        after = min(claims.at.values())
        behind = [each for each, position in claims.at.items() if position == after]
        everything = len(behind) == PARTITIONS
        batch = self._recorder.follow(after, self._settings.follower_batch, None if everything else behind)
        limit = min((position for position in claims.at.values() if position > after), default=batch.upto)
        upto = min(batch.upto, limit)
        found = [each for each in batch.notifications if each.id <= upto]
        if upto == after:
            return False
        self._process(claims, found, dict.fromkeys(behind, upto))
        for each in behind:
            LAG.labels(each).set(self._recorder.horizon.known - upto)
        return bool(found) or upto < batch.upto

    def _overtake(self, claims: Claims) -> bool:
        """Read on past appends that are stuck, without recording a position."""
        horizon = self._overtaking.horizon()
        after = max(self._overtaken, min(claims.at.values()))
        if horizon <= max(after, self._recorder.horizon.known):
            return False
        found = self._recorder.beyond(after, horizon, self._settings.follower_batch, list(claims.at))
        self._process(claims, found, {})
        self._overtaken = found[-1].id if len(found) == self._settings.follower_batch else horizon
        return bool(found)

    def _process(self, claims: Claims, found: Sequence[StoredEvent], at: Mapping[int, int]) -> None:
        with BATCH.time():
            sound = [each for each in found if each.originator_id not in self._broken]
            projected = self._projector.project(sound) if sound else []
            if found or time.monotonic() >= self._store_at:
                self._write(projected, at)
            claims.advance(at)
        EVENTS.inc(sum(len(each.written.log) for each in projected if each.written))
        self._tell(projected)

    def _write(self, projected: Sequence[Projected], at: Mapping[int, int], *, afresh: bool = False) -> None:
        """Rows, faults and positions in one transaction; tables whose rows the database refuses become faults."""
        assert self._connection is not None
        assert self._claims is not None
        self._store_at = time.monotonic() + REFRESH
        moved = {each: position for each, position in at.items() if position > self._stored.get(each, 0)}
        faults = [each.fault for each in projected if each.fault is not None]
        if not (moved or faults or any(each.written for each in projected)):
            return
        written = [each.written for each in projected if each.written is not None]
        try:
            # In one pipeline: a handful of round trips for a batch of any size.
            with self._connection.transaction(), self._connection.pipeline():
                cursor = self._connection.cursor()
                for each in written if afresh else ():
                    store.forget(cursor, each.table_id)
                store.write(cursor, written)
                _mark_broken(cursor, faults)
                if moved:
                    self._claims.store(moved)
        except psycopg.DataError:
            with self._connection.transaction():
                cursor = self._connection.cursor()
                faults += _write_one_by_one(self._connection, cursor, projected)
                _mark_broken(cursor, faults)
                if moved:
                    self._claims.store(moved)
        self._stored |= moved
        refused = {fault.table_id for fault in faults}
        self._projector.keep(each for each in projected if each.after.table.id not in refused)
        self._broken |= {fault.table_id: fault.version for fault in faults}
        BROKEN.set(len(self._broken))

    def _tell(self, projected: Sequence[Projected]) -> None:
        """After the commit: hints for new work, and a wake-up for whoever shows rows."""
        changed = [each for each in projected if each.written is not None]
        for each in changed:
            for kind in _hints(each):
                tasks.send(f"turnkeeper.{kind}", table=each.after.table.id)
        if changed:
            self._wakeups.publish(" ".join(str(each.after.table.id) for each in changed), channel=ROWS_CHANNEL)


def _hints(projected: Projected) -> list[str]:
    """Kinds of work that are new, unless a worker wrote the last event: it goes on by itself, and if it dies the
    sweep repeats the hint.
    """
    if projected.written is None or not projected.written.work or (projected.by or "").startswith(("bot:", "system")):
        return []
    return sorted({row.kind for row in projected.written.work} - {"seal"})


def _write_one_by_one(
    connection: Connection[DictRow], cursor: Cursor[DictRow], projected: Sequence[Projected]
) -> list[Fault]:
    """The rows table by table, and the faults of those whose values the database refuses."""
    faults: list[Fault] = []
    for each in projected:
        try:
            with connection.transaction():
                store.write(cursor, [each.written] if each.written else [])
        except psycopg.DataError as error:
            log.error("rows are refused", table=str(each.after.table.id), exc_info=error)
            faults.append(Fault(each.after.table.id, each.before.table.version + 1, str(error)))
    return faults


def _mark_broken(cursor: Cursor[DictRow], faults: Sequence[Fault]) -> None:
    for fault in faults:
        store.mark_broken(cursor, fault.table_id, fault.version, fault.error)
        if fault.closed:
            store.close(cursor, fault.table_id)


def main() -> None:
    """Follow until SIGTERM or SIGINT."""
    settings = Settings.from_environ()
    configure_logging(settings.log_level, process="follower")
    tasks.configure(settings.redis_url)
    follower = Follower(settings)

    def end(*_: Any) -> None:
        follower.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    follower.run()


if __name__ == "__main__":
    main()
