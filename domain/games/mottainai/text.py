"""The log of Mottainai in English and German. A sentence tells no more than `fact_view` shows its viewer.

A card is named by the aspect that counts where it goes: its task, its material, or the work that it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from domain.game import Language, Viewer
from domain.games.mottainai import facts as f
from domain.games.mottainai.cards import CARD, MATERIAL, NAMES, TASK_OF
from domain.games.mottainai.view import private
from domain.games.mottainai.words import (
    CAUSES,
    CHOICES,
    ENDS,
    FROM,
    INTO,
    MATERIAL_WORDS,
    OF_SEAT,
    PLAIN,
    SEAT,
    TASK_WORDS,
    VALUES,
)

WORK_ZONES = ("gallery", "gift_shop")
TASK_ZONES = ("helpers", "task")


def describe(fact: Any, language: Language, viewer: Viewer) -> str:
    """A fact as a sentence of the log, for one viewer."""
    return SENTENCES[type(fact)](fact, language, viewer)


def who(seat: int, language: Language) -> str:
    return f"{SEAT[language]} {seat}"


def work(card: str, language: Language) -> str:
    return NAMES[language][CARD[card]]


def task(card: str, language: Language) -> str:
    return TASK_WORDS[language][TASK_OF[MATERIAL[card]]]


def listed(words: Iterable[str]) -> str:
    """Words in the order they come, equal ones counted: "2 Clay, Metal"."""
    counts = Counter(words)
    return ", ".join(word if n == 1 else f"{n} {word}" for word, n in counts.items()) or "–"


def materials(cards: Iterable[str], language: Language) -> str:
    return listed(MATERIAL_WORDS[language][MATERIAL[card]] for card in cards)


def works(cards: Iterable[str], language: Language) -> str:
    return listed(work(card, language) for card in cards)


def in_zone(cards: Iterable[str], src: str, dst: str, language: Language) -> str:
    """Cards by the aspect that matters where they go, or came from."""
    if dst in WORK_ZONES or src in WORK_ZONES:
        return works(cards, language)
    if dst in TASK_ZONES or (src in TASK_ZONES and dst == "floor"):
        return listed(task(card, language) for card in cards)
    return materials(cards, language)


def cause(by: str, language: Language) -> str:
    return CAUSES[language].get(by) or work(by, language)


def cards_number(count: int, language: Language) -> str:
    if language == "en":
        return "1 card" if count == 1 else f"{count} cards"
    return "1 Karte" if count == 1 else f"{count} Karten"


def _dealt(fact: f.CardsDealt, language: Language, viewer: Viewer) -> str:
    own = "" if viewer is None else works(fact.hands[viewer], language)
    floor = materials(fact.floor, language)
    if language == "en":
        told = f"Five cards to each hand{f' (yours: {own})' if own else ''}, a face-down task to each temple"
        return f"{told}, on the floor: {floor}. Seat {fact.start_seat} starts."
    told = f"Fünf Karten auf jede Hand{f' (deine: {own})' if own else ''}, eine verdeckte Aufgabe in jeden Tempel"
    return f"{told}, auf dem Boden: {floor}. Sitz {fact.start_seat} beginnt."


def _turn(fact: f.TurnStarted, language: Language, viewer: Viewer) -> str:
    return f"Turn of seat {fact.seat}." if language == "en" else f"Sitz {fact.seat} ist am Zug."


def _choice(fact: f.ChoiceMade, language: Language, viewer: Viewer) -> str:
    value: Any = fact.value
    if fact.choice == "choose_card" and viewer != fact.seat:
        value = None
    word = VALUES[language].get(value) or MATERIAL_WORDS[language].get(value)
    if word is None:
        word = NAMES[language].get(value, str(value))
    return CHOICES[language][fact.choice].format(who=who(fact.seat, language), value=word)


def _drawn(fact: f.CardsDrawn, language: Language, viewer: Viewer) -> str:
    number = cards_number(len(fact.cards), language)
    by = cause(fact.by, language)
    if language == "en":
        return f"Seat {fact.seat} draws {number} into the waiting area ({by})."
    return f"Sitz {fact.seat} zieht {number} in den Wartebereich ({by})."


def _returned(fact: f.CardsReturned, language: Language, viewer: Viewer) -> str:
    by = cause(fact.by, language)
    if private(fact):
        shown = viewer == fact.seat
        what = works(fact.cards, language) if shown else cards_number(len(fact.cards), language)
    else:
        what = in_zone(fact.cards, fact.src, "deck", language)
    src = FROM[language][fact.src]
    if language == "en":
        return f"Seat {fact.seat} returns {what} {src} under the deck ({by})."
    return f"Sitz {fact.seat} legt {what} {src} unter das Deck ({by})."


def _moved(fact: f.CardsMoved, language: Language, viewer: Viewer) -> str:
    what = in_zone(fact.cards, fact.src, fact.dst, language)
    name = who(fact.seat, language)
    if fact.by in PLAIN[language]:
        return PLAIN[language][fact.by].format(who=name, what=what)
    src, dst = FROM[language][fact.src], INTO[language][fact.dst]
    if fact.whose != fact.seat and fact.src not in ("deck", "floor"):
        src += OF_SEAT[language].format(fact.whose)
    if fact.to != fact.seat and fact.dst != "floor":
        dst += OF_SEAT[language].format(fact.to)
    verb = "uses" if language == "en" else "nutzt"
    return f"{name} {verb} {work(fact.by, language)}: {what} {src} {dst}."


def _revealed(fact: f.CardsRevealed, language: Language, viewer: Viewer) -> str:
    what = works(fact.cards, language) if fact.src == "deck" else materials(fact.cards, language)
    src, by = FROM[language][fact.src], cause(fact.by, language)
    if language == "en":
        return f"Seat {fact.seat} shows {what} {src} ({by})."
    return f"Sitz {fact.seat} zeigt {what} {src} ({by})."


def _completed(fact: f.WorkCompleted, language: Language, viewer: Viewer) -> str:
    name, by = work(fact.card, language), cause(fact.by, language)
    wing, src = INTO[language][fact.wing], f" {FROM[language]['deck']}" if fact.src == "deck" else ""
    shown = materials(fact.shown, language) if fact.shown else ""
    if language == "en":
        support = f" and shows {shown}" if shown else ""
        return f"Seat {fact.seat} completes {name}{src} {wing} ({by}){support}."
    support = f" und zeigt {shown}" if shown else ""
    return f"Sitz {fact.seat} stellt {name}{src} her, {wing} ({by}){support}."


def _exchanged(fact: f.HandsExchanged, language: Language, viewer: Viewer) -> str:
    told = ""
    if viewer == fact.other:
        told = f": {works(fact.given, language)} / {works(fact.taken, language)}"
    elif viewer == fact.seat:
        told = f": {works(fact.given, language)} / {cards_number(len(fact.taken), language)}"
    if language == "en":
        return f"Seat {fact.seat} exchanges hands with seat {fact.other}{told}."
    return f"Sitz {fact.seat} tauscht die Hand mit Sitz {fact.other}{told}."


def _hands_shown(fact: f.HandsShown, language: Language, viewer: Viewer) -> str:
    material = MATERIAL_WORDS[language][fact.material]
    hands = "; ".join(
        f"{who(seat, language)}: {works(hand, language)}" for seat, hand in zip(fact.others, fact.hands, strict=True)
    )
    taken = works((card for cards in fact.taken for card in cards), language)
    if language == "en":
        return f"Seat {fact.seat} names {material} for Jar and takes {taken}. Shown: {hands}."
    return f"Sitz {fact.seat} nennt {material} für den Krug und nimmt {taken}. Gezeigt: {hands}."


def _kite(fact: f.KiteCopied, language: Language, viewer: Viewer) -> str:
    name = work(fact.work, language)
    if language == "en":
        return f"Seat {fact.seat}'s Kite counts as {name} until the end of the turn."
    return f"Der Drachen von Sitz {fact.seat} zählt bis zum Ende des Zugs als {name}."


def _kites_back(fact: f.KitesTurnedBack, language: Language, viewer: Viewer) -> str:
    if language == "en":
        return f"Seat {fact.seat}'s Kite is a Kite again."
    return f"Der Drachen von Sitz {fact.seat} ist wieder ein Drachen."


def _task_started(fact: f.TaskStarted, language: Language, viewer: Viewer) -> str:
    name = TASK_WORDS[language][fact.task]
    own = fact.owner == fact.seat
    if language == "en":
        whose = "the own task" if own else f"the task of seat {fact.owner}"
        return f"Seat {fact.seat} performs {whose}, {name}: {fact.actions} action{'' if fact.actions == 1 else 's'}."
    whose = "die eigene Aufgabe" if own else f"die Aufgabe von Sitz {fact.owner}"
    return f"Sitz {fact.seat} führt {whose} aus, {name}: {fact.actions} Aktion{'' if fact.actions == 1 else 'en'}."


def _task_skipped(fact: f.TaskSkipped, language: Language, viewer: Viewer) -> str:
    name = TASK_WORDS[language][fact.task]
    if language == "en":
        return f"Seat {fact.seat} reveals nothing and skips the task of seat {fact.owner}, {name}."
    return f"Sitz {fact.seat} zeigt nichts und lässt die Aufgabe von Sitz {fact.owner}, {name}, aus."


def _extra_turn(fact: f.ExtraTurnWon, language: Language, viewer: Viewer) -> str:
    if language == "en":
        return f"Seat {fact.seat} uses Frog and gets one more turn."
    return f"Sitz {fact.seat} nutzt den Frosch und erhält einen weiteren Zug."


def _waiting_taken(fact: f.WaitingTaken, language: Language, viewer: Viewer) -> str:
    what = cards_number(len(fact.cards), language)
    if viewer == fact.seat:
        what = works(fact.cards, language)
    if language == "en":
        return f"Seat {fact.seat} takes the waiting area into hand: {what}."
    return f"Sitz {fact.seat} nimmt den Wartebereich auf die Hand: {what}."


def _end(fact: f.EndReached, language: Language, viewer: Viewer) -> str:
    return ENDS[language][fact.reason].format(seat=fact.seat)


SENTENCES: Mapping[type, Callable[[Any, Language, Viewer], str]] = {
    f.CardsDealt: _dealt,
    f.TurnStarted: _turn,
    f.ChoiceMade: _choice,
    f.CardsDrawn: _drawn,
    f.CardsReturned: _returned,
    f.CardsMoved: _moved,
    f.CardsRevealed: _revealed,
    f.WorkCompleted: _completed,
    f.HandsExchanged: _exchanged,
    f.HandsShown: _hands_shown,
    f.KiteCopied: _kite,
    f.KitesTurnedBack: _kites_back,
    f.TaskStarted: _task_started,
    f.TaskSkipped: _task_skipped,
    f.ExtraTurnWon: _extra_turn,
    f.WaitingTaken: _waiting_taken,
    f.EndReached: _end,
}
