"""One hidden hand: cards join it seen and unseen, are seen to leave it, are chosen out of it into two boxes and a pile.

This is where all the arithmetic of blocks is; only the public's worlds are compared, with brute force.
"""

from __future__ import annotations

import os
import random

import pytest

from domain.memory import TOP, Move, Show, Shuffle, Zone, forgetting, start
from tests.domain.memory_worlds import Place, Seen, Worlds

GAMES = int(os.environ.get("MEMORY_GAMES", "150"))
ZONES = {
    "stock": Zone(ordered=True),
    "hand": Zone((0,)),
    "left": Zone((0,)),
    "right": Zone((0,)),
    "pile": Zone((0,), ordered=True),
}
MOST_WORLDS = 3000


@pytest.fixture(autouse=True)
def _nothing_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exact up to the limit; here the random play goes beyond it, and the method is what is tested."""
    monkeypatch.setattr(forgetting, "LIMIT", 10_000)


class Hand:
    """The true cards, the engine's memory and all worlds of the public. The stock is a multiset to the brute force."""

    def __init__(self, stock: str, supply: str, rng: random.Random) -> None:
        self.rng = rng
        self.truth: dict[str | None, list[str]] = {zone: [] for zone in ZONES} | {None: sorted(supply)}
        self.truth["stock"] = rng.sample(stock, len(stock))
        self.memory = start(1, ZONES).after(Shuffle(tuple(self.truth["stock"]), "stock"))
        self.worlds = Worlds(Place(name, zone.sees, name == "pile") for name, zone in ZONES.items())
        self.worlds.move(Seen(len(stock), tuple(self.truth["stock"]), None, "stock"))

    def move(self, source: str | None, target: str | None, most: int = 1) -> None:
        held = self.truth[source]
        n = min(self.rng.randint(1, most), len(held))
        if not n:
            return
        at = 0
        if source == "pile":
            at = self.rng.randrange(len(held) - n + 1)
        cards = held[at : at + n] if source in ("stock", "pile") else self.rng.sample(held, n)
        top = target == "pile" and self.rng.random() < 0.3
        self.memory = self.memory.after(Move(tuple(cards), source, target, at=at, place=TOP if top else "bottom"))
        shown = tuple(cards) if None in (source, target) else None
        self.worlds.move(Seen(n, shown, source, target, at, top))
        for card in cards:
            held.remove(card) if source != "pile" else held.pop(at)
        self.truth[target] = [*cards, *self.truth[target]] if top else [*self.truth[target], *cards]

    def show(self) -> None:
        zone = self.rng.choice(("hand", "left", "pile"))
        if self.truth[zone]:
            at = self.rng.randrange(len(self.truth[zone]))
            self.memory = self.memory.after(Show((self.truth[zone][at],), zone, at=at))
            self.worlds.show((self.truth[zone][at],), zone, at)

    def check(self) -> None:
        for zone in ZONES:
            answer = self.memory.knowledge(None, zone)
            assert (answer.guaranteed, answer.possible) == self.worlds.bounds(zone), zone
        assert self.memory.places(None, "pile") == self.worlds.known_places("pile")
        world = self.memory.sample(None, self.rng)
        shown = tuple(world[zone] if zone == "pile" else tuple(sorted(world[zone])) for zone in ZONES)
        assert shown in self.worlds.worlds


@pytest.mark.parametrize("seed", range(GAMES))
def test_hidden_choices_out_of_one_hand_agree_with_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    stock, supply = rng.choice(
        (("aabc", "aabbcd"), ("aab", "aabbcc"), ("abcd", "abcdef"), ("", "aabbccd"), ("aaab", "aaabb"))
    )
    hand = Hand(stock, supply, rng)
    hand.move("stock", "hand", 2)
    for _ in range(5):
        hand.move(None, "hand", 2)
    for _ in range(14):
        what = rng.randrange(12)
        if what < 2:
            hand.move(None, "hand")
        elif what < 3:
            hand.move("stock", "hand")
        elif what < 6:
            hand.move("hand", None)
        elif what < 9:
            hand.move("hand", rng.choice(("left", "right", "pile")), 2)
        elif what < 10:
            hand.move(rng.choice(("left", "pile")), None)
        elif what < 11:
            hand.move(rng.choice(("left", "pile")), "hand")
        else:
            hand.show()
        if len(hand.worlds.worlds) > MOST_WORLDS:
            return
        hand.check()
