"""Refused actions: a precise code, a sentence that says what would be right, and nothing changed."""

from __future__ import annotations

from typing import Any

import pytest

from domain.chance import Chance
from domain.game import IllegalAction
from tests.domain.games.mottainai.positions import Play


def refused(play: Play, action: Any, seat: int = 0) -> str:
    before = repr(play.state)
    with pytest.raises(IllegalAction) as caught:
        play.rules.decide(play.state, seat, action, Chance(bytes(32)))
    assert repr(play.state) == before
    assert caught.value.message
    return caught.value.rule


@pytest.mark.parametrize(
    "action",
    [
        {},
        {"type": None},
        {"type": "fly"},
        {"type": "choose_task"},
        {"type": "choose_task", "card": 1},
        {"type": "choose_task", "card": "fan", "more": 1},
        {"type": "choose_seat", "seat": True},
        {"type": "complete", "work": "fan", "wing": None},
        {"type": "no_task", "card": "fan"},
        [],
        "no_task",
        None,
    ],
)  # fmt: skip
def test_malformed_actions_are_unknown(action: Any) -> None:
    assert refused(Play("hand: fan", ""), action) == "mottainai.unknown-action"


@pytest.mark.parametrize(
    ("given", "action", "rule"),
    [
        ({"mine": "hand: fan bowl pin mask jar frog coin", "at": "limit"}, "no_task", "hand-limit"),
        ({"mine": "hand: fan bowl pin mask jar frog coin", "at": "limit"}, "return_card robe", "not-returnable"),
        ({"mine": "hand: fan; gallery: bowl", "at": "morning"}, "choose_task fan", "morning"),
        ({"mine": "hand: fan; gallery: bowl", "at": "morning"}, "use_work pin", "work-not-usable"),
        ({"mine": "hand: fan"}, "choose_task pin", "no-such-task"),
        ({"mine": "hand: fan"}, "end_turn", "new-task"),
        ({"at": "monk 1", "floor": "fan"}, "perform craft", "not-performable"),
        ({"at": "monk 1", "floor": "fan"}, "end_turn", "perform-task"),
        ({"mine": "hand: frog bowl jar cup", "at": "smith 1"}, "complete frog gallery", "perform-task"),
        ({"at": "evening"}, "no_task", "evening"),
    ],
)
def test_each_refusal_names_its_rule(given: dict[str, str], action: str, rule: str) -> None:
    given = dict(given)
    play = Play(given.pop("mine", ""), "", **given)  # type: ignore[arg-type]
    assert refused(play, play.action(action)) == f"mottainai.{rule}"


def test_a_work_without_enough_support_is_refused() -> None:
    play = Play("hand: frog bowl jar cup fan", "", at="smith 1").do("perform task")
    assert refused(play, play.action("complete frog gallery")) == "mottainai.lacks-support"


def test_another_seat_and_a_finished_game_are_refused() -> None:
    play = Play("hand: fan", "")
    assert refused(play, {"type": "no_task"}, seat=1) == "mottainai.not-your-turn"
    play = Play("gallery: cup", "").do("no_task", "use_work cup")
    assert refused(play, {"type": "end_turn"}) == "mottainai.game-over"


def test_true_is_not_seat_one() -> None:
    play = Play("gallery: puppet; hand: fan", "hand: pin", "hand: bowl", at="tailor 1").do(
        "perform task", "use_work puppet"
    )
    assert refused(play, {"type": "choose_seat", "seat": True}) == "mottainai.unknown-action"
