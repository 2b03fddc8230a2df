"""Transatlantic: steamships on five seas, bought, deployed, sent travelling and scrapped."""

from __future__ import annotations

from domain.game import Game, Option
from domain.games.transatlantic.bots import BOTS
from domain.games.transatlantic.edition import DEFAULT, editions, files
from domain.games.transatlantic.facts import FACTS
from domain.games.transatlantic.rules import TransatlanticRules
from domain.games.transatlantic.terms import SEATS

GAME = Game(
    key="transatlantic",
    title={"en": "Transatlantic", "de": "Transatlantic"},
    seats=SEATS,
    facts=FACTS,
    rules={1: TransatlanticRules},
    bots=BOTS,
    options=(
        Option(
            name="market",
            title={"en": "Variant ship market", "de": "Variante Schiffsmarkt"},
            default=False,
        ),
        Option(
            name="president",
            title={"en": "Variant president", "de": "Variante Präsident"},
            default=False,
        ),
        Option(
            name="edition",
            title={"en": "Ships and figures", "de": "Schiffe und Werte"},
            default=DEFAULT,
            choices=editions(),
        ),
    ),
    data=lambda options: files(str(options.get("edition", DEFAULT))),
)

__all__ = ["GAME"]
