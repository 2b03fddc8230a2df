"""Routes of pushes: a ticket, and the stream of a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from apiflask import APIBlueprint, APIFlask
from flask import Response, current_app, request

from infra.database import Unavailable
from services import reading, streams
from services.http import answers, requests
from services.http.asking import asker, context, player
from services.http.documents import NEEDS_PLAYER, PLAYER_OR_PUBLIC, route
from services.http.requests import QUERY
from services.streams import Hub, News

routes = APIBlueprint("streams", __name__, tag="Streams")

EVENTS: Any = {
    200: {
        "description": "server-sent events: `event: table`, `id: <version>`, `data: {version, to_act, status}`",
        "content": {"text/event-stream": {}},
    }
}


def register(app: APIFlask) -> None:
    """Give an app its hub. To be called in the process that serves, after any fork."""
    made = app.extensions["turnkeeper"]
    app.extensions["turnkeeper-streams"] = Hub(made.wakeups, made.settings.streams_per_process)


@routes.post("/v1/stream-tickets")
@routes.input(requests.NothingIn, arg_name="body")
@routes.output(answers.TicketOut, status_code=201)
@route(security=NEEDS_PLAYER)
def ticket(body: dict[str, Any]) -> Any:
    """A ticket that opens one stream, for clients that can send no header."""
    return streams.issue_ticket(context(), player())


@routes.get("/v1/tables/<uuid:table_id>/stream")
@routes.input(requests.StreamQuery, **QUERY)
@routes.doc(responses=EVENTS)
@route("not-found", security=PLAYER_OR_PUBLIC)
def stream(table_id: UUID, query: dict[str, Any]) -> Response:
    """That something happened at a table; the view says what."""
    made, hub = context(), _hub()
    viewer = streams.use_ticket(made, query["ticket"]) if query["ticket"] else asker()
    reading.visit(made, viewer, table_id, query["invitation"])
    table = str(table_id)
    hub.enter(table)
    response = Response(_events(streams.follow(made, hub, viewer, table_id, _known())), mimetype="text/event-stream")
    response.call_on_close(lambda: hub.leave(table))
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _hub() -> Hub:
    hub: Hub = current_app.extensions["turnkeeper-streams"]
    return hub


def _known() -> int | None:
    given = request.headers.get("Last-Event-ID", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 17 else None


def _events(news: Iterator[News]) -> Iterator[bytes]:
    yield b": turnkeeper\n\n"
    try:
        for each in news:
            yield (
                b": alive\n\n"
                if each.data is None
                else b"event: table\nid: %d\ndata: %s\n\n"
                % (
                    each.version,
                    each.data,
                )
            )
    except Unavailable:
        return
