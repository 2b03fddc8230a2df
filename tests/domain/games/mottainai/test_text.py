"""The log in English and German: cards are named by the aspect that counts."""

from __future__ import annotations

import random
from typing import Any

import pytest

from domain.chance import Chance
from domain.games.mottainai import facts as f
from domain.games.mottainai.text import SENTENCES, describe
from tests.domain.games.mottainai.positions import rules_for

SAID = [
    (f.CardsMoved(0, "choose_task", ("bowl",), "hand", 0, "task", 0),
     "Seat 0 chooses the task Potter.", "Sitz 0 wählt die Aufgabe Töpfer."),
    (f.CardsMoved(0, "old_task", ("bowl",), "task", 0, "floor", 0),
     "Seat 0 puts the old task Potter on the floor.", "Sitz 0 legt die alte Aufgabe Töpfer auf den Boden."),
    (f.CardsMoved(1, "potter", ("bowl",), "floor", 1, "bench", 1),
     "Seat 1 takes Clay from the floor to the bench.", "Sitz 1 nimmt Lehm vom Boden auf die Werkbank."),
    (f.CardsMoved(1, "monk", ("bowl",), "floor", 1, "helpers", 1),
     "Seat 1 hires a helper: Potter.", "Sitz 1 wirbt einen Helfer an: Töpfer."),
    (f.CardsMoved(1, "clerk", ("bowl",), "bench", 1, "sales", 1), "Seat 1 sells Clay.", "Sitz 1 verkauft Lehm."),
    (f.CardsMoved(1, "shuriken", ("bowl",), "gallery", 0, "gift_shop", 1),
     "Seat 1 uses Shuriken: Bowl from the gallery of seat 0 to the gift shop.",
     "Sitz 1 nutzt Shuriken: Schale aus der Galerie von Sitz 0 in den Souvenirladen."),
    (f.WorkCompleted(0, "smith", "bowl", "gallery", "hand", ("jar", "vase")),
     "Seat 0 completes Bowl to the gallery (Smith) and shows 2 Clay.",
     "Sitz 0 stellt Schale her, in die Galerie (Schmied) und zeigt 2 Lehm."),
    (f.CardsDrawn(0, "prayer", ("bowl",)),
     "Seat 0 draws 1 card into the waiting area (prayer).", "Sitz 0 zieht 1 Karte in den Wartebereich (Gebet)."),
    (f.TaskStarted(0, 1, "potter", 3),
     "Seat 0 performs the task of seat 1, Potter: 3 actions.",
     "Sitz 0 führt die Aufgabe von Sitz 1 aus, Töpfer: 3 Aktionen."),
    (f.KiteCopied(0, "gallery", "bowl"),
     "Seat 0's Kite counts as Bowl until the end of the turn.",
     "Der Drachen von Sitz 0 zählt bis zum Ende des Zugs als Schale."),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "english", "german"), SAID, ids=lambda value: str(value)[:24])
def test_a_sentence_names_the_aspect_that_counts(fact: Any, english: str, german: str) -> None:
    assert describe(fact, "en", None) == english
    assert describe(fact, "de", None) == german


def test_a_hidden_return_is_named_to_its_seat_only() -> None:
    fact = f.CardsReturned(0, "tailor", ("bowl",), "hand")
    assert "Bowl" in describe(fact, "en", 0)
    assert "Bowl" not in describe(fact, "en", 1)
    assert "Schale" not in describe(fact, "de", None)


def test_every_kind_of_fact_has_a_sentence() -> None:
    assert set(SENTENCES) == set(f.FACTS)


@pytest.mark.parametrize("seats", [2, 4])
def test_every_fact_of_a_game_reads_in_both_languages(seats: int) -> None:
    for seed in range(5):
        rules, rng, chance = rules_for(seats), random.Random(seed), Chance(bytes([seed] * 32))
        state: Any = None
        facts = rules.setup(None, chance)
        while True:
            for fact in facts:
                state = rules.evolve(state, fact)
                for language in ("en", "de"):
                    for viewer in (None, 0, 1):
                        text = rules.describe(fact, language, viewer)
                        assert text.endswith(".")
                        assert "_" not in text
                        assert "None" not in text
            if state.ended:
                break
            facts = rules.decide(state, state.active, rng.choice(rules.legal_actions(state, state.active)), chance)
