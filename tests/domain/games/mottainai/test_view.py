"""What each viewer may see: keys by name, hidden cards nowhere, twins that can't be told apart; barriers."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from domain.chance import Chance
from domain.games.mottainai import facts as f
from domain.games.mottainai.state import State, evolve
from tests.domain.games.mottainai.positions import Play, rules_for

SEATS = (2, 3, 4, 5)


def positions(seats: int, seed: int, every: int = 7) -> Any:
    """(rules, state, facts that led to it) along a random game."""
    rules, rng, chance = rules_for(seats), random.Random(seed), Chance(seed.to_bytes(32, "big"))
    state: Any = None
    facts = rules.setup(None, chance)
    step = 0
    while True:
        before = state
        for fact in facts:
            state = rules.evolve(state, fact)
        if step % every == 0 or state.ended:
            yield rules, before, state, facts
        if state.ended:
            return
        step += 1
        facts = rules.decide(state, state.active, rng.choice(rules.legal_actions(state, state.active)), chance)


def twin(state: State, viewer: int | None, rng: random.Random) -> State:
    """A position that differs only in cards the viewer can't see: deck, waiting areas, first tasks, other hands."""
    hidden = list(state.deck)
    for seat, temple in enumerate(state.temples):
        hidden += temple.waiting + ((temple.task,) if temple.face_down and temple.task else ())
        hidden += () if seat == viewer else temple.hand
    rng.shuffle(hidden)

    def take(number: int) -> tuple[str, ...]:
        return tuple(hidden.pop() for _ in range(number))

    temples = tuple(
        replace(
            temple,
            waiting=take(len(temple.waiting)),
            task=take(1)[0] if temple.face_down else temple.task,
            hand=temple.hand if seat == viewer else tuple(sorted(take(len(temple.hand)))),
        )
        for seat, temple in enumerate(state.temples)
    )
    return replace(state, temples=temples, deck=take(len(state.deck)))


@pytest.mark.parametrize("seats", SEATS)
def test_twins_look_alike_waiting_areas_included(seats: int) -> None:
    rng = random.Random(seats)
    for rules, _, state, _ in positions(seats, seed=seats):
        if state.ended or state.frames[-1].kind in ("fan", "place"):
            continue
        for viewer in (None, *range(seats)):
            other = twin(state, viewer, rng)
            assert json.dumps(rules.view(state, viewer)) == json.dumps(rules.view(other, viewer))
            if viewer == state.active:
                shown = {json.dumps(a) for a in rules.legal_actions(state, viewer)}
                assert shown == {json.dumps(a) for a in rules.legal_actions(other, viewer)}
                for action in rules.legal_actions(state, viewer):
                    assert rules.is_final(state, viewer, action) == rules.is_final(other, viewer, action), action


@pytest.mark.parametrize("seats", SEATS)
def test_the_public_sees_no_more_than_any_seat(seats: int) -> None:
    for rules, _, state, _ in positions(seats, seed=10 + seats):
        public = rules.view(state, None)
        for seat in range(seats):
            own = rules.view(state, seat)
            for number in range(seats):
                if number != seat:
                    assert own["seats"][number] == public["seats"][number]
            assert {k: v for k, v in own.items() if k != "seats"} == {k: v for k, v in public.items() if k != "seats"}


def test_a_view_has_exactly_these_keys() -> None:
    seen = Play("hand: fan", "").rules.view(Play("hand: fan", "").state, 0)
    assert set(seen) == {"deck", "floor", "phase", "performing", "pending", "round", "extra_turns", "seats"}
    assert set(seen["seats"][0]) == {
        "hand", "hand_size", "task", "helpers", "bench", "sales", "gallery", "gift_shop", "waiting",
        "kite_as", "kites", "covered", "points_if_scored_now",
    }  # fmt: skip


def test_the_owner_does_not_see_its_waiting_area_until_the_evening() -> None:
    play = Play("hand: fan; waiting: frog pin", "", at="evening")
    assert play.rules.view(play.state, 0)["seats"][0]["waiting"] == 2
    assert "frog" not in json.dumps(play.rules.view(play.state, 0))
    play.do("end_turn")
    assert "frog" in play.rules.view(play.state, 0)["seats"][0]["hand"]
    assert play.rules.view(play.state, 1)["seats"][0]["hand"] is None


def test_other_seats_hands_do_not_count_in_points_if_scored_now() -> None:
    play = Play("sales: pin; hand: coin", "sales: fan; hand: crane")
    assert [seat["points_if_scored_now"] for seat in play.rules.view(play.state, 0)["seats"]] == [3, 0]
    assert [seat["points_if_scored_now"] for seat in play.rules.view(play.state, None)["seats"]] == [0, 0]


def test_a_face_down_task_is_shown_as_such() -> None:
    play = Play("hand: fan", "task: ?frog")
    for viewer in (None, 0, 1):
        assert play.rules.view(play.state, viewer)["seats"][1]["task"] == "face_down"


def test_phases_follow_the_turn() -> None:
    play = Play("hand: fan; bench: pin", "")
    phases = [play.rules.view(play.state, None)["phase"]]
    for words in ("choose_task fan", "perform prayer"):
        play.do(words)
        phases.append(play.rules.view(play.state, None)["phase"])
    assert phases == ["morning", "noon", "evening"]


# Facts


