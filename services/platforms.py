"""Platforms: services with accounts of their own that register players here and act for them.

`make platform NAME=…` makes a credential; a platform reaches the players that it registered, and no others.
"""

from __future__ import annotations

import hmac
import sys
from dataclasses import dataclass
from uuid import UUID

from domain import refusals
from infra.settings import Settings
from services import players
from services.context import Context, connect
from services.players import Player
from services.secrecy import hashed, new_secret

PREFIX = "pf_"


@dataclass(frozen=True, slots=True)
class Platform:
    """A service that holds a credential."""

    id: UUID
    name: str


def create(context: Context, name: str) -> tuple[Platform, str]:
    """A new platform and its credential, which is shown this once; only its hash is stored."""
    platform = Platform(context.new_id(), name)
    secret = new_secret(context, PREFIX)
    context.database.execute(
        "INSERT INTO platforms (id, name, secret_hash, created_at) VALUES (%s, %s, %s, %s)",
        (platform.id, name, hashed(secret), context.now()),
    )
    return platform, secret


def authenticate(context: Context, secret: str) -> Platform:
    """The platform whose credential this is.

    Raises:
        Unauthenticated.
    """
    wanted = hashed(secret)
    rows = context.database.query("SELECT id, name, secret_hash FROM platforms WHERE secret_hash = %s", (wanted,))
    if not rows or not hmac.compare_digest(bytes(rows[0]["secret_hash"]), wanted):
        raise refusals.Unauthenticated("this credential is not valid")
    return Platform(rows[0]["id"], rows[0]["name"])


def player_of(context: Context, platform: Platform, player_id: UUID) -> Player:
    """A player that the platform may act for.

    Raises:
        NotFound: for anybody else's.
    """
    rows = context.database.query(
        "SELECT id, name, moderator FROM players WHERE id = %s AND platform_id = %s AND erased_at IS NULL",
        (player_id, platform.id),
    )
    if not rows:
        raise refusals.NotFound("no such player of this platform")
    return Player(rows[0]["id"], rows[0]["name"], rows[0]["moderator"])


def issue_token(context: Context, platform: Platform, player_id: UUID, key: str | None = None) -> str:
    """A new token for a player who lost the old one, which dies.

    Raises:
        NotFound, IdempotencyMismatch.
    """
    return players.renew_token(context, player_of(context, platform, player_id), key)


def revoke_token(context: Context, platform: Platform, player_id: UUID) -> None:
    """End a player's token; the platform may still act for the player.

    Raises:
        NotFound.
    """
    player = player_of(context, platform, player_id)
    context.database.execute("DELETE FROM tokens WHERE player_id = %s", (player.id,))


def main(name: str) -> None:
    """Make a credential and print it."""
    context = connect(Settings.from_environ(), name="turnkeeper-platforms")
    platform, secret = create(context, name)
    print(f"platform   {platform.name}\nid         {platform.id}\ncredential {secret}")
    context.database.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
