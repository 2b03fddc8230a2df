"""The end of the game at any depth, and the score sheet: worked example, ties, Turtle, teams."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.games.mottainai.facts import CardsDrawn, EndReached
from domain.games.mottainai.scoring import breakdown
from tests.domain.games.mottainai.positions import Play, rules_for
from tests.domain.games.mottainai.scorer import score


def test_the_worked_example_of_the_rules_scores_twenty_one() -> None:
    play = Play(
        "gallery: frog statue mask; shop: robe fan bowl; sales: jar pin; hand: coin bell crane; waiting: gong",
        "sales: scroll",
    )
    parts = breakdown(play.state, 0, play[0].hand)
    assert (parts["works"], parts["sales"], parts["backorders"]) == (12, 3, 3 * 2)
    assert parts["total"] == 21


def test_the_fifth_work_in_a_wing_ends_the_game_at_once() -> None:
    play = Play("gallery: fan crane mask robe; hand: scroll", "", at="smith 3").do(
        "perform task", "complete scroll gallery"
    )
    assert play.state.ended == "wing"
    assert isinstance(play.facts[-1], EndReached)


def test_effects_after_the_completion_are_dropped_and_waiting_areas_do_not_count() -> None:
    play = Play(
        "gallery: fan crane mask robe; hand: frog statue; shop: stool; waiting: pin; sales: coin", "", at="smith 1"
    )
    play.do("perform task", "complete frog gallery")
    assert play.over
    assert play.rules.legal_actions(play.state, 0) == ()
    assert play[0].waiting == ("pin",)
    assert breakdown(play.state, 0, play[0].hand)["backorders"] == 0


def test_the_long_game_takes_six_works_in_a_wing() -> None:
    play = Play("gallery: fan crane mask robe; hand: scroll pin", "", at="smith 2", long=True)
    play.do("perform task", "complete scroll gallery")
    assert not play.over
    assert [rules_for(seats).setting.wing_limit for seats in (2, 3, 4, 5)] == [5, 5, 6, 6]


def test_five_works_spread_over_both_wings_do_not_end_the_game() -> None:
    play = Play("gallery: fan crane; shop: mask robe; hand: scroll", "", at="smith 1").do(
        "perform task", "complete scroll gallery"
    )
    assert not play.over


@pytest.mark.parametrize(
    ("position", "actions"),
    [
        ({"at": "monk 1", "floor": "fan"}, ["perform prayer"]),
        ({"at": "clerk 1", "mine": "gallery: bell"}, ["perform task"]),
        ({"at": "morning", "mine": "gallery: daidoro; hand: fan"}, ["use_work daidoro"]),
        ({"at": "morning", "mine": "gallery: bowl; hand: fan"}, ["use_work bowl"]),
        ({"at": "potter 1", "mine": "gallery: socks"}, ["perform task"]),
        ({"at": "tailor 1", "mine": "hand: fan"}, ["perform task", "stop"]),
        (
            {"at": "tailor 1", "mine": "hand: fan robe; gallery: dice"},
            ["perform task", "use_work dice", "choose_wing gallery"],
        ),
    ],
)  # fmt: skip
def test_an_empty_deck_ends_the_game_however_it_came_about(position: dict[str, str], actions: list[str]) -> None:
    given = dict(position)
    play = Play(given.pop("mine", ""), "", deck="frog", bare=True, **given)  # type: ignore[arg-type]
    play.do(*actions)
    assert play.state.ended == "deck"


def test_a_draw_stops_with_the_deck() -> None:
    play = Play("", "", at="tailor 1", deck="frog pin", bare=True).do("perform task")
    assert play.happened(CardsDrawn)[0].cards == ("frog", "pin")


def test_plane_filling_a_wing_ends_the_game() -> None:
    play = Play("gallery: fan crane mask robe; shop: plane", "", at="potter 1", floor="frog pin")
    play.do("perform task", "take_floor frog", "use_work plane", "choose_card plane")
    assert play.state.ended == "wing"


def test_shuriken_filling_a_wing_ends_the_game() -> None:
    play = Play(
        "gallery: fan crane mask; hand: shuriken pin coin",
        "gallery: frog bowl stool; shop: scroll plane jar",
        at="smith 1",
    )
    play.do("perform task", "complete shuriken gallery", "use_work shuriken", "choose_card jar", "choose_wing gallery")
    assert (play.state.ended, play.state.decided_by) == ("wing", 0)


def test_kite_made_stone_fills_a_wing_with_go_set() -> None:
    play = Play("gallery: go_set fan crane mask; shop: kite; hand: robe", "gallery: stool", at="morning")
    play.do("use_work kite", "choose_seat 1")
    assert play.state.ended == "wing"


def test_kite_turning_back_completes_a_turtle_set() -> None:
    play = Play("gallery: turtle fan frog bowl kite=scroll", "", at="evening", long=True)
    play.do("end_turn")
    assert play.state.ended == "turtle"


def test_a_copy_of_turtle_wins_too() -> None:
    play = Play(
        "gallery: kite fan frog; shop: bowl mask; hand: robe", "gallery: turtle; shop: pin", at="morning", long=True
    )
    play.do("use_work kite", "choose_seat 1", "choose_card turtle")
    assert (play.state.ended, play.state.decided_by) == ("turtle", 0)


def test_turtle_comes_before_a_full_wing_and_an_empty_deck() -> None:
    play = Play("gallery: turtle fan frog mask; hand: bowl jar vase", "", at="smith 1", deck="pin", bare=True)
    play.do("perform task", "complete bowl gallery")
    assert play.state.ended == "turtle"


def test_turtles_owner_is_first_and_the_rest_follow_by_points() -> None:
    play = Play(
        "gallery: turtle fan frog mask; hand: bowl jar vase",
        "gallery: pin coin gong",
        "gallery: cup ring bell dice",
        at="smith 1",
    )
    play.do("perform task", "complete bowl gift_shop")
    assert [line.rank for line in play.rules.score(play.state).seats] == [1, 3, 2]
    assert play.score() == [11, 9, 12]


@pytest.mark.parametrize(("active", "winner"), [(0, 0), (1, 2), (2, 2)])
def test_a_tie_goes_to_the_seat_in_turn_or_the_next_tied_one(active: int, winner: int) -> None:
    play = Play("gallery: pin", "", "gallery: coin", active=active)
    sheet = play.rules.score(replace(play.state, ended="deck"))
    assert sheet.winners == (winner,)
    assert sheet.tie_break == "turn_order"
    assert sheet.seats[winner].total == 3


def test_a_tie_for_most_sales_gives_nobody_backorders() -> None:
    play = Play("sales: pin; hand: coin", "sales: bell; hand: gong")
    assert [breakdown(play.state, seat, play[seat].hand)["backorders"] for seat in (0, 1)] == [0, 0]


def test_partners_points_are_added_and_backorders_counted_per_seat() -> None:
    play = Play("gallery: pin; sales: fan; hand: crane", "gallery: coin", "sales: fan; hand: scroll", "", teams=True)
    sheet = play.rules.score(replace(play.state, ended="deck"))
    assert [line.total for line in sheet.seats] == [3, 3, 3, 3], "two partners tied in paper sales score no backorder"
    assert [line.team for line in sheet.seats] == [0, 1, 0, 1]
    assert sheet.winners == (0, 2), "the team of the seat whose turn it is"
    assert [line.rank for line in sheet.seats] == [1, 3, 1, 3]


def test_turtle_wins_for_the_team() -> None:
    play = Play(
        "",
        "gallery: turtle fan frog mask; hand: bowl jar vase",
        "gallery: pin coin",
        "",
        at="smith 1",
        active=1,
        teams=True,
    )
    play.do("perform task", "complete bowl gift_shop")
    assert play.rules.score(play.state).winners == (1, 3)


def test_haniwa_teapot_and_pillar_choose_for_most_points() -> None:
    play = Play("gallery: pillar; sales: fan bowl", "")
    assert breakdown(play.state, 0, ())["sales"] == 3


def test_the_second_scorer_agrees_on_a_crowded_position() -> None:
    play = Play(
        "gallery: tapestry go_set coin; shop: bench lampshade frog; sales: fan jar; hand: bowl crane; helpers: pin",
        "gallery: haniwa teapot; shop: quilt pillar; bench: mask robe; helpers: stool; hand: scroll; sales: bell",
    )
    ended = replace(play.state, ended="cup")
    result = score(ended)
    sheet = play.rules.score(ended)
    assert result["totals"] == [line.total for line in sheet.seats]
    assert result["ranks"] == [line.rank for line in sheet.seats]
