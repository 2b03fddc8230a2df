"""The bot that every game has: it chooses blindly. Better ones live in their games' folders."""

from __future__ import annotations

from random import Random

from domain.game import Action, Position


def random_bot(position: Position, rng: Random, /) -> Action:
    """Any legal action, each equally likely."""
    return rng.choice(position.actions)
