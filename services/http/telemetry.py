"""One log line a request, under an id that every answer carries. No token, code or body is ever in it."""

from __future__ import annotations

import re
import time

import structlog
from apiflask import APIFlask
from flask import Response, g, request

from infra.metrics import REQUESTS
from services.http.asking import context

HEADER = "X-Request-Id"
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")


def register(app: APIFlask) -> None:
    """Number the requests of an app and log them. To be registered before every other hook."""
    app.before_request(_begin)
    app.after_request(_end)
    app.teardown_request(_forget)


def _begin() -> None:
    given = request.headers.get(HEADER, "")
    g.request_id = given if _WELL_FORMED.fullmatch(given) else str(context().new_id())
    g.began = context().now()
    g.clock = time.perf_counter()
    structlog.contextvars.bind_contextvars(request_id=g.request_id)


def _end(response: Response) -> Response:
    response.headers[HEADER] = g.request_id
    route = request.url_rule.rule if request.url_rule else None
    REQUESTS.labels(request.method, route or "none", response.status_code).observe(time.perf_counter() - g.clock)
    structlog.get_logger().info(
        "request",
        method=request.method,
        route=route,
        status=response.status_code,
        milliseconds=round((context().now() - g.began).total_seconds() * 1000, 1),
    )
    return response


def _forget(_: BaseException | None) -> None:
    structlog.contextvars.clear_contextvars()
