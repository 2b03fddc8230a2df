"""The event store: atomic appends, conflicts, lost answers, and readers that skip nothing and stall nobody."""

from __future__ import annotations

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError, Notification, StoredEvent

from infra.database import Database, Unavailable
from infra.event_store import (
    PARTITIONS,
    CommandRepeated,
    CommandRow,
    EventRecorder,
    OutcomeUnknown,
    Positions,
    VersionTaken,
    body_hash,
    command_id,
    partition_of,
    select_topics_statement,
)
from tests.infra.waiting import wait_until


def event(table: UUID, version: int, topic: str = "toy.Moved", state: bytes = b"{}") -> StoredEvent:
    return StoredEvent(originator_id=table, originator_version=version, topic=topic, state=state)


def command(actor: str, key: str, table: UUID | None, version: int = 1, body: bytes = b"body") -> CommandRow:
    return CommandRow(command_id(actor, key), body_hash(body), table, version, version, "action")


def ids(notifications: Any) -> list[int]:
    return [each.id for each in notifications]


class Writer:
    """A writer on a connection of its own that can stop at any point of its append."""

    def __init__(self, url: str) -> None:
        self.connection = psycopg.connect(url)

    def takes_the_lock(self) -> None:
        self.connection.execute("SELECT pg_advisory_xact_lock_shared(1953854062, 2)")

    def appends(self, table: UUID, version: int) -> int:
        rows = self.connection.execute(
            "SELECT append_events(%s::uuid[], %s::bigint[], %s::text[], %s::bytea[], NULL, NULL, NULL, 0, 0, NULL)",
            ([table], [version], ["toy.Moved"], [b"{}"]),
        ).fetchall()
        return int(rows[0][0])


@contextmanager
def writer(url: str) -> Any:
    writer = Writer(url)
    try:
        yield writer
    finally:
        writer.connection.close()


# --- appends


def test_an_append_returns_the_ids_of_its_events_in_their_order(recorder: EventRecorder) -> None:
    table = uuid4()
    versions = [3, 1, 2]
    assert recorder.insert_events([event(table, version) for version in versions]) == [1, 2, 3]
    assert [n.originator_version for n in recorder.select_notifications(None, 10)] == versions


def test_an_append_of_a_taken_version_stores_nothing_of_it(recorder: EventRecorder) -> None:
    table = uuid4()
    recorder.insert_events([event(table, 1)])
    with pytest.raises(VersionTaken):
        recorder.insert_events([event(table, 2), event(table, 1)], command=command("ann", "k", table))
    assert [e.originator_version for e in recorder.select_events(table)] == [1]
    assert recorder.find_command("ann", "k") is None


def test_a_command_is_stored_with_its_events_and_found_by_actor_and_key(recorder: EventRecorder) -> None:
    table = uuid4()
    row = command("ann", "k", table)
    recorder.insert_events([event(table, 1)], command=row)
    assert recorder.find_command("ann", "k") == row
    assert recorder.find_command("bob", "k") is None
    assert recorder.find_command("annk", "") is None


def test_a_command_without_events_is_stored_too(recorder: EventRecorder) -> None:
    row = command("ann", "k", None, version=0)
    assert recorder.insert_events([], command=row) == []
    assert recorder.find_command("ann", "k") == row


def test_a_repeated_command_is_told_apart_from_a_taken_version(recorder: EventRecorder) -> None:
    table = uuid4()
    recorder.insert_events([event(table, 1)], command=command("ann", "k", table))
    with pytest.raises(CommandRepeated):
        recorder.insert_events([event(table, 1)], command=command("ann", "k", table, body=b"another"))
    assert recorder.insert_events([event(table, 2)], command=command("bob", "k", table)) is not None


def test_an_append_within_a_transaction_goes_with_it(recorder: EventRecorder, database: Database) -> None:
    table = uuid4()
    insert_seed = "INSERT INTO table_secrets VALUES (%s, %s)"
    with pytest.raises(VersionTaken), database.transaction() as cursor:
        cursor.execute(insert_seed, (table, b"seed"))
        recorder.insert_events([event(table, 1), event(table, 1)], cursor=cursor)
    assert database.query("SELECT FROM table_secrets") == []
    with database.transaction() as cursor:
        cursor.execute(insert_seed, (table, b"seed"))
        recorder.insert_events([event(table, 1)], command=command("ann", "k", table), cursor=cursor)
    assert len(recorder.select_events(table)) == len(database.query("SELECT FROM table_secrets")) == 1


