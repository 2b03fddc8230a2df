"""The worker's Celery application: `celery -A workers.app worker`. What its tasks do is in `workers/tasks.py`."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any

from celery.signals import setup_logging, worker_process_init, worker_shutdown

from infra import tasks as hints
from infra.celery_app import make_celery
from infra.logging import configure_logging
from infra.settings import Settings
from services.context import Context, connect
from workers import tasks

settings = Settings.from_environ()
app = make_celery(settings.redis_url)


_guard = Lock()


@cache
def _context() -> Context:
    return connect(settings, name="turnkeeper-worker")


def context() -> Context:
    """The context of this process, made at its first task."""
    with _guard:
        return _context()


tasks.register(app, context)
hints.configure(settings.redis_url)


def _log(**_: Any) -> None:
    configure_logging(settings.log_level, process="worker")


def _forked(**_: Any) -> None:
    # A child of a prefork pool must not share its parent's connections.
    _context.cache_clear()
    hints.configure(settings.redis_url)


def _end(**_: Any) -> None:
    if _context.cache_info().currsize:
        context().database.close()


# Celery keeps weak references: these are module-level functions.
setup_logging.connect(_log)
worker_process_init.connect(_forked)
worker_shutdown.connect(_end)
