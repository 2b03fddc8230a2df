"""The least that an event-sourced command over HTTP can be: one aggregate loaded, one event saved. What ours is
compared with. `RECORDER` names the recorder's topic, or is empty for the library's own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from flask import Flask


class Counter(Aggregate):
    @event("Opened")
    def __init__(self) -> None:
        self.count = 0

    @event("Counted")
    def act(self, by: int) -> None:
        self.count += by


def folded(initial: Any, events: Iterable[Any]) -> Any:
    """The library's own projector checks every event against a protocol, which costs half of a load."""
    for each in events:
        initial = each.mutate(initial)
    return initial


class Counters(Application[UUID]):
    """The application; its database by the library's own variables."""


def create_app() -> Flask:
    app, counters = Flask("trivial"), Counters()

    @app.post("/counters")
    def create() -> Any:
        counter = Counter()
        counters.save(counter)
        return {"id": str(counter.id)}, 201

    @app.post("/counters/<uuid:counter_id>")
    def act(counter_id: UUID) -> Any:
        counter: Any = counters.repository.get(counter_id, projector_func=folded)
        counter.act(1)
        counters.save(counter)
        return {"count": counter.count}, 201

    return app


def environ(url: str) -> dict[str, str]:
    """The library's settings for a database on a socket."""
    from psycopg.conninfo import conninfo_to_dict

    dsn = conninfo_to_dict(url)
    return os.environ | {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": str(dsn["dbname"]),
        "POSTGRES_HOST": str(dsn["host"]),
        "POSTGRES_PORT": str(dsn.get("port", 5432)),
        "POSTGRES_USER": str(dsn["user"]),
        "POSTGRES_PASSWORD": "none",
        "POSTGRES_POOL_SIZE": "8",
        "CREATE_TABLE": "y",
    }
