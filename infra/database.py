"""The one connection pool of a process, shared by the event library's recorders and our own queries.

Everything here is bounded in time: without an answering database a caller gets `Unavailable`, it never hangs.
No table is known here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
import psycopg_pool
from eventsourcing.persistence import PersistenceError
from eventsourcing.postgres import PostgresDatastore
from psycopg import Connection, Cursor
from psycopg.abc import Params
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, dict_row
from psycopg.sql import SQL, Composed

Statement = str | SQL | Composed

APPLICATION_ROLE = "turnkeeper_app"

# Shares of `timeout` given to the server, so that its own verdict comes before the client gives up.
SERVER_SHARE = 0.9


class Unavailable(PersistenceError):
    """The database did not answer in time or the connection broke; nothing was changed.

    Deliberately none of the errors on which the event library repeats a call ten times.
    """


class OutcomeUnknown(Unavailable):
    """The connection broke while a change was being committed: it may or may not have been made."""


class BoundedConnection(Connection[Any]):
    """A connection that waits for each answer `bound` seconds at most, then closes itself.

    Server-side time-outs do not help against a server that is frozen or unreachable.
    """

    bound: float | None = None

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        try:
            return super().wait(gen, interval=interval, timeout=timeout or self.bound)
        except psycopg.errors._WaitTimeout:
            self.pgconn.finish()
            raise psycopg.OperationalError("the database does not answer") from None


class Database(PostgresDatastore):
    """A pool of at most `size` connections to `url` (a `postgresql://` URL or a libpq DSN).

    `timeout`: seconds until a missing database is `Unavailable`; also for one statement and one lock, unless
    `statement_timeout` (seconds, 0 = none) says otherwise. `role`: what connections act as, None = the
    login's own. The pool opens at the first use, so that it may be built before a fork. Rows are
    dictionaries.
    """

    def __init__(
        self,
        url: str,
        *,
        size: int = 10,
        timeout: float = 2.0,
        statement_timeout: float | None = None,
        role: str | None = APPLICATION_ROLE,
        name: str = "turnkeeper",
    ) -> None:
        dsn = conninfo_to_dict(url)
        super().__init__(
            dbname=str(dsn.get("dbname", "")),
            host=str(dsn.get("host", "")),
            port=str(dsn.get("port", "")),
            user=str(dsn.get("user", "")),
            password="",
        )
        self.url = url
        self.size = size
        self.timeout = timeout
        statement = timeout if statement_timeout is None else statement_timeout
        options = [
            str(dsn.get("options", "")),
            f"-c statement_timeout={int(statement * SERVER_SHARE * 1000)}",
            f"-c lock_timeout={int(timeout * SERVER_SHARE * 1000)}",
            "-c idle_in_transaction_session_timeout=60000",
            "-c timezone=UTC",
        ]
        if role is not None:
            options.append(f"-c role={role}")
        bound = statement or None

        def configure(connection: Connection[DictRow]) -> None:
            connection.autocommit = True
            connection.bound = bound  # type: ignore[attr-defined]

        self.pool = psycopg_pool.ConnectionPool(  # type: ignore[assignment]
            url,
            connection_class=BoundedConnection,
            kwargs={
                "row_factory": dict_row,
                "options": " ".join(filter(None, options)),
                "connect_timeout": max(2, int(timeout)),
                "application_name": name,
            },
            min_size=1,
            max_size=size,
            open=False,
            configure=configure,
            timeout=timeout * SERVER_SHARE,
            max_lifetime=3600,
            reconnect_timeout=5,
            name=name,
        )

    def register_type_adapters(self) -> None:
        """Nothing to register: our statements use arrays of built-in types (none is asked at start)."""

    @contextmanager
    def get_connection(self) -> Iterator[Connection[DictRow]]:
        """A connection in autocommit mode, given back at the end.

        Errors: `Unavailable`; else the event library's errors with psycopg's as `__cause__`.
        """
        try:
            with super().get_connection() as connection:
                try:
                    yield connection
                except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                    if connection.closed:
                        # After a restart of the server every idle connection is as dead as this one.
                        self.pool.drain()
                    raise Unavailable(str(error)) from error
        except Unavailable:
            raise
        except PersistenceError as error:
            cause = error.__cause__
            if isinstance(cause, (psycopg.OperationalError, psycopg.InterfaceError)):
                raise Unavailable(str(error)) from cause
            raise

    @contextmanager
    def transaction(self, *, commit: bool = True) -> Iterator[Cursor[DictRow]]:
        """A cursor within one transaction, committed at the end, rolled back on an exception.

        Errors: `OutcomeUnknown` if the connection breaks during the commit, `Unavailable` before it (then
        nothing was changed); else the event library's errors, e.g. `IntegrityError`, with psycopg's as
        `__cause__`.
        """
        committing = False
        try:
            with self.get_connection() as connection, connection.transaction(force_rollback=not commit):
                yield connection.cursor()
                committing = commit
        except Unavailable as error:
            if committing and not isinstance(error, OutcomeUnknown):
                raise OutcomeUnknown(str(error)) from error
            raise

    def query(self, statement: Statement, params: Params | None = None, *, prepare: bool = True) -> list[DictRow]:
        """The rows of one reading statement in autocommit mode.

        A read is harmless to repeat: if the connection turns out to be dead it is tried once more on a new
        one.
        """
        try:
            return self._query(statement, params, prepare)
        except Unavailable as error:
            if not isinstance(error.__cause__, psycopg.OperationalError) or not _died(error.__cause__):
                raise
            return self._query(statement, params, prepare)

    def _query(self, statement: Statement, params: Params | None, prepare: bool) -> list[DictRow]:
        with self.get_connection() as connection:
            return connection.execute(statement, params, prepare=prepare).fetchall()

    def execute(self, statement: Statement, params: Params | None = None) -> int:
        """One changing statement in a transaction of its own; returns the number of rows. Errors as there."""
        with self.transaction() as cursor:
            return cursor.execute(statement, params).rowcount

    def executemany(self, statement: Statement, rows: Sequence[Params]) -> None:
        """One changing statement for many rows, in one transaction."""
        with self.transaction() as cursor:
            cursor.executemany(statement, rows)


def _died(error: psycopg.OperationalError) -> bool:
    """Whether the connection is lost, as opposed to a statement or a lock that took too long."""
    if isinstance(error, (psycopg_pool.PoolTimeout, psycopg_pool.TooManyRequests, psycopg_pool.PoolClosed)):
        return False
    if str(error) == "the database does not answer":
        return False
    return error.sqlstate is None or error.sqlstate in ("57P01", "57P02", "57P03") or error.sqlstate.startswith("08")
