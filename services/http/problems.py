"""Every error answer: problem documents (RFC 9457), their slugs and statuses as one table, and what raises them.

No problem tells anything of the inside; an unexpected fault is logged under the request's id.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import structlog
from apiflask import APIFlask, HTTPError
from flask import Response, g
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from domain.refusals import Refusal
from infra.database import OutcomeUnknown, Unavailable
from services.streams import TooManyStreams

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER = 1
"""Seconds after which it is worth asking again."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A kind of problem: its status, title, and what it means for the one who asked."""

    status: int
    title: str
    meaning: str
    members: tuple[str, ...] = ()


PROBLEMS: Mapping[str, Problem] = {
    "malformed-json": Problem(400, "Malformed JSON", "The body is not JSON in UTF-8, or is not declared as such."),
    "unauthenticated": Problem(
        401, "Unauthenticated", "The call needs a valid bearer token; a token that is not valid never counts as none."
    ),
    "forbidden": Problem(403, "Forbidden", "You are known, but this is not yours to do."),
    "not-found": Problem(404, "Not found", "There is nothing here that you may see."),
    "method-not-allowed": Problem(405, "Method not allowed", "`Allow` lists what this path knows."),
    "illegal-action": Problem(
        409,
        "Illegal action",
        "The action is not one of the view's `actions`; `rule` names the rule that it breaks.",
        ("rule",),
    ),
    "not-your-turn": Problem(409, "Not your turn", "Another seat has to decide now."),
    "stale-version": Problem(
        409,
        "Stale version",
        "The table has moved on since the version you named; `version` is the current one.",
        ("version",),
    ),
    "nothing-to-undo": Problem(409, "Nothing to undo", "In this turn there is no own action yet."),
    "undo-barrier": Problem(409, "Undo barrier", "What others, or you, have learnt since can't be unseen."),
    "table-not-running": Problem(409, "Table not running", "The table has not started, or is over."),
    "seat-taken": Problem(409, "Seat taken", "The seat, or every seat, is taken, or you have one already."),
    "idempotency-mismatch": Problem(
        409, "Idempotency mismatch", "The idempotency key was used before, for another call or for a token."
    ),
    "payload-too-large": Problem(413, "Payload too large", "The body is larger than this service takes."),
    "invalid-request": Problem(
        422, "Invalid request", "Fields do not fit; `errors` maps each to what is wrong with it.", ("errors",)
    ),
    "rate-limited": Problem(429, "Rate limited", "Too many calls; `Retry-After` says when to come again."),
    "internal-error": Problem(
        500, "Internal error", "A fault on our side; `request_id` finds it in the logs.", ("request_id",)
    ),
    "unavailable": Problem(503, "Unavailable", "Part of the service does not answer; try again after `Retry-After`."),
}

_BY_STATUS = {
    400: "malformed-json",
    404: "not-found",
    405: "method-not-allowed",
    413: "payload-too-large",
}
_DETAILS = {
    404: "there is nothing at this path",
    405: "this path does not know that method",
    413: "the body is too large",
    400: "the request can't be read",
}


class MalformedJson(Refusal):
    slug = "malformed-json"


def problem(slug: str, detail: str, headers: Mapping[str, str] | None = None, **members: Any) -> Response:
    """A problem document as an answer.

    Args:
        slug: one of `PROBLEMS`.
        detail: what is wrong this time.
        members: further fields of the document.
    """
    kind = PROBLEMS[slug]
    document = {"type": f"/problems/{slug}", "title": kind.title, "status": kind.status, "detail": detail, **members}
    return _answer(document, kind.status, headers)


def _answer(document: Mapping[str, Any], status: int, headers: Mapping[str, str] | None) -> Response:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return Response(text, status=status, headers=dict(headers or {}), content_type=MEDIA_TYPE)


def register(app: APIFlask) -> None:
    """Let an app answer everything that is raised with a problem document."""
    app.register_error_handler(Refusal, _refused)
    app.register_error_handler(Unavailable, _unavailable)
    app.register_error_handler(TooManyStreams, _full)
    app.register_error_handler(HTTPError, _invalid)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


def _refused(refusal: Refusal) -> Response:
    headers = {"WWW-Authenticate": 'Bearer realm="turnkeeper"'} if refusal.slug == "unauthenticated" else None
    return problem(refusal.slug, refusal.detail, headers, **refusal.members)


def _unavailable(error: Unavailable) -> Response:
    detail = "the database does not answer; nothing was changed"
    if isinstance(error, OutcomeUnknown):
        detail = "the database broke off; whether the call was carried out is told by repeating it with its key"
    structlog.get_logger().warning("database unavailable", error=type(error).__name__)
    return problem("unavailable", detail, {"Retry-After": str(RETRY_AFTER)})


def _full(error: TooManyStreams) -> Response:
    return problem("unavailable", str(error), {"Retry-After": str(RETRY_AFTER)})


def _invalid(error: HTTPError) -> Response:
    """What the schemas refuse: fields of the body and of the query string together."""
    errors: dict[str, Any] = {}
    for fields in error.detail.values():
        errors |= fields if isinstance(fields, dict) else {"_schema": fields}
    return problem("invalid-request", "some fields do not fit", errors=errors)


def _http(error: HTTPException) -> Response:
    status = error.code or 500
    if status < 400:
        return Response(status=status, headers=error.get_headers())
    headers = {}
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        headers["Allow"] = ", ".join(sorted(error.valid_methods))
    if status in _BY_STATUS:
        return problem(_BY_STATUS[status], _DETAILS[status], headers)
    return _answer({"type": "about:blank", "title": error.name, "status": status, "detail": error.name}, status, None)


def _unexpected(error: Exception) -> Response:
    structlog.get_logger().error("unexpected fault", exc_info=error)
    detail = "something went wrong on our side; nothing more is known here"
    return problem("internal-error", detail, request_id=g.get("request_id"))
