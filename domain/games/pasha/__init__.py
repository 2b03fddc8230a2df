"""Pasha: five dice, nine rounds, cards that the highest and the lowest result take home."""

from __future__ import annotations

from domain.game import Game, Option
from domain.games.pasha.bots import BOTS
from domain.games.pasha.edition import DEFAULT, data, editions
from domain.games.pasha.facts import FACTS
from domain.games.pasha.rules import PashaRules

GAME = Game(
    key="pasha",
    title={"en": "Pasha", "de": "Pasha"},
    seats=(2, 3, 4, 5),
    facts=FACTS,
    rules={1: PashaRules},
    bots=BOTS,
    options=(
        Option(
            name="specials",
            title={"en": "Cards 1 and 2 with an effect", "de": "Karten 1 und 2 mit Wirkung"},
            default=False,
        ),
        Option(
            name="edition",
            title={"en": "Bonus tiles", "de": "Bonusplättchen"},
            default=DEFAULT,
            choices=editions(),
        ),
    ),
    data=data,
)

__all__ = ["GAME"]
