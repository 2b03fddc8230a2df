"""Players: who is asking. Names and tokens live here alone and can be erased; the record keeps ids."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from uuid import UUID

from psycopg import Cursor
from psycopg.rows import DictRow

from domain import refusals
from infra.event_store import CommandRepeated
from services.commands import Call
from services.context import Context
from services.secrecy import hashed, new_secret

_PREFIX = "tk_"


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody with a token; `name` is None once erased."""

    id: UUID
    name: str | None
    moderator: bool = False


def register(
    context: Context, name: str, key: str | None = None, *, moderator: bool = False, platform: UUID | None = None
) -> tuple[Player, str]:
    """A new player and the token, which is shown this once; only its hash is stored.

    Args:
        moderator: with that role; no call of the API gives it.
        platform: the one that registers its player; it may act for the player.
        key: the idempotency key; a token can't be shown again, so a second use of it is refused.

    Raises:
        IdempotencyMismatch.
    """
    player = Player(context.new_id(), name, moderator)
    token = new_secret(context, _PREFIX)
    with context.database.transaction() as cursor:
        _note_key(
            context,
            cursor,
            Call(f"platform:{platform}" if platform else "anonymous", "system", "register", {"name": name}, key),
        )
        cursor.execute(
            "INSERT INTO players (id, name, moderator, platform_id, created_at) VALUES (%s, %s, %s, %s, %s)",
            (player.id, name, moderator, platform, context.now()),
        )
        cursor.execute(
            "INSERT INTO tokens (token_hash, player_id, created_at) VALUES (%s, %s, %s)",
            (hashed(token), player.id, context.now()),
        )
    return player, token


def renew_token(context: Context, player: Player, key: str | None = None) -> str:
    """A new token for a player; the old one dies.

    Raises:
        IdempotencyMismatch.
    """
    token = new_secret(context, _PREFIX)
    with context.database.transaction() as cursor:
        _note_key(context, cursor, Call(str(player.id), f"player:{player.id}", "renew", {}, key))
        cursor.execute("DELETE FROM tokens WHERE player_id = %s", (player.id,))
        cursor.execute(
            "INSERT INTO tokens (token_hash, player_id, created_at) VALUES (%s, %s, %s)",
            (hashed(token), player.id, context.now()),
        )
    return token


def erase(context: Context, player: Player) -> None:
    """Forget a player's name and tokens. Seats and record keep the id, which then means nobody."""
    with context.database.transaction() as cursor:
        cursor.execute("DELETE FROM tokens WHERE player_id = %s", (player.id,))
        cursor.execute("UPDATE players SET name = NULL, erased_at = %s WHERE id = %s", (context.now(), player.id))


def authenticate(context: Context, token: str) -> Player:
    """The player whose token this is.

    Raises:
        Unauthenticated.
    """
    wanted = hashed(token)
    rows = context.database.query(
        "SELECT t.token_hash, p.id, p.name, p.moderator FROM tokens AS t JOIN players AS p ON p.id = t.player_id"
        " WHERE t.token_hash = %s",
        (wanted,),
    )
    if not rows or not hmac.compare_digest(bytes(rows[0]["token_hash"]), wanted):
        raise refusals.Unauthenticated("this token is not valid")
    return Player(rows[0]["id"], rows[0]["name"], rows[0]["moderator"])


def find(context: Context, player_id: UUID) -> Player:
    """A player by id.

    Raises:
        NotFound.
    """
    known = names(context, [player_id])
    if player_id not in known:
        raise refusals.NotFound("no such player")
    return Player(player_id, known[player_id])


def names(context: Context, ids: list[UUID]) -> dict[UUID, str | None]:
    """The names of players by id; None for an erased one."""
    rows = context.database.query("SELECT id, name FROM players WHERE id = ANY(%s)", (ids,)) if ids else []
    return {row["id"]: row["name"] for row in rows}


def _note_key(context: Context, cursor: Cursor[DictRow], call: Call) -> None:
    """Refuse a second use of an idempotency key: a token can't be shown again."""
    if call.key is None:
        return
    try:
        context.tables.recorder.insert_events([], command=call.row(call.key), cursor=cursor)
    except CommandRepeated as error:
        raise refusals.IdempotencyMismatch("this key was used before, and a token is shown only once") from error
