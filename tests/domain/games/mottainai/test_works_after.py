"""Works that come after an action: AFT1, AFT2 (Poem and Cloak last) and AFTA, one by one."""

from __future__ import annotations

import pytest

from domain.games.mottainai.facts import CardsDrawn, ExtraTurnWon, HandsShown
from tests.domain.games.mottainai.positions import Play


def smithed(card: str, support: str, mine: str = "", theirs: str = "", **more: object) -> Play:
    """A smith action that has just completed a card into the gallery."""
    play = Play(f"hand: {card} {support}; {mine}", theirs, at="smith 1", **more)  # type: ignore[arg-type]
    return play.do("perform task", f"complete {card} gallery")


# AFT1


def test_frog_gives_one_more_turn_when_no_opponent_has_fewer_works() -> None:
    play = smithed("frog", "statue", theirs="gallery: fan").do("use_work frog")
    assert play.happened(ExtraTurnWon)
    play.do("end_turn")
    assert (play.seat, play.state.number, play.state.round) == (0, 2, 1)
    play.do("no_task", "end_turn")
    assert play.seat == 1, "one turn only"


def test_frog_can_not_be_used_when_an_opponent_has_fewer_works_and_is_optional() -> None:
    assert not smithed("frog", "statue").can("use_work frog")
    assert smithed("frog", "statue", theirs="gallery: fan").can("decline")


def test_jar_takes_all_hand_cards_of_a_material_and_every_opponent_shows_the_whole_hand() -> None:
    play = smithed("jar", "bowl vase", theirs="hand: frog bench fan").do("use_work jar", "choose_material stone")
    assert set(play[0].waiting) == {"bench", "frog"}
    assert play[1].hand == ("fan",)
    (shown,) = play.happened(HandsShown)
    assert sorted(shown.hands[0]) == ["bench", "fan", "frog"]
    assert any(play.barriers)


def test_jar_is_optional_and_does_not_touch_a_partner() -> None:
    play = Play("hand: jar bowl vase", "hand: frog", "hand: statue", "hand: bench", at="smith 1", teams=True)
    play.do("perform task", "complete jar gallery", "use_work jar", "choose_material stone")
    assert [len(play[seat].hand) for seat in range(4)] == [2, 0, 1, 0]


def test_shuriken_takes_a_work_of_an_opponent_who_has_more() -> None:
    play = smithed("shuriken", "pin coin", theirs="gallery: fan bowl; shop: statue")
    play.do("use_work shuriken", "choose_card bowl", "choose_wing gift_shop")
    assert play[0].gift_shop == ("bowl",)
    assert play[1].works == ("fan", "statue")


def test_shuriken_needs_an_opponent_whose_works_outnumber_yours_itself_counted() -> None:
    assert not smithed("shuriken", "pin coin", theirs="gallery: fan").can("use_work shuriken")
    assert smithed("shuriken", "pin coin", theirs="gallery: fan bowl").can("use_work shuriken")


def test_statue_moves_up_to_two_floor_cards_to_the_bench() -> None:
    play = smithed("statue", "frog", floor="fan pin mask").do("use_work statue", "choose_card pin", "choose_card fan")
    assert play[0].bench == ("pin", "fan")
    assert play.floor == ["mask"]


def test_vase_moves_up_to_two_floor_cards_to_the_sales() -> None:
    play = smithed("vase", "bowl jar", floor="fan pin mask").do("use_work vase", "choose_card mask", "stop")
    assert play[0].sales == ("mask",)


@pytest.mark.parametrize(("work", "support"), [("statue", "frog"), ("vase", "bowl jar")])
def test_statue_and_vase_need_a_floor_card(work: str, support: str) -> None:
    assert not smithed(work, support).can(f"use_work {work}")


def test_tablet_returns_the_floor_oldest_first() -> None:
    play = smithed("tablet", "frog", floor="pin fan").do("use_work tablet", "perform return")
    assert play.floor == []
    assert play.deck_end(2) == ["pin", "fan"]
    assert not any(play.barriers)


def test_tablet_deals_until_the_floor_has_stone_and_metal() -> None:
    play = smithed("tablet", "frog", floor="pin", deck="fan mask bench gong").do("use_work tablet", "perform deal")
    assert play.floor == ["pin", "fan", "mask", "bench"]
    assert any(play.barriers)


def test_tablet_is_for_its_own_completion_only() -> None:
    assert not smithed("frog", "statue", "gallery: tablet").can("use_work tablet")


# AFT2


def test_amulet_sells_one_bench_card_after_any_work_also_itself() -> None:
    play = smithed("amulet", "frog", "bench: fan bowl").do("use_work amulet", "choose_card bowl")
    assert play[0].sales == ("bowl",)
    assert play.legal == ["end_turn"], "once for one work"
    assert smithed("scroll", "", "gift_shop: amulet; bench: fan").can("use_work amulet")
    assert not smithed("scroll", "", "gift_shop: amulet").can("use_work amulet"), "the bench is empty"


@pytest.mark.parametrize(("card", "support"), [("frog", "statue"), ("cup", "bowl jar"), ("flute", "pin coin")])
def test_stool_draws_one_after_a_stone_clay_or_metal_work(card: str, support: str) -> None:
    play = smithed(card, support, "gift_shop: stool").do("use_work stool")
    assert len(play[0].waiting) == 1


