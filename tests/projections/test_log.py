"""What each viewer reads of the log: truncation marks, withdrawn steps, and nothing behind hidden ones."""

from __future__ import annotations

from random import Random
from typing import Any
from uuid import UUID

import pytest

from domain.desk import Truncated
from domain.game import Viewer
from domain.record import Draft
from projections import read
from projections.log import Cut, LogRow, Published, applied
from services.commands import Call, carry_out
from tests.projections import oracle
from tests.projections.world import World


def page(world: World, table_id: UUID, viewer: Viewer, **kwargs: Any) -> list[dict[str, Any]]:
    world.follow()
    return read.log_page(world.context.database, table_id, viewer, **{"limit": 1000, **kwargs})


def types(entries: list[dict[str, Any]], after: int) -> list[str]:
    return [entry["type"] for entry in entries if entry["version"] > after]


def cuts(entries: list[dict[str, Any]], after: int) -> list[int | None]:
    """`truncated_by` from a version on, relative to it."""
    found = [entry.get("truncated_by") for entry in entries if entry["version"] > after]
    return [None if by is None else by - after for by in found]


def truncate(world: World, table_id: UUID, to: int, reason: str = "moderation") -> None:
    """A truncation that everybody sees, as a moderator makes it."""
    draft = Draft(Truncated(to=to, reason=reason), action={"type": reason, "to": to}, barrier=True)
    carry_out(world.context, table_id, Call("m", "moderator:m", reason, to), lambda table: [draft])


def drawing(world: World, seats: int = 2) -> tuple[UUID, int]:
    """A running table of the game in which drawing is provisional, and its head's version; seat 0 is to act."""
    table_id = world.open(seats, game="veiled", start_seat=0)
    return table_id, world.table(table_id).version


DRAW, END = {"type": "draw"}, {"type": "end_turn"}


def test_an_event_that_was_undone_names_the_truncation(world: World) -> None:
    table_id, head = drawing(world)
    world.act(table_id, 0, DRAW)
    world.undo(table_id, 0)
    entries = page(world, table_id, 0)
    assert types(entries, head) == ["veiled.CardDrawn", "table.Truncated"]
    assert cuts(entries, head) == [2, None]


def test_an_event_that_stands_again_names_none(world: World) -> None:
    table_id, head = drawing(world)
    world.act(table_id, 0, DRAW)
    world.undo(table_id, 0)
    world.undo(table_id, 0, head + 1)
    assert cuts(page(world, table_id, 0), head) == [None, None, None]


def test_nested_undo_and_redo_mark_what_stands_now(world: World) -> None:
    table_id, head = drawing(world)
    world.act(table_id, 0, DRAW)  # 1
    world.act(table_id, 0, DRAW)  # 2
    world.undo(table_id, 0)  # 3: cuts 2
    world.undo(table_id, 0)  # 4: cuts 1
    assert cuts(page(world, table_id, 0), head) == [4, 3, None, None]
    world.undo(table_id, 0, head + 3)  # 5: back to what 3 left
    assert cuts(page(world, table_id, 0), head) == [None, 3, None, None, None]
    world.undo(table_id, 0, head + 2)  # 6: back to 2
    assert cuts(page(world, table_id, 0), head) == [None] * 6
    world.undo(table_id, 0, head)  # 7: all at once
    assert cuts(page(world, table_id, 0), head) == [7, 7, *[None] * 5]


def test_a_take_back_behind_a_barrier_marks_all_it_cut_and_desk_events_never(world: World) -> None:
    table_id, head = drawing(world, 3)
    world.act(table_id, 0, DRAW)  # 1
    world.act(table_id, 0, END)  # 2
    world.resign(table_id, 2)  # 3: desk
    world.act(table_id, 1, END)  # 4
    truncate(world, table_id, head)  # 5
    assert cuts(page(world, table_id, None), head) == [5, 5, None, 5, None]
    truncate(world, table_id, head + 4)  # 6: as it was
    assert cuts(page(world, table_id, None), head) == [None] * 6
    world.follow()
    oracle.check(world, table_id)


def test_steps_are_shown_to_others_once_a_barrier_came_while_they_stood(world: World) -> None:
    table_id, head = drawing(world)
    world.act(table_id, 0, DRAW)
    world.act(table_id, 0, DRAW)
    for viewer in (None, 1):
        assert types(page(world, table_id, viewer), head) == []
    assert types(page(world, table_id, 0), head) == ["veiled.CardDrawn"] * 2
    world.act(table_id, 0, END)
    for viewer in (None, 0, 1):
        assert types(page(world, table_id, viewer), head) == ["veiled.CardDrawn"] * 2 + ["veiled.TurnEnded"]


