"""Pushes: a stream says that something happened at a table that its viewer may see; the view says what.

One listener a process wakes the streams of the tables that have new rows. Without Redis they look by themselves.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import msgspec

from domain import refusals
from infra.metrics import STREAMS
from infra.redis import Wakeups
from projections import read
from services.context import Context
from services.players import Player
from services.secrecy import hashed, new_secret

LIFETIME = timedelta(seconds=30)
"""How long a ticket may be used, once."""

QUIET = 15.0
"""Seconds after which a comment keeps proxies from closing a stream."""

LOOK = 1.0
"""Seconds between two looks while nobody can be woken by Redis."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """Lets a client that can send no header open one stream."""

    ticket: str
    expires_in: int


def issue_ticket(context: Context, player: Player) -> Ticket:
    """A ticket for a player's stream; only its hash is stored."""
    ticket = new_secret(context, "st_", 24)
    now = context.now()
    with context.database.transaction() as cursor:
        cursor.execute("DELETE FROM stream_tickets WHERE expires_at < %s", (now,))
        cursor.execute(
            "INSERT INTO stream_tickets (ticket_hash, player_id, expires_at) VALUES (%s, %s, %s)",
            (hashed(ticket), player.id, now + LIFETIME),
        )
    return Ticket(ticket, int(LIFETIME.total_seconds()))


def use_ticket(context: Context, ticket: str) -> Player:
    """The player that a ticket was issued to; it is used up.

    Raises:
        Unauthenticated: for one that is unknown, used or too old.
    """
    with context.database.transaction() as cursor:
        row = cursor.execute(
            "DELETE FROM stream_tickets AS t USING players AS p WHERE t.ticket_hash = %s AND p.id = t.player_id"
            " AND p.erased_at IS NULL RETURNING t.expires_at, p.id, p.name, p.moderator",
            (hashed(ticket),),
        ).fetchone()
    if row is None or row["expires_at"] < context.now():
        raise refusals.Unauthenticated("this ticket is not valid, or was used")
    return Player(row["id"], row["name"], row["moderator"])


class Hub:
    """Wakes the streams of one process, and counts them.

    Args:
        wakeups: whose listener hears of tables with new rows.
        places: how many streams there may be at once.
    """

    def __init__(self, wakeups: Wakeups, places: int) -> None:
        self._wakeups = wakeups
        self._free = threading.BoundedSemaphore(places) if places else None
        self._news = threading.Condition()
        self._open: dict[str, int] = {}
        self._marks: dict[str, int] = {}
        self._beat = 0
        self._listening = False

    def enter(self, table: str) -> None:
        """Take a place, for a stream of a table.

        Raises:
            TooManyStreams: if there is none left.
        """
        if self._free is None or not self._free.acquire(blocking=False):
            raise TooManyStreams("no more streams can be opened here now")
        STREAMS.inc()
        with self._news:
            self._open[table] = self._open.get(table, 0) + 1
            if not self._listening:
                self._listening = True
                threading.Thread(target=self._listen, name="streams", daemon=True).start()

    def leave(self, table: str) -> None:
        """Give the place back."""
        STREAMS.dec()
        with self._news:
            self._open[table] -= 1
            if not self._open[table]:
                del self._open[table]
                self._marks.pop(table, None)
        if self._free is not None:
            self._free.release()

    def mark(self, table: str) -> int:
        """Changes whenever rows of a table may have changed."""
        with self._news:
            return self._marks.get(table, 0)

    def wait(self, table: str, mark: int, timeout: float) -> None:
        """Sleep until the table's mark is another one, `timeout` seconds at most."""
        with self._news:
            self._news.wait_for(lambda: self._marks.get(table, 0) != mark, timeout)

    @property
    def patience(self) -> float:
        """How long a stream may sleep before it looks by itself."""
        return LOOK if self._wakeups.away else QUIET

    def _listen(self) -> None:
        listener = self._wakeups.listen(read.ROWS_CHANNEL)
        while True:
            messages = listener.get(LOOK)
            if not messages:
                time.sleep(0.05)
                continue
            tables = {table for message in messages for table in message.split()}
            with self._news:
                self._beat += 1
                # An empty message: some may have been missed, so everybody looks.
                for table in (tables & self._open.keys()) if tables else self._open:
                    self._marks[table] = self._beat
                self._news.notify_all()


class TooManyStreams(Exception):
    """Every place for a stream in this process is taken."""


@dataclass(frozen=True, slots=True)
class News:
    """What a stream says; None as data: nothing, but it lives."""

    version: int
    data: bytes | None


def follow(context: Context, hub: Hub, player: Player | None, table_id: UUID, known: int | None) -> Iterator[News]:
    """What happens at a table, as its viewer may know: at once if `known` is not the newest version, then on and on.

    The caller has entered the hub and seen to it that the table may be seen; the stream ends when it may no more.

    Args:
        known: the version that the client has already; None: none.

    Raises:
        Unavailable: when the database is lost.
    """
    table = str(table_id)
    told: tuple[int, int] | None = None
    quiet_until = time.monotonic() + QUIET
    while True:
        mark = hub.mark(table)
        shown = read.view_for(context.database, table_id, player.id if player else None)
        if shown is None:
            if told is not None or time.monotonic() > quiet_until:
                return
            hub.wait(table, mark, LOOK)
            continue
        now = (shown.version, shown.revision)
        if now != told and not (told is None and known == shown.version):
            yield News(shown.version, _told(shown.body))
            quiet_until = time.monotonic() + QUIET
        told = now
        if time.monotonic() >= quiet_until:
            yield News(shown.version, None)
            quiet_until = time.monotonic() + QUIET
        hub.wait(table, mark, min(hub.patience, max(0.0, quiet_until - time.monotonic())))


class _Said(msgspec.Struct):
    version: int
    to_act: list[int]
    status: str


def _told(body: bytes) -> bytes:
    return msgspec.json.encode(msgspec.json.decode(body, type=_Said))
