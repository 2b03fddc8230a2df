"""The event library's own published recorder tests, run against our recorders.

Left out by name is `NonInterleavingNotificationIDsBaseCase`: it demands that appends never overlap. Ours do;
what that property protects (no reader skips an event) is held by `test_event_store.py` instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from eventsourcing.persistence import StoredEvent
from eventsourcing.tests import persistence as published

from infra.database import Database
from infra.event_store import EventRecorder, Positions


class OnDatabase:
    """Gives each published test a database of its own."""

    @pytest.fixture(autouse=True)
    def _own_database(self, database: Database) -> None:
        self.database = database


class WithoutIds(EventRecorder):
    """An aggregate recorder is an event store that tells no notification ids."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> None:
        super().insert_events(stored_events, **kwargs)


class TestAggregateRecorder(OnDatabase, published.AggregateRecorderTestCase):
    def create_recorder(self) -> EventRecorder:
        return WithoutIds(self.database)


class TestApplicationRecorder(OnDatabase, published.ApplicationRecorderTestCase[EventRecorder]):
    def create_recorder(self) -> EventRecorder:
        return EventRecorder(self.database)

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


class TestTrackingRecorder(OnDatabase, published.TrackingRecorderTestCase):
    def create_recorder(self) -> Positions:
        return Positions(self.database)


def test_no_other_published_case_was_left_out() -> None:
    cases = {name for name in vars(published) if name.endswith(("TestCase", "BaseCase"))}
    run = {"AggregateRecorderTestCase", "ApplicationRecorderTestCase", "TrackingRecorderTestCase"}
    of_no_use = {
        "TestCase",  # of unittest
        "RecorderTestCase",  # a base without tests
        "ProcessRecorderTestCase",  # projections write their position in their own transaction, see Positions
        "InfrastructureFactoryTestCase",  # tests the stock factories' environment variables
        "TranscoderTestCase",  # our mapper has a codec of its own
    }
    assert cases - run - of_no_use == {"NonInterleavingNotificationIDsBaseCase"}
