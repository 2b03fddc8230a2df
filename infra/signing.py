"""Signatures of log heads (Ed25519), so that a kept head proves what a record said. Keys live in the database."""

from __future__ import annotations

from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from infra.database import Database

_LABEL = b"turnkeeper/head/1"


def _message(table: UUID, version: int, digest: bytes) -> bytes:
    return _LABEL + table.bytes + version.to_bytes(8, "big") + digest


def verify(public_key: bytes, signature: bytes, *, table: UUID, version: int, digest: bytes) -> bool:
    """Whether a head was signed with a key (32 bytes, raw); the signature is 64 bytes."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, _message(table, version, digest))
    except InvalidSignature:
        return False
    return True


class Signer:
    """Signs heads with the newest key of the server, made at the first use."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._key: Ed25519PrivateKey | None = None

    def sign(self, table: UUID, version: int, digest: bytes) -> str:
        """The signature (hex) of a head: Ed25519 over label ‖ table id ‖ version (8 bytes, big-endian) ‖ digest."""
        return self._loaded().sign(_message(table, version, digest)).hex()

    @property
    def public_key(self) -> str:
        """The public key (hex, 32 bytes)."""
        return self._loaded().public_key().public_bytes_raw().hex()

    def known_keys(self) -> frozenset[str]:
        """Every public key (hex) that this server has ever signed with."""
        rows = self._database.query("SELECT public_key FROM server_keys")
        return frozenset(bytes(row["public_key"]).hex() for row in rows)

    def _loaded(self) -> Ed25519PrivateKey:
        if self._key is None:
            self._key = Ed25519PrivateKey.from_private_bytes(self._newest() or self._made())
        return self._key

    def _newest(self) -> bytes | None:
        rows = self._database.query("SELECT private_key FROM server_keys ORDER BY key_id LIMIT 1")
        return bytes(rows[0]["private_key"]) if rows else None

    def _made(self) -> bytes:
        """A first key; of processes that make one at once, all take the one stored first."""
        key = Ed25519PrivateKey.generate()
        self._database.execute(
            "INSERT INTO server_keys (private_key, public_key) VALUES (%s, %s)",
            (key.private_bytes_raw(), key.public_key().public_bytes_raw()),
        )
        stored = self._newest()
        assert stored is not None
        return stored