def test_of_many_appends_of_one_version_exactly_one_succeeds(recorder: EventRecorder) -> None:
    table = uuid4()

    def append(number: int) -> bool:
        try:
            recorder.insert_events([event(table, 1, state=b"%d" % number)])
        except VersionTaken:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        won = [number for number, done in enumerate(pool.map(append, range(20))) if done]
    assert [e.state for e in recorder.select_events(table)] == [b"%d" % number for number in won]


def test_of_one_command_sent_many_times_at_once_exactly_one_is_carried_out(recorder: EventRecorder) -> None:
    table = uuid4()

    def append(version: int) -> bool:
        try:
            recorder.insert_events([event(table, version)], command=command("ann", "k", table, version))
        except CommandRepeated:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(append, range(1, 21)))
    found = recorder.find_command("ann", "k")
    assert done.count(True) == 1
    assert found is not None
    assert [e.originator_version for e in recorder.select_events(table)] == [found.version]


def test_a_commit_whose_answer_was_lost_is_found_by_its_command(proxy: Any, recorder: EventRecorder) -> None:
    table = uuid4()
    lossy = Database(proxy.url, size=1)
    sender = EventRecorder(lossy)
    sender.insert_events([event(table, 1)], command=command("ann", "first", table))
    proxy.lose_next_answer = True
    with pytest.raises(OutcomeUnknown):
        sender.insert_events([event(table, 2)], command=command("ann", "k", table, 2))
    wait_until(lambda: recorder.find_command("ann", "k") is not None)
    assert sender.find_command("ann", "k") == command("ann", "k", table, 2)
    assert [e.originator_version for e in sender.select_events(table)] == [1, 2]
    lossy.close()


def test_an_append_whose_connection_dies_before_the_commit_is_of_unknown_outcome_and_not_stored(
    recorder: EventRecorder, database_url: str
) -> None:
    table = uuid4()
    with writer(database_url) as other, ThreadPoolExecutor(1) as pool:
        other.appends(table, 1)
        waiting = pool.submit(recorder.insert_events, [event(table, 1)], command=command("ann", "k", table))
        blocked = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        with psycopg.connect(database_url, autocommit=True) as admin:
            wait_until(lambda: bool(admin.execute(blocked).fetchall()))
        with pytest.raises(OutcomeUnknown):
            waiting.result(timeout=60)
    assert recorder.find_command("ann", "k") is None
    assert recorder.select_events(table) == []


def test_an_append_that_waits_too_long_for_another_is_unavailable_and_stores_nothing(database_url: str) -> None:
    table = uuid4()
    hasty = Database(database_url, size=1, timeout=0.2)
    with writer(database_url) as other:
        other.appends(table, 1)
        with pytest.raises(Unavailable) as caught:
            EventRecorder(hasty).insert_events([event(table, 1)])
        assert not isinstance(caught.value, OutcomeUnknown)
    assert EventRecorder(hasty).select_events(table) == []
    hasty.close()


# --- reads


def test_ranges_are_read_in_one_query_in_the_order_of_versions(recorder: EventRecorder) -> None:
    table = uuid4()
    recorder.insert_events([event(table, version) for version in range(1, 11)])
    recorder.insert_events([event(uuid4(), version) for version in range(1, 11)])

    def versions(*ranges: tuple[int, int | None]) -> list[int]:
        return [e.originator_version for e in recorder.select_ranges(table, ranges)]

    assert versions((5, 6), (1, 2), (9, None)) == [1, 2, 5, 6, 9, 10]
    assert versions((11, None)) == []
    assert versions() == []


def test_topics_are_selected_by_their_literal_beginning(recorder: EventRecorder) -> None:
    table = uuid4()
    topics = ["table.Opened", "toy.Moved", "table.Truncated", "tableXSeated", "a%b", "axb"]
    recorder.insert_events([event(table, version, topic) for version, topic in enumerate(topics, 1)])
    assert [e.topic for e in recorder.select_topics(table)] == ["table.Opened", "table.Truncated"]
    assert [e.topic for e in recorder.select_topics(table, gt=1)] == ["table.Truncated"]
    assert [e.topic for e in recorder.select_topics(table, "a%")] == ["a%b"]


def test_desk_events_of_a_long_game_are_found_by_the_partial_index(recorder: EventRecorder, database_url: str) -> None:
    table = uuid4()
    recorder.insert_events(
        [event(table, v, "table.Truncated" if v % 500 == 0 else "toy.Moved") for v in range(1, 4001)]
    )
    with psycopg.connect(database_url, autocommit=True) as owner:
        owner.execute("ANALYZE events")
        statement = "EXPLAIN " + select_topics_statement("table.").as_string(owner)
        plan = "\n".join(row[0] for row in owner.execute(statement.encode(), (table, 0)))
    assert "events_desk_idx" in plan


