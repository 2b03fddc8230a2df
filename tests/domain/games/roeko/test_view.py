"""What a viewer sees of R-Öko: the JSON of the rules page, and nothing that is hidden."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from domain.games.roeko.facts import (
    CardsDelivered,
    CardsDisposed,
    DumpRefilled,
    GameSetUp,
    PileReshuffled,
    TurnEnded,
    TurnPassed,
)
from domain.games.roeko.state import RoekoState
from tests.domain.games.roeko.helpers import (
    END_TURN,
    PASS,
    SEATS,
    after,
    blindly,
    cards,
    deliver,
    dispose,
    given,
    rules_for,
    start,
)

FACTORY = {"recycling", "icons", "dump", "rewards"}
SEAT = {"hand", "hand_size", "rewards", "illegal", "illegal_cards"}
TOP = {"factories", "draw_pile", "discard_pile", "delivered", "passes", "must_dispose", "seats"}


def seen(state: RoekoState, viewer: int | None) -> dict[str, Any]:
    return rules_for(state.seats).view(state, viewer)


def test_the_view_names_exactly_these_fields() -> None:
    view = seen(start(3, 1)[1], 0)
    assert set(view) == TOP
    assert list(view["factories"]) == ["can", "glass", "plastic", "paper"]
    assert all(set(factory) == FACTORY for factory in view["factories"].values())
    assert all(set(seat) == SEAT for seat in view["seats"])


def test_a_factory_shows_both_sides_its_icons_and_its_rewards_the_next_one_first() -> None:
    state = given("", dump={"can": "glass1"}, there={"can": (0, 1), "glass": (2, 0)}, rewards={"can": (1, 2)})
    assert seen(state, None)["factories"]["can"] == {
        "recycling": {"can2": 1},
        "icons": 2,
        "dump": {"glass1": 1},
        "rewards": [1, 2],
    }
    assert seen(state, None)["factories"]["glass"]["recycling"] == {"glass1": 2}


def test_kind_maps_leave_zero_counts_out_and_piles_are_counted() -> None:
    view = seen(given("can1", pile="can1 can1 can2", discard="paper2 can1 can1"), None)
    assert view["draw_pile"] == 3
    assert view["discard_pile"] == {"can1": 2, "paper2": 1}


def test_a_seat_sees_its_own_hand_and_illegal_pile_and_of_others_their_sizes() -> None:
    state = given("paper1 paper1 can2", "glass1 glass2", illegal=["can1", "paper1 paper2"])
    assert seen(state, 0)["seats"] == [
        {
            "hand": {"can2": 1, "paper1": 2},
            "hand_size": 3,
            "rewards": {},
            "illegal": 1,
            "illegal_cards": {"can1": 1},
        },
        {"hand": None, "hand_size": 2, "rewards": {}, "illegal": 2, "illegal_cards": None},
    ]


def test_the_public_sees_no_hand_at_all() -> None:
    state = given("paper1", "glass1", illegal=["can1", "can1"])
    assert [(seat["hand"], seat["illegal_cards"]) for seat in seen(state, None)["seats"]] == [(None, None)] * 2


def test_once_the_game_is_over_all_hands_and_illegal_piles_are_shown() -> None:
    state = given("paper1", "glass1", delivered="can", rewards={"can": ()}, illegal=["", "can2"])
    over = after(state, END_TURN)
    for viewer in (None, 0, 1):
        assert [seat["hand"] for seat in seen(over, viewer)["seats"]] == [{"paper1": 1}, {"glass1": 1}]
        assert [seat["illegal_cards"] for seat in seen(over, viewer)["seats"]] == [{}, {"can2": 1}]


def test_a_seats_rewards_are_listed_by_material_in_the_order_won() -> None:
    state = replace(given("can2 can2 can2", rewards={"can": (4, 5)}), won=(((1,), (), (), (0, -2)), ((),) * 4))
    assert seen(state, 1)["seats"][0]["rewards"] == {"can": [1], "paper": [0, -2]}
    assert seen(after(state, deliver("can", 0, 2)), 1)["seats"][0]["rewards"] == {"can": [1, 4], "paper": [0, -2]}


def test_delivered_is_this_turns_factory() -> None:
    state = given("glass1 glass1", pile="can1 can1")
    assert seen(state, 1)["delivered"] is None
    state = after(state, deliver("glass", 1))
    assert seen(state, 1)["delivered"] == "glass"
    assert seen(after(state, END_TURN), 1)["delivered"] is None


def test_passes_counts_those_in_a_row() -> None:
    assert seen(after(given("", seats=3), PASS, PASS), 0)["passes"] == 2


def test_must_dispose_is_the_acting_seats_open_excess_and_zero_to_others() -> None:
    state = given("can1 " * 7, "can1 " * 6, delivered="glass")
    assert [seen(state, viewer)["must_dispose"] for viewer in (0, 1, None)] == [2, 0, 0]
    assert seen(after(state, dispose(can1=2)), 0)["must_dispose"] == 0


def test_the_view_is_json() -> None:
    view = seen(start(5, 3)[1], 2)
    assert json.loads(json.dumps(view)) == view


# Facts

DEAL = GameSetUp(1, (("paper1", "can1", "can2"), ("glass1", "glass1", "glass2")), ("can1",) * 4, ("can1",) * 7, (0, 1))


@pytest.mark.parametrize(
    ("fact", "viewer", "shown"),
    [
        (
            DEAL,
            0,
            {
                "start_seat": 1,
                "hands": [["can1", "can2", "paper1"], None],
                "dumps": ["can1"] * 4,
                "pile": 7,
                "rewards": [0, 1],
            },
        ),
        (
            DEAL,
            None,
            {"start_seat": 1, "hands": [None, None], "dumps": ["can1"] * 4, "pile": 7, "rewards": [0, 1]},
        ),
        (
            CardsDelivered(1, "can", 2, 1, -2, {"can1": 1}),
            None,
            {"seat": 1, "material": "can", "singles": 2, "doubles": 1, "reward": -2, "collected": {"can1": 1}},
        ),
        (CardsDisposed(1, {"can1": 2}), 1, {"seat": 1, "count": 2, "cards": {"can1": 2}}),
        (CardsDisposed(1, {"can1": 2}), 0, {"seat": 1, "count": 2, "cards": None}),
        (CardsDisposed(1, {"can1": 2}), None, {"seat": 1, "count": 2, "cards": None}),
        (DumpRefilled("can", ("paper1", "can1")), None, {"material": "can", "cards": ["paper1", "can1"]}),
        (PileReshuffled(("paper1", "can1")), 0, {"count": 2}),
        (TurnEnded(0, 1, None), None, {"seat": 0, "next_seat": 1, "reason": None}),
        (TurnPassed(0, None, "nobody_can_move"), 1, {"seat": 0, "next_seat": None, "reason": "nobody_can_move"}),
    ],
)
def test_a_fact_shows_a_viewer_what_it_may_see(fact: Any, viewer: int | None, shown: dict[str, Any]) -> None:
    assert rules_for(2).fact_view(fact, viewer) == shown


# Twins


def swapped(state: RoekoState, viewer: int | None, rng: Random) -> RoekoState:
    """A twin of the position: every card that the viewer can't see is dealt anew among the hidden zones."""
    others = [seat for seat in range(state.seats) if seat != viewer]
    zones = [state.hands[seat] for seat in others] + [state.illegal[seat] for seat in others]
    left = list(state.pile[state.drawn :])
    hidden = [kind for zone in zones for kind, count in enumerate(zone) for _ in range(count)] + left
    rng.shuffle(hidden)
    dealt = []
    for zone in zones:
        part, hidden = hidden[: sum(zone)], hidden[sum(zone) :]
        dealt.append(tuple(part.count(kind) for kind in range(8)))
    hands, illegal = list(state.hands), list(state.illegal)
    for seat, hand, pile in zip(others, dealt, dealt[len(others) :], strict=False):
        hands[seat], illegal[seat] = hand, pile
    return replace(state, hands=tuple(hands), illegal=tuple(illegal), pile=(*state.pile[: state.drawn], *hidden))


