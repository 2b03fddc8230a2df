"""Routes of play: the view, acting, undo."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from apiflask import APIBlueprint
from flask import Response, request

from projections import views
from services import reading, turns
from services.commands import Outcome
from services.http import answers, requests
from services.http.asking import asker, command, context, key, player
from services.http.documents import NEEDS_PLAYER, PLAYER_OR_PUBLIC, route
from services.http.requests import QUERY

routes = APIBlueprint("play", __name__, tag="Play")


@routes.get("/v1/tables/<uuid:table_id>/view")
@routes.input(requests.ViewQuery, **QUERY)
@routes.output(answers.ViewOut)
@route("not-found", security=PLAYER_OR_PUBLIC, also=(304,))
def view(table_id: UUID, query: dict[str, Any]) -> Response:
    """The table as I may see it, with what I may do."""
    return _answer(reading.view(context(), asker(), table_id, **query))


def _answer(view: reading.View) -> Response:
    """A view with its tag. What it shows depends on who asks, so no cache between may keep it for others."""
    version, desk = view.mark
    tag = f"{version}.{desk}.{'public' if view.seat is None else view.seat}"
    headers = {"ETag": f'"{tag}"', "Vary": "Authorization", "Cache-Control": "private"}
    if request.if_none_match.contains_weak(tag):
        return Response(status=304, headers=headers)
    return Response(view.body, headers=headers, content_type="application/json")


@routes.post("/v1/tables/<uuid:table_id>/actions")
@routes.input(requests.ActIn, arg_name="body")
@routes.output(answers.DoneOut, status_code=201)
@route(
    "forbidden",
    "not-found",
    "illegal-action",
    "not-your-turn",
    "stale-version",
    "table-not-running",
    "idempotency-mismatch",
    security=NEEDS_PLAYER,
    keyed=True,
)
def act(table_id: UUID, body: dict[str, Any]) -> Response:
    """Do one of the view's `actions`."""
    known = reading.recall(context(), player(), table_id)
    outcome = turns.act(context(), player(), table_id, **body, key=key(), known=known)
    return _done(outcome)


def _done(outcome: Outcome) -> Response:
    """What came of a command of play, encoded as views are."""
    body = views.encoded(reading.done(context(), command(outcome), player()))
    return Response(body, status=201, content_type="application/json")


@routes.post("/v1/tables/<uuid:table_id>/undo")
@routes.input(requests.UndoIn, arg_name="body")
@routes.output(answers.DoneOut, status_code=201)
@route(
    "forbidden",
    "not-found",
    "not-your-turn",
    "nothing-to-undo",
    "undo-barrier",
    "stale-version",
    "table-not-running",
    "idempotency-mismatch",
    security=NEEDS_PLAYER,
    keyed=True,
)
def undo(table_id: UUID, body: dict[str, Any]) -> Response:
    """Go back over my own steps of this turn, or forward again to where I was."""
    known = reading.recall(context(), player(), table_id)
    outcome = turns.undo(context(), player(), table_id, **body, key=key(), known=known)
    return _done(outcome)
