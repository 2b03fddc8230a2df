"""Perfect memory in Mottainai: the page's consequences, and equality with all worlds listed one by one."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from domain.chance import Chance
from domain.games.mottainai import facts as f
from domain.games.mottainai.memory import knowledge, redrawn, remember
from domain.games.mottainai.state import State, evolve
from tests.domain.games.mottainai.positions import located, rules_for
from tests.domain.games.mottainai.worlds import TooManyWorlds, Worlds


class Told:
    """A small game told by facts, which need not come from a legal one."""

    def __init__(self, *hands: str, tasks: str = "", floor: str = "", deck: str = "") -> None:
        slots = tasks.split() or ["umbrella", "tower", "vase", "turtle"][: len(hands)]
        self.deal = f.CardsDealt(
            0,
            tuple(tuple(h.split()) for h in hands),
            tuple(slots),
            tuple(floor.split()),
            tuple(deck.split()),
            0,
            (("choose",),),
        )
        self.memory = remember(None, None, self.deal)
        self.state: State = evolve(None, self.deal)

    def tell(self, *facts: Any) -> Told:
        for fact in facts:
            self.memory = remember(self.memory, self.state, fact)
            self.state = evolve(self.state, fact)
        return self

    def known(self, viewer: int | None) -> dict[str, Any]:
        return knowledge(self.state, self.memory, viewer)


def drawn(seat: int, *cards: str) -> f.CardsDrawn:
    return f.CardsDrawn(seat, "prayer", cards)


def returned(seat: int, card: str, src: str = "hand") -> f.CardsReturned:
    return f.CardsReturned(seat, "tailor", (card,), src)


# The page's consequences


def test_the_own_hand_is_null_and_the_public_is_told_of_every_hand() -> None:
    told = Told("fan", "frog", deck="pin bowl")
    assert told.known(0)["hands"][0] is None
    assert None not in told.known(None)["hands"]


def test_a_drawn_card_is_unknown_to_its_owner_until_the_evening() -> None:
    told = Told("fan", "frog", deck="pin bowl").tell(drawn(0, "pin"))
    assert told.known(0)["waiting"][0]["guaranteed"] == {}
    assert set(told.known(0)["waiting"][0]["possible"]) == {"pin", "bowl", "frog", "umbrella", "tower"}


def test_what_gong_puts_into_the_waiting_area_is_known_to_all() -> None:
    told = Told("fan gong", "frog", deck="pin bowl")
    told.tell(f.WorkCompleted(0, "smith", "gong", "gallery", "hand", ()))
    told.tell(f.CardsMoved(0, "gong", ("gong",), "gallery", 0, "waiting", 0))
    for viewer in (None, 0, 1):
        assert told.known(viewer)["waiting"][0]["guaranteed"] == {"gong": 1}


def test_puppets_cards_are_known_to_their_former_holder() -> None:
    told = Told("fan", "frog pin", "mask", deck="bowl jar").tell(f.HandsExchanged(0, 1, ("fan",), ("frog", "pin")))
    assert told.known(1)["waiting"][0]["guaranteed"] == {"frog": 1, "pin": 1}
    assert told.known(0)["waiting"][0]["guaranteed"] == {}
    assert told.known(0)["hands"][1]["guaranteed"] == {"fan": 1}
    assert told.known(2)["hands"][1]["guaranteed"] == {}


def test_a_top_card_left_by_fan_and_drawn_later_is_known_to_all() -> None:
    told = Told("fan", "frog", deck="pin bowl jar mask").tell(f.CardsRevealed(0, "fan", ("pin", "bowl", "jar"), "deck"))
    told.tell(returned(0, "jar", "deck"), returned(0, "pin", "deck"))
    assert told.known(None)["deck"]["at"] == {"0": "bowl", "2": "jar", "3": "pin"}
    told.tell(drawn(0, "bowl"))
    assert told.known(1)["waiting"][0]["guaranteed"] == {"bowl": 1}


def test_own_returns_are_known_with_their_place_and_others_know_a_block() -> None:
    told = Told("fan crane", "frog", deck="pin bowl").tell(returned(0, "fan"))
    assert told.known(0)["deck"]["at"] == {"2": "fan"}
    assert told.known(1)["deck"]["at"] == {}
    assert "fan" in told.known(1)["deck"]["pool"]


def test_a_revealed_card_is_known_in_the_hand_until_it_may_have_been_returned() -> None:
    told = Told("fan crane", "frog", deck="pin bowl").tell(f.CardsRevealed(0, "flag", ("fan",), "hand"))
    assert told.known(1)["hands"][0]["guaranteed"] == {"fan": 1}
    told.tell(returned(0, "crane"))
    assert told.known(1)["hands"][0]["guaranteed"] == {}


def test_jars_hands_are_known_to_all() -> None:
    told = Told("crane", "frog pin", deck="bowl jar")
    told.tell(f.HandsShown(0, "metal", (1,), (("frog", "pin"),), (("pin",),)))
    assert told.known(None)["hands"][1]["guaranteed"] == {"frog": 1}
    assert told.known(None)["waiting"][0]["guaranteed"] == {"pin": 1}


def test_a_face_down_first_task_is_known_to_nobody() -> None:
    told = Told("fan", "frog", deck="pin bowl")
    for viewer in (None, 0, 1):
        assert told.known(viewer)["tasks"][0]["guaranteed"] == {}


# Equality with all worlds


def random_fact(state: State, rng: Random) -> Any:
    """Something that may happen to a small position."""
    seat = rng.randrange(len(state.temples))
    temple, others = state.temples[seat], [s for s in range(len(state.temples)) if s != seat]
    hand = list(temple.hand)
    ways: list[Any] = []
    if len(state.deck) > 1:
        ways += [drawn(seat, *state.deck[:1])] * 3
        ways.append(f.CardsRevealed(seat, "dice", state.deck[:1], "deck"))
        ways.append(f.CardsMoved(seat, "bowl", state.deck[:1], "deck", seat, "bench", seat))
        if state.deck[0] != state.deck[1]:
            ways.append(f.CardsRevealed(seat, "fan", state.deck[:2], "deck"))
    if hand:
        card = rng.choice(hand)
        ways += [returned(seat, card)] * 4
        ways.append(f.CardsRevealed(seat, "flag", (card,), "hand"))
        ways.append(f.CardsMoved(seat, "handkerchief", (card,), "hand", seat, "floor", seat))
        ways.append(f.HandsExchanged(seat, rng.choice(others), temple.hand, ()))
    if temple.waiting:
        ways += [f.WaitingTaken(seat, temple.waiting)] * 3
    if temple.task and temple.face_down:
        ways.append(f.CardsMoved(seat, "old_task", (temple.task,), "task", seat, "floor", seat))
    if state.floor:
        ways.append(f.CardsReturned(seat, "tablet", state.floor, "floor"))
    fact = rng.choice(ways or [f.KitesTurnedBack(seat)])
    if isinstance(fact, f.HandsExchanged):
        return f.HandsExchanged(seat, fact.other, temple.hand, state.temples[fact.other].hand)
    return fact


SMALL = {
    "distinct": (("fan crane", "frog"), "pin mask", "", "bowl jar"),
    "with-a-floor": (("fan", "frog crane"), "pin mask", "robe", "bowl jar"),
    "doubles": (("fan frog", "fan"), "pin pin", "", "frog bowl bowl"),
    "three-seats": (("fan", "frog", "pin"), "mask mask mask", "", "bowl statue"),
}


def compare(name: str, seeds: range) -> int:
    """How often knowledge was compared with all worlds, and was equal."""
    hands, tasks, floor, deck = SMALL[name]
    compared = 0
    for seed in seeds:
        rng = Random(seed)
        told = Told(*hands, tasks=tasks, floor=floor, deck=deck)
        viewers: dict[Any, Worlds] = {viewer: Worlds(told.deal, viewer) for viewer in (None, 0, 1)}
        for _ in range(12):
            fact = random_fact(told.state, rng)
            told.tell(fact)
            for viewer, worlds in list(viewers.items()):
                try:
                    worlds.tell(fact)
                except TooManyWorlds:
                    del viewers[viewer]
                    continue
                assert told.known(viewer) == worlds.knowledge(), f"seed {seed}, viewer {viewer}, after {fact}"
                compared += 1
    return compared


@pytest.mark.parametrize("name", SMALL)
def test_knowledge_equals_all_worlds_listed(name: str) -> None:
    assert compare(name, range(3)) > 15


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", SMALL)
def test_knowledge_equals_all_worlds_listed_in_many_games(name: str) -> None:
    assert compare(name, range(60)) > 300


# Whole games: true, and a drawn world fits


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_truth_lies_within_the_bounds_and_a_world_looks_like_the_position(seats: int) -> None:
    rules, rng, chance = rules_for(seats), Random(seats), Chance(bytes([seats] * 32))
    state: Any = None
    memory: Any = None
    facts = rules.setup(None, chance)
    for _ in range(160):
        for fact in facts:
            memory = rules.remember(memory, state, fact)
            state = rules.evolve(state, fact)
        if state.ended:
            break
        if rng.random() < 0.15:
            for viewer in (None, *range(seats)):
                known = rules.knowledge(state, memory, viewer)
                for seat, temple in enumerate(state.temples):
                    for place, cards in (("hands", temple.hand), ("waiting", temple.waiting)):
                        within(known[place][seat], cards)
                assert all(state.deck[int(at)] == card for at, card in known["deck"]["at"].items())
                world = redrawn(state, memory.sample(viewer, rng))
                assert located(world) == located(state)
                assert rules.view(world, viewer) == rules.view(state, viewer)
        facts = rules.decide(state, state.active, rng.choice(rules.legal_actions(state, state.active)), chance)


def within(known: Any, cards: tuple[str, ...]) -> None:
    if known is not None:
        held = Counter(cards)
        assert not Counter(known["guaranteed"]) - held
        assert not held - Counter(known["possible"])
