"""Use cases at the desk: opening a table, joining, leaving, resigning, starting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from domain import play, refusals, seating
from domain.desk import SUBSTITUTE
from domain.record import Draft
from domain.table import Table
from services.commands import Call, Outcome, carry_out
from services.context import Context
from services.players import Player
from services.secrecy import new_secret


def call_of(player: Player, kind: str, body: Any, key: str | None) -> Call:
    """A player's call; `body` includes the table's id where there is one."""
    return Call(actor=str(player.id), by=f"player:{player.id}", kind=kind, body=body, key=key)


def open_table(
    context: Context, player: Player, wish: Mapping[str, Any], key: str | None = None
) -> tuple[Outcome, str | None]:
    """Open a table as its owner.

    Args:
        wish: `game, seats, options, private, casual, start_seat, start, entropy`, all present.

    Returns:
        The outcome, and the invitation code of a private table.

    Raises:
        InvalidRequest, IdempotencyMismatch.
    """
    game = context.games.get(wish["game"])
    if game is None:
        known = ", ".join(sorted(context.games))
        raise refusals.InvalidRequest("no such game", {"game": [f"must be one of {known}"]})
    asked = seating.Wish(
        game=game,
        seats=tuple(_plan(seat, player, wish["entropy"]) for seat in wish["seats"]),
        options=wish["options"],
        private=wish["private"],
        casual=wish["casual"],
        start_seat=wish["start_seat"],
        start=wish["start"],
    )
    table_id, seed = context.new_id(), context.random_bytes(32)

    def decide(_: Table) -> Sequence[Draft]:
        return seating.open_table(asked, table=table_id, owner=str(player.id), server_seed=seed)

    outcome = carry_out(context, table_id, call_of(player, "open", dict(wish), key), decide, server_seed=seed)
    return outcome, _invite(context, outcome.table) if wish["private"] else None


def _plan(seat: Mapping[str, Any], player: Player, entropy: str) -> dict[str, Any]:
    if seat["kind"] == "me":
        return {"kind": "human", "player": str(player.id), "entropy": entropy}
    return {"kind": "bot", "bot": seat["bot"]} if seat["kind"] == "bot" else {"kind": "open"}


def _invite(context: Context, table: Table) -> str:
    """The invitation code of a private table, made at the first call."""
    code = new_secret(context, "", 12)
    context.database.execute(
        "INSERT INTO invitations (table_id, code) VALUES (%s, %s) ON CONFLICT DO NOTHING", (table.id, code)
    )
    stored = invitation(context, table.id)
    assert stored is not None
    return stored


def invitation(context: Context, table_id: UUID) -> str | None:
    """The invitation code of a table; None if it has none."""
    rows = context.database.query("SELECT code FROM invitations WHERE table_id = %s", (table_id,))
    return rows[0]["code"] if rows else None


def join(
    context: Context, player: Player, table_id: UUID, *, seat: int | None, entropy: str, key: str | None = None
) -> Outcome:
    """Take an open seat (None: the first). That the table may be seen at all is checked by the caller.

    Raises:
        NotFound, TableNotRunning, SeatTaken, InvalidRequest, IdempotencyMismatch.
    """
    body = {"table": str(table_id), "seat": seat, "entropy": entropy}

    def decide(table: Table) -> Sequence[Draft]:
        return seating.join(table, str(player.id), seat, entropy, context.tables.server_seed(table_id))

    return carry_out(context, table_id, call_of(player, "join", body, key), decide)


def leave(context: Context, player: Player, table_id: UUID, key: str | None = None) -> Outcome:
    """Give the own seat back: before the start it is open again, after it a bot plays on (resigning).

    Raises:
        NotFound, Forbidden, TableNotRunning: after the end.
    """

    def decide(table: Table) -> Sequence[Draft]:
        if table.status == "open":
            return seating.leave(table, str(player.id))
        return play.resign(table, seat_of(table, player), str(player.id), SUBSTITUTE)

    return carry_out(context, table_id, call_of(player, "leave", {"table": str(table_id)}, key), decide)


def start(
    context: Context,
    player: Player,
    table_id: UUID,
    *,
    fill_with: str | None,
    entropy: str | None,
    key: str | None = None,
) -> Outcome:
    """Start a game, as the owner.

    Raises:
        NotFound, Forbidden, TableNotRunning, InvalidRequest.
    """
    body = {"table": str(table_id), "fill_with": fill_with, "entropy": entropy}

    def decide(table: Table) -> Sequence[Draft]:
        seed = context.tables.server_seed(table_id)
        return seating.start(table, str(player.id), fill_with, entropy, seed)

    return carry_out(context, table_id, call_of(player, "start", body, key), decide)


def seat_of(table: Table, player: Player) -> int:
    """The player's seat.

    Raises:
        Forbidden: without one here.
    """
    seat = table.desk.seat_of(str(player.id)) if table.desk else None
    if seat is None:
        raise refusals.Forbidden("you have no seat at this table")
    return seat
