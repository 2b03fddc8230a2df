"""Small games that stress the contract: each needs one thing that a real game may need too."""

from __future__ import annotations

from domain.table import Games
from tests.toys import dicey, parry, sudden, veiled

TOYS: Games = {game.key: game for game in (dicey.GAME, veiled.GAME, parry.GAME, sudden.GAME)}
