"""The loader gives what folding the whole record gives, at every version, warm and cold; appends are exclusive."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from uuid import UUID, uuid4

import pytest

from domain import play
from domain.desk import Truncated
from domain.game import Game
from domain.record import Draft
from domain.table import Table
from infra.database import Database
from infra.event_store import CommandRepeated, CommandRow, VersionTaken, body_hash, command_id
from infra.loader import NoSuchTable
from infra.tables import Tables
from tests.every import ALL_GAMES, replayable, seeds
from tests.ledger import START, Ledger


@pytest.fixture(scope="module")
def database(module_database: Database) -> Database:
    return module_database


@pytest.fixture
def tables(database: Database) -> Tables:
    return Tables(database, ALL_GAMES, snapshot_interval=7)


def store(tables: Tables, ledger: Ledger) -> UUID:
    """Put a ledger's record into the store under an id of its own."""
    table_id = uuid4()
    tables.database.execute("INSERT INTO table_secrets VALUES (%s, %s)", (table_id, ledger.server_seed))
    tables.save(*(replace(event, table=table_id) for event in ledger.events))
    return table_id


def same(loaded: Table, folded: Table) -> bool:
    """Equal in all but the id."""
    rules = loaded.rules
    return replace(loaded, id=folded.id, games=folded.games, rules=None) == replace(folded, rules=None) and (
        (rules is None) == (folded.rules is None)
    )


def turbulent(game: Game, seats: int, seed: int, commands: int = 60) -> Ledger:
    """A game with undos, redos and truncations by a moderator, some of them deep, some onto cut branches."""
    rng = Random(seed)
    ledger = Ledger(game, seats, seed)
    for _ in range(commands):
        table = ledger.table
        if not ledger.to_act:
            break
        if table.holder is not None and rng.random() < 0.3:
            offer = play.undo_options(table, table.holder)
            targets = [*offer["to"], *([offer["redo"]] if offer["redo"] else [])]
            ledger.undo(table.holder, rng.choice(targets))
        elif rng.random() < 0.06:
            ends = [event.version for event in ledger.events if event.barrier and event.version < table.play.version]
            if ends:
                ledger.truncate(rng.choice(ends))
        else:
            ledger.play_on(rng, 1)
    return ledger


def games_to_load() -> list[Game]:
    return list(ALL_GAMES.values())


@pytest.mark.parametrize("game", games_to_load(), ids=lambda game: game.key)
def test_loading_equals_folding_at_every_version(tables: Tables, game: Game) -> None:
    for seed in seeds(4):
        with replayable(__file__, seed):
            ledger = turbulent(game, game.seats[0], seed)
            table_id = store(tables, ledger)
            versions = list(range(1, len(ledger.events) + 1))
            Random(seed).shuffle(versions)  # snapshots are made as it comes
            for version in versions:
                assert same(tables.load_at(table_id, version), ledger.at(version)), f"version {version}"
            assert same(tables.load(table_id), ledger.table)


@pytest.mark.parametrize("game", games_to_load(), ids=lambda game: game.key)
def test_a_cached_table_comes_up_to_date_over_every_kind_of_event(tables: Tables, game: Game) -> None:
    for seed in seeds(4):
        with replayable(__file__, seed):
            ledger = turbulent(game, game.seats[-1], seed)
            table_id = uuid4()
            tables.database.execute("INSERT INTO table_secrets VALUES (%s, %s)", (table_id, ledger.server_seed))
            rng = Random(seed)
            at = 0
            while at < len(ledger.events):
                upto = min(len(ledger.events), at + rng.randint(1, 5))
                tables.save(*(replace(event, table=table_id) for event in ledger.events[at:upto]))
                at = upto
                assert same(tables.load(table_id), ledger.at(upto)), f"version {upto}"


