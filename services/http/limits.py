"""Who may call from where, and how often: CORS and rate limits. Reading is not limited, changing is.

Limits are counted in Redis for all processes; while it is away each process counts for itself.
"""

from __future__ import annotations

import math
import time
from typing import Any

from apiflask import APIFlask
from flask import Response, g, request
from flask_cors import CORS
from flask_limiter import Limiter, RateLimitExceeded
from flask_limiter.util import get_remote_address

from infra.settings import Settings
from services.http.asking import ACTING_FOR
from services.http.problems import problem
from services.http.telemetry import HEADER

EXPOSED = ["ETag", "Location", "Retry-After", HEADER]
ACCEPTED = ["Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "Last-Event-ID", ACTING_FOR, HEADER]
METHODS = ["GET", "POST", "DELETE"]
SECONDS = 0.2
"""How long Redis is waited for."""


def register(app: APIFlask, settings: Settings) -> None:
    """Limit an app whose routes are all there, after everything that finds out who asks."""
    if settings.cors_origins:
        origins = list(settings.cors_origins)
        CORS(app, origins=origins, methods=METHODS, allow_headers=ACCEPTED, expose_headers=EXPOSED, max_age=600)
    patience: dict[str, Any] = {"socket_timeout": SECONDS, "socket_connect_timeout": SECONDS}
    limiter = Limiter(
        _who,
        app=app,
        default_limits=[settings.write_limit],
        storage_uri=settings.redis_url or "memory://",
        storage_options=patience if settings.redis_url else {},
        in_memory_fallback_enabled=True,
        swallow_errors=True,
    )
    limiter.request_filter(_only_reads)
    app.register_error_handler(RateLimitExceeded, lambda error: _limited(limiter))
    registering = app.view_functions["players.register"]
    limit = limiter.limit(settings.registration_limit, key_func=get_remote_address, override_defaults=False)
    app.view_functions["players.register"] = limit(registering)


def _limited(limiter: Limiter) -> Response:
    breached = limiter.current_limit
    seconds = 1 if breached is None else max(1, math.ceil(breached.reset_at - time.time()))
    return problem("rate-limited", "too many calls; come again later", {"Retry-After": str(seconds)})


def _who() -> str:
    player, platform = g.get("player"), g.get("platform")
    return str((player or platform).id) if player or platform else get_remote_address()


def _only_reads() -> bool:
    return request.method in ("GET", "HEAD", "OPTIONS")
