"""What a viewer of Pasha can know of hands and stacks: exact bounds, told by the memory engine."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from domain.bots import random_bot
from domain.games.pasha.facts import CardPlayed, GameSetUp
from tests.domain.games.pasha.positions import Moment, knowledge_of, played, rules_for, set_up


def bounds(cards, hand):
    """Every hand of so many cards, listed: least and greatest count of each kind in it and in the rest."""
    worlds = [Counter(world) for world in combinations(sorted(cards), hand)]
    rests = [Counter(cards) - world for world in worlds]
    return [
        {
            "guaranteed": {str(kind): n for kind in sorted(set(cards)) if (n := min(w[kind] for w in many))},
            "possible": {str(kind): n for kind in sorted(set(cards)) if (n := max(w[kind] for w in many))},
        }
        for many in (worlds, rests)
    ]


def test_the_example_of_the_page():
    # Unplayed −1, −1, −1, 4, 7 and a hand of two.
    rules = rules_for(2)
    own = ((-1, -1, -1), (1, 2, 3), (4, 5, 7))
    deal = GameSetUp(0, (own, ((5, 3, 2), (4, 1, -1), (-1, -1, 7))), (), 5)
    plays = [
        CardPlayed(1, 5, (), 3, False),
        CardPlayed(1, 3, (), 3, False),
        CardPlayed(1, 2, (4, 1, -1), 3, False),
        CardPlayed(1, 1, (), 3, False),
    ]
    moment = Moment().after(rules, deal, *plays)
    known = knowledge_of(rules, moment, 0)
    assert known["hands"][1] == {"guaranteed": {}, "possible": {"-1": 2, "4": 1, "7": 1}}
    assert known["stacks"][1] == {"guaranteed": {"-1": 1}, "possible": {"-1": 3, "4": 1, "7": 1}}


def test_at_the_start_another_hand_is_any_three_of_the_nine_cards():
    rules = rules_for(2)
    known = knowledge_of(rules, set_up(rules)[0], 0)
    assert known["hands"][1]["possible"] == {"-1": 3, "1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "7": 1}
    assert known["hands"][1]["guaranteed"] == {}


def test_the_own_hand_is_null_and_the_own_stacks_are_known_together_but_not_in_order():
    rules = rules_for(3)
    moment = set_up(rules)[0]
    known = knowledge_of(rules, moment, 2)
    rest = Counter(map(str, sum(moment.state.seats[2].stacks, ())))
    assert known["hands"][2] is None
    assert known["stacks"][2] == {"guaranteed": dict(rest), "possible": dict(rest)}


def test_the_public_knows_no_hand_by_sight():
    rules = rules_for(2)
    assert None not in knowledge_of(rules, set_up(rules)[0], None)["hands"]


@pytest.mark.parametrize("seats", [2, 4])
def test_bounds_are_those_of_all_hands_that_agree_with_the_cards_played(seats):
    rules = rules_for(seats)
    for n, command in enumerate(played(rules, [random_bot] * seats, 3)):
        if n % 5:
            continue
        moment = command.after
        for viewer in (None, *range(seats)):
            known = knowledge_of(rules, moment, viewer)
            for number, one in enumerate(moment.state.seats):
                cards = [*one.hand, *sum(one.stacks, ())]
                hand, stacks = bounds(cards, len(one.hand))
                if number == viewer:
                    left = {str(kind): n for kind, n in sorted(Counter(sum(one.stacks, ())).items())}
                    hand, stacks = None, {"guaranteed": left, "possible": left}
                assert known["hands"][number] == hand
                assert known["stacks"][number] == stacks
                assert_holds(one, known, number)


def assert_holds(one, known, number):
    """The truth lies within the bounds."""
    for zone, cards in (("hands", one.hand), ("stacks", sum(one.stacks, ()))):
        if known[zone][number] is None:
            continue
        truth = Counter(map(str, cards))
        assert all(truth[kind] >= n for kind, n in known[zone][number]["guaranteed"].items())
        assert all(known[zone][number]["possible"].get(kind, 0) >= n for kind, n in truth.items())
