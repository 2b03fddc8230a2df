"""Samples: legal, varied, and as often as the stated odds say, by listing all deals and choices.

The odds (`docs/memory.md`): every deal of the physical cards that some hidden choices can bring into agreement with
what was seen is equally likely; given the deal, each hidden choice is uniform among the multisets that can still be
brought into agreement with what was seen later.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from math import comb, prod

import pytest

from domain.memory import TOP, Memory, Move, Show, Shuffle, Zone, start
from tests.domain.memory_worlds import multisets

SAMPLES = 5000

Event = tuple[str, int, str]
"""("in" | "out" | "hide", seat, cards): open cards come in, cards are seen to go out, as many cards are hidden as the
text is long; what they truly are only tells the engine a move that happened."""

Outcome = tuple[tuple[str, ...], ...]
"""Hand and box of each seat, in turn."""


def fits(expected: dict[object, Fraction], got: Counter[object]) -> None:
    """A chi-square test at one in a thousand, by the approximation of Wilson and Hilferty."""
    assert set(got) <= set(expected)
    n = sum(got.values())
    square = sum((got[world] - n * float(p)) ** 2 / (n * float(p)) for world, p in expected.items())
    free = len(expected) - 1
    limit = free * (1 - 2 / (9 * free) + 3.09 * (2 / (9 * free)) ** 0.5) ** 3
    assert square < limit, f"chi-square {square:.1f}, at most {limit:.1f} with {free} degrees of freedom"
    assert len(got) > 0.8 * len(expected)


def remaining(cards: tuple[str, ...], less: tuple[str, ...]) -> tuple[str, ...] | None:
    left = Counter(cards)
    left.subtract(less)
    return None if min(left.values(), default=0) < 0 else tuple(sorted(left.elements()))


def deals(deck: tuple[str, ...], sizes: tuple[int, ...]) -> Iterator[tuple[int, list[tuple[str, ...]]]]:
    """Every way to deal hands of these sizes, with the number of sets of physical cards that look so."""
    if not sizes:
        yield 1, []
        return
    have = Counter(deck)
    for hand in multisets(deck, sizes[0]):
        ways = prod(comb(have[kind], n) for kind, n in Counter(hand).items())
        left = remaining(deck, hand)
        assert left is not None
        for more, others in deals(left, sizes[1:]):
            yield ways * more, [hand, *others]


def outcomes(position: Outcome, events: tuple[Event, ...]) -> dict[Outcome, Fraction]:
    """How likely each end is from a position, each choice being uniform among those that can be completed."""
    if not events:
        return {position: Fraction(1)}
    (what, seat, cards), later = events[0], events[1:]
    hand, box = position[2 * seat], position[2 * seat + 1]
    if what == "in":
        following = [(tuple(sorted((*hand, *cards))), box)]
    elif what == "out":
        left = remaining(hand, tuple(cards))
        following = [] if left is None else [(left, box)]
    else:
        following = [(remaining(hand, some) or (), tuple(sorted(box + some))) for some in multisets(hand, len(cards))]
    ends = [
        found
        for hand_and_box in following
        if (found := outcomes((*position[: 2 * seat], *hand_and_box, *position[2 * seat + 2 :]), later))
    ]
    likely: dict[Outcome, Fraction] = {}
    for found in ends:
        for end, p in found.items():
            likely[end] = likely.get(end, Fraction()) + p / len(ends)
    return likely


def expected(deck: str, sizes: tuple[int, ...], events: tuple[Event, ...]) -> dict[object, Fraction]:
    likely: dict[object, Fraction] = {}
    every = 0
    for ways, hands in deals(tuple(sorted(deck)), sizes):
        position = tuple(part for hand in hands for part in (tuple(sorted(hand)), ()))
        found = outcomes(position, events)
        every += ways * bool(found)
        for end, p in found.items():
            likely[end] = likely.get(end, Fraction()) + ways * p
    return {end: weight / every for end, weight in likely.items()}


def remembered(deck: str, hands: tuple[str, ...], events: tuple[Event, ...]) -> Memory:
    """The engine's memory of a true course of events."""
    zones = {"stock": Zone(ordered=True)}
    for seat in range(len(hands)):
        zones |= {f"hand {seat}": Zone((seat,)), f"box {seat}": Zone((seat,))}
    memory = start(len(hands), zones).after(Shuffle(tuple(deck), "stock"))
    for seat, hand in enumerate(hands):
        memory = memory.after(Move(tuple(hand), "stock", f"hand {seat}"))
    for what, seat, cards in events:
        ends = {"in": (None, f"hand {seat}"), "out": (f"hand {seat}", None), "hide": (f"hand {seat}", f"box {seat}")}
        memory = memory.after(Move(tuple(cards), *ends[what]))
    return memory


