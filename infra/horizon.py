"""How far the events of all tables can be read while others append, so that no reader skips one that commits late."""

from __future__ import annotations

import time
from threading import Lock

from infra.database import Database


class Horizon:
    """Up to which notification id everything that will ever be committed can be read. Takes no lock.

    Why this skips nothing: an append takes the shared advisory lock, then its ids, then commits, and its lock
    goes only after its events are visible. An observation reads the sequence's last value H first and the
    lock's holders afterwards. Every id up to H was given, when H was read, to a transaction that had the lock
    already; so that transaction has either ended, or is among the holders read afterwards. Once those have
    gone, a *new* statement sees every event up to H that was ever committed. (Read in the other order, a
    writer could take lock and id between the two reads, unseen and below H.) An append that has the lock but
    no id yet costs nothing but a needless wait; holders are known by their virtual transaction id, which no
    later transaction bears again.

    One pending observation is enough: while one of its holders is there, every later observation lists it
    too. A holder that stays stops readers at the last horizon known, and stops no writer.
    """

    def __init__(self, database: Database, *, patience: float = 0.05) -> None:
        self._database = database
        self._patience = patience
        self._guard = Lock()
        self._safe = 0
        self._pending: tuple[int, frozenset[str]] = (0, frozenset())

    @property
    def known(self) -> int:
        """The horizon of the last complete observation."""
        return self._safe

    def advance(self, patience: float | None = None) -> int:
        """Observe, wait up to `patience` seconds for the appends under way, return the safe horizon
        (monotone).
        """
        deadline = time.monotonic() + (self._patience if patience is None else patience)
        pause = 0.0005
        target: int | None = None
        while True:
            last_id, writers = self._observe()
            with self._guard:
                pending_id, holders = self._pending
                if writers.isdisjoint(holders):
                    self._safe = max(self._safe, pending_id)
                    self._pending = (last_id, writers)
                if not writers:
                    self._safe = max(self._safe, last_id)
                safe = self._safe
            target = last_id if target is None else target
            if safe >= target or time.monotonic() >= deadline:
                return safe
            time.sleep(pause)
            pause = min(2 * pause, 0.008)

    def _observe(self) -> tuple[int, frozenset[str]]:
        row = self._database.query("SELECT last_id, writers FROM appends_under_way()")[0]
        return row["last_id"], frozenset(row["writers"])
