"""Sends tasks by name. What a task does is the workers' business; a hint that is lost is repeated by the
sweep.
"""

from __future__ import annotations

import threading
from uuid import UUID

from celery import Celery

from infra.celery_app import make_sender
from infra.metrics import HINTS_LOST
from infra.redis import SECONDS, Breaker
from infra.settings import Settings


class Hints:
    """Sends hints to the broker at `url` (None: to nobody). Safe under threads."""

    def __init__(self, url: str | None) -> None:
        self._app: Celery | None = make_sender(url, SECONDS) if url else None
        self._breaker = Breaker("hints")

    def send(self, name: str, **ids: UUID | str | int) -> bool:
        """Send task `name` with `ids` as its keyword arguments; False if the broker is away. Never raises."""
        arguments = {key: str(value) if isinstance(value, UUID) else value for key, value in ids.items()}
        app = self._app
        sent = app is not None and self._breaker.call(lambda: _publish(app, name, arguments), False)
        if not sent:
            HINTS_LOST.labels(name).inc()
        return sent


def _publish(app: Celery, name: str, arguments: dict[str, str | int]) -> bool:
    app.send_task(name, kwargs=arguments, retry=False, ignore_result=True)
    return True


_guard = threading.Lock()
_hints: Hints | None = None


def configure(url: str | None) -> None:
    """Use this broker in this process; without it REDIS_URL is used from the first hint on."""
    global _hints
    with _guard:
        _hints = Hints(url)


def send(name: str, **ids: UUID | str | int) -> bool:
    """Send a hint through this process's broker. False if it could not be sent: the sweep will repeat it."""
    if _hints is None:
        configure(Settings.from_environ().redis_url)
    assert _hints is not None
    return _hints.send(name, **ids)
