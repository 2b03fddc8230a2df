"""Lists, from rows alone: tables, turns, results, leaderboards. Listing never loads a table.

A cursor is opaque outside: it names the last item given, so that nothing is skipped or doubled when items come in.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from domain import refusals
from domain.record import timestamp
from projections import read, standings
from services.context import Context
from services.players import Player, find
from services.reading import named

LINE = ("game", "seat", "team", "total", "rank", "breakdown", "tie_break", "reason", "counted")

PATIENCE = 0.5
"""Seconds that a list waits at most for what was recorded before it was asked for."""

Page = dict[str, Any]
T = TypeVar("T")


def tables(
    context: Context,
    asker: Player | None,
    *,
    status: str | None,
    game: str | None,
    player: UUID | None,
    cursor: str | None,
    limit: int,
) -> Page:
    """Tables that the asker may see, newest first."""
    _catch_up(context)
    page = read.lobby_page(
        context.database,
        asker=asker.id if asker else None,
        status=status,
        game=game,
        player=player,
        after=_read(cursor, _moment),
        limit=limit,
    )
    items = named(context, [listed.body for listed in page.items])
    return {"items": items, "next": page.next and _moment_cursor(*page.next)}


def turns(context: Context, player: Player) -> Page:
    """The tables that wait for a player, the longest waiting first."""
    _catch_up(context)
    found = read.turns_of(context.database, player.id)
    return {"items": named(context, [listed.body for listed in found]), "next": None}


def results(context: Context, player_id: UUID, *, cursor: str | None, limit: int) -> Page:
    """A player's lines of score sheets, newest first.

    Raises:
        NotFound: without such a player.
    """
    find(context, player_id)
    rows = read.results_of(context.database, player_id, after=_read(cursor, _moment), limit=limit + 1)
    items = [
        {"table": row["table_id"], **{name: row[name] for name in LINE}, "at": timestamp(row["scored_at"])}
        for row in rows[:limit]
    ]
    last = rows[limit - 1] if len(rows) > limit else None
    return {"items": items, "next": last and _moment_cursor(last["scored_at"], last["table_id"])}


def leaderboard(context: Context, game: str, *, cursor: str | None, limit: int) -> Page:
    """Players of a game by wins.

    Raises:
        NotFound: without such a game.
    """
    if game not in context.games:
        raise refusals.NotFound("no such game")
    rows = standings.leaderboard(context.database, game, after=_read(cursor, _place), limit=limit + 1)
    items = [
        {
            "player": {"id": row["player"], "name": row["name"]},
            **{name: row[name] for name in ("games", "wins", "best", "average")},
        }
        for row in rows[:limit]
    ]
    last = rows[limit - 1] if len(rows) > limit else None
    return {"items": items, "next": last and _cursor(last["wins"], last["games"], str(last["player"]))}


def _catch_up(context: Context) -> None:
    """Let the rows come as far as the newest event, so that whoever just wrote finds it in the list."""
    newest = context.database.query(
        "SELECT originator_id, originator_version FROM events ORDER BY notification_id DESC LIMIT 1"
    )
    for row in newest:
        read.wait_until_recorded(context.database, row["originator_id"], row["originator_version"], PATIENCE)


def _cursor(*values: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).rstrip(b"=").decode()


def _moment_cursor(at: datetime, table_id: UUID) -> str:
    return _cursor(at.isoformat(), str(table_id))


def _moment(at: Any, table_id: Any) -> read.Cursor:
    moment = datetime.fromisoformat(at)
    if moment.tzinfo is None:
        raise ValueError("no time zone")
    return moment, UUID(table_id)


def _place(wins: Any, games: Any, player: Any) -> standings.Place:
    if not all(type(count) is int and 0 <= count < 2**31 for count in (wins, games)):
        raise ValueError("no counts")
    return wins, games, UUID(player)


def _read(cursor: str | None, parse: Callable[..., T]) -> T | None:
    """What a cursor of ours says.

    Raises:
        InvalidRequest: if it is none of ours.
    """
    if cursor is None:
        return None
    try:
        values = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        return parse(*values)
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError, binascii.Error) as error:
        raise refusals.InvalidRequest("not a cursor", {"cursor": ["Must be the `next` of a page."]}) from error
