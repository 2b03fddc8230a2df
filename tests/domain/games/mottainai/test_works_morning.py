"""Works of the morning and the night (MN) and those instead of a step of the morning (INS), one by one."""

from __future__ import annotations

from domain.games.mottainai.facts import CardsDrawn, KitesTurnedBack
from tests.domain.games.mottainai.positions import Play

# INS


def test_handkerchief_replaces_the_limit_check_by_one_card_onto_the_floor() -> None:
    play = Play("hand: frog bowl fan pin coin mask bell; gallery: handkerchief; task: jar", "", at="limit")
    assert play.can("return_card frog")
    play.do("use_work handkerchief", "choose_card fan")
    assert play.floor == ["fan", "jar"]
    assert len(play[0].hand) == 6, "the check is replaced: six cards stay"


def test_handkerchief_may_be_used_with_five_or_fewer_cards_and_may_be_declined() -> None:
    play = Play("hand: frog bowl; gallery: handkerchief", "", at="limit")
    assert play.legal == ["use_work handkerchief", "decline"]
    play.do("decline")
    assert play[0].hand == ("frog", "bowl")
    assert play.can("choose_task frog")


def test_handkerchief_can_not_be_used_with_an_empty_hand_or_once_cards_are_returned() -> None:
    assert Play("gallery: handkerchief", "", at="limit").legal == ["no_task"]
    play = Play("hand: frog bowl fan pin coin mask bell; gallery: handkerchief", "", at="limit")
    play.do("return_card frog")
    assert not play.can("use_work handkerchief")


def test_chopsticks_put_the_old_task_into_the_sales() -> None:
    play = Play("task: jar; gallery: chopsticks", "", at="old_task").do("use_work chopsticks")
    assert play[0].sales == ("jar",)
    assert play[0].task is None
    assert play.floor == []


def test_chopsticks_may_be_declined_and_need_a_task() -> None:
    play = Play("task: jar; gallery: chopsticks", "", at="old_task").do("decline")
    assert play.floor == ["jar"]
    assert Play("hand: frog; gallery: chopsticks", "", at="old_task").can("choose_task frog")


def test_doll_moves_an_opponents_task_and_gives_it_one_extra_action() -> None:
    play = Play("gallery: doll; hand: mask", "task: bowl", at="choose", floor="frog fan pin coin")
    play.do("use_work doll")
    assert play[0].task == "bowl"
    assert play[1].task is None, "that opponent has no task any more, so it is not performed as theirs"
    assert play.rules.view(play.state, 0)["performing"] == {"seat": 0, "task": "potter", "left": 2}


def test_doll_can_not_take_a_face_down_task_or_a_partners() -> None:
    assert not Play("gallery: doll; hand: fan", "task: ?bowl").can("use_work doll")
    assert not Play("gallery: doll; hand: fan", "", "task: bowl", "", teams=True).can("use_work doll")
    assert Play("gallery: doll; hand: fan", "", "task: bowl", "").can("use_work doll")


def test_sketch_shifts_a_helper_into_the_task_slot() -> None:
    play = Play("gallery: sketch; helpers: bowl frog", "", floor="fan pin coin").do(
        "use_work sketch", "choose_card bowl"
    )
    assert play[0].task == "bowl"
    assert play[0].helpers == ("frog",)
    assert play.rules.view(play.state, 0)["performing"]["left"] == 1, "it is no helper any more"


def test_sketch_needs_a_helper_and_excludes_doll_in_the_same_turn() -> None:
    assert not Play("gallery: sketch; hand: fan", "").can("use_work sketch")
    play = Play("gallery: sketch doll; helpers: bowl", "task: jar", floor="fan frog").do("use_work sketch")
    assert not play.can("use_work doll")


# MN


def test_bowl_puts_the_decks_top_card_onto_the_bench_once_a_morning() -> None:
    play = Play("gallery: bowl; hand: fan", "", at="morning", deck="frog pin").do("use_work bowl")
    assert play[0].bench == ("frog",)
    assert play.barriers == [True]
    assert play.can("choose_task fan"), "it can't be used twice"


def test_bowl_is_optional() -> None:
    play = Play("gallery: bowl; hand: fan", "", at="morning").do("decline")
    assert play[0].bench == ()


