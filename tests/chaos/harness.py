"""One run: a service of several processes each, a crowd that plays, faults, then calm, then the verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from urllib.parse import parse_qs, urlsplit

from infra.tasks import Hints
from services.context import connect
from tests.chaos import verdict
from tests.chaos.crowd import Crowd
from tests.chaos.faults import Scene, inflict
from tests.proxy import LosingProxy
from tests.running import Running, eventually, running

COUNTS = {"api": 2, "follower": 2, "worker": 2, "sweep": 1}
CALM_SECONDS = 300.0
"""Within which everything must have come to its end after the last fault; the sweep needs a few of them."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a run was."""

    faults: Mapping[str, int]
    looked_at: Mapping[str, int]
    retries: int


def chaos(
    faults: int,
    seed: str,
    *,
    threads: int = 8,
    pause: float = 1.0,
    told: Callable[[int, str], None] = lambda number, name: None,
) -> Report:
    """A run of so many faults, one every `pause` seconds on average.

    Raises:
        AssertionError: for what does not hold afterwards.
    """
    rng = Random(seed)
    proxies: list[LosingProxy] = []

    def behind(service: Running, name: str) -> Mapping[str, str]:
        """The first API reaches its database through a proxy."""
        if name != "api-0":
            return {}
        folder = parse_qs(urlsplit(service.database.url).query)["host"][0]
        proxies.append(LosingProxy(f"{folder}/.s.PGSQL.5432", ".s.PGSQL.5432"))
        return {"DATABASE_URL": proxies[0].database_url}

    with running(
        counts=COUNTS, environ_of=behind, SWEEP_INTERVAL="1", WORKER_THREADS="2", LOG_LEVEL="WARNING"
    ) as service:
        fronts = [LosingProxy(address) for address in service.addresses]
        proxies += fronts
        context = connect(replace(service.settings, database_timeout=20.0), name="chaos")
        try:
            crowd = Crowd([front.address for front in fronts], threads, rng)
            crowd.start()
            try:
                hints = Hints(service.broker.url)
                scene = Scene(service, context, proxies, hints, crowd.tables, rng)
                eventually(lambda: len(crowd.promises) > 5 * threads or crowd.failures)
                done = inflict(scene, faults, pause, told)
            finally:
                for proxy in proxies:
                    proxy.lose_answers(0)
                crowd.finish()
            if scene.failures:
                raise scene.failures[0]
            eventually(lambda: verdict.unfinished(context) == 0, CALM_SECONDS)
            return Report(done, verdict.check(context, crowd), crowd.retries)
        finally:
            context.database.close()
            for proxy in proxies:
                proxy.close()
