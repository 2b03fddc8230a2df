"""Secrets that are shown once and stored hashed: tokens, credentials, tickets. Whose they are is no matter here."""

from __future__ import annotations

import base64
import hashlib

from services.context import Context


def new_secret(context: Context, prefix: str, size: int = 32) -> str:
    """A secret of so many random bytes, behind a prefix that says what it is for."""
    return prefix + base64.urlsafe_b64encode(context.random_bytes(size)).rstrip(b"=").decode()


def hashed(secret: str) -> bytes:
    """What is stored of a secret: SHA-256, 32 bytes. The secrets are too long to be guessed, so no salt is needed."""
    return hashlib.sha256(secret.encode()).digest()
