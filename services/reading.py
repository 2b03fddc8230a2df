"""What may be read: tables, views and outcomes, each as the one who asks may see it.

Who may see a private table at all is decided here, for reading and changing alike.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from domain import refusals, viewing
from domain.game import Viewer
from domain.table import Table
from infra.loader import NoSuchTable
from projections import current, read, views
from projections.rows import insiders
from services import players, seats
from services.commands import Outcome
from services.context import Context
from services.players import Player

PATIENCE = 2.0
"""Seconds that a reader waits at most for a version named by itself."""

LOG_PATIENCE = 0.5
"""Seconds that a reader of the log waits at most for what is recorded already."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody who may see a table.

    Args:
        table: as it stands now.
        seat: what the visitor sees it as; None: as the public does.
        owns: whether the invitation code is shown to the visitor.
    """

    table: Table
    seat: Viewer
    owns: bool


@dataclass(frozen=True, slots=True)
class View:
    """The answer of GET view: `body` as sent; `mark` changes whenever it does."""

    body: bytes
    mark: tuple[int, int]
    seat: Viewer


def visit(context: Context, player: Player | None, table_id: UUID, invitation: str | None = None) -> Visit:
    """Look at a table.

    Raises:
        NotFound: if there is none, or none that the asker may know of.
    """
    try:
        table = context.tables.load(table_id)
    except NoSuchTable as error:
        raise _no_table() from error
    assert table.desk is not None
    seat = table.desk.seat_of(str(player.id)) if player else None
    owns = _owns(table, player)
    if table.desk.private and not owns:
        _admit(context, table, player, invitation)
    return Visit(table, seat, owns)


def recall(context: Context, player: Player, table_id: UUID) -> Table:
    """A table for a command of play, as this process last knew it, which is the newest or soon found to be old.

    Raises:
        NotFound: as `visit`.
    """
    known = context.tables.recall(table_id)
    if known is None or (known.desk is not None and known.desk.private and not _owns(known, player)):
        return visit(context, player, table_id).table
    return known


def _owns(table: Table, player: Player | None) -> bool:
    return player is not None and str(player.id) in insiders(table)


def _admit(context: Context, table: Table, player: Player | None, invitation: str | None) -> None:
    """Let in who once had a seat, moderators, and who holds the invitation; for others there is no such table."""
    assert table.desk is not None
    if player is not None and (player.moderator or str(player.id) in table.desk.gone):
        return
    code = seats.invitation(context, table.id) if invitation else None
    if not (invitation and code and hmac.compare_digest(invitation.encode(), code.encode())):
        raise _no_table()


def _no_table() -> refusals.NotFound:
    return refusals.NotFound("no such table")


def table(context: Context, player: Player | None, table_id: UUID, invitation: str | None = None) -> dict[str, Any]:
    """The table resource, as new as the record.

    Raises:
        NotFound: as `visit`.
    """
    row = current.resource(context.database, table_id, player.id if player else None)
    if row is None:
        return _resource(context, visit(context, player, table_id, invitation))
    body = row.body | ({"invitation": row.code} if row.insider and row.code else {})
    return named(context, [body])[0]


def _resource(context: Context, visit: Visit) -> dict[str, Any]:
    body = views.resource(visit.table) | {"version": visit.table.seen_by(visit.seat).version}
    if visit.owns and (code := seats.invitation(context, visit.table.id)):
        body["invitation"] = code
    return named(context, [body])[0]


def opened(context: Context, outcome: Outcome, player: Player) -> dict[str, Any]:
    """The table resource right after a player's call at the desk."""
    desk = outcome.table.desk
    assert desk is not None
    owns = str(player.id) in insiders(outcome.table)
    return _resource(context, Visit(outcome.table, desk.seat_of(str(player.id)), owns))


