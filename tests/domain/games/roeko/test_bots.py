"""The bots of R-Öko: they play listed actions from their own view, and automa is clearly better than chance."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domain.games.roeko import GAME
from tests.domain.games.roeko.helpers import (
    SEATS,
    after,
    chance_from,
    deliver,
    dispose,
    given,
    position_of,
    rules_for,
    start,
)
from tests.domain.games.roeko.test_view import swapped

AUTOMA, RANDOM = GAME.bots["automa"], GAME.bots["random"]


def chosen(state: Any, knowledge: dict[str, Any] | None = None) -> Any:
    return AUTOMA(position_of(state, state.seat, knowledge), Random(0))


def winners(seed: int, bots: list[Any]) -> tuple[int, ...]:
    """Who wins a game between bots told only their views."""
    rules, chance, rng = rules_for(len(bots)), chance_from(seed), Random(seed)
    state = rules.evolve(None, rules.setup(seed % len(bots), chance)[0])
    while not state.ended:
        seat = state.seat
        for fact in rules.decide(state, seat, bots[seat](position_of(state, seat), rng), chance):
            state = rules.evolve(state, fact)
    return rules.score(state).winners


def test_automa_beats_random_in_95_percent_of_400_two_seat_games_with_seats_swapped() -> None:
    """Seeds 0 to 199, each from both seats; a shared victory counts for nobody. Run with -s to see the figure."""
    won = 0
    for seed in range(200):
        won += winners(seed, [AUTOMA, RANDOM]) == (0,)
        won += winners(seed, [RANDOM, AUTOMA]) == (1,)
    print(f"automa beats random in {won} of 400 two-seat games ({won / 4:.1f} %)")
    assert won >= 380


@pytest.mark.parametrize("name", ["automa", "random"])
@pytest.mark.parametrize("seats", SEATS)
def test_a_bot_chooses_one_of_the_listed_actions(name: str, seats: int) -> None:
    rules, state, chance = start(seats, 11)
    rng = Random(1)
    while not state.ended:
        position = position_of(state, state.seat)
        action = GAME.bots[name](position, rng)
        assert action in position.actions
        for fact in rules.decide(state, state.seat, action, chance):
            state = rules.evolve(state, fact)


@pytest.mark.parametrize("name", ["automa", "random"])
def test_the_same_position_and_luck_give_the_same_choice(name: str) -> None:
    _, state, _ = start(3, 5)
    bot, position = GAME.bots[name], position_of(state, 0)
    assert [bot(position, Random(4)) for _ in range(5)] == [bot(position, Random(4))] * 5


def test_a_bots_choice_is_unchanged_when_cards_it_cannot_see_are_swapped() -> None:
    rules, state, chance = start(4, 8)
    rng = Random(8)
    while not state.ended:
        action = chosen(state)
        assert chosen(swapped(state, state.seat, rng)) == action
        for fact in rules.decide(state, state.seat, action, chance):
            state = rules.evolve(state, fact)


def test_automa_takes_a_good_reward_within_reach() -> None:
    state = given("can1 can1 glass1", rewards={"can": (4, 5), "glass": (0, 1)}, there={"can": (2, 0)})
    assert chosen(state) == deliver("can", 2)


def test_automa_does_not_end_a_game_that_it_would_lose_by_it() -> None:
    behind = given("can1 can1 glass1", rewards={"can": (5,)}, there={"can": (2, 0)})
    object.__setattr__(behind, "won", (((), (), (), ()), ((1, 2), (1, 2, 4), (4, 2), ())))
    assert chosen(behind) != deliver("can", 2)


def test_automa_disposes_of_what_its_hand_needs_least() -> None:
    state = given("can1 can1 can1 can1 glass1 glass2", delivered="paper", rewards={"can": (4, 5)})
    assert chosen(state) == dispose(glass1=1)


def test_automa_leaves_three_icons_only_to_a_seat_that_cannot_use_them() -> None:
    """With knowledge it sees whether the next seat can complete what it would leave lying."""
    state = given("can1 glass1", "paper1 paper1 paper1", there={"can": (2, 0), "glass": (2, 0)})
    object.__setattr__(state, "rewards", ((4, 5), (4, 5), (0, 1), (0, 1)))

    def knows(**possible: int) -> dict[str, Any]:
        return {"hands": [None, {"guaranteed": {}, "possible": possible}], "illegal": [None, None], "draw_pile": {}}

    assert chosen(state, knows(glass1=3, paper1=3)) == deliver("can", 1)
    assert chosen(state, knows(can1=3, paper1=3)) == deliver("glass", 1)


def test_automa_plays_on_with_an_empty_hand_and_after_its_delivery() -> None:
    assert chosen(given("", "can1")) == {"type": "pass"}
    assert chosen(after(given("can1", pile="can1"), deliver("can", 1))) == {"type": "end_turn"}
