"""Ordered piles, unseen returns, waiting areas, exchanges and shown hands: the engine against brute force."""

from __future__ import annotations

import os
import random

import pytest

from domain.memory import BOTTOM, EVERYBODY, TOP, Memory, Move, Show, Shuffle, Zone, forgetting, start
from tests.domain.memory_worlds import Place, Seen, Worlds

GAMES = int(os.environ.get("MEMORY_GAMES", "60"))
MOST_WORLDS = 4000


@pytest.fixture(autouse=True)
def _nothing_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exact up to the limit; here the random play goes beyond it, and the method is what is tested."""
    monkeypatch.setattr(forgetting, "LIMIT", 10_000)


class Table:
    """A true position, the engine's memory of it and, for every viewer, all worlds by brute force."""

    def __init__(self, seats: int, decks: list[str], rng: random.Random) -> None:
        self.seats, self.rng = seats, rng
        self.zones = {"deck": Zone(ordered=True)}
        for seat in range(seats):
            self.zones[f"hand:{seat}"] = Zone((seat,))
            self.zones[f"waiting:{seat}"] = Zone()
            self.zones[f"box:{seat}"] = Zone((seat,))
        self.truth: dict[str, list[str]] = {zone: [] for zone in self.zones}
        self.open: list[str] = []
        self.viewers: list[int | None] = [*range(seats), None]
        places = [Place(name, zone.sees, zone.ordered) for name, zone in self.zones.items()]
        self.memory: Memory = start(seats, self.zones)
        self.worlds = {viewer: Worlds(places) for viewer in self.viewers}
        for deck in decks:
            cards = list(deck)
            rng.shuffle(cards)
            self.memory = self.memory.after(Shuffle(tuple(cards), "deck"))
            self.truth["deck"] += cards
            for viewer in self.viewers:
                self.worlds[viewer].shuffle(tuple(cards), "deck")

    def move(
        self,
        cards: list[str],
        source: str | None,
        target: str | None,
        seen: object = (),
        at: int = 0,
        top: bool = False,
    ) -> None:
        if not cards:
            return
        taken = tuple(cards)
        move = Move(taken, source, target, seen, at, TOP if top else BOTTOM)  # type: ignore[arg-type]
        self.memory = self.memory.after(move)
        for viewer in self.viewers:
            knows = None in (source, target) or seen == EVERYBODY or viewer in seen  # type: ignore[operator]
            for zone in (source, target):
                knows = knows or (zone is not None and viewer in self.zones[zone].sees)
            self.worlds[viewer].move(Seen(len(taken), taken if knows else None, source, target, at, top))
        pile = self.open if source is None else self.truth[source]
        if source == "deck":
            del pile[at : at + len(taken)]
        else:
            for card in taken:
                pile.remove(card)
        onto = self.open if target is None else self.truth[target]
        onto[:] = [*taken, *onto] if top else [*onto, *taken]

    def show(self, cards: list[str], zone: str, at: int = 0) -> None:
        self.memory = self.memory.after(Show(tuple(cards), zone, EVERYBODY, at))
        for viewer in self.viewers:
            self.worlds[viewer].show(tuple(cards), zone, at)

    def some(self, zone: str, most: int = 2) -> list[str]:
        content = self.truth[zone]
        return self.rng.sample(content, self.rng.randint(1, min(most, len(content)))) if content else []


