"""The luck of Pasha: throws follow the odds of the page, and a finished game's dice re-derive from its seed."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Iterator

import pytest

from domain.bots import random_bot
from domain.chance import Chance
from domain.games.pasha.dice import row_of
from domain.games.pasha.facts import DiceRestarted, DiceRethrown, DiceThrown
from tests.domain.games.pasha.positions import CARDS, played, position, rules_for, seat, seed, set_up

THROWS = 200_000
WAYS = {
    "none": 720,
    "pair": 3600,
    "two_pairs": 1800,
    "triple": 1200,
    "full_house": 300,
    "four_of_a_kind": 150,
    "five_of_a_kind": 6,
}
# A fair throw exceeds these in one of a thousand seeds (chi-square, 6 and 5 degrees of freedom).
LIMIT_OF_ROWS, LIMIT_OF_FACES = 22.46, 20.52


def chi_square(found: Counter, expected: dict) -> float:
    return sum((found[key] - mean) ** 2 / mean for key, mean in expected.items())


@pytest.fixture(scope="module")
def throws():
    """200,000 throws of five dice, one draw call each, seed 2027."""
    chance = Chance(seed(2027))
    return [chance.dice(5) for _ in range(THROWS)]


def test_a_throw_of_the_rules_is_one_such_draw(throws):
    rules, chance = rules_for(2), Chance(seed(2027))
    state = position(seat(played=3), seat(), phase="throw", throws_left=3)
    thrown = [rules.decide(state, 0, {"type": "throw", "keep": []}, chance)[0].thrown for _ in range(100)]
    assert thrown == throws[:100]


def test_rows_of_200000_throws_fit_the_odds(throws):
    found = Counter(row_of(tuple(sorted(thrown))) for thrown in throws)
    value = chi_square(found, {row: ways / 7776 * THROWS for row, ways in WAYS.items()})
    print(f"rows: chi-square {value:.2f}, limit {LIMIT_OF_ROWS}")
    assert value < LIMIT_OF_ROWS


@pytest.mark.parametrize("die", range(5))
def test_each_die_of_200000_throws_is_fair(throws, die):
    found = Counter(thrown[die] for thrown in throws)
    assert set(found) == set(range(1, 7))
    assert chi_square(found, dict.fromkeys(range(1, 7), THROWS / 6)) < LIMIT_OF_FACES


def words(key: bytes, counter: int) -> Iterator[int]:
    """The documented stream: HMAC-SHA256(seed, counter ‖ sub-index), cut into 32-bit words."""
    for sub in range(1000):
        block = hmac.new(key, counter.to_bytes(8, "big") + sub.to_bytes(8, "big"), "sha256").digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")


def rederived(key: bytes, counter: int, count: int) -> tuple[int, ...]:
    fair = (word for word in words(key, counter) if word < 2**32 - 2**32 % 6)
    return tuple(next(fair) % 6 + 1 for _ in range(count))


@pytest.mark.parametrize("specials", [False, True])
def test_the_dice_of_a_finished_game_rederive_from_its_seed(specials):
    rules = rules_for(3, specials=specials)
    counter = 3 + 1  # each seat's cards, the tiles; the start seat is given
    assert set_up(rules, 8)[1].counter == counter
    found = 0
    for command in played(rules, [random_bot] * 3, 8, start_seat=1):
        for fact in command.facts:
            if isinstance(fact, DiceThrown | DiceRethrown | DiceRestarted):
                assert fact.thrown == rederived(seed(8), counter, len(fact.thrown))
                counter, found = counter + 1, found + 1
    assert found >= 27


def test_the_same_seed_deals_the_same_game():
    first, again = (set_up(rules_for(4), 9, None)[0].state for _ in range(2))
    assert first == again
    assert set_up(rules_for(4), 10, None)[0].state != first


def test_all_nine_cards_are_dealt_everywhere():
    first = Counter(set_up(rules_for(2), number)[0].state.seats[0].hand.count(7) for number in range(300))
    assert 70 < first[1] < 130  # a third of 300
    assert len(CARDS) == 9


def test_setting_dice_aside_draws_for_the_others_only():
    state = position(seat(played=3), seat(), phase="throw", throws_left=2, shown="1-2-4-4-6")
    chance = Chance(seed(4))
    (fact,) = rules_for(2).decide(state, 0, {"type": "throw", "keep": [4, 4]}, chance)
    assert fact == DiceThrown(0, (4, 4), rederived(seed(4), 0, 3), 1)
    assert chance.counter == 1
