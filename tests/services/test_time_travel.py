"""`view?at=`: every version as its viewer saw it then, cut branches too; and records that break off."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any
from uuid import UUID

import psycopg
import pytest

from domain import viewing
from domain.record import Draft, canonical, write
from domain.registry import GAMES
from domain.table import BrokenRecord, fold
from tests.every import ALL_GAMES, replayable, seeds
from tests.services.helpers import Api, Caller, end_turn, problem
from tests.toys.dicey import Marked
from workers import scoring

PLAYED = ("dicey", "veiled", "parry", *GAMES)


def by_domain(api: Api, table: str, version: int, viewer: int | None) -> Any:
    """A viewer's view at a version, folded from the first event, no loader between."""
    table_id = UUID(table)
    shown = viewing.view(fold(table_id, api.context.games, api.context.tables.recorded(table_id, 0, version)), viewer)
    head = shown["log_head"]
    head["signature"] = api.context.signer.sign(table_id, head["version"], bytes.fromhex(head["digest"]))
    return json.loads(canonical(shown))


def played(api: Api, game: str, seats: int, rng: Random, steps: int) -> tuple[list[Caller], str, dict[int, list[Any]]]:
    """A game with undos, redos and a moderator's corrections, and what each viewer, the public last, saw then."""
    callers = [api.player(f"p{n}") for n in range(seats)]
    table = api.table(callers[0], *callers[1:], game=game)
    judge = api.moderator()
    seen: dict[int, list[Any]] = {}
    for _ in range(steps):
        seen[api.versions(table)[-1]] = [each.view(table) for each in (*callers, api.public())]
        public = seen[api.versions(table)[-1]][-1]
        if public["status"] != "running":
            break
        seat = rng.choice(public["to_act"])
        own = seen[api.versions(table)[-1]][seat]
        if own["undo"]["redo"] and rng.random() < 0.5:
            callers[seat].undo(table, own["undo"]["redo"], expect=201)
        elif own["undo"]["allowed"] and rng.random() < 0.3:
            callers[seat].undo(table, expect=201)
        elif rng.random() < 0.08:
            barriers = [event.version for event in api.context.tables.recorded(UUID(table)) if event.barrier]
            if len(barriers) > 1:
                body = {"version": public["version"], "to": rng.choice(barriers[:-1]), "reason": "to try"}
                judge.post(f"/v1/tables/{table}/truncate", body, expect=201)
        else:
            callers[seat].act(table, rng.choice(own["actions"]), expect=201)
    return callers, table, seen


@pytest.mark.parametrize("game", PLAYED)
def test_every_version_shows_again_what_each_viewer_saw_then(toys: Api, game: str) -> None:
    for seed in seeds(1):
        with replayable(__file__, seed):
            callers, table, seen = played(toys, game, 2, Random(seed), 40)
            viewers = (*callers, toys.public())
            for version, views in seen.items():
                for caller, then in zip(viewers, views, strict=True):
                    answer = caller.get(f"/v1/tables/{table}/view?at={version}")
                    if answer.status_code == 404:
                        assert caller.view(table)["version"] < version, "only what is hidden still"
                    else:
                        assert answer.json == then


@pytest.mark.parametrize("game", PLAYED)
def test_every_version_equals_the_domain_alone(toys: Api, game: str) -> None:
    """In the middle of a command, where nobody was ever shown anything, it is that before the command."""
    callers, table, _ = played(toys, game, 2, Random(7), 25)
    record = toys.context.tables.recorded(UUID(table))
    begins = [event.version for event in record if event.action is not None]
    for viewer, caller in ((0, callers[0]), (1, callers[1]), (None, toys.public())):
        for version in range(1, caller.view(table)["version"] + 1):
            whole = version
            if version < len(record) and version + 1 not in begins:
                whole = max(begun for begun in begins if begun <= version) - 1
            if whole > 0:
                assert caller.view(table, f"?at={version}") == by_domain(toys, table, whole, viewer), version