def hidden_from(fact: Any, viewer: int | None) -> set[str]:
    """The cards of a fact that a viewer may not learn by it."""
    match fact:
        case f.CardsDealt():
            kept = {card for seat, hand in enumerate(fact.hands) if seat != viewer for card in hand}
            own = set() if viewer is None else set(fact.hands[viewer])
            return (kept | set(fact.tasks) | set(fact.deck)) - own - set(fact.floor)
        case f.CardsDrawn():
            return set(fact.cards)
        case f.CardsReturned() if fact.src == "hand" and viewer != fact.seat:
            return set(fact.cards)
        case f.WaitingTaken() if viewer != fact.seat:
            return set(fact.cards)
        case f.HandsExchanged():
            if viewer == fact.other:
                return set()
            return set(fact.taken) | (set() if viewer == fact.seat else set(fact.given))
    return set()


@pytest.mark.parametrize("seats", SEATS)
def test_facts_and_sentences_tell_no_hidden_card(seats: int) -> None:
    from domain.games.mottainai.cards import NAMES

    for rules, _, _, facts in positions(seats, seed=20 + seats, every=1):
        for fact in facts:
            for viewer in (None, *range(seats)):
                hidden = hidden_from(fact, viewer)
                told = json.dumps(rules.fact_view(fact, viewer))
                assert not any(f'"{card}"' in told for card in hidden), fact
                if not isinstance(fact, f.CardsDealt):
                    for language in ("en", "de"):
                        text = rules.describe(fact, language, viewer).split(" (")[0]
                        assert not any(NAMES[language][card] in text for card in hidden), (fact, text)


def test_puppets_exchange_is_known_to_the_former_holders() -> None:
    fact = f.HandsExchanged(0, 1, ("fan",), ("frog",))
    rules = rules_for(3)
    assert (rules.fact_view(fact, 0)["given"], rules.fact_view(fact, 0)["taken"]) == (["fan"], None)
    assert (rules.fact_view(fact, 1)["given"], rules.fact_view(fact, 1)["taken"]) == (["fan"], ["frog"])
    assert (rules.fact_view(fact, 2)["given"], rules.fact_view(fact, 2)["taken"]) == (None, None)


# Barriers

STEPS_WITHOUT = [
    ("hand: fan pin", "", {"at": "choose"}, "choose_task fan"),
    ("hand: fan", "", {"at": "monk 2", "floor": "pin"}, "perform prayer"),
    ("hand: fan pin", "", {"at": "exchange"}, "return_card fan"),
    ("hand: fan pin", "", {"at": "exchange"}, "stop"),
    ("hand: fan pin; gallery: handkerchief", "", {"at": "limit"}, "use_work handkerchief"),
    ("hand: frog", "gallery: tower; task: bench", {"at": "noon", "floor": "fan pin"}, "choose_card frog"),
    ("hand: fan pin; gallery: kite", "", {"at": "morning"}, "use_work kite"),
    ("bench: fan pin", "", {"at": "clerk 1"}, "perform task"),
]


@pytest.mark.parametrize(("mine", "theirs", "given", "action"), STEPS_WITHOUT, ids=lambda value: str(value)[:30])
def test_drawing_returning_and_showing_own_cards_are_no_barriers(
    mine: str, theirs: str, given: dict[str, str], action: str
) -> None:
    play = Play(mine, theirs, **given)  # type: ignore[arg-type]
    if given["at"] == "exchange":
        play.state = replace(play.state, frames=(replace(play.state.frames[0], kind="noon", n=3), *play.state.frames))
    play.do(action)
    assert not any(play.barriers)


SMITH, JAR = ["perform task"], ["use_work jar", "choose_material clay"]
STEPS_WITH = [
    ("gallery: bowl; hand: fan", "", {"at": "morning"}, ["use_work bowl"]),
    ("gallery: daidoro; hand: fan", "", {"at": "morning"}, ["use_work daidoro"]),
    ("gallery: umbrella; hand: fan", "", {"at": "morning"}, ["use_work umbrella"]),
    ("gallery: socks", "", {"at": "potter 1"}, ["perform task"]),
    ("gallery: bell", "", {"at": "clerk 1"}, ["perform task"]),
    ("gallery: fan; hand: pin", "", {"at": "tailor 1"}, ["perform task", "use_work fan"]),
    ("gallery: dice; hand: pin", "", {"at": "tailor 1"}, ["perform task", "use_work dice"]),
    ("gallery: poem; hand: scroll", "", {"at": "smith 1"}, [*SMITH, "complete scroll gallery", "use_work poem"]),
    ("hand: tablet frog", "", {"at": "smith 1"}, [*SMITH, "complete tablet gallery", "use_work tablet"]),
    ("hand: jar bowl cup", "hand: fan", {"at": "smith 1"}, [*SMITH, "complete jar gallery", *JAR]),
]  # fmt: skip


@pytest.mark.parametrize(("mine", "theirs", "given", "actions"), STEPS_WITH, ids=lambda value: str(value)[:30])
def test_a_step_that_shows_its_seat_an_unknown_card_is_a_barrier(
    mine: str, theirs: str, given: dict[str, str], actions: list[str]
) -> None:
    play = Play(mine, theirs, **given).do(*actions)  # type: ignore[arg-type]
    assert any(play.barriers)


def test_only_these_facts_can_be_barriers() -> None:
    seen: dict[type, set[bool]] = {}
    for seed in range(6):
        for rules, before, _, facts in positions(2 + seed % 4, seed=40 + seed, every=1):
            state = before
            for fact in facts:
                if state is not None:
                    seen.setdefault(type(fact), set()).add(rules.is_barrier(state, fact))
                state = evolve(state, fact)
    assert {kind for kind, values in seen.items() if True in values} <= {
        f.CardsMoved, f.CardsRevealed, f.HandsShown, f.WaitingTaken,
    }  # fmt: skip
    assert seen[f.CardsDrawn] == {False}
    assert seen[f.CardsReturned] == {False}
