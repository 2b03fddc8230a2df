"""What each viewer sees of a game of Pasha: the state's and the facts' JSON, twins that nobody may tell apart."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from domain.bots import random_bot
from domain.chance import Chance
from domain.games.pasha.facts import CardPlayed, GameSetUp
from tests.domain.games.pasha.positions import (
    END_TURN,
    Moment,
    Rigged,
    act,
    awarded,
    carried_out,
    played,
    position,
    rules_for,
    seat,
    seed,
    set_up,
    space,
)


def test_the_view_is_the_json_of_the_rules_page():
    state = position(
        seat(hand=(5, 1), stacks=[(-1, 2, 3)], played=-1, stones=2, jeton="none"),
        seat(hand=(3, -1), stacks=[(1, 2, 5)], played=4, won=(7, -1), tiles=[(5, 3)], jeton="triple 6"),
        phase="placed",
        turn_of=1,
        round=4,
        shown="4-5-6-6-6",
        lying={2: (3, 2)},
        face_down=[(6, 3), (3, 2), (1, 3), (3, 3), (1, 2)],
    )
    assert rules_for(2).view(state, 1) == {
        "round": 4,
        "start_seat": 0,
        "phase": "placed",
        "dice": [4, 5, 6, 6, 6],
        "throws_left": 0,
        "tiles": {"2": [3, 2]},
        "tiles_left": [
            {"die": 1, "points": 2},
            {"die": 1, "points": 3},
            {"die": 3, "points": 2},
            {"die": 3, "points": 3},
            {"die": 6, "points": 3},
        ],
        "seats": [
            {
                "hand": None,
                "hand_size": 2,
                "stacks": 1,
                "played": -1,
                "stones": 2,
                "jeton": {"row": "none", "column": None, "level": 0},
                "won": {"cards": [], "tiles": []},
                "points_if_scored_now": 2,
            },
            {
                "hand": [-1, 3],
                "hand_size": 2,
                "stacks": 1,
                "played": 4,
                "stones": 5,
                "jeton": {"row": "triple", "column": 6, "level": 0},
                "won": {"cards": [7, -1], "tiles": [{"die": 5, "points": 3}]},
                "points_if_scored_now": 14,
            },
        ],
    }


def test_a_hand_is_shown_to_its_own_seat_only():
    state = position(seat(hand=(1, 2, 3)), seat(hand=(4, 5, 7)))
    rules = rules_for(2)
    hands = {viewer: [one["hand"] for one in rules.view(state, viewer)["seats"]] for viewer in (0, 1, None)}
    assert hands == {0: [[1, 2, 3], None], 1: [None, [4, 5, 7]], None: [None, None]}


def test_the_public_sees_no_more_than_any_seat():
    moment, _ = set_up(rules_for(3))
    rules = rules_for(3)
    public = rules.view(moment.state, None)
    for viewer in range(3):
        own = rules.view(moment.state, viewer)
        own["seats"][viewer]["hand"] = None
        assert own == public


def test_jetons_show_row_column_and_level():
    state = position(seat(jeton="pair 2"), seat(jeton=space("pair 2", 1)), phase="placed", shown="1-2-2-3-4")
    assert [one["jeton"] for one in rules_for(2).view(state, None)["seats"]] == [
        {"row": "pair", "column": 2, "level": 0},
        {"row": "pair", "column": 2, "level": 1},
    ]


def test_dice_are_null_before_the_first_throw_of_a_turn():
    state = position(seat(), seat())
    assert rules_for(2).view(state, 0)["dice"] is None
    after = act(rules_for(2), state, Rigged(), {"type": "play_card", "value": 1})
    assert (rules_for(2).view(after, 0)["dice"], rules_for(2).view(after, 0)["phase"]) == (None, "throw")


def test_won_cards_tiles_and_totals_are_exact_for_everybody():
    state = awarded((-1, "pair 2"), (7, "triple 3"), lying={3: (2,)})
    for viewer in (None, 0, 1):
        seats = rules_for(2).view(state, viewer)["seats"]
        assert [one["won"] for one in seats] == [
            {"cards": [-1], "tiles": []},
            {"cards": [7], "tiles": [{"die": 3, "points": 2}]},
        ]
        assert [one["points_if_scored_now"] for one in seats] == [4, 14]


def test_a_finished_game_is_shown_in_its_last_phase():
    rules = rules_for(2)
    seats = [seat(hand=(), played=1, jeton="none"), seat(hand=(), played=2, jeton="pair 1")]
    state = position(*seats, phase="placed", turn_of=1, round=9, shown="1-1-2-3-4", face_down=())
    over = rules.view(act(rules, state, Rigged(), END_TURN), None)
    assert (over["phase"], over["dice"], over["round"], over["tiles_left"]) == ("placed", None, 9, [])


def test_the_set_up_shows_a_seat_its_hand_and_no_order():
    rules = rules_for(2)
    fact = rules.setup(0, Chance(seed(5)))[0]
    shown = rules.fact_view(fact, 1)
    assert shown["stacks"] == [[None, None, None], [sorted(fact.stacks[1][0]), None, None]]
    assert shown["tiles"] == [{"die": die, "points": points} for die, points in sorted(fact.tiles)]
    assert rules.fact_view(fact, None)["stacks"] == [[None] * 3] * 2


def test_a_stack_taken_is_shown_to_its_own_seat_only():
    fact = CardPlayed(1, 4, (7, -1, 3), 3, False)
    rules = rules_for(2)
    assert rules.fact_view(fact, 1)["taken"] == [-1, 3, 7]
    assert rules.fact_view(fact, 0)["taken"] is None
    assert rules.fact_view(fact, None)["taken"] is None
    assert rules.fact_view(replace(fact, taken=()), 0)["taken"] == []


def twin(seats, facts, viewer, rng):
    """The same game to this moment with every card dealt otherwise that the viewer has not seen, and tiles likewise."""
    deal, *later = facts
    played_cards = [[] for _ in range(seats)]
    for fact in later:
        if isinstance(fact, CardPlayed):
            played_cards[fact.seat].append(fact.value)
    stacks = []
    for number in range(seats):
        shown, left = [], []
        for at, stack in enumerate(deal.stacks[number]):
            seen = played_cards[number][3 * at : 3 * at + 3]
            if number == viewer and 3 * at <= len(played_cards[number]):
                seen = list(stack)
            shown.append(seen)
            left += list((Counter(stack) - Counter(seen)).elements())
        rng.shuffle(left)
        stacks.append(tuple((*seen, *(left.pop() for _ in range(3 - len(seen)))) for seen in shown))
    turned = sum(type(fact).__name__ == "RoundStarted" for fact in later)
    face_down = rng.sample(deal.tiles[turned:], len(deal.tiles) - turned)
    deal = GameSetUp(deal.start_seat, tuple(stacks), (*deal.tiles[:turned], *face_down), deal.stones)
    taken = [iter(stacks[number][1:]) for number in range(seats)]
    return [
        deal,
        *(
            replace(fact, taken=next(taken[fact.seat])) if isinstance(fact, CardPlayed) and fact.taken else fact
            for fact in later
        ),
    ]


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_games_that_differ_in_what_a_viewer_has_not_seen_look_alike_to_it(seats):
    rules, rng, different = rules_for(seats, specials=True), Random(77), 0
    facts = list(rules.setup(None, Chance(seed(seats))))
    for n, command in enumerate(played(rules, [random_bot] * seats, seats)):
        facts += command.facts
        if n % 23:
            continue
        for viewer in (None, *range(seats)):
            others = twin(seats, facts, viewer, rng)
            one, other = Moment().after(rules, *facts), Moment().after(rules, *others)
            different += one.state != other.state
            assert seen(rules, one, facts, viewer) == seen(rules, other, others, viewer)
    print(f"{different} twins differed")
    assert different > 10


def seen(rules, moment, facts, viewer):
    """All that a viewer gets, as text: list orders count."""
    return json.dumps(
        [
            rules.view(moment.state, viewer),
            rules.knowledge(moment.state, moment.memory, viewer),
            [rules.fact_view(fact, viewer) for fact in facts],
            [rules.describe(fact, language, viewer) for fact in facts for language in ("en", "de")],
            [
                {**action, "final": rules.is_final(moment.state, viewer, action)}
                for action in (rules.legal_actions(moment.state, viewer) if viewer is not None else ())
            ],
        ]
    )


def test_a_command_tells_nothing_else_than_json():
    rules = rules_for(2)
    state = position(seat(hand=(1, 2)), seat())
    for fact in carried_out(rules, state, Rigged(), {"type": "play_card", "value": 1}):
        shown = rules.fact_view(fact, 0)
        assert json.loads(json.dumps(shown)) == shown
