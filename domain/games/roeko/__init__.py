"""R-Öko (Amigo edition): the game as the registry knows it, nothing else."""

from __future__ import annotations

from domain.game import Game
from domain.games.roeko.bots import BOTS
from domain.games.roeko.facts import FACTS
from domain.games.roeko.rules import RoekoRules

GAME = Game(
    key="roeko",
    title={"en": "R-Öko", "de": "R-Öko"},
    seats=(2, 3, 4, 5),
    facts=FACTS,
    rules={1: RoekoRules},
    bots=BOTS,
)
