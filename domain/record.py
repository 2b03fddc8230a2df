"""The record: the envelope of every event, its canonical bytes, the chain of digests, and branches.

A record is append-only. What a truncation leaves standing is worked out by `branch_at`;
what the events mean is folded in `domain/table.py`.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

NO_DIGEST = bytes(32)
"""The digest before the first event."""


@dataclass(frozen=True, slots=True)
class Event:
    """One recorded fact in its envelope.

    Args:
        table, version: whose record, and the place in it, from 1 without gaps.
        fact: what happened.
        seat: the seat that it happened to or through; None if none.
        by: who caused it: `player:<id>`, `bot:<name>`, `moderator:<id>`, `clock` or `system`.
        at: when, UTC.
        command: id of the command that it was appended with.
        action: on a command's first event, what was asked for.
        barrier: on a command's last event, whether the command is final and public.
        draws: on a command's first event, how many draw calls the command made.
        written: the canonical bytes as first written, which audits check and nobody re-serialises.
        digest: head of the chain of digests, this event included.
    """

    table: UUID
    version: int
    fact: Any
    seat: int | None
    by: str
    at: datetime
    command: str
    action: Mapping[str, Any] | None
    barrier: bool
    draws: int
    written: bytes
    digest: bytes

    @property
    def topic(self) -> str:
        topic: str = self.fact.TOPIC
        return topic

    @property
    def originator_id(self) -> UUID:
        """The table, by the event store's word for it."""
        return self.table

    @property
    def originator_version(self) -> int:
        """The version, by the event store's word for it."""
        return self.version


@dataclass(frozen=True, slots=True)
class Draft:
    """A fact about to be recorded, with what the deciding function knows of its envelope."""

    fact: Any
    seat: int | None = None
    action: Mapping[str, Any] | None = None
    barrier: bool = False
    draws: int = 0


def canonical(value: Any) -> bytes:
    """JSON with sorted keys, no white space, UTF-8, no numbers but integers: one value, one text. Dataclasses are
    objects of their fields."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=fact_data
    ).encode()


def timestamp(at: datetime) -> str:
    """RFC 3339 in UTC with microseconds."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def fact_data(fact: Any) -> dict[str, Any]:
    """The fields of a fact, or of another dataclass, by name."""
    return {name: getattr(fact, name) for name in fact.__dataclass_fields__}


def envelope(draft: Draft, *, by: str, at: datetime, command: str) -> dict[str, Any]:
    """What is written of an event: its canonical bytes are those of this dict. Fields that say nothing are left out."""
    written: dict[str, Any] = {
        "type": draft.fact.TOPIC,
        "schema": draft.fact.SCHEMA,
        "data": fact_data(draft.fact),
        "by": by,
        "at": timestamp(at),
        "command": command,
    }
    optional = {
        "seat": draft.seat,
        "action": draft.action,
        "barrier": draft.barrier or None,
        "draws": draft.draws or None,
    }
    return written | {name: value for name, value in optional.items() if value is not None}


def salt(server_seed: bytes, version: int) -> bytes:
    """The secret that keeps a version's digest from being searched: HMAC-SHA256(server seed, "salt" ‖ version).

    The version is 8 bytes, big-endian.
    """
    return hmac.digest(server_seed, b"salt" + version.to_bytes(8, "big"), "sha256")


def chained(previous: bytes, salt: bytes, written: bytes) -> bytes:
    """digest_n = SHA-256(digest_{n−1} ‖ SHA-256(salt_n ‖ bytes_n)); 32 bytes."""
    return hashlib.sha256(previous + hashlib.sha256(salt + written).digest()).digest()


def write(
    drafts: Iterable[Draft],
    *,
    table: UUID,
    version: int,
    digest: bytes,
    server_seed: bytes,
    by: str,
    at: datetime,
    command: str,
) -> tuple[Event, ...]:
    """The events that a command appends behind a record's head.

    Args:
        version, digest: of the head.
        server_seed: of the table; the salts come from it.
        by, at, command: who, when, and the command's id, as in `Event`.
    """
    events = []
    for draft in drafts:
        version += 1
        written = canonical(envelope(draft, by=by, at=at, command=command))
        digest = chained(digest, salt(server_seed, version), written)
        events.append(
            Event(
                table=table,
                version=version,
                fact=draft.fact,
                seat=draft.seat,
                by=by,
                at=at,
                command=command,
                action=draft.action,
                barrier=draft.barrier,
                draws=draft.draws,
                written=written,
                digest=digest,
            )
        )
    return tuple(events)


@dataclass(frozen=True, slots=True)
class Branch:
    """What stands at a version.

    Args:
        ranges: the versions that stand, ascending, both ends included. Truncations stand nowhere; desk events,
            which no truncation touches, may lie outside.
        through: versions of the truncations that led to this branch, ascending.
    """

    ranges: tuple[tuple[int, int], ...]
    through: tuple[int, ...]

    def stands(self, version: int) -> bool:
        return any(first <= version <= last for first, last in self.ranges)


def branch_at(truncations: Sequence[tuple[int, int]], version: int) -> Branch:
    """The branch on which a version lies: at(v) = at(m) if v is a truncation to m, else at(v − 1) + [v].

    Args:
        truncations: (version of the truncation, version it went back to), ascending by the first.
        version: the one asked about; 0 is before the first.
    """
    ranges: list[tuple[int, int]] = []
    through: list[int] = []
    for cut, to in reversed(truncations):
        if cut > version:
            continue
        if cut < version:
            ranges.append((cut + 1, version))
        through.append(cut)
        version = to
    if version:
        ranges.append((1, version))
    return Branch(ranges=tuple(ranges[::-1]), through=tuple(through[::-1]))
