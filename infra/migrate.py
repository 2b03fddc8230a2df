"""Applies the numbered SQL files in `migrations/` in their order: `python -m infra.migrate`.

Any number of processes may run it at once. What the files contain is theirs.
"""

from __future__ import annotations

import hashlib
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import psycopg

from infra.settings import Settings

FOLDER = Path(__file__).parent / "migrations"
LOCK = (0x7475726E, 1)  # classes of our advisory locks start with "turn"
WAIT_SECONDS = 120

LEDGER = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    number int PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now())
"""


class MigrationError(RuntimeError):
    """The files and what was applied do not fit together, or a file failed; the message names the file."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One file `NNNN_name.sql`."""

    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


def migrations(folder: Path = FOLDER) -> tuple[Migration, ...]:
    """All files of `folder` in order. Errors: `MigrationError` for a bad name or a number used twice."""
    found: dict[int, Migration] = {}
    for path in sorted(folder.glob("*.sql")):
        match = re.fullmatch(r"(\d{4})_([a-z0-9_]+)\.sql", path.name)
        if match is None:
            raise MigrationError(f"{path.name}: a name such as 0002_players.sql is expected")
        number = int(match[1])
        if number in found:
            raise MigrationError(f"{path.name}: number {match[1]} is used twice")
        found[number] = Migration(number, match[2], path.read_text(encoding="utf-8"))
    return tuple(found[number] for number in sorted(found))


def migrate(url: str, folder: Path = FOLDER) -> tuple[int, ...]:
    """Apply what is missing, each file in a transaction of its own; returns the numbers applied now.

    `url` must log in as a role that may create tables (and roles, the first time). Others who migrate the
    same database at the same time wait and then find the work done. Errors: `MigrationError`,
    `psycopg.Error`.
    """
    files = migrations(folder)
    applied = []
    with psycopg.connect(url, autocommit=True, connect_timeout=5, application_name="turnkeeper-migrate") as db:
        db.execute(f"SET lock_timeout = '{WAIT_SECONDS}s'")
        db.execute("SET client_min_messages = warning")
        db.execute("SELECT pg_advisory_lock(%s, %s)", LOCK)
        db.execute(LEDGER)
        done = {row[0]: row[1] for row in db.execute("SELECT number, checksum FROM schema_migrations")}
        for each in files:
            if each.number in done:
                if done[each.number] != each.checksum:
                    raise MigrationError(f"{each.number:04}_{each.name}.sql was changed after it had been applied here")
                continue
            try:
                with db.transaction():
                    db.execute(each.sql.encode())
                    db.execute(
                        "INSERT INTO schema_migrations (number, name, checksum) VALUES (%s, %s, %s)",
                        (each.number, each.name, each.checksum),
                    )
            except psycopg.Error as error:
                raise MigrationError(f"{each.number:04}_{each.name}.sql: {error}") from error
            applied.append(each.number)
    return tuple(applied)


def main() -> int:
    """Migrate the database of the settings; exit status 1 with a message if that is impossible."""
    url = Settings.from_environ().owner_url
    if url is None:
        print("DATABASE_URL is not set (an embedded database is migrated by `make run`)", file=sys.stderr)
        return 1
    try:
        applied = migrate(url)
    except (MigrationError, psycopg.Error) as error:
        print(f"migration failed: {error}", file=sys.stderr)
        return 1
    print("applied: " + (", ".join(f"{number:04}" for number in applied) or "nothing to do"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
