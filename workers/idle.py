"""The idle rule: people that a table has waited for too long are warned on record, then the table is closed.

They are warned a fifth of IDLE_DAYS before the end of these days, and the table is closed at their end, but never
sooner than that fifth after the warning: days on which no sweep ran cost nobody a seat. Tables that wait for bots are
not idle. A table that never started is closed unwarned.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from domain import proposals
from domain.record import Draft
from domain.table import Table
from infra.database import Unavailable
from services.commands import Call, carry_out
from services.context import Context

WAITING = (
    "SELECT table_id FROM lobby WHERE status = 'running' AND waits_since <= %(early)s AND waits_for <> '{}'"
    " UNION ALL SELECT table_id FROM lobby WHERE status = 'open' AND updated_at <= %(late)s"
)

log = structlog.get_logger(__name__)


def look(context: Context) -> int:
    """Warn and close whatever is idle; returns how many tables that concerned.

    Raises:
        Unavailable.
    """
    now, period = context.now(), timedelta(days=context.settings.idle_days)
    rows = context.database.query(WAITING, {"early": now - period + grace(period), "late": now - period})
    return sum(_tried(context, row["table_id"], now, period) for row in rows)


def grace(period: timedelta) -> timedelta:
    """How long people have after the warning, at least."""
    return max(period / 5, timedelta(hours=1))


def _tried(context: Context, table_id: UUID, now: datetime, period: timedelta) -> bool:
    """One table; what is wrong with it keeps nobody from the others."""
    try:
        return _one(context, table_id, now, period)
    except Unavailable:
        raise
    except Exception:
        log.exception("idle table can't be looked at", table=str(table_id))
        return False


def _one(context: Context, table_id: UUID, now: datetime, period: timedelta) -> bool:
    table = context.tables.load(table_id)
    kind = wanted(table, now, period)
    if kind is None:
        return False
    place = f"{table.play.version}:{table.desk.revision if table.desk else 0}"
    call = Call(actor=f"clock:{table_id}", by="clock", kind=kind, body=[str(table_id), place], key=f"{kind}:{place}")

    def decide(current: Table) -> Sequence[Draft]:
        if wanted(current, now, period) != kind:
            return ()
        return proposals.warn(current) if kind == "warn" else proposals.abandon(current, "idle")

    done = bool(carry_out(context, table_id, call, decide).events)
    if done:
        log.info("table is idle", table=str(table_id), done=kind)
    return done


def wanted(table: Table, now: datetime, period: timedelta) -> str | None:
    """What an idle table gets: `warn`, `close`, or nothing yet."""
    desk = table.desk
    if desk is None or table.status == "finished":
        return None
    if table.status == "open" or table.play.at is None:
        return "close" if desk.changed_at + period <= now else None
    if proposals.warned_seats(table):
        closes = max(table.play.at + period, desk.changed_at + grace(period))
        return "close" if closes <= now else None
    return "warn" if table.play.at + period - grace(period) <= now and proposals.warn(table) else None
