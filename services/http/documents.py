"""The OpenAPI document: what all routes share, problems by status, and the docs page with its own assets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import flask_swagger_ui
from apiflask import APIFlask
from flask import Response, send_from_directory

from services.http.links import LINKS
from services.http.problems import MEDIA_TYPE, PROBLEMS, Problem

F = TypeVar("F", bound=Callable[..., Any])

EXAMPLES = Path(__file__).parent / "examples.json"
ASSETS = Path(flask_swagger_ui.__file__).parent / "dist"

NEEDS_PLAYER = "player"
"""The security scheme of a bearer token; a route documented with it alone is for players only."""

NEEDS_PLATFORM = "platform"
"""The security scheme of a platform's credential."""

PLATFORM_OR_PUBLIC: list[dict[str, list[str]]] = [{}, {NEEDS_PLATFORM: []}]

PLAYER_OR_PUBLIC: list[dict[str, list[str]]] = [{}, {NEEDS_PLAYER: []}]

SECURITY_SCHEMES = {
    NEEDS_PLAYER: {"type": "http", "scheme": "bearer", "description": "the token that registering a player gives"},
    NEEDS_PLATFORM: {
        "type": "http",
        "scheme": "bearer",
        "description": "a platform's credential; with the header `Turnkeeper-Player` it serves as a player's token",
    },
}

CONFIG: Mapping[str, Any] = {
    "AUTO_404_RESPONSE": False,
    "AUTO_AUTH_ERROR_RESPONSE": False,
    "AUTO_VALIDATION_ERROR_RESPONSE": False,
    "AUTO_OPERATION_ID": True,
    "AUTO_SERVERS": False,
    "AUTO_OPERATION_DESCRIPTION": False,
    "SECURITY_SCHEMES": SECURITY_SCHEMES,
    "DESCRIPTION": "Turn-based board games as recorded events: tables, play, undo, log, results.",
    "DOCS_FAVICON": "/docs/assets/favicon-32x32.png",
    "SWAGGER_UI_CSS": "/docs/assets/swagger-ui.css",
    "SWAGGER_UI_BUNDLE_JS": "/docs/assets/swagger-ui-bundle.js",
    "SWAGGER_UI_STANDALONE_PRESET_JS": "/docs/assets/swagger-ui-standalone-preset.js",
}

_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same key with the same body by the same player is carried out once and answered alike.",
    "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
    "example": "5f0c2f7e-1",
}
_REQUEST_ID = {"description": "finds the request in the logs", "schema": {"type": "string"}}
_HEADERS: Mapping[int, Mapping[str, Any]] = {
    401: {"WWW-Authenticate": {"schema": {"type": "string"}}},
    429: {"Retry-After": {"schema": {"type": "string"}}},
    503: {"Retry-After": {"schema": {"type": "string"}}},
}
_TYPES: Mapping[str, Mapping[str, Any]] = {
    "errors": {"type": "object", "description": "field → what is wrong with it"},
    "rule": {"type": "string"},
    "version": {"type": "integer"},
    "request_id": {"type": ["string", "null"]},
}
_EXAMPLES: Mapping[str, Any] = {
    "errors": {"version": ["Missing data for required field."]},
    "rule": "roeko.wrong-excess",
    "version": 14,
    "request_id": "0b0b7a4e-6f0e-4f43-9d4f-5d0cf5d1a6d0",
}


def route(*slugs: str, security: Any = None, keyed: bool = False, also: Iterable[int] = ()) -> Callable[[F], F]:
    """Say of a route what it may answer and whom it serves; `asking` holds it to that.

    Args:
        slugs: the problems it may answer, besides those that follow from the rest.
        security: `NEEDS_PLAYER` or `PLAYER_OR_PUBLIC`; None: nobody is asked for a token.
        keyed: whether it takes an idempotency key.
        also: further statuses, without a body.
    """

    def wrap(function: F) -> F:
        spec = function.__dict__.setdefault("_spec", {})
        spec.update({"slugs": slugs, "keyed": keyed, "also": tuple(also)})
        if security:
            spec["security"] = security
        return function

    return wrap


def register(app: APIFlask) -> None:
    """Complete the app's document, and serve the assets of the docs page."""
    app.config.from_mapping(CONFIG)
    app.spec_processor(lambda spec: _completed(app, spec))
    app.add_url_rule("/docs/assets/<path:name>", "docs_assets", _asset)


