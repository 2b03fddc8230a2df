"""What may be seen of Transatlantic: the page's view to the key, and nothing that is secret."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest

from domain.games.transatlantic.facts import FACTS, GameSetUp
from domain.games.transatlantic.view import fact_view
from tests.domain.games.transatlantic.positions import Table, buy, given, play, started, travel
from tests.domain.games.transatlantic.test_playouts import VARIANTS, sampled

SEAT_KEYS = [
    "money", "points", "points_if_scored_now", "hand", "stack", "waiting", "waiting_coal", "headquarters", "captains",
    "houses", "tile", "markers", "contracts",
]  # fmt: skip
STATE_KEYS = [
    "regions", "market", "ship_deck", "docks", "display", "extension", "supply", "last_round", "seats",
]  # fmt: skip


def view(table: Table, viewer: int | None = None) -> dict[str, Any]:
    return table.rules.view(table.state, viewer)


def test_a_view_has_the_keys_of_the_page_and_no_others() -> None:
    shown = view(started(3))
    assert list(shown) == STATE_KEYS
    assert {tuple(region) for region in shown["regions"].values()} == {("ships", "houses", "house_price")}
    assert {tuple(offer) for offer in shown["market"]} == {("slot", "ship", "cost")}
    assert list(shown["ship_deck"]) == ["left", "next_deck"]
    assert list(shown["extension"]) == ["left", "set", "discard"]
    assert {tuple(seat) for seat in shown["seats"]} == {tuple(SEAT_KEYS)}


def test_a_view_is_json_with_all_that_lies_open() -> None:
    table = given(
        regions={"north_atlantic": "umbria/0/2 scotia"},
        houses={"north_atlantic": (1, 0)},
        market="- celtic",
        deck="imperator aquitania",
        docks="lahn aller gallia",
        display="trade fleet",
        pile="cargo",
        discard="cruise",
        seat0={
            "money": 70,
            "stack": "coal",
            "hand": "invest agent",
            "waiting": "gallia/0/2",
            "headquarters": "hapag_haus_hamburg",
        },
    )
    shown = json.loads(json.dumps(view(table)))
    assert shown["regions"]["north_atlantic"] == {
        "ships": [{"ship": "umbria", "owner": 0, "coal": 2}, {"ship": "scotia", "owner": None, "coal": 0}],
        "houses": [1, 0],
        "house_price": 40,
    }
    assert shown["market"] == [{"slot": 1, "ship": "celtic", "cost": 160 + 10}]
    assert shown["ship_deck"] == {"left": 2, "next_deck": 9}
    assert shown["docks"] == {"red": 1, "yellow": 0, "black": 0, "blue": 2, "green": 0}
    assert shown["display"] == ["trade", "fleet"]
    assert shown["extension"] == {"left": 1, "set": "B", "discard": ["cruise"]}
    assert shown["last_round"] is False
    own = shown["seats"][0]
    assert (own["money"], own["stack"], own["hand"]) == (70, ["coal"], ["agent", "invest"])
    assert (own["waiting"], own["waiting_coal"], own["headquarters"]) == (["gallia"], [2], ["hapag_haus_hamburg"])


def test_a_full_row_of_houses_has_no_price() -> None:
    assert view(given(houses={"caribbean": (0, 1, 1)}))["regions"]["caribbean"]["house_price"] is None


def test_hands_are_known_to_everybody_and_all_views_are_equal() -> None:
    table = started(3)
    assert view(table, 0) == view(table, 1) == view(table, None)


@pytest.mark.parametrize("seed", [1, 2])
def test_states_that_differ_in_what_is_secret_only_give_equal_views(seed: int) -> None:
    for game in sampled(2, VARIANTS[1], seed, every=40):
        state = game.state
        hidden = [*state.deck, *state.out]
        by_deck = [game.rules.setting.ship(key).deck for key in hidden]
        for deck in set(by_deck):  # any ship may lie where another of its deck lies, or be out
            keys = sorted(key for key, number in zip(hidden, by_deck, strict=True) if number == deck)
            for place in [n for n, number in enumerate(by_deck) if number == deck]:
                hidden[place] = keys.pop()
        a = state.pile_a
        other = replace(
            state,
            deck=tuple(hidden[: len(state.deck)]),
            out=tuple(hidden[len(state.deck) :]),
            pile=tuple(sorted(state.pile[:a])) + tuple(sorted(state.pile[a:])),
        )
        for viewer in (None, 0, 1):
            assert json.dumps(game.rules.view(state, viewer)) == json.dumps(game.rules.view(other, viewer))
        assert game.rules.legal_actions(state, game.rules.to_act(state)[0]) == game.rules.legal_actions(
            other, game.rules.to_act(other)[0]
        )


def test_the_set_up_tells_no_order_of_deck_and_pile_and_not_which_ships_are_out() -> None:
    table = started(2)
    (deal,) = table.facts
    assert isinstance(deal, GameSetUp)
    shown = fact_view(deal)
    text = json.dumps(shown)
    assert (shown["deck"], shown["out"], shown["pile"]) == (len(deal.deck), 18, 17)
    assert not any(f'"{key}"' in text for key in (*deal.deck, *deal.out))


def test_every_fact_is_shown_by_an_allow_list_that_leaves_out_the_stack_of_decisions() -> None:
    seen: set[type] = {GameSetUp}
    for game in chain(*(sampled(4, VARIANTS[3], seed, every=1) for seed in range(11, 17))):
        (seat,) = game.rules.to_act(game.state)
        for action in game.rules.legal_actions(game.state, seat):
            for fact in game.rules.decide(game.state, seat, action, game.chance):
                shown = game.rules.fact_view(fact, None)
                json.dumps(shown)
                assert "then" not in shown
                assert set(shown) <= set(type(fact).__slots__)
                seen.add(type(fact))
        if len(seen) == len(FACTS):
            break
    assert seen == set(FACTS)


def test_what_the_viewer_may_not_know_is_not_in_the_view_of_a_purchase() -> None:
    table = given(market="gallia umbria", deck="lahn", regions={"caribbean": "salier/0/1"}).do(play("shipyard"), buy(0))
    assert "lahn" not in json.dumps(view(table))
    table = given(regions={"caribbean": "salier/0/1 frisia/0/1"}).do(play("transport"), travel("salier"))
    assert view(table)["regions"]["caribbean"]["ships"][0]["coal"] == 0
