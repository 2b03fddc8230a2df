"""Followers: partitions shared and handed over, nothing skipped, nobody stalled, no table's fault another's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from eventsourcing.persistence import StoredEvent

from infra.event_store import PARTITIONS, Positions, partition_of
from projections import read
from projections.follower import Follower
from projections.partitions import LOCKS, PRESENT
from projections.rebuild import rebuild
from tests.projections import oracle
from tests.projections.world import World
from workers import bots

SOON = 20.0
"""Seconds after which something counts as not happening; nothing is measured."""


def eventually(condition: Callable[[], Any]) -> None:
    deadline = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


@pytest.fixture
def more(world: World) -> Iterator[Callable[[], Follower]]:
    """Makes further followers of the same database."""
    made: list[Follower] = []

    def follower() -> Follower:
        made.append(Follower(world.settings, world.context.games))
        return made[-1]

    yield follower
    for each in made:
        each.close()


def settle(*followers: Follower) -> list[tuple[int, ...]]:
    """Each looks around and takes turns until nobody's share changes; returns the shares."""
    before: list[tuple[int, ...]] = []
    while True:
        for each in followers:
            each._refresh_at = 0.0
            each.step()
        shares = [each.partitions for each in followers]
        if shares == before:
            return shares
        before = shares


def test_a_single_follower_takes_every_partition(world: World) -> None:
    assert settle(world.follower) == [tuple(range(PARTITIONS))]


def test_followers_share_the_partitions_fairly_and_take_over_from_who_leaves(
    world: World, more: Callable[[], Follower]
) -> None:
    first, second, third = world.follower, more(), more()
    settle(first)
    shares = settle(first, second, third)
    assert sorted(len(share) for share in shares) == [4, 6, 6]
    assert sorted(each for share in shares for each in share) == list(range(PARTITIONS))
    third.disconnect()
    shares = settle(first, second)
    assert [len(share) for share in shares] == [8, 8]
    second.disconnect()
    assert settle(first) == [tuple(range(PARTITIONS))]


def test_rows_are_right_whoever_projects_and_however_partitions_change_hands(
    world: World, more: Callable[[], Follower]
) -> None:
    tables = [world.open(0, ["random", "random"], game="dicey") for _ in range(6)]
    first, second = world.follower, more()
    for number in range(12):
        for table_id in tables:
            table = world.table(table_id)
            for seat, bot in bots.bots_to_act(table):
                bots.decide_once(world.context, table, seat, bot)
        if number == 3:
            settle(first, second)
        elif number == 7:
            first.disconnect()
            settle(second)
        elif number == 9:
            settle(first, second)
        for each in (first, second):
            while each.step():
                pass
    settle(first, second)
    for each in (first, second):
        while each.step():
            pass
    for table_id in tables:
        oracle.check(world, table_id)