POSITIONS: dict[str, tuple[str, tuple[str, ...], tuple[Event, ...]]] = {
    "deal": ("aaabbc", ("ab", "a"), ()),
    "delivery out of unknown cards": ("aaaabbc", ("aab",), (("out", 0, "a"),)),
    "deliveries of two hands": ("aaaabbbc", ("aab", "abc"), (("out", 0, "a"), ("out", 1, "b"))),
    "disposal": ("aabbc", ("ab",), (("in", 0, "aac"), ("hide", 0, "ab"))),
    "disposal, then a delivery": ("aaabbc", ("abb",), (("in", 0, "aac"), ("hide", 0, "bc"), ("out", 0, "aa"))),
    "two disposals with a sight between": (
        "aaabbcc",
        ("abc",),
        (("in", 0, "aab"), ("hide", 0, "b"), ("out", 0, "aa"), ("in", 0, "cc"), ("hide", 0, "ac"), ("out", 0, "c")),
    ),
    "two seats dispose, little is left": (
        "aabbc",
        ("ab", "ac"),
        (("in", 0, "bb"), ("hide", 0, "b"), ("in", 1, "aa"), ("hide", 1, "ac"), ("out", 0, "b"), ("out", 1, "a")),
    ),
    "all of a kind": ("aaaa", ("aa",), (("in", 0, "bb"), ("hide", 0, "ab"), ("out", 0, "a"))),
    "known card and lot card of a kind": ("aaab", ("aab",), (("in", 0, "a"), ("out", 0, "a"), ("hide", 0, "b"))),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_five_thousand_samples_are_as_frequent_as_deals_and_choices(name: str) -> None:
    deck, hands, events = POSITIONS[name]
    memory = remembered(deck, hands, events)
    rng = random.Random(name)
    got: Counter[object] = Counter()
    for _ in range(SAMPLES):
        world = memory.sample(None, rng)
        got[tuple(world[f"{zone} {seat}"] for seat in range(len(hands)) for zone in ("hand", "box"))] += 1
    fits_or_single(expected(deck, tuple(map(len, hands)), events), got)


def fits_or_single(likely: dict[object, Fraction], got: Counter[object]) -> None:
    if len(likely) == 1:
        assert set(got) == set(likely)
    else:
        fits(likely, got)


def test_every_order_of_a_shuffled_pile_is_equally_likely() -> None:
    memory = start(1, {"pile": Zone(ordered=True)}).after(Shuffle(tuple("aabc"), "pile"))
    memory = memory.after(Show(("b",), "pile", at=1))
    orders = Counter(order for order in permutations("aabc") if order[1] == "b")
    likely: dict[object, Fraction] = {order: Fraction(n, orders.total()) for order, n in orders.items()}
    rng = random.Random(5)
    fits(likely, Counter(memory.sample(None, rng)["pile"] for _ in range(SAMPLES)))


def test_returned_cards_lie_in_every_order_that_their_owner_may_have_chosen() -> None:
    zones = {"pile": Zone(ordered=True), "hand": Zone((0,))}
    memory = start(1, zones).after(Move(tuple("abc"), None, "hand"), Move(("a", "c"), "hand", "pile"))
    memory = memory.after(Move(("d",), None, "pile", place=TOP))
    likely: dict[object, Fraction] = {("d", *order): Fraction(1, 6) for order in permutations("abc", 2)}
    rng = random.Random(6)
    fits(likely, Counter(memory.sample(None, rng)["pile"] for _ in range(SAMPLES)))


def test_a_pasha_hand_is_as_frequent_as_the_stacks_that_deal_it() -> None:
    cards = ("-1", "-1", "-1", "1", "2", "3", "4", "5", "7")
    zones = {"stacks": Zone(ordered=True), "hand": Zone((0,))}
    memory = start(2, zones).after(Shuffle(cards, "stacks"), Move(("-1", "4", "-1"), "stacks", "hand"))
    memory = memory.after(Move(("-1",), "hand", None))
    counted: Counter[tuple[str, ...]] = Counter()
    for order in permutations(range(9), 3):
        hand = sorted(cards[i] for i in order)
        if "-1" in hand:
            hand.remove("-1")
            counted[tuple(hand)] += 1
    likely: dict[object, Fraction] = {hand: Fraction(n, counted.total()) for hand, n in counted.items()}
    rng = random.Random(7)
    fits(likely, Counter(memory.sample(1, rng)["hand"] for _ in range(SAMPLES)))


def test_a_block_drawn_again_can_be_any_card_that_was_returned() -> None:
    zones = {"pile": Zone(ordered=True), "hand": Zone((0,)), "other": Zone((1,))}
    memory = start(2, zones).after(Move(tuple("abc"), None, "hand"), Move(("a", "c"), "hand", "pile"))
    memory = memory.after(Move(("a",), "pile", "other"), Move(("b",), None, "other"), Move(("b",), "other", "pile"))
    rng = random.Random(8)
    worlds = {tuple(memory.sample(None, rng).items()) for _ in range(300)}
    returned = {(x, y) for x, y in permutations("abc", 2)}
    possible = set()
    for first, second in returned:
        (kept,) = set("abc") - {first, second}
        for again in {first, "b"}:
            left = sorted([first, "b"])
            left.remove(again)
            possible.add((("pile", (second, again)), ("hand", (kept,)), ("other", tuple(left))))
    assert worlds == possible


def test_the_same_random_state_gives_the_same_world() -> None:
    memory = remembered("aaabbc", ("abb",), POSITIONS["disposal, then a delivery"][2])
    assert memory.sample(None, random.Random(1)) == memory.sample(None, random.Random(1))


def test_a_seat_finds_its_own_cards_in_every_sample() -> None:
    memory = remembered("aaabbbccc", ("abb", "cca"), (("in", 0, "ab"), ("hide", 0, "bb")))
    rng = random.Random(9)
    for _ in range(100):
        world = memory.sample(0, rng)
        assert world["hand 0"] == ("a", "a", "b")
        assert world["box 0"] == ("b", "b")
        assert Counter(cards for zone in world.values() for cards in zone) == Counter("aaaabbbbccc")
