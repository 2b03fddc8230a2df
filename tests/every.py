"""Every game, the toys included, with every number of seats: what general tests are parametrised over."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from domain.game import Game
from domain.registry import GAMES
from domain.table import Games
from tests.toys import TOYS

ALL_GAMES: Games = {**GAMES, **TOYS}


def option_sets(game: Game, seats: int) -> Iterator[dict[str, Any]]:
    """Every combination of option values that a table of so many seats may choose."""
    offered = [[value for value in option.choices if option.refusal(value, seats) is None] for option in game.options]
    for values in product(*offered):
        yield dict(zip((option.name for option in game.options), values, strict=True))


def tables() -> list[Any]:
    """(game, seats) for all games, as pytest parameters."""
    return [pytest.param(game, seats, id=f"{game.key}-{seats}") for game in ALL_GAMES.values() for seats in game.seats]


def configurations() -> list[Any]:
    """(game, seats, options) for all games, as pytest parameters."""
    return [
        pytest.param(game, seats, options, id="-".join([game.key, str(seats), *_named(options)]))
        for game in ALL_GAMES.values()
        for seats in game.seats
        for options in option_sets(game, seats)
    ]


def _named(options: dict[str, Any]) -> list[str]:
    return [f"{name}={value}" for name, value in options.items()]


def seeds(count: int) -> range:
    """The numbers of the games that a random test plays: `SEED=n` plays game n alone, `GAMES=n` so many."""
    if "SEED" in os.environ:
        return range(int(os.environ["SEED"]), int(os.environ["SEED"]) + 1)
    return range(int(os.environ.get("GAMES", count)))


class replayable:  # noqa: N801 (reads as a word of the test)
    """Says on failure how to see it again: `with replayable(__file__, seed): …`."""

    def __init__(self, file: str, seed: int) -> None:
        self.hint = f"seed {seed}; again: SEED={seed} .venv/bin/pytest {os.path.relpath(file)} -x"

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if error is not None:
            error.add_note(self.hint)
