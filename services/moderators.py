"""`make moderator NAME=…`: a player with the moderator role; prints the token, which is shown this once."""

from __future__ import annotations

import sys

from infra.settings import Settings
from services.context import connect
from services.players import register

NAME = 64


def main(name: str) -> int:
    """Register and print; returns the exit status."""
    if not 1 <= len(name.strip()) <= NAME:
        print(f"name the moderator, in 1 to {NAME} characters: make moderator NAME=…", file=sys.stderr)
        return 2
    context = connect(Settings.from_environ(), name="turnkeeper-moderators")
    player, token = register(context, name, moderator=True)
    print(f"moderator {player.name}\nid    {player.id}\ntoken {token}")
    context.database.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:])))
