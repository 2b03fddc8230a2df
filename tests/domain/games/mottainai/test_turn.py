"""Setting up, and a turn step by step: morning, noon, evening; performing tasks; completing; covering."""

from __future__ import annotations

import pytest

from domain.chance import Chance
from domain.games.mottainai.facts import CardsDealt, CardsRevealed, TaskStarted, WorkCompleted
from domain.games.mottainai.state import evolve
from tests.domain.games.mottainai.positions import Play, rules_for

# Setup


@pytest.mark.parametrize(("seats", "left"), [(2, 40), (3, 33), (4, 80), (5, 73)])
def test_setting_up_leaves_so_many_cards_in_the_deck(seats: int, left: int) -> None:
    dealt = rules_for(seats).setup(0, Chance(bytes(32)))[0]
    assert isinstance(dealt, CardsDealt)
    state = evolve(None, dealt)
    assert len(state.deck) == left
    assert [len(temple.hand) for temple in state.temples] == [5] * seats
    assert all(temple.task and temple.face_down for temple in state.temples)
    assert len(state.floor) == seats


def test_the_first_fact_states_the_start_seat_given_or_drawn() -> None:
    assert rules_for(3).setup(2, Chance(bytes(32)))[0].start_seat == 2
    drawn = {rules_for(3).setup(None, Chance(bytes([n] * 32)))[0].start_seat for n in range(30)}
    assert drawn == {0, 1, 2}


def test_in_the_first_turn_the_face_down_task_goes_to_the_floor() -> None:
    rules = rules_for(2)
    state = None
    for fact in rules.setup(1, Chance(bytes(32))):
        state = evolve(state, fact)
    assert state is not None
    assert state.temples[1].task is None
    assert len(state.floor) == 3
    assert {a["type"] for a in rules.legal_actions(state, 1)} == {"choose_task", "no_task"}


# Morning


def test_cards_beyond_five_are_returned_first() -> None:
    play = Play("hand: frog bowl fan pin coin mask bell; task: jar", "", at="limit")
    assert all(words.startswith("return_card") for words in play.legal)
    play.do("return_card frog", "return_card bell")
    assert play.deck_end(2) == ["frog", "bell"], "the first returned comes up first"
    assert play.floor == ["jar"]
    assert len(play[0].hand) == 5


def test_a_returned_card_is_no_barrier_but_the_first_task_turning_up_is() -> None:
    play = Play("hand: frog bowl fan pin coin mask bell; task: ?jar", "", at="limit").do("return_card frog")
    assert not any(play.barriers)
    play.do("return_card bell")
    assert any(play.barriers)


def test_morning_works_come_in_any_order_each_at_most_once() -> None:
    play = Play("gallery: bowl pin; hand: fan", "", at="morning")
    assert play.legal == ["use_work bowl", "use_work pin", "decline"]
    play.do("use_work pin", "perform prayer")
    assert play.legal == ["use_work bowl", "decline"]


def test_a_new_task_comes_from_hand_or_the_slot_stays_empty() -> None:
    play = Play("hand: fan frog", "", floor="jar")
    assert play.legal == ["choose_task fan", "choose_task frog", "no_task"]
    assert play.do("choose_task frog")[0].task == "frog"


# Noon


def test_other_seats_tasks_come_clockwise_and_then_the_own_one() -> None:
    play = Play("", "task: frog", "hand: fan", "task: bowl", floor="pin coin mask robe", active=2).do("choose_task fan")
    order = []
    while play.legal != ["end_turn"]:
        if started := play.happened(TaskStarted):
            order += [fact.owner for fact in started]
        play.do(play.legal[-1])
    order += [fact.owner for fact in play.happened(TaskStarted)]
    assert order == [3, 1, 2], "seat 0 has no task and is skipped"


def test_without_a_task_one_prayer_comes_instead_and_helpers_give_nothing() -> None:
    play = Play("helpers: fan crane", "", deck="frog pin").do("no_task")
    assert play[0].waiting == ("frog",)
    assert play.legal == ["end_turn"]


def test_a_partners_task_is_performed_and_is_no_opponents() -> None:
    play = Play("", "", "task: frog", "", floor="pin fan", at="noon", teams=True)
    assert play.rules.view(play.state, 0)["performing"]["seat"] == 2


def test_a_face_down_task_is_not_performed_by_others() -> None:
    play = Play("hand: fan; bench: jar", "task: ?frog", floor="pin").do("choose_task fan")
    assert [fact.owner for fact in play.happened(TaskStarted)] == [0]


@pytest.mark.parametrize(
    ("helpers", "gallery", "actions"),
    [
        ("", "", 1),
        ("frog statue", "", 3),
        ("frog statue", "bench", 5),
        ("frog statue stool", "bench", 4),
        ("crane", "", 1),
    ],
)
def test_actions_are_one_and_one_for_each_helper_or_two_if_covered(helpers: str, gallery: str, actions: int) -> None:
    play = Play(f"helpers: {helpers}; gallery: {gallery}", "task: tower", floor="pin fan", at="noon")
    assert play.happened(TaskStarted)[0].actions == actions


def test_covering_is_all_or_nothing() -> None:
    play = Play("helpers: frog statue stool; gallery: bench; sales: bowl jar; shop: cup", "")
    covered = play.rules.view(play.state, None)["seats"][0]["covered"]
    assert covered == {"helpers": [], "sales": ["clay"]}


