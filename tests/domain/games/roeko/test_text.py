"""The log of R-Öko: natural sentences in both languages, telling no more than a viewer may see."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.roeko import GAME
from domain.games.roeko.facts import (
    CardsDelivered,
    CardsDisposed,
    DumpRefilled,
    GameSetUp,
    PileReshuffled,
    TurnEnded,
    TurnPassed,
)
from tests.domain.games.roeko.helpers import rules_for

DEAL = GameSetUp(
    1, (("can1", "can1", "paper2"), ("glass1",) * 3), ("can1", "glass1", "can1", "paper2"), ("can1",), (0,)
)
SENTENCES: list[tuple[Any, int | None, str, str]] = [
    (
        DEAL,
        0,
        (
            "Every seat is dealt three cards (yours: 2 can singles and 1 paper double); "
            "the dump sides open with 2 can singles, 1 glass single and 1 paper double. Seat 1 starts."
        ),
        (
            "Jeder Sitz erhält drei Karten (deine: 2 Dosen-Einer und 1 Papier-Zweier); "
            "auf den Abfallseiten liegen 2 Dosen-Einer, 1 Glas-Einer und 1 Papier-Zweier. Sitz 1 beginnt."
        ),
    ),
    (
        CardsDelivered(1, "paper", 2, 1, -2, {"can1": 1, "glass2": 2}),
        None,
        (
            "Seat 1 delivers 2 paper singles and 1 paper double, earns the paper reward −2 "
            "and collects 1 can single and 2 glass doubles."
        ),
        (
            "Sitz 1 liefert 2 Papier-Einer und 1 Papier-Zweier ab, erhält die Papier-Rökokarte −2 "
            "und nimmt 1 Dosen-Einer und 2 Glas-Zweier auf."
        ),
    ),
    (
        CardsDelivered(0, "can", 1, 0, None, {}),
        0,
        "Seat 0 delivers 1 can single and finds the dump side empty.",
        "Sitz 0 liefert 1 Dosen-Einer ab und findet die Abfallseite leer.",
    ),
    (
        CardsDisposed(1, {"plastic1": 1}),
        1,
        "Seat 1 illegally disposes of 1 plastic single.",
        "Sitz 1 entsorgt illegal 1 Plastik-Einer.",
    ),
    (
        CardsDisposed(1, {"plastic1": 1}),
        None,
        "Seat 1 illegally disposes of 1 card.",
        "Sitz 1 entsorgt 1 Karte illegal.",
    ),
    (
        CardsDisposed(1, {"plastic1": 1, "can2": 1}),
        0,
        "Seat 1 illegally disposes of 2 cards.",
        "Sitz 1 entsorgt 2 Karten illegal.",
    ),
    (
        DumpRefilled("glass", ("paper1", "can1", "paper1")),
        None,
        "The glass dump side is refilled with 1 can single and 2 paper singles.",
        "Neu auf der Glas-Abfallseite: 1 Dosen-Einer und 2 Papier-Einer.",
    ),
    (
        PileReshuffled(("can1",) * 12),
        None,
        "The discard pile is shuffled into a new draw pile of 12 cards.",
        "Der Ablagestapel wird zum neuen Zugstapel aus 12 Karten gemischt.",
    ),
    (
        TurnEnded(1, 0, None),
        None,
        "Seat 1 ends the turn; seat 0 is next.",
        "Sitz 1 beendet den Zug; Sitz 0 ist an der Reihe.",
    ),
    (
        TurnEnded(1, None, "last_reward"),
        None,
        "Seat 1 ends the turn; a factory has given its last reward and the game is over.",
        "Sitz 1 beendet den Zug; eine Fabrik hat ihre letzte Rökokarte vergeben, das Spiel ist aus.",
    ),
    (
        TurnPassed(1, 0, None),
        None,
        "Seat 1 has no cards and passes; seat 0 is next.",
        "Sitz 1 hat keine Karten und passt; Sitz 0 ist an der Reihe.",
    ),
    (
        TurnPassed(1, None, "nobody_can_move"),
        None,
        "Seat 1 has no cards and passes; nobody can move any more and the game is over.",
        "Sitz 1 hat keine Karten und passt; niemand kann mehr ziehen, das Spiel ist aus.",
    ),
]


@pytest.mark.parametrize(("fact", "viewer", "english", "german"), SENTENCES)
def test_a_fact_is_told_in_english_and_german(fact: Any, viewer: int | None, english: str, german: str) -> None:
    rules = rules_for(2)
    assert rules.describe(fact, "en", viewer) == english
    assert rules.describe(fact, "de", viewer) == german


def test_every_fact_has_its_sentences() -> None:
    assert {type(fact) for fact, *_ in SENTENCES} == set(GAME.facts)


def test_hidden_cards_change_no_sentence_of_those_who_do_not_see_them() -> None:
    rules = rules_for(2)
    other_deal = GameSetUp(1, (("can1", "can1", "paper2"), ("paper1",) * 3), DEAL.dumps, ("glass2",), (0,))
    for language in ("en", "de"):
        assert rules.describe(DEAL, language, 0) == rules.describe(other_deal, language, 0)
        assert rules.describe(DEAL, language, None) == rules.describe(other_deal, language, None)
        for viewer in (0, None):
            assert rules.describe(CardsDisposed(1, {"can1": 2}), language, viewer) == rules.describe(
                CardsDisposed(1, {"can2": 1, "paper1": 1}), language, viewer
            )
        assert rules.describe(PileReshuffled(("can1", "can2")), language, 1) == rules.describe(
            PileReshuffled(("can2", "can1")), language, 1
        )
