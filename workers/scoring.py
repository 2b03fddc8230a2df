"""After the end: the score sheet, then the seal that discloses the seed. Each is a command of its own, once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from domain import play
from domain.record import Draft
from domain.table import Table
from projections import rows
from services.commands import Call, carry_out
from services.context import Context

Decide = Callable[[Context, Table], Sequence[Draft]]

DECIDE: Mapping[str, Decide] = {
    "score": lambda _, table: play.score(table),
    "seal": lambda context, table: play.seal(table, context.tables.server_seed(table.id)),
}
"""By kind of work, as rows name it."""


def finish(context: Context, table_id: UUID) -> None:
    """Score a game that has ended, and seal it if that is due.

    Raises:
        NoSuchTable, Unavailable.
    """
    score(context, table_id)
    seal(context, table_id)


def score(context: Context, table_id: UUID) -> None:
    """Score a game that has ended; nothing if there is none to score.

    Raises:
        NoSuchTable, Unavailable.
    """
    _once(context, table_id, "score")


def seal(context: Context, table_id: UUID) -> None:
    """Seal a scored or abandoned game if that is due; nothing otherwise.

    Raises:
        NoSuchTable, Unavailable.
    """
    _once(context, table_id, "seal")


def _once(context: Context, table_id: UUID, kind: str) -> None:
    """Do what the record wants done now; nothing if it wants nothing of this kind, or not any more."""
    table = context.tables.load(table_id)
    if not _is_due(context, table, kind):
        return
    version = table.settled.version
    call = Call(
        actor=f"system:{table_id}", by="system", kind=kind, body=[str(table_id), version], key=f"{kind}:{version}"
    )

    def decide(current: Table) -> Sequence[Draft]:
        still = current.settled.version == version and _is_due(context, current, kind)
        return DECIDE[kind](context, current) if still else ()

    carry_out(context, table_id, call, decide)


def _is_due(context: Context, table: Table, kind: str) -> bool:
    wanted = [row for row in rows.work(table, context.settings.seal_after) if row.kind == kind]
    # Only a seal may have to wait; clocks of different machines need not agree to the millisecond.
    return any(kind != "seal" or row.due <= context.now() for row in wanted)
