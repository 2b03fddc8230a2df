"""Real processes: a Celery worker, a follower and the sweep play a game of bots from the opening to the seal."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest

from infra import tasks
from infra.redis import connect as connect_redis
from tests.projections import oracle
from tests.projections.world import World, world_over

SOON = 60.0
"""Seconds after which something counts as not happening; nothing is measured."""

WORKER = ("celery", "-A", "workers.app", "worker", "--pool", "threads", "--concurrency", "2", "--loglevel", "ERROR")


def eventually(condition: Callable[[], Any]) -> None:
    deadline = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


@contextmanager
def process(world: World, redis: str, *module: str, **environ: str) -> Iterator[subprocess.Popen[bytes]]:
    own = {"DATABASE_URL": world.settings.database_url or "", "REDIS_URL": redis, "LOG_LEVEL": "ERROR"}
    started = subprocess.Popen([sys.executable, "-m", *module], env=os.environ | own | environ)
    try:
        yield started
    finally:
        started.terminate()
        try:
            started.wait(20)
        finally:
            started.kill()
            started.wait(10)


@pytest.fixture
def world(database_url: str, redis_url: str) -> Iterator[World]:
    connect_redis(redis_url).flushall()
    with world_over(database_url, redis_url=redis_url) as made:
        yield made
    tasks.configure(None)


def is_sealed(world: World, table_id: UUID) -> bool:
    desk = world.table(table_id).desk
    return desk is not None and desk.is_sealed


def once(world: World, table_id: UUID) -> None:
    """Every command of the record is there once, and rows equal the domain's views."""
    events = world.context.tables.recorded(table_id)
    keys = [(event.command, event.version) for event in events if event.action is not None]
    assert len({command for command, _ in keys}) == len(keys)
    oracle.check(world, table_id)


def test_bots_play_from_the_opening_to_the_seal(world: World, redis_url: str) -> None:
    with process(world, redis_url, *WORKER), process(world, redis_url, "projections.follower"):
        table_id = world.open(0, ["automa", "random", "automa"])
        eventually(lambda: is_sealed(world, table_id))
        eventually(lambda: world.work(table_id) == [] and world.rows("results")["results"])
    once(world, table_id)


def test_the_sweep_brings_work_back_whose_hints_were_lost(world: World, redis_url: str) -> None:
    table_id = world.open(1, ["random"], start_seat=1)
    tasks.configure(None)  # the follower of this test can send to nobody
    world.follow()
    assert world.work(table_id) == [("bot", 1)]
    with process(world, redis_url, "workers.sweep", SWEEP_INTERVAL="0.5"), process(world, redis_url, *WORKER):
        eventually(lambda: world.to_act(table_id) == (0,))


def test_a_worker_killed_in_mid_game_is_replaced_without_a_move_twice(world: World, redis_url: str) -> None:
    with (
        process(world, redis_url, "projections.follower"),
        process(world, redis_url, "workers.sweep", SWEEP_INTERVAL="0.5"),
    ):
        with process(world, redis_url, *WORKER) as worker:
            tables = [world.open(0, ["random", "random", "random"]) for _ in range(4)]
            eventually(lambda: any(world.table(each).version > 20 for each in tables))
            worker.kill()
            worker.wait(10)
        with process(world, redis_url, *WORKER):
            eventually(lambda: all(is_sealed(world, each) for each in tables))
        eventually(lambda: all(world.work(each) == [] for each in tables))
        eventually(lambda: len(world.rows("results")["results"]) == 12)
    for table_id in tables:
        once(world, table_id)
