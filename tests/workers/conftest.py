"""A world with bots that fail as well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from domain.game import Action, Position
from tests.every import ALL_GAMES
from tests.projections.world import World, world_over


def raising(position: Position, rng: Random, /) -> Action:
    raise RuntimeError("no idea")


def cheating(position: Position, rng: Random, /) -> Action:
    return {"type": "win"}


class Hesitant:
    """Fails at its first two attempts of every decision."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, position: Position, rng: Random, /) -> Action:
        self.asked += 1
        if self.asked % 3:
            raise RuntimeError("not yet")
        return position.actions[-1]


GAMES = {
    key: replace(game, bots={**game.bots, "raising": raising, "cheating": cheating, "hesitant": Hesitant()})
    for key, game in ALL_GAMES.items()
}


@pytest.fixture
def world(database_url: str) -> Iterator[World]:
    """A world of this test's own."""
    with world_over(database_url, GAMES) as made:
        yield made


@pytest.fixture
def make_world(database_url: str) -> Any:
    """Makes worlds with other settings over this test's database."""
    return lambda **chosen: world_over(database_url, GAMES, **chosen)
