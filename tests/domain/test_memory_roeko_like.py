"""Small decks played like R-Öko: deliveries, collections, hidden disposals, refills, reshuffles; against brute force.

The play is this file's own: random, with rules enough that piles run out, are reshuffled, and all doubles lie open.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import dataclass

import pytest

from domain.memory import Memory, Move, Shuffle, Zone, start
from tests.domain.memory_worlds import Place, Seen, Worlds

GAMES = int(os.environ.get("MEMORY_GAMES", "24"))


@dataclass(frozen=True)
class Setting:
    """A small box: kinds are material letter and icons; `cards` their numbers."""

    seats: int
    cards: dict[str, int]
    dealt: int
    limit: int
    full: int
    most_worlds: int = 6000


SETTINGS = (
    Setting(2, {"a1": 5, "a2": 2, "b1": 5, "b2": 2}, 3, 5, 4),
    Setting(2, {"a1": 4, "a2": 1, "b1": 4, "b2": 1, "c1": 3, "c2": 1}, 3, 4, 3),
    Setting(2, {"a1": 7, "a2": 3, "b1": 7, "b2": 3}, 3, 5, 4),
    Setting(3, {"a1": 5, "a2": 2, "b1": 5, "b2": 1}, 3, 4, 3),
    Setting(3, {"a1": 8, "b1": 6, "b2": 2}, 3, 4, 4),
    Setting(4, {"a1": 7, "a2": 2, "b1": 6}, 2, 3, 3),
    Setting(5, {"a1": 8, "b1": 7, "b2": 1}, 2, 3, 3),
)


class Game:
    """A true position, the engine's memory of it and, for every viewer, all worlds by brute force.

    In the brute force the draw pile is a multiset: its order never matters for what is known of it.
    """

    def __init__(self, setting: Setting, rng: random.Random) -> None:
        self.setting, self.rng = setting, rng
        self.zones = {"draw": Zone(ordered=True)}
        for seat in range(setting.seats):
            self.zones |= {f"hand:{seat}": Zone((seat,)), f"illegal:{seat}": Zone((seat,))}
        self.viewers: list[int | None] = [*range(setting.seats), None]
        self.memory: Memory = start(setting.seats, self.zones)
        places = [Place(name, zone.sees) for name, zone in self.zones.items()]
        self.worlds = {viewer: Worlds(places) for viewer in self.viewers}
        self.truth: dict[str, list[str]] = {zone: [] for zone in self.zones}
        self.materials = sorted({kind[0] for kind in setting.cards})
        self.recycling: dict[str, list[str]] = {material: [] for material in self.materials}
        self.dump: dict[str, list[str]] = {material: [] for material in self.materials}
        self.discard: list[str] = []
        self.seen = Counter[str]()
        self.shuffle([kind for kind, n in setting.cards.items() for _ in range(n)])
        for seat in range(setting.seats):
            self.move(self.truth["draw"][: setting.dealt], "draw", f"hand:{seat}")
        for material in self.materials:
            self.dump[material] = self.move(self.truth["draw"][:1], "draw", None)

    def shuffle(self, cards: list[str]) -> None:
        self.rng.shuffle(cards)
        self.memory = self.memory.after(Shuffle(tuple(cards), "draw"))
        for worlds in self.worlds.values():
            worlds.move(Seen(len(cards), tuple(cards), None, "draw"))
        self.truth["draw"] += cards

    def move(self, cards: list[str], source: str | None, target: str | None) -> list[str]:
        cards = list(cards)
        if not cards:
            return cards
        self.memory = self.memory.after(Move(tuple(cards), source, target))
        for viewer in self.viewers:
            knows = None in (source, target) or any(
                viewer in self.zones[zone].sees for zone in (source, target) if zone is not None
            )
            shown = tuple(cards) if knows else None
            self.worlds[viewer].move(Seen(len(cards), shown, source, target))
        for card in cards:
            if source is not None:
                self.truth[source].remove(card)
            if target is not None:
                self.truth[target].append(card)
        return cards

    def turn(self, seat: int) -> None:
        hand = self.truth[f"hand:{seat}"]
        if not hand:
            return
        material = self.rng.choice(hand)[0]
        fitting = [card for card in hand if card[0] == material]
        delivered = self.rng.sample(fitting, self.rng.randint(1, len(fitting)))
        self.recycling[material] += self.move(delivered, f"hand:{seat}", None)
        icons = sum(int(card[1]) for card in self.recycling[material])
        if icons >= self.setting.full:
            self.discard += self.recycling[material]
            self.recycling[material] = []
            icons = 0
        self.move(self.dump[material], None, f"hand:{seat}")
        self.dump[material] = []
        excess = len(hand) - self.setting.limit
        if excess > 0:
            self.move(self.rng.sample(hand, excess), f"hand:{seat}", f"illegal:{seat}")
        for _ in range(icons + 1):
            if not self.truth["draw"]:
                if not self.discard:
                    break
                self.seen["reshuffle"] += 1
                cards, self.discard = self.discard, []
                self.shuffle(cards)
            self.dump[material] += self.move(self.truth["draw"][:1], "draw", None)

    def check(self) -> bool:
        """Compare every zone for every viewer whose worlds are few enough to list; whether all were."""
        complete = True
        truth = tuple(tuple(sorted(self.truth[zone])) for zone in self.zones)
        for viewer in self.viewers:
            worlds = self.worlds[viewer]
            if len(worlds.worlds) > self.setting.most_worlds:
                complete = False
                continue
            assert truth in worlds.worlds
            for zone in self.zones:
                answer = self.memory.knowledge(viewer, zone)
                assert (answer.guaranteed, answer.possible) == worlds.bounds(zone), (viewer, zone)
            world = self.memory.sample(viewer, self.rng)
            assert tuple(tuple(sorted(world[zone])) for zone in self.zones) in worlds.worlds
        self.seen["exhausted"] += not self.truth["draw"]
        for kind in self.setting.cards:
            hidden = sum(cards.count(kind) for cards in self.truth.values())
            self.seen["all doubles visible"] += kind[1] == "2" and not hidden
        self.seen["disposed"] += any(self.truth[f"illegal:{seat}"] for seat in range(self.setting.seats))
        self.seen["positions"] += complete
        return complete


def play(setting: Setting, seed: int, turns: int = 14) -> Counter[str]:
    game = Game(setting, random.Random(seed))
    game.check()
    for turn in range(turns):
        game.turn(turn % setting.seats)
        game.check()
    return game.seen


@pytest.mark.parametrize(
    "setting", SETTINGS, ids=lambda setting: f"{setting.seats}-seats-{sum(setting.cards.values())}-cards"
)
def test_bounds_and_samples_agree_with_brute_force_for_every_viewer_at_random_positions(setting: Setting) -> None:
    met = Counter[str]()
    for seed in range(GAMES):
        try:
            met += play(setting, seed)
        except AssertionError as wrong:
            raise AssertionError(f"seed {seed} of {setting}") from wrong
    assert met["positions"] > 12 * GAMES
    assert met["exhausted"]
    assert met["reshuffle"]
    assert met["disposed"]
