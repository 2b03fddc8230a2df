"""The rules page's numbered decisions where no source speaks, one test each, and those marked in its text."""

from __future__ import annotations

import pytest

from domain.games.mottainai.facts import CardsMoved, CardsRevealed, KitesTurnedBack, WorkCompleted
from domain.games.mottainai.scoring import breakdown
from tests.domain.games.mottainai.positions import Play


def test_1_a_work_taken_by_shuriken_is_not_completed() -> None:
    play = Play("hand: shuriken pin coin; bench: fan; gallery: stool", "gallery: frog scroll robe mask", at="smith 1")
    play.do(
        "perform task", "complete shuriken gift_shop", "use_work shuriken", "choose_card frog", "choose_wing gallery"
    )
    assert not play.can("use_work frog")
    assert play.legal == ["use_work stool", "decline"], "Stool's trigger is Shuriken, once"
    assert play[0].gallery == ("stool", "frog")


def test_2_dice_without_a_match_and_reveals_draw_nothing() -> None:
    play = Play("gallery: dice fan; hand: crane", "", at="tailor 1", deck="frog pin mask")
    play.do("perform task", "use_work dice", "use_work fan")
    assert play[0].waiting == ()
    assert play.state.deck[:3] == ("frog", "pin", "mask")


def test_2_gong_draws_what_there_is_and_the_empty_deck_ends_the_game_before_it_joins() -> None:
    play = Play("gallery: gong", "", at="monk 1", deck="frog pin", floor="fan", bare=True)
    play.do("perform prayer", "use_work gong")
    assert play.state.ended == "deck"
    assert play[0].gallery == ("gong",)


def test_3_doll_helps_the_own_task_of_this_turn_only() -> None:
    play = Play("gallery: doll; hand: robe fan", "task: frog", "task: bowl", floor="pin coin mask jar").do(
        "use_work doll"
    )
    play.do("choose_seat 1")
    assert play.rules.view(play.state, 0)["performing"] == {"seat": 2, "task": "potter", "left": 1}


def test_3_bangle_leaves_flag_figurine_and_doll_but_removes_fountains_helpers() -> None:
    players = (
        "gallery: figurine fountain; helpers: crane; hand: scroll frog; bench: pin",
        "gallery: bangle; task: fan",
    )
    play = Play(*players, at="noon").do("use_work figurine", "use_work fountain", "choose_card frog")
    assert play.rules.view(play.state, 0)["performing"]["left"] == 2, "1 + Figurine"


def test_4_ring_compares_after_the_sale_and_amulets_sales_do_not_trigger_it() -> None:
    play = Play("gallery: ring amulet; hand: scroll; bench: bowl fan", "sales: frog pin coin", at="smith 1")
    play.do("perform task", "complete scroll gallery", "use_work amulet", "choose_card fan")
    assert not play.can("use_work ring")


@pytest.mark.parametrize("work", ["bell", "robe"])
def test_4_sales_by_bell_and_robe_trigger_ring(work: str) -> None:
    play = Play(f"gallery: ring {work}; bench: fan crane", "sales: frog pin coin", at="clerk 1")
    play.do("perform task", f"use_work {work}")
    assert play.can("use_work ring")


@pytest.mark.parametrize("work", ["socks", "sword", "flute"])
def test_4_plane_is_triggered_by_socks_sword_and_flute(work: str) -> None:
    play = Play(f"gallery: plane {work}", "task: frog; bench: pin", at="potter 1", floor="fan")
    play.do("perform task", f"use_work {work}")
    assert play.can("use_work plane")


def test_5_flute_changes_covers_and_tasks_at_once_but_counted_actions_stay() -> None:
    play = Play("gallery: flute; helpers: statue", "gallery: scroll; helpers: fan; task: frog", floor="pin", at="noon")
    play.do("perform task", "use_work flute", "choose_task frog")
    assert play[1].task is None
    assert play.rules.view(play.state, 0)["performing"]["left"] == 1
    play.do("perform task", "use_work flute")
    assert play.rules.view(play.state, 0)["seats"][1]["covered"]["helpers"] == []


def test_6_a_morning_work_used_itself_can_still_be_used_through_kite() -> None:
    play = Play("gallery: bowl kite; hand: fan mask", "", at="morning").do("use_work bowl", "use_work kite")
    play.do("choose_card fan", "choose_card bowl")
    assert play.legal == ["use_work bowl", "decline"]
    assert play.do("use_work bowl").can("choose_task mask"), "once through Kite"


