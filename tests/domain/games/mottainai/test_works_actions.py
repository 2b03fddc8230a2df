"""Works around tasks and actions: TASK, HIN, ACT and TAI, one by one."""

from __future__ import annotations

import pytest

from domain.games.mottainai.facts import CardsRevealed, TaskSkipped, TaskStarted, WorkCompleted
from tests.domain.games.mottainai.positions import Play


def left(play: Play) -> int:
    return int(play.rules.view(play.state, None)["performing"]["left"])


# TASK


def test_flag_shows_a_matching_card_for_one_more_action_of_the_own_task() -> None:
    play = Play("gallery: flag; hand: bowl jar", "", floor="fan frog pin").do("choose_task jar")
    assert play.legal == ["use_work flag", "decline"]
    play.do("use_work flag")
    assert left(play) == 2
    assert play.happened(CardsRevealed)[0].cards == ("bowl",)
    assert play[0].hand == ("bowl",), "revealing never spends a card"


def test_flag_needs_a_matching_card_and_does_not_help_with_an_opponents_task() -> None:
    play = Play("gallery: flag; hand: bowl fan", "task: jar", floor="frog pin coin").do("choose_task fan")
    assert left(play) == 1
    assert play.rules.view(play.state, 0)["performing"]["seat"] == 1


def test_figurine_shows_a_matching_card_for_one_more_action_of_an_opponents_task() -> None:
    play = Play("gallery: figurine; hand: bowl fan", "task: jar", floor="frog pin coin").do("choose_task fan")
    play.do("use_work figurine")
    assert left(play) == 2


def test_figurine_does_not_help_with_the_own_task_and_may_be_declined() -> None:
    play = Play("gallery: figurine; hand: bowl jar", "", floor="frog pin").do("choose_task jar")
    assert left(play) == 1
    play = Play("gallery: figurine; hand: bowl fan", "task: jar", floor="frog pin").do("choose_task fan", "decline")
    assert left(play) == 1


def test_fountain_reveals_monk_cards_as_clerk_helpers_which_can_be_covered() -> None:
    play = Play("gallery: fountain scroll; hand: frog statue fan; bench: jar", "", floor="pin").do("choose_task fan")
    play.do("use_work fountain", "choose_card frog", "stop")
    assert left(play) == 3, "1 + 2 for one covered pseudo-helper"
    play = Play("gallery: fountain scroll; hand: frog statue fan; bench: jar", "", floor="pin").do("choose_task fan")
    play.do("use_work fountain", "choose_card frog", "choose_card statue")
    assert left(play) == 3, "1 + 1 + 1: two are more than one paper work covers"


def test_fountain_works_before_clerk_tasks_only_also_an_opponents() -> None:
    play = Play("gallery: fountain; hand: frog mask", "task: fan", floor="pin").do("choose_task mask")
    assert play.legal == ["use_work fountain", "decline"]
    play = Play("gallery: fountain; hand: frog mask", "task: bowl", floor="pin jar").do("choose_task mask")
    assert play.can("perform task")


# HIN


@pytest.mark.parametrize(
    ("work", "task", "match"),
    [
        ("curtain", "robe", "socks"),
        ("curtain", "coin", "pin"),
        ("tower", "fan", "scroll"),
        ("tower", "frog", "statue"),
        ("tower", "jar", "bowl"),
    ],
)
def test_curtain_and_tower_skip_a_task_unless_a_matching_card_is_revealed(work: str, task: str, match: str) -> None:
    players = (f"hand: {match} mask bell straw bench vase", f"gallery: {work}; task: {task}")
    play = Play(*players, floor="plane sword").do(f"choose_task {'mask' if match != 'socks' else 'bell'}")
    assert play.legal[-1] == "decline"
    play.do("decline")
    assert play.happened(TaskSkipped)
    assert play.rules.view(play.state, 0)["performing"]["seat"] == 0
    play = Play(*players, floor="plane sword").do(f"choose_task {'mask' if match != 'socks' else 'bell'}")
    play.do(f"choose_card {match}")
    assert play.happened(TaskStarted)[0].owner == 1
    assert match in play[0].hand


def test_curtain_does_not_hinder_monk_tasks_nor_tower_smith_tasks() -> None:
    play = Play("hand: mask fan", "gallery: curtain; task: frog", floor="plane sword").do("choose_task mask")
    assert play.can("perform task")
    play = Play("hand: mask pin coin bell", "gallery: tower; task: ring", floor="plane").do("choose_task mask")
    assert play.can("perform task")


def test_without_a_matching_card_the_task_is_skipped_by_itself() -> None:
    play = Play("hand: mask", "gallery: tower; task: frog", floor="plane sword").do("choose_task mask")
    assert play.happened(TaskSkipped)


