"""The whole games together: all that may happen to a record happens in them, in every game."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from domain.record import branch_at
from domain.registry import GAMES
from tests.scenarios.replay import STEPS, replay
from tests.scenarios.test_scenarios import PLAYED as CORPUS

REASONS: dict[str, set[str]] = {
    "roeko": {"last_reward", "nobody_can_move"},
    "pasha": {"nine_rounds"},
    "transatlantic": {"last_steamship", "no_purchase"},
    "mottainai": {"wing", "deck", "cup", "turtle", "round_limit"},
}
"""Every end that the rules of a game know."""


def kinds(scenario: dict[str, Any]) -> Counter[str]:
    return Counter(action["type"] for _, action in scenario["actions"])


def test_there_are_enough_whole_games_with_enough_second_thoughts() -> None:
    assert len(CORPUS) >= 40
    together = sum((kinds(scenario) for scenario in CORPUS.values()), Counter())
    assert together["undo"] >= 0.07 * together.total()


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_every_number_of_seats_every_end_and_everything_that_happens_to_records(key: str) -> None:
    own = [scenario for scenario in CORPUS.values() if scenario["game"] == key]
    assert {scenario["seats"] for scenario in own} == set(GAMES[key].seats)
    assert {scenario["result"]["reason"] for scenario in own} == REASONS[key]
    together = sum((kinds(scenario) for scenario in own), Counter())
    assert set(STEPS) <= set(together)
    options = [scenario["options"] for scenario in own]
    for option in GAMES[key].options:
        assert {scenario.get(option.name) for scenario in options} >= set(option.choices), option.name


@pytest.mark.parametrize("key", GAMES)
def test_corrections_reach_over_the_end_and_onto_cut_branches(key: str) -> None:
    shown = set()
    events = replay(CORPUS[f"corpus/{key}-{GAMES[key].seats[0]}-seats"]).events
    cuts = [(event.version, event.fact.to) for event in events if event.topic == "table.Truncated"]
    ends = [event.version for event in events if event.topic == "table.Ended"]
    for version, to in cuts:
        if any(to < end < version for end in ends):
            shown.add("over the end")
        if events[version - 1].barrier and not branch_at(cuts, version - 1).stands(to):
            shown.add("onto a cut branch")
    assert shown == {"over the end", "onto a cut branch"}
