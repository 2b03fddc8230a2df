"""Redis as something one may lose: wake-ups after a commit, and the state "redis is away".

No call here raises, and none waits longer than a few tenths of a second for a server that is gone. Truth
never lives in Redis: whoever misses a wake-up finds the news at its next look.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import redis
import structlog
from redis.backoff import NoBackoff
from redis.retry import Retry

from infra.metrics import BROKER_AWAY, BROKER_FAILURES

SECONDS = 0.2  # for connecting, and for an answer
REST = 1.0  # after a failure nobody tries for this long
EVENTS = "turnkeeper.events"

Result = TypeVar("Result")


def connect(url: str, *, timeout: float = SECONDS) -> redis.Redis:
    """A client that gives up after `timeout` seconds and never repeats a call. Nothing is opened yet."""
    return redis.Redis.from_url(
        url,
        socket_timeout=timeout,
        socket_connect_timeout=timeout,
        retry=Retry(NoBackoff(), 0),
        decode_responses=True,
    )


class Breaker:
    """Keeps the calls to a server that is away from costing time: after a failure they are left out for a
    while.

    `purpose` names it in metrics and logs. Safe under threads.
    """

    def __init__(self, purpose: str, *, rest: float = REST) -> None:
        self.purpose = purpose
        self._rest = rest
        self._closed_until = 0.0
        self._away = False

    @property
    def away(self) -> bool:
        """Whether the last call failed."""
        return self._away

    def call(self, action: Callable[[], Result], otherwise: Result) -> Result:
        """What `action` returns; `otherwise` if it fails in any way or the server was lost a moment ago."""
        if time.monotonic() < self._closed_until:
            return otherwise
        try:
            result = action()
        except Exception as error:  # a hint or a wake-up is never worth failing for
            self._failed(error)
            return otherwise
        if self._away:
            self._away = False
            BROKER_AWAY.labels(self.purpose).set(0)
            structlog.get_logger().info("redis is back", purpose=self.purpose)
        return result

    def _failed(self, error: Exception) -> None:
        self._closed_until = time.monotonic() + self._rest
        BROKER_FAILURES.labels(self.purpose).inc()
        if not self._away:
            self._away = True
            BROKER_AWAY.labels(self.purpose).set(1)
            structlog.get_logger().warning("redis is away", purpose=self.purpose, error=type(error).__name__)


class Wakeups:
    """Tells other processes that something happened. `url` None: nobody is told, everybody polls.

    `publish` may be called by any thread; `wait` and `listen` each have a connection of their own.
    """

    def __init__(self, url: str | None, *, channel: str = EVENTS) -> None:
        self._channel = channel
        self._url = url
        self._client = connect(url) if url else None
        self._breaker = Breaker("wakeups")
        self._waiting = Listener(url, channel)

    @property
    def away(self) -> bool:
        """Whether Redis is lost (or there is none)."""
        return self._client is None or self._breaker.away

    def publish(self, message: str = "", *, channel: str | None = None) -> bool:
        """Wake whoever waits; call it after the commit. False if nobody could be told."""
        client = self._client
        if client is None:
            return False
        return self._breaker.call(lambda: client.publish(channel or self._channel, message) is not None, False)

    def wait(self, timeout: float) -> bool:
        """Sleep until somebody publishes, `timeout` seconds at most; True if woken. For one thread."""
        return bool(self._waiting.get(timeout))

    def listen(self, channel: str | None = None) -> Listener:
        """A subscription of one's own, for one thread; close it at the end."""
        return Listener(self._url, channel or self._channel)

    def stop(self) -> None:
        """End a `wait` that is under way, and every later one at once."""
        self._waiting.close()

    def ping(self) -> bool:
        """Whether Redis answers now."""
        client = self._client
        return client is not None and self._breaker.call(lambda: bool(client.ping()), False)


class Listener:
    """A subscription to one channel that mends itself."""

    TURN = 0.25  # seconds between two looks whether it was closed

    def __init__(self, url: str | None, channel: str) -> None:
        self._client = connect(url) if url else None
        self._channel = channel
        self._breaker = Breaker("listener")
        self._pubsub: Any = None
        self._closed = threading.Event()

    def get(self, timeout: float) -> tuple[str, ...]:
        """The messages published since the last call, waiting `timeout` seconds for the first; () if none
        came.

        After a new subscription it returns at once with an empty message: some may have been missed before.
        """
        deadline = time.monotonic() + timeout
        while not self._closed.is_set():
            messages = self._breaker.call(lambda: self._unless_closed(deadline), None)
            if messages:
                return messages
            left = deadline - time.monotonic()
            if left <= 0:
                break
            if messages is None:
                self._forget()
                self._closed.wait(min(left, self.TURN))
        return ()

    def close(self) -> None:
        """Unsubscribe; a `get` under way returns within a moment."""
        self._closed.set()
        self._forget()

    def _unless_closed(self, deadline: float) -> tuple[str, ...]:
        try:
            return self._receive(deadline)
        except Exception:
            if self._closed.is_set():  # closed under our hands: no failure of the server
                return ()
            raise

    def _receive(self, deadline: float) -> tuple[str, ...]:
        if self._client is None:
            raise ConnectionError("no Redis is configured")
        if self._pubsub is None:
            pubsub = self._client.pubsub()  # type: ignore[no-untyped-call]
            pubsub.subscribe(self._channel)
            pubsub.get_message(timeout=SECONDS)  # the confirmation
            self._pubsub = pubsub
            return ("",)
        messages: list[str] = []
        wait = max(0.0, min(deadline - time.monotonic(), self.TURN))
        while (message := self._pubsub.get_message(timeout=0 if messages else wait)) is not None:
            if message["type"] == "message":
                messages.append(message["data"])
            wait = 0
        return tuple(messages)

    def _forget(self) -> None:
        pubsub, self._pubsub = self._pubsub, None
        if pubsub is not None:
            with suppress(Exception):
                pubsub.close()
