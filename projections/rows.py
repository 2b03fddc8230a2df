"""The rows of a table, computed from its value alone: lobby, views, work, results. Pure but for signatures.

The log's rows, which come from events one by one, are in `projections/log.py`; SQL is in `projections/store.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from domain import proposals
from domain.game import Viewer
from domain.table import Table
from infra.signing import Signer
from projections import views

PUBLIC = -1
"""The public among the viewers of rows, where a seat is a number from 0."""

NO_SEAT = -1


@dataclass(frozen=True, slots=True)
class LobbyRow:
    """A table in the lobby; the columns are explained in the migration."""

    table_id: UUID
    game: str
    status: str
    private: bool
    sealed: bool
    players: tuple[str | None, ...]
    insiders: tuple[str, ...]
    gone: tuple[str, ...]
    waits_for: tuple[str, ...]
    waits_since: datetime
    holder: int | None
    public_upto: int
    version: int
    revision: int
    recorded: int
    body: bytes
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ViewRow:
    """The answer of GET view for one viewer, a seat or `PUBLIC`."""

    table_id: UUID
    viewer: int
    version: int
    revision: int
    body: bytes


@dataclass(frozen=True, slots=True)
class WorkRow:
    """Something to be done from `due` on, at the position `version`. `kind`: `bot`, `score` or `seal`."""

    table_id: UUID
    kind: str
    seat: int
    version: int
    due: datetime


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A seat's line of a score sheet."""

    table_id: UUID
    seat: int
    game: str
    player: str | None
    bot: str | None
    team: int | None
    total: int
    rank: int
    breakdown: bytes
    tie_break: str | None
    reason: str
    counted: bool
    scored_at: datetime


def lobby(table: Table, public_upto: int) -> LobbyRow:
    """The lobby's row.

    Args:
        public_upto: see `projections.log.Tracked`.
    """
    desk, seen = table.desk, table.settled
    assert desk is not None
    body = views.resource(table)
    players = tuple(seat.player for seat in desk.seats)
    asked = [seat for each in desk.proposals for seat in proposals.waiting(table, each)]
    waited_for = dict.fromkeys((*body["to_act"], *asked))
    return LobbyRow(
        table_id=table.id,
        game=desk.game,
        status=table.status,
        private=desk.private,
        sealed=desk.is_sealed,
        players=players,
        insiders=insiders(table),
        gone=desk.gone,
        waits_for=tuple(player for seat in waited_for if (player := players[seat]) is not None),
        waits_since=seen.at or desk.opened_at,
        holder=table.holder,
        public_upto=public_upto,
        version=seen.version,
        revision=desk.revision,
        recorded=table.version,
        body=views.encoded(body),
        created_at=desk.opened_at,
        updated_at=desk.changed_at if seen.at is None else max(seen.at, desk.changed_at),
    )


def insiders(table: Table) -> tuple[str, ...]:
    """Who may see a private table and is shown its invitation: the players with a seat, and the owner."""
    assert table.desk is not None
    seated = (seat.player for seat in table.desk.seats if seat.player is not None)
    return tuple(dict.fromkeys((*seated, table.desk.owner)))


def viewers(table: Table) -> tuple[Viewer, ...]:
    """The public and every seat."""
    assert table.desk is not None
    return (None, *range(len(table.desk.seats)))


def number_of(viewer: Viewer) -> int:
    """A viewer as rows number it."""
    return PUBLIC if viewer is None else viewer


def view(table: Table, viewer: Viewer, signer: Signer) -> ViewRow:
    """A viewer's row."""
    version, revision = views.mark(table, viewer)
    return ViewRow(table.id, number_of(viewer), version, revision, views.body(table, viewer, signer))


def work(table: Table, seal_after: float) -> tuple[WorkRow, ...]:
    """What the effective record wants done.

    Args:
        seal_after: seconds from the score to the seal.
    """
    desk, settled = table.desk, table.settled
    assert desk is not None
    if table.status == "running":
        return _turns_of_bots(table)
    if table.status == "open" or settled.at is None or desk.is_sealed or table.broken:
        return ()
    if settled.sheet is None and desk.abandoned is None:
        return (WorkRow(table.id, "score", NO_SEAT, settled.version, settled.at),)
    return (WorkRow(table.id, "seal", NO_SEAT, settled.version, seal_due(table, seal_after)),)


def seal_due(table: Table, seal_after: float) -> datetime:
    """From when on a scored, or abandoned, game may be sealed."""
    assert table.settled.at is not None
    assert table.desk is not None
    closed = table.settled.at if table.desk.abandoned is None else table.desk.changed_at
    return closed + timedelta(seconds=seal_after)


def bots_to_act(table: Table) -> tuple[tuple[int, str], ...]:
    """Seats with their bots' names that must decide now, in a running table.

    While a person's steps are provisional that person alone is to act, so no bot is here; a bot's own are as good
    as anybody's.
    """
    if table.status != "running" or table.rules is None or table.desk is None:
        return ()
    seats = table.desk.seats
    return tuple((n, bot) for n in table.rules.to_act(table.play.state) if (bot := seats[n].bot) is not None)


def _turns_of_bots(table: Table) -> tuple[WorkRow, ...]:
    desk, play = table.desk, table.play
    assert desk is not None
    assert play.at is not None
    due = max(play.at, desk.changed_at)
    return tuple(WorkRow(table.id, "bot", seat, play.version, due) for seat, _ in bots_to_act(table))


def results(table: Table) -> tuple[ResultRow, ...]:
    """One row a seat of a scored game; none before."""
    desk, settled = table.desk, table.settled
    shown = views.result(table)
    if desk is None or shown is None or settled.at is None:
        return ()
    counted = not (desk.casual or settled.taken_back or desk.annulled or desk.imported)
    lines: list[dict[str, Any]] = shown["seats"]
    return tuple(
        ResultRow(
            table_id=table.id,
            seat=line["seat"],
            game=desk.game,
            player=line["player"],
            bot=line["bot"],
            team=line["team"],
            total=line["total"],
            rank=line["rank"],
            breakdown=views.encoded(line["breakdown"]),
            tie_break=shown["tie_break"],
            reason=shown["reason"],
            counted=counted,
            scored_at=settled.at,
        )
        for line in lines
    )
