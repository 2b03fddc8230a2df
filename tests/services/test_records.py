"""Whole records over HTTP: audit, export, import; what a file must be, and what a table made of one is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from tempfile import NamedTemporaryFile
from typing import Any
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.record import Draft, canonical, chained, salt, write
from infra import signing
from services import verify
from tests.every import ALL_GAMES
from tests.services.conftest import api_over
from tests.services.helpers import Api, Caller, play_out, problem
from tests.services.test_agreements import END, ROLL, mark, seal
from tests.services.test_moderation import ended, leads, listed
from tests.services.test_time_travel import insert
from tests.toys.dicey import Marked
from workers import scoring

NDJSON = "application/x-ndjson"
FORGER = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
HEADER = {"format", "game", "rules", "table", "commitment", "events", "head", "key", "signature", "marks"}


def export(caller: Caller, table: str) -> bytes:
    content: bytes = caller.get(f"/v1/tables/{table}/export", expect=200).data
    return content


def take_in(caller: Caller, content: bytes, *, key: str | None = None, mimetype: str = NDJSON, **kwargs: Any) -> Any:
    headers = {"Idempotency-Key": key} if key is not None else {}
    return caller.call("POST", "/v1/imports", data=content, content_type=mimetype, headers=headers, **kwargs)


@pytest.fixture(scope="module")
def sealed(toys: Api) -> tuple[list[Caller], str, bytes]:
    """The players of a sealed game of dice with an undone step and a correction, its table, and its file."""
    callers = [toys.player(name) for name in ("Ada", "Bob")]
    table = toys.table(*callers, game="dicey")
    callers[0].act(table, mark(2), expect=201)
    callers[0].undo(table, expect=201)
    callers[0].act(table, mark(1), expect=201)
    start = callers[0].act(table, ROLL, expect=201).json["version"]
    callers[0].act(table, END, expect=201)
    body = {"version": toys.public().view(table)["version"], "to": start, "reason": "Ää: „so“"}
    toys.moderator().post(f"/v1/tables/{table}/truncate", body, expect=201)
    while (view := callers[0].view(table))["status"] == "running":
        callers[view["to_act"][0]].act(table, END, expect=201)
    scoring.score(toys.context, UUID(table))
    seal(toys, table)
    return callers, table, export(callers[0], table)


@pytest.fixture(scope="module")
def elsewhere(postgres: Any) -> Iterator[Api]:
    """Another server, with a key of its own."""
    name = postgres.create()
    with api_over(postgres.url_of(name), ALL_GAMES) as made:
        yield made
    postgres.drop(name)


def test_an_audit_finds_every_check_right_and_is_made_once_a_version(toys: Api) -> None:
    ada, bob = toys.player("Ada"), toys.player("Bob")
    table = toys.table(ada, bob, game="dicey")
    for step in (mark(1), ROLL, mark(2)):
        ada.act(table, step, expect=201)
        audits = [each.get(f"/v1/tables/{table}/audit", expect=200).json for each in (ada, bob, toys.public())]
        assert audits[0] == audits[1] == audits[2]
        assert audits[0]["verified"]
        assert {check["name"] for check in audits[0]["checks"]} == {"order", "commitment", "digests", "data", "play"}
        assert audits[0]["seed"] is None
    assert audits[0]["commitment"] == ada.get(f"/v1/tables/{table}").json["commitment"]
    assert audits[0]["head"] == bob.view(table)["log_head"]["digest"], "no further than everybody sees"
    kept = toys.context.database.query("SELECT version FROM audits WHERE table_id = %s", (table,))
    assert len(kept) == 2, "the marks were not public yet"


def test_a_forged_event_is_named_and_while_the_game_runs_nothing_more_is_told(toys: Api) -> None:
    ada, bob = toys.player("Ada"), toys.player("Bob")
    table = toys.table(ada, bob, game="dicey")
    loaded = toys.context.tables.load(UUID(table))
    (event,) = write(
        [Draft(Marked(seat=0, value=7), seat=0, action={"type": "mark", "value": 7}, barrier=True)],
        table=loaded.id,
        version=loaded.version,
        digest=loaded.digest,
        server_seed=bytes(32),
        by=f"player:{ada.id}",
        at=toys.context.now(),
        command="0" * 32,
    )
    insert(toys, table, event.written, event.topic)
    audit = bob.get(f"/v1/tables/{table}/audit", expect=200).json
    assert not audit["verified"]
    failed = {check["name"]: check["detail"] for check in audit["checks"] if not check["ok"]}
    assert failed == {"digests": f"event {event.version}", "play": f"event {event.version}"}


def test_nothing_is_exported_before_the_seal_nor_to_strangers(toys: Api) -> None:
    callers, table, _ = ended(toys, 2, private=True)
    problem(callers[0].get(f"/v1/tables/{table}/export"), "not-found", 404)
    seal(toys, table)
    callers[0].get(f"/v1/tables/{table}/export", expect=200)
    problem(toys.player("Eve").get(f"/v1/tables/{table}/export"), "not-found", 404)
    problem(toys.public().get(f"/v1/tables/{table}/export"), "not-found", 404)
    problem(toys.public().get(f"/v1/tables/{UUID(int=9)}/export"), "not-found", 404)


def test_an_export_is_a_header_and_a_line_an_event(toys: Api, sealed: tuple[list[Caller], str, bytes]) -> None:
    callers, table, content = sealed
    answer = toys.public().get(f"/v1/tables/{table}/export", expect=200)
    assert answer.data == content, "the same for everybody, whenever"
    assert answer.content_type == NDJSON
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{table}.ndjson"'
    header, *lines = [json.loads(line) for line in content.splitlines()]
    assert set(header) == HEADER
    assert (header["format"], header["game"], header["rules"], header["table"]) == ("turnkeeper/1", "dicey", 1, table)
    assert (header["events"], header["marks"]) == (len(lines), {})
    assert header["commitment"] == callers[0].get(f"/v1/tables/{table}").json["commitment"]
    assert header["head"] == lines[-1]["digest"] == callers[0].get(f"/v1/tables/{table}/audit").json["head"]
    record = toys.context.tables.recorded(UUID(table))
    assert [(line["version"], line["digest"]) for line in lines] == [(e.version, e.digest.hex()) for e in record]
    assert [canonical(line["event"]) for line in lines] == [event.written for event in record]
    log = callers[0].get(f"/v1/tables/{table}/events?limit=500").json["items"]
    assert [line["event"]["data"] for line in lines] == [entry["data"] for entry in log], "nothing is redacted"


def test_an_export_of_an_import_is_the_same_file_but_for_its_marks(
    toys: Api, elsewhere: Api, sealed: tuple[list[Caller], str, bytes]
) -> None:
    _, _, content = sealed
    header, rest = content.split(b"\n", 1)
    for server, origin in ((toys, "signed"), (elsewhere, "unsigned")):
        reader, file = server.player("Reader"), content
        for _ in ("imported", "exported and imported again"):
            made = take_in(reader, file, expect=201)
            table = made.json["id"]
            assert made.headers["Location"] == f"/v1/tables/{table}"
            file = export(server.public(), table)
            marked, same = file.split(b"\n", 1)
            assert same == rest
            assert json.loads(marked) == json.loads(header) | {"marks": {"imported": True, "origin": origin}}
        assert verify_file(file) == 0


@pytest.fixture(autouse=True)
def _toys_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "GAMES", ALL_GAMES)


def verify_file(content: bytes, key: str = "") -> int:
    """The status of our verifier for a file."""
    with NamedTemporaryFile(suffix=".ndjson") as file:
        file.write(content)
        file.flush()
        return verify.main(file.name, key)


def test_an_imported_table_is_read_only_and_nobodys(toys: Api, sealed: tuple[list[Caller], str, bytes]) -> None:
    callers, original, content = sealed
    reader, judge = toys.player("Reader"), toys.moderator()
    table = take_in(reader, content, expect=201).json["id"]
    assert table != original
    toys.follow()
    for caller in (reader, callers[0], toys.public()):
        resource = caller.get(f"/v1/tables/{table}", expect=200).json
        assert (resource["status"], resource["imported"]) == ("finished", {"table": original, "origin": "signed"})
        assert [seat["player"] for seat in resource["seats"]] == [None, None]
        view = caller.view(table)
        assert (view["seat"], view["actions"], view["to_act"]) == (None, [], [])
        assert view["state"] == callers[0].view(original)["state"]
        assert caller.get(f"/v1/tables/{table}/result").json["winners"] == resource["result"]["winners"]
        assert caller.get(f"/v1/tables/{table}/audit").json["verified"]
    result = toys.public().get(f"/v1/tables/{table}/result").json
    first = toys.public().get(f"/v1/tables/{original}/result").json
    assert [line["player"] for line in result["seats"]] == [None, None]
    assert [line["total"] for line in result["seats"]] == [line["total"] for line in first["seats"]]
    version = reader.view(table)["version"]
    for caller in (reader, callers[0]):
        body = {"version": version, "action": END}
        problem(caller.post(f"/v1/tables/{table}/actions", body), "forbidden", 403)
        problem(caller.delete(f"/v1/tables/{table}/seats/me"), "forbidden", 403)
        problem(caller.post(f"/v1/tables/{table}/seats"), "table-not-running", 409)
    body = {"version": version, "to": version - 1, "reason": "no"}
    problem(judge.post(f"/v1/tables/{table}/truncate", body), "table-not-running", 409)
    assert [each["id"] for each in callers[0].get("/v1/me/turns").json["items"]].count(table) == 0


def test_an_imported_result_counts_nowhere(elsewhere: Api, toys: Api) -> None:
    callers, table, _ = ended(toys, 2)
    seal(toys, table)
    content = export(callers[0], table)
    assert listed(callers[0]) == [(table, True)]
    for server in (toys, elsewhere):
        take_in(server.player("Reader"), content, expect=201)
        server.follow()
    assert listed(callers[0]) == [(table, True)]
    assert leads(callers[0])
    assert elsewhere.public().get("/v1/leaderboards/dicey").json["items"] == []
    problem(elsewhere.public().get(f"/v1/players/{callers[0].id}/results"), "not-found", 404)


def test_an_import_is_made_once_a_key(toys: Api, sealed: tuple[list[Caller], str, bytes]) -> None:
    _, _, content = sealed
    reader = toys.player("Reader")
    first = take_in(reader, content, key="file", expect=201)
    before = toys.everything()
    again = take_in(reader, content, key="file", expect=201)
    assert again.json == first.json
    assert toys.everything() == before
    problem(take_in(reader, content + b" ", key="file"), "idempotency-mismatch", 409)
    problem(reader.post("/v1/tables", {"game": "dicey", "seats": []}, key="file"), "invalid-request", 422)
    other = take_in(toys.player("Other"), content, key="file", expect=201)
    unkeyed = take_in(reader, content, expect=201)
    assert len({each.json["id"] for each in (first, other, unkeyed)}) == 3


Change = Callable[[list[dict[str, Any]]], Any]


def forged(content: bytes, change: Change, *, digests: bool = True, sign: bool = True) -> bytes:
    """The file with a change, and all that whoever knows the disclosed seed can make fit: digests, head, signature."""
    header, *lines = [json.loads(line) for line in content.splitlines()]
    seed = bytes.fromhex(lines[-1]["event"]["data"]["server_seed"])
    change(lines)
    digest = bytes(32)
    for line in lines if digests else ():
        digest = chained(digest, salt(seed, line["version"]), canonical(line["event"]))
        line["digest"] = digest.hex()
    header |= {"events": len(lines), "head": lines[-1]["digest"]}
    if sign:
        message = signing._message(UUID(header["table"]), lines[-1]["version"], bytes.fromhex(header["head"]))
        public = FORGER.public_key().public_bytes_raw().hex()
        header |= {"key": public, "signature": FORGER.sign(message).hex()}
    return b"".join(canonical(line) + b"\n" for line in (header, *lines))


def line_of(content: bytes, topic: str) -> int:
    """The number of the first line with an event of a type."""
    return next(n for n, line in enumerate(content.splitlines(), 1) if f'"type":"{topic}"'.encode() in line)


def first(lines: list[dict[str, Any]], topic: str) -> dict[str, Any]:
    event: dict[str, Any] = next(line["event"] for line in lines if line["event"]["type"] == topic)
    return event


FORGERIES: list[tuple[str, str, str, Change]] = [
    ("a changed die", "dicey.Rolled", "play", lambda ls: first(ls, "dicey.Rolled")["data"].update(dice=[6, 7])),
    ("an illegal action", "dicey.Marked", "play", lambda ls: first(ls, "dicey.Marked")["action"].update(value=3)),
    ("a wrong score", "table.Scored", "play", lambda ls: first(ls, "table.Scored")["data"]["sheet"].update(winners=[])),
    ("another end", "table.Ended", "play", lambda ls: first(ls, "table.Ended")["data"].update(reason="bored")),
    ("another seed", "table.Opened", "commitment", lambda ls: ls[-1]["event"]["data"].update(server_seed="00" * 32)),
    ("no seed at all", "table.Sealed", "seal", lambda ls: ls[-1]["event"]["data"].update(server_seed="never")),
    ("an unknown type", "dicey.Rolled", "types", lambda ls: first(ls, "dicey.Rolled").update(type="os.system")),
    ("a path to code", "dicey.Rolled", "types", lambda ls: first(ls, "dicey.Rolled").update(type="os:system")),
    ("another table's type", "dicey.Rolled", "play", lambda ls: first(ls, "dicey.Rolled").update(
        type="roeko.TurnPassed", data={"seat": 0, "next_seat": 1, "reason": None})),
    ("a field too many", "dicey.Rolled", "format", lambda ls: first(ls, "dicey.Rolled").update(more=1)),
    ("a fact with too much", "dicey.Rolled", "types", lambda ls: first(ls, "dicey.Rolled")["data"].update(more=1)),
    ("a fact with too little", "dicey.Rolled", "types", lambda ls: first(ls, "dicey.Rolled")["data"].pop("dice")),
    ("a later schema", "dicey.Rolled", "types", lambda ls: first(ls, "dicey.Rolled").update(schema=9)),
    ("a text for a number", "dicey.Marked", "types", lambda ls: first(ls, "dicey.Marked")["data"].update(value="1")),
    ("a missing event", "dicey.Rolled", "order", lambda ls: ls.remove(
        next(line for line in ls if line["event"]["type"] == "dicey.Rolled"))),
    ("another game", "table.Opened", "game", lambda ls: first(ls, "table.Opened")["data"].update(game="chess")),
    ("rules to come", "table.Opened", "rules", lambda ls: first(ls, "table.Opened")["data"].update(rules=99)),
    ("an empty seat spelled out", "table.Opened", "format", lambda ls: first(ls, "table.Opened").update(seat=None)),
    ("a time of another form", "dicey.Rolled", "format", lambda ls: first(ls, "dicey.Rolled").update(
        at="2027-01-01T00:00:00Z")),
    ("an event of another's command", "dicey.SetUp", "play", lambda ls: first(ls, "dicey.SetUp").update(by="clock")),
]  # fmt: skip


@pytest.mark.parametrize(("topic", "check", "change"), [pytest.param(*rest, id=name) for name, *rest in FORGERIES])
def test_a_forger_who_knows_the_seed_and_signs_is_refused_at_the_line_and_check(
    elsewhere: Api, sealed: tuple[list[Caller], str, bytes], topic: str, check: str, change: Change
) -> None:
    _, _, content = sealed
    line = line_of(content, topic)
    before = elsewhere.everything()
    reader = elsewhere.player("Reader")
    document = problem(take_in(reader, forged(content, change), key="forged"), "invalid-request", 422)
    (where,) = document["errors"]
    assert document["errors"][where][0].startswith(f"{check}: "), document
    exact = check in ("order", "types", "format", "seal", "commitment") or topic in ("table.Scored", "table.Ended")
    assert where == ("line 1" if check in ("game", "rules") else f"line {line}") or not exact, document
    after = elsewhere.everything()
    assert all(after[name] == before[name] for name in ("events", "commands", "table_secrets"))
    take_in(reader, content, key="forged", expect=201)


def test_a_forger_without_a_signature_is_refused_at_the_header(
    elsewhere: Api, sealed: tuple[list[Caller], str, bytes]
) -> None:
    _, _, content = sealed
    harmless = forged(content, lambda lines: lines[2]["event"].update(by="player:somebody"), sign=False)
    document = problem(take_in(elsewhere.player("Reader"), harmless), "invalid-request", 422)
    assert list(document["errors"]) == ["line 1"]
    assert document["errors"]["line 1"][0].startswith("signature: ")


def test_a_true_record_that_somebody_else_signed_is_taken_as_unsigned(
    toys: Api, sealed: tuple[list[Caller], str, bytes]
) -> None:
    _, _, content = sealed
    made = take_in(toys.player("Reader"), forged(content, lambda lines: None), expect=201).json
    assert made["imported"]["origin"] == "unsigned"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"{}",
        b"{}\n",
        b"null\n",
        b'{"format":"turnkeeper/9"}\n',
        b"\xff\xfe\n",
        b"\x1f\x8b\x08\n",
        b"[" * 9999,
    ],
    ids=lambda content: repr(content[:12]),
)
def test_what_is_no_record_is_refused_at_line_one(toys: Api, content: bytes) -> None:
    document = problem(take_in(toys.player("Reader"), content), "invalid-request", 422)
    assert list(document["errors"]) == ["line 1"]


def test_other_content_types_are_refused_by_name(toys: Api, sealed: tuple[list[Caller], str, bytes]) -> None:
    _, _, content = sealed
    reader = toys.player("Reader")
    for mimetype in ("application/json", "multipart/form-data; boundary=x", "text/html"):
        document = problem(take_in(reader, content, mimetype=mimetype), "invalid-request", 422)
        assert list(document["errors"]) == ["Content-Type"]
    for mimetype in (NDJSON, "application/octet-stream", f"{NDJSON}; charset=utf-8"):
        take_in(reader, content, mimetype=mimetype, expect=201)


def test_a_file_that_is_too_large_is_refused_before_it_is_read(
    make_api: Any, sealed: tuple[list[Caller], str, bytes]
) -> None:
    _, _, content = sealed
    with make_api(games=ALL_GAMES, max_import_bytes=len(content)) as api:
        reader = api.player("Reader")
        problem(take_in(reader, content + b"\n"), "payload-too-large", 413)
        take_in(reader, content, expect=201)


def test_only_players_import(toys: Api, sealed: tuple[list[Caller], str, bytes]) -> None:
    problem(take_in(toys.public(), sealed[2]), "unauthenticated", 401)


def test_a_whole_game_of_the_registry_makes_the_round_trip(toys: Api, elsewhere: Api) -> None:
    callers = [toys.player("Ada"), toys.player("Bob")]
    table = toys.table(*callers, game="roeko")
    play_out(callers, table, Random(5))
    scoring.score(toys.context, UUID(table))
    seal(toys, table)
    content = export(callers[0], table)
    assert verify_file(content) == 0
    made = take_in(elsewhere.player("Reader"), content, expect=201).json["id"]
    assert export(elsewhere.public(), made).split(b"\n", 1)[1] == content.split(b"\n", 1)[1]
    assert elsewhere.public().view(made)["state"] == callers[0].view(table)["state"] | {}
    for at in range(1, 40, 7):
        there, here = (server.public().view(each, f"?at={at}") for server, each in ((elsewhere, made), (toys, table)))
        assert there["state"] == here["state"]


def test_verifying_a_file_offline_prints_every_check_or_the_first_that_fails(
    sealed: tuple[list[Caller], str, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str], toys: Api
) -> None:
    _, table, content = sealed
    key = toys.context.signer.public_key
    assert verify_file(content, key) == 0
    said = capsys.readouterr().out
    for check in ("order", "commitment", "digests", "data", "play", "signature"):
        assert f"ok     {check}: " in said
    assert f"table {table}" in said
    line = line_of(content, "dicey.Rolled")
    rows = content.split(b"\n")
    rows[line - 1] = rows[line - 1].replace(b'"seat":0', b'"seat":1', 1)
    assert verify_file(b"\n".join(rows)) == 1
    said = capsys.readouterr().out
    assert f"line {line}, digests: event {line - 1}" in said
    assert verify_file(content, "00" * 32) == 1
    assert "signature" in capsys.readouterr().out
    assert verify.main(str(tmp_path / "missing.ndjson")) == 1
    assert "missing.ndjson" in capsys.readouterr().out
    assert verify.main("") == 1
