"""After the end: the score sheet, then the seal that discloses the seed. Each is a command of its own, once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID

from domain import play
from domain.record import Draft
from domain.table import Table
from projections.rows import seal_due
from services.commands import Call, carry_out
from services.context import Context


def finish(context: Context, table_id: UUID) -> None:
    """Score a game that has ended, and seal it if that is due.

    Raises:
        NotFound; Unavailable.
    """
    score(context, table_id)
    seal(context, table_id)


def score(context: Context, table_id: UUID) -> None:
    """Score a game that has ended; nothing if there is none to score.

    Raises:
        NotFound; Unavailable.
    """
    if _is_to_score(context.tables.load(table_id)):
        _once(context, table_id, "score", _is_to_score, play.score)


def seal(context: Context, table_id: UUID) -> None:
    """Seal a scored, or abandoned, game if that is due; nothing otherwise.

    Raises:
        NotFound; Unavailable.
    """

    def is_due(table: Table) -> bool:
        return _is_to_seal(table) and seal_due(table, context.settings.seal_after) <= context.now()

    def disclose(table: Table) -> Sequence[Draft]:
        return play.seal(table, context.tables.server_seed(table_id))

    if is_due(context.tables.load(table_id)):
        _once(context, table_id, "seal", is_due, disclose)


def _is_to_score(table: Table) -> bool:
    return table.settled.ended is not None and table.settled.sheet is None and not _is_abandoned(table)


def _is_to_seal(table: Table) -> bool:
    if table.desk is None or table.desk.is_sealed:
        return False
    return table.settled.sheet is not None or _is_abandoned(table)


def _is_abandoned(table: Table) -> bool:
    return table.desk is not None and table.desk.abandoned is not None


def _once(
    context: Context,
    table_id: UUID,
    kind: str,
    wanted: Callable[[Table], bool],
    decide: Callable[[Table], Sequence[Draft]],
) -> None:
    """Carry a step out for the position that wants it now; if that has passed meanwhile, nothing."""
    version = context.tables.load(table_id).settled.version
    call = Call(
        actor=f"system:{table_id}", by="system", kind=kind, body=[str(table_id), version], key=f"{kind}:{version}"
    )
    carry_out(
        context,
        table_id,
        call,
        lambda table: decide(table) if wanted(table) and table.settled.version == version else (),
    )
