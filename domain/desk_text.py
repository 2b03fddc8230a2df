"""The log's sentences for the framework's own facts, in both languages. Seats are called by number, players never."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain.desk import (
    Abandoned,
    Annulled,
    Answered,
    BotFailed,
    Ended,
    Forked,
    Imported,
    Opened,
    Proposed,
    Resigned,
    Scored,
    Sealed,
    SeatFilled,
    SeatLeft,
    SeatTaken,
    Started,
    Substituted,
    Truncated,
    Warned,
)
from domain.game import Language

_TEXT: Mapping[type, Mapping[Language, Callable[[Any], str]]] = {
    Opened: {
        "en": lambda fact: f"The table is open, with {len(fact.seats)} seats.",
        "de": lambda fact: f"Der Tisch ist eröffnet, mit {len(fact.seats)} Plätzen.",
    },
    SeatTaken: {
        "en": lambda fact: f"Seat {fact.seat} is taken.",
        "de": lambda fact: f"Sitz {fact.seat} ist besetzt.",
    },
    SeatLeft: {
        "en": lambda fact: f"Seat {fact.seat} is free again.",
        "de": lambda fact: f"Sitz {fact.seat} ist wieder frei.",
    },
    SeatFilled: {
        "en": lambda fact: f"The bot {fact.bot} takes seat {fact.seat}.",
        "de": lambda fact: f"Der Bot {fact.bot} übernimmt Sitz {fact.seat}.",
    },
    Started: {"en": lambda fact: "The game begins.", "de": lambda fact: "Das Spiel beginnt."},
    Resigned: {
        "en": lambda fact: f"Seat {fact.seat} resigns; the bot {fact.bot} plays on.",
        "de": lambda fact: f"Sitz {fact.seat} gibt auf; der Bot {fact.bot} spielt weiter.",
    },
    BotFailed: {
        "en": lambda fact: (
            f"The bot {fact.bot} of seat {fact.seat} failed {fact.attempts} times; its first legal action is played."
        ),
        "de": lambda fact: (
            f"Der Bot {fact.bot} von Sitz {fact.seat} ist {fact.attempts}-mal gescheitert; "
            "seine erste mögliche Aktion wird gespielt."
        ),
    },
    Proposed: {
        "en": lambda fact: f"Seat {fact.seat} proposes: {_proposal(fact, 'en')}.",
        "de": lambda fact: f"Sitz {fact.seat} schlägt vor: {_proposal(fact, 'de')}.",
    },
    Answered: {
        "en": lambda fact: f"Seat {fact.seat} {'accepts' if fact.accept else 'refuses'} proposal {fact.number}.",
        "de": lambda fact: (
            f"Sitz {fact.seat} {'nimmt' if fact.accept else 'lehnt'} Vorschlag {fact.number} "
            f"{'an' if fact.accept else 'ab'}."
        ),
    },
    Warned: {
        "en": lambda fact: f"Seat {_listed(fact.seats)} has not acted for long; the table will be closed.",
        "de": lambda fact: f"Sitz {_listed(fact.seats)} hat lange nicht gespielt; der Tisch wird geschlossen.",
    },
    Substituted: {
        "en": lambda fact: f"The bot {fact.bot} plays on for the absent seat {fact.seat}.",
        "de": lambda fact: f"Der Bot {fact.bot} spielt für den abwesenden Sitz {fact.seat} weiter.",
    },
    Abandoned: {
        "en": lambda fact: f"The game is abandoned ({fact.reason}).",
        "de": lambda fact: f"Das Spiel ist abgebrochen ({fact.reason}).",
    },
    Annulled: {
        "en": lambda fact: f"The result is annulled ({fact.reason}).",
        "de": lambda fact: f"Das Ergebnis ist annulliert ({fact.reason}).",
    },
    Imported: {
        "en": lambda fact: f"The record of another table was taken in ({fact.origin}).",
        "de": lambda fact: f"Die Aufzeichnung eines anderen Tisches wurde übernommen ({fact.origin}).",
    },
    Sealed: {
        "en": lambda fact: "The result is sealed and the seed disclosed.",
        "de": lambda fact: "Das Ergebnis ist besiegelt und der Startwert offengelegt.",
    },
    Truncated: {
        "en": lambda fact: f"The play goes back to version {fact.to} ({fact.reason}).",
        "de": lambda fact: f"Das Spiel steht wieder bei Version {fact.to} ({fact.reason}).",
    },
    Forked: {
        "en": lambda fact: f"The game begins where table {fact.origin} stood at version {fact.at}.",
        "de": lambda fact: f"Das Spiel beginnt, wo Tisch {fact.origin} bei Version {fact.at} stand.",
    },
    Ended: {
        "en": lambda fact: f"The game is over ({fact.reason}).",
        "de": lambda fact: f"Das Spiel ist zu Ende ({fact.reason}).",
    },
    Scored: {
        "en": lambda fact: "The score: " + _totals(fact.sheet, "Seat"),
        "de": lambda fact: "Die Wertung: " + _totals(fact.sheet, "Sitz"),
    },
}


_PROPOSALS: Mapping[str, Mapping[str, str]] = {
    "take_back": {"en": "back to version {to}", "de": "zurück zu Version {to}"},
    "cancel": {"en": "to give the game up", "de": "das Spiel aufzugeben"},
    "substitute": {"en": "a bot for seat {absent}", "de": "ein Bot für Sitz {absent}"},
}


def _proposal(fact: Proposed, language: Language) -> str:
    return _PROPOSALS[fact.kind][language].format(to=fact.to, absent=fact.absent)


def _listed(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats))


def _totals(sheet: Mapping[str, Any], word: str) -> str:
    return ", ".join(f"{word} {line['seat']}: {line['total']}" for line in sheet["seats"]) + "."


def describe(fact: Any, language: Language) -> str:
    """A fact of the framework as a sentence of the log."""
    return _TEXT[type(fact)][language](fact)
