"""A run with one fault of every kind; `make chaos` is the long one."""

from __future__ import annotations

import os
import random

import pytest

from tests.chaos.faults import FAULTS
from tests.chaos.harness import chaos


@pytest.mark.timeout(400)
def test_whatever_dies_every_confirmed_action_is_recorded_once_and_every_game_ends() -> None:
    seed = os.environ.get("SEED") or str(random.randrange(10**6))
    print(f"again: make chaos FAULTS={len(FAULTS)} SEED={seed}")
    report = chaos(len(FAULTS), seed, threads=3, pause=0.6)
    assert set(report.faults) == set(FAULTS)
    assert report.looked_at["confirmed"] > 50
    assert report.looked_at["bots' moves"] > 50
