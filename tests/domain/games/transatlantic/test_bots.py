"""The bots of Transatlantic: the automa beats blind choice, chooses the same in the same place, and needs no state."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domain.game import Position
from domain.games.transatlantic import GAME
from tests.domain.games.transatlantic.positions import END_TURN, buy, chance_from, given, house, play, rules_for, tile
from tests.domain.games.transatlantic.test_playouts import VARIANTS, sampled


def choice(table: Any, bot: str = "automa") -> Any:
    seat = table.to_act
    actions = tuple(table.rules.legal_actions(table.state, seat))
    position = Position(
        seat, len(table.state.seats), table.rules.config.options, table.rules.view(table.state, seat), None, actions
    )
    return GAME.bots[bot](position, Random(1))


def automa_wins(options: dict[str, bool], seed: int) -> bool:
    """One two-seat game of the automa against random; the automa sits first in even games."""
    rules, chance, random = rules_for(2, **options), chance_from(seed), Random(seed)
    bots = [GAME.bots["automa"], GAME.bots["random"]]
    if seed % 2:
        bots.reverse()
    state: Any = None
    for fact in rules.setup(None, chance):
        state = rules.evolve(state, fact)
    while not rules.is_over(state):
        forced = rules.forced(state)
        if forced is None:
            (seat,) = rules.to_act(state)
            actions = tuple(rules.legal_actions(state, seat))
            position = Position(seat, 2, rules.config.options, rules.view(state, seat), None, actions)
            forced = seat, bots[seat](position, random)
        for fact in rules.decide(state, *forced, chance):
            state = rules.evolve(state, fact)
    return rules.score(state).winners == (seed % 2,)


def beats_random(games: range, options: dict[str, bool]) -> None:
    wins = sum(automa_wins(options, seed) for seed in games)
    print(
        f"automa wins {wins} of {len(games)} games against random, seeds {games.start} to {games.stop - 1}, {options}"
    )
    assert wins >= 0.95 * len(games)


@pytest.mark.parametrize("options", VARIANTS)
def test_the_automa_beats_random(options: dict[str, bool]) -> None:
    beats_random(range(6), options)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("options", VARIANTS)
def test_the_automa_beats_random_in_95_percent_of_200_games(options: dict[str, bool]) -> None:
    beats_random(range(100, 300), options)


def test_a_bot_chooses_a_listed_action_and_the_same_one_again() -> None:
    for game in sampled(3, VARIANTS[3], 21, every=4):
        (seat,) = game.rules.to_act(game.state)
        actions = tuple(game.rules.legal_actions(game.state, seat))
        position = Position(seat, 3, game.rules.config.options, game.rules.view(game.state, seat), None, actions)
        for bot in GAME.bots.values():
            chosen = bot(position, Random(7))
            assert chosen in actions
            assert bot(position, Random(7)) == chosen


def test_the_automa_buys_the_ship_of_the_better_flag_at_equal_figures() -> None:
    market = "oregon servia"
    docks = "abyssinia gallia umbria"
    assert choice(given(market=market, docks=docks, seat0={"money": 110}).do(play("shipyard"))) == buy(1)


def test_the_automa_loads_coal_rather_than_travel_with_empty_bunkers() -> None:
    table = given(regions={"caribbean": "umbria/0/0 servia/0/0"}, seat0={"hand": "transport coal", "tile": False})
    assert choice(table) == play("coal")


def test_the_automa_plays_director_when_its_hand_is_spent() -> None:
    stack = "shipyard transport region coal agent"
    table = given(display="fleet trade", seat0={"hand": "invest director", "stack": stack, "money": 0, "tile": False})
    assert choice(table) == play("director")


def test_the_automa_uses_its_tile_in_the_last_round_at_the_latest() -> None:
    regions = {"caribbean": "umbria/0/0 lahn/0/0", "south_atlantic": "teutonic/0/0 palatia/0/0"}
    table = given(
        display="fleet", regions=regions, seat0={"hand": "coal"}, final_round=5, reason="last_steamship"
    )  # fmt: skip
    assert choice(table) == tile("fleet")


def test_the_automa_takes_a_free_house_where_its_ships_lie() -> None:
    table = given(regions={"caribbean": "umbria/0/1 servia/0/1"}, seat0={"hand": "invest", "money": 20})
    table.do(play("invest"))
    assert choice(table) == house("caribbean")


def test_the_automa_ends_its_turn_when_nothing_else_is_left() -> None:
    assert choice(given(seat0={"hand": "trade"}).do(play("trade"))) == END_TURN