def _asset(name: str) -> Response:
    return send_from_directory(ASSETS, name, max_age=86400)


_asset._spec = {"hide": True}  # type: ignore[attr-defined]


def _completed(app: APIFlask, document: Any) -> Any:
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    schemas |= {_name(slug): _schema(slug, kind) for slug, kind in PROBLEMS.items()}
    by_operation = {
        (_path(rule.rule), method.lower()): app.view_functions[rule.endpoint]._spec
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
        if hasattr(app.view_functions[rule.endpoint], "_spec")
    }
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if (spec := by_operation.get((path, method))) and "slugs" in spec:
                _complete(operation, spec)
    for name, example in _examples().items():
        (media,) = _found(document, name)["content"].values()
        media["example"] = example
    for name, links in LINKS.items():
        found = _found(document, name)
        found["links"] = {
            link: each.described(_found(document, each.target)["operationId"]) for link, each in links.items()
        }
    return document


def _found(document: Any, name: str) -> Any:
    """An operation, or with a status an answer of it: "METHOD rule" or "METHOD rule status"."""
    method, rule, *status = name.split()
    operation = document["paths"][_path(rule)][method.lower()]
    return operation["responses"][status[0]] if status else operation


def _examples() -> dict[str, Any]:
    """One body of every answer, text for what is no JSON: `METHOD rule status` → body. Tests make them again."""
    found: dict[str, Any] = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return found


def _path(rule: str) -> str:
    """A rule as a path of the document: `<uuid:table_id>` → `{table_id}`."""
    parts = [part.strip("<>").split(":")[-1].join("{}") if part.startswith("<") else part for part in rule.split("/")]
    return "/".join(parts)


def _complete(operation: dict[str, Any], spec: Mapping[str, Any]) -> None:
    reads = bool(spec.get("args")) or "body" in spec or spec["keyed"]
    slugs = [
        *spec["slugs"],
        *(("unauthenticated",) if "security" in spec else ()),
        *(("malformed-json", "payload-too-large") if "body" in spec else ()),
        *(("rate-limited",) if "body" in spec or spec["keyed"] else ()),
        *(("invalid-request",) if reads else ()),
        "internal-error",
        "unavailable",
    ]
    if spec["keyed"]:
        operation.setdefault("parameters", []).append(_KEY)
    responses = operation["responses"]
    for status in spec["also"]:
        responses[str(status)] = {"description": "not modified" if status == 304 else "no content"}
    for status in sorted({PROBLEMS[slug].status for slug in slugs}):
        here = [slug for slug in dict.fromkeys(slugs) if PROBLEMS[slug].status == status]
        responses[str(status)] = _response(status, here)
    if "204" in responses:
        responses["204"].pop("content", None)
    for response in responses.values():
        response.setdefault("headers", {})["X-Request-Id"] = _REQUEST_ID
    operation["responses"] = dict(sorted(responses.items()))


def _response(status: int, slugs: list[str]) -> dict[str, Any]:
    refs = [{"$ref": f"#/components/schemas/{_name(slug)}"} for slug in slugs]
    examples = {slug: {"value": _example(slug, PROBLEMS[slug])} for slug in slugs}
    content = {"schema": refs[0] if len(refs) == 1 else {"oneOf": refs}, "examples": examples}
    response: dict[str, Any] = {"description": "; ".join(slugs), "content": {MEDIA_TYPE: content}}
    if status in _HEADERS:
        response["headers"] = dict(_HEADERS[status])
    return response


def _name(slug: str) -> str:
    return "Problem" + "".join(word.capitalize() for word in slug.split("-"))


def _schema(slug: str, kind: Problem) -> dict[str, Any]:
    own = {name: _TYPES[name] for name in kind.members}
    return {
        "type": "object",
        "title": kind.title,
        "description": kind.meaning,
        "required": ["type", "title", "status", "detail", *kind.members],
        "properties": {
            "type": {"const": f"/problems/{slug}"},
            "title": {"type": "string"},
            "status": {"const": kind.status},
            "detail": {"type": "string"},
            **own,
        },
    }


def _example(slug: str, kind: Problem) -> dict[str, Any]:
    """One problem document of this kind."""
    common = {"type": f"/problems/{slug}", "title": kind.title, "status": kind.status, "detail": kind.meaning}
    return common | {name: _EXAMPLES[name] for name in kind.members}
