"""Loading records of many lengths, the cost of an undo and of a view on them, bytes stored, and catching up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any
from uuid import UUID, uuid4

from domain import play as deciding
from domain.record import Event
from domain.registry import GAMES
from domain.table import Games, Table
from infra.settings import Settings
from projections import views
from projections.follower import Follower
from services.commands import Call, carry_out
from services.context import Context, connect
from tests.bench.figures import median, ms, scaled, show, timed
from tests.ledger import Ledger
from tests.toys import dicey

SIZES = (50, 100, 200, 1000, 2000)
"""Events of a record."""


@contextmanager
def endless() -> Iterator[None]:
    """The toy with dice goes on for ever: no registered game is 2,000 events long without an undo."""
    rounds, dicey.ROUNDS = dicey.ROUNDS, 10**9
    try:
        yield
    finally:
        dicey.ROUNDS = rounds


def plain(ledger: Ledger, rng: Random, size: int) -> None:
    """Random play of so many events, or up to the game's end."""
    while len(ledger.events) < size - 6 and ledger.to_act:
        ledger.play_on(rng, 1)


def with_undos(ledger: Ledger, rng: Random, size: int) -> None:
    """Play of which every fifth step is undone; a moderator opens every game's end again."""
    while len(ledger.events) < size - 8:
        if not ledger.to_act or rng.random() < 0.01:
            behind = [event.version for event in ledger.events if event.barrier and event.version < len(ledger.events)]
            ledger.truncate(rng.choice(behind[len(behind) // 3 :]))
        elif ledger.table.steps and rng.random() < 0.2:
            ledger.undo(ledger.rules.turn(ledger.table.settled.state).seat)
        else:
            ledger.play_on(rng, 1)


def provisional(ledger: Ledger) -> int:
    """Go on until a seat may take a step that can be undone, and take it; returns the seat."""
    rng = Random(0)
    while True:
        (seat, *_) = ledger.to_act
        steps = [each for each in ledger.legal(seat) if not ledger.rules.is_final(ledger.state, seat, each)]
        if steps:
            ledger.act(seat, steps[0])
            if ledger.table.steps:
                return seat
        else:
            ledger.play_on(rng, 1)


def player_id(seat: int) -> str:
    """A player for each seat; that nobody registered is no matter here."""
    return str(UUID(int=seat))


def store(context: Context, events: list[Event], server_seed: bytes) -> UUID:
    """Put a record made in memory into the database under a new id."""
    table_id = uuid4()
    copied = [replace(event, table=table_id) for event in events]
    with context.database.transaction() as cursor:
        cursor.execute("INSERT INTO table_secrets VALUES (%s, %s)", (table_id, server_seed))
        context.tables.save(*copied, cursor=cursor)
    return table_id


CASES: dict[str, tuple[str, int, Callable[[Ledger, Random, int], None]]] = {
    "plain (a toy without end)": ("dicey", 3, plain),
    "plain (transatlantic)": ("transatlantic", 4, plain),
    "R-Öko, steps undone, ends opened again": ("roeko", 4, with_undos),
}


def bench_loads(url: str) -> None:
    """All lengths of one kind of record take turns, so that what the machine does meanwhile hits them alike."""
    rows: list[tuple[Any, ...]] = []
    with endless():
        games: Games = {**GAMES, "dicey": dicey.GAME}
        context = connect(Settings(database_url=url, cache_tables=0), games)
        try:
            for name, (key, seats, play) in CASES.items():
                sizes = [size for size in SIZES if key != "transatlantic" or size <= 800]
                records = [_Record(context, Ledger(games[key], seats, 1, name=player_id), play, size) for size in sizes]
                for _ in range(int(scaled(25, 3))):
                    for record in records:
                        record.measure()
                rows += [(name, record.size, *map(ms, record.medians())) for record in records]
                if sizes == list(SIZES):
                    short, long = (record.medians() for record in records if record.size in (100, 2000))
                    rows.append((name, "2000 : 100", *(f"{b / a:.2f} x" for a, b in zip(short, long, strict=True))))
        finally:
            context.database.close()
    show(
        "Cold loads of a record (nothing in memory; a snapshot every 100 events), view and undo on it, p50",
        ("record", "events", *KINDS),
        rows,
    )


KINDS = ("load", "load, snapshots off", "load after an undo", "load and view", "undo", "undo in memory")


class _Record:
    """A stored record of a length, and how long things took on it, by `KINDS`."""

    def __init__(
        self, context: Context, ledger: Ledger, play: Callable[[Ledger, Random, int], None], size: int
    ) -> None:
        play(ledger, Random(1), size)
        provisional(ledger)
        self.size = size
        self.spent: dict[str, list[float]] = {kind: [] for kind in KINDS}
        self._context = context
        self._ledger = ledger
        self._bare = store(context, ledger.events, ledger.server_seed)
        self._table = self._stored()
        self._warm = self._stored()
        seat = self._load().holder
        assert seat is not None
        self._seat = seat

    def _stored(self) -> UUID:
        """A copy of the record with its snapshots."""
        table_id = store(self._context, self._ledger.events, self._ledger.server_seed)
        _snapshots(self._context, table_id, self.size)
        return table_id

    def _load(self) -> Table:
        return self._context.tables.load(self._table)

    def measure(self) -> None:
        """Each thing once."""
        context, seat, spent = self._context, self._seat, self.spent
        spent["load"].append(timed(self._load))
        context.database.execute("DELETE FROM snapshots WHERE table_id = %s", (self._bare,))
        spent["load, snapshots off"].append(timed(lambda: context.tables.load(self._bare)))
        spent["load and view"].append(timed(lambda: views.body(self._load(), seat, context.signer)))
        copy = self._stored()
        spent["undo"].append(timed(lambda: _undo(context, copy, seat)))
        spent["load after an undo"].append(timed(lambda: context.tables.load(copy)))
        spent["undo in memory"] += _in_memory(context, self._warm, seat)

    def medians(self) -> list[float]:
        return [median(self.spent[kind]) for kind in KINDS]


def _in_memory(context: Context, table_id: UUID, seat: int) -> list[float]:
    """Undoing and redoing a step of a table that the process has in memory, as it has while people play."""
    cached = connect(replace(context.settings, cache_tables=8), context.games)
    try:
        spent = []
        for turn in range(4):
            tip = cached.tables.load(table_id).cuts[-1].play.version if turn % 2 else None
            spent.append(timed(lambda tip=tip: _undo(cached, table_id, seat, tip)))
        return spent[2:]
    finally:
        cached.database.close()


def _snapshots(context: Context, table_id: UUID, size: int) -> None:
    """As they come to be when a table is played: at the first barrier after every hundred events."""
    loader = context.tables.loader
    for version in range(100, size - 20, 100):
        loader.keep(loader.read(table_id, version + 10), 0)


def _undo(context: Context, table_id: UUID, seat: int, to: int | None = None) -> None:
    """As the use case does it, for the seat's holder in the record."""
    call = Call(actor=str(seat), by=f"player:{seat}", kind="undo", body=[])
    assert carry_out(context, table_id, call, lambda table: deciding.undo(table, seat, to)).events


def bench_catch_up(url: str, events: int = 10_000) -> None:
    """A follower without rows reads everything there is."""
    wanted = int(scaled(events, events / 20))
    settings = Settings(database_url=url)
    context = connect(settings)
    stored, seed = 0, 0
    while stored < wanted:
        game = list(GAMES.values())[seed % len(GAMES)]
        ledger = Ledger(game, game.seats[len(game.seats) // 2], seed, name=player_id)
        ledger.play_on(Random(seed), 10**6)
        store(context, ledger.events, ledger.server_seed)
        stored += len(ledger.events)
        seed += 1
    context.database.close()
    follower = Follower(settings)
    spent = timed(lambda: _follow(follower))
    follower.close()
    show(
        "Catching up, one follower",
        ("tables", "events", "seconds", "events/s"),
        [(seed, stored, f"{spent:.1f}", f"{stored / spent:,.0f}")],
    )


def _follow(follower: Follower) -> None:
    while follower.step():
        pass


SIZE_OF_COMMANDS = """
WITH one AS (
    SELECT
        (SELECT pg_indexes_size('events')::numeric / greatest(count(*), 1) FROM events) AS event_index,
        (SELECT pg_indexes_size('commands')::numeric / greatest(count(*), 1) FROM commands) AS command_index
)
SELECT c.kind, s.game, count(*) OVER (PARTITION BY c.kind, s.game) AS n,
       e.bytes + e.events * one.event_index + pg_column_size(c) + 4 + one.command_index AS bytes
FROM commands AS c CROSS JOIN one
JOIN lobby AS s USING (table_id)
CROSS JOIN LATERAL (
    SELECT sum(pg_column_size(e) + 4) AS bytes, count(*) AS events FROM events AS e
    WHERE e.originator_id = c.table_id AND e.originator_version BETWEEN c.first_version AND c.version
) AS e
WHERE c.kind IN ('act', 'bot', 'undo')
"""
"""Bytes of each command: its events' rows and its own, each with its line pointer and its share of the indexes."""


def bench_bytes(url: str) -> None:
    context = connect(Settings(database_url=url))
    rows = context.database.query(SIZE_OF_COMMANDS)
    context.database.close()
    groups: dict[Any, list[float]] = {}
    for row in rows:
        groups.setdefault((row["game"], row["kind"]), []).append(float(row["bytes"]))
        groups.setdefault(("all", "all"), []).append(float(row["bytes"]))
    show(
        "Bytes stored a command: rows and indexes of events and commands",
        ("game", "command", "count", "median", "p90"),
        [
            (game, kind, len(each), f"{median(each):.0f}", f"{sorted(each)[int(len(each) * 0.9)]:.0f}")
            for (game, kind), each in sorted(groups.items())
        ],
    )
