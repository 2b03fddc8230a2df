"""Whether the service can do its work, and what is missing that it can go on without."""

from __future__ import annotations

from infra.event_store import Positions
from services.context import Context

LAG = 1000
"""Events that the rows may be behind the record before that is reported."""


def degraded(context: Context) -> list[str]:
    """What is missing: `broker` (wake-ups and hints wait for a poll), `lag` (rows are behind).

    Raises:
        Unavailable: without a database.
    """
    return [name for name, missing in (("broker", not context.wakeups.ping()), ("lag", _lags(context))) if missing]


def _lags(context: Context) -> bool:
    positions = Positions(context.database).read()
    last = context.tables.recorder.max_notification_id() or 0
    return last - min(positions.values()) > LAG
