"""The vectors of docs/verify.md, computed from the page's words alone: nothing of the program is used here.

That the program agrees with the page is looked at in `test_verify_page.py`.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

PAGE = Path(__file__).parents[2] / "docs" / "verify.md"


def vectors() -> dict[str, Any]:
    """The one JSON block of the page."""
    (block,) = re.findall(r"^```json\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    found: dict[str, Any] = json.loads(block)
    return found


VECTORS = vectors()
SEED = bytes.fromhex(VECTORS["server_seed"])
GAME_SEED = bytes.fromhex(VECTORS["game_seed"])
TABLE = UUID(VECTORS["table"]).bytes


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def sha(message: bytes) -> bytes:
    return hashlib.sha256(message).digest()


def number(value: int, width: int = 8) -> bytes:
    return value.to_bytes(width, "big")


def words(counter: int, game_seed: bytes = GAME_SEED) -> Iterator[int]:
    index = 0
    while True:
        block = mac(game_seed, number(counter) + number(index))
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")
        index += 1


def below(bound: int, drawn: Iterator[int], rejected: list[int] | None = None) -> int:
    for word in drawn:
        if word < 2**32 - 2**32 % bound:
            return word % bound
        if rejected is not None:
            rejected.append(word)
    raise AssertionError


def shuffled(items: list[Any], drawn: Iterator[int]) -> list[Any]:
    deck = list(items)
    for last in range(len(deck) - 1, 0, -1):
        other = below(last + 1, drawn)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def game_seed(server_seed: bytes, table: bytes, contributions: list[str]) -> bytes:
    texts = [text.encode() for text in contributions]
    return mac(server_seed, table + b"".join(number(len(text), 4) + text for text in texts))


def test_the_commitment() -> None:
    assert VECTORS["commitment"] == sha(b"turnkeeper/commitment/1" + SEED).hex()


def test_the_game_seed() -> None:
    texts = [text.encode() for text in VECTORS["contributions"]]
    message = TABLE + b"".join(number(len(text), 4) + text for text in texts)
    assert VECTORS["game_seed_message"] == message.hex()
    assert VECTORS["game_seed"] == mac(SEED, message).hex()


@pytest.mark.parametrize("vector", VECTORS["words"])
def test_words(vector: dict[str, Any]) -> None:
    assert list(islice(words(vector["counter"]), len(vector["first"]))) == vector["first"]


@pytest.mark.parametrize("vector", VECTORS["integers"])
def test_integers_and_rejected_words(vector: dict[str, Any]) -> None:
    drawn, rejected = words(vector["counter"]), list[int]()
    assert [below(vector["bound"], drawn, rejected) for _ in range(vector["count"])] == vector["result"]
    assert rejected == vector.get("rejected", [])


@pytest.mark.parametrize("vector", VECTORS["dice"])
def test_dice(vector: dict[str, Any]) -> None:
    drawn = words(vector["counter"])
    assert [1 + below(vector["sides"], drawn) for _ in range(vector["count"])] == vector["result"]


@pytest.mark.parametrize("vector", VECTORS["shuffles"])
def test_shuffles(vector: dict[str, Any]) -> None:
    assert shuffled(vector["items"], words(vector["counter"])) == vector["result"]


def test_salts_and_digests() -> None:
    digest = bytes(32)
    for event in VECTORS["chain"]:
        salt = mac(SEED, b"salt" + number(event["version"]))
        assert event["salt"] == salt.hex()
        digest = sha(digest + sha(salt + event["bytes"].encode()))
        assert event["digest"] == digest.hex()


def test_written_bytes_are_canonical() -> None:
    for event in VECTORS["chain"]:
        value = json.loads(event["bytes"])
        assert json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False) == event["bytes"]


def test_the_signed_head() -> None:
    head = VECTORS["head"]
    message = b"turnkeeper/head/1" + TABLE + number(head["version"]) + bytes.fromhex(VECTORS["chain"][-1]["digest"])
    assert head["message"] == message.hex()
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(head["public_key"]))
    key.verify(bytes.fromhex(head["signature"]), message)