def test_gift_shop_works_cover_no_helpers_and_gallery_works_no_sales() -> None:
    play = Play("helpers: frog; shop: bench; gallery: cup; sales: bowl", "")
    assert play.rules.view(play.state, None)["seats"][0]["covered"] == {"helpers": [], "sales": []}


def test_the_number_of_actions_is_counted_once_at_the_start() -> None:
    play = Play("", "task: tower", floor="frog fan pin", at="noon").do("perform task", "take_floor frog")
    assert play.legal == ["end_turn"], "the new helper gives no action"


def test_actions_mix_task_craft_and_prayer_in_any_order() -> None:
    play = Play("hand: bowl; bench: jar vase", "", at="potter 3", floor="fan pin")
    play.do("perform prayer", "perform craft", "complete bowl gallery", "perform task", "take_floor pin")
    assert (len(play[0].waiting), play[0].gallery, play[0].bench) == (1, ("bowl",), ("jar", "vase", "pin"))


def test_an_action_that_can_not_be_used_becomes_craft_or_prayer() -> None:
    assert Play("hand: bowl; bench: jar vase", "", at="potter 1").legal == ["perform craft", "perform prayer"]


@pytest.mark.parametrize(("task", "zone"), [("monk", "helpers"), ("potter", "bench")])
def test_monk_and_potter_take_one_floor_card(task: str, zone: str) -> None:
    play = Play("", "", at=f"{task} 1", floor="fan pin").do("perform task", "take_floor pin")
    assert getattr(play[0], zone) == ("pin",)
    assert play.floor == ["fan"]


def test_a_clerk_sells_one_bench_card() -> None:
    play = Play("bench: fan pin", "", at="clerk 1").do("perform task", "sell pin")
    assert (play[0].bench, play[0].sales) == (("fan",), ("pin",))


def test_a_tailor_returns_any_number_and_draws_to_five_with_the_waiting_area() -> None:
    play = Play("hand: fan pin mask; waiting: frog", "", at="tailor 1").do("perform task", "return_card pin", "stop")
    assert (len(play[0].hand), len(play[0].waiting)) == (2, 3)


def test_a_tailor_with_five_or_more_draws_nothing_and_can_always_be_taken() -> None:
    play = Play("hand: fan pin mask; waiting: frog jar robe", "", at="tailor 1").do("perform task", "stop")
    assert len(play[0].waiting) == 3


# Completing


@pytest.mark.parametrize(
    ("card", "support"), [("fan", ""), ("frog", "statue"), ("mask", "robe"), ("bowl", "jar vase"), ("pin", "coin bell")]
)
def test_the_value_of_a_work_is_the_number_of_cards_needed(card: str, support: str) -> None:
    short = " ".join(support.split()[1:])
    assert Play(f"hand: {card} {support}", "", at="smith 1").do("perform task").can(f"complete {card} gallery")
    if support:
        assert not Play(f"hand: {card} {short}", "", at="smith 1").can("perform task")


def test_smith_shows_exactly_the_support_needed_from_hand_and_keeps_it() -> None:
    play = Play("hand: frog statue bench stool", "", at="smith 1").do("perform task", "complete frog gallery")
    assert play.legal == ["choose_card bench", "choose_card statue", "choose_card stool"]
    play.do("choose_card stool")
    assert play.happened(WorkCompleted)[0].shown == ("stool",)
    assert play[0].hand == ("bench", "statue", "stool")


def test_craft_completes_the_replaced_actions_material_with_support_on_the_bench() -> None:
    play = Play("hand: bowl frog; bench: jar vase statue", "", at="potter 1", floor="fan").do("perform craft")
    assert play.legal == ["complete bowl gallery", "complete bowl gift_shop"]
    play.do("complete bowl gift_shop")
    assert play[0].bench == ("jar", "vase", "statue"), "support is kept"


# Evening


def test_at_the_end_of_the_turn_the_waiting_area_comes_into_hand_without_limit() -> None:
    play = Play("hand: fan pin mask frog; waiting: jar robe bowl", "", at="evening").do("end_turn")
    assert len(play[0].hand) == 7
    assert play.seat == 1


def test_end_turn_is_never_carried_out_by_itself() -> None:
    play = Play("", "", deck="frog").do("no_task")
    assert play.legal == ["end_turn"]


def test_interchangeable_copies_are_one_choice() -> None:
    play = Play("hand: fan fan frog", "", "", "")
    assert play.legal == ["choose_task fan", "choose_task frog", "no_task"]


def test_copies_of_a_work_in_both_wings_are_told_apart_by_the_wing() -> None:
    play = Play("gallery: plane bowl; shop: bowl", "", "", "", at="potter 1", floor="fan jar")
    play.do("perform task", "take_floor fan", "use_work plane")
    assert play.legal == ["choose_card plane", "choose_card bowl gallery", "choose_card bowl gift_shop"]
    play.do("choose_card bowl gift_shop")
    assert play[0].gallery == ("plane", "bowl", "bowl")


def test_a_reveal_for_tower_comes_before_works_that_trigger_before_the_task() -> None:
    play = Play("hand: bowl mask; gallery: figurine", "gallery: tower; task: jar", floor="fan pin").do(
        "choose_task mask"
    )
    assert play.legal == ["choose_card bowl", "decline"]
    play.do("choose_card bowl")
    assert play.legal == ["use_work figurine", "decline"]
    assert play.happened(CardsRevealed)[0].by == "tower"