def test_a_step_cut_before_others_saw_it_is_withdrawn_for_them_until_the_seal(world: World) -> None:
    table_id, head = drawing(world)
    world.act(table_id, 0, DRAW)  # 1: cut by 2
    world.undo(table_id, 0)  # 2
    world.act(table_id, 0, DRAW)  # 3: stands
    world.act(table_id, 0, END)  # 4
    expected = ["withdrawn", "withdrawn", "veiled.CardDrawn", "veiled.TurnEnded"]
    for viewer in (None, 1):
        entries = page(world, table_id, viewer)
        assert types(entries, head) == expected
        assert entries[head] == {"version": head + 1, "type": "withdrawn"}
    assert types(page(world, table_id, 0), head)[:2] == ["veiled.CardDrawn", "table.Truncated"]
    finish(world, table_id)
    for viewer in (None, 0, 1):
        entries = page(world, table_id, viewer)
        assert "withdrawn" not in types(entries, 0)
        assert cuts(entries, head)[:4] == [2, None, None, None]


def finish(world: World, table_id: UUID) -> None:
    from workers import scoring

    while world.to_act(table_id):
        world.act(table_id, world.to_act(table_id)[0], END)
    scoring.finish(world.context, table_id)


def test_a_withdrawn_branch_that_a_moderator_brings_back_is_everybodys(world: World) -> None:
    table_id, head = drawing(world)
    world.act(table_id, 0, DRAW)  # 1
    world.undo(table_id, 0)  # 2
    world.act(table_id, 0, END)  # 3
    truncate(world, table_id, head + 1)  # 4: the card drawn stands again
    assert types(page(world, table_id, 1), head) == [
        "veiled.CardDrawn", "withdrawn", "veiled.TurnEnded", "table.Truncated",
    ]  # fmt: skip
    world.follow()
    oracle.check(world, table_id)


def test_a_desk_event_behind_hidden_steps_waits_until_these_are_public(world: World) -> None:
    table_id, head = drawing(world, 3)
    world.act(table_id, 0, DRAW)  # 1: hidden
    world.resign(table_id, 2)  # 2: desk
    for viewer in (None, 1):
        assert types(page(world, table_id, viewer), head) == []
    assert types(page(world, table_id, 0), head) == ["veiled.CardDrawn", "table.Resigned"]
    world.undo(table_id, 0)  # 3: nothing stands, but the gap would tell
    assert types(page(world, table_id, 1), head) == []
    world.act(table_id, 0, END)  # 4
    expected = ["withdrawn", "table.Resigned", "withdrawn", "veiled.TurnEnded"]
    assert types(page(world, table_id, 1), head) == expected


def test_a_desk_event_before_hidden_steps_is_read_at_once_and_stays(world: World) -> None:
    table_id, head = drawing(world, 3)
    world.resign(table_id, 2)
    assert types(page(world, table_id, 1), head) == ["table.Resigned"]
    world.act(table_id, 0, DRAW)
    assert types(page(world, table_id, 1), head) == ["table.Resigned"]


def test_data_is_redacted_while_the_game_runs_and_whole_once_it_is_sealed(world: World) -> None:
    table_id, head = drawing(world)
    setup = head - 1
    for viewer in (None, 0, 1):
        assert "deck" not in page(world, table_id, viewer)[setup]["data"]
    assert len(page(world, table_id, None, auditor=True)[setup]["data"]["deck"]) == 12
    finish(world, table_id)
    for viewer in (None, 0, 1):
        assert len(page(world, table_id, viewer)[setup]["data"]["deck"]) == 12


def test_pages_of_the_log_join_without_gap(world: World) -> None:
    table_id = world.open(2)
    rng = Random(3)
    for _ in range(25):
        world.random_command(table_id, rng)
    whole = page(world, table_id, None)
    pages, after = [], 0
    while part := page(world, table_id, None, after=after, limit=4):
        pages += part
        after = part[-1]["version"]
    assert pages == whole
    assert [entry["version"] for entry in whole] == list(range(1, len(whole) + 1))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([Cut(2, 3, 4)], [(None, 0), (4, 0), (4, 0)]),
        ([Cut(2, 3, 4), Cut(3, 3, None)], [(None, 0), (4, 0), (None, 0)]),
        ([Published(1, 2)], [(None, None), (None, None), (None, 0)]),
    ],
)
def test_changes_apply_in_their_order(changes: list[Any], expected: list[tuple[int | None, int | None]]) -> None:
    rows = [LogRow(UUID(int=1), version, False, 0, None, b"{}", None) for version in (1, 2, 3)]
    assert [(row.truncated_by, row.private_to) for row in applied(rows, changes)] == expected
