"""Snapshots of positions: a cache that saves folding, never a source. One made by other rules or for other classes
than today's is not used."""

from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints
from uuid import UUID

import msgspec

from domain.desk import Desk
from domain.game import Rules
from domain.table import Play
from infra.database import Database


class Snapshots:
    """Positions at barriers, kept by table and version."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def versions(self, table_id: UUID, desk: Desk, rules: Rules[Any], upto: int) -> list[int]:
        """Versions at or before `upto` of which there is a position that can be used, the newest first."""
        rows = self._database.query(
            "SELECT version FROM snapshots WHERE table_id = %s AND schema = %s AND version <= %s ORDER BY version DESC",
            (table_id, _schema(desk, rules), upto),
        )
        return [row["version"] for row in rows]

    def load(self, table_id: UUID, version: int, rules: Rules[Any]) -> Play | None:
        """The position kept of a version; None if it is gone."""
        rows = self._database.query(
            "SELECT state FROM snapshots WHERE table_id = %s AND version = %s", (table_id, version)
        )
        return _load(bytes(rows[0]["state"]), rules) if rows else None

    def save(self, table_id: UUID, desk: Desk, rules: Rules[Any], play: Play) -> None:
        """Keep a position; one of the same version is replaced."""
        self._database.execute(
            "INSERT INTO snapshots (table_id, version, schema, state) VALUES (%s, %s, %s, %s)"
            " ON CONFLICT (table_id, version) DO UPDATE SET schema = excluded.schema, state = excluded.state",
            (table_id, play.version, _schema(desk, rules), msgspec.json.encode(play)),
        )


def _load(state: bytes, rules: Rules[Any]) -> Play:
    raw = msgspec.json.decode(state, type=dict[str, msgspec.Raw])
    kinds: dict[str, Any] = get_type_hints(Play) | {"state": rules.State | None, "memory": Any}
    if rules.Memory is not None:
        kinds["memory"] = rules.Memory | None
    return Play(**{name: msgspec.json.decode(value, type=kinds[name]) for name, value in raw.items()})


MADE = "2"
"""How positions are made: raised when the same shape begins to mean something else."""

_shapes: dict[type, str] = {}


def _schema(desk: Desk, rules: Rules[Any]) -> str:
    """How it was made, game, rules version and the shape of all that is in it: another shape is another schema."""
    parts = [MADE, f"{desk.game}/{desk.rules}", *(_shape(cls) for cls in (Play, rules.State, rules.Memory) if cls)]
    return "/".join(parts)


def _shape(cls: type) -> str:
    if cls not in _shapes:
        seen: dict[type, str] = {}
        _describe(cls, seen)
        text = ";".join(f"{kind.__qualname__}({shape})" for kind, shape in seen.items())
        _shapes[cls] = hashlib.sha256(text.encode()).hexdigest()[:12]
    return _shapes[cls]


def _describe(kind: Any, seen: dict[type, str]) -> None:
    """Collect every dataclass that a type mentions, with the names and types of its fields."""
    if isinstance(kind, type) and is_dataclass(kind) and kind not in seen:
        hints = get_type_hints(kind)
        seen[kind] = ",".join(f"{field.name}:{hints[field.name]}" for field in fields(kind))
        for hint in hints.values():
            _describe(hint, seen)
    for part in getattr(kind, "__args__", ()):
        _describe(part, seen)
