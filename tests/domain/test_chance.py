"""Draws are fixed by their seed and counter, unbiased, and not to be foretold from what is public."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from uuid import UUID

import pytest

from domain.chance import Chance, commitment, game_seed

SEED = bytes(range(32))
TABLE = UUID("12345678-1234-4234-8234-123456789abc")


def test_a_draw_is_hmac_of_counter_and_sub_index_reduced_without_bias() -> None:
    block = hmac.new(SEED, (5).to_bytes(8, "big") + (0).to_bytes(8, "big"), hashlib.sha256).digest()
    words = [int.from_bytes(block[n : n + 4], "big") for n in range(0, 32, 4)]
    assert Chance(SEED, 5).integers(4, 6) == tuple(word % 6 for word in words[:4] if word < 2**32 - 2**32 % 6)


def test_words_beyond_the_last_multiple_are_rejected() -> None:
    bound = 2**31 + 1
    drawn = Chance(SEED).integers(200, bound)
    assert all(0 <= value < bound for value in drawn)
    raw = []
    for index in range(60):
        block = hmac.new(SEED, bytes(8) + index.to_bytes(8, "big"), hashlib.sha256).digest()
        raw += [int.from_bytes(block[n : n + 4], "big") for n in range(0, 32, 4)]
    assert drawn == tuple([word for word in raw if word < bound][:200])


def test_one_counter_value_a_draw_call() -> None:
    chance = Chance(SEED)
    chance.shuffled(range(50))
    chance.dice(5)
    assert chance.counter == 2
    assert Chance(SEED, 1).dice(5) == Chance(SEED, 1).dice(5)


def test_a_shuffle_is_fisher_yates_and_keeps_the_cards() -> None:
    items = list(range(20))
    shuffled = Chance(SEED).shuffled(items)
    assert sorted(shuffled) == items
    expected = list(items)
    picks = Chance(SEED).__class__(SEED)._words()
    for last in range(19, 0, -1):
        word = next(word for word in picks if word < 2**32 - 2**32 % (last + 1))
        other = word % (last + 1)
        expected[last], expected[other] = expected[other], expected[last]
    assert shuffled == tuple(expected)


def test_every_order_of_three_is_equally_likely() -> None:
    counts = Counter(Chance(SEED, n).shuffled("abc") for n in range(6000))
    chi = sum((count - 1000) ** 2 / 1000 for count in counts.values())
    assert len(counts) == 6
    assert chi < 20.5  # 5 degrees of freedom, p = 0.001


def test_the_game_seed_depends_on_every_contribution_and_on_where_one_ends() -> None:
    seeds = {
        game_seed(SEED, TABLE, contributions)
        for contributions in (["", ""], ["a", ""], ["", "a"], ["ab", ""], ["a", "b"], ["", "", ""])
    }
    assert len(seeds) == 6
    message = TABLE.bytes + b"\0\0\0\1a" + b"\0\0\0\0"
    assert game_seed(SEED, TABLE, ["a", ""]) == hmac.new(SEED, message, hashlib.sha256).digest()


def test_the_commitment_is_no_input_of_draws() -> None:
    public = bytes.fromhex(commitment(SEED))
    assert public == hashlib.sha256(b"turnkeeper/commitment/1" + SEED).digest()
    truth = Chance(game_seed(SEED, TABLE, ["", ""])).integers(8, 1000)
    for guess in (public, hashlib.sha256(public).digest(), game_seed(public, TABLE, ["", ""])):
        assert Chance(guess).integers(8, 1000) != truth


@pytest.mark.parametrize("sides", [2, 6, 20])
def test_dice_lie_between_one_and_their_sides(sides: int) -> None:
    assert set(Chance(SEED).dice(2000, sides)) == set(range(1, sides + 1))
