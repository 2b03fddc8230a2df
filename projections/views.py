"""What a viewer is shown of a table: the one place that the interface's answers and the stored rows both come from.

Names of players are not in it: they are joined where an answer is given, so that they can be erased.
"""

from __future__ import annotations

from typing import Any

import msgspec

from domain import viewing
from domain.desk import Seat
from domain.game import Viewer
from domain.record import timestamp
from domain.table import Table
from infra.signing import Signer


def view(table: Table, viewer: Viewer, signer: Signer) -> dict[str, Any]:
    """The answer of GET view, as JSON.

    Args:
        table: as of the version asked for.
        viewer: a seat, or None for the public.
    """
    shown = viewing.view(table, viewer)
    head = shown["log_head"]
    signature = signer.sign(table.id, head["version"], bytes.fromhex(head["digest"]))
    return shown | {"log_head": head | {"signature": signature}}


def body(table: Table, viewer: Viewer, signer: Signer) -> bytes:
    """The answer of GET view, byte for byte."""
    return encoded(view(table, viewer, signer))


def encoded(value: Any) -> bytes:
    """JSON as every answer writes it: keys sorted, no white space.

    A fact keeps the order of its keys in the process that wrote it, but not in one that read it back.
    """
    return msgspec.json.encode(value, order="deterministic")


def mark(table: Table, viewer: Viewer) -> tuple[int, int]:
    """Visible version and desk revision: two views of one viewer with the same mark are the same bytes."""
    assert table.desk is not None
    return table.seen_by(viewer).version, table.desk.revision + (table.broken is not None)


def resource(table: Table) -> dict[str, Any]:
    """A table as everybody may see it, players by id (or None), invitation left out."""
    desk, seen = table.desk, table.settled
    assert desk is not None
    assert table.rules is not None
    begun = seen.state is not None
    to_act = table.rules.to_act(seen.state) if table.status == "running" else ()
    return {
        "id": str(table.id),
        "game": desk.game,
        "status": table.status,
        "version": seen.version,
        "seats": [_seat(number, seat) for number, seat in enumerate(desk.seats)],
        "start_seat": seen.start_seat if begun else desk.start_seat,
        "to_act": list(to_act),
        "turn": table.rules.turn(seen.state).number if begun else 0,
        "options": dict(desk.options),
        "private": desk.private,
        "casual": desk.casual,
        "commitment": desk.commitment,
        "closed": "broken" if table.broken else desk.annulled or desk.abandoned,
        "imported": None if desk.imported is None else {"table": desk.imported.table, "origin": desk.imported.origin},
        "created_at": timestamp(desk.opened_at),
        "updated_at": timestamp(desk.changed_at if seen.at is None else max(seen.at, desk.changed_at)),
        "result": result(table),
    }


def _seat(number: int, seat: Seat) -> dict[str, Any]:
    return {"seat": number, "kind": seat.kind, "player": seat.player, "bot": seat.bot}


def result(table: Table) -> dict[str, Any] | None:
    """The score sheet with who sat where, players by id; None before the scoring."""
    sheet = table.settled.sheet
    if sheet is None:
        return None
    assert table.desk is not None
    seats = table.desk.seats
    lines = [
        {
            "seat": line["seat"],
            "player": seats[line["seat"]].player,
            "bot": seats[line["seat"]].bot,
            "team": line["team"],
            "total": line["total"],
            "rank": line["rank"],
            "breakdown": line["breakdown"],
        }
        for line in sheet["seats"]
    ]
    return {**sheet, "seats": lines}
