"""Envelope ↔ stored event. A stored state is the digest (32 bytes) and the compressed canonical bytes, encrypted
as a whole if a key is set. Types come from the closed registry alone: no text of a record is ever imported."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.persistence import Cipher, Compressor, Mapper, MapperDeserialisationError, StoredEvent, Transcoder

from domain import desk
from domain.desk import Forked
from domain.record import Event
from domain.table import Games

DIGEST_SIZE = 32


def fact_classes(games: Games) -> dict[str, type]:
    """Every fact class that a record may hold, by topic.

    Raises:
        ValueError: if two classes claim one topic.
    """
    classes: dict[str, type] = {}
    for cls in (*desk.FACTS, *(cls for game in games.values() for cls in game.facts)):
        topic: str = cls.TOPIC  # type: ignore[attr-defined]
        if classes.setdefault(topic, cls) is not cls:
            raise ValueError(f"two classes have the topic {topic}")
    return classes


class EventMapper(Mapper[UUID]):
    """The library's mapper for our envelopes.

    Args:
        games: the registry whose facts may be stored.
        compressor, cipher: as the library's factory makes them.
    """

    def __init__(
        self,
        transcoder: Transcoder | None = None,
        compressor: Compressor | None = None,
        cipher: Cipher | None = None,
        *,
        games: Games,
    ) -> None:
        # The canonical bytes are written by the domain, so no transcoder is needed.
        super().__init__(transcoder, compressor, cipher)  # type: ignore[arg-type]
        self._games = games
        self._classes = fact_classes(games)

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        event: Event = domain_event
        written = self.compressor.compress(event.written) if self.compressor else event.written
        state = event.digest + written
        return StoredEvent(
            originator_id=event.table,
            originator_version=event.version,
            topic=event.topic,
            state=self.cipher.encrypt(state) if self.cipher else state,
        )

    def to_domain_event(self, stored_event: StoredEvent) -> Event:
        """Raises `MapperDeserialisationError`, naming table and version, for a state that can't be read."""
        try:
            state = self.cipher.decrypt(stored_event.state) if self.cipher else stored_event.state
            digest, written = state[:DIGEST_SIZE], state[DIGEST_SIZE:]
            if self.compressor:
                written = self.compressor.decompress(written)
            table = stored_event.originator_id
            assert isinstance(table, UUID)
            return self.read(table, stored_event.originator_version, written, digest, topic=stored_event.topic)
        except Exception as error:
            raise MapperDeserialisationError(
                f"table {stored_event.originator_id}, event {stored_event.originator_version}"
                f" ({stored_event.topic}) can't be read: {type(error).__name__}: {error}"
            ) from error

    def read(self, table: UUID, version: int, written: bytes, digest: bytes, *, topic: str | None = None) -> Event:
        """An event from its canonical bytes, upcast to today's fields.

        Args:
            topic: what the bytes are expected to be of; None: whatever they say.

        Raises:
            ValueError, KeyError, msgspec.ValidationError: for bytes that are no envelope of ours.
        """
        envelope: dict[str, Any] = msgspec.json.decode(written)
        if topic is not None and envelope["type"] != topic:
            raise ValueError(f"stored as {topic}, written as {envelope['type']}")
        return Event(
            table=table,
            version=version,
            fact=self._fact(envelope["type"], envelope["schema"], envelope["data"]),
            seat=envelope.get("seat"),
            by=envelope["by"],
            at=datetime.fromisoformat(envelope["at"]),
            command=envelope["command"],
            action=envelope.get("action"),
            barrier=envelope.get("barrier", False),
            draws=envelope.get("draws", 0),
            written=written,
            digest=digest,
        )

    def _fact(self, topic: str, schema: int, data: Mapping[str, Any]) -> Any:
        cls: Any = self._classes[topic]
        if type(schema) is not int or not 1 <= schema <= cls.SCHEMA:
            raise ValueError(f"there is no schema {schema} of {topic} here")
        fields = dict(data)
        while schema < cls.SCHEMA:
            fields = cls.UPCASTERS[schema](fields)
            schema += 1
        if unknown := set(fields) - set(cls.__dataclass_fields__):
            raise ValueError(f"{topic} has no field {min(unknown)}")
        if cls is Forked:
            fields |= self._position(fields)
        return msgspec.convert(fields, cls)

    def _position(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """State and memory of a fork, as what the game's rules say they are."""
        rules: Any = self._games[fields["game"]].rules[fields["rules"]]
        memory = rules.Memory
        return {
            "state": msgspec.convert(fields["state"], rules.State, str_keys=True),
            "memory": None if memory is None else msgspec.convert(fields["memory"], memory, str_keys=True),
        }
