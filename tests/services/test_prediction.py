"""Draws can't be known before the end from anything that is public, and can be from the seed that the end discloses."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from itertools import product
from typing import Any
from uuid import UUID

from domain.chance import Chance, game_seed
from tests.services.helpers import Api
from tests.services.test_agreements import END, seal
from workers import scoring

DECK = tuple(range(1, 13))
"""Twelve cards: no guess hits their order by luck."""


def texts(value: Any) -> Iterator[str]:
    """Every text and number in an answer."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from (str(key), *texts(inner))
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)
    else:
        yield str(value)


def readings(text: str) -> Iterator[bytes]:
    """What somebody might take a text for: its letters, the bytes it spells, an id; and their hashes."""
    found = [text.encode()]
    for read in (bytes.fromhex, lambda spelled: UUID(spelled).bytes):
        try:
            found.append(read(text))
        except ValueError:
            continue
    for raw in found:
        yield from (raw, hashlib.sha256(raw).digest(), hashlib.sha256(hashlib.sha256(raw).digest()).digest())


def public(api: Api, table: str, *callers: Any) -> set[bytes]:
    """Everything that a spectator and the players are told of a table, as keys that one might try."""
    paths = ("", "/view", "/events?limit=500", "/audit")
    answers = [caller.get(f"/v1/tables/{table}{path}", expect=200) for caller in callers for path in paths]
    heard = [answer.json for answer in answers] + [dict(answer.headers) for answer in answers]
    return {reading for answer in heard for text in texts(json.loads(json.dumps(answer))) for reading in readings(text)}


def guessed(keys: set[bytes], table: str, contributions: list[str]) -> Iterator[tuple[int, ...]]:
    """The decks that the keys would give, as the server's seed or the game's, at the first draws."""
    for key, counter in product(keys, range(3)):
        yield Chance(key, counter).shuffled(DECK)
        yield Chance(game_seed(key, UUID(table), contributions), counter).shuffled(DECK)


def test_nothing_public_predicts_a_draw_and_the_seed_does(toys: Api) -> None:
    ada, bob = toys.player("Ada"), toys.player("Bob")
    table = ada.post(
        "/v1/tables",
        {"game": "veiled", "seats": [{"kind": "me"}, {"kind": "open"}], "start_seat": 0, "entropy": "Ada's word"},
        expect=201,
    ).json["id"]
    bob.post(f"/v1/tables/{table}/seats", {"entropy": "Bob's"}, expect=201)
    for _ in range(3):
        for caller in (ada, bob):
            caller.act(table, {"type": "draw"}, expect=201)
            caller.act(table, END, expect=201)
    toys.follow()
    keys = public(toys, table, ada, bob, toys.public())
    assert len(keys) > 200
    contributions = ["Ada's word", "Bob's"]
    decks = set(guessed(keys, table, contributions))
    while (view := ada.view(table))["status"] == "running":
        caller = (ada, bob)[view["to_act"][0]]
        caller.act(table, caller.view(table)["actions"][0], expect=201)
    scoring.score(toys.context, UUID(table))
    seal(toys, table)
    log = toys.public().get(f"/v1/tables/{table}/events?limit=500", expect=200).json["items"]
    (deck,) = [tuple(entry["data"]["deck"]) for entry in log if entry["type"] == "veiled.SetUp"]
    assert deck not in decks
    seed = bytes.fromhex(toys.public().get(f"/v1/tables/{table}/audit").json["seed"])
    assert seed not in keys
    assert deck in set(guessed({seed}, table, contributions)), "whoever knows the seed knows the deck"
    assert deck not in set(guessed({seed}, table, ["Ada's word", ""])), "and it depends on everybody's word"