def test_the_partition_is_the_same_in_python_and_sql(database: Database) -> None:
    tables = [uuid4() for _ in range(300)]
    rows = database.query("SELECT partition_of(id) AS p FROM unnest(%s::uuid[]) AS id", (tables,))
    assert [row["p"] for row in rows] == [partition_of(table) for table in tables]
    assert {partition_of(table) for table in tables} == set(range(PARTITIONS))


def test_a_follower_of_some_partitions_moves_on_past_the_events_of_others(recorder: EventRecorder) -> None:
    mine, others = UUID(int=3), UUID(int=4)
    recorder.insert_events([event(mine, 1), event(others, 1), event(others, 2), event(mine, 2), event(others, 3)])
    batch = recorder.follow(0, 1, [3])
    assert (ids(batch.notifications), batch.upto) == ([1], 1)
    batch = recorder.follow(batch.upto, 10, [3])
    assert (ids(batch.notifications), batch.upto) == ([4], 5)
    batch = recorder.follow(batch.upto, 10, [3])
    assert (ids(batch.notifications), batch.upto) == ([], 5)
    assert ids(recorder.select_notifications(None, 10, partitions=[4])) == [2, 3, 5]


# --- the replacement of non-interleaved ids


def test_a_writer_stalled_between_its_id_and_its_commit_is_skipped_by_no_reader_and_stalls_no_writer(
    recorder: EventRecorder, database_url: str
) -> None:
    recorder.insert_events([event(uuid4(), 1)])
    assert ids(recorder.select_notifications(None, 10)) == [1]
    with writer(database_url) as stalled:
        late = stalled.appends(uuid4(), 1)
        assert recorder.insert_events([event(uuid4(), 1)]) == [late + 1]  # did not wait
        assert ids(recorder.select_notifications(None, 10)) == [late - 1]
        assert recorder.max_notification_id() == late - 1
        assert recorder.follow(0, 10).upto == late - 1
        stalled.connection.commit()
    assert ids(recorder.select_notifications(late - 1, 10, inclusive_of_start=False)) == [late, late + 1]


def test_a_writer_that_has_the_lock_but_no_id_yet_is_not_skipped_either(
    recorder: EventRecorder, database_url: str
) -> None:
    with writer(database_url) as stalled:
        stalled.takes_the_lock()
        recorder.insert_events([event(uuid4(), 1)])
        before = recorder.select_notifications(None, 10)
        late = stalled.appends(uuid4(), 1)
        recorder.insert_events([event(uuid4(), 1)])
        between = recorder.select_notifications(None, 10)
        stalled.connection.commit()
    last = max([0, *ids(before), *ids(between)])
    assert last < late
    assert ids(recorder.select_notifications(last, 10, inclusive_of_start=False)) == [1, 2, 3][last:]


def test_the_first_event_of_a_fresh_sequence_is_not_skipped(recorder: EventRecorder, database_url: str) -> None:
    with writer(database_url) as first:
        assert recorder.follow(0, 10).upto == 0
        first.appends(uuid4(), 1)
        first.connection.commit()
    assert ids(recorder.follow(0, 10).notifications) == [1]


def test_an_append_that_was_rolled_back_leaves_a_gap_that_readers_pass(
    recorder: EventRecorder, database_url: str
) -> None:
    with writer(database_url) as given_up:
        given_up.appends(uuid4(), 1)
        given_up.connection.rollback()
    recorder.insert_events([event(uuid4(), 1)])
    assert ids(recorder.select_notifications(None, 10)) == [2]


def test_a_reader_gets_on_while_appends_always_overlap(recorder: EventRecorder, database_url: str) -> None:
    # At every moment some append is under way, yet each of them ends: the horizon follows.
    with writer(database_url) as one, writer(database_url) as two:
        current, following = one, two
        current.appends(uuid4(), 1)
        seen = 0
        for _ in range(5):
            mine = following.appends(uuid4(), 1)
            recorder.horizon.advance(0)
            current.connection.commit()
            current, following = following, current
            recorder.horizon.advance(0)
            seen = recorder.horizon.known
            assert seen < mine
        assert seen > 0


