"""What the benches have in common: quantiles, tables of figures, and how busy the machine was with other things."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

QUICK = os.environ.get("QUICK", "") not in ("", "0")
"""A short run: every path once, figures that mean little."""


def scaled(full: float, quick: float) -> float:
    """How long or how often, in a full and in a quick run."""
    return quick if QUICK else full


def quantile(values: Sequence[float], q: float) -> float:
    """The value below which a share `q` of all lies; NaN of none."""
    return sorted(values)[min(len(values) - 1, int(q * len(values)))] if values else float("nan")


def median(values: Sequence[float]) -> float:
    return statistics.median(values) if values else float("nan")


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms" if seconds < 0.01 else f"{seconds * 1000:.1f} ms"


def p50_p99(seconds: Sequence[float]) -> str:
    """Both quantiles of some durations."""
    return f"{ms(quantile(seconds, 0.5))} / {ms(quantile(seconds, 0.99))}"


def timed(action: Callable[[], Any]) -> float:
    """Seconds that one call takes."""
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def times(action: Callable[[], Any], count: int) -> list[float]:
    """Seconds that each of several calls takes."""
    return [timed(action) for _ in range(count)]


def show(title: str, heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print a Markdown table, and before it how many processes besides ours wanted the machine."""
    print(f"\n### {title}  (load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs)\n")
    for line in (heads, ["---"] * len(heads), *rows):
        print("| " + " | ".join(str(cell) for cell in line) + " |")
    print(flush=True)
