"""The log of Transatlantic in English and German. It tells what `fact_view` shows, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain.game import Language
from domain.games.transatlantic import facts
from domain.games.transatlantic.setting import Setting
from domain.games.transatlantic.terms import LAST_STEAMSHIP

CARDS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "shipyard": "Shipyard", "shipyard_plus": "Shipyard plus", "transport": "Transport",
        "transport_plus": "Transport plus", "region": "Region", "coal": "Coal", "coal_plus": "Coal plus",
        "cargo": "Cargo", "cruise": "Cruise", "global": "Global", "fleet": "Fleet", "trade": "Trade",
        "blue_riband": "Blue Riband", "agent": "Shipping Agent", "invest": "Invest", "invest_plus": "Invest plus",
        "director": "Director", "president": "President",
    },
    "de": {
        "shipyard": "Schiffbau", "shipyard_plus": "Schiffbau plus", "transport": "Transport",
        "transport_plus": "Transport plus", "region": "Region", "coal": "Kohle", "coal_plus": "Kohle plus",
        "cargo": "Cargo", "cruise": "Kreuzfahrt", "global": "Global", "fleet": "Flotte", "trade": "Handel",
        "blue_riband": "Blaues Band", "agent": "Schiffsagent", "invest": "Invest", "invest_plus": "Invest plus",
        "director": "Direktor", "president": "Präsident",
    },
}  # fmt: skip

REGIONS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "north_atlantic": "the North Atlantic",
        "south_atlantic": "the South Atlantic",
        "caribbean": "the Caribbean",
        "indian_ocean": "the Indian Ocean",
        "far_east": "the Far East",
    },
    "de": {
        "north_atlantic": "Nordatlantik",
        "south_atlantic": "Südatlantik",
        "caribbean": "Karibik",
        "indian_ocean": "Indischer Ozean",
        "far_east": "Fernost",
    },
}

MARKERS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "riband": "a blue riband",
        "bunker": "a coal bunker",
        "freight": "a freight marker",
        "mail": "a mail marker",
        "passengers": "a passenger marker",
    },
    "de": {
        "riband": "ein Blaues Band",
        "bunker": "einen Kohlebunker",
        "freight": "einen Frachtmarker",
        "mail": "einen Postmarker",
        "passengers": "einen Passagiermarker",
    },
}

MODES: Mapping[Language, Mapping[str, str]] = {
    "en": {"regions": "one ship in each region", "flags": "one steamship of each flag"},
    "de": {"regions": "ein Schiff je Region", "flags": "ein Dampfschiff je Flagge"},
}


def describe(setting: Setting, fact: Any, language: Language) -> str:
    """A fact as a sentence or a few of the log; the same for all viewers."""
    return SENTENCES[language][type(fact)](setting, fact)


def _name(setting: Setting, key: str) -> str:
    return setting.ship(key).name


def _names(setting: Setting, keys: Sequence[str], word: str) -> str:
    """ "A, B and C"."""
    named = [_name(setting, key) for key in keys]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} {word} {named[-1]}"


def _count(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


def _gain(money: int, points: int, language: Language) -> str:
    """ "£50 and 2 points"; empty if there is nothing."""
    one, more, word = ("point", "points", "and") if language == "en" else ("Punkt", "Punkte", "und")
    parts = [f"£{money}"] * bool(money) + [_count(points, one, more)] * bool(points)
    return f" {word} ".join(parts)


def _gets_en(fact: Any) -> str:
    gain = _gain(fact.money, fact.points, "en")
    return f" and gets {gain}" if gain else ""


def _gets_de(fact: Any) -> str:
    gain = _gain(fact.money, fact.points, "de")
    return f" und erhält {gain}" if gain else ""


def _for(fact: Any, language: Language) -> str:
    gain = _gain(fact.money, fact.points, language)
    return f" ({gain})" if gain else ""


# English


def _set_up_en(setting: Setting, fact: facts.GameSetUp) -> str:
    ships = ", ".join(f"seat {seat} the {_name(setting, key)}" for seat, key in enumerate(fact.sailing))
    return (
        f"The sailing ships are dealt: {ships}. The market opens with "
        f"{_names(setting, fact.market, 'and')}. Seat {fact.start_seat} is the start player."
    )


def _taken_back_en(setting: Setting, fact: facts.CardsTakenBack) -> str:
    return f"Seat {fact.seat} plays {CARDS['en'][fact.card]} and takes back {fact.cards} cards."


def _bought_en(setting: Setting, fact: facts.ShipBought) -> str:
    coal = "" if fact.coal else ", without coal"
    return f"Seat {fact.seat} buys the {_name(setting, fact.ship)} for £{fact.paid}{coal}."


def _deployed_en(setting: Setting, fact: facts.ShipDeployed) -> str:
    told = f"Seat {fact.seat} deploys the {_name(setting, fact.ship)} in {REGIONS['en'][fact.region]}"
    if fact.displaced is not None:
        told += f", where it displaces the {_name(setting, fact.displaced)}"
    told += ". The ship wins the Blue Riband." if fact.riband else "."
    if fact.contracts:
        told += f" It earns {_count(fact.contracts, 'contract', 'contracts')}."
    return told


def _scrapped_en(setting: Setting, fact: facts.ShipScrapped) -> str:
    if fact.seat is None:
        return f"The {_name(setting, fact.ship)} leaves the game."
    gain = _gain(fact.money, fact.points, "en")
    trip = f" after a last trip for {gain}" if gain else ""
    return f"The {_name(setting, fact.ship)} of seat {fact.seat} is scrapped{trip}."


def _travelled_en(setting: Setting, fact: facts.ShipTravelled) -> str:
    return f"Seat {fact.seat} travels with the {_name(setting, fact.ship)}{_gets_en(fact)}."


def _region_en(setting: Setting, fact: facts.RegionTravelled) -> str:
    region = REGIONS["en"][fact.region]
    if not fact.ships:
        return f"Seat {fact.seat} chooses {region}, where no ship can travel."
    told = f"Seat {fact.seat} chooses {region}: the {_names(setting, fact.ships, 'and')} travel."
    if len(fact.ships) == 1:
        told = told.replace(" travel.", " travels.")
    gains = [_gain(money, points, "en") for money, points in zip(fact.money, fact.points, strict=True)]
    told += "".join(f" Seat {seat} gets {gain}." for seat, gain in enumerate(gains) if gain)
    return told + (f" Of this £{fact.bonus} are seat {fact.seat}'s bonus for a foreign ship." if fact.bonus else "")


def _marker_en(setting: Setting, fact: facts.MarkerTaken) -> str:
    price = f" for £{fact.paid}" if fact.paid else f" for {fact.contracts} contracts" if fact.contracts else ""
    return f"Seat {fact.seat} takes {MARKERS['en'][fact.kind]}{price}."


def _house_en(setting: Setting, fact: facts.HouseBuilt) -> str:
    price = f" for £{fact.paid}" if fact.paid else " free of charge"
    return f"Seat {fact.seat} builds a house in {REGIONS['en'][fact.region]}{price}."


def _turn_en(setting: Setting, fact: facts.TurnEnded) -> str:
    told = f"Seat {fact.seat} ends the turn."
    for key, owner, points in fact.scored:
        told += f" Seat {owner} scores {_count(points, 'point', 'points')} for the scrapped {_name(setting, key)}."
    if fact.docked is not None:
        told += f" The {_name(setting, fact.docked)} goes to the docks."
    if fact.market is not None and fact.drawn:
        told += f" New in the market: {_names(setting, fact.market[-fact.drawn :], 'and')}."
    if fact.display:
        told += f" On display: {', '.join(CARDS['en'][card] for card in fact.display)}."
    if not fact.then:
        why = "The last steamship is gone" if fact.reason == LAST_STEAMSHIP else "Nobody buys any more"
        told += f" {why}: the game is over."
    elif fact.final_round is not None:
        told += (
            " This is the last round." if fact.round == fact.final_round else " One more full round follows this one."
        )
    return told


# German


def _set_up_de(setting: Setting, fact: facts.GameSetUp) -> str:
    ships = ", ".join(f"Sitz {seat}: {_name(setting, key)}" for seat, key in enumerate(fact.sailing))
    return (
        f"Die Segelschiffe sind verteilt ({ships}). Auf dem Schiffsmarkt liegen "
        f"{_names(setting, fact.market, 'und')}. Sitz {fact.start_seat} ist Startspieler."
    )


def _taken_back_de(setting: Setting, fact: facts.CardsTakenBack) -> str:
    cards = _count(fact.cards, "Karte", "Karten")
    return f"Sitz {fact.seat} spielt {CARDS['de'][fact.card]} und nimmt {cards} auf."


def _bought_de(setting: Setting, fact: facts.ShipBought) -> str:
    coal = "" if fact.coal else ", ohne Kohle"
    return f"Sitz {fact.seat} kauft die {_name(setting, fact.ship)} für £{fact.paid}{coal}."


def _deployed_de(setting: Setting, fact: facts.ShipDeployed) -> str:
    told = f"Sitz {fact.seat} setzt die {_name(setting, fact.ship)} ein ({REGIONS['de'][fact.region]})"
    if fact.displaced is not None:
        told += f" und verdrängt die {_name(setting, fact.displaced)}"
    told += ". Das Schiff gewinnt das Blaue Band." if fact.riband else "."
    if fact.contracts:
        told += f" Dafür gibt es {_count(fact.contracts, 'Kontrakt', 'Kontrakte')}."
    return told


def _scrapped_de(setting: Setting, fact: facts.ShipScrapped) -> str:
    if fact.seat is None:
        return f"Die {_name(setting, fact.ship)} scheidet aus dem Spiel."
    gain = _gain(fact.money, fact.points, "de")
    trip = f" nach einer letzten Fahrt ({gain})" if gain else ""
    return f"Die {_name(setting, fact.ship)} von Sitz {fact.seat} wird{trip} abgewrackt."


def _travelled_de(setting: Setting, fact: facts.ShipTravelled) -> str:
    return f"Sitz {fact.seat} fährt mit der {_name(setting, fact.ship)}{_gets_de(fact)}."


def _region_de(setting: Setting, fact: facts.RegionTravelled) -> str:
    region = REGIONS["de"][fact.region]
    if not fact.ships:
        return f"Sitz {fact.seat} wählt die Region {region}, in der kein Schiff fahren kann."
    verb = "es fährt" if len(fact.ships) == 1 else "es fahren"
    told = f"Sitz {fact.seat} wählt die Region {region}: {verb} {_names(setting, fact.ships, 'und')}."
    gains = [_gain(money, points, "de") for money, points in zip(fact.money, fact.points, strict=True)]
    told += "".join(f" Sitz {seat} erhält {gain}." for seat, gain in enumerate(gains) if gain)
    return told + (f" Davon sind £{fact.bonus} Bonus für ein fremdes Schiff an Sitz {fact.seat}." if fact.bonus else "")


def _marker_de(setting: Setting, fact: facts.MarkerTaken) -> str:
    price = f" für £{fact.paid}" if fact.paid else f" für {fact.contracts} Kontrakte" if fact.contracts else ""
    return f"Sitz {fact.seat} nimmt {MARKERS['de'][fact.kind]}{price}."


def _house_de(setting: Setting, fact: facts.HouseBuilt) -> str:
    price = f"für £{fact.paid}" if fact.paid else "kostenlos"
    return f"Sitz {fact.seat} baut {price} ein Handelshaus ({REGIONS['de'][fact.region]})."


def _turn_de(setting: Setting, fact: facts.TurnEnded) -> str:
    told = f"Sitz {fact.seat} beendet den Zug."
    for key, owner, points in fact.scored:
        told += f" Sitz {owner} erhält {_count(points, 'Punkt', 'Punkte')} für die abgewrackte {_name(setting, key)}."
    if fact.docked is not None:
        told += f" Die {_name(setting, fact.docked)} kommt auf die Reede."
    if fact.market is not None and fact.drawn:
        told += f" Neu auf dem Schiffsmarkt: {_names(setting, fact.market[-fact.drawn :], 'und')}."
    if fact.display:
        told += f" In der Auslage: {', '.join(CARDS['de'][card] for card in fact.display)}."
    if not fact.then:
        why = "Das letzte Dampfschiff ist weg" if fact.reason == LAST_STEAMSHIP else "Niemand kauft mehr"
        told += f" {why}: Das Spiel ist zu Ende."
    elif fact.final_round is not None:
        told += (
            " Dies ist die Schlussrunde."
            if fact.round == fact.final_round
            else " Nach dieser Runde folgt noch die Schlussrunde."
        )
    return told


Sentence = Callable[[Setting, Any], str]

SENTENCES: Mapping[Language, Mapping[type, Sentence]] = {
    "en": {
        facts.GameSetUp: _set_up_en,
        facts.CardPlayed: lambda s, f: f"Seat {f.seat} plays {CARDS['en'][f.card]}{_gets_en(f)}.",
        facts.CardsTakenBack: _taken_back_en,
        facts.CardTaken: lambda s, f: (
            f"Seat {f.seat} takes {CARDS['en'][f.card]} from the display and plays it at once{_for(f, 'en')}."
        ),
        facts.TileSpent: lambda s, f: f"Seat {f.seat} spends the director tile on {CARDS['en'][f.card]}{_gets_en(f)}.",
        facts.CardCopied: lambda s, f: f"Seat {f.seat} copies {CARDS['en'][f.card]} of seat {f.owner}{_gets_en(f)}.",
        facts.ShipBought: _bought_en,
        facts.HeadquartersBought: lambda s, f: f"Seat {f.seat} buys the headquarters {_name(s, f.ship)} for £{f.paid}.",
        facts.ShipDeployed: _deployed_en,
        facts.ShipScrapped: _scrapped_en,
        facts.ShipTravelled: _travelled_en,
        facts.RegionTravelled: _region_en,
        facts.ModeChosen: lambda s, f: f"Seat {f.seat} chooses {MODES['en'][f.mode]}.",
        facts.CoalLoaded: lambda s, f: f"Seat {f.seat} loads 1 coal on the {_name(s, f.ship)}.",
        facts.MarkerTaken: _marker_en,
        facts.HouseBuilt: _house_en,
        facts.ContractsSold: lambda s, f: (
            f"Seat {f.seat} sells {_count(f.contracts, 'contract', 'contracts')} for £{f.money}."
        ),
        facts.ChoiceDeclined: lambda s, f: f"Seat {f.seat} leaves it at that.",
        facts.TurnEnded: _turn_en,
    },
    "de": {
        facts.GameSetUp: _set_up_de,
        facts.CardPlayed: lambda s, f: f"Sitz {f.seat} spielt {CARDS['de'][f.card]}{_gets_de(f)}.",
        facts.CardsTakenBack: _taken_back_de,
        facts.CardTaken: lambda s, f: (
            f"Sitz {f.seat} nimmt {CARDS['de'][f.card]} aus der Auslage und spielt die Karte sofort aus{_for(f, 'de')}."
        ),
        facts.TileSpent: lambda s, f: (
            f"Sitz {f.seat} nutzt das Direktorenplättchen für {CARDS['de'][f.card]}{_gets_de(f)}."
        ),
        facts.CardCopied: lambda s, f: f"Sitz {f.seat} kopiert {CARDS['de'][f.card]} von Sitz {f.owner}{_gets_de(f)}.",
        facts.ShipBought: _bought_de,
        facts.HeadquartersBought: lambda s, f: f"Sitz {f.seat} kauft den Firmensitz {_name(s, f.ship)} für £{f.paid}.",
        facts.ShipDeployed: _deployed_de,
        facts.ShipScrapped: _scrapped_de,
        facts.ShipTravelled: _travelled_de,
        facts.RegionTravelled: _region_de,
        facts.ModeChosen: lambda s, f: f"Sitz {f.seat} wählt: {MODES['de'][f.mode]}.",
        facts.CoalLoaded: lambda s, f: f"Sitz {f.seat} lädt 1 Kohle auf die {_name(s, f.ship)}.",
        facts.MarkerTaken: _marker_de,
        facts.HouseBuilt: _house_de,
        facts.ContractsSold: lambda s, f: (
            f"Sitz {f.seat} verkauft {_count(f.contracts, 'Kontrakt', 'Kontrakte')} für £{f.money}."
        ),
        facts.ChoiceDeclined: lambda s, f: f"Sitz {f.seat} belässt es dabei.",
        facts.TurnEnded: _turn_de,
    },
}
