"""A world for each test, and one that a module's tests share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.every import ALL_GAMES
from tests.projections.world import World, world_over


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Log lines are collected, not written: rendering tracebacks takes longer than the tests."""
    with capture_logs():
        yield


@pytest.fixture
def world(database_url: str) -> Iterator[World]:
    """A world of this test's own, toys included."""
    with world_over(database_url, ALL_GAMES) as made:
        yield made


@pytest.fixture(scope="module")
def shared(postgres: Any) -> Iterator[World]:
    """A world that the tests of one module share."""
    name = postgres.create()
    with world_over(postgres.url_of(name), ALL_GAMES) as made:
        yield made
    postgres.drop(name)