def test_snapshots_are_used_and_one_of_another_shape_is_not(tables: Tables, database: Database) -> None:
    ledger = turbulent(ALL_GAMES["roeko"], 3, 1)
    table_id = store(tables, ledger)
    assert same(tables.load(table_id), ledger.table)
    kept = database.query("SELECT version FROM snapshots WHERE table_id = %s", (table_id,))
    assert kept
    database.execute("UPDATE snapshots SET state = 'broken' WHERE table_id = %s", (table_id,))
    with pytest.raises(Exception, match=r"JSON|malformed|decode"):
        Tables(database, ALL_GAMES).load(table_id)
    database.execute("UPDATE snapshots SET schema = 'older' WHERE table_id = %s", (table_id,))
    assert same(Tables(database, ALL_GAMES).load(table_id), ledger.table)


def test_an_unknown_table_and_a_version_to_come_are_named(tables: Tables) -> None:
    with pytest.raises(NoSuchTable):
        tables.load(uuid4())
    ledger = Ledger(ALL_GAMES["dicey"], 2)
    table_id = store(tables, ledger)
    with pytest.raises(NoSuchTable):
        tables.load_at(table_id, len(ledger.events) + 1)


@pytest.fixture
def other(database: Database) -> Tables:
    """A second process's view of the same store, with its own cache."""
    return Tables(database, ALL_GAMES)


def row(key: str) -> CommandRow:
    return CommandRow(command_id("me", key), body_hash(b""), None, 0, 0, "act")


def test_two_processes_with_cached_tables_can_not_append_onto_a_truncated_position(
    tables: Tables, other: Tables
) -> None:
    ledger = Ledger(ALL_GAMES["dicey"], 2, start_seat=0)
    table_id = store(tables, ledger)
    mine, theirs = tables.load(table_id), other.load(table_id)
    rolled = play.act(mine, 0, {"type": "roll"}, play.chance_of(mine, ledger.server_seed))
    after, _ = tables.append(mine, rolled, by="player:0", at=START, command="a", row=row("a"))
    cut = [Draft(Truncated(to=mine.version, reason="moderation"), barrier=True, action={"type": "moderation"})]
    tables.append(after, cut, by="moderator:m", at=START, command="b", row=row("b"))
    stale = play.act(theirs, 0, {"type": "mark", "value": 1}, play.chance_of(theirs, ledger.server_seed))
    with pytest.raises(VersionTaken):
        other.append(theirs, stale, by="player:0", at=START, command="c", row=row("c"))
    assert other.load(table_id).version == after.version + 1
    assert other.load(table_id).play.state == mine.play.state


def test_a_command_is_appended_once(tables: Tables) -> None:
    ledger = Ledger(ALL_GAMES["dicey"], 2, start_seat=0)
    table = tables.load(store(tables, ledger))
    drafts = play.act(table, 0, {"type": "roll"}, play.chance_of(table, ledger.server_seed))
    after, events = tables.append(table, drafts, by="player:0", at=START, command="a", row=row("once"))
    kept = tables.command("me", "once")
    assert kept is not None
    assert (kept.first_version, kept.version, kept.table_id) == (events[0].version, events[-1].version, table.id)
    again = play.act(after, 0, {"type": "end_turn"}, play.chance_of(after, ledger.server_seed))
    with pytest.raises(CommandRepeated):
        tables.append(after, again, by="player:0", at=START, command="a", row=row("once"))
    assert len(tables.recorded(table.id)) == events[-1].version


def test_encrypted_events_are_read_with_the_key_alone(database: Database) -> None:
    key = "c2l4dGVlbiBieXRlcyEhIQ=="
    sealed = Tables(database, ALL_GAMES, cipher_key=key)
    ledger = Ledger(ALL_GAMES["veiled"], 2)
    table_id = store(sealed, ledger)
    assert same(sealed.load(table_id), ledger.table)
    stored = database.query("SELECT state FROM events WHERE originator_id = %s", (table_id,))
    assert not any(b"veiled" in bytes(each["state"]) for each in stored)
    with pytest.raises(Exception, match="can't be read"):
        Tables(database, ALL_GAMES).load(table_id)