def play_one(table: Table, moves: list[str]) -> None:
    rng = table.rng
    seat, other = rng.sample(range(table.seats), 2)
    hand, waiting, box, deck = f"hand:{seat}", f"waiting:{seat}", f"box:{seat}", table.truth["deck"]
    what = rng.choice(moves)
    if what == "draw":
        table.move(deck[: rng.randint(1, 2)], "deck", waiting)
    elif what == "evening":
        table.move(list(table.truth[waiting]), waiting, hand)
    elif what == "play":
        table.move(table.some(hand, 1), hand, None)
    elif what == "return":
        for card in table.some(hand):
            table.move([card], hand, "deck")
    elif what == "return together":
        table.move(table.some(hand, 3), hand, "deck", top=rng.random() < 0.2)
    elif what == "return open" and table.open:
        table.move([rng.choice(table.open)], None, "deck", top=rng.random() < 0.3)
    elif what == "show top" and deck:
        table.show(deck[: rng.randint(1, 2)], "deck")
    elif what == "fan" and len(deck) > 2:
        table.show(deck[:3], "deck")
        at = rng.randrange(3)
        table.move([deck[at]], "deck", "deck", EVERYBODY, at)
    elif what == "turn up" and deck:
        at = rng.randrange(min(2, len(deck)))
        table.move([deck[at]], "deck", None, at=at)
    elif what == "jar":
        cards = list(table.truth[f"hand:{other}"])
        if cards:
            table.show(cards, f"hand:{other}")
            named = rng.choice(cards)
            table.move([card for card in cards if card == named], f"hand:{other}", waiting, EVERYBODY)
    elif what == "flag" and table.truth[hand]:
        table.show(table.some(hand, 1), hand)
    elif what == "puppet":
        table.move(list(table.truth[f"hand:{other}"]), f"hand:{other}", waiting)
        table.move(list(table.truth[hand]), hand, f"hand:{other}")
    elif what == "dispose":
        table.move(table.some(hand), hand, box)
    elif what == "take back":
        table.move(table.some(box), box, hand, at=0)
    elif what == "give":
        table.move(table.some(hand), hand, f"hand:{other}")
    elif what == "discard box":
        table.move(table.some(box, 1), box, None)
    elif what == "pass box":
        table.move(list(table.truth[box]), box, waiting)
    elif what == "peek":
        cards = table.some(waiting, 1)
        if cards:
            table.show(cards, waiting)


VARIED = (
    ["draw"] * 5
    + ["evening"] * 4
    + ["return"] * 3
    + ["play", "dispose"] * 2
    + ["return together", "return open", "show top", "fan", "turn up", "jar", "flag", "puppet"]
    + ["take back", "give", "discard box", "pass box", "peek"]
)
CHOOSING = ["draw", "evening", "return", "dispose", "play"] * 3 + ["turn up", "discard box", "flag", "return open"]
"""Nearly all moves are hidden choices out of the hands, and sights that limit them later."""


def check(table: Table) -> int:
    """Compare the engine with brute force, for every viewer and zone; the number of comparisons."""
    compared = 0
    truth = {zone: tuple(cards if table.zones[zone].ordered else sorted(cards)) for zone, cards in table.truth.items()}
    for viewer in table.viewers:
        worlds = table.worlds[viewer]
        if len(worlds.worlds) > MOST_WORLDS:
            continue
        assert tuple(truth.values()) in worlds.worlds
        for zone in table.zones:
            answer = table.memory.knowledge(viewer, zone)
            assert (answer.guaranteed, answer.possible) == worlds.bounds(zone), (viewer, zone)
            compared += 1
        assert table.memory.places(viewer, "deck") == worlds.known_places("deck"), viewer
        world = table.memory.sample(viewer, table.rng)
        assert tuple(world[zone] for zone in table.zones) in worlds.worlds, (viewer, world)
    for zone, cards in table.truth.items():
        assert table.memory.size(zone) == len(cards)
    return compared


@pytest.mark.parametrize("seed", range(GAMES))
def test_every_bound_place_and_sample_agrees_with_brute_force_on_random_moves(seed: int) -> None:
    rng = random.Random(seed)
    seats = rng.choice((2, 2, 3))
    decks = rng.choice((["aabbcd"], ["abcdef"], ["aaabbb"], ["aab", "cd"], ["aabbccd"], ["ab", "abc"]))
    table = Table(seats, decks, rng)
    moves = VARIED if seed % 2 else CHOOSING
    compared = 0
    for _ in range(25):
        play_one(table, moves)
        compared += check(table)
        if all(len(worlds.worlds) > MOST_WORLDS for worlds in table.worlds.values()):
            break
    assert compared > 100
