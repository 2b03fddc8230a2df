"""Use cases of whole records: auditing, exporting, importing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any
from uuid import UUID

import msgspec

from domain import forking, refusals
from domain.audit import Audit, Check, audit
from domain.desk import Imported
from domain.game import Viewer
from domain.record import Draft, Event
from domain.table import Table
from infra import archive
from infra.archive import Archive, BadArchive
from infra.database import OutcomeUnknown
from infra.event_store import CommandRepeated
from services.commands import Call, Outcome, carry_out, repeated
from services.context import Context
from services.players import Player


def audited(context: Context, table: Table) -> dict[str, Any]:
    """The audit of a record as far as everybody may see it, made once a version and kept.

    While the game runs a failed check does not tell what should have been; and what nobody may know yet is not told.

    Returns:
        `{"verified", "checks": [{"name", "ok", "detail"}], "head", "commitment", "seed"}`.
    """
    assert table.desk is not None
    sealed = table.desk.is_sealed
    version = table.version if table.holder is None else table.settled.version
    rows = context.database.query("SELECT body FROM audits WHERE table_id = %s AND version = %s", (table.id, version))
    if rows and table.broken is None:
        kept: dict[str, Any] = rows[0]["body"]
        return kept
    origin, events = _original(table, context.tables.recorded(table.id, 0, version))
    found = audit(origin, context.games, events, context.tables.server_seed(table.id))
    broken = Check("record", False, f"event {table.version + 1}: {table.broken}")
    checks = (*found.checks, broken) if table.broken else found.checks
    body = {
        "verified": found.verified and table.broken is None,
        "checks": [_told(check, sealed) for check in checks],
        "head": found.head,
        "commitment": table.desk.commitment,
        "seed": table.desk.server_seed,
    }
    if table.broken is not None:
        return body
    context.database.execute(
        "INSERT INTO audits (table_id, version, body) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
        (table.id, version, msgspec.json.encode(body).decode()),
    )
    return body


def _told(check: Check, sealed: bool) -> dict[str, Any]:
    detail = check.detail if check.ok or sealed else check.detail.split(":")[0]
    return {"name": check.name, "ok": check.ok, "detail": detail}


def _original(table: Table, events: list[Event]) -> tuple[UUID, list[Event]]:
    """The id under which a record was written, and its events without what was said of it here."""
    assert table.desk is not None
    imported = table.desk.imported
    if imported is None:
        return table.id, events
    end = next(n for n, event in enumerate(events) if isinstance(event.fact, Imported))
    return UUID(imported.table), events[:end]


def export(context: Context, table: Table) -> Iterator[bytes]:
    """A sealed record as a file, line by line.

    Raises:
        NotFound: while the record is not sealed.
    """
    assert table.desk is not None
    if not table.desk.is_sealed:
        raise refusals.NotFound("the record can be exported once the result is sealed")
    origin, events = _original(table, context.tables.recorded(table.id))
    head, imported = events[-1], table.desk.imported
    if imported is None:
        key, signature = context.signer.public_key, context.signer.sign(origin, head.version, head.digest)
        marks: dict[str, Any] = {}
    else:
        key, signature = imported.key, imported.signature
        marks = {"imported": True, "origin": imported.origin}
    made = archive.of_record(origin, events, key=key, signature=signature, marks=marks)
    return archive.lines(made)


def import_record(context: Context, player: Player, content: bytes, key: str | None = None) -> Outcome:
    """Take an exported record back in, as a finished, read-only table that is nobody's.

    Raises:
        InvalidRequest: naming line and check, for anything that is not true.
        IdempotencyMismatch.
    """
    call = Call(str(player.id), f"player:{player.id}", "import", archive.fingerprint(content), key)
    if (first := repeated(context, call)) is not None:
        return first
    made = _verified(context, content)
    origin = "signed" if made.key in context.signer.known_keys() else "unsigned"
    table_id = context.new_id()
    imported = Imported(table=str(made.table), by=str(player.id), key=made.key, signature=made.signature, origin=origin)
    try:
        table = context.tables.take_in(
            table_id,
            made.events,
            [Draft(imported, action={"type": "import"})],
            by=call.by,
            at=context.now(),
            row=call.row(call.key or context.new_id().hex),
            server_seed=made.server_seed,
        )
    except (CommandRepeated, OutcomeUnknown):
        # The same call came twice at once, or the answer to the append was lost.
        if (first := repeated(context, call)) is None:
            raise
        return first
    context.wakeups.publish()
    return Outcome(table, tuple(context.tables.recorded(table_id, made.head.version)))


def fork(context: Context, player: Player, origin: Table, seat: Viewer, at: int, key: str | None = None) -> Outcome:
    """A new private table that begins where another stood; the forker plays on against bots.

    Args:
        origin: as it stands now, and may be seen by the player.
        seat: the player's seat there.
        at: the version to begin from, as far as the player may see it.

    Raises:
        NotFound: without such a version.
        TableNotRunning: if no game was going on then; IdempotencyMismatch.
    """
    assert origin.desk is not None
    if not 0 < at <= origin.seen_by(seat).version:
        raise refusals.NotFound("the table has no such version, or you may not see it yet")
    then = context.tables.load_whole(origin.id, at)
    exact = origin.desk.is_sealed
    table_id, seed = context.new_id(), context.random_bytes(32)
    rng = Random(context.random_bytes(32))

    def decide(_: Table) -> Sequence[Draft]:
        return forking.fork(then, seat, player=str(player.id), server_seed=seed, exact=exact, rng=rng)

    call = Call(str(player.id), f"player:{player.id}", "fork", [str(origin.id), at], key)
    return carry_out(context, table_id, call, decide, server_seed=seed)


def _verified(context: Context, content: bytes) -> Archive:
    try:
        made = archive.parse(content, context.games)
        archive.verify(made, context.games)
    except BadArchive as failure:
        where = f"line {failure.line}"
        raise refusals.InvalidRequest(
            f"this is no true record: {failure}", {where: [f"{failure.check}: {failure.message}"]}
        ) from failure
    return made


def summary(found: Audit) -> list[str]:
    """An audit in lines, for people."""
    return [f"{'ok' if check.ok else 'FAILED':7}{check.name}: {check.detail}" for check in found.checks]
