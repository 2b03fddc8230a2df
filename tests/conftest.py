"""Servers and databases for the tests: embedded ones, or those of DATABASE_URL and REDIS_URL.

Each test process has a server of its own and a template with all migrations; a test's database is a copy of it.
"""

from __future__ import annotations

import os
import re
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from infra.database import Database
from infra.embedded import Server, claimed, start_postgres, start_valkey
from infra.event_store import EventRecorder
from infra.migrate import migrate


class PostgresServer:
    """A PostgreSQL server on which tests make and drop databases."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._template: str | None = None

    def url_of(self, name: str) -> str:
        """The URL of one of its databases."""
        return re.sub(r"^(\w+://[^/?]*)(/[^?]*)?", rf"\1/{name}", self.url)

    def admin(self, statement: str) -> None:
        """Run a statement that belongs to no test database."""
        with psycopg.connect(self.url, autocommit=True) as db:
            db.execute(statement.encode())

    def create(self, *, migrated: bool = True) -> str:
        """A new database; returns its name."""
        name = f"test_{uuid.uuid4().hex[:16]}"
        if not migrated:
            self.admin(f"CREATE DATABASE {name}")
            return name
        if self._template is None:
            self._template = self.create(migrated=False)
            migrate(self.url_of(self._template))
        self.admin(f"CREATE DATABASE {name} TEMPLATE {self._template}")
        return name

    def drop(self, name: str) -> None:
        self.admin(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def close(self) -> None:
        if self._template is not None:
            self.drop(self._template)


@pytest.fixture(scope="session")
def scratch() -> Iterator[Path]:
    """A folder for this test process's servers; everybody may pass through it, as the servers run unprivileged."""
    with tempfile.TemporaryDirectory(prefix="turnkeeper-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o711)
        yield folder


@pytest.fixture(scope="session")
def postgres(scratch: Path) -> Iterator[PostgresServer]:
    """A PostgreSQL server: that of DATABASE_URL, else an embedded one."""
    given = os.environ.get("DATABASE_URL")
    if given:
        server = PostgresServer(given)
        yield server
        server.close()
        return
    with claimed(scratch / "data") as folder:
        embedded: Server = start_postgres(folder, durable=False)
        yield PostgresServer(embedded.url)
        embedded.stop()


@pytest.fixture(scope="session")
def redis_url(scratch: Path) -> Iterator[str]:
    """A Redis-compatible server: that of REDIS_URL, else an embedded one."""
    given = os.environ.get("REDIS_URL")
    if given:
        yield given
        return
    embedded = start_valkey(scratch)
    yield embedded.url
    embedded.stop()


@pytest.fixture
def database_url(postgres: PostgresServer) -> Iterator[str]:
    """A migrated database of this test's own, as its owner."""
    name = postgres.create()
    yield postgres.url_of(name)
    postgres.drop(name)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """The same database, as the application sees it."""
    database = Database(database_url, size=10)
    yield database
    database.close()


@pytest.fixture
def recorder(database: Database) -> EventRecorder:
    """The event store of this test's database."""
    return EventRecorder(database)


@pytest.fixture(scope="module")
def module_database(postgres: PostgresServer) -> Iterator[Database]:
    """A migrated database that the tests of one module share."""
    name = postgres.create()
    database = Database(postgres.url_of(name), size=10)
    yield database
    database.close()
    postgres.drop(name)
