"""The pool: bounded in time, recovers by itself, acts as a role that cannot change the record."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError, ProgrammingError, StoredEvent

from infra.database import Database, OutcomeUnknown, Unavailable
from infra.event_store import EventRecorder

INSERT_SEED = "INSERT INTO table_secrets VALUES (%s, 'seed')"


def kill_all_connections(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_a_transaction_is_committed_at_its_end(database: Database) -> None:
    with database.transaction() as cursor:
        cursor.execute(INSERT_SEED, (uuid4(),))
    assert database.query("SELECT count(*) AS n FROM table_secrets") == [{"n": 1}]


def test_a_transaction_is_rolled_back_by_an_exception(database: Database) -> None:
    with pytest.raises(ZeroDivisionError), database.transaction() as cursor:
        cursor.execute(INSERT_SEED, (uuid4(),))
        raise ZeroDivisionError
    assert database.query("SELECT FROM table_secrets") == []


def test_errors_are_the_event_librarys_with_psycopgs_as_cause(database: Database) -> None:
    table = uuid4()
    with pytest.raises(IntegrityError) as caught, database.transaction() as cursor:
        cursor.execute(INSERT_SEED, (table,))
        cursor.execute(INSERT_SEED, (table,))
    assert isinstance(caught.value.__cause__, psycopg.errors.UniqueViolation)
    with pytest.raises(ProgrammingError):
        database.query("SELECT nonsense")


def test_without_a_database_every_call_is_unavailable() -> None:
    database = Database("postgresql:///turnkeeper?host=/nowhere", timeout=0.2)
    recorder = EventRecorder(database)  # can be built without one
    with pytest.raises(Unavailable):
        database.query("SELECT 1")
    with pytest.raises(Unavailable), database.transaction():
        pytest.fail("a transaction began")
    with pytest.raises(Unavailable):
        recorder.select_notifications(None, 10)
    with pytest.raises(Unavailable):
        recorder.select_events(uuid4())
    with pytest.raises(Unavailable) as caught:
        recorder.insert_events([StoredEvent(uuid4(), 1, "toy.Moved", b"")])
    assert not isinstance(caught.value, OutcomeUnknown)
    database.close()


def test_a_server_that_accepts_and_says_nothing_is_unavailable(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        database = Database(f"postgresql://u@127.0.0.1:{silent.getsockname()[1]}/d", timeout=0.2)
        with pytest.raises(Unavailable):
            database.query("SELECT 1")
        database.close()


def test_a_server_that_falls_silent_is_unavailable_and_used_again_when_it_is_back(proxy: Any) -> None:
    database = Database(proxy.url, size=1, timeout=0.5)
    assert database.query("SELECT 1 AS one") == [{"one": 1}]
    proxy.silent = True
    with pytest.raises(Unavailable):
        database.query("SELECT 1 AS one")
    proxy.silent = False
    proxy.cut()
    assert eventually(database) == [{"one": 1}]
    database.close()


def test_reads_go_on_over_a_restart_of_the_server(database: Database, database_url: str) -> None:
    for _ in range(3):
        assert database.query("SELECT 1 AS one") == [{"one": 1}]
        kill_all_connections(database_url)


def test_a_connection_that_dies_before_the_commit_leaves_nothing(database: Database, database_url: str) -> None:
    with pytest.raises(Unavailable) as caught, database.transaction() as cursor:
        cursor.execute(INSERT_SEED, (uuid4(),))
        kill_all_connections(database_url)
        cursor.execute(INSERT_SEED, (uuid4(),))
    assert not isinstance(caught.value, OutcomeUnknown)
    assert database.query("SELECT FROM table_secrets") == []


def test_a_connection_that_dies_in_the_commit_leaves_an_unknown_outcome(proxy: Any, database: Database) -> None:
    lossy = Database(proxy.url, size=1)
    with pytest.raises(OutcomeUnknown), lossy.transaction() as cursor:
        cursor.execute(INSERT_SEED, (uuid4(),))
        proxy.lose_next_answer = True
    assert len(database.query("SELECT FROM table_secrets")) == 1
    lossy.close()


def test_a_statement_that_takes_too_long_is_unavailable_and_not_repeated(database_url: str) -> None:
    database = Database(database_url, timeout=0.2)
    with pytest.raises(Unavailable):
        database.query("SELECT pg_sleep(100)")
    assert database.query("SELECT 1 AS one") == [{"one": 1}]
    database.close()


def test_a_time_of_its_own_can_be_given_to_statements(database_url: str) -> None:
    database = Database(database_url, timeout=0.2, statement_timeout=30)
    assert database.query("SELECT pg_sleep(0.3), 1 AS one")[0]["one"] == 1
    database.close()


def test_a_connection_acts_as_the_applications_role(database: Database) -> None:
    assert database.query("SELECT current_user AS who") == [{"who": "turnkeeper_app"}]


@pytest.mark.parametrize("table", ["events", "commands"])
@pytest.mark.parametrize("change", ["UPDATE {} SET version = 1", "DELETE FROM {}", "TRUNCATE {}"])
def test_the_record_can_be_changed_neither_by_the_application_nor_by_the_owner(
    database: Database, database_url: str, table: str, change: str
) -> None:
    statement = change.format(table)
    if table == "events":
        statement = statement.replace("version", "originator_version")
    with pytest.raises(ProgrammingError, match="permission denied"), database.transaction() as cursor:
        cursor.execute(statement)
    with (
        psycopg.connect(database_url) as owner,
        pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"),
    ):
        owner.execute(statement.encode())


def test_the_applications_role_may_read_and_append_but_not_change_the_schema(database: Database) -> None:
    rows = database.query(
        "SELECT table_name, array_agg(privilege_type::text ORDER BY privilege_type::text) AS may"
        " FROM information_schema.role_table_grants WHERE grantee = 'turnkeeper_app'"
        " AND table_name IN ('events', 'commands', 'table_secrets', 'server_keys') GROUP BY table_name"
    )
    assert len(rows) == 4
    assert all(row["may"] == ["INSERT", "SELECT"] for row in rows)
    with pytest.raises(ProgrammingError):
        database.execute("CREATE TABLE mine ()")


def test_a_process_opens_no_more_connections_than_its_pool_is_wide(database_url: str) -> None:
    database = Database(database_url, size=2, timeout=0.3)
    with database.transaction(), database.transaction(), pytest.raises(Unavailable), database.transaction():
        pytest.fail("a third connection was opened")
    database.close()


def eventually(database: Database) -> list[dict[str, Any]]:
    """The pool reconnects in the background: the first attempts may still be too early."""
    for _ in range(50):
        try:
            return database.query("SELECT 1 AS one")
        except Unavailable:
            continue
    raise AssertionError("the database was never used again")
