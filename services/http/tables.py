"""Routes of tables and their seats."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from apiflask import APIBlueprint

from services import listing, reading, seats
from services.http import answers, requests
from services.http.asking import asker, command, context, key, player
from services.http.documents import NEEDS_PLAYER, PLAYER_OR_PUBLIC, route
from services.http.requests import QUERY

routes = APIBlueprint("tables", __name__, tag="Tables")


@routes.post("/v1/tables")
@routes.input(requests.OpenIn, arg_name="wish")
@routes.output(answers.TableOut, status_code=201)
@route("idempotency-mismatch", security=NEEDS_PLAYER, keyed=True)
def open_table(wish: dict[str, Any]) -> Any:
    """Open a table."""
    outcome, _ = seats.open_table(context(), player(), wish, key())
    command(outcome)
    body = reading.opened(context(), outcome, player())
    return body, 201, {"Location": f"/v1/tables/{body['id']}"}


@routes.get("/v1/tables")
@routes.input(requests.TablesQuery, **QUERY)
@routes.output(answers.TablesOut)
@route(security=PLAYER_OR_PUBLIC)
def tables(query: dict[str, Any]) -> Any:
    """Tables that I may see, newest first."""
    return listing.tables(context(), asker(), **query)


@routes.get("/v1/tables/<uuid:table_id>")
@routes.input(requests.TableQuery, **QUERY)
@routes.output(answers.TableOut)
@route("not-found", security=PLAYER_OR_PUBLIC)
def table(table_id: UUID, query: dict[str, Any]) -> Any:
    """A table as it stands now."""
    return reading.table(context(), asker(), table_id, query["invitation"])


@routes.post("/v1/tables/<uuid:table_id>/seats")
@routes.input(requests.JoinIn, arg_name="body")
@routes.output(answers.TableOut, status_code=201)
@route("not-found", "seat-taken", "table-not-running", "idempotency-mismatch", security=NEEDS_PLAYER, keyed=True)
def join(table_id: UUID, body: dict[str, Any]) -> Any:
    """Take an open seat; the game starts if it was the last one and the table starts by itself."""
    reading.visit(context(), player(), table_id, body.pop("invitation"))
    outcome = seats.join(context(), player(), table_id, **body, key=key())
    return reading.opened(context(), command(outcome), player())


@routes.delete("/v1/tables/<uuid:table_id>/seats/me")
@routes.output(answers.TableOut)
@route("forbidden", "not-found", "table-not-running", "idempotency-mismatch", security=NEEDS_PLAYER, keyed=True)
def leave(table_id: UUID) -> Any:
    """Give my seat back; once the game runs that is resigning, and a bot plays on."""
    reading.visit(context(), player(), table_id)
    outcome = seats.leave(context(), player(), table_id, key())
    return reading.opened(context(), command(outcome), player())


@routes.post("/v1/tables/<uuid:table_id>/start")
@routes.input(requests.StartIn, arg_name="body")
@routes.output(answers.TableOut, status_code=201)
@route("forbidden", "not-found", "table-not-running", "idempotency-mismatch", security=NEEDS_PLAYER, keyed=True)
def start(table_id: UUID, body: dict[str, Any]) -> Any:
    """Start the game, as the one who opened the table; open seats can be filled with a bot."""
    reading.visit(context(), player(), table_id)
    outcome = seats.start(context(), player(), table_id, **body, key=key())
    return reading.opened(context(), command(outcome), player())