def test_a_killed_followers_partitions_are_taken_over(world: World) -> None:
    environ = os.environ | {"DATABASE_URL": world.settings.database_url or "", "REDIS_URL": "", "LOG_LEVEL": "ERROR"}
    process = subprocess.Popen([sys.executable, "-m", "projections.follower"], env=environ)
    try:
        eventually(lambda: holders(world) == 1)
        eventually(lambda: len(settle(world.follower)[0]) == PARTITIONS // 2)
        process.send_signal(signal.SIGKILL)
        process.wait(10)
        eventually(lambda: len(settle(world.follower)[0]) == PARTITIONS)
    finally:
        process.kill()
        process.wait(10)
    table_id = world.open(2)
    world.follow()
    oracle.check(world, table_id)


def holders(world: World) -> int:
    return world.context.database.query(
        "SELECT count(*) AS n FROM pg_locks WHERE classid = %s AND objid = %s AND granted"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        (LOCKS, PRESENT),
    )[0]["n"]


def test_the_process_follows_and_ends_on_a_signal(world: World) -> None:
    environ = os.environ | {"DATABASE_URL": world.settings.database_url or "", "REDIS_URL": "", "LOG_LEVEL": "ERROR"}
    process = subprocess.Popen([sys.executable, "-m", "projections.follower"], env=environ)
    try:
        table_id = world.open(2)
        eventually(lambda: read.lobby_row(world.context.database, table_id) is not None)
        process.terminate()
        assert process.wait(15) == 0
    finally:
        process.kill()
        process.wait(10)


class StalledWriter:
    """An append that has taken its ids and does not commit."""

    def __init__(self, world: World, event: StoredEvent) -> None:
        self.connection = psycopg.connect(world.settings.database_url or "")
        self.connection.execute(
            "SELECT append_events(%s::uuid[], %s::bigint[], %s::text[], %s::bytea[], NULL, NULL, NULL, 0, 0, NULL)",
            ([event.originator_id], [event.originator_version], [event.topic], [event.state]),
        )

    def commits(self) -> None:
        self.connection.commit()
        self.connection.close()


def test_a_stalled_writer_is_not_skipped_and_stalls_no_other_table(world: World) -> None:
    stalled, other = world.open(2, game="veiled", start_seat=0), world.open(2, game="veiled", start_seat=0)
    world.follow()
    next_event = stored_next(world, stalled)
    writer = StalledWriter(world, next_event)
    world.act(other, 0, {"type": "draw"})
    world.act(other, 0, {"type": "end_turn"})
    eventually(lambda: world.follower.step() or recorded(world, other) == world.table(other).version)
    oracle.check(world, other)
    before = min(Positions(world.context.database).read().values())
    assert recorded(world, stalled) == next_event.originator_version - 1
    world.act(other, 1, {"type": "draw"})
    eventually(lambda: world.follower.step() or recorded(world, other) == world.table(other).version)
    assert min(Positions(world.context.database).read().values()) == before, "the position waits for the writer"
    writer.commits()
    eventually(lambda: world.follower.step() or recorded(world, stalled) == next_event.originator_version)
    eventually(lambda: world.follower.step() or min(Positions(world.context.database).read().values()) > before)
    for table_id in (stalled, other):
        oracle.check(world, table_id)


def test_a_follower_that_starts_anew_during_a_stall_goes_on_where_the_rows_stand(world: World) -> None:
    stalled, other = world.open(2, game="veiled", start_seat=0), world.open(2, game="veiled", start_seat=0)
    world.follow()
    writer = StalledWriter(world, stored_next(world, stalled))
    world.act(other, 0, {"type": "draw"})
    eventually(lambda: world.follower.step() or recorded(world, other) == world.table(other).version)
    world.follower.disconnect()
    world.act(other, 0, {"type": "end_turn"})
    eventually(lambda: world.follower.step() or recorded(world, other) == world.table(other).version)
    writer.commits()
    eventually(lambda: world.follower.step() or recorded(world, stalled) == world.table(stalled).version)
    for table_id in (stalled, other):
        oracle.check(world, table_id)


def stored_next(world: World, table_id: UUID) -> StoredEvent:
    """What a person's action would append to a table, without appending it."""
    from domain import play
    from domain.record import write

    table, seed = world.table(table_id), world.context.tables.server_seed(table_id)
    seat = world.to_act(table_id)[0]
    drafts = play.act(table, seat, world.legal(table_id, seat)[0], play.chance_of(table, seed))
    events = write(
        drafts, table=table_id, version=table.version, digest=table.digest, server_seed=seed,
        by="player:x", at=world.context.now(), command=uuid4().hex,
    )  # fmt: skip
    assert len(events) == 1
    return world.context.tables.mapper.to_stored_event(events[0])


def recorded(world: World, table_id: UUID) -> int:
    row = read.lobby_row(world.context.database, table_id)
    return 0 if row is None else row.recorded


def test_a_batch_that_ends_within_a_command_shows_the_whole_command(world: World) -> None:
    small = Follower(replace(world.settings, follower_batch=1), world.context.games)
    table_id = world.open(2)  # opened, one seat taken; the other seat's command starts the game: several events
    try:
        seen = set()
        while small.step():
            seen.add(recorded(world, table_id))
    finally:
        small.close()
    ends = {event.version for event in world.context.tables.recorded(table_id) if event.barrier}
    assert max(ends) in seen
    commands = [event.command for event in world.context.tables.recorded(table_id)]
    whole = {n + 1 for n, command in enumerate(commands) if commands[n + 1 : n + 2] != [command]}
    assert seen <= whole | {0}
    oracle.check(world, table_id)


def broken_event(world: World, table_id: UUID) -> int:
    """Append an event that no program can read; returns its version."""
    version = world.table(table_id).version + 1
    bad = StoredEvent(table_id, version, "roeko.Nonsense", b"not an event")
    world.context.tables.recorder.insert_events([bad])
    return version


def test_a_record_that_cant_be_read_stops_its_own_rows_only(world: World) -> None:
    bad, good = world.open(2), world.open(2)
    world.follow()
    before = [row for row in world.rows("views")["views"] if row["table_id"] == str(bad)]
    version = broken_event(world, bad)
    world.act(good, world.to_act(good)[0], world.legal(good, world.to_act(good)[0])[0])
    world.follow()
    oracle.check(world, good)
    assert [(row["table_id"], row["version"]) for row in world.rows("broken")["broken"]] == [(str(bad), version)]
    assert [row for row in world.rows("views")["views"] if row["table_id"] == str(bad)] == before
    positions = Positions(world.context.database).read()
    assert positions[partition_of(bad)] == world.context.tables.recorder.max_notification_id()
    world.follower.disconnect()
    world.follow()
    assert len(world.rows("broken")["broken"]) == 1, "it is broken still after a new start"


def test_a_table_that_can_be_projected_again_is_mended_by_a_rebuild_or_a_new_start(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from projections import rows

    table_id = world.open(2, game="veiled", start_seat=0)
    lobby = rows.lobby

    def fails(*_: Any) -> Any:
        raise ValueError("a mistake of the program")

    for mend in (lambda: rebuild(world.settings, [table_id], games=world.context.games), lambda: None):
        monkeypatch.setattr(rows, "lobby", fails)
        seat = world.to_act(table_id)[0]
        world.act(table_id, seat, {"type": "draw"})
        world.follow()
        assert [row["table_id"] for row in world.rows("broken")["broken"]] == [str(table_id)]
        monkeypatch.setattr(rows, "lobby", lobby)
        world.act(table_id, seat, {"type": "end_turn"})
        world.follow()
        assert world.rows("broken")["broken"], "it is not skipped silently"
        world.follower.disconnect()
        mend()
        world.follow()
        assert world.rows("broken")["broken"] == []
        oracle.check(world, table_id)


def test_rows_that_the_database_refuses_stop_no_other_table(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from projections import rows

    bad, good = world.open(2), world.open(2)
    lobby = rows.lobby

    def spoilt(table: Any, upto: int) -> Any:
        made = lobby(table, upto)
        return replace(made, body=b"no \0 JSON") if table.id == bad else made

    monkeypatch.setattr(rows, "lobby", spoilt)
    world.follow()
    oracle.check(world, good)
    assert [row["table_id"] for row in world.rows("broken")["broken"]] == [str(bad)]
    assert read.lobby_row(world.context.database, bad) is None
    monkeypatch.setattr(rows, "lobby", lobby)
    world.follower.disconnect()
    world.follow()
    oracle.check(world, bad)


def test_a_lost_connection_loses_nothing(world: World) -> None:
    table_id = world.open(2)
    thread = threading.Thread(target=world.follower.run, daemon=True)
    thread.start()
    try:
        for _ in range(3):
            eventually(lambda: recorded(world, table_id) == world.table(table_id).version)
            kill_connections(world)
            seat = world.to_act(table_id)[0]
            world.act(table_id, seat, world.legal(table_id, seat)[0])
        eventually(lambda: recorded(world, table_id) == world.table(table_id).version)
    finally:
        world.follower.stop()
        thread.join(15)
    oracle.check(world, table_id)


def kill_connections(world: World) -> None:
    with psycopg.connect(world.settings.database_url or "", autocommit=True) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            " AND application_name LIKE 'turnkeeper-follower%'"
        )


def test_whoever_waits_for_a_version_gets_its_row_or_nothing(world: World) -> None:
    table_id = world.open(2, game="veiled", start_seat=0)
    world.follow()
    database, head = world.context.database, world.table(table_id).version
    assert read.wait_for_view(database, table_id, None, head, 0.1) is not None
    assert read.wait_for_view(database, table_id, None, head + 1, 0.05) is None
    assert not read.wait_until_recorded(database, table_id, head + 1, 0.05)
    world.act(table_id, 0, {"type": "draw"})
    world.follow()
    assert read.wait_until_recorded(database, table_id, head + 1, 0.05)
    shown = read.wait_for_view(database, table_id, 0, head + 1, 0.05)
    assert shown is not None
    assert shown.version == head + 1
    assert read.wait_for_view(database, table_id, 1, head + 1, 0.05) is None, "others wait for the barrier"


def test_lists_are_paged_filtered_and_keep_private_tables_to_their_players(world: World) -> None:
    tables = [world.open(2, game="veiled") for _ in range(3)]
    private = world.open(2, private=True)
    owner = world.person_at(private, 0)
    assert owner is not None
    world.follow()
    database = world.context.database
    assert [row.table_id for row in read.lobby_page(database, asker=None).items] == tables[::-1]
    assert [row.table_id for row in read.lobby_page(database, asker=owner.id).items] == [private, *tables[::-1]]
    mine = read.lobby_page(database, asker=owner.id, player=owner.id, status="running", game="roeko")
    assert [row.table_id for row in mine.items] == [private]
    first = read.lobby_page(database, asker=None, limit=2)
    second = read.lobby_page(database, asker=None, limit=2, after=first.next)
    assert [row.table_id for row in (*first.items, *second.items)] == tables[::-1]
    assert second.next is None
    assert read.lobby_page(database, asker=None, status="finished").items == ()


def test_a_players_turns_are_listed_the_longest_waiting_first(world: World) -> None:
    tables = [world.open(2, game="veiled", start_seat=0) for _ in range(2)]
    world.follow()
    owner = world.person_at(tables[1], 0)
    assert owner is not None
    database = world.context.database
    assert [row.table_id for row in read.turns_of(database, owner.id)] == [tables[1]]
    world.act(tables[1], 0, {"type": "draw"})
    world.follow()
    assert [row.table_id for row in read.turns_of(database, owner.id)] == [tables[1]]
    world.act(tables[1], 0, {"type": "end_turn"})
    world.follow()
    assert read.turns_of(database, owner.id) == ()
