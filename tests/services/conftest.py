"""An application over a database of the test's own, or shared by a module's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import structlog

from domain.registry import GAMES
from domain.table import Games
from infra.settings import Settings
from projections.follower import Follower
from services.context import connect
from services.http.app import create_app
from tests.every import ALL_GAMES
from tests.services.helpers import Api


@pytest.fixture(autouse=True, scope="session")
def _quiet_logs() -> None:
    """Log lines are looked at with `capture_logs`, not printed."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())


@contextmanager
def api_over(url: str, games: Games = GAMES, **settings: Any) -> Iterator[Api]:
    """An application over a database; without Redis, so that nobody is woken and everybody polls."""
    chosen = Settings(database_url=url, pool_size=8, **settings)
    context, follower = connect(chosen, games), Follower(chosen, games)
    try:
        yield Api(create_app(context=context), context, follower)
    finally:
        follower.disconnect()
        follower.database.close()
        context.database.close()


@pytest.fixture(scope="module")
def api(postgres: Any) -> Iterator[Api]:
    """An application that the tests of one module share."""
    name = postgres.create()
    with api_over(postgres.url_of(name)) as made:
        yield made
    postgres.drop(name)


@pytest.fixture(scope="module")
def toys(postgres: Any) -> Iterator[Api]:
    """The same with the toy games too; results wait an hour for their seal."""
    name = postgres.create()
    with api_over(postgres.url_of(name), ALL_GAMES, seal_after=3600.0) as made:
        yield made
    postgres.drop(name)


@pytest.fixture
def own_api(database_url: str) -> Iterator[Api]:
    """An application of this test's own."""
    with api_over(database_url) as made:
        yield made


@pytest.fixture
def make_api(database_url: str) -> Callable[..., Any]:
    """Makes applications with other settings over this test's database."""
    return lambda **settings: api_over(database_url, **settings)
