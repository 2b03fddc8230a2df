"""Counters and gauges that belong to no use case. With PROMETHEUS_MULTIPROC_DIR all processes of a machine
share them.
"""

from __future__ import annotations

import os

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

BROKER_FAILURES = Counter(
    "turnkeeper_broker_failures_total", "Calls to Redis that failed, by what they were for", ["purpose"]
)
BROKER_AWAY = Gauge(
    "turnkeeper_broker_away", "1 while a process takes Redis for lost", ["purpose"], multiprocess_mode="livemax"
)
HINTS_LOST = Counter("turnkeeper_hints_lost_total", "Task hints that were not sent; the sweep repeats them", ["task"])


REQUESTS = Histogram(
    "turnkeeper_request_seconds",
    "Time of a request, by route",
    ["method", "route", "status"],
    buckets=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
APPENDS = Counter("turnkeeper_appends_total", "Commands that were appended")
CONFLICTS = Counter("turnkeeper_conflicts_total", "Appends that came too late and were decided again")
TRUNCATIONS = Counter("turnkeeper_truncations_total", "Truncations that were recorded", ["reason"])
STREAMS = Gauge("turnkeeper_streams", "Open streams", multiprocess_mode="livesum")


def render() -> tuple[bytes, str]:
    """The metrics as Prometheus text and its content type: of all processes that share a folder, else of this
    one.
    """
    if _folder():
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry), CONTENT_TYPE_LATEST
    return generate_latest(), CONTENT_TYPE_LATEST


def process_ended(pid: int, folder: str | None = None) -> None:
    """Take a process's gauges out of the shared ones, which are in `folder` (None: where this process has them)."""
    folder = folder or _folder()
    if folder:
        multiprocess.mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]


def _folder() -> str | None:
    return os.environ.get("PROMETHEUS_MULTIPROC_DIR")
