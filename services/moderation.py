"""Use cases of moderators: correcting, closing, annulling, and reading without redaction, on record.

A moderator with a seat at a running table is a player there like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from domain import proposals, refusals
from domain.record import Draft
from domain.table import Table
from projections import read
from services.agreements import command_ends
from services.commands import Call, Outcome, carry_out
from services.context import Context
from services.players import Player
from services.reading import visit


def truncate(
    context: Context, player: Player, table_id: UUID, *, version: int, to: int, reason: str, key: str | None = None
) -> Outcome:
    """Let the play stand again as it stood right after a version.

    Args:
        version: as everybody sees the table.
        to: the last version of any earlier command of the play.
        reason: for the record.

    Raises:
        NotFound, Forbidden, TableNotRunning: also once the result is sealed; StaleVersion, InvalidRequest,
        IdempotencyMismatch.
    """
    body = {"table": str(table_id), "version": version, "to": to, "reason": reason}

    def decide(table: Table) -> Sequence[Draft]:
        _judge(table, player)
        refusals.StaleVersion.unless(version, table.settled.version)
        return proposals.truncate(table, to, reason, command_ends(context.tables.recorded(table_id)))

    return carry_out(context, table_id, _call(player, "truncate", body, key), decide)


def abandon(context: Context, player: Player, table_id: UUID, *, reason: str, key: str | None = None) -> Outcome:
    """Close a game without a result; of a sealed one, annul the result.

    Raises:
        NotFound, Forbidden, TableNotRunning: if that is done already; IdempotencyMismatch.
    """
    body = {"table": str(table_id), "reason": reason}

    def decide(table: Table) -> Sequence[Draft]:
        _judge(table, player)
        return proposals.abandon(table, "moderation", reason)

    return carry_out(context, table_id, _call(player, "abandon", body, key), decide)


def read_log(
    context: Context, player: Player | None, table_id: UUID, *, after: int, limit: int
) -> tuple[list[dict[str, Any]], int | None]:
    """A page of the log without redaction, and the version to go on after; the reading is noted before it is shown.

    Raises:
        NotFound, Forbidden.
    """
    table = visit(context, player, table_id).table
    if player is None:
        raise refusals.Forbidden("this is for moderators")
    _judge(table, player)
    context.database.execute(
        "INSERT INTO disclosures (moderator, table_id, after, at) VALUES (%s, %s, %s, %s)",
        (player.id, table_id, after, context.now()),
    )
    page = read.log_page(context.database, table_id, None, after=after, limit=limit + 1, auditor=True)
    if table.broken is not None and after <= table.version and len(page) <= limit:
        page.append(_unreadable(table))
    return page[:limit], page[limit - 1]["version"] if len(page) > limit else None


def _unreadable(table: Table) -> dict[str, Any]:
    """In place of the event that can't be applied: why not."""
    text = {"en": "The record can't be read from here on.", "de": "Die Aufzeichnung ist ab hier nicht lesbar."}
    return {"version": table.version + 1, "type": "broken", "data": {"error": table.broken}, "text": text}


def _judge(table: Table, player: Player) -> None:
    """Refuse whoever is no moderator, or is one of those judged."""
    if not player.moderator:
        raise refusals.Forbidden("this is for moderators")
    if table.status == "running" and table.desk is not None and table.desk.seat_of(str(player.id)) is not None:
        raise refusals.Forbidden("you have a seat at this table while it runs")


def _call(player: Player, kind: str, body: Any, key: str | None) -> Call:
    return Call(actor=str(player.id), by=f"moderator:{player.id}", kind=kind, body=body, key=key)
