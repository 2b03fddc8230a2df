"""A sealed record as a file (NDJSON), and back. `docs/verify.md` specifies the format.

Reading believes nothing: every line must be exactly what would be written, types come from the closed registry, and
whether the record is true is for `domain.audit` to say.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from eventsourcing.persistence import MapperDeserialisationError

from domain.audit import Audit, audit
from domain.desk import Opened, Sealed
from domain.record import Draft, Event, canonical, envelope
from domain.table import Games
from infra import signing
from infra.mapper import EventMapper

FORMAT = "turnkeeper/1"
HEADER_FIELDS = {"format", "game", "rules", "table", "commitment", "events", "head", "key", "signature", "marks"}


class BadArchive(Exception):
    """A file that is no true record.

    Args:
        line: number of the line, from 1; the header is line 1, event v is line v + 1.
        check: what was checked.
        message: what is wrong.
    """

    def __init__(self, line: int, check: str, message: str) -> None:
        super().__init__(f"line {line}, {check}: {message}")
        self.line = line
        self.check = check
        self.message = message


@dataclass(frozen=True, slots=True)
class Archive:
    """A record as a file holds it. `marks` say where it came from and are no part of what is signed."""

    table: UUID
    key: str
    signature: str
    marks: dict[str, Any]
    events: tuple[Event, ...]

    @property
    def server_seed(self) -> bytes:
        """The seed that the record discloses."""
        sealed = next(event.fact for event in self.events if isinstance(event.fact, Sealed))
        return bytes.fromhex(sealed.server_seed)

    @property
    def head(self) -> Event:
        return self.events[-1]

    def is_signed_by(self, key: str) -> bool:
        """Whether the head carries the signature of a server's public key (hex)."""
        try:
            return self.key == key and signing.verify(
                bytes.fromhex(key),
                bytes.fromhex(self.signature),
                table=self.table,
                version=self.head.version,
                digest=self.head.digest,
            )
        except ValueError:
            return False


def fingerprint(content: bytes) -> str:
    """What makes two files the same: SHA-256, hex."""
    return hashlib.sha256(content).hexdigest()


def lines(archive: Archive) -> Iterator[bytes]:
    """The file, line by line, each with its line break."""
    opened: Opened = archive.events[0].fact
    header = {
        "format": FORMAT,
        "game": opened.game,
        "rules": opened.rules,
        "table": str(archive.table),
        "commitment": opened.commitment,
        "events": len(archive.events),
        "head": archive.head.digest.hex(),
        "key": archive.key,
        "signature": archive.signature,
        "marks": archive.marks,
    }
    yield canonical(header) + b"\n"
    for event in archive.events:
        yield _line(event.version, event.digest, event.written) + b"\n"


def _line(version: int, digest: bytes, written: bytes) -> bytes:
    """The bytes as first written stand in the line as they are, so that nobody need serialise anything again."""
    return b'{"digest":"%s","event":%s,"version":%d}' % (digest.hex().encode(), written, version)


def parse(content: bytes, games: Games) -> Archive:
    """A file's record, every line looked at, nothing decided again yet.

    Raises:
        BadArchive: naming the first line that is not as it would be written.
    """
    if not content.endswith(b"\n"):
        raise BadArchive(content.count(b"\n") + 1, "format", "the last line does not end")
    first, *rest = content[:-1].split(b"\n")
    header = _header(first)
    mapper = EventMapper(games=games)
    table = UUID(header["table"])
    events = tuple(_event(mapper, table, version, line) for version, line in enumerate(rest, 1))
    if len(events) != header["events"]:
        raise BadArchive(
            len(events) + 2, "events", f"the header says {header['events']} events, there are {len(events)}"
        )
    archive = Archive(table, header["key"], header["signature"], header["marks"], events)
    _matches(header, archive)
    return archive


