"""What was stored once can be read for ever: dictionaries are added, never changed."""

from __future__ import annotations

import pytest

from infra.compression import CURRENT, DICTIONARIES, PresetZlib

WRITTEN = (
    b'{"action":{"type":"end_turn"},"at":"2026-12-01T10:11:12.000000Z","barrier":true,"by":"player:1","command":"c",'
    b'"data":{"next_seat":1,"reason":null,"seat":0},"schema":1,"seat":0,"type":"roeko.TurnEnded"}'
)
STORED = {
    1: "012332c061961a1a58191a5a191a1167a9218aadc948d6e6a55694c4c3430396cc51c29398d4130274262427d50200",
    2: "0223325860961a1a58191a5a191a1167a9218aadc948d6523ff70300",
}


@pytest.mark.parametrize("number", DICTIONARIES)
def test_what_was_stored_with_a_dictionary_can_still_be_read(number: int) -> None:
    assert PresetZlib().decompress(bytes.fromhex(STORED[number])) == WRITTEN


def test_the_newest_dictionary_is_written_and_read() -> None:
    stored = PresetZlib().compress(WRITTEN)
    assert stored[0] == CURRENT == max(DICTIONARIES)
    assert len(stored) < len(WRITTEN) / 2
    assert PresetZlib().decompress(stored) == WRITTEN
