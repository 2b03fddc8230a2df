"""How gunicorn runs the API: threads for requests and streams, JSON logs, metrics of ended processes closed.

Used by `make run` and by whoever starts the API alone: `gunicorn -c python:infra.gunicorn_conf`.
"""

from __future__ import annotations

import os
from typing import Any

from gunicorn.glogging import Logger

from infra.logging import configure_logging
from infra.metrics import process_ended
from infra.settings import Settings

_settings = Settings.from_environ()


class JsonLogger(Logger):  # type: ignore[misc]
    """gunicorn's own lines go the way of all others. The application logs requests itself."""

    def setup(self, cfg: Any) -> None:
        configure_logging(_settings.log_level, process="api")
        self.error_log.propagate = True
        self.access_log.disabled = True


wsgi_app = "services.http.app:create_app()"
bind = f"{_settings.host}:{_settings.port}"
worker_class = "gthread"
logger_class = JsonLogger
workers = _settings.api_processes
threads = _settings.gunicorn_threads
keepalive = 15
timeout = 60
graceful_timeout = 5
control_socket_disable = True
# The heartbeat file of a worker in memory: a slow disk must not look like a dead worker.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None
# A request's body is bounded by the application; its line and headers here.
limit_request_line = 4094
limit_request_fields = 64


def child_exit(_: Any, worker: Any) -> None:
    process_ended(worker.pid)
