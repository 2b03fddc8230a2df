"""Positions in one line, and a table that carries actions out as the framework does, forced choices included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.chance import Chance
from domain.game import Action, Config
from domain.games.transatlantic import GAME
from domain.games.transatlantic.rules import TransatlanticRules
from domain.games.transatlantic.state import Afloat, GameState, Pending, Region, Seat
from domain.games.transatlantic.terms import CARD_ORDER, KINDS, REGIONS, START_CARDS

DONE: Action = {"type": "done"}
END_TURN: Action = {"type": "end_turn"}
SLOTS = 6


def rules_for(seats: int, **options: Any) -> TransatlanticRules:
    complete = GAME.complete(options, seats)
    rules = GAME.rules[1](Config(seats, complete, GAME.data(complete)))
    assert isinstance(rules, TransatlanticRules)
    return rules


def chance_from(seed: int) -> Chance:
    return Chance(seed.to_bytes(32, "big"))


def play(card: str) -> Action:
    return {"type": "play", "card": card}


def tile(card: str) -> Action:
    return {"type": "tile", "card": card}


def buy(slot: int) -> Action:
    return {"type": "buy", "slot": slot}


def deploy(ship: str, region: str) -> Action:
    return {"type": "deploy", "ship": ship, "region": region}


def travel(ship: str) -> Action:
    return {"type": "travel", "ship": ship}


def region(name: str) -> Action:
    return {"type": "choose_region", "region": name}


def mode(name: str) -> Action:
    return {"type": "choose_mode", "mode": name}


def coal(ship: str) -> Action:
    return {"type": "coal", "ship": ship}


def marker(kind: str) -> Action:
    return {"type": "marker", "kind": kind}


def house(region: str) -> Action:
    return {"type": "house", "region": region}


def copy(seat: int) -> Action:
    return {"type": "copy", "seat": seat}


def take_card(card: str) -> Action:
    return {"type": "take_card", "card": card}


class Table:
    """Rules, a state and the facts that led to it."""

    def __init__(self, rules: TransatlanticRules, state: GameState, seed: int = 1) -> None:
        self.rules, self.state, self.chance = rules, state, chance_from(seed)
        self.facts: list[Any] = []

    @property
    def to_act(self) -> int:
        (seat,) = self.rules.to_act(self.state)
        return seat

    def do(self, *actions: Action) -> Table:
        """Actions of whoever is to act, each with what is forced after it."""
        for action in actions:
            self._decide(self.to_act, action)
            while not self.rules.is_over(self.state) and (forced := self.rules.forced(self.state)):
                self._decide(*forced)
        return self

    def _decide(self, seat: int, action: Action) -> None:
        for fact in self.rules.decide(self.state, seat, action, self.chance):
            self.state = self.rules.evolve(self.state, fact)
            self.facts.append(fact)

    def legal(self, kind: str | None = None) -> list[Action]:
        """What whoever is to act may do; of one type only."""
        actions = self.rules.legal_actions(self.state, self.to_act)
        return [action for action in actions if kind in (None, action["type"])]

    def seat(self, number: int = 0) -> Seat:
        return self.state.seats[number]

    def ships(self, region: str) -> list[str]:
        """The ships of a region from the top."""
        return [afloat.ship for afloat in self.state.regions[REGIONS.index(region)].ships]

    def coal(self, ship: str) -> int:
        afloat = [a for region in self.state.regions for a in region.ships]
        afloat += [a for seat in self.state.seats for a in seat.waiting]
        return next(a.coal for a in afloat if a.ship == ship)

    def of(self, kind: type) -> list[Any]:
        """The facts of a class so far."""
        return [fact for fact in self.facts if isinstance(fact, kind)]


def ships(text: str, owner: int | None = None) -> tuple[Afloat, ...]:
    """`germanic/0/2 scotia`: Germanic of seat 0 with two coal, and the neutral ship."""
    found = []
    for word in text.split():
        key, *rest = word.split("/")
        seat = int(rest[0]) if rest else owner
        found.append(Afloat(key, seat, int(rest[1]) if len(rest) > 1 else 0))
    return tuple(found)


def a_seat(number: int, **given: Any) -> Seat:
    """A seat: `hand`, `stack`, `waiting` as words, `markers` by kind or as five figures; money 1,000 if not given."""
    markers = given.pop("markers", ())
    if isinstance(markers, Mapping):
        markers = tuple(markers.get(kind, 0) for kind in KINDS)
    hand = given.pop("hand", " ".join(START_CARDS)).split()
    waiting = " ".join(word if "/" in word else f"{word}/{number}/1" for word in str(given.pop("waiting", "")).split())
    return Seat(
        money=given.pop("money", 1000),
        points=given.pop("points", 0),
        hand=tuple(sorted(hand, key=CARD_ORDER.__getitem__)),
        stack=tuple(given.pop("stack", "").split()),
        waiting=ships(waiting),
        headquarters=tuple(given.pop("headquarters", "").split()),
        captains=given.pop("captains", 8),
        houses=given.pop("houses", 7),
        tile=given.pop("tile", True),
        markers=tuple(markers) or (0,) * len(KINDS),
        contracts=given.pop("contracts", 0),
        **given,
    )


def given(
    seats: int = 2,
    *,
    turn: int = 0,
    options: Mapping[str, Any] | None = None,
    regions: Mapping[str, str] | None = None,
    houses: Mapping[str, tuple[int, ...]] | None = None,
    seat0: Mapping[str, Any] | None = None,
    seat1: Mapping[str, Any] | None = None,
    seat2: Mapping[str, Any] | None = None,
    seat3: Mapping[str, Any] | None = None,
    market: str = "",
    deck: str = "imperator aquitania britannic",
    docks: str = "",
    display: str = "",
    pile: str = "",
    discard: str = "",
    supply: Mapping[str, int] | None = None,
    **fields: Any,
) -> Table:
    """A table at the beginning of a turn in round 5, with what is given and nothing else.

    `market` names ships slot by slot, `-` for an empty one; regions without ships are empty.
    """
    rules = rules_for(seats, **(options or {}))
    slots = [None if key == "-" else key for key in market.split()]
    full = dict(zip(KINDS, rules.setting.edition.supply, strict=True)) | dict(supply or {})
    state = GameState(
        seats=tuple(
            a_seat(number, **dict(given or {})) for number, given in enumerate((seat0, seat1, seat2, seat3)[:seats])
        ),
        regions=tuple(
            Region(ships((regions or {}).get(name, "")), (houses or {}).get(name, ())) for name in rules.setting.regions
        ),
        market=tuple(slots + [None] * (SLOTS - len(slots))),
        deck=tuple(deck.split()),
        out=(),
        docks=tuple(docks.split()),
        scrapped=(),
        unscored=(),
        display=tuple(display.split()),
        pile=tuple(pile.split()),
        pile_a=fields.pop("pile_a", 0),
        discard=tuple(discard.split()),
        supply=tuple(full[kind] for kind in KINDS),
        start_seat=fields.pop("start_seat", 0),
        round=fields.pop("round", 5),
        turn_number=fields.pop("turn_number", 20),
        turn_seat=turn,
        purchased=fields.pop("purchased", False),
        quiet=fields.pop("quiet", 0),
        final_round=fields.pop("final_round", None),
        reason=fields.pop("reason", None),
        bought=(),
        bought_headquarters=False,
        took_card=False,
        displaced=None,
        pending=(Pending("play", turn),),
    )
    assert not fields, f"no such thing: {fields}"
    return Table(rules, state)


def started(seats: int = 2, seed: int = 1, start_seat: int | None = None, **options: Any) -> Table:
    """A table right after set-up."""
    rules = rules_for(seats, **options)
    table = Table(rules, None, seed)  # type: ignore[arg-type]
    for fact in rules.setup(start_seat, table.chance):
        table.state = rules.evolve(table.state, fact)
        table.facts.append(fact)
    return table
