"""From recorded events to rows, table by table: a fold that goes on where the stored rows stand.

The rows of a table always contain whole commands, up to its `recorded` version. Who owns a table's partition and
when things are written is the follower's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import psycopg
import structlog
from eventsourcing.persistence import MapperDeserialisationError, PersistenceError, StoredEvent

from domain.desk import DESK
from domain.record import Event
from domain.table import BrokenRecord, Table
from infra.cache import LRU
from infra.loader import TRUNCATED
from infra.signing import Signer
from infra.tables import Tables
from projections import log, rows, views
from projections.log import Change, LogRow, Tracked
from projections.store import Written

log_lines = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Fault:
    """A table whose record can't be projected from `version` on, and why.

    `closed`: not for a mistake in its rows, but because an event can't be applied: nothing will follow it.
    """

    table_id: UUID
    version: int
    error: str
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Projected:
    """What a table's new events come to.

    Args:
        before, after: the table as its rows had it, and as they will have it.
        written: the rows; None if there is nothing new.
        by: who caused the last event, as in `Event`; None without one.
        fault: what stopped the fold, if anything did.
    """

    before: Tracked
    after: Tracked
    written: Written | None
    by: str | None = None
    fault: Fault | None = None


class Projector:
    """Folds tables and computes their rows. Not for several threads.

    Args:
        tables: the record.
        signer: of heads in views.
        seal_after: seconds from score to seal.
        size: tables kept in memory.
    """

    def __init__(self, tables: Tables, signer: Signer, *, seal_after: float, size: int) -> None:
        self._tables = tables
        self._signer = signer
        self._seal_after = seal_after
        self._size = size
        self._kept: LRU[UUID, Tracked] = LRU(size)

    def project(self, found: Sequence[StoredEvent]) -> list[Projected]:
        """Rows for events of many tables; those that stored rows already contain are passed over.

        Raises:
            PersistenceError, psycopg.Error: if the database fails. What is wrong with one table is its `fault`.
        """
        by_table: dict[UUID, list[StoredEvent]] = {}
        for stored in found:
            assert isinstance(stored.originator_id, UUID)
            by_table.setdefault(stored.originator_id, []).append(stored)
        self._complete(by_table)
        recorded = self._recorded([table_id for table_id in by_table if self._kept.get(table_id) is None])
        return [self._table(table_id, each, recorded.get(table_id, 0)) for table_id, each in by_table.items()]

    def rebuild(self, table_id: UUID) -> Projected:
        """All rows of a table, from its first event to its newest."""
        stored = self._tables.recorder.select_events(table_id)
        return self._fold(Tracked(Table(id=table_id, games=self._tables.games)), stored)

    def keep(self, projected: Iterable[Projected]) -> None:
        """Go on from here next time; to be called once the rows are committed."""
        for each in projected:
            self._kept.put(each.after.table.id, each.after)

    def forget(self) -> None:
        """Go on from the stored rows next time: others may write them now, or a commit's outcome is unknown."""
        self._kept = LRU(self._size)

    def _complete(self, by_table: Mapping[UUID, list[StoredEvent]]) -> None:
        """A batch may end in the middle of a command. All of a command is committed at once, so its rest is there;
        nobody should see a position at which nobody has to decide.
        """
        open_ends = {table_id: each[-1] for table_id, each in by_table.items() if not self._is_barrier(each[-1])}
        while open_ends:
            following = self._tables.database.query(
                "SELECT originator_id, originator_version, topic, state"
                " FROM unnest(%s::uuid[], %s::bigint[]) AS t (id, v)"
                " JOIN events ON originator_id = t.id AND originator_version = t.v + 1",
                (list(open_ends), [stored.originator_version for stored in open_ends.values()]),
            )
            before, open_ends = open_ends, {}
            for row in following:
                stored = StoredEvent(row["originator_id"], row["originator_version"], row["topic"], bytes(row["state"]))
                table_id = row["originator_id"]
                if self._same_command(before[table_id], stored):
                    by_table[table_id].append(stored)
                    open_ends[table_id] = stored

    def _is_barrier(self, stored: StoredEvent) -> bool:
        try:
            return self._tables.mapper.to_domain_event(stored).barrier
        except ValueError:  # can't be read: the fold will say so, at its version
            return True

    def _same_command(self, one: StoredEvent, other: StoredEvent) -> bool:
        try:
            first = self._tables.mapper.to_domain_event(one)
            return not first.barrier and first.command == self._tables.mapper.to_domain_event(other).command
        except ValueError:
            return False

    def _recorded(self, table_ids: list[UUID]) -> dict[UUID, int]:
        if not table_ids:
            return {}
        found = self._tables.database.query(
            "SELECT table_id, recorded FROM lobby WHERE table_id = ANY (%s)", (table_ids,)
        )
        return {row["table_id"]: row["recorded"] for row in found}

    def _table(self, table_id: UUID, stored: Sequence[StoredEvent], recorded: int) -> Projected:
        tracked = self._kept.get(table_id)
        if tracked is None:
            try:
                tracked = self._loaded(table_id, recorded)
            except (PersistenceError, psycopg.Error):
                raise
            except Exception as error:
                return _failed(Tracked(Table(id=table_id, games=self._tables.games)), recorded, error)
        at = tracked.table.version
        new = [each for each in stored if each.originator_version > at]
        if new and new[0].originator_version > at + 1:
            missing = self._tables.recorder.select_events(table_id, gt=at, lte=new[0].originator_version - 1)
            new = [*missing, *new]
        return self._fold(tracked, new)

    def _loaded(self, table_id: UUID, version: int) -> Tracked:
        """A table as it stood right after a version, 0 for before the first."""
        if version == 0:
            return Tracked(Table(id=table_id, games=self._tables.games))
        table = self._tables.loader.read(table_id, version)
        own = [
            self._tables.mapper.to_domain_event(stored)
            for stored in self._tables.recorder.select_topics(table_id)
            if stored.topic == TRUNCATED and stored.originator_version <= version
        ]
        hidden_from = None
        if table.holder is not None:
            later = self._tables.recorded(table_id, table.settled.version, version)
            hidden_from = next(event.version for event in later if not isinstance(event.fact, DESK))
        return Tracked(table, tuple((event.version, event.fact.to) for event in own), hidden_from)

    def _fold(self, before: Tracked, stored: Sequence[StoredEvent]) -> Projected:
        after = before
        table_id = before.table.id
        lines: list[LogRow] = []
        changes: list[Change] = []
        event: Event | None = None
        fault: Exception | None = None
        for each in stored:
            try:
                event = self._tables.mapper.to_domain_event(each)
                after, row, changed = log.follow(after, event, lambda v: self._tables.loader.read(table_id, v).play)
            except (PersistenceError, psycopg.Error):
                raise
            except Exception as error:
                fault = error
                break
            lines.append(row)
            changes += changed
        if fault is None:
            return self._written(before, after, lines, changes, event)
        done = self._written(before, after, lines, changes, event) if lines else Projected(before, after, None)
        return replace(done, fault=_failed(before, after.table.version, fault).fault)

    def _written(
        self, before: Tracked, after: Tracked, lines: list[LogRow], changes: list[Change], event: Event | None
    ) -> Projected:
        if not lines or event is None:
            return Projected(before, after, None)
        try:
            written = self._rows(before, after, lines, changes)
        except (PersistenceError, psycopg.Error):
            raise
        except Exception as error:
            return _failed(before, before.table.version, error)
        return Projected(before, after, written, by=event.by)

    def _rows(self, before: Tracked, after: Tracked, lines: list[LogRow], changes: list[Change]) -> Written:
        old, table = before.table, after.table
        first = lines[0].version
        is_new = old.desk is None
        work, results = rows.work(table, self._seal_after), rows.results(table)
        return Written(
            lobby=rows.lobby(table, after.public_upto),
            views=tuple(
                rows.view(table, viewer, self._signer)
                for viewer in rows.viewers(table)
                if is_new or views.mark(old, viewer) != views.mark(table, viewer)
            ),
            log=tuple(log.applied(lines, changes)),
            changes=tuple(replace(each, last=min(each.last, first - 1)) for each in changes if each.first < first),
            work=None if not is_new and work == rows.work(old, self._seal_after) else work,
            results=None if not is_new and results == rows.results(old) else results,
        )


def _failed(before: Tracked, version: int, error: Exception) -> Projected:
    table_id = before.table.id
    log_lines.error("table can't be projected", table=str(table_id), version=version + 1, exc_info=error)
    closed = isinstance(error, BrokenRecord | MapperDeserialisationError)
    fault = Fault(table_id, version + 1, f"{type(error).__name__}: {error}", closed)
    return Projected(before, before, None, fault=fault)
