"""Rows built anew are the rows that were there."""

from __future__ import annotations

from random import Random

from projections.partitions import LOCKS, OWNED
from projections.rebuild import rebuild
from projections.store import TABLES
from tests.projections.world import World
from workers import bots, scoring


def several_tables(world: World) -> None:
    """Tables of every kind: waiting, running with undone and hidden steps, resigned, finished, sealed."""
    rng = Random(11)
    world.open(1, ["automa"], start="manual")
    running = world.open(3)
    for _ in range(30):
        world.random_command(running, rng)
    left = world.open(2, ["random"], game="parry")
    world.resign(left, 1)
    ended = world.open(0, ["random", "random"])
    bots.play_on(world.context, ended)
    sealed = world.open(0, ["random"] * 3, game="dicey", casual=True)
    bots.play_on(world.context, sealed)
    scoring.finish(world.context, sealed)
    hidden = world.open(2, game="veiled", start_seat=0)
    world.act(hidden, 0, {"type": "draw"})
    world.undo(hidden, 0)


def test_a_rebuild_gives_identical_rows(world: World) -> None:
    several_tables(world)
    world.follow()
    before = world.rows()
    world.follower.disconnect()
    done, faults = rebuild(world.settings, games=world.context.games)
    assert (done, faults) == (6, [])
    assert world.rows() == before
    assert all(before[name] for name in TABLES), "every read model had rows to compare"


def test_a_rebuild_replaces_whatever_rows_say(world: World) -> None:
    several_tables(world)
    world.follow()
    before = world.rows()
    world.follower.disconnect()
    world.context.database.execute("UPDATE views SET body = 'x'")
    world.context.database.execute("DELETE FROM log WHERE version % 2 = 0")
    world.context.database.execute("UPDATE log SET truncated_by = 1, private_to = 1")
    world.context.database.execute("UPDATE work SET version = 0, kind = 'nonsense'")
    world.context.database.execute("DELETE FROM results")
    rebuild(world.settings, games=world.context.games)
    assert world.rows() == before


def test_only_the_named_table_is_rebuilt(world: World) -> None:
    first, second = world.open(2), world.open(2)
    world.follow()
    world.follower.disconnect()
    world.context.database.execute("UPDATE views SET body = 'x'")
    assert rebuild(world.settings, [first], games=world.context.games) == (1, [])
    rows = world.context.database.query("SELECT DISTINCT table_id FROM views WHERE body = 'x'")
    assert [row["table_id"] for row in rows] == [second]


def test_a_follower_gives_its_partitions_up_for_a_rebuild_and_goes_on_afterwards(world: World) -> None:
    from threading import Thread

    several_tables(world)
    world.follow()
    before = world.rows()
    thread = Thread(target=world.follower.run, daemon=True)
    thread.start()
    done, _ = rebuild(world.settings, games=world.context.games)
    assert done == 6
    assert world.rows() == before
    held = "SELECT count(*) AS n FROM pg_locks WHERE classid = %s AND objid >= %s AND objid < %s"
    for _ in range(200):
        found = world.context.database.query(held, (LOCKS, OWNED, OWNED + 16))[0]["n"]
        if found == 16:
            break
        thread.join(0.05)
    assert found == 16, "the follower took its partitions again"
    world.follower.stop()
    thread.join(10)
    assert not thread.is_alive()


def test_rows_made_in_small_batches_are_the_rows_made_in_one(world: World) -> None:
    from dataclasses import replace

    from projections.follower import Follower

    several_tables(world)
    small = Follower(replace(world.settings, follower_batch=3, cache_tables=1), world.context.games)
    while small.step():
        pass
    small.close()
    in_batches = world.rows()
    rebuild(world.settings, games=world.context.games)
    assert world.rows() == in_batches