def test_a_version_that_is_hidden_or_not_there_yet_is_not_found(toys: Api) -> None:
    ada, bob = toys.player("Ada"), toys.player("Bob")
    table = toys.table(ada, bob, game="dicey")
    start = ada.view(table)["version"]
    ada.act(table, {"type": "mark", "value": 1}, expect=201)
    assert ada.view(table, f"?at={start + 1}")["state"]["marks"] == 1
    for other in (bob, toys.public()):
        problem(other.get(f"/v1/tables/{table}/view?at={start + 1}"), "not-found", 404)
        assert other.view(table, f"?at={start}")["version"] == start
    problem(ada.get(f"/v1/tables/{table}/view?at={start + 2}"), "not-found", 404)
    for bad in ("-1", "x", "1.5", "9" * 30):
        problem(ada.get(f"/v1/tables/{table}/view?at={bad}"), "invalid-request", 422)


def test_both_branches_of_a_cut_stay_readable_and_keep_apart(toys: Api) -> None:
    ada, bob = toys.player("Ada"), toys.player("Bob")
    table = toys.table(ada, bob, game="dicey")
    start = ada.view(table)["version"]
    ada.act(table, {"type": "mark", "value": 1}, expect=201)
    first = ada.view(table)
    ada.undo(table, expect=201)
    ada.act(table, {"type": "mark", "value": 2}, expect=201)
    ada.act(table, {"type": "end_turn"}, expect=201)
    assert ada.view(table, f"?at={first['version']}") == first
    assert bob.view(table, f"?at={first['version']}")["version"] == start, "nobody else ever saw it"
    assert bob.view(table)["state"]["points"] == [2, 0]


def test_a_sealed_game_is_read_to_its_last_event(toys: Api) -> None:
    callers, table, _ = played(toys, "dicey", 2, Random(3), 400)
    scoring.score(toys.context, UUID(table))
    scored = callers[0].view(table)
    newest = toys.versions(table)[-1]
    assert callers[0].view(table, f"?at={newest}") == scored
    assert scored["status"] == "finished"
    problem(callers[0].get(f"/v1/tables/{table}/view?at={newest + 1}"), "not-found", 404)


def test_who_has_resigned_reads_earlier_versions_as_the_public_does(toys: Api) -> None:
    ada, bob, cy = (toys.player(name) for name in ("Ada", "Bob", "Cy"))
    table = toys.table(ada, bob, cy, game="dicey")
    ada.act(table, {"type": "mark", "value": 1}, expect=201)
    marked = ada.view(table)["version"]
    ada.delete(f"/v1/tables/{table}/seats/me")
    assert ada.view(table, f"?at={marked}") == toys.public().view(table, f"?at={marked}")


Break = Callable[[Api, str], str]


def insert(api: Api, table: str, written: bytes, topic: str) -> None:
    """Put an event behind the record past every check, as the owner of the database could."""
    loaded = api.context.tables.load(UUID(table))
    mapper = api.context.tables.mapper
    state = bytes(32) + (mapper.compressor.compress(written) if mapper.compressor else written)
    with psycopg.connect(api.context.settings.database_url or "") as owner:
        owner.execute(
            "INSERT INTO events (originator_id, originator_version, topic, state) VALUES (%s, %s, %s, %s)",
            (table, loaded.version + 1, topic, state),
        )


def unknown_topic(api: Api, table: str) -> str:
    insert(api, table, b'{"type":"dicey.Exploded"}', "dicey.Exploded")
    return "dicey.Exploded"


def torn_bytes(api: Api, table: str) -> str:
    insert(api, table, b'{"type":"dicey.Mark', "dicey.Marked")
    return "dicey.Marked"


def unfit_fact(api: Api, table: str) -> str:
    """A fact of a known type with a text for a number."""
    loaded = api.context.tables.load(UUID(table))
    (event,) = write(
        [Draft(Marked(seat=0, value="x"), seat=0, action={"type": "mark"}, barrier=True)],  # type: ignore[arg-type]
        table=loaded.id,
        version=loaded.version,
        digest=loaded.digest,
        server_seed=bytes(32),
        by="system",
        at=api.context.now(),
        command="0" * 32,
    )
    insert(api, table, event.written, event.topic)
    return "dicey.Marked"


def nowhere(api: Api, table: str) -> str:
    """A correction that goes back to a version that never was."""
    written = (
        b'{"action":{"reason":"","to":9999,"type":"truncate"},"at":"2027-01-01T00:00:00.000000Z","barrier":true,'
        b'"by":"moderator:m","command":"00","data":{"reason":"moderation","to":9999},"schema":1,"type":"table.Truncated"}'
    )
    insert(api, table, written, "table.Truncated")
    return "9999"


