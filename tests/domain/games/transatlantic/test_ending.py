"""The end of Transatlantic: what brings it in sight, the rest of the round, the last round; one sentence a test."""

from __future__ import annotations

import pytest

from domain.games.transatlantic.facts import TurnEnded
from tests.domain.games.transatlantic.positions import DONE, END_TURN, Table, buy, given, play

HEADQUARTERS = "hapag_haus_hamburg lloydgebaeude_bremen"


def pass_turns(table: Table, turns: int) -> Table:
    """So many turns in which nothing but a card is played."""
    for _ in range(turns):
        table.do(play("trade"), END_TURN)
    return table


TRADERS = {f"seat{seat}": {"hand": " ".join(["trade"] * 9)} for seat in range(4)}


def last_ship_bought(turn: int, seats: int = 3, start_seat: int = 0) -> Table:
    """The seat buys the last steamship and ends its turn."""
    fields = TRADERS | {f"seat{turn}": {"hand": "shipyard trade trade trade trade"}}
    fields = {name: value for name, value in fields.items() if int(name[-1]) < seats}
    table = given(seats, turn=turn, start_seat=start_seat, market="britannic", deck=HEADQUARTERS, **fields)
    table.do(play("shipyard"), buy(0))
    while table.legal() != [END_TURN]:
        table.do(table.legal()[0])
    return table.do(END_TURN)


def last_round(table: Table) -> bool:
    return bool(table.rules.view(table.state, None)["last_round"])


def test_when_the_last_steamship_is_bought_the_round_is_completed_and_one_more_full_round_is_played() -> None:
    table = last_ship_bought(turn=1)
    assert table.of(TurnEnded)[-1].reason == "last_steamship"
    assert not last_round(table)
    order = []
    while not table.rules.is_over(table.state):
        order.append(table.to_act)
        pass_turns(table, 1)
        if len(order) == 1:
            assert last_round(table)
    assert order == [2, 0, 1, 2]
    assert table.rules.end_reason(table.state) == "last_steamship"


def test_the_round_ends_with_the_seat_right_of_the_start_player() -> None:
    table = last_ship_bought(turn=1, start_seat=1)
    order = []
    while not table.rules.is_over(table.state):
        order.append(table.to_act)
        pass_turns(table, 1)
    assert order == [2, 0, 1, 2, 0]


def test_bought_by_the_last_seat_of_a_round_just_one_more_round_follows() -> None:
    table = last_ship_bought(turn=2)
    assert last_round(table)
    pass_turns(table, 2)
    assert not table.rules.is_over(table.state)
    assert table.rules.is_over(pass_turns(table, 1).state)


def test_the_last_steamship_pushed_to_the_docks_brings_the_end_too() -> None:
    table = given(market="imperator britannic", deck=HEADQUARTERS)
    table.do(play("shipyard"), buy(0), DONE)
    while table.legal() != [END_TURN]:
        table.do(table.legal()[0])
    table.do(END_TURN)
    assert table.state.docks == ("britannic",)
    assert table.state.reason == "last_steamship"


def test_a_steamship_left_in_the_deck_or_the_market_goes_on() -> None:
    table = given(market="imperator britannic", deck="aquitania").do(play("shipyard"), buy(0), DONE)
    while table.legal() != [END_TURN]:
        table.do(table.legal()[0])
    assert table.do(END_TURN).state.reason is None


def test_headquarters_may_still_be_bought_in_the_last_round() -> None:
    table = given(market=HEADQUARTERS, deck="", final_round=5, reason="last_steamship")
    assert table.do(play("shipyard"), buy(0)).seat().headquarters == ("hapag_haus_hamburg",)


def test_without_a_purchase_in_30_full_rounds_in_a_row_the_end_comes_the_same_way() -> None:
    table = given(market="britannic", quiet=29, seat0=TRADERS["seat0"], seat1=TRADERS["seat1"])
    pass_turns(table, 1)
    assert table.state.reason is None
    pass_turns(table, 1)
    assert (table.state.quiet, table.state.reason, table.state.final_round) == (30, "no_purchase", 6)
    assert last_round(table)
    pass_turns(table, 2)
    assert table.rules.end_reason(table.state) == "no_purchase"


@pytest.mark.parametrize("market", ["britannic imperator aquitania", "hapag_haus_hamburg britannic imperator"])
def test_any_purchase_starts_the_count_anew(market: str) -> None:
    table = given(market=market, deck="titanic", quiet=29, seat1=TRADERS["seat1"])
    table.do(play("shipyard"), buy(0), DONE)
    while table.legal() != [END_TURN]:
        table.do(table.legal()[0])
    table.do(END_TURN)
    pass_turns(table, 1)
    assert (table.state.quiet, table.state.reason) == (0, None)


def test_the_first_reason_stays_the_reason() -> None:
    table = given(market="britannic", deck="", quiet=30, final_round=5, reason="no_purchase", seat1=TRADERS["seat1"])
    table.do(play("shipyard"), buy(0))
    while table.legal() != [END_TURN]:
        table.do(table.legal()[0])
    table.do(END_TURN, play("trade"), END_TURN)
    assert table.rules.end_reason(table.state) == "no_purchase"


def test_after_the_end_nobody_has_anything_to_decide() -> None:
    table = given(turn=1, final_round=5, reason="last_steamship", seat1={"hand": "trade"})
    turn = table.rules.turn(table.state)
    table.do(play("trade"), END_TURN)
    assert table.rules.to_act(table.state) == ()
    assert [list(table.rules.legal_actions(table.state, seat)) for seat in (0, 1)] == [[], []]
    assert table.rules.turn(table.state) == turn
