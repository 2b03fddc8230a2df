"""Leaderboards: figures across tables, always counted anew from the results' rows, one a seat."""

from __future__ import annotations

from uuid import UUID

from psycopg.rows import DictRow
from psycopg.sql import SQL

from infra.database import Database

Place = tuple[int, int, UUID]
"""A place in a leaderboard: wins, games and player of the line last given."""

_COUNTED = SQL(
    "SELECT r.player, p.name, count(*) AS games, count(*) FILTER (WHERE r.rank = 1) AS wins,"
    " max(r.total) AS best, round(avg(r.total), 1)::float8 AS average"
    " FROM results AS r JOIN lobby AS l USING (table_id) JOIN players AS p ON p.id = r.player"
    " WHERE r.game = %s AND r.counted AND NOT l.private AND p.name IS NOT NULL GROUP BY r.player, p.name"
)


def leaderboard(database: Database, game: str, *, after: Place | None, limit: int) -> list[DictRow]:
    """Players of a game by wins, then by fewer games; public tables that count, erased players left out."""
    beyond = SQL("WHERE (-wins, games, player) > (%s, %s, %s)") if after else SQL("")
    given = (-after[0], after[1], after[2]) if after else ()
    statement = SQL("SELECT * FROM ({}) AS s {} ORDER BY -wins, games, player LIMIT %s").format(_COUNTED, beyond)
    return database.query(statement, (game, *given, limit))