def test_6_copying_a_kite_gives_nothing_more() -> None:
    play = Play("gallery: kite; hand: fan mask", "", at="morning").do("use_work kite", "choose_card fan")
    assert play[0].gallery == ("kite",)
    assert play.can("choose_task mask")


def test_7_two_turtles_at_once_the_active_seat_comes_first() -> None:
    full = "turtle fan frog mask bowl"
    play = Play(
        "gallery: turtle fan frog mask; hand: bowl jar vase", f"gallery: {full}", "", "", at="smith 1", long=True
    )
    play.do("perform task", "complete bowl gallery")
    assert (play.state.ended, play.state.decided_by) == ("turtle", 0)


def test_8_both_copies_of_an_end_work_count() -> None:
    play = Play("gallery: scroll scroll coin coin; sales: fan; hand: crane", "", "", "")
    effects = breakdown(play.state, 0, play[0].hand)["effects"]
    assert effects == {"scroll": 6, "coin": 2}


def test_8_two_pillars_may_cover_two_tied_types() -> None:
    play = Play("gallery: pillar pillar; sales: bowl fan frog", "", "", "")
    assert breakdown(play.state, 0, ())["sales"] == 3 + 2


def test_9_one_card_may_serve_several_reveals_and_is_not_spent() -> None:
    play = Play("gallery: figurine; hand: bowl fan", "gallery: tower; task: jar", floor="pin coin frog", at="noon")
    play.do("choose_card bowl", "use_work figurine")
    assert play[0].hand == ("fan", "bowl")
    assert play.rules.view(play.state, 0)["performing"]["left"] == 2


def test_10_a_prayer_for_lack_of_a_task_or_on_an_opponents_task_is_a_prayer_action() -> None:
    assert Play("gallery: cup", "").do("no_task").can("use_work cup")
    play = Play("gallery: cup", "task: frog", floor="fan", at="noon").do("perform prayer")
    assert play.can("use_work cup")


def test_10_handkerchief_replaces_the_check_only_if_a_card_is_discarded() -> None:
    play = Play("hand: frog bowl fan pin coin mask; gallery: handkerchief", "", at="limit")
    assert not play.can("decline")
    play.do("use_work handkerchief", "choose_card pin")
    assert len(play[0].hand) == 5


def test_11_passing_is_for_seats_bound_by_mask_only() -> None:
    assert Play("", "gallery: mask; task: frog", floor="fan", at="noon").can("pass")
    assert not Play("", "task: frog", floor="fan", at="noon").can("pass")
    play = Play("hand: frog; bench: statue", "gallery: mask; task: bench", floor="fan", at="noon")
    assert not play.can("perform craft")


def test_12_puppets_exchanged_hand_counts_towards_the_tailors_five() -> None:
    play = Play("gallery: puppet; hand: fan", "hand: frog pin mask robe jar coin", at="tailor 1")
    play.do("perform task", "use_work puppet")
    assert len(play[0].waiting) == 6, "six of them: nothing is drawn"


def test_13_a_match_of_dice_need_not_be_completed() -> None:
    play = Play("gallery: dice; hand: fan", "", at="tailor 1", deck="scroll").do(
        "perform task", "use_work dice", "decline"
    )
    assert play.state.deck[0] == "scroll"


@pytest.mark.parametrize(("deck", "returned", "left"), [("frog pin", 1, ("pin",)), ("frog", 0, ("frog",))])
def test_13_fan_with_fewer_than_three_cards_keeps_one(deck: str, returned: int, left: tuple[str, ...]) -> None:
    play = Play("gallery: fan; hand: bell", "", at="tailor 1", deck=deck, bare=True).do("perform task", "use_work fan")
    if returned:
        assert play.can("return_card frog")
        play.do("return_card frog")
    assert play.state.deck[:1] == left
    assert len(play.state.deck) == len(deck.split())


def test_13_two_flags_may_use_the_same_card() -> None:
    play = Play("gallery: flag flag; hand: bowl jar", "", "", "", floor="fan pin").do("choose_task jar")
    play.do("use_work flag", "use_work flag")
    assert play.rules.view(play.state, 0)["performing"]["left"] == 3
    assert play.happened(CardsRevealed)[0].cards == ("bowl",)


def test_13_frog_counts_itself() -> None:
    play = Play("hand: frog statue", "", at="smith 1").do("perform task", "complete frog gallery")
    assert play.legal == ["end_turn"]


def test_14_only_a_seat_with_a_work_can_be_chosen_for_kite() -> None:
    play = Play("gallery: kite; hand: fan", "", "gallery: bowl", at="morning").do("use_work kite")
    assert play.legal == ["choose_seat 0", "choose_seat 2"]