def named(context: Context, bodies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same tables with their players as `{"id", "name"}`; an erased name is None."""
    lines = [line for body in bodies for line in _lines(body)]
    names = players.names(context, [UUID(each) for each in {line["player"] for line in lines} - {None}])
    return [_named(body, names) for body in bodies]


def _lines(body: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    return [*body.get("seats", ()), *(body.get("result") or {}).get("seats", ())]


def _named(body: dict[str, Any], names: Mapping[UUID, str | None]) -> dict[str, Any]:
    named = dict(body)
    if "seats" in named:
        named["seats"] = [line | {"player": _player(line["player"], names)} for line in named["seats"]]
    if named.get("result"):
        named["result"] = _named(named["result"], names)
    return named


def _player(player: str | None, names: Mapping[UUID, str | None]) -> dict[str, Any] | None:
    return None if player is None else {"id": player, "name": names.get(UUID(player))}


def view(
    context: Context,
    player: Player | None,
    table_id: UUID,
    *,
    at: int | None = None,
    min_version: int = 0,
    invitation: str | None = None,
) -> View:
    """A player's view: from its row if that stands at the record's head, else from the stream.

    Args:
        at: an earlier version; between two barriers of another seat it is shown as of the first.
        min_version: waits `PATIENCE` seconds at most for a view that has come that far.

    Raises:
        NotFound: as `visit`; also if there is no version `at`, or not yet for this player.
    """
    if at is not None:
        visited = visit(context, player, table_id, invitation)
        return _computed(context, _then(context, visited, at), visited.seat)
    shown = _now(context, player, table_id, invitation)
    if shown.mark[0] < min_version:
        read.wait_for_view(context.database, table_id, shown.seat, min_version, PATIENCE)
        shown = _now(context, player, table_id, invitation)
    return shown


def _now(context: Context, player: Player | None, table_id: UUID, invitation: str | None) -> View:
    row = current.view(context.database, table_id, player.id if player else None)
    if row is not None:
        return View(row.body, (row.version, row.revision), row.viewer)
    visited = visit(context, player, table_id, invitation)
    return _computed(context, visited.table, visited.seat)


def _computed(context: Context, table: Table, seat: Viewer) -> View:
    return View(views.body(table, seat, context.signer), views.mark(table, seat), seat)


def _then(context: Context, visit: Visit, at: int) -> Table:
    if at > _public_head(visit):
        raise refusals.NotFound("the table has no such version, or you may not see it yet")
    return context.tables.load_whole(visit.table.id, max(at, 1))


def done(context: Context, outcome: Outcome, player: Player) -> dict[str, Any]:
    """The answer to an action or an undo: what was recorded, and the view right after it, as the player sees both."""
    table = outcome.table
    assert table.desk is not None
    assert table.rules is not None
    seat = table.desk.seat_of(str(player.id))
    whole = table.desk.is_sealed
    entries = [
        viewing.entry(table.rules, event, seat, whole=whole) | {"truncated_by": None} for event in outcome.events
    ]
    return {
        "version": table.seen_by(seat).version,
        "events": entries,
        "view": views.view(table, seat, context.signer),
    }


def events(
    context: Context, player: Player | None, table_id: UUID, *, after: int, limit: int, invitation: str | None = None
) -> tuple[list[dict[str, Any]], int | None]:
    """A page of the log as the player may read it, and the version to go on after; None at the end of the log.

    Raises:
        NotFound: as `visit`.
    """
    visited = visit(context, player, table_id, invitation)
    read.wait_until_recorded(context.database, table_id, _public_head(visited), LOG_PATIENCE)
    page = read.log_page(context.database, table_id, visited.seat, after=after, limit=limit + 1)
    return page[:limit], page[limit - 1]["version"] if len(page) > limit else None


def _public_head(visit: Visit) -> int:
    """The last event, of any kind, that the visitor may see for sure: nothing tells of others' hidden steps."""
    table = visit.table
    return table.version if table.holder in (None, visit.seat) else table.settled.version


def result(context: Context, player: Player | None, table_id: UUID, invitation: str | None = None) -> dict[str, Any]:
    """The score sheet of a table.

    Raises:
        NotFound: as `visit`; also before the scoring.
    """
    shown = views.result(visit(context, player, table_id, invitation).table)
    if shown is None:
        raise refusals.NotFound("this table has no result yet")
    return named(context, [shown])[0]
