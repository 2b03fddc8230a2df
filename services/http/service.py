"""Routes of the service itself: alive, ready, and what a problem's type means."""

from __future__ import annotations

from typing import Any

from apiflask import APIBlueprint
from flask import Response

from domain import refusals
from infra import metrics
from services import health
from services.http import answers
from services.http.asking import context
from services.http.documents import route
from services.http.problems import PROBLEMS

routes = APIBlueprint("service", __name__, tag="Service")

TEXT: Any = {200: {"description": "metrics", "content": {"text/plain": {"schema": {"type": "string"}}}}}


@routes.get("/healthz")
@routes.output(answers.HealthOut)
@route()
def healthz() -> Any:
    """This process lives."""
    return {"status": "ok"}


@routes.get("/readyz")
@routes.output(answers.ReadyOut)
@route()
def readyz() -> Any:
    """Whether calls can be served; `degraded` names what is missing that play goes on without."""
    missing = health.degraded(context())
    return {"status": "degraded" if missing else "ok", "degraded": missing}


@routes.get("/metrics")
@routes.doc(responses=TEXT)
@route()
def prometheus() -> Response:
    """The metrics of all processes of this machine, as Prometheus text."""
    body, content_type = metrics.render()
    return Response(body, content_type=content_type)


@routes.get("/problems/<string:slug>")
@routes.output(answers.ProblemOut)
@route("not-found")
def problem(slug: str) -> Any:
    """What a problem's `type` means."""
    kind = PROBLEMS.get(slug)
    if kind is None:
        raise refusals.NotFound("no such problem")
    return {"type": f"/problems/{slug}", "title": kind.title, "status": kind.status, "meaning": kind.meaning}