def _header(line: bytes) -> dict[str, Any]:
    header = _canonical_object(line, 1)
    if header.get("format") != FORMAT:
        raise BadArchive(1, "format", f"is not {FORMAT}")
    if set(header) != HEADER_FIELDS:
        raise BadArchive(1, "format", f"the header has exactly the fields {', '.join(sorted(HEADER_FIELDS))}")
    texts = ("game", "table", "commitment", "head", "key", "signature")
    if not all(isinstance(header[name], str) for name in texts) or not isinstance(header["marks"], dict):
        raise BadArchive(1, "format", "a field of the header has the wrong type")
    try:
        is_plain = str(UUID(header["table"])) == header["table"]
    except ValueError:
        is_plain = False
    if not is_plain:
        raise BadArchive(1, "format", "`table` is no id")
    return header


def _canonical_object(line: bytes, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line, parse_float=_no_float, parse_constant=_no_float)
        same = canonical(value) == line
    except (ValueError, UnicodeError, RecursionError) as error:
        raise BadArchive(number, "format", "is not JSON as a record writes it") from error
    if not isinstance(value, dict) or not same:
        raise BadArchive(number, "format", "is not a canonical JSON object")
    return value


def _no_float(text: str) -> Any:
    raise ValueError(f"{text} is no number of a record")


def _event(mapper: EventMapper, table: UUID, version: int, line: bytes) -> Event:
    number = version + 1
    value = _canonical_object(line, number)
    if set(value) != {"digest", "event", "version"} or not isinstance(value["event"], dict):
        raise BadArchive(number, "format", "a line has exactly the fields digest, event, version")
    if value["version"] != version or isinstance(value["version"], bool):
        raise BadArchive(number, "order", f"event {version} is expected here, not {value['version']}")
    written = canonical(value["event"])
    try:
        digest = bytes.fromhex(value["digest"])
        event = mapper.read(table, version, written, digest)
    except (KeyError, TypeError, ValueError, MapperDeserialisationError) as error:
        raise BadArchive(number, "types", f"event {version} is none that this server knows ({error})") from error
    if _line(version, digest, written) != line or _envelope(event, value["event"]) != written:
        raise BadArchive(number, "format", f"event {version} is not written as a record writes it")
    return event


def _envelope(event: Event, read: dict[str, Any]) -> bytes:
    """How an event's envelope would be written; the fact itself as it was read if its schema is an older one."""
    draft = Draft(event.fact, event.seat, event.action, event.barrier, event.draws)
    written = envelope(draft, by=str(event.by), at=event.at, command=str(event.command))
    if read["schema"] != event.fact.SCHEMA:
        written |= {"schema": read["schema"], "data": read["data"]}
    return canonical(written)


def _matches(header: dict[str, Any], archive: Archive) -> None:
    """The header says of the record what the record says itself, and the record is closed."""
    if not archive.events or not isinstance(archive.events[0].fact, Opened):
        raise BadArchive(2, "order", "a record begins with table.Opened")
    opened: Opened = archive.events[0].fact
    for name, truth in (
        ("game", opened.game),
        ("rules", opened.rules),
        ("commitment", opened.commitment),
        ("head", archive.head.digest.hex()),
    ):
        if header[name] != truth or type(header[name]) is not type(truth):
            raise BadArchive(1, name, f"the record says {truth}")
    if not any(isinstance(event.fact, Sealed) for event in archive.events):
        raise BadArchive(len(archive.events) + 1, "seal", "the record is not sealed, so nothing in it can be checked")


def verify(archive: Archive, games: Games) -> Audit:
    """Audit a file's record and its signature by the key that it names.

    Raises:
        BadArchive: for the first thing that is not true, with the line of its event.
    """
    if not archive.is_signed_by(archive.key):
        raise BadArchive(1, "signature", "is not the named key's signature of this head")
    found = audit(archive.table, games, archive.events, _seed(archive))
    for check in found.checks:
        if not check.ok:
            version = int(check.detail.split()[1].rstrip(":"))
            raise BadArchive(version + 1, check.name, check.detail)
    return found


def _seed(archive: Archive) -> bytes:
    try:
        return archive.server_seed
    except ValueError as error:
        sealed = next(event.version for event in archive.events if isinstance(event.fact, Sealed))
        raise BadArchive(sealed + 1, "seal", f"event {sealed} discloses no seed") from error


def of_record(table: UUID, events: Sequence[Event], *, key: str, signature: str, marks: dict[str, Any]) -> Archive:
    """The archive of a sealed record."""
    return Archive(table, key, signature, marks, tuple(events))