def test_14_a_copied_put_this_work_moves_kite_itself() -> None:
    play = Play("gallery: kite; hand: fan mask", "gallery: gong", at="morning", deck="frog pin jar robe")
    play.do("use_work kite", "choose_card fan", "choose_seat 1", "no_task", "use_work gong")
    assert play[0].waiting[-1] == "kite"
    assert play[0].works == ()
    assert play[1].gallery == ("gong",)


def test_14_the_copy_stays_if_the_original_leaves_and_an_event_turns_it_back() -> None:
    play = Play("gallery: kite flute; hand: mask frog", "gallery: scroll", at="morning")
    play.do("use_work kite", "choose_card mask", "choose_seat 1", "choose_task frog", "perform task")
    assert (play[0].helpers, play[1].works) == (("scroll",), ())
    assert play.rules.view(play.state, None)["seats"][0]["kite_as"] == "scroll"
    assert breakdown(play.state, 0, ())["effects"] == {"scroll": 3}
    play.do("end_turn")
    assert play.happened(KitesTurnedBack)
    assert play[0].gallery == ("kite", "flute")


def test_15_after_two_hundred_full_rounds_the_game_ends() -> None:
    play = Play("", "", at="evening", active=1, round_=200, number=400, deck="frog").do("end_turn")
    assert play.state.ended == "round_limit"
    play = Play("", "", at="evening", active=1, round_=199, number=398, deck="frog").do("end_turn")
    assert (play.over, play.state.round) == (False, 200)


# Those in the text


def test_a_face_down_task_can_not_be_used_by_brick_flute_or_doll() -> None:
    assert not Play("gallery: brick; hand: frog", "task: ?statue", at="smith 1").can("perform task")
    assert not Play("gallery: flute", "task: ?statue", at="monk 1").can("perform task")
    assert not Play("gallery: doll; hand: fan", "task: ?statue").can("use_work doll")


def test_two_from_the_floor_takes_what_is_there() -> None:
    play = Play("hand: statue frog", "", at="smith 1", floor="fan").do("perform task", "complete statue gallery")
    play.do("use_work statue", "choose_card fan")
    assert play.legal == ["end_turn"]


def test_effects_after_dice_come_at_once_before_the_tailor_action() -> None:
    play = Play("gallery: dice stool; hand: fan bowl", "", at="tailor 1", deck="frog pin").do(
        "perform task", "use_work dice"
    )
    play.do("choose_wing gallery")
    assert play.legal == ["use_work stool", "decline"]
    play.do("use_work stool")
    assert play.can("return_card fan"), "then the tailor action"


def test_a_work_completed_by_poem_triggers_its_own_effects_and_deck_of_cards_again() -> None:
    play = Play("hand: scroll; gallery: poem deck_of_cards", "", at="smith 1", deck="fan frog pin")
    play.do("perform task", "complete scroll gallery", "use_work deck_of_cards", "use_work poem", "choose_wing gallery")
    assert [fact.card for fact in play.happened(WorkCompleted)] == ["frog"], "Deck of Cards had drawn Fan"
    play = Play("hand: scroll; gallery: poem deck_of_cards", "", at="smith 1", deck="frog fan pin")
    play.do("perform task", "complete scroll gallery", "use_work deck_of_cards", "use_work poem", "choose_wing gallery")
    assert play.can("use_work deck_of_cards"), "once per paper work completed in the smith action"


def test_choosing_the_tailor_action_binds_before_its_works() -> None:
    play = Play("gallery: fan; hand: robe", "", at="tailor 1").do("perform task", "decline")
    assert not play.can("perform prayer")


def test_cards_returned_go_under_the_deck_before_the_draw() -> None:
    play = Play("hand: fan", "", at="tailor 1", deck="frog pin", bare=True).do("perform task", "return_card fan")
    assert play[0].waiting == ("frog", "pin", "fan"), "the returned card is drawn as the last one"
    assert play.state.ended == "deck"


def test_with_straw_only_what_is_still_lacking_is_shown() -> None:
    play = Play("gallery: straw; hand: robe socks", "", at="smith 1").do("perform task", "complete robe gallery")
    assert play.happened(WorkCompleted)[0].shown == ()


def test_moves_of_open_cards_name_where_they_come_from() -> None:
    play = Play("gallery: bell", "", at="clerk 1", deck="frog").do("perform task")
    (moved,) = play.happened(CardsMoved)
    assert (moved.by, moved.src, moved.dst) == ("bell", "deck", "sales")
