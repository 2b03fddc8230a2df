"""The log's rows: one an event, and what later events change in them. Pure.

Three things are derived here and nowhere else: which truncation an event was cut by, whose provisional step it
is as long as nobody else saw it, and how far everybody may read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from domain import viewing
from domain.desk import DESK, Truncated
from domain.record import Event, branch_at, fact_data
from domain.table import Play, Table
from projections import views

Ranges = Sequence[tuple[int, int]]
"""Versions as disjoint ranges, ascending, both ends included."""


@dataclass(frozen=True, slots=True)
class LogRow:
    """An event in the log; the columns are explained in the migration."""

    table_id: UUID
    version: int
    desk: bool
    private_to: int | None
    truncated_by: int | None
    entries: bytes
    whole: bytes | None


@dataclass(frozen=True, slots=True)
class Cut:
    """From here on the play events of a range are truncated by `by`; None: they stand again."""

    first: int
    last: int
    by: int | None


@dataclass(frozen=True, slots=True)
class Published:
    """From here on everybody may read the events of a range: a barrier came while they stood."""

    first: int
    last: int


Change = Cut | Published


@dataclass(frozen=True, slots=True)
class Tracked:
    """A table with what the log needs besides.

    Args:
        cuts: every truncation so far, (its version, the version it went back to), ascending.
        hidden_from: the first event of those since the last barrier that only the holder may read; None if
            everybody may read everything.
    """

    table: Table
    cuts: tuple[tuple[int, int], ...] = ()
    hidden_from: int | None = None

    @property
    def public_upto(self) -> int:
        """The last version that everybody may read up to: desk events behind hidden steps wait with these."""
        return self.table.version if self.hidden_from is None else self.hidden_from - 1


def follow(
    tracked: Tracked, event: Event, at: Callable[[int], Play] | None = None
) -> tuple[Tracked, LogRow, tuple[Change, ...]]:
    """The next event: the table after it, its row, and what it changes in rows before it, in this order.

    Raises:
        BrokenRecord, or whatever the rules raise, for an event that does not fit.
    """
    table = tracked.table.evolve(event, at)
    desk = isinstance(event.fact, DESK)
    cuts = tracked.cuts
    changes: tuple[Change, ...] = ()
    if isinstance(event.fact, Truncated):
        cuts = (*cuts, (event.version, event.fact.to))
        changes = _truncated(tracked, cuts, event)
    elif event.barrier and tracked.hidden_from is not None:
        standing = branch_at(cuts, event.version).ranges
        changes = tuple(Published(*each) for each in _from(tracked.hidden_from, standing))
    hidden_from = tracked.hidden_from
    if table.holder is None:
        hidden_from = None
    elif hidden_from is None:
        hidden_from = event.version
    private_to = None if desk or event.barrier else table.holder
    after = replace(tracked, table=table, cuts=cuts, hidden_from=hidden_from)
    return after, _row(table, event, desk, private_to), changes


def _truncated(tracked: Tracked, cuts: tuple[tuple[int, int], ...], event: Event) -> tuple[Change, ...]:
    """What a truncation cuts off, what it brings back, and, if it is public itself, what everybody sees by it."""
    before = branch_at(tracked.cuts, event.version - 1).ranges
    now = branch_at(cuts, event.version).ranges
    back = _without(now, before)
    changes: list[Change] = [Cut(*each, by=event.version) for each in _without(before, now)]
    changes += [Cut(*each, by=None) for each in back]
    if event.barrier:
        hidden = [] if tracked.hidden_from is None else _from(tracked.hidden_from, now)
        changes += [Published(*each) for each in dict.fromkeys((*back, *hidden))]
    return tuple(changes)


def _row(table: Table, event: Event, desk: bool, private_to: int | None) -> LogRow:
    rules, seats = table.rules, table.desk.seats if table.desk else ()
    assert rules is not None
    public = viewing.entry(rules, event, None, whole=False)
    entries = {"public": public}
    for seat in range(len(seats)):
        own = viewing.entry(rules, event, seat, whole=False)
        if own != public:
            entries[str(seat)] = own
    data: dict[str, Any] = fact_data(event.fact)
    encoded = views.encoded(data)
    return LogRow(
        table_id=table.id,
        version=event.version,
        desk=desk,
        private_to=private_to,
        truncated_by=None,
        entries=views.encoded(entries),
        whole=None if encoded == views.encoded(public["data"]) else encoded,
    )


def applied(rows: Iterable[LogRow], changes: Iterable[Change]) -> list[LogRow]:
    """Rows of one table with changes that came after them."""
    found = {row.version: row for row in rows}
    for change in changes:
        for version, row in found.items():
            if change.first <= version <= change.last and not row.desk:
                found[version] = _changed(row, change)
    return list(found.values())


def _changed(row: LogRow, change: Change) -> LogRow:
    if isinstance(change, Published):
        return replace(row, private_to=None)
    return replace(row, truncated_by=change.by)


def _from(version: int, ranges: Ranges) -> list[tuple[int, int]]:
    """The part of ranges that lies at a version or later."""
    return [(max(first, version), last) for first, last in ranges if last >= version]


def _without(some: Ranges, others: Ranges) -> list[tuple[int, int]]:
    """The versions in `some` that are in none of `others`."""
    shared = 0
    while shared < min(len(some), len(others)) and some[shared] == others[shared]:
        shared += 1
    left = list(some[shared:])
    for first, last in others[shared:]:
        pieces = [piece for low, high in left for piece in ((low, min(high, first - 1)), (max(low, last + 1), high))]
        left = [(low, high) for low, high in pieces if low <= high]
    return left
