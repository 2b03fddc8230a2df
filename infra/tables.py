"""Tables in the event store: the library's application over our recorder, mapper and loader, with a cache.

The library's aggregates, its cache and its snapshots stay off: after a truncation they give a wrong state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import InfrastructureFactory
from eventsourcing.postgres import PostgresFactory
from eventsourcing.utils import Environment

from domain.desk import Opened, Truncated
from domain.record import Draft, Event, write
from domain.table import BrokenRecord, Games, Table
from infra.cache import LRU
from infra.database import Database
from infra.event_store import CommandRow, EventRecorder
from infra.loader import TAIL, Loader, NoSuchTable
from infra.mapper import EventMapper
from infra.metrics import APPENDS, TRUNCATIONS
from infra.snapshots import Snapshots


class Factory(PostgresFactory):
    """The library's factory, on a pool that exists already."""

    def __init__(self, env: Environment, database: Database) -> None:
        InfrastructureFactory.__init__(self, env)
        self.datastore = database

    def close(self) -> None:
        """Nothing: the pool belongs to the process, not to this application."""


class Tables(Application[UUID]):
    """Every table's record: loading, appending, and the secret that goes with it.

    Args:
        database: the process's pool.
        games: the registry.
        cache_tables: folded tables kept in memory.
        snapshot_interval: versions between two snapshots of a table.
        cipher_key: base64; None: stored events are not encrypted.
    """

    name = "tables"
    env = {  # noqa: RUF012 (the library's way to configure an application)
        "APPLICATION_RECORDER_TOPIC": "infra.event_store:EventRecorder",
        "COMPRESSOR_TOPIC": "infra.compression:PresetZlib",
        "CREATE_TABLE": "n",
    }
    recorder: EventRecorder
    mapper: EventMapper

    def __init__(
        self,
        database: Database,
        games: Games,
        *,
        cache_tables: int = 512,
        snapshot_interval: int = 100,
        cipher_key: str | None = None,
    ) -> None:
        self.database = database
        self.games = games
        cipher = {"CIPHER_TOPIC": "eventsourcing.cryptography:AESCipher", "CIPHER_KEY": cipher_key}
        super().__init__(cipher if cipher_key else {"CIPHER_KEY": ""})  # type: ignore[arg-type]
        self.loader = Loader(self.recorder, self.mapper, games, Snapshots(database), snapshot_interval)
        self._interval = snapshot_interval
        self._cache: LRU[UUID, Table] = LRU(cache_tables)
        self._seeds: LRU[UUID, bytes] = LRU(cache_tables)

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:
        return Factory(env, self.database)

    def construct_mapper(self) -> Any:
        return EventMapper(compressor=self.factory.compressor(), cipher=self.factory.cipher(), games=self.games)

    def load(self, table_id: UUID) -> Table:
        """A table as it stands now; a broken record as it stood before the first event that can't be applied.

        Raises:
            NoSuchTable, Unavailable.
        """
        known = self._cache.get(table_id)
        if known is not None and known.broken is not None:
            return known
        try:
            table = self.loader.read(table_id) if known is None else self.loader.forward(known)
        except BrokenRecord as failure:
            table = self.loader.readable(table_id)
            if table.desk is None:
                raise NoSuchTable(f"{table_id} can't be read from its first event on") from failure
        if table is not known:
            self._cache.put(table_id, table)
        return table

    def recall(self, table_id: UUID) -> Table | None:
        """A table as this process last knew it, which others may have moved on; None if it does not."""
        return self._cache.get(table_id)

    def load_at(self, table_id: UUID, version: int) -> Table:
        """A table as it stood right after a version, 1 to that of its newest event.

        Raises:
            NoSuchTable: also if the record has no such version, or is broken before it.
        """
        known = self._cache.get(table_id)
        if known is not None and known.version == version and known.broken is None:
            return known
        try:
            table = self.loader.read(table_id, version)
        except BrokenRecord as failure:
            raise NoSuchTable(f"{table_id} can't be read up to version {version}: {failure}") from failure
        if table.version != version:
            raise NoSuchTable(f"{table_id} has no version {version}")
        return table

    def load_whole(self, table_id: UUID, version: int) -> Table:
        """A table as it stood at a version; in the middle of a command, where nobody ever saw it, as it stood before.

        Raises:
            NoSuchTable: also if the record has no such version.
        """
        if not self._ends_command(table_id, version):
            version = self._before_command(table_id, version)
        return self.load_at(table_id, version)

    def _ends_command(self, table_id: UUID, version: int) -> bool:
        try:
            following = self.recorded(table_id, version, version + 1)
        except BrokenRecord:  # what follows can't be read: only a barrier is a command's last event for sure
            return self.recorded(table_id, version - 1, version)[0].barrier
        return not following or following[0].action is not None

    def _before_command(self, table_id: UUID, version: int) -> int:
        while version > 1:
            since = max(version - TAIL, 0)
            for event in reversed(self.recorded(table_id, since, version)):
                version = event.version - 1
                if event.action is not None:
                    return version
        return version

    def recorded(
        self, table_id: UUID, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[Event]:
        """Recorded events in order, cut ones too: from version `after` + 1 to `upto`, at most `limit`."""
        return self.loader.events(table_id, after, upto, limit)

    def command(self, actor: str, key: str) -> CommandRow | None:
        """The command that an actor once sent under this idempotency key; None if none was carried out."""
        return self.recorder.find_command(actor, key)

    def server_seed(self, table_id: UUID) -> bytes:
        """The secret seed of a table.

        Raises:
            NoSuchTable.
        """
        seed = self._seeds.get(table_id)
        if seed is None:
            rows = self.database.query("SELECT server_seed FROM table_secrets WHERE table_id = %s", (table_id,))
            if not rows:
                raise NoSuchTable(str(table_id))
            seed = bytes(rows[0]["server_seed"])
            self._seeds.put(table_id, seed)
        return seed

    def append(
        self,
        table: Table,
        drafts: Sequence[Draft],
        *,
        by: str,
        at: datetime,
        command: str,
        row: CommandRow | None = None,
        server_seed: bytes | None = None,
    ) -> tuple[Table, tuple[Event, ...]]:
        """Record a command behind the table's head: all of its events and its row, or nothing.

        Args:
            table: the value that the command was decided on.
            by, at, command: of the events' envelopes.
            row: kept to answer a repetition of the command; its versions are filled in here.
            server_seed: of a table that is being opened; stored in the same transaction.

        Returns:
            The table after it, and the events.

        Raises:
            VersionTaken, CommandRepeated, OutcomeUnknown, Unavailable.
        """
        seed = self.server_seed(table.id) if server_seed is None else server_seed
        events = write(
            drafts,
            table=table.id,
            version=table.version,
            digest=table.digest,
            server_seed=seed,
            by=by,
            at=at,
            command=command,
        )
        stored = None if row is None else row.spanning(table.id, events[0].version, events[-1].version)
        if isinstance(drafts[0].fact, Opened):
            with self.database.transaction() as cursor:
                cursor.execute("INSERT INTO table_secrets VALUES (%s, %s)", (table.id, seed))
                self.save(*events, command=stored, cursor=cursor)
        else:
            self.save(*events, command=stored)
        APPENDS.inc()
        for event in events:
            if isinstance(event.fact, Truncated):
                TRUNCATIONS.labels(event.fact.reason).inc()
        after = self.loader.evolve(table, events)
        self._cache.put(table.id, after)
        since = table.settled.version // self._interval * self._interval
        self.loader.keep(after, since)
        return after, events

    def take_in(
        self,
        table_id: UUID,
        recorded: Sequence[Event],
        drafts: Sequence[Draft],
        *,
        by: str,
        at: datetime,
        row: CommandRow,
        server_seed: bytes,
    ) -> Table:
        """Record under a new id what was recorded elsewhere, byte for byte, and behind it what is said of that.

        Args:
            table_id: the new one.
            recorded: a whole record; its digests stay what they are.
            drafts: what follows it here.
            by, at, row: as in `append`; of the drafts only.
            server_seed: as the record discloses it.

        Raises:
            CommandRepeated, OutcomeUnknown, Unavailable.
        """
        head = recorded[-1]
        here = [replace(event, table=table_id) for event in recorded]
        said = write(
            drafts,
            table=table_id,
            version=head.version,
            digest=head.digest,
            server_seed=server_seed,
            by=by,
            at=at,
            command=row.command_id.hex,
        )
        stored = row.spanning(table_id, said[0].version, said[-1].version)
        with self.database.transaction() as cursor:
            cursor.execute("INSERT INTO table_secrets VALUES (%s, %s)", (table_id, server_seed))
            self.save(*here, *said, command=stored, cursor=cursor)
        return self.load(table_id)
