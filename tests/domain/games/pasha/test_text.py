"""The log of Pasha: natural sentences in both languages, dice shown, nothing told that the fact's view hides."""

from __future__ import annotations

import re

import pytest

from domain.bots import random_bot
from domain.games.pasha.facts import (
    FACTS,
    CardPlayed,
    DiceRestarted,
    DiceRethrown,
    DiceThrown,
    DieAdjusted,
    GameSetUp,
    JetonPlaced,
    RoundAwarded,
    RoundStarted,
    ThrowingStopped,
    TurnEnded,
)
from tests.domain.games.pasha.positions import played, rules_for, set_up

DEAL = GameSetUp(1, (((7, -1, 3), (1, 2, 4), (5, -1, -1)), ((1, 2, 3), (4, 5, 7), (-1, -1, -1))), ((2, 3),), 5)

SENTENCES = [
    (
        DEAL,
        "The cards are dealt in stacks of three, the tiles lie face down. Seat 1 starts.",
        "Die Karten liegen in Stapeln zu dritt bereit, die Plättchen verdeckt. Sitz 1 beginnt.",
    ),
    (
        RoundStarted(4, 1, 2, 3),
        "Round 4: a tile worth 3 points is turned up above column 2. Seat 1 starts.",
        "Runde 4: Ein Plättchen mit 3 Punkten wird über Spalte 2 aufgedeckt. Sitz 1 beginnt.",
    ),
    (
        RoundStarted(9, 0, 6, 1),
        "Round 9: a tile worth 1 point is turned up above column 6. Seat 0 starts.",
        "Runde 9: Ein Plättchen mit 1 Punkt wird über Spalte 6 aufgedeckt. Sitz 0 beginnt.",
    ),
    (CardPlayed(0, -1, (), 3, False), "Seat 0 plays the card −1.", "Sitz 0 spielt die Karte −1 aus."),
    (
        CardPlayed(0, 4, (7, -1, 3), 3, False),
        "Seat 0 plays the card 4 and takes its next stack.",
        "Sitz 0 spielt die Karte 4 aus und nimmt den nächsten Stapel.",
    ),
    (DiceThrown(2, (), (6, 3, 3, 1, 5), 2), "Seat 2 throws 6-3-3-1-5.", "Sitz 2 würfelt 6-3-3-1-5."),
    (
        DiceThrown(2, (4, 4), (2, 6, 6), 1),
        "Seat 2 throws 2-6-6 and keeps 4-4: 2-4-4-6-6.",
        "Sitz 2 würfelt 2-6-6 und behält 4-4: 2-4-4-6-6.",
    ),
    (ThrowingStopped(1), "Seat 1 stops throwing.", "Sitz 1 hört auf zu würfeln."),
    (
        DiceRethrown(1, (5, 5, 5), (1, 2), 4),
        "For a stone (4 left): Seat 1 throws 1-2 and keeps 5-5-5: 1-2-5-5-5.",
        "Für einen Stein (noch 4): Sitz 1 würfelt 1-2 und behält 5-5-5: 1-2-5-5-5.",
    ),
    (
        DiceRestarted(1, (1, 2, 3, 4, 6), 2),
        "Seat 1 starts its throws anew and throws 1-2-3-4-6.",
        "Sitz 1 fängt mit dem Würfeln neu an und würfelt 1-2-3-4-6.",
    ),
    (
        DieAdjusted(0, 3, 4, 2),
        "Seat 0 spends a stone (2 left) and turns a 3 into a 4.",
        "Sitz 0 gibt einen Stein ab (noch 2) und dreht eine 3 auf 4.",
    ),
    (
        JetonPlaced(0, "triple", 6, 0),
        "Seat 0 has a triple and puts its jeton in column 6.",
        "Sitz 0: ein Drilling. Der Jeton kommt in Spalte 6.",
    ),
    (
        JetonPlaced(0, "none", None, 1),
        "Seat 0 has no pair and puts its jeton in front of the board, on top.",
        "Sitz 0: kein Pasch. Der Jeton kommt vor den Plan, obenauf.",
    ),
    (
        RoundAwarded(0, (1, 0), ((-1, -1), ()), ((), ())),
        "Seat 0 ends the round. Highest: seat 1. Won: seat 0 cards −1, −1.",
        "Sitz 0 beendet die Runde. Am höchsten: Sitz 1. Gewonnen: Sitz 0 Karten −1, −1.",
    ),
    (TurnEnded(0, 1), "Seat 0 ends its turn; seat 1 follows.", "Sitz 0 beendet den Zug; Sitz 1 folgt."),
    (
        RoundAwarded(1, (2, 0, 1), ((4,), (-1,), (7,)), ((), (), ((2, 3), (2, 2)))),
        "Seat 1 ends the round. Highest: seat 2. Won: seat 2 card 7 and tiles 3, 2; seat 0 card 4; seat 1 card −1.",
        (
            "Sitz 1 beendet die Runde. Am höchsten: Sitz 2. "
            "Gewonnen: Sitz 2 Karte 7 und Plättchen 3, 2; Sitz 0 Karte 4; Sitz 1 Karte −1."
        ),
    ),
]


@pytest.mark.parametrize(("fact", "english", "german"), SENTENCES)
def test_each_fact_has_a_sentence_in_both_languages(fact, english, german):
    rules = rules_for(3)
    assert rules.describe(fact, "en", None) == english
    assert rules.describe(fact, "de", None) == german


def test_no_fact_is_without_a_sentence():
    assert {type(fact) for fact, _, _ in SENTENCES} == set(FACTS)


def test_a_seat_reads_its_own_hand_and_the_stack_it_takes_and_nobody_else_does():
    rules = rules_for(2)
    taken = CardPlayed(0, 4, (7, -1, 3), 3, False)
    assert rules.describe(DEAL, "en", 0).endswith("Your hand: −1, 3, 7.")
    assert rules.describe(DEAL, "de", 1).endswith("Deine Hand: 1, 2, 3.")
    assert rules.describe(taken, "en", 0) == "Seat 0 plays the card 4 and takes its next stack (−1, 3, 7)."
    assert rules.describe(taken, "de", 0) == "Sitz 0 spielt die Karte 4 aus und nimmt den nächsten Stapel (−1, 3, 7)."
    for viewer in (1, None):
        assert rules.describe(taken, "en", viewer) == "Seat 0 plays the card 4 and takes its next stack."


@pytest.mark.parametrize("seats", [2, 5])
def test_the_log_of_a_whole_game_reads_well(seats):
    rules = rules_for(seats, specials=True)
    for command in played(rules, [random_bot] * seats, 6):
        for fact in command.facts:
            for language in ("en", "de"):
                for viewer in (None, 0):
                    sentence = rules.describe(fact, language, viewer)
                    assert re.fullmatch(r"[A-ZF].*[.]", sentence)
                    assert not re.search(r"  | ,|None|\(\)|_|-1", sentence.replace("-1-", "").replace("-1", "", 9))


def test_numbers_of_dice_are_shown_with_every_throw():
    rules = rules_for(2)
    assert set_up(rules)[0].state is not None
    for command in played(rules, [random_bot] * 2, 7):
        for fact in command.facts:
            if isinstance(fact, DiceThrown | DiceRethrown):
                shown = "-".join(map(str, fact.thrown))
                assert shown in rules.describe(fact, "en", None)
                assert shown in rules.describe(fact, "de", None)