def test_a_hindering_work_does_not_touch_its_owner_nor_the_partner() -> None:
    play = Play("hand: frog; gallery: tower", "", floor="plane sword").do("choose_task frog")
    assert play.can("perform task")
    play = Play("hand: mask", "", "gallery: tower; task: frog", "", floor="plane sword", teams=True)
    assert play.do("choose_task mask").can("perform task")


def test_mask_binds_opponents_to_the_task_or_to_passing() -> None:
    play = Play("hand: robe fan", "gallery: mask; task: frog", floor="plane sword", at="noon")
    assert play.legal == ["perform task", "pass"]
    play.do("pass")
    assert play[0].helpers == ()


def test_mask_binds_neither_its_owner_nor_the_partner() -> None:
    play = Play("task: frog; gallery: mask", "", floor="plane", at="noon")
    assert play.can("perform prayer")
    play = Play("", "", "task: frog; gallery: mask", "", floor="plane", at="noon", teams=True)
    assert play.can("perform prayer")


def test_bangle_takes_the_helpers_actions_from_opponents_and_covers_the_owners_monks() -> None:
    play = Play("helpers: jar vase", "gallery: bangle; task: bowl", floor="plane sword", at="noon")
    assert left(play) == 1
    play = Play("helpers: frog statue; gallery: bangle; task: bench", "", floor="plane sword", at="noon")
    assert left(play) == 5
    assert play.rules.view(play.state, 0)["seats"][0]["covered"]["helpers"] == ["stone"]


# ACT


def test_robe_sells_the_whole_stock_of_one_material() -> None:
    play = Play("bench: fan crane bowl; gallery: robe", "", at="clerk 1").do("perform task", "use_work robe")
    assert play[0].sales == ("fan", "crane")
    assert play[0].bench == ("bowl",)


def test_robe_is_optional_and_offered_for_stocks_only() -> None:
    play = Play("bench: fan crane bowl; gallery: robe", "", at="clerk 1").do("perform task", "sell fan")
    assert play[0].sales == ("fan",)
    assert not Play("bench: fan bowl; gallery: robe", "", at="clerk 1").do("perform task").can("use_work robe")


def test_bell_sells_the_decks_top_card_even_with_an_empty_bench() -> None:
    play = Play("gallery: bell", "", at="clerk 1", deck="frog").do("perform task")
    assert play[0].sales == ("frog",)
    assert any(play.barriers)


def test_bell_does_not_work_for_other_actions() -> None:
    assert not Play("gallery: bell", "", at="monk 1").can("perform task")


def test_socks_take_the_decks_top_card_onto_the_bench() -> None:
    play = Play("gallery: socks", "", at="potter 1", deck="frog", floor="fan")
    play.do("perform task", "use_work socks")
    assert play[0].bench == ("frog",)
    assert any(play.barriers)


def test_socks_do_not_hire_helpers() -> None:
    assert not Play("gallery: socks", "", at="monk 1").can("perform task")


def test_flute_takes_a_paper_work_or_a_task_of_an_opponent() -> None:
    players = ("gallery: flute", "gallery: scroll bowl; task: frog")
    play = Play(*players, at="monk 1").do("perform task")
    assert play.legal == ["choose_card scroll", "choose_task frog"]
    play.do("choose_task frog")
    assert (play[0].helpers, play[1].task) == (("frog",), None)
    play = Play(*players, at="potter 1").do("perform task", "choose_card scroll")
    assert (play[0].bench, play[1].gallery) == (("scroll",), ("bowl",))


def test_flute_needs_an_opponents_paper_work_or_face_up_task() -> None:
    assert not Play("gallery: flute", "gallery: bowl; task: ?frog", at="monk 1").can("perform task")
    partner = Play("gallery: flute", "", "gallery: scroll; task: frog", "", at="monk 1", teams=True)
    assert not partner.can("perform task")


def test_sword_hires_a_helper_of_an_opponent_who_has_more() -> None:
    play = Play("gallery: sword; helpers: fan", "helpers: frog bowl", at="monk 1").do(
        "perform task", "choose_card bowl"
    )
    assert play[0].helpers == ("fan", "bowl")
    assert not Play("gallery: sword; helpers: fan crane", "helpers: frog bowl", at="monk 1").can("perform task")


def test_sword_takes_material_from_a_bench_that_holds_more() -> None:
    play = Play("gallery: sword", "bench: frog bowl", at="potter 1").do("perform task", "choose_card frog")
    assert play[0].bench == ("frog",)
    assert not Play("gallery: sword; bench: fan", "bench: frog", at="potter 1").can("perform task")


