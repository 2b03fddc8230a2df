"""The registry: one line a game. Everything that is said of "every game" goes through it."""

from __future__ import annotations

from domain.games import roeko
from domain.table import Games

GAMES: Games = {game.key: game for game in (roeko.GAME,)}
