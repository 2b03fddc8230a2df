"""A file gives its record back to the byte, and no single change of it passes."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.registry import GAMES
from infra import signing
from infra.archive import Archive, BadArchive, lines, of_record, parse, verify
from tests.domain.test_audit import ended
from tests.every import ALL_GAMES, replayable
from tests.ledger import TABLE, Ledger

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def archived(ledger: Ledger) -> Archive:
    head = ledger.events[-1]
    signature = KEY.sign(signing._message(TABLE, head.version, head.digest))
    public = KEY.public_key().public_bytes_raw().hex()
    return of_record(TABLE, ledger.events, key=public, signature=signature.hex(), marks={})


@pytest.fixture(scope="module")
def content() -> bytes:
    return b"".join(lines(archived(ended(GAMES["roeko"], 3, 11))))


@pytest.mark.parametrize("key", ALL_GAMES)
def test_a_file_gives_its_record_back(key: str) -> None:
    game = ALL_GAMES[key]
    archive = archived(ended(game, game.seats[0], 2))
    written = b"".join(lines(archive))
    again = parse(written, ALL_GAMES)
    assert again == archive
    assert b"".join(lines(again)) == written
    assert verify(again, ALL_GAMES).verified


def test_the_wrong_key_is_no_signature(content: bytes) -> None:
    archive = parse(content, GAMES)
    other = Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()
    assert archive.is_signed_by(archive.key)
    assert not archive.is_signed_by(other)
    forged = content.replace(archive.key.encode(), other.encode())
    with pytest.raises(BadArchive, match="signature"):
        verify(parse(forged, GAMES), GAMES)


def flip_byte(content: bytes, rng: Random) -> bytes:
    place = rng.randrange(len(content))
    return content[:place] + bytes([content[place] ^ (1 << rng.randrange(8))]) + content[place + 1 :]


def drop_line(content: bytes, rng: Random) -> bytes:
    rows = content.splitlines(keepends=True)
    del rows[rng.randrange(len(rows))]
    return b"".join(rows)


def swap_lines(content: bytes, rng: Random) -> bytes:
    rows = content.splitlines(keepends=True)
    a, b = rng.sample(range(len(rows)), 2)
    rows[a], rows[b] = rows[b], rows[a]
    return b"".join(rows)


def double_line(content: bytes, rng: Random) -> bytes:
    rows = content.splitlines(keepends=True)
    place = rng.randrange(len(rows))
    return b"".join([*rows[:place], rows[place], *rows[place:]])


def change_value(content: bytes, rng: Random) -> bytes:
    """Some number, text, truth value or type in some line, canonically written again."""
    rows = content.splitlines(keepends=True)
    place = rng.randrange(len(rows))
    value = json.loads(rows[place])
    holder, key = rng.choice(list(leaves(value)))
    old = holder[key]
    holder[key] = rng.choice([other for other in (0, 1, 2, "x", None, True, [], {"a": 1}, str(old)) if other != old])
    rows[place] = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    return b"".join(rows)


def leaves(value: object):  # type: ignore[no-untyped-def]
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield value, key
        yield from leaves(inner)


@pytest.mark.parametrize("change", [flip_byte, drop_line, swap_lines, double_line, change_value])
def test_single_changes_are_all_refused_and_their_line_is_named(
    content: bytes, change: Callable[[bytes, Random], bytes]
) -> None:
    original = content.split(b"\n")
    last, refusals = len(original) - 1, 0
    for seed in range(60):
        with replayable(__file__, seed):
            rng = Random(seed)
            changed = change(content, rng)
            if changed == content or only_marks_differ(content, changed):
                continue
            with pytest.raises(BadArchive) as refused:
                verify(parse(changed, GAMES), GAMES)
            now = changed.split(b"\n")
            first = next(n for n, (a, b) in enumerate(zip(original, now, strict=False), 1) if a != b)
            # The header names the head too, so a change of the last line is one of these two.
            assert refused.value.line == first or (first == last and refused.value.line == 1), str(refused.value)
            if refused.value.message.startswith("event "):
                assert refused.value.message.split()[1].rstrip(":") == str(first - 1)
            refusals += 1
    assert refusals >= 57, "of 60 but for marks, which are no part of what is true"


def only_marks_differ(content: bytes, changed: bytes) -> bool:
    return content.split(b"\n", 1)[1] == changed.split(b"\n", 1)[1] and b'"marks":{}' not in changed.split(b"\n")[0]


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"{}\n", b"[]\n", b"null\n", b'{"format":"turnkeeper/2"}\n', b"\xff\n", b"[" * 100_000 + b"\n"],
)
def test_what_is_no_file_of_ours_is_refused_at_its_first_line(content: bytes) -> None:
    with pytest.raises(BadArchive, match="line 1"):
        parse(content, GAMES)
