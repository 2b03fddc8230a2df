"""Use cases of play: acting, undo and redo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID

from domain import play, refusals
from domain.game import Action
from domain.record import Draft
from domain.table import Table
from services.commands import Outcome, carry_out
from services.context import Context
from services.players import Player
from services.seats import call_of, seat_of


def act(
    context: Context,
    player: Player,
    table_id: UUID,
    *,
    version: int,
    action: Action,
    key: str | None = None,
    known: Table | None = None,
) -> Outcome:
    """A player's action at the version that the player has seen.

    Args:
        known: the table as it was a moment ago, if it is at hand.

    Raises:
        NotFound, Forbidden, TableNotRunning, StaleVersion, NotYourTurn, NotAllowedByRules, IdempotencyMismatch.
    """
    body = {"table": str(table_id), "version": version, "action": dict(action)}

    def decide(table: Table, seat: int) -> Sequence[Draft]:
        chance = play.chance_of(table, context.tables.server_seed(table_id))
        return play.act(table, seat, action, chance)

    call = call_of(player, "act", body, key)
    return carry_out(context, table_id, call, _seated(player, version, decide), known=known)


def undo(
    context: Context,
    player: Player,
    table_id: UUID,
    *,
    version: int,
    to: int | None,
    key: str | None = None,
    known: Table | None = None,
) -> Outcome:
    """Back over own provisional steps, or forward again (redo).

    Args:
        known: the table as it was a moment ago, if it is at hand.

    Raises:
        NotFound, Forbidden, TableNotRunning, StaleVersion, NotYourTurn, NothingToUndo, UndoBarrier, InvalidRequest,
        IdempotencyMismatch.
    """
    body = {"table": str(table_id), "version": version, "to": to}

    def decide(table: Table, seat: int) -> Sequence[Draft]:
        return play.undo(table, seat, to)

    call = call_of(player, "undo", body, key)
    return carry_out(context, table_id, call, _seated(player, version, decide), known=known)


def _seated(
    player: Player, version: int, decide: Callable[[Table, int], Sequence[Draft]]
) -> Callable[[Table], Sequence[Draft]]:
    """A decision for somebody who has a seat, and has seen what it is about."""

    def checked(table: Table) -> Sequence[Draft]:
        seat = seat_of(table, player)
        play.running(table)
        refusals.StaleVersion.unless(version, table.seen_by(seat).version)
        return decide(table, seat)

    return checked
