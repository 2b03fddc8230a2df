"""The registry: one line a game. Everything that is said of "every game" goes through it."""

from __future__ import annotations

from domain.games import mottainai, pasha, roeko, transatlantic
from domain.table import Games

GAMES: Games = {game.key: game for game in (roeko.GAME, pasha.GAME, transatlantic.GAME, mottainai.GAME)}
