"""What rows must be, said once more and plainly: by folding from the first event and by sets of versions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from domain import viewing
from domain.desk import DESK, Truncated
from domain.record import Event, fact_data
from domain.table import Table
from infra.signing import Signer
from tests.projections.world import World


def shown(table: Table, viewer: int | None, signer: Signer) -> dict[str, Any]:
    """A view as the domain gives it, signed."""
    view = viewing.view(table, viewer)
    head = view["log_head"]
    head["signature"] = signer.sign(table.id, head["version"], bytes.fromhex(head["digest"]))
    return plain(view)


def plain(value: Any) -> Any:
    """As it comes out of JSON."""
    return json.loads(json.dumps(value))


def standing(events: list[Event]) -> dict[int, frozenset[int]]:
    """Version → play events that stand right after it: at(v) = at(m) for a truncation to m, else at(v − 1) + [v]."""
    at: dict[int, frozenset[int]] = {0: frozenset()}
    for event in events:
        before = at[event.version - 1]
        if isinstance(event.fact, Truncated):
            at[event.version] = at[event.fact.to]
        else:
            at[event.version] = before | ({event.version} if not isinstance(event.fact, DESK) else frozenset())
    return at


def truncated_by(events: list[Event]) -> dict[int, int | None]:
    """Version → the truncation that it was cut by last, unless it stands."""
    at, head = standing(events), events[-1].version
    found: dict[int, int | None] = {}
    for event in events:
        v = event.version
        cuts = [each for each in range(v + 1, head + 1) if v in at[each - 1] and v not in at[each]]
        found[v] = cuts[-1] if cuts and v not in at[head] else None
    return found


def private_to(events: list[Event], holders: Mapping[int, int | None]) -> dict[int, int | None]:
    """Version → the seat that alone has seen it; None if a barrier came while it stood.

    `holders`: version → who held provisional steps right after it.
    """
    at = standing(events)
    barriers = [event.version for event in events if event.barrier]
    found: dict[int, int | None] = {}
    for event in events:
        v = event.version
        public = isinstance(event.fact, DESK) or event.barrier
        seen = public or any(v in at[barrier] for barrier in barriers if barrier >= v)
        found[v] = None if seen else holders[v]
    return found


def public_upto(events: list[Event], table: Table) -> int:
    """Before the first event since the last barrier that only the holder may read."""
    since = max((event.version for event in events if event.barrier), default=0)
    hidden = [event.version for event in events if event.version > since and not isinstance(event.fact, DESK)]
    return hidden[0] - 1 if hidden and table.status == "running" else table.version


def check(world: World, table_id: UUID) -> None:
    """All rows of a table equal what the domain alone says of its record."""
    events = world.context.tables.recorded(table_id)
    table = world.folded(table_id)
    assert table.desk is not None
    database, signer = world.context.database, world.context.signer
    viewers = [None, *range(len(table.desk.seats))]
    rows = database.query("SELECT * FROM views WHERE table_id = %s ORDER BY viewer", (table_id,))
    assert [row["viewer"] for row in rows] == [-1, *viewers[1:]]
    for viewer, row in zip(viewers, rows, strict=True):
        expected = shown(table, viewer, signer)
        assert json.loads(bytes(row["body"])) == expected, f"view of {viewer} at {table.version}"
        assert (row["version"], row["revision"]) == (expected["version"], table.desk.revision)
    lobby = database.query("SELECT * FROM lobby WHERE table_id = %s", (table_id,))[0]
    assert lobby["recorded"] == table.version
    assert lobby["holder"] == table.holder
    assert lobby["public_upto"] == public_upto(events, table)
    assert lobby["status"] == lobby["body"]["status"] == table.status
    assert lobby["version"] == lobby["body"]["version"] == table.settled.version
    check_log(world, table_id, events)
    check_work(world, table)


def check_log(world: World, table_id: UUID, events: list[Event]) -> None:
    """Every event has its row, with what each viewer may read of it."""
    rows = world.context.database.query("SELECT * FROM log WHERE table_id = %s ORDER BY version", (table_id,))
    assert [row["version"] for row in rows] == [event.version for event in events]
    cuts = truncated_by(events)
    assert {row["version"]: row["truncated_by"] for row in rows} == cuts
    holders: dict[int, int | None] = {}
    table = Table(id=table_id, games=world.context.games)
    positions = {0: table.play}
    for event in events:
        table = table.evolve(event, positions.__getitem__)
        positions[event.version] = table.play
        holders[event.version] = table.holder
    assert {row["version"]: row["private_to"] for row in rows} == private_to(events, holders)
    assert table.rules is not None
    assert table.desk is not None
    for row, event in zip(rows, events, strict=True):
        for viewer in (None, *range(len(table.desk.seats))):
            own = row["entries"].get("public" if viewer is None else str(viewer), row["entries"]["public"])
            assert own == plain(viewing.entry(table.rules, event, viewer, whole=False))
        assert (row["entries"]["public"]["data"] if row["whole"] is None else row["whole"]) == plain(
            fact_data(event.fact)
        )


def check_work(world: World, table: Table) -> None:
    """Work is there exactly while the record wants it."""
    assert table.desk is not None
    assert table.rules is not None
    wanted: list[tuple[str, int]] = []
    if table.status == "running":
        seats = table.rules.to_act(table.play.state)
        wanted = [("bot", seat) for seat in seats if table.desk.seats[seat].kind == "bot"]
    elif table.status == "finished" and table.settled.sheet is None and table.desk.abandoned is None:
        wanted = [("score", -1)]
    elif table.settled.state is not None and table.status == "finished" and table.desk.server_seed is None:
        wanted = [("seal", -1)]
    assert world.work(table.id) == sorted(wanted)
