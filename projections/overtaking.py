"""How far a reader may go past appends that are stuck, so that one of them holds up its own table only.

The event store's horizon stops before an append that is under way, however long it takes. Here those that have
been so for a while are left out: what lies before this horizon is complete but for what they may still commit.
Who reads like this must not record a position, and reads again once the horizon has moved on.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from infra.database import Database

PATIENCE = 0.15
"""Seconds after which an append under way counts as stuck; one takes a few milliseconds."""


class Overtaking:
    """The horizon that leaves out stuck appends. The argument is that of `infra.event_store.Horizon`: an id given
    out before the sequence was read belongs to a holder of the lock then, or is final. So once the holders of one
    observation have gone or are stuck, everything up to its last id is final but for those of the stuck.
    """

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._clock = clock
        self._since: dict[str, float] = {}
        self._safe = 0
        self._pending: tuple[int, frozenset[str]] = (0, frozenset())

    def horizon(self) -> int:
        """Observe; the last id known to be final but for what stuck appends may still commit (monotone)."""
        row = self._database.query("SELECT last_id, writers FROM appends_under_way()")[0]
        now = self._clock()
        self._since = {writer: self._since.get(writer, now) for writer in row["writers"]}
        moving = frozenset(writer for writer, since in self._since.items() if now - since < PATIENCE)
        last_id, holders = self._pending
        if moving.isdisjoint(holders):
            self._safe = max(self._safe, last_id)
            self._pending = (row["last_id"], moving)
        if not moving:
            self._safe = max(self._safe, row["last_id"])
        return self._safe
