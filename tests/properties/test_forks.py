"""Forks: what the forker may know stays to the byte, what it may not know varies, and the new game plays on."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domain.audit import audit
from domain.chance import game_seed
from domain.forking import fork
from domain.game import Game, Viewer
from domain.record import canonical, write
from domain.registry import GAMES
from domain.table import Table
from domain.viewing import fact_view, view
from infra.compression import PresetZlib
from infra.mapper import EventMapper
from tests.every import replayable, seeds
from tests.ledger import START, TABLE, Ledger, server_seed

PASSING = ("table", "version", "log_head", "undo", "seat", "taken_back")
"""What of a view belongs to the table rather than to the position."""


def positions() -> list[Any]:
    return [pytest.param(game, seats, id=f"{game.key}-{seats}") for game in GAMES.values() for seats in game.seats]


def forked(origin: Table, viewer: Viewer, seed: int, *, exact: bool = False) -> Ledger:
    """The ledger of a fork."""
    secret = server_seed(1000 + seed)
    drafts = fork(origin, viewer, player="0", server_seed=secret, exact=exact, rng=Random(seed))
    ledger = Ledger.__new__(Ledger)
    ledger.server_seed, ledger.games, ledger.events = secret, dict(GAMES), []
    ledger.table = Table(id=TABLE, games=GAMES)
    ledger.append(drafts, "player:0")
    ledger.game_seed = _game_seed(ledger)
    return ledger


def _game_seed(ledger: Ledger) -> bytes:
    return game_seed(ledger.server_seed, TABLE, [""] * len(ledger.table.desk.seats))


def shown(table: Table, viewer: Viewer) -> bytes:
    body = view(table, viewer)
    return canonical({name: value for name, value in body.items() if name not in PASSING})


@pytest.mark.parametrize(("game", "seats"), positions())
def test_a_fork_of_a_running_game_is_what_the_forker_knows_and_no_more(game: Game, seats: int) -> None:
    for seed in seeds(3):
        with replayable(__file__, seed):
            rng = Random(seed)
            ledger = Ledger(game, seats, seed)
            ledger.play_on(rng, rng.randint(1, 60))
            if not ledger.to_act:
                continue
            viewers: list[Viewer] = [None, *range(seats)]
            for viewer in rng.sample(viewers, 2):
                made = forked(ledger.table, viewer, seed)
                assert made.table.holder is None
                mine = shown(ledger.table, viewer) if ledger.table.holder is None else None
                assert mine is None or shown(made.table, viewer) == mine
                hidden = fact_view(made.rules, made.events[-1].fact, viewer)
                assert set(hidden) == {"origin", "at", "exact", "start_seat"}
                plays_on(made, rng)


def plays_on(ledger: Ledger, rng: Random) -> None:
    """The fork is a game like any other: playable, loadable, and its record verifies."""
    ledger.play_on(rng, 25)
    mapper = EventMapper(compressor=PresetZlib(), games=GAMES)
    loaded = [mapper.to_domain_event(mapper.to_stored_event(event)) for event in ledger.events]
    assert loaded == ledger.events
    found = audit(TABLE, GAMES, loaded, ledger.server_seed)
    assert found.verified, found.checks


@pytest.mark.parametrize(("game", "seats"), positions())
def test_what_the_forker_may_not_know_varies(game: Game, seats: int) -> None:
    ledger = Ledger(game, seats, 5)
    ledger.play_on(Random(5), 6)
    states = {repr(forked(ledger.table, None, seed).state) for seed in range(8)}
    assert len(states) > 1


@pytest.mark.parametrize(("game", "seats"), positions())
def test_a_finished_game_is_forked_exactly(game: Game, seats: int) -> None:
    ledger = Ledger(game, seats, 6)
    ledger.play_on(Random(6), 20)
    made = forked(ledger.table, 0, 1, exact=True)
    assert made.table.play.state == ledger.table.seen_by(0).state
    assert made.table.play.memory == ledger.table.seen_by(0).memory
    plays_on(made, Random(6))


def test_a_fork_has_its_own_luck_and_its_own_record() -> None:
    ledger = Ledger(GAMES["pasha"], 2, 6)
    first, second = (forked(ledger.table, 0, seed, exact=True) for seed in (1, 2))
    for made in (first, second):
        made.play_on(Random(1), 40)
    assert first.events[0].fact.commitment != second.events[0].fact.commitment
    assert first.table.play.state != second.table.play.state


def test_a_fork_is_written_as_any_record() -> None:
    ledger = Ledger(GAMES["roeko"], 2, 6)
    made = forked(ledger.table, 0, 1)
    again = write(
        [], table=TABLE, version=0, digest=bytes(32), server_seed=made.server_seed, by="x", at=START, command=""
    )
    assert again == ()
    assert [event.topic for event in made.events] == ["table.Opened", "table.Started", "table.Forked"]
