"""The compressor of stored events: zlib with a preset dictionary, since an event is too short to repeat itself.

The first byte names the dictionary; one that was used once is never changed, new ones are added.
"""

from __future__ import annotations

import zlib

from eventsourcing.persistence import Compressor

# What envelopes are made of, the most frequent last: matches near the end are the cheapest.
_FIRST = (
    b'{"cards":["can1","can2","glass1","glass2","paper1","paper2","plastic1","plastic2"],"material":"",'
    b'"server_seed":"","contributions":["",""],"type":"table.Opened","type":"table.Scored","type":"table.Ended",'
    b'"type":"table.Sealed","data":{"reason":"undo","to":},"type":"table.Truncated"}'
    b'{"action":{"doubles":0,"material":"plastic","singles":1,"type":"deliver"},"by":"system","by":"bot:random",'
    b'"data":{"cards":{"glass1":1},"seat":0},"schema":1,"seat":0,"type":"roeko.CardsDisposed"}'
    b'{"action":{"type":"end_turn"},"at":"2027-01-01T00:00:00.000000Z","barrier":true,"by":"bot:automa",'
    b'"command":"","data":{"collected":{},"doubles":0,"material":"glass","reward":null,"seat":0,"singles":1},'
    b'"draws":1,"schema":1,"seat":1,"type":"roeko.CardsDelivered"}'
    b'{"action":{"type":"","at":"2026-12-01T00:00:00.000000Z","barrier":true,"by":"player:","command":"","data":{"'
)
DICTIONARIES = {1: _FIRST}
CURRENT = 1
LEVEL = 6


class PresetZlib(Compressor):
    """Deflate with the dictionary of the first byte; about a third of an event's size remains."""

    def compress(self, data: bytes) -> bytes:
        deflater = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=DICTIONARIES[CURRENT])
        return bytes([CURRENT]) + deflater.compress(data) + deflater.flush()

    def decompress(self, data: bytes) -> bytes:
        return zlib.decompressobj(-zlib.MAX_WBITS, zdict=DICTIONARIES[data[0]]).decompress(data[1:])
