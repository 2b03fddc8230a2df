"""Rows that stand at the head of their record: what was just written can be read from them, or they are not given.

Where a row lags behind, the caller computes the same answer from the stream.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from domain.game import Viewer
from infra.database import Database
from projections.read import Shown
from projections.rows import PUBLIC

_CURRENT = "l.recorded = (SELECT max(e.originator_version) FROM events AS e WHERE e.originator_id = l.table_id)"
_SEES = "(NOT l.private OR %(player)s::uuid = ANY (l.insiders || l.gone))"
# Without a player NULL would be found among the seats that nobody, or a bot, holds.
_VIEWER = (
    "CASE WHEN %(player)s::uuid IS NULL THEN -1 ELSE coalesce(array_position(l.players, %(player)s::uuid), 0) - 1 END"
)


@dataclass(frozen=True, slots=True)
class Resource:
    """A table's row as a player gets it.

    Args:
        body: the table resource with players' ids, `version` as the player may see it.
        insider: whether the player has a seat, or opened the table.
        code: the invitation code, for an insider; None without one.
    """

    body: dict[str, Any]
    insider: bool
    code: str | None


def view(database: Database, table_id: UUID, player: UUID | None) -> Shown | None:
    """The view of whatever seat a player holds, else the public's; None if its row lags, or is not for them."""
    rows = database.query(
        f"SELECT v.viewer, v.version, v.revision, v.body FROM lobby AS l JOIN views AS v"
        f" ON v.table_id = l.table_id AND v.viewer = {_VIEWER}"
        f" WHERE l.table_id = %(table)s AND {_SEES} AND {_CURRENT}",
        {"table": table_id, "player": player},
    )
    if not rows:
        return None
    row = rows[0]
    viewer: Viewer = None if row["viewer"] == PUBLIC else row["viewer"]
    return Shown(viewer, row["version"], row["revision"], bytes(row["body"]))


def resource(database: Database, table_id: UUID, player: UUID | None) -> Resource | None:
    """A table; None if its row lags behind the record, or is not for the player to see."""
    rows = database.query(
        f"SELECT l.body, v.version, coalesce(%(player)s::uuid = ANY (l.insiders), false) AS insider, i.code"
        f" FROM lobby AS l JOIN views AS v ON v.table_id = l.table_id AND v.viewer = {_VIEWER}"
        f" LEFT JOIN invitations AS i ON i.table_id = l.table_id AND %(player)s::uuid = ANY (l.insiders)"
        f" WHERE l.table_id = %(table)s AND {_SEES} AND {_CURRENT}",
        {"table": table_id, "player": player},
    )
    if not rows:
        return None
    row = rows[0]
    return Resource({**row["body"], "version": row["version"]}, row["insider"], row["code"])
