"""The sweep: `python -m workers.sweep`. Repeats the hints of due work that nobody took up: what a lost broker, a worker
that died, or a follower that could not send forgot. Now and then it looks for idle tables, too.
"""

from __future__ import annotations

import signal
import threading
import time
from datetime import timedelta
from typing import Any

import structlog
from prometheus_client import Gauge

from infra import tasks
from infra.database import Unavailable
from infra.logging import configure_logging
from infra.settings import Settings
from services.context import Context, connect
from workers import idle

GRACE = 3.0
"""Seconds that due work is left to the hint sent with it."""
LIMIT = 1000
"""Hints sent in one sweep at most, the oldest work first."""
IDLE_LOOK = 600.0
"""Seconds between two looks for idle tables, whose rule counts in days."""

log = structlog.get_logger(__name__)

DUE = Gauge("turnkeeper_work_due", "Work that is due and was not taken up in time", multiprocess_mode="livemax")
OLDEST = Gauge("turnkeeper_work_oldest_seconds", "Age of the oldest due work", multiprocess_mode="livemax")


def sweep(context: Context) -> int:
    """Send hints for due work; returns how many were sent. If the broker is away the work waits.

    Raises:
        Unavailable.
    """
    now = context.now()
    rows = context.database.query(
        "SELECT table_id, kind, min(due) AS due FROM work WHERE due < %s GROUP BY table_id, kind ORDER BY due LIMIT %s",
        (now - timedelta(seconds=GRACE), LIMIT),
    )
    DUE.set(len(rows))
    OLDEST.set((now - rows[0]["due"]).total_seconds() if rows else 0)
    sent = 0
    for row in rows:
        if not tasks.send(f"turnkeeper.{row['kind']}", table=row["table_id"]):
            log.warning("the broker is away, work waits", due=len(rows) - sent)
            break
        sent += 1
    return sent


def run(context: Context, stopped: threading.Event) -> None:
    """Sweep until stopped, whatever fails."""
    idle_at = time.monotonic()
    while not stopped.wait(context.settings.sweep_interval):
        try:
            sent = sweep(context)
            if sent:
                log.info("hints repeated", count=sent)
            if time.monotonic() >= idle_at:
                idle.look(context)
                idle_at = time.monotonic() + IDLE_LOOK
        except Unavailable as error:
            log.warning("no database, the sweep waits", error=str(error))
        except Exception:
            log.exception("a sweep failed")


def main() -> None:
    """Sweep until SIGTERM or SIGINT."""
    settings = Settings.from_environ()
    configure_logging(settings.log_level, process="sweep")
    tasks.configure(settings.redis_url)
    context = connect(settings, name="turnkeeper-sweep")
    stopped = threading.Event()

    def end(*_: Any) -> None:
        stopped.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    run(context, stopped)
    context.database.close()


if __name__ == "__main__":
    main()
