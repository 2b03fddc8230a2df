"""What every use case is handed: the process's database, record, signer, clock and source of ids. Built once."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID, uuid4

from domain.registry import GAMES
from domain.table import Games
from infra.database import Database
from infra.redis import Wakeups
from infra.settings import Settings
from infra.signing import Signer
from infra.tables import Tables


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Context:
    """The dependencies of the use cases; tests freeze `now`, `new_id` and `random_bytes`."""

    settings: Settings
    games: Games
    database: Database
    tables: Tables
    signer: Signer
    wakeups: Wakeups
    now: Callable[[], datetime] = _now
    new_id: Callable[[], UUID] = uuid4
    random_bytes: Callable[[int], bytes] = secrets.token_bytes


def connect(settings: Settings, games: Games = GAMES, *, name: str = "turnkeeper") -> Context:
    """The context of one process. Connects at the first use, so it may be built before the servers are up."""
    database = Database(
        settings.database_url or "", size=settings.pool_size, timeout=settings.database_timeout, name=name
    )
    tables = Tables(
        database,
        games,
        cache_tables=settings.cache_tables,
        snapshot_interval=settings.snapshot_interval,
        cipher_key=settings.cipher_key,
    )
    return Context(
        settings=settings,
        games=games,
        database=database,
        tables=tables,
        signer=Signer(database),
        wakeups=Wakeups(settings.redis_url),
    )
