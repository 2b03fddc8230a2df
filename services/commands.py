"""How a command is carried out: load, decide, append; again if somebody else was faster; once for every key.

What may happen is decided in the domain; here is only the care that it happens once and answers truly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from domain import refusals
from domain.record import Draft, Event, canonical
from domain.table import Table
from infra.database import OutcomeUnknown
from infra.event_store import CommandRepeated, CommandRow, VersionTaken, body_hash, command_id
from infra.loader import NoSuchTable
from infra.metrics import CONFLICTS
from services.context import Context

ATTEMPTS = 50
"""Races lost in a row before a command gives up; each loss means that another command won."""

Decide = Callable[[Table], Sequence[Draft]]


@dataclass(frozen=True, slots=True)
class Call:
    """Who asks for what, and how to know the same call again.

    Args:
        actor: whose keys these are: a player's id, or a bot's or the system's name.
        by: as the events' envelope names the actor.
        kind: which use case.
        body: everything that makes two calls the same, as JSON.
        key: the caller's idempotency key; None if it sent none.
    """

    actor: str
    by: str
    kind: str
    body: Any
    key: str | None = None

    def row(self, key: str) -> CommandRow:
        return CommandRow(
            command_id=command_id(self.actor, key),
            body_hash=body_hash(canonical([self.kind, self.body])),
            table_id=None,
            first_version=0,
            version=0,
            kind=self.kind,
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command came to: the table right after it, and its events (none if there was nothing to do).

    `repeated`: an earlier call, or somebody else's of the same key, had carried it out.
    """

    table: Table
    events: tuple[Event, ...]
    repeated: bool = False


def carry_out(
    context: Context,
    table_id: UUID,
    call: Call,
    decide: Decide,
    *,
    server_seed: bytes | None = None,
    known: Table | None = None,
) -> Outcome:
    """Append what `decide` makes of the table's newest state; a repeated call gets its first outcome.

    Args:
        decide: pure; called again on a newer table if the append came too late.
        server_seed: for a table that is being opened.
        known: the table as it was a moment ago; decided on first. If it was old, the append fails, and what comes to
            no append is decided on the newest one.

    Raises:
        Refusal: as `decide` refuses; NotFound without such a table; IdempotencyMismatch.
        Unavailable: without a database; nothing is known to have changed.
    """
    key = call.key or context.new_id().hex
    row = call.row(key)
    try:
        return _append(context, table_id, call, row, decide, server_seed, known)
    except (refusals.Refusal, CommandRepeated, OutcomeUnknown) as error:
        # The answer to an earlier try of this very call may have been lost on its way.
        stored = context.tables.command(call.actor, key)
        if stored is None:
            raise
        return replace(_first_outcome(context, stored, row), repeated=not isinstance(error, OutcomeUnknown))


def repeated(context: Context, call: Call) -> Outcome | None:
    """The first outcome of a call that was carried out before; None if it was not.

    Raises:
        IdempotencyMismatch.
    """
    stored = context.tables.command(call.actor, call.key) if call.key else None
    return None if stored is None or call.key is None else _first_outcome(context, stored, call.row(call.key))


def _append(
    context: Context,
    table_id: UUID,
    call: Call,
    row: CommandRow,
    decide: Decide,
    server_seed: bytes | None,
    known: Table | None,
) -> Outcome:
    for _ in range(ATTEMPTS):
        newest = known is None
        table = known or _current(context, table_id, server_seed)
        known = None
        try:
            drafts = _decided(table, decide)
        except refusals.Refusal:
            if newest:
                raise
            continue
        if not drafts:
            if newest:
                return Outcome(table, ())
            continue
        try:
            after, events = context.tables.append(
                table,
                drafts,
                by=call.by,
                at=context.now(),
                command=row.command_id.hex,
                row=row,
                server_seed=server_seed,
            )
        except VersionTaken:
            CONFLICTS.inc()
            continue
        context.wakeups.publish()
        return Outcome(after, events)
    raise refusals.StaleVersion("too many others acted at once; read the table again", version=table.play.version)


def _decided(table: Table, decide: Decide) -> Sequence[Draft]:
    if table.broken is not None:
        raise refusals.TableNotRunning(f"the record can't be read past version {table.version}; it can only be read")
    return decide(table)


def _current(context: Context, table_id: UUID, server_seed: bytes | None) -> Table:
    if server_seed is not None:
        return Table(id=table_id, games=context.games)
    try:
        return context.tables.load(table_id)
    except NoSuchTable as error:
        raise refusals.NotFound("no such table") from error


def _first_outcome(context: Context, stored: CommandRow, row: CommandRow) -> Outcome:
    """The outcome of a stored command, as of its own version."""
    if stored.body_hash != row.body_hash or stored.table_id is None:
        raise refusals.IdempotencyMismatch("this key was used before, for another call")
    try:
        table = context.tables.load_at(stored.table_id, stored.version)
    except NoSuchTable as error:
        raise refusals.TableNotRunning("this was carried out, but its record can't be read any more") from error
    events = context.tables.recorded(stored.table_id, stored.first_version - 1, stored.version)
    return Outcome(table, tuple(events))
