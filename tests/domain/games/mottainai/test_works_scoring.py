"""Works of the end scoring (END) and the standing ones (PERM), one by one."""

from __future__ import annotations

import pytest

from domain.games.mottainai.scoring import breakdown
from tests.domain.games.mottainai.positions import Play


def points(*temples: str, **more: object) -> dict[str, object]:
    """The breakdown of seat 0."""
    play = Play(*temples, **more)  # type: ignore[arg-type]
    return breakdown(play.state, 0, play[0].hand)


def effect(work: str, *temples: str) -> int:
    effects = points(*temples)["effects"]
    assert isinstance(effects, dict)
    return int(effects[work])


def test_scroll_scores_three() -> None:
    assert points("gallery: scroll", "")["total"] == 1 + 3


def test_bench_scores_two_for_each_stone_work_itself_included() -> None:
    assert effect("bench", "gallery: bench frog; shop: fan statue", "") == 6


def test_coin_scores_each_backorder_once_more() -> None:
    assert points("gallery: coin; sales: fan; hand: crane doll frog", "")["total"] == 3 + 2 + 2


def test_coin_does_not_touch_types_that_score_no_backorder() -> None:
    assert effect("coin", "gallery: coin; sales: fan; hand: frog", "sales: pin") == 0


def test_haniwa_scores_three_for_each_helper_of_the_commonest_type() -> None:
    assert effect("haniwa", "gallery: haniwa; helpers: fan crane frog bench pin", "") == 6


def test_haniwa_counts_fountains_helpers_if_the_game_ends_during_the_task() -> None:
    play = Play(
        "gallery: haniwa fountain; helpers: fan; hand: frog statue",
        "task: crane",
        floor="pin",
        at="noon",
        deck="jar",
        bare=True,
    )
    play.do("use_work fountain", "choose_card frog", "choose_card statue")
    assert play.state.ended == "deck"
    assert breakdown(play.state, 0, ())["effects"] == {"haniwa": 9}


def test_teapot_scores_three_for_each_bench_card_of_the_commonest_type() -> None:
    assert effect("teapot", "gallery: teapot; bench: fan crane doll frog bench", "") == 9


def test_tapestry_scores_one_for_every_work_in_its_wing_itself_included() -> None:
    assert effect("tapestry", "gallery: tapestry fan bowl; shop: frog", "") == 3


def test_pillar_covers_the_sales_of_the_commonest_material() -> None:
    assert points("gallery: pillar; sales: bowl jar fan", "")["sales"] == 6
    assert points("gallery: scroll; sales: bowl jar fan", "")["sales"] == 0


def test_quilt_covers_paper_stone_and_cloth_sales() -> None:
    assert points("gallery: quilt; sales: fan frog mask bowl pin", "")["sales"] == 1 + 2 + 2


@pytest.mark.parametrize(("card", "value"), [("fan", 1), ("frog", 2), ("mask", 2)])
def test_quilt_scores_backorders_when_tied_even_at_no_sales(card: str, value: int) -> None:
    assert points(f"gallery: quilt; hand: {card}", "")["backorders"] == value
    assert points(f"gallery: scroll; hand: {card}", "")["backorders"] == 0


@pytest.mark.parametrize("card", ["bowl", "pin"])
def test_lampshade_scores_clay_and_metal_backorders_when_tied_even_at_no_sales(card: str) -> None:
    assert points(f"gallery: lampshade; hand: {card}", "")["backorders"] == 3
    assert points(f"gallery: quilt; hand: {card}", "")["backorders"] == 0
    behind = points(f"gallery: lampshade; hand: {card}", f"sales: {'jar' if card == 'bowl' else 'coin'}")
    assert behind["backorders"] == 0


def test_quilt_and_lampshade_let_several_tied_seats_score() -> None:
    play = Play("gallery: lampshade; hand: bowl", "gallery: lampshade; hand: jar", "", "")
    assert [breakdown(play.state, seat, play[seat].hand)["backorders"] for seat in (0, 1)] == [3, 3]


def test_go_set_puts_stone_works_into_both_wings_for_covering() -> None:
    play = Play("shop: go_set frog; helpers: bench statue; sales: tower stool", "")
    covered = play.rules.view(play.state, None)["seats"][0]["covered"]
    assert covered == {"helpers": ["stone"], "sales": ["stone"]}


def test_go_set_counts_stone_works_in_both_wings_for_the_end() -> None:
    play = Play("gallery: fan scroll go_set; shop: frog; hand: statue bench", "", at="smith 1")
    play.do("perform task", "complete statue gift_shop")
    assert play.state.ended == "wing"


def test_go_set_counts_works_once_for_frog_and_shuriken() -> None:
    play = Play("gallery: go_set; hand: frog statue", "gallery: fan mask", at="smith 2").do(
        "perform task", "complete frog gallery"
    )
    assert play.can("use_work frog"), "two works against two"


def test_turtle_wins_as_soon_as_the_works_include_all_five_materials() -> None:
    play = Play("gallery: turtle fan frog mask; hand: bowl jar vase", "gallery: scroll gong coin pin", at="smith 2")
    play.do("perform task", "complete bowl gift_shop")
    assert play.state.ended == "turtle"
    sheet = play.rules.score(play.state)
    assert sheet.winners == (0,)


def test_turtle_does_not_win_with_four_materials_nor_other_metal_works_with_five() -> None:
    play = Play("gallery: turtle fan frog; hand: bowl jar vase", "", at="smith 2")
    assert not play.do("perform task", "complete bowl gift_shop").over
    play = Play("gallery: pin fan frog mask; hand: bowl jar vase", "", at="smith 2")
    assert not play.do("perform task", "complete bowl gift_shop").over
