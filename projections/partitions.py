"""Who projects which of the 16 partitions: session locks on one connection, through which rows are written too.

A process that loses its connection has thereby lost its locks and whatever it had not committed; nothing else
fences followers off from each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil

from eventsourcing.persistence import IntegrityError
from psycopg import Connection
from psycopg.rows import DictRow, dict_row

from infra.database import APPLICATION_ROLE, BoundedConnection
from infra.event_store import PARTITIONS, Positions

LOCKS = 1953854062
"""The class of all our advisory locks; 1 and 2 are taken by migrations and appends."""
PRESENT, OWNED, DEMANDED = 3, 256, 512
"""Shared by every follower; + partition: held by its owner; + partition: held by who wants it given up."""

SECONDS = 30
"""Within which one statement of a batch, or a lock, must be there."""

HELD = (
    "SELECT objid::bigint AS key, count(*) AS holders FROM pg_locks WHERE locktype = 'advisory' AND granted"
    f" AND classid = {LOCKS} AND objsubid = 2"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) GROUP BY objid"
)

ADVANCE = (
    "INSERT INTO positions SELECT * FROM unnest(%s::text[], %s::bigint[]) ON CONFLICT (application_name) DO UPDATE"
    " SET notification_id = excluded.notification_id WHERE positions.notification_id < excluded.notification_id"
    " RETURNING application_name"
)


def open_connection(url: str, *, name: str) -> Connection[DictRow]:
    """A connection for locks and rows. If the other end dies, either side notices within a minute."""
    connection: Connection[DictRow] = BoundedConnection.connect(
        url,
        autocommit=True,
        row_factory=dict_row,
        connect_timeout=5,
        application_name=name,
        keepalives_idle=10,
        keepalives_interval=5,
        keepalives_count=3,
        # Rows and positions are lost together or not at all, and made again: no commit of them waits for the disk.
        options=f"-c role={APPLICATION_ROLE} -c timezone=UTC -c synchronous_commit=off"
        f" -c statement_timeout={SECONDS * 1000}"
        f" -c lock_timeout={SECONDS * 1000} -c idle_in_transaction_session_timeout=60000"
        " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3",
    )
    connection.bound = SECONDS + 5  # type: ignore[attr-defined]
    return connection


class Claims:
    """The partitions of one follower: a fair share, given up when others come.

    Args:
        connection: dedicated; its end ends all claims.
        positions: of the projection.
    """

    def __init__(self, connection: Connection[DictRow], positions: Positions) -> None:
        self._connection = connection
        self._positions = positions
        self._at: dict[int, int] = {}
        connection.execute("SELECT pg_advisory_lock_shared(%s, %s)", (LOCKS, PRESENT))

    @property
    def at(self) -> Mapping[int, int]:
        """The position of each claimed partition."""
        return self._at

    def refresh(self) -> tuple[list[int], list[int]]:
        """Claim and give up until the share is fair; returns the partitions won and lost. Between batches only."""
        held = {row["key"]: row["holders"] for row in self._connection.execute(HELD).fetchall()}
        share = ceil(PARTITIONS / max(1, held.get(PRESENT, 1)))
        demanded = {each for each in range(PARTITIONS) if DEMANDED + each in held}
        kept = sorted(set(self._at) - demanded)[:share]
        lost = [each for each in self._at if each not in kept]
        for each in lost:
            self._connection.execute("SELECT pg_advisory_unlock(%s, %s)", (LOCKS, OWNED + each))
            del self._at[each]
        free = [each for each in range(PARTITIONS) if OWNED + each not in held and each not in demanded]
        won: list[int] = []
        for each in free:
            if len(self._at) + len(won) < share and self._try(each):
                won.append(each)
        if won:
            with self._connection.transaction():
                found = self._positions.read(self._connection.cursor())
            self._at |= {each: found[each] for each in won}
        return won, lost

    def _try(self, partition: int) -> bool:
        row = self._connection.execute(
            "SELECT pg_try_advisory_lock(%s, %s) AS won", (LOCKS, OWNED + partition)
        ).fetchone()
        return bool(row and row["won"])

    def store(self, at: Mapping[int, int]) -> None:
        """Write positions within the transaction that writes the rows, which is open on the connection.

        Raises:
            IntegrityError: if a position is there already, or beyond: somebody else projects this partition.
        """
        names = [self._positions.tracked_name(each) for each in at]
        # A cursor of its own: in a pipeline, one that wrote rows may still be given their results in place of these.
        cursor = self._connection.cursor()
        if len(cursor.execute(ADVANCE, (names, list(at.values()))).fetchall()) != len(names):
            raise IntegrityError(f"the positions of partitions {sorted(at)} were moved by somebody else")

    def advance(self, at: Mapping[int, int]) -> None:
        """Go on from these positions."""
        self._at |= at


def demand(connection: Connection[DictRow], partitions: Iterable[int]) -> None:
    """Take partitions over from whoever follows them, for as long as the connection stays open.

    Raises:
        psycopg.errors.LockNotAvailable: if they are not given up within `SECONDS`.
    """
    wanted = list(partitions)
    for key in (DEMANDED, OWNED):
        for each in wanted:
            connection.execute("SELECT pg_advisory_lock(%s, %s)", (LOCKS, key + each))
