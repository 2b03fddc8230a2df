"""The tasks by their names, which are stable: other processes send them. Each carries a table's id and no more."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import structlog
from celery import Celery

from infra import tasks
from infra.database import Unavailable
from infra.loader import NoSuchTable
from infra.logging import bound
from services.context import Context
from workers import bots, scoring

BOT, SCORE, SEAL = "turnkeeper.bot", "turnkeeper.score", "turnkeeper.seal"

log = structlog.get_logger(__name__)


def bot(context: Context, table_id: UUID) -> None:
    """Bots play on; if the game is over then, it is scored and sealed."""
    if bots.play_on(context, table_id):
        tasks.send(BOT, table=table_id)
    else:
        scoring.finish(context, table_id)


RUN: dict[str, Callable[[Context, UUID], None]] = {BOT: bot, SCORE: scoring.finish, SEAL: scoring.seal}


def register(app: Celery, context: Callable[[], Context]) -> None:
    """Make the tasks known to a Celery application.

    Args:
        context: of the process; asked for at the first task, after any fork.
    """
    for name, run in RUN.items():
        app.task(name=name, shared=False)(_task(name, run, context))


def _task(name: str, run: Callable[[Context, UUID], None], context: Callable[[], Context]) -> Callable[[str], None]:
    def task(table: str) -> None:
        with bound(table=table):
            try:
                run(context(), UUID(table))
            except Unavailable as error:
                # Nothing is lost: the work's row stands, and the sweep repeats the hint.
                log.warning("no database", task=name, error=str(error))
            except NoSuchTable:
                log.warning("no such table", task=name)

    task.__name__ = name.rpartition(".")[2]
    return task
