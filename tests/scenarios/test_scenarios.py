"""Every whole game replays to the result that was written down; its record reads the same when loaded, and is
verified."""

from __future__ import annotations

import json

import pytest

from domain import play, seating
from domain.audit import audit
from domain.registry import GAMES
from domain.table import fold
from domain.viewing import view
from infra.archive import of_record
from infra.compression import PresetZlib
from infra.mapper import EventMapper
from tests.domain.test_audit import ended
from tests.ledger import TABLE
from tests.scenarios.from_record import scenario_of
from tests.scenarios.replay import SCENARIOS, load, replay, result_of, written

PLAYED = {name: scenario for name in SCENARIOS if (scenario := load(name))["game"] in GAMES}


@pytest.mark.parametrize("name", PLAYED)
def test_a_whole_game_replays_to_its_result_and_is_verified(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = PLAYED[name]
    # A scenario states the seed of its draws itself; nowhere else can that be chosen.
    for module in (play, seating):
        monkeypatch.setattr(module, "game_seed", lambda *_: bytes.fromhex(scenario["seed"]))
    ledger = replay(scenario)
    assert result_of(ledger) == scenario["result"]
    mapper = EventMapper(compressor=PresetZlib(), games=GAMES)
    loaded = [mapper.to_domain_event(mapper.to_stored_event(event)) for event in ledger.events]
    again = fold(TABLE, GAMES, loaded)
    for viewer in (None, *range(scenario["seats"])):
        assert view(again, viewer) == view(ledger.table, viewer)
    ledger.append(play.score(ledger.table), "system")
    ledger.append(play.seal(ledger.table, ledger.server_seed), "system")
    found = audit(TABLE, GAMES, ledger.events, ledger.server_seed)
    assert found.verified, [check for check in found.checks if not check.ok]


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_whole_games_of_every_number_of_seats(key: str) -> None:
    scenarios = [scenario for name, scenario in PLAYED.items() if name.startswith(f"{key}/")]
    assert len(scenarios) >= 8
    assert {scenario["seats"] for scenario in scenarios} == set(GAMES[key].seats)
    asked = {action["type"] for scenario in scenarios for _, action in scenario["actions"]}
    assert {"undo", "redo"} <= asked


@pytest.mark.parametrize("key", GAMES)
def test_a_record_becomes_a_scenario_that_replays_to_the_same_end(key: str) -> None:
    """How a bug report becomes a test: the export of a table, with undone steps and corrections, as a whole game."""
    game = GAMES[key]
    ledger = ended(game, game.seats[0], 3)
    archive = of_record(TABLE, ledger.events, key="", signature="", marks={})
    scenario = json.loads(written(scenario_of(archive)))
    again = replay(scenario)
    assert result_of(again) == scenario["result"]
    assert again.table.play.state == ledger.table.play.state