@pytest.mark.parametrize(("card", "support"), [("scroll", ""), ("robe", "socks")])
def test_stool_does_not_draw_after_a_paper_or_cloth_work(card: str, support: str) -> None:
    assert not smithed(card, support, "gift_shop: stool").can("use_work stool")


def test_poem_returns_the_paper_work_and_completes_the_decks_top_card() -> None:
    play = smithed("scroll", "", "gift_shop: poem", deck="frog pin").do("use_work poem")
    assert play.deck_end(1) == ["scroll"]
    assert any(play.barriers)
    play.do("choose_wing gallery")
    assert play[0].gallery == ("frog",), "any material, without support"


def test_poem_may_be_used_on_itself_and_only_on_paper_works() -> None:
    play = smithed("poem", "", deck="frog").do("use_work poem", "choose_wing gallery")
    assert play.deck_end(1) == ["poem"]
    assert not smithed("frog", "statue", "gift_shop: poem").can("use_work poem")


def test_poem_comes_after_the_other_effects_of_the_work() -> None:
    play = smithed("scroll", "", "gift_shop: poem deck_of_cards amulet; bench: fan")
    assert play.legal == ["use_work deck_of_cards", "use_work amulet", "decline"]
    play.do("decline")
    assert play.legal == ["use_work poem", "decline"]


def test_cloak_returns_any_work_and_completes_a_metal_work_without_support() -> None:
    play = smithed("scroll", "", "hand: scroll sword; gift_shop: cloak").do("use_work cloak", "complete sword gallery")
    assert play.deck_end(1) == ["scroll"]
    assert play[0].gallery == ("sword",)


def test_cloak_needs_a_metal_card_in_hand_and_comes_last() -> None:
    assert not smithed("scroll", "", "gift_shop: cloak").can("use_work cloak")
    play = smithed("scroll", "sword", "gift_shop: cloak amulet; bench: fan")
    assert play.legal == ["use_work amulet", "decline"]
    play.do("use_work amulet")
    assert play.legal == ["use_work cloak", "decline"]


# AFTA


def test_deck_of_cards_draws_after_a_smith_action_that_completed_paper_also_its_own() -> None:
    play = smithed("deck_of_cards", "").do("use_work deck_of_cards")
    assert [fact.by for fact in play.happened(CardsDrawn)] == ["deck_of_cards"]
    assert not smithed("frog", "statue", "gift_shop: deck_of_cards").can("use_work deck_of_cards")


def test_deck_of_cards_does_not_draw_after_a_craft_action() -> None:
    play = Play("hand: scroll; gallery: deck_of_cards; bench: fan", "", at="clerk 2").do(
        "perform craft", "complete scroll gallery"
    )
    assert play.can("perform task")
    assert play[0].waiting == ()


def test_plane_switches_a_work_to_the_other_wing_after_a_potter_action() -> None:
    play = Play("gallery: plane bowl", "", at="potter 2", floor="fan pin").do("perform task", "take_floor fan")
    play.do("use_work plane", "choose_card bowl")
    assert (play[0].gallery, play[0].gift_shop) == (("plane",), ("bowl",))


def test_plane_does_not_fly_after_a_prayer_or_a_monk_action() -> None:
    assert Play("gallery: plane", "", at="potter 2", floor="fan").do("perform prayer").can("perform task")
    play = Play("gallery: plane", "", at="monk 2", floor="fan pin mask").do("perform task", "take_floor fan")
    assert play.can("perform task")


def test_ring_takes_a_sale_of_an_opponent_who_has_more_after_a_clerk_action() -> None:
    play = Play("gallery: ring; bench: fan crane", "sales: frog pin", at="clerk 2").do("perform task", "sell fan")
    play.do("use_work ring", "choose_card pin")
    assert play[0].sales == ("fan", "pin")
    play = Play("gallery: ring; bench: fan crane", "sales: frog", at="clerk 2").do("perform task", "sell fan")
    assert not play.can("use_work ring"), "compared after the sale"


def test_cup_ends_the_game_after_a_prayer_and_is_no_work_any_more() -> None:
    play = Play("gallery: cup", "", at="monk 2", floor="fan").do("perform prayer", "use_work cup")
    assert play.state.ended == "cup"
    assert play.deck_end(1) == ["cup"]
    assert play.score() == [0, 0]


def test_cup_is_optional_and_for_prayers_only() -> None:
    play = Play("gallery: cup", "", at="monk 2", floor="fan pin").do("perform prayer", "decline")
    assert not play.over
    assert not play.do("perform task", "take_floor fan").can("use_work cup")


def test_gong_draws_three_and_joins_them_in_the_waiting_area() -> None:
    play = Play("gallery: gong", "", at="monk 2", floor="fan", deck="frog pin mask robe")
    play.do("perform prayer", "use_work gong")
    assert play[0].waiting == ("frog", "pin", "mask", "robe", "gong")
    assert play[0].works == ()


def test_gong_is_optional_and_for_prayers_only() -> None:
    play = Play("gallery: gong", "", at="monk 2", floor="fan pin").do("perform prayer", "decline")
    assert play[0].gallery == ("gong",)
    assert not play.do("perform task", "take_floor fan").can("use_work gong")
