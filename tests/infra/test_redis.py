"""Redis may be lost at any time: wake-ups and hints go through while it is there, and cost nothing while it
is not.
"""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from celery.contrib.testing.worker import start_worker

from infra.celery_app import make_celery
from infra.redis import Breaker, Wakeups, connect
from infra.tasks import Hints

HANG = 20.0  # far above every time limit in use: only a call that hangs takes that long


@pytest.fixture
def silent_url() -> Iterator[str]:
    """A server that accepts connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


@pytest.fixture
def gone_url() -> str:
    """An address where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"redis://127.0.0.1:{server.getsockname()[1]}/0"


def channel() -> str:
    return f"test.{uuid4()}"


def test_a_wakeup_reaches_a_waiting_process(redis_url: str) -> None:
    wakeups = Wakeups(redis_url, channel=channel())
    assert wakeups.wait(HANG)  # a new subscription may have missed something
    threading.Timer(0.05, wakeups.publish).start()
    assert wakeups.wait(HANG)
    wakeups.stop()


def test_wakeups_that_come_together_wake_once(redis_url: str) -> None:
    wakeups = Wakeups(redis_url, channel=channel())
    wakeups.wait(HANG)
    for _ in range(5):
        wakeups.publish()
    assert wakeups.wait(HANG)
    assert not wakeups.wait(0.1)
    wakeups.stop()


def test_a_listener_gets_the_messages_of_its_channel_only(redis_url: str) -> None:
    name = channel()
    wakeups = Wakeups(redis_url)
    listener = wakeups.listen(name)
    assert listener.get(HANG) == ("",)
    wakeups.publish("elsewhere", channel=channel())
    for message in "abc":
        wakeups.publish(message, channel=name)
    received: list[str] = []
    while len(received) < 3:
        received += listener.get(HANG)
    assert received == ["a", "b", "c"]
    listener.close()


def test_waiting_ends_when_it_is_stopped(redis_url: str) -> None:
    wakeups = Wakeups(redis_url, channel=channel())
    wakeups.wait(HANG)
    threading.Timer(0.05, wakeups.stop).start()
    assert not wakeups.wait(600)


@pytest.mark.parametrize("url", ["gone_url", "silent_url"])
def test_without_redis_no_call_raises_or_hangs(url: str, request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue(url)
    wakeups, hints = Wakeups(url), Hints(url)
    started = time.monotonic()
    for _ in range(200):
        assert not wakeups.publish()
        assert not hints.send("workers.take_turn", table=uuid4())
    assert wakeups.away
    assert not wakeups.wait(0.05)
    assert not wakeups.ping()
    assert time.monotonic() - started < HANG


def test_without_a_redis_url_everybody_polls() -> None:
    wakeups = Wakeups(None)
    assert not wakeups.publish()
    assert not wakeups.wait(0.05)
    assert wakeups.away
    assert not Hints(None).send("workers.take_turn")


def test_a_broken_subscription_is_mended(redis_url: str) -> None:
    wakeups = Wakeups(redis_url, channel=channel())
    wakeups.wait(HANG)
    connect(redis_url).client_kill_filter(_type="pubsub")
    assert wakeups.wait(HANG)  # subscribed again, may have missed something
    wakeups.publish()
    assert wakeups.wait(HANG)
    wakeups.stop()


def test_after_a_failure_redis_is_left_alone_for_a_while_and_then_tried_again() -> None:
    calls: list[int] = []

    def fail() -> bool:
        calls.append(1)
        raise ConnectionError

    breaker = Breaker("test", rest=600)
    assert [breaker.call(fail, False) for _ in range(3)] == [False] * 3
    assert (len(calls), breaker.away) == (1, True)
    breaker = Breaker("test", rest=0)
    breaker.call(fail, False)
    assert breaker.call(lambda: True, False)
    assert not breaker.away


def test_a_hint_runs_a_task_with_its_ids_as_text(redis_url: str) -> None:
    queue = channel()
    app = make_celery(redis_url, task_default_queue=queue)
    got: list[dict[str, Any]] = []
    arrived = threading.Event()

    @app.task(name="test.note")
    def note(**ids: Any) -> None:
        got.append(ids)
        arrived.set()

    hints = Hints(redis_url)
    assert hints._app is not None
    hints._app.conf.task_default_queue = queue
    table = uuid4()
    with start_worker(app, pool="solo", perform_ping_check=False, shutdown_timeout=30):
        assert hints.send("test.note", table=table, version=3)
        assert arrived.wait(60)
    assert got == [{"table": str(table), "version": 3}]
    assert UUID(got[0]["table"]) == table


def test_tasks_are_json_without_results() -> None:
    conf = make_celery("memory://").conf
    assert (conf.task_serializer, conf.accept_content) == ("json", ["json"])
    assert conf.task_ignore_result
    assert conf.task_acks_late


def test_no_task_is_given_a_time_of_execution() -> None:
    # Redis delivers a task again whose time lies beyond its visibility time-out.
    root = Path(__file__).parents[2]
    for layer in ("infra", "projections", "services", "workers"):
        for path in (root / layer).rglob("*.py"):
            assert not re.search(r"\b(eta|countdown)\s*=", path.read_text(encoding="utf-8")), path
