"""The log of Transatlantic in both languages."""

from __future__ import annotations

import re
from typing import Literal

import pytest

from tests.domain.games.transatlantic.positions import (
    END_TURN,
    Table,
    buy,
    copy,
    deploy,
    given,
    house,
    marker,
    play,
    region,
    take_card,
    travel,
)
from tests.domain.games.transatlantic.test_playouts import VARIANTS, sampled

Language = Literal["en", "de"]


def log(table: Table, language: Language) -> list[str]:
    return [table.rules.describe(fact, language, None) for fact in table.facts]


def test_a_turn_reads_naturally_in_both_languages() -> None:
    table = given(
        options={"president": True},
        regions={"north_atlantic": "gallia/0/1 scotia", "caribbean": "umbria/0/1 arizona/1/0 salier/1/1"},
        seat0={"waiting": "teutonic"},
        houses={"caribbean": (0,)},
    ).do(play("transport"), deploy("teutonic", "caribbean"), travel("umbria"))
    assert log(table, "en") == [
        "Seat 0 plays Transport.",
        "Seat 0 deploys the Teutonic in the Caribbean, where it displaces the Salier. It earns 3 contracts.",
        "Seat 1 deploys the Salier in the South Atlantic.",
        "Seat 0 travels with the Umbria and gets £60 and 1 point.",
    ]
    assert log(table, "de") == [
        "Sitz 0 spielt Transport.",
        "Sitz 0 setzt die Teutonic ein (Karibik) und verdrängt die Salier. Dafür gibt es 3 Kontrakte.",
        "Sitz 1 setzt die Salier ein (Südatlantik).",
        "Sitz 0 fährt mit der Umbria und erhält £60 und 1 Punkt.",
    ]


def test_purchases_ribands_and_renewal_are_told() -> None:
    table = given(market="arizona gallia lahn", deck="umbria").do(play("shipyard"), buy(0), {"type": "done"})
    table.do(deploy("arizona", "north_atlantic"), END_TURN)
    assert log(table, "en")[1:] == [
        "Seat 0 buys the Arizona for £100.",
        "Seat 0 leaves it at that.",
        "Seat 0 deploys the Arizona in the North Atlantic. The ship wins the Blue Riband.",
        "Seat 0 ends the turn. The Gallia goes to the docks. New in the market: Umbria.",
    ]
    assert log(table, "de")[-1] == (
        "Sitz 0 beendet den Zug. Die Gallia kommt auf die Reede. Neu auf dem Schiffsmarkt: Umbria."
    )


def test_a_region_tells_what_everybody_gets() -> None:
    regions = {"caribbean": "city_of_new_york/1/1 germanic/0/1 abyssinia/1/0"}
    table = given(regions=regions).do(play("region"), region("caribbean"))
    assert log(table, "en")[-1] == (
        "Seat 0 chooses the Caribbean: the City of New York and Germanic travel. Seat 0 gets £110. Seat 1 gets £70."
        " Of this £70 are seat 0's bonus for a foreign ship."
    )


def test_houses_markers_and_copies_are_told() -> None:
    table = given(seat0={"hand": "agent"}, seat1={"stack": "invest"}, regions={"caribbean": "umbria/0/1"}).do(
        play("agent"), copy(1), house("caribbean"), marker("mail")
    )
    assert log(table, "en")[1:] == [
        "Seat 0 copies Invest of seat 1.",
        "Seat 0 builds a house in the Caribbean for £20.",
        "Seat 0 takes a mail marker.",
    ]
    assert log(table, "de")[1:] == [
        "Sitz 0 kopiert Invest von Sitz 1.",
        "Sitz 0 baut für £20 ein Handelshaus (Karibik).",
        "Sitz 0 nimmt einen Postmarker.",
    ]


def test_a_display_card_that_pays_says_so() -> None:
    table = given(
        display="trade fleet", seat0={"hand": "director", "stack": "coal coal coal"}, houses={"caribbean": (0,)}
    ).do(play("director"), take_card("trade"))
    assert log(table, "en")[1] == "Seat 0 takes Trade from the display and plays it at once (£50)."
    assert log(table, "de")[1] == "Sitz 0 nimmt Handel aus der Auslage und spielt die Karte sofort aus (£50)."


def test_the_end_is_told() -> None:
    table = given(turn=1, final_round=5, reason="no_purchase", seat1={"hand": "trade"}).do(play("trade"), END_TURN)
    assert log(table, "en")[-1] == "Seat 1 ends the turn. Nobody buys any more: the game is over."
    assert log(table, "de")[-1] == "Sitz 1 beendet den Zug. Niemand kauft mehr: Das Spiel ist zu Ende."


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_fact_of_a_game_has_a_sentence_without_keys_or_gaps(language: Language) -> None:
    for game in sampled(3, VARIANTS[3], 9, every=3):
        (seat,) = game.rules.to_act(game.state)
        for action in game.rules.legal_actions(game.state, seat)[:4]:
            for fact in game.rules.decide(game.state, seat, action, game.chance):
                text = game.rules.describe(fact, language, None)
                assert text.endswith(".")
                assert not re.search(r"_|None|\(\)|  | ,|\.\.", text), text
