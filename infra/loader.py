"""The one loader of tables: from stored events to the folded value, reading no more than what stands.

`domain.table.fold` over the whole record is the definition; this gives the same, faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from eventsourcing.persistence import MapperDeserialisationError, StoredEvent

from domain.desk import DESK, Truncated
from domain.record import Branch, Event, branch_at
from domain.table import TAKING_BACK, BrokenRecord, Games, Play, Table
from infra.event_store import EventRecorder
from infra.mapper import EventMapper
from infra.snapshots import Snapshots

TAIL = 64
"""Events read at once when looking backwards for the last barrier; a turn has rarely more steps."""


TRUNCATED: str = Truncated.TOPIC  # type: ignore[attr-defined]


class NoSuchTable(LookupError):
    """There is no record of this id, or not that far."""


class Loader:
    """Reads and folds records.

    Args:
        recorder, mapper, games, snapshots: where and how records are kept.
        interval: versions between two snapshots of a table.
    """

    def __init__(
        self, recorder: EventRecorder, mapper: EventMapper, games: Games, snapshots: Snapshots, interval: int
    ) -> None:
        self._recorder = recorder
        self._mapper = mapper
        self._games = games
        self._snapshots = snapshots
        self._interval = interval

    def events(self, table_id: UUID, after: int = 0, upto: int | None = None, limit: int | None = None) -> list[Event]:
        """Recorded events in order, cut ones too: from version `after` + 1 to `upto`, at most `limit`."""
        return self._events(self._recorder.select_events(table_id, gt=after, lte=upto, limit=limit))

    def readable(self, table_id: UUID) -> Table:
        """A table strictly event by event, cut ones too, up to the first that can't be applied; `broken` says why.

        If that one is in the middle of a command, the play stands as before the command.
        """
        table = whole = Table(id=table_id, games=self._games)
        positions = {0: table.play}
        for stored in self._recorder.select_events(table_id):
            try:
                event = self._event(stored)
                if event.action is not None:
                    whole = table
                table = table.evolve(event, positions.__getitem__)
            except BrokenRecord as failure:
                table = replace(table, settled=whole.settled, play=whole.play, steps=whole.steps, cuts=whole.cuts)
                return replace(table, broken=str(failure))
            positions[event.version] = table.play
            if event.barrier:
                whole = table
        return table

    def forward(self, table: Table) -> Table:
        """A table brought up to the newest event of its record."""
        return self.evolve(table, self.events(table.id, after=table.version))

    def read(self, table_id: UUID, upto: int | None = None) -> Table:
        """A table as of a version (None: the newest): the branch of the last barrier from the newest snapshot on
        it, then one by one the few events since, undone ones included.

        Raises:
            NoSuchTable, BrokenRecord, Unavailable.
        """
        barrier, later = self._last_barrier(table_id, upto)
        if barrier is None:
            if not later:
                raise NoSuchTable(str(table_id))
            return self.evolve(Table(id=table_id, games=self._games), later)
        return self.evolve(self._settled(table_id, barrier), later)

    def _settled(self, table_id: UUID, barrier: Event) -> Table:
        found = self._recorder.select_topics(table_id)
        own = [stored for stored in found if stored.originator_version <= barrier.version]
        table = Table(id=table_id, games=self._games)
        for event in self._events([stored for stored in own if stored.topic != TRUNCATED]):
            if isinstance(event.fact, DESK):
                table = table.evolve(event)
        base, cuts = self._base(table, [stored for stored in own if stored.topic == TRUNCATED], barrier.version)
        branch = _branch(cuts, barrier.version)
        table = self._along(table.settling(base), branch)
        reasons = {cut.fact.reason for cut in cuts if cut.version in branch.through}
        play = table.play.stamped(barrier)
        if reasons.intersection(TAKING_BACK):
            play = replace(play, taken_back=True)
        table = replace(table.settling(play), version=barrier.version, digest=barrier.digest)
        self.keep(table, base.version)
        return table

    def _base(self, table: Table, truncations: Sequence[StoredEvent], upto: int) -> tuple[Play, list[Event]]:
        """The newest snapshot that a version goes back to, and the truncations after it; without one, the beginning.

        at(upto) begins with at(s) exactly if no truncation after s went back behind it: older ones do not matter, and
        are not read.
        """
        assert table.desk is not None
        assert table.rules is not None
        reach = upto
        for version in self._snapshots.versions(table.id, table.desk, table.rules, upto):
            if version <= reach:
                cuts = self._events([stored for stored in truncations if stored.originator_version > version])
                ranges = _branch(cuts, upto).ranges
                reach = ranges[0][1] if ranges else 0
                if version <= reach:
                    snapshot = self._snapshots.load(table.id, version, table.rules)
                    if snapshot is not None:
                        return snapshot, cuts
        return Play(), self._events(truncations)

    def _along(self, table: Table, branch: Branch) -> Table:
        """The play that stands on a branch, folded on from the position that the table has."""
        start = table.play.version
        ranges = [(max(first, start + 1), last) for first, last in branch.ranges if last > start]
        table = replace(table, version=start)
        for event in self._events(self._recorder.select_ranges(table.id, ranges)):
            if not isinstance(event.fact, DESK):
                table = table.evolve(event)
        return table

    def keep(self, table: Table, since: int) -> None:
        """Snapshot a table's settled position if the last one, at version `since`, is old enough."""
        if table.settled.version - since >= self._interval and table.desk and table.rules:
            self._snapshots.save(table.id, table.desk, table.rules, table.settled)

    def _last_barrier(self, table_id: UUID, upto: int | None) -> tuple[Event | None, list[Event]]:
        """The last event that closed a command for good, and all events behind it, in order."""
        later: list[Event] = []
        while True:
            found = self._recorder.select_events(table_id, lte=upto, desc=True, limit=TAIL)
            for stored in found:
                event = self._event(stored)
                if event.barrier:
                    return event, later[::-1]
                later.append(event)
            if len(found) < TAIL:
                return None, later[::-1]
            upto = later[-1].version - 1

    def evolve(self, table: Table, events: Sequence[Event]) -> Table:
        table_id = table.id
        for event in events:
            table = table.evolve(event, lambda version: self._position(table_id, version))
        return table

    def _position(self, table_id: UUID, version: int) -> Play:
        return self.read(table_id, version).play

    def _events(self, stored: Sequence[StoredEvent]) -> list[Event]:
        return [self._event(each) for each in stored]

    def _event(self, stored: StoredEvent) -> Event:
        try:
            return self._mapper.to_domain_event(stored)
        except MapperDeserialisationError as error:
            assert isinstance(stored.originator_id, UUID)
            raise BrokenRecord(stored.originator_id, stored.originator_version, str(error)) from error


def _branch(cuts: Sequence[Event], version: int) -> Branch:
    return branch_at([(cut.version, cut.fact.to) for cut in cuts], version)
