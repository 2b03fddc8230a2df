"""The application: settings and context in, a WSGI app out. What it answers lies in the modules beside it."""

from __future__ import annotations

from typing import Any

import msgspec
from apiflask import APIFlask
from flask.json.provider import JSONProvider

from infra.settings import Settings
from projections import views
from services.context import Context, connect
from services.http import (
    agreements,
    archives,
    asking,
    documents,
    games,
    limits,
    play,
    players,
    problems,
    record,
    service,
    streams,
    tables,
    telemetry,
)


class Json(JSONProvider):
    """JSON as the projections write it."""

    def dumps(self, obj: Any, **_: Any) -> str:
        return views.encoded(obj).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        return msgspec.json.decode(s)


class App(APIFlask):
    json_provider_class = Json


def create_app(settings: Settings | None = None, context: Context | None = None) -> APIFlask:
    """The API as a WSGI application.

    Args:
        settings: those of the environment if None.
        context: a ready one, for tests; else one is built. It connects at the first request.
    """
    if context is None:
        context = connect(settings or Settings.from_environ(), name="turnkeeper-api")
    app = App("turnkeeper", title="Turnkeeper", version="1", docs_path="/docs", spec_path="/openapi.json")
    app.config["MAX_CONTENT_LENGTH"] = context.settings.max_body_bytes
    app.extensions["turnkeeper"] = context
    for part in (telemetry, asking, problems, documents, streams):
        part.register(app)
    for part in (players, games, tables, play, agreements, record, archives, streams, service):
        app.register_blueprint(part.routes)
    limits.register(app, context.settings)
    return app