@pytest.mark.parametrize("seats", SEATS)
def test_two_positions_a_viewer_cannot_tell_apart_give_equal_bytes(seats: int) -> None:
    rng = Random(seats)
    rules, state, chance = start(seats, seats)
    for _ in range(60):
        if state.ended:
            break
        for viewer in (None, *range(seats)):
            twin = swapped(state, viewer, rng)
            assert twin != state
            assert json.dumps(rules.view(twin, viewer)) == json.dumps(rules.view(state, viewer))
            if viewer == state.seat:
                assert rules.legal_actions(twin, viewer) == rules.legal_actions(state, viewer)
        action = blindly(state, rules.legal_actions(state, state.seat), rng)
        for fact in rules.decide(state, state.seat, action, chance):
            state = rules.evolve(state, fact)


def test_the_order_in_which_a_hand_was_dealt_does_not_show() -> None:
    rules = rules_for(2)
    turned = replace(DEAL, hands=(("can2", "paper1", "can1"), DEAL.hands[1]))
    assert rules.fact_view(turned, 0) == rules.fact_view(DEAL, 0)
    assert rules.view(rules.evolve(None, turned), 0) == rules.view(rules.evolve(None, DEAL), 0)


def test_the_public_sees_no_more_than_any_seat() -> None:
    state = given("paper1", "glass1", "can2", seats=3, illegal=["can1", "can1", ""])
    public = seen(state, None)
    for viewer in range(3):
        view = seen(state, viewer)
        view["seats"][viewer] |= {"hand": None, "illegal_cards": None}
        view["must_dispose"] = 0
        assert view == public
    assert state.hands[2] == cards("can2")
