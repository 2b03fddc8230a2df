"""Mottainai: the game as the registry knows it, nothing else."""

from __future__ import annotations

from domain.game import Game, Option
from domain.games.mottainai.bots import BOTS
from domain.games.mottainai.facts import FACTS
from domain.games.mottainai.rules import MottainaiRules

GAME = Game(
    key="mottainai",
    title={"en": "Mottainai", "de": "Mottainai"},
    seats=(2, 3, 4, 5),
    facts=FACTS,
    rules={1: MottainaiRules},
    bots=BOTS,
    options=(
        Option(
            "long",
            {"en": "Long game: six works in a wing", "de": "Langes Spiel: sechs Werke in einem Flügel"},
            default=lambda seats: seats >= 4,
        ),
        Option(
            "teams",
            {"en": "Teams: partners sit opposite", "de": "Teamspiel: Partner sitzen gegenüber"},
            default=False,
            seats=frozenset({4}),
        ),
    ),
)