def test_the_horizon_never_goes_back(recorder: EventRecorder, database_url: str) -> None:
    recorder.insert_events([event(uuid4(), 1)])
    assert recorder.horizon.advance() == 1
    with writer(database_url) as stalled:
        stalled.appends(uuid4(), 1)
        assert recorder.horizon.advance(0) == 1
        assert recorder.horizon.advance(0.01) == 1


def test_another_database_of_the_server_does_not_stall_readers(recorder: EventRecorder, postgres: Any) -> None:
    name = postgres.create()
    with writer(postgres.url_of(name)) as elsewhere:
        elsewhere.appends(uuid4(), 1)
        recorder.insert_events([event(uuid4(), 1)])
        assert ids(recorder.select_notifications(None, 10)) == [1]
    postgres.drop(name)


def test_where_nobody_appends_everything_up_to_the_last_id_is_there(database: Database, database_url: str) -> None:
    # Were the holders read before the sequence, an append that begins between the two would be overlooked.
    stop = threading.Event()

    def write() -> None:
        with writer(database_url) as busy:
            while not stop.is_set():
                busy.appends(uuid4(), 1)
                time.sleep(0.0005)
                busy.connection.commit()
                time.sleep(0.0005)

    with ThreadPoolExecutor(1) as pool:
        writing, looks = pool.submit(write), 0
        try:
            while looks < 1000 and not writing.done():
                row = database.query("SELECT last_id, writers FROM appends_under_way()")[0]
                if not row["writers"]:
                    looks += 1
                    there = "SELECT count(*) AS n FROM events WHERE notification_id <= %s"
                    assert database.query(there, (row["last_id"],)) == [{"n": row["last_id"]}]
        finally:
            stop.set()
        writing.result(timeout=60)


def test_followers_see_every_event_of_racing_writers_exactly_once_and_in_order(
    recorder: EventRecorder, database_url: str
) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}: replace random.randrange above by it to repeat")
    writers, appends, stop = 8, 25, threading.Event()

    def write(number: int) -> list[int]:
        dice, mine = random.Random(seed + number), []
        with Writer(database_url).connection as connection:
            connection.autocommit = True
            own = Writer.__new__(Writer)
            own.connection = connection
            for _ in range(appends):
                if dice.random() < 0.3:  # leave the processor between id and commit
                    with connection.transaction(force_rollback=dice.random() < 0.3) as transaction:
                        number = own.appends(uuid4(), 1)
                        time.sleep(dice.random() / 500)
                    if not transaction.force_rollback:
                        mine.append(number)
                else:
                    mine += recorder.insert_events([event(uuid4(), 1), event(uuid4(), 1)]) or []
        return mine

    def read(partitions: list[int] | None) -> list[Notification]:
        reader, position, seen = EventRecorder(recorder.database), 0, []
        while True:
            last_round = stop.is_set()
            batch = reader.follow(position, 7, partitions)
            seen += batch.notifications
            position = batch.upto
            if last_round and not batch.notifications:
                return seen

    with ThreadPoolExecutor(writers + 3) as pool:
        readers = [pool.submit(read, each) for each in (None, list(range(8)), list(range(8, 16)))]
        written = sorted(number for each in pool.map(write, range(writers)) for number in each)
        stop.set()
        whole, low, high = (reader.result(timeout=60) for reader in readers)
    assert ids(whole) == written
    assert ids(low) == sorted(ids(low))
    assert ids(high) == sorted(ids(high))
    assert sorted(ids(low) + ids(high)) == written


# --- positions


def test_positions_start_at_zero_and_move_with_the_callers_transaction(database: Database) -> None:
    positions = Positions(database, name="views")
    assert positions.read() == dict.fromkeys(range(PARTITIONS), 0)
    with pytest.raises(ZeroDivisionError), database.transaction() as cursor:
        positions.advance(cursor, 3, 7)
        assert positions.read(cursor)[3] == 7
        raise ZeroDivisionError
    assert positions.read()[3] == 0
    with database.transaction() as cursor:
        positions.advance(cursor, 3, 7)
    assert positions.read()[3] == 7
    assert Positions(database, name="log").read()[3] == 0


def test_a_position_never_goes_back_but_by_a_reset(database: Database) -> None:
    positions = Positions(database)
    with database.transaction() as cursor:
        positions.advance(cursor, 3, 7)
    for number in (6, 7):
        with pytest.raises(IntegrityError), database.transaction() as cursor:
            positions.advance(cursor, 3, number)
    with database.transaction() as cursor:
        positions.reset(cursor)
    assert positions.read()[3] == 0