def test_daidoro_deals_until_the_floor_holds_three() -> None:
    play = Play("gallery: daidoro; hand: fan", "", at="morning", deck="frog pin mask", floor="bowl")
    play.do("use_work daidoro")
    assert play.floor == ["bowl", "frog", "pin"]
    assert any(play.barriers)


def test_daidoro_does_nothing_at_three_or_more() -> None:
    play = Play("gallery: daidoro; hand: fan", "", at="morning", floor="bowl frog pin")
    assert play.can("choose_task fan")


def test_kite_gives_a_card_to_any_bench_and_copies_a_work_there_until_the_turn_ends() -> None:
    play = Play("gallery: kite; hand: fan mask", "gift_shop: bowl straw", at="morning", deck="frog")
    play.do("use_work kite", "choose_card fan", "choose_seat 1", "choose_card bowl")
    assert play[1].bench == ("fan",)
    seen = play.rules.view(play.state, None)["seats"][0]
    assert (seen["gallery"], seen["kite_as"]) == (["kite"], "bowl")
    play.do("use_work bowl")
    assert play[0].bench == ("frog",), "usable in this same morning"
    play.do("choose_task mask", "perform prayer", "end_turn")
    assert play[0].gallery == ("kite",)
    assert play.happened(KitesTurnedBack)


def test_kite_may_give_to_the_own_bench_and_needs_a_hand_card() -> None:
    play = Play("gallery: kite straw; hand: fan mask", "", at="morning")
    play.do("use_work kite", "choose_card fan", "choose_card straw")
    assert play[0].bench == ("fan",)
    assert Play("gallery: kite", "", at="morning").legal == ["no_task"]


def test_kite_is_no_cloth_work_while_it_copies() -> None:
    play = Play("gift_shop: kite; hand: fan mask; sales: robe", "gallery: bowl", at="morning", deck="frog")
    assert play.rules.view(play.state, None)["seats"][0]["covered"]["sales"] == ["cloth"]
    play.do("use_work kite", "choose_card fan", "choose_seat 1")
    seen = play.rules.view(play.state, None)["seats"][0]
    assert seen["covered"]["sales"] == []
    assert seen["points_if_scored_now"] == 3, "the value of the copy"


def test_pin_gives_one_tailor_action() -> None:
    play = Play("gallery: pin; hand: frog mask", "task: fan", at="morning").do("use_work pin", "perform task")
    play.do("return_card frog", "stop")
    assert play[0].hand == ("mask",)
    assert len(play[0].waiting) == 4
    assert play.can("choose_task mask")


def test_pin_is_optional_and_used_once() -> None:
    play = Play("gallery: pin; hand: frog mask", "", at="morning").do("use_work pin", "perform prayer")
    assert not play.can("use_work pin")
    assert Play("gallery: pin; hand: frog", "", at="morning").can("decline")


def test_umbrella_deals_a_card_and_then_may_sell_a_helper_of_that_type() -> None:
    play = Play("gallery: umbrella; helpers: fan frog; hand: mask", "", at="morning", deck="bench")
    play.do("use_work umbrella")
    assert play.floor == ["bench"]
    assert play.legal == ["choose_card frog", "decline"]
    play.do("choose_card frog")
    assert play[0].sales == ("frog",)


def test_umbrella_sells_only_a_helper_of_the_same_type() -> None:
    play = Play("gallery: umbrella; helpers: fan; hand: mask", "", at="morning", deck="bench").do("use_work umbrella")
    assert play.can("choose_task mask")
    assert play[0].helpers == ("fan",)


def test_pinwheel_returns_a_hand_card_at_night_and_then_may_draw() -> None:
    play = Play("gallery: pinwheel; hand: fan mask", "", at="evening", deck="frog")
    assert play.legal == ["use_work pinwheel", "end_turn"]
    play.do("use_work pinwheel", "return_card fan")
    assert play.deck_end(1) == ["fan"]
    play.do("use_work pinwheel")
    assert [fact.cards for fact in play.happened(CardsDrawn)] == [("frog",)]
    assert play.legal == ["end_turn"]
    play.do("end_turn")
    assert play[0].hand == ("frog", "mask"), "drawn before the waiting area is picked up"


def test_pinwheels_draw_may_be_declined_and_pinwheel_needs_a_hand_card() -> None:
    play = Play("gallery: pinwheel; hand: fan", "", at="evening").do("use_work pinwheel", "decline")
    assert play[0].waiting == ()
    assert Play("gallery: pinwheel", "", at="evening").legal == ["end_turn"]
