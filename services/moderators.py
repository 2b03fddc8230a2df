"""`make moderator NAME=…`: a player with the moderator role; prints the token, which is shown this once."""

from __future__ import annotations

import sys

from infra.settings import Settings
from services.context import connect
from services.players import register


def main(name: str) -> None:
    context = connect(Settings.from_environ(), name="turnkeeper-moderators")
    player, token = register(context, name, moderator=True)
    print(f"moderator {player.name}\nid    {player.id}\ntoken {token}")
    context.database.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
