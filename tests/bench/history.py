"""Verifying a file of about a thousand events, and reading the middle of its record."""

from __future__ import annotations

from random import Random

from domain import play
from domain.registry import GAMES
from infra.archive import lines, parse, verify
from infra.settings import Settings
from projections import views
from services.context import connect
from tests.bench.figures import median, ms, scaled, show, times
from tests.bench.records import store, with_undos
from tests.infra.test_archive import archived
from tests.ledger import Ledger

SIZE = 1000
"""Events of a record, about."""


def sealed(key: str) -> Ledger:
    """A long record with steps undone and ends opened again, scored and sealed."""
    ledger, rng = Ledger(GAMES[key], GAMES[key].seats[0], 1), Random(1)
    with_undos(ledger, rng, int(scaled(SIZE, SIZE / 10)))
    ledger.play_on(rng, 10**6)
    ledger.append(play.score(ledger.table), "system")
    ledger.append(play.seal(ledger.table, ledger.server_seed), "system")
    return ledger


def bench(url: str) -> None:
    context = connect(Settings(database_url=url, cache_tables=0))
    count, rows = int(scaled(15, 3)), []
    for key in GAMES:
        ledger = sealed(key)
        content = b"".join(lines(archived(ledger)))
        verified = times(lambda content=content: verify(parse(content, GAMES), GAMES), max(3, count // 5))
        table_id, middle = store(context, ledger.events, ledger.server_seed), len(ledger.events) // 2
        loads = times(lambda t=table_id, v=middle: context.tables.load_whole(t, v), count)
        table = context.tables.load_whole(table_id, middle)
        seen = times(lambda table=table: views.body(table, 0, context.signer), count)
        rows.append((key, len(ledger.events), *(ms(median(each)) for each in (verified, loads, seen))))
    context.database.close()
    heads = ("game", "events", "file read and verified", "middle loaded", "its view, knowledge included")
    show("A sealed record: verifying its file, and `view?at=` of its middle, p50", heads, rows)
