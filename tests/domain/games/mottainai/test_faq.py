"""The answers of the published questions and clarifications, one test each."""

from __future__ import annotations

from domain.games.mottainai.facts import HandsShown
from domain.games.mottainai.scoring import breakdown
from tests.domain.games.mottainai.positions import Play


def test_kite_copies_value_type_and_effect_and_also_scores_as_the_copy() -> None:
    play = Play("gallery: kite cup; hand: mask frog", "gallery: haniwa; helpers: pin", at="morning")
    play.do("use_work kite", "choose_card mask", "choose_seat 1", "no_task", "use_work cup")
    assert play.state.ended == "cup"
    assert breakdown(play.state, 0, ())["works"] == 3, "the value of Haniwa, not of Kite"
    assert breakdown(play.state, 0, ())["effects"] == {"haniwa": 0}


def test_an_effect_is_used_once_each_time_its_trigger_occurs() -> None:
    play = Play("gallery: amulet; hand: scroll fan; bench: pin coin jar", "", at="smith 2")
    play.do("perform task", "complete scroll gallery", "use_work amulet", "choose_card pin", "perform task")
    play.do("complete fan gallery")
    assert play.can("use_work amulet")
    play.do("use_work amulet", "choose_card coin")
    assert play.legal == ["end_turn"]


def test_hand_and_bench_can_not_be_combined_for_a_smith_action() -> None:
    assert not Play("hand: bowl jar; bench: vase", "", at="smith 1").can("perform task")
    assert Play("hand: bowl jar vase", "", at="smith 1").do("perform task").can("complete bowl gallery")


def test_covered_sales_and_backorders_score_their_value() -> None:
    play = Play("shop: bowl; sales: jar; hand: vase fan", "")
    parts = breakdown(play.state, 0, play[0].hand)
    assert (parts["sales"], parts["backorders"]) == (3, 3)


def test_stone_works_with_go_set_count_for_the_end_of_the_game() -> None:
    play = Play("gallery: fan scroll go_set; shop: frog; hand: statue bench", "", at="smith 1").do("perform task")
    assert play.do("complete statue gift_shop").state.ended == "wing"


def test_stone_works_with_go_set_count_for_tapestry() -> None:
    play = Play("gallery: tapestry; shop: go_set frog fan", "")
    assert breakdown(play.state, 0, ())["effects"] == {"tapestry": 3}


def test_helpers_gained_during_a_task_give_no_extra_actions() -> None:
    play = Play("", "task: tower", floor="frog fan", at="noon").do("perform task", "take_floor frog")
    assert play.legal == ["end_turn"]


def test_quilt_and_lampshade_score_backorders_without_sales() -> None:
    play = Play("gallery: quilt lampshade; hand: fan bowl", "")
    assert breakdown(play.state, 0, play[0].hand)["backorders"] == 4


def test_using_effects_is_optional() -> None:
    play = Play("gallery: bowl daidoro pin umbrella; hand: fan", "", at="morning").do("decline")
    assert play.can("choose_task fan")


def test_the_whole_hand_is_shown_to_jar() -> None:
    play = Play("hand: jar bowl vase", "hand: fan frog pin", at="smith 1").do("perform task", "complete jar gallery")
    play.do("use_work jar", "choose_material clay")
    assert sorted(play.happened(HandsShown)[0].hands[0]) == ["fan", "frog", "pin"]
    assert len(play[1].hand) == 3


def test_pins_tailor_action_may_become_craft_or_prayer() -> None:
    play = Play("gallery: pin; hand: robe fan; bench: socks", "", at="morning").do("use_work pin")
    assert play.legal == ["perform task", "perform craft", "perform prayer"]
    play.do("perform craft")
    assert play.legal == ["complete robe gallery", "complete robe gift_shop"]


def test_a_seat_bound_by_mask_may_pass_its_actions() -> None:
    play = Play("helpers: frog", "gallery: mask; task: statue", floor="fan pin", at="noon").do("pass", "pass")
    assert play[0].helpers == ("frog",)


def test_deck_of_cards_may_be_used_after_poem_completed_a_paper_work_in_a_smith_action() -> None:
    play = Play("hand: poem; gallery: deck_of_cards", "", at="smith 1", deck="fan").do("perform task")
    play.do("complete poem gallery", "decline", "use_work poem", "choose_wing gallery")
    assert play[0].gallery == ("deck_of_cards", "fan")
    assert play.can("use_work deck_of_cards")
