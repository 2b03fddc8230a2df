"""Use cases of agreeing: take-backs behind a confirmed turn, and what to do about a seat that was warned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any
from uuid import UUID

from domain import play, proposals, refusals
from domain.desk import Answered, Proposed
from domain.record import Draft, Event
from domain.table import Table
from services.commands import Outcome, carry_out
from services.context import Context
from services.players import Player
from services.seats import call_of, seat_of


def ask_take_back(
    context: Context, player: Player, table_id: UUID, *, version: int, to: int, key: str | None = None
) -> Outcome:
    """Ask the other people to go back behind a confirmed turn.

    Args:
        version: as the player sees the table.
        to: a version right after which everybody saw the position.

    Raises:
        NotFound, Forbidden, TableNotRunning, StaleVersion, InvalidRequest, IdempotencyMismatch.
    """
    body = {"table": str(table_id), "version": version, "to": to}

    def decide(table: Table) -> Sequence[Draft]:
        seat = _seat(table, player, version)
        ends = {event.version for event in context.tables.recorded(table_id) if event.barrier}
        return proposals.take_back(
            table, seat, to, ends.__contains__, lambda at: context.tables.load_at(table_id, at).play
        )

    return carry_out(context, table_id, call_of(player, "take-back", body, key), decide)


def propose(
    context: Context,
    player: Player,
    table_id: UUID,
    *,
    version: int,
    kind: str,
    absent: int | None,
    key: str | None = None,
) -> Outcome:
    """Propose to the other people that are there what to do about one that was warned.

    Args:
        kind: `cancel` or `substitute`.
        absent: the seat that a bot is to play for.

    Raises:
        NotFound, Forbidden, TableNotRunning, StaleVersion, InvalidRequest, IdempotencyMismatch.
    """
    body = {"table": str(table_id), "version": version, "kind": kind, "absent": absent}

    def decide(table: Table) -> Sequence[Draft]:
        return proposals.propose(table, _seat(table, player, version), kind, absent)

    return carry_out(context, table_id, call_of(player, "propose", body, key), decide)


def answer(
    context: Context, player: Player, table_id: UUID, number: int, *, accept: bool, key: str | None = None
) -> Outcome:
    """Answer a proposal.

    Raises:
        NotFound, Forbidden, TableNotRunning, StaleVersion, IdempotencyMismatch.
    """
    body = {"table": str(table_id), "number": number, "accept": accept}

    def decide(table: Table) -> Sequence[Draft]:
        return proposals.answer(table, seat_of(table, player), number, accept)

    return carry_out(context, table_id, call_of(player, "answer", body, key), decide)


def proposal_of(outcome: Outcome) -> dict[str, Any]:
    """Number and status of the proposal that an outcome is about."""
    fact = next(event.fact for event in outcome.events if isinstance(event.fact, Proposed | Answered))
    assert outcome.table.desk is not None
    proposal = outcome.table.desk.proposals[fact.number - 1]
    return {"number": fact.number, "status": proposals.status(outcome.table, proposal)}


def command_ends(events: Sequence[Event]) -> Callable[[int], bool]:
    """Whether a version is the last one of a command, from the start of the game on."""
    begun = next((n for n, event in enumerate(events) if event.barrier), len(events))
    later = events[begun:]
    ends = {event.version for event, following in pairwise((*later, None)) if event and _begins(following)}
    return ends.__contains__


def _begins(event: Event | None) -> bool:
    return event is None or event.action is not None


def _seat(table: Table, player: Player, version: int) -> int:
    seat = seat_of(table, player)
    if table.status == "open":
        play.running(table)
    refusals.StaleVersion.unless(version, table.seen_by(seat).version)
    return seat
