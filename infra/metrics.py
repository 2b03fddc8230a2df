"""Counters and gauges that belong to no use case. With PROMETHEUS_MULTIPROC_DIR all processes of a machine
share them.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge

BROKER_FAILURES = Counter(
    "turnkeeper_broker_failures_total", "Calls to Redis that failed, by what they were for", ["purpose"]
)
BROKER_AWAY = Gauge(
    "turnkeeper_broker_away", "1 while a process takes Redis for lost", ["purpose"], multiprocess_mode="livemax"
)
HINTS_LOST = Counter("turnkeeper_hints_lost_total", "Task hints that were not sent; the sweep repeats them", ["task"])
