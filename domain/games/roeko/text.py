"""The log of R-Öko in English and German. A sentence tells no more than `fact_view` shows its viewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from domain.game import Language, Viewer
from domain.games.roeko.facts import (
    CardsDelivered,
    CardsDisposed,
    DumpRefilled,
    GameSetUp,
    PileReshuffled,
    TurnEnded,
    TurnPassed,
)
from domain.games.roeko.state import KINDS

WORDS: Mapping[Language, Mapping[str, str]] = {
    "en": {"can": "can", "glass": "glass", "plastic": "plastic", "paper": "paper", "and": "and"},
    "de": {"can": "Dosen", "glass": "Glas", "plastic": "Plastik", "paper": "Papier", "and": "und"},
}


def describe(fact: Any, language: Language, viewer: Viewer) -> str:
    """A fact as a sentence of the log, for one viewer."""
    return SENTENCES[language][type(fact)](fact, viewer)


def kind_name(kind: str, count: int, language: Language) -> str:
    """So many cards of a kind: "2 paper singles", "2 Papier-Einer"."""
    material, double = WORDS[language][kind[:-1]], kind.endswith("2")
    if language == "de":
        return f"{count} {material}-{'Zweier' if double else 'Einer'}"
    return f"{count} {material} {'double' if double else 'single'}{'' if count == 1 else 's'}"


def cards_text(cards: Mapping[str, int], language: Language) -> str:
    """Cards in words, in the order of the kinds: "1 can single, 2 glass singles and 1 paper double"."""
    named = [kind_name(kind, cards[kind], language) for kind in KINDS if cards.get(kind)]
    if len(named) < 2:
        return "".join(named)
    return f"{', '.join(named[:-1])} {WORDS[language]['and']} {named[-1]}"


def _number(value: int) -> str:
    return str(value).replace("-", "−")


def _given(fact: CardsDelivered, language: Language) -> str:
    return cards_text({f"{fact.material}1": fact.singles, f"{fact.material}2": fact.doubles}, language)


def _set_up_en(fact: GameSetUp, viewer: Viewer) -> str:
    told = "Every seat is dealt three cards"
    if viewer is not None:
        told += f" (yours: {cards_text(Counter(fact.hands[viewer]), 'en')})"
    return f"{told}; the dump sides open with {cards_text(Counter(fact.dumps), 'en')}. Seat {fact.start_seat} starts."


def _set_up_de(fact: GameSetUp, viewer: Viewer) -> str:
    told = "Jeder Sitz erhält drei Karten"
    if viewer is not None:
        told += f" (deine: {cards_text(Counter(fact.hands[viewer]), 'de')})"
    dumps = cards_text(Counter(fact.dumps), "de")
    return f"{told}; auf den Abfallseiten liegen {dumps}. Sitz {fact.start_seat} beginnt."


def _delivered_en(fact: CardsDelivered, viewer: Viewer) -> str:
    told = f"Seat {fact.seat} delivers {_given(fact, 'en')}"
    if fact.reward is not None:
        told += f", earns the {fact.material} reward {_number(fact.reward)}"
    if fact.collected:
        return f"{told} and collects {cards_text(fact.collected, 'en')}."
    return f"{told} and finds the dump side empty."


def _delivered_de(fact: CardsDelivered, viewer: Viewer) -> str:
    told = f"Sitz {fact.seat} liefert {_given(fact, 'de')} ab"
    if fact.reward is not None:
        told += f", erhält die {WORDS['de'][fact.material]}-Rökokarte {_number(fact.reward)}"
    if fact.collected:
        return f"{told} und nimmt {cards_text(fact.collected, 'de')} auf."
    return f"{told} und findet die Abfallseite leer."


def _disposed_en(fact: CardsDisposed, viewer: Viewer) -> str:
    if viewer == fact.seat:
        return f"Seat {fact.seat} illegally disposes of {cards_text(fact.cards, 'en')}."
    count = sum(fact.cards.values())
    return f"Seat {fact.seat} illegally disposes of {count} card{'' if count == 1 else 's'}."


def _disposed_de(fact: CardsDisposed, viewer: Viewer) -> str:
    if viewer == fact.seat:
        return f"Sitz {fact.seat} entsorgt illegal {cards_text(fact.cards, 'de')}."
    count = sum(fact.cards.values())
    return f"Sitz {fact.seat} entsorgt {count} Karte{'' if count == 1 else 'n'} illegal."


def _refilled_en(fact: DumpRefilled, viewer: Viewer) -> str:
    return f"The {fact.material} dump side is refilled with {cards_text(Counter(fact.cards), 'en')}."


def _refilled_de(fact: DumpRefilled, viewer: Viewer) -> str:
    site = f"{WORDS['de'][fact.material]}-Abfallseite"
    return f"Neu auf der {site}: {cards_text(Counter(fact.cards), 'de')}."


def _reshuffled_en(fact: PileReshuffled, viewer: Viewer) -> str:
    return f"The discard pile is shuffled into a new draw pile of {len(fact.cards)} cards."


def _reshuffled_de(fact: PileReshuffled, viewer: Viewer) -> str:
    return f"Der Ablagestapel wird zum neuen Zugstapel aus {len(fact.cards)} Karten gemischt."


def _turn_ended_en(fact: TurnEnded, viewer: Viewer) -> str:
    if fact.next_seat is None:
        return f"Seat {fact.seat} ends the turn; a factory has given its last reward and the game is over."
    return f"Seat {fact.seat} ends the turn; seat {fact.next_seat} is next."


def _turn_ended_de(fact: TurnEnded, viewer: Viewer) -> str:
    if fact.next_seat is None:
        return f"Sitz {fact.seat} beendet den Zug; eine Fabrik hat ihre letzte Rökokarte vergeben, das Spiel ist aus."
    return f"Sitz {fact.seat} beendet den Zug; Sitz {fact.next_seat} ist an der Reihe."


def _turn_passed_en(fact: TurnPassed, viewer: Viewer) -> str:
    if fact.next_seat is None:
        return f"Seat {fact.seat} has no cards and passes; nobody can move any more and the game is over."
    return f"Seat {fact.seat} has no cards and passes; seat {fact.next_seat} is next."


def _turn_passed_de(fact: TurnPassed, viewer: Viewer) -> str:
    if fact.next_seat is None:
        return f"Sitz {fact.seat} hat keine Karten und passt; niemand kann mehr ziehen, das Spiel ist aus."
    return f"Sitz {fact.seat} hat keine Karten und passt; Sitz {fact.next_seat} ist an der Reihe."


Sentence = Callable[[Any, Viewer], str]

SENTENCES: Mapping[Language, Mapping[type, Sentence]] = {
    "en": {
        GameSetUp: _set_up_en,
        CardsDelivered: _delivered_en,
        CardsDisposed: _disposed_en,
        DumpRefilled: _refilled_en,
        PileReshuffled: _reshuffled_en,
        TurnEnded: _turn_ended_en,
        TurnPassed: _turn_passed_en,
    },
    "de": {
        GameSetUp: _set_up_de,
        CardsDelivered: _delivered_de,
        CardsDisposed: _disposed_de,
        DumpRefilled: _refilled_de,
        PileReshuffled: _reshuffled_de,
        TurnEnded: _turn_ended_de,
        TurnPassed: _turn_passed_de,
    },
}