@pytest.mark.parametrize(
    ("spoil", "cached"), [(unknown_topic, True), (torn_bytes, False), (unfit_fact, True), (nowhere, False)]
)
def test_a_broken_record_opens_read_only_before_the_event_that_fails(toys: Api, spoil: Break, cached: bool) -> None:
    ada, bob, judge = toys.player("Ada"), toys.player("Bob"), toys.moderator()
    table = toys.table(ada, bob, game="dicey")
    ada.act(table, {"type": "mark", "value": 1}, expect=201)
    ada.act(table, {"type": "end_turn"}, expect=201)
    toys.follow()
    sound, said = bob.view(table), spoil(toys, table)
    if not cached:
        toys.restart()
    for _ in ("before the follower came by", "after"):
        broken = bob.view(table)
        assert broken["version"] == sound["version"]
        assert broken["state"] == sound["state"]
        assert (broken["status"], broken["to_act"], broken["actions"]) == ("finished", [], [])
        assert broken["undo"] == {"allowed": False, "reason": "table-not-running", "to": [], "redo": None}
        resource = bob.get(f"/v1/tables/{table}", expect=200).json
        assert (resource["status"], resource["closed"], resource["to_act"]) == ("finished", "broken", [])
        log = bob.get(f"/v1/tables/{table}/events", expect=200).json["items"]
        assert log[-1]["version"] == sound["version"]
        assert bob.view(table, f"?at={sound['version']}") == sound
        problem(bob.get(f"/v1/tables/{table}/view?at={sound['version'] + 1}"), "not-found", 404)
        problem(bob.get(f"/v1/tables/{table}/result"), "not-found", 404)
        problem(bob.get(f"/v1/tables/{table}/export"), "not-found", 404)
        toys.follow()
    version = sound["version"]
    for path, body in (
        ("actions", {"version": version, "action": {"type": "roll"}}),
        ("undo", {"version": version}),
        ("takebacks", {"version": version, "to": version - 1}),
    ):
        problem(bob.post(f"/v1/tables/{table}/{path}", body), "table-not-running", 409)
    problem(bob.delete(f"/v1/tables/{table}/seats/me"), "table-not-running", 409)
    for path, body in (
        ("truncate", {"version": version, "to": version - 1, "reason": "mend"}),
        ("abandon", {"reason": "mend"}),
    ):
        problem(judge.post(f"/v1/tables/{table}/{path}", body), "table-not-running", 409)
    assert toys.newest(table) == version + 1
    audit = bob.get(f"/v1/tables/{table}/audit", expect=200).json
    failed = [check for check in audit["checks"] if not check["ok"]]
    assert [(check["name"], check["detail"]) for check in failed] == [("record", f"event {version + 1}")]
    last = judge.get(f"/v1/tables/{table}/events?as=auditor", expect=200).json["items"][-1]
    assert (last["version"], last["type"]) == (version + 1, "broken")
    assert said in last["data"]["error"]
    with pytest.raises((BrokenRecord, ValueError), match=f"event {version + 1}"):
        fold(UUID(table), toys.context.games, toys.context.tables.recorded(UUID(table)))
    assert table not in [each["id"] for each in bob.get("/v1/me/turns").json["items"]]
    running = bob.get("/v1/tables?status=running", expect=200).json["items"]
    assert table not in [each["id"] for each in running]


def test_a_command_whose_event_broke_is_answered_without_a_fault(toys: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that don't know an event any more that they once wrote: the table opens before it, nothing is a 500."""
    ada, bob = toys.player("Ada"), toys.player("Bob")
    table = toys.table(ada, bob, game="dicey")
    body = {"version": ada.view(table)["version"], "action": {"type": "roll"}}
    first = ada.post(f"/v1/tables/{table}/actions", body, key="once", expect=201).json
    rules = ALL_GAMES["dicey"].rules[1]
    evolve = rules.evolve

    def forgetful(self: Any, state: Any, fact: Any) -> Any:
        if type(fact).__name__ == "Rolled":
            raise KeyError("what is a die?")
        return evolve(self, state, fact)

    monkeypatch.setattr(rules, "evolve", forgetful)
    toys.restart()
    view = ada.view(table)
    assert (view["version"], view["status"]) == (first["version"] - 1, "finished")
    problem(ada.post(f"/v1/tables/{table}/actions", body, key="once"), "table-not-running", 409)
    monkeypatch.undo()
    toys.restart()
    assert ada.view(table) == first["view"], "right again, it plays on"
    end_turn(ada, table)
