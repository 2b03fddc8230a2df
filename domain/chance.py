"""Verifiable chance: draws derived from a secret seed, so that a finished game's luck can be re-derived.

The server draws the server seed from the operating system when a table opens and publishes its
commitment; seats add contributions; no one alone can choose the game seed. `docs/verify.md` has vectors.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import TypeVar
from uuid import UUID

T = TypeVar("T")

_COMMITMENT = b"turnkeeper/commitment/1"
_WORD = 2**32


def commitment(server_seed: bytes) -> str:
    """What is published of a server seed when its table opens: SHA-256(label ‖ seed), hex. Never an input of draws."""
    return hashlib.sha256(_COMMITMENT + server_seed).hexdigest()


def game_seed(server_seed: bytes, table: UUID, contributions: Sequence[str]) -> bytes:
    """The secret key of a table's draws: HMAC-SHA256(server seed, table id ‖ contributions in seat order).

    Args:
        server_seed: 32 bytes.
        table: its 16 bytes go in.
        contributions: one text a seat, empty where none was given; each goes in as UTF-8 behind its
            length in bytes (4 bytes, big-endian), so that no two lists read the same.
    """
    message = table.bytes
    for text in contributions:
        encoded = text.encode()
        message += len(encoded).to_bytes(4, "big") + encoded
    return hmac.digest(server_seed, message, "sha256")


class Chance:
    """Draws in order. One counter value a draw call; the counter is part of the game's effective state,
    so undoing and repeating an action meets the same luck again.

    Args:
        seed: the game seed, 32 bytes.
        counter: number of draw calls made before.
    """

    def __init__(self, seed: bytes, counter: int = 0) -> None:
        self._seed = seed
        self.counter = counter

    def integers(self, count: int, bound: int) -> tuple[int, ...]:
        """`count` independent integers from 0 to bound − 1, each equally likely."""
        words = self._words()
        return tuple(_below(words, bound) for _ in range(count))

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in an order drawn uniformly (Fisher–Yates, from the last place down)."""
        words = self._words()
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = _below(words, last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)

    def dice(self, count: int, sides: int = 6) -> tuple[int, ...]:
        """`count` throws of a die, each 1 to sides."""
        return tuple(1 + face for face in self.integers(count, sides))

    def _words(self) -> Iterator[int]:
        """32-bit words of HMAC-SHA256(seed, counter ‖ sub-index), both 8 bytes big-endian; one draw call."""
        head = self.counter.to_bytes(8, "big")
        self.counter += 1
        return self._blocks(head)

    def _blocks(self, head: bytes) -> Iterator[int]:
        index = 0
        while True:
            block = hmac.digest(self._seed, head + index.to_bytes(8, "big"), "sha256")
            for start in range(0, 32, 4):
                yield int.from_bytes(block[start : start + 4], "big")
            index += 1


def _below(words: Iterator[int], bound: int) -> int:
    """An unbiased integer below the bound: words in the last, incomplete multiple of it are rejected."""
    limit = _WORD - _WORD % bound
    for word in words:
        if word < limit:
            return word % bound
    raise AssertionError("the words never end")
