"""Routes of whole records: audit, export, import."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from apiflask import APIBlueprint
from flask import Response, request

from domain import refusals
from services import reading, records
from services.commands import Outcome
from services.http import answers, requests
from services.http.asking import asker, command, context, key, player
from services.http.documents import NEEDS_PLAYER, PLAYER_OR_PUBLIC, route
from services.http.requests import QUERY

routes = APIBlueprint("archives", __name__, tag="Record")

NDJSON = "application/x-ndjson"
NO_RECORD = ("application/json", "text/html", "text/csv", "application/xml")
"""Declared like this a body is not meant to be a record; what comes undeclared is looked at."""

FILE: Any = {200: {"description": "the record", "content": {NDJSON: {"schema": {"type": "string"}}}}}


@routes.get("/v1/tables/<uuid:table_id>/audit")
@routes.input(requests.TableQuery, **QUERY)
@routes.output(answers.AuditOut)
@route("not-found", security=PLAYER_OR_PUBLIC)
def audit(table_id: UUID, query: dict[str, Any]) -> Any:
    """The record decided again from its seed, and compared; kept once a version."""
    return records.audited(context(), reading.visit(context(), asker(), table_id, query["invitation"]).table)


@routes.get("/v1/tables/<uuid:table_id>/export")
@routes.input(requests.TableQuery, **QUERY)
@routes.doc(responses=FILE)
@route("not-found", security=PLAYER_OR_PUBLIC)
def export(table_id: UUID, query: dict[str, Any]) -> Response:
    """A sealed record as a file: a header, then one line an event."""
    lines = records.export(context(), reading.visit(context(), asker(), table_id, query["invitation"]).table)
    headers = {"Content-Disposition": f'attachment; filename="{table_id}.ndjson"'}
    return Response(b"".join(lines), content_type=NDJSON, headers=headers)


@routes.post("/v1/tables/<uuid:table_id>/forks")
@routes.input(requests.ForkIn, arg_name="body")
@routes.output(answers.TableOut, status_code=201)
@route("not-found", "table-not-running", "idempotency-mismatch", security=NEEDS_PLAYER, keyed=True)
def fork(table_id: UUID, body: dict[str, Any]) -> Any:
    """A new private table from a position of this one; what I could not know is drawn anew while it runs."""
    visit = reading.visit(context(), player(), table_id)
    outcome = records.fork(context(), player(), visit.table, visit.seat, body["at"], key())
    return _made(outcome)


@routes.post("/v1/imports")
@routes.output(answers.TableOut, status_code=201)
@route("idempotency-mismatch", "payload-too-large", "invalid-request", security=NEEDS_PLAYER, keyed=True)
def import_record() -> Any:
    """Take an exported record in, as a finished table that is nobody's, after checking all of it."""
    if request.mimetype in NO_RECORD or request.mimetype.startswith("multipart/"):
        wrong = {"Content-Type": [f"Must be {NDJSON}."]}
        raise refusals.InvalidRequest(f"a record comes as {NDJSON}", wrong)
    request.max_content_length = context().settings.max_import_bytes
    return _made(records.import_record(context(), player(), request.get_data(), key()))


def _made(outcome: Outcome) -> Any:
    body = reading.opened(context(), command(outcome), player())
    return body, 201, {"Location": f"/v1/tables/{body['id']}"}
