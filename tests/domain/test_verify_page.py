"""The program agrees with docs/verify.md, and a verifier written from the page's words alone accepts a true file.

The outsider's part uses nothing of the program but the file.
"""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest

from domain import record
from domain.chance import Chance, commitment, game_seed
from domain.desk import DESK, FACTS
from domain.game import Config, Game
from domain.games.pasha.rules import CARDS
from domain.registry import GAMES
from infra.archive import HEADER_FIELDS, lines
from tests.domain import test_verify_vectors as page
from tests.infra.test_archive import archived, ended

VECTORS = page.VECTORS


def test_the_program_computes_the_vectors_of_the_page() -> None:
    table = UUID(VECTORS["table"])
    assert commitment(page.SEED) == VECTORS["commitment"]
    assert game_seed(page.SEED, table, VECTORS["contributions"]) == page.GAME_SEED
    for vector in VECTORS["integers"]:
        drawn = Chance(page.GAME_SEED, vector["counter"]).integers(vector["count"], vector["bound"])
        assert list(drawn) == vector["result"]
    for vector in VECTORS["dice"]:
        drawn = Chance(page.GAME_SEED, vector["counter"]).dice(vector["count"], vector["sides"])
        assert list(drawn) == vector["result"]
    for vector in VECTORS["shuffles"]:
        assert list(Chance(page.GAME_SEED, vector["counter"]).shuffled(vector["items"])) == vector["result"]
    digest = record.NO_DIGEST
    for event in VECTORS["chain"]:
        salt = record.salt(page.SEED, event["version"])
        digest = record.chained(digest, salt, event["bytes"].encode())
        assert (salt.hex(), digest.hex()) == (event["salt"], event["digest"])
        assert record.canonical(json.loads(event["bytes"])).decode() == event["bytes"]


def test_the_page_names_every_field_and_every_desk_event() -> None:
    text = page.PAGE.read_text()
    for name in HEADER_FIELDS | {"type", "schema", "data", "by", "at", "command", "seat", "action", "barrier", "draws"}:
        assert f"`{name}`" in text, name
    for fact in FACTS:
        name = fact.TOPIC.removeprefix("table.")
        # An import is what this server says of a record behind it: no export contains it.
        assert name in text or name == "Imported", name
    assert len(DESK) == 15


def outsider(content: bytes) -> tuple[bytes, list[dict[str, Any]]]:
    """Format, chain, commitment and branches of a file; returns the game seed and the events."""
    header, *rows = [json.loads(line) for line in content.splitlines()]
    events = [row["event"] for row in rows]
    (seed,) = [bytes.fromhex(event["data"]["server_seed"]) for event in events if event["type"] == "table.Sealed"]
    assert page.sha(b"turnkeeper/commitment/1" + seed).hex() == header["commitment"] == events[0]["data"]["commitment"]
    digest = bytes(32)
    for place, (row, line) in enumerate(zip(rows, content.splitlines()[1:], strict=True), 1):
        assert row["version"] == place
        written = line.split(b'"event":', 1)[1].rsplit(b',"version":', 1)[0]
        digest = page.sha(digest + page.sha(page.mac(seed, b"salt" + page.number(place)) + written))
        assert digest.hex() == row["digest"]
    assert header["head"] == digest.hex()
    (started,) = [event["data"] for event in events if event["type"] == "table.Started"]
    return page.game_seed(seed, UUID(header["table"]).bytes, started["contributions"]), events


def drawn_before(events: list[dict[str, Any]]) -> list[int]:
    """For each event the number of draws that stand before it, by the page's recursion."""
    after = [0]
    for event in events:
        cut = event["type"] == "table.Truncated"
        after.append(after[event["data"]["to"]] if cut else after[-1] + event.get("draws", 0))
    return after


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_an_outsiders_verifier_accepts_the_files_of_every_game(game: Game) -> None:
    content = b"".join(lines(archived(ended(game, game.seats[0], 5))))
    outsider(content)


def test_an_outsider_computes_every_throw_and_shuffle_of_a_game_of_pasha() -> None:
    content = b"".join(lines(archived(ended(GAMES["pasha"], 2, 5))))
    game_seed, events = outsider(content)
    thrown = 0
    for event, counter in zip(events, drawn_before(events), strict=False):
        data = event["data"]
        if event["type"] == "pasha.GameSetUp":
            for seat, stacks in enumerate(data["stacks"]):
                assert [card for stack in stacks for card in stack] == page.shuffled(
                    list(CARDS), page.words(seat, game_seed)
                )
            rules = GAMES["pasha"].rules[1](Config(2, events[0]["data"]["options"], contents(events[0]["data"])))
            assert data["tiles"] == page.shuffled([list(tile) for tile in rules.tiles], page.words(2, game_seed))
        if event["type"] in ("pasha.DiceThrown", "pasha.DiceRestarted", "pasha.DiceRethrown"):
            words = page.words(counter, game_seed)
            assert [1 + page.below(6, words) for _ in data["thrown"]] == data["thrown"]
            thrown += 1
    assert thrown > 20
    assert any(event["type"] == "table.Truncated" for event in events)


def contents(opened: dict[str, Any]) -> dict[str, str]:
    return {name: file["content"] for name, file in opened["data"].items()}
