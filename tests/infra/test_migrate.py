"""Migrations: in order, once, by any number of processes at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from infra.migrate import MigrationError, migrate, migrations


@pytest.fixture
def empty_url(postgres: Any) -> Iterator[str]:
    """A database without any table."""
    name = postgres.create(migrated=False)
    yield postgres.url_of(name)
    postgres.drop(name)


def folder(path: Path, **files: str) -> Path:
    for name, sql in files.items():
        (path / f"{name.lstrip('_')}.sql").write_text(sql)
    return path


def test_every_migration_is_applied_once_and_in_order(empty_url: str) -> None:
    expected = tuple(each.number for each in migrations())
    assert expected == tuple(range(1, len(expected) + 1))
    assert migrate(empty_url) == expected
    assert migrate(empty_url) == ()


def test_processes_that_migrate_at_the_same_time_do_the_work_once(empty_url: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(migrate, [empty_url] * 6))
    assert sorted(done) == [()] * 5 + [tuple(each.number for each in migrations())]


def test_databases_of_one_server_can_be_migrated_at_the_same_time(postgres: Any) -> None:
    names = [postgres.create(migrated=False) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(migrate, [postgres.url_of(name) for name in names]))
    for name in names:
        postgres.drop(name)


def test_a_file_changed_after_it_was_applied_is_an_error(empty_url: str, tmp_path: Path) -> None:
    migrate(empty_url, folder(tmp_path, _0001_one="CREATE TABLE one ()"))
    with pytest.raises(MigrationError, match=r"0001_one\.sql was changed"):
        migrate(empty_url, folder(tmp_path, _0001_one="CREATE TABLE other ()"))


def test_a_file_that_fails_is_named_and_leaves_nothing(empty_url: str, tmp_path: Path) -> None:
    files = folder(tmp_path, _0001_one="CREATE TABLE one ()", _0002_two="CREATE TABLE two (); SELECT nonsense")
    with pytest.raises(MigrationError, match=r"0002_two.sql: .*nonsense"):
        migrate(empty_url, files)
    with psycopg.connect(empty_url) as db:
        assert db.execute("SELECT to_regclass('one') IS NULL, to_regclass('two') IS NULL").fetchone() == (False, True)
    assert migrate(empty_url, folder(tmp_path, _0002_two="CREATE TABLE two ()")) == (2,)


@pytest.mark.parametrize("names", [("_0001_one", "_0001_other"), ("_1_one",), ("_0001_One",)])
def test_numbers_are_unique_and_names_regular(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(MigrationError):
        migrations(folder(tmp_path, **dict.fromkeys(names, "SELECT 1")))
