"""The 54 cards of Mottainai, read from `cards.csv`: each is a material, a task and a work at once.

Only what is printed on them; what a work does is in `works.py`, `completing.py` and `scoring.py`.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

MATERIALS = ("paper", "stone", "cloth", "clay", "metal")
TASKS = ("clerk", "monk", "tailor", "potter", "smith")
TASK_OF = dict(zip(MATERIALS, TASKS, strict=True))
MATERIAL_FOR = dict(zip(TASKS, MATERIALS, strict=True))
WINGS = ("gallery", "gift_shop")


@dataclass(frozen=True, slots=True)
class Card:
    """One card as printed. `timing` is the column of the works table that the work's effect belongs to."""

    key: str
    name_en: str
    name_de: str
    material: str
    value: int
    task: str
    timing: str


def _read(path: Path) -> tuple[Card, ...]:
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return tuple(
        Card(row["key"], row["name_en"], row["name_de"], row["material"], int(row["value"]), row["task"], row["timing"])
        for row in rows
    )


CARDS = _read(Path(__file__).with_name("cards.csv"))
KEYS = tuple(card.key for card in CARDS)
NAMES = {"en": {card.key: card.name_en for card in CARDS}, "de": {card.key: card.name_de for card in CARDS}}
TIMING = {card.key: card.timing for card in CARDS}
ORDER = {key: place for place, key in enumerate(KEYS)}

# A work in a wing is its card's key, or `kite=<key>` for a Kite that counts as another work until its owner's
# turn ends. The tables below answer for both, so that nothing else has to know about copies.
COPY = {key: f"kite={key}" if key != "kite" else key for key in KEYS}

MATERIAL = {card.key: card.material for card in CARDS} | {COPY[card.key]: card.material for card in CARDS}
VALUE = {card.key: card.value for card in CARDS} | {COPY[card.key]: card.value for card in CARDS}
EFFECT = {key: key for key in KEYS} | {COPY[key]: key for key in KEYS}
CARD = {COPY[key]: "kite" for key in KEYS} | {key: key for key in KEYS}
VALUE_OF = {card.material: card.value for card in CARDS}


def of_material(cards: tuple[str, ...], material: str) -> tuple[str, ...]:
    """Those of the cards (or works) that are of one material, in their order."""
    return tuple(card for card in cards if MATERIAL[card] == material)


def in_order(cards: tuple[str, ...]) -> tuple[str, ...]:
    """The cards in the order of the card table: how hands are kept and shown."""
    return tuple(sorted(cards, key=ORDER.__getitem__))
