"""`make chaos`: `FAULTS` of them (500), drawn by `SEED` (random). What happens in between is up to the machine."""

from __future__ import annotations

import os
import random
import sys
import time

from tests.chaos.harness import chaos


def main() -> int:
    faults = int(os.environ.get("FAULTS") or 500)
    seed = os.environ.get("SEED") or str(random.randrange(10**6))
    threads = int(os.environ.get("THREADS") or 8)
    begun = time.monotonic()
    print(f"{faults} faults, seed {seed}; again: make chaos FAULTS={faults} SEED={seed}", flush=True)

    def told(number: int, name: str) -> None:
        print(f"{time.monotonic() - begun:7.1f} s  {number:4} {name}", flush=True)

    try:
        report = chaos(faults, seed, threads=threads, told=told)
    except AssertionError as failure:
        print(f"FAILED after {time.monotonic() - begun:.0f} s: {failure}\nseed {seed}", file=sys.stderr)
        raise
    print(f"\nheld, after {time.monotonic() - begun:.0f} s:")
    for name, count in sorted(report.faults.items()):
        print(f"{count:6} × {name}")
    print(
        ", ".join(f"{count} {name}" for name, count in report.looked_at.items()), f"{report.retries} retries", sep="; "
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