def test_straw_saves_one_support_for_cloth_and_clay_in_smith_actions_only() -> None:
    play = Play("gallery: straw; hand: robe bowl jar frog", "", at="smith 1").do("perform task")
    assert play.can("complete robe gallery"), "cloth needs none"
    assert play.can("complete bowl gallery"), "clay needs one"
    assert not play.can("complete frog gallery")
    assert not Play("gallery: straw; hand: robe", "", at="tailor 1").can("perform craft")


def test_brick_uses_every_face_up_task_as_support_in_a_smith_action() -> None:
    players = ("gallery: brick; hand: pin; task: ring", "task: coin")
    play = Play(*players, at="smith 1").do("perform task", "complete pin gallery")
    (done,) = play.happened(WorkCompleted)
    assert done.shown == (), "the tasks are public"
    assert (play[0].task, play[1].task) == ("ring", "coin"), "they stay where they are"
    assert not Play("gallery: brick; hand: pin; task: ring", "task: ?coin", at="smith 1").can("perform task")


def test_brick_shows_only_what_is_still_lacking_and_not_in_craft_actions() -> None:
    play = Play("gallery: brick; hand: pin gong bell", "task: coin", at="smith 1")
    play.do("perform task", "complete pin gallery", "choose_card gong")
    assert play.happened(WorkCompleted)[0].shown == ("gong",)
    assert not Play("gallery: brick; hand: pin; task: ring", "task: coin", owner=0, at="smith 1").can("perform craft")


def test_crane_returns_paper_from_the_bench_as_support_for_any_work() -> None:
    play = Play("gallery: crane; hand: pin; bench: fan scroll", "", at="smith 1")
    play.do("perform task", "complete pin gift_shop")
    assert play.legal == ["return_card fan", "return_card scroll"], "both are needed"
    play.do("return_card scroll")
    assert play[0].gift_shop == ("pin",)
    assert play.deck_end(2) == ["scroll", "fan"]


def test_crane_helps_with_craft_and_may_be_left_unused() -> None:
    play = Play("gallery: crane; hand: frog; bench: fan", "", at="monk 1", floor="pin")
    play.do("perform craft", "complete frog gallery")
    assert play[0].bench == ()
    play = Play("gallery: crane; hand: frog; bench: fan bench", "", at="monk 1", floor="pin")
    play.do("perform craft", "complete frog gallery", "stop")
    assert play[0].bench == ("fan", "bench")


# TAI


def test_dice_complete_the_decks_top_card_if_its_value_is_the_hand_size() -> None:
    play = Play("gallery: dice; hand: fan bowl", "", at="tailor 1", deck="frog pin")
    play.do("perform task", "use_work dice")
    assert play.legal == ["choose_wing gallery", "choose_wing gift_shop", "decline"]
    play.do("choose_wing gift_shop")
    assert play[0].gift_shop == ("frog",)


def test_dice_without_a_match_leave_the_card_on_top() -> None:
    play = Play("gallery: dice; hand: fan", "", at="tailor 1", deck="frog pin").do("perform task", "use_work dice")
    assert play.state.deck[0] == "frog"
    assert play.barriers[0]
    assert play.can("return_card fan")


def test_fan_shows_three_and_puts_two_under_the_deck() -> None:
    play = Play("gallery: fan; hand: bell", "", at="tailor 1", deck="frog pin mask robe")
    play.do("perform task", "use_work fan")
    assert play.rules.view(play.state, 1)["pending"]["shown"] == ["frog", "pin", "mask"]
    play.do("return_card mask", "return_card frog")
    assert play.state.deck[0] == "pin"
    assert play.deck_end(2) == ["mask", "frog"]
    assert not play.can("use_work fan"), "once per tailor action"


def test_puppet_exchanges_hands_and_goes_under_the_deck() -> None:
    play = Play("gallery: puppet; hand: bell fan", "hand: frog pin mask", at="tailor 1")
    play.do("perform task", "use_work puppet")
    assert play[1].hand == ("fan", "bell")
    assert play[0].hand == ()
    assert set(play[0].waiting[:3]) == {"frog", "pin", "mask"}
    assert len(play[0].waiting) == 5, "the new hand counts towards the tailor's five"
    assert play.deck_end(1) == ["puppet"]
    assert not any(play.barriers)


@pytest.mark.parametrize("work", ["dice", "fan", "puppet"])
def test_works_before_a_tailor_action_are_optional_and_not_for_prayer_or_craft(work: str) -> None:
    play = Play(f"gallery: {work}; hand: bell", "hand: frog", at="tailor 1").do("perform task")
    assert play.legal == [f"use_work {work}", "decline"]
    play.do("decline")
    assert play.can("return_card bell")
    play = Play(f"gallery: {work}; hand: bell", "hand: frog", at="tailor 1").do("perform prayer")
    assert play.legal == ["end_turn"]
