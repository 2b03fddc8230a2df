"""The log of Pasha in English and German, dice shown. No sentence tells more than `view.fact_view` shows its viewer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from domain.game import Language, Viewer
from domain.games.pasha.facts import (
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

ROWS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "none": "no pair",
        "pair": "a pair",
        "two_pairs": "two pairs",
        "triple": "a triple",
        "full_house": "a full house",
        "four_of_a_kind": "four of a kind",
        "five_of_a_kind": "five of a kind",
    },
    "de": {
        "none": "kein Pasch",
        "pair": "ein Zwilling",
        "two_pairs": "zwei Zwillinge",
        "triple": "ein Drilling",
        "full_house": "ein Full House",
        "four_of_a_kind": "ein Vierling",
        "five_of_a_kind": "ein Fünfling",
    },
}


def describe(fact: Any, language: Language, viewer: Viewer) -> str:
    """A fact as a viewer may read it in the log."""
    return _SENTENCES[type(fact)][language](fact, viewer)


def dice(faces: Sequence[int]) -> str:
    return "-".join(map(str, faces))


def _cards(cards: Iterable[int]) -> str:
    return ", ".join(f"−{-card}" if card < 0 else str(card) for card in cards)


def _set_up_en(fact: GameSetUp, viewer: Viewer) -> str:
    hand = _hand(fact, viewer, "Your hand")
    return f"The cards are dealt in stacks of three, the tiles lie face down. Seat {fact.start_seat} starts.{hand}"


def _set_up_de(fact: GameSetUp, viewer: Viewer) -> str:
    hand = _hand(fact, viewer, "Deine Hand")
    dealt = "Die Karten liegen in Stapeln zu dritt bereit, die Plättchen verdeckt."
    return f"{dealt} Sitz {fact.start_seat} beginnt.{hand}"


def _hand(fact: GameSetUp, viewer: Viewer, title: str) -> str:
    return "" if viewer is None else f" {title}: {_cards(sorted(fact.stacks[viewer][0]))}."


def _round_en(fact: RoundStarted, viewer: Viewer) -> str:
    return (
        f"Round {fact.round}: a tile worth {_points_en(fact.points)} is turned up above column {fact.die}. "
        f"Seat {fact.start_seat} starts."
    )


def _round_de(fact: RoundStarted, viewer: Viewer) -> str:
    return (
        f"Runde {fact.round}: Ein Plättchen mit {_points_de(fact.points)} wird über Spalte {fact.die} aufgedeckt. "
        f"Sitz {fact.start_seat} beginnt."
    )


def _points_en(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"


def _points_de(points: int) -> str:
    return f"{points} Punkt{'' if points == 1 else 'en'}"


def _card_en(fact: CardPlayed, viewer: Viewer) -> str:
    played = f"Seat {fact.seat} plays the card {_cards([fact.value])}"
    return f"{played}{_taken(fact, viewer, ' and takes its next stack')}."


def _card_de(fact: CardPlayed, viewer: Viewer) -> str:
    played = f"Sitz {fact.seat} spielt die Karte {_cards([fact.value])} aus"
    return f"{played}{_taken(fact, viewer, ' und nimmt den nächsten Stapel')}."


def _taken(fact: CardPlayed, viewer: Viewer, words: str) -> str:
    if not fact.taken:
        return ""
    return f"{words} ({_cards(sorted(fact.taken))})" if viewer == fact.seat else words


def _thrown_en(fact: DiceThrown | DiceRethrown, viewer: Viewer) -> str:
    kept = f" and keeps {dice(fact.kept)}" if fact.kept else ""
    return f"Seat {fact.seat} throws {dice(fact.thrown)}{kept}{_result(fact)}."


def _thrown_de(fact: DiceThrown | DiceRethrown, viewer: Viewer) -> str:
    kept = f" und behält {dice(fact.kept)}" if fact.kept else ""
    return f"Sitz {fact.seat} würfelt {dice(fact.thrown)}{kept}{_result(fact)}."


def _result(fact: DiceThrown | DiceRethrown) -> str:
    return f": {dice(sorted(fact.kept + fact.thrown))}" if fact.kept else ""


def _rethrown_en(fact: DiceRethrown, viewer: Viewer) -> str:
    return f"For a stone ({fact.stones} left): {_thrown_en(fact, viewer)}"


def _rethrown_de(fact: DiceRethrown, viewer: Viewer) -> str:
    return f"Für einen Stein (noch {fact.stones}): {_thrown_de(fact, viewer)}"


def _restarted_en(fact: DiceRestarted, viewer: Viewer) -> str:
    return f"Seat {fact.seat} starts its throws anew and throws {dice(fact.thrown)}."


def _restarted_de(fact: DiceRestarted, viewer: Viewer) -> str:
    return f"Sitz {fact.seat} fängt mit dem Würfeln neu an und würfelt {dice(fact.thrown)}."


def _adjusted_en(fact: DieAdjusted, viewer: Viewer) -> str:
    return f"Seat {fact.seat} spends a stone ({fact.stones} left) and turns a {fact.before} into a {fact.after}."


def _adjusted_de(fact: DieAdjusted, viewer: Viewer) -> str:
    return f"Sitz {fact.seat} gibt einen Stein ab (noch {fact.stones}) und dreht eine {fact.before} auf {fact.after}."


def _placed_en(fact: JetonPlaced, viewer: Viewer) -> str:
    where = "in front of the board" if fact.column is None else f"in column {fact.column}"
    return f"Seat {fact.seat} has {ROWS['en'][fact.row]} and puts its jeton {where}{', on top' if fact.level else ''}."


def _placed_de(fact: JetonPlaced, viewer: Viewer) -> str:
    where = "vor den Plan" if fact.column is None else f"in Spalte {fact.column}"
    return f"Sitz {fact.seat}: {ROWS['de'][fact.row]}. Der Jeton kommt {where}{', obenauf' if fact.level else ''}."


def _ended_en(fact: TurnEnded, viewer: Viewer) -> str:
    return f"Seat {fact.seat} ends its turn; seat {fact.next_seat} follows."


def _ended_de(fact: TurnEnded, viewer: Viewer) -> str:
    return f"Sitz {fact.seat} beendet den Zug; Sitz {fact.next_seat} folgt."


def _awarded_en(fact: RoundAwarded, viewer: Viewer) -> str:
    gains = [
        f"seat {seat} {' and '.join(gain)}"
        for seat in fact.order
        if (gain := _gain(fact, seat, ("card ", "cards "), ("tile ", "tiles ")))
    ]
    return f"Seat {fact.seat} ends the round. Highest: seat {fact.order[0]}. Won: {'; '.join(gains)}."


def _awarded_de(fact: RoundAwarded, viewer: Viewer) -> str:
    gains = [
        f"Sitz {seat} {' und '.join(gain)}"
        for seat in fact.order
        if (gain := _gain(fact, seat, ("Karte ", "Karten "), ("Plättchen ", "Plättchen ")))
    ]
    return f"Sitz {fact.seat} beendet die Runde. Am höchsten: Sitz {fact.order[0]}. Gewonnen: {'; '.join(gains)}."


def _gain(fact: RoundAwarded, seat: int, cards: tuple[str, str], tiles: tuple[str, str]) -> list[str]:
    won_cards, won_tiles = fact.cards[seat], fact.tiles[seat]
    parts = [cards[len(won_cards) > 1] + _cards(won_cards)] if won_cards else []
    if won_tiles:
        parts.append(tiles[len(won_tiles) > 1] + _cards(points for _, points in won_tiles))
    return parts


_SENTENCES: Mapping[type, Mapping[Language, Callable[[Any, Viewer], str]]] = {
    GameSetUp: {"en": _set_up_en, "de": _set_up_de},
    RoundStarted: {"en": _round_en, "de": _round_de},
    CardPlayed: {"en": _card_en, "de": _card_de},
    DiceThrown: {"en": _thrown_en, "de": _thrown_de},
    DiceRestarted: {"en": _restarted_en, "de": _restarted_de},
    ThrowingStopped: {
        "en": lambda fact, viewer: f"Seat {fact.seat} stops throwing.",
        "de": lambda fact, viewer: f"Sitz {fact.seat} hört auf zu würfeln.",
    },
    DiceRethrown: {"en": _rethrown_en, "de": _rethrown_de},
    DieAdjusted: {"en": _adjusted_en, "de": _adjusted_de},
    JetonPlaced: {"en": _placed_en, "de": _placed_de},
    TurnEnded: {"en": _ended_en, "de": _ended_de},
    RoundAwarded: {"en": _awarded_en, "de": _awarded_de},
}
