"""Three of each process on one database: whoever is asked answers alike, and work is shared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import psycopg
import pytest

from projections.partitions import LOCKS, OWNED
from tests.person import Person
from tests.running import Running, eventually, running

pytestmark = pytest.mark.timeout(300)

OWNERS = (
    "SELECT pid, objid::int - %s FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = %s"
    " AND objsubid = 2 AND objid::int BETWEEN %s AND %s"
)


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    counts = {"api": 3, "follower": 3, "worker": 3, "sweep": 2}
    with running(counts=counts, SWEEP_INTERVAL="1") as made:
        yield made


def owners(service: Running) -> dict[int, list[int]]:
    """Who follows which partitions: connections and what they hold."""
    with psycopg.connect(service.database.url, autocommit=True) as db:
        rows = db.execute(OWNERS, (OWNED, LOCKS, OWNED, OWNED + 15)).fetchall()
    found: dict[int, list[int]] = {}
    for pid, partition in rows:
        found.setdefault(pid, []).append(partition)
    return found


def shared_by(service: Running, followers: int) -> bool:
    """Whether so many followers have all partitions between them, none of them more than its share."""
    found = owners(service)
    partitions = sorted(each for held in found.values() for each in held)
    share = -(-16 // followers)
    return partitions == list(range(16)) and len(found) == followers and max(map(len, found.values())) <= share


def connections(service: Running, name: str) -> int:
    with psycopg.connect(service.database.url, autocommit=True) as db:
        found = db.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", (name,)).fetchone()
    assert found is not None
    return int(found[0])


def test_followers_share_all_partitions_and_take_over_from_one_that_dies(service: Running) -> None:
    eventually(lambda: shared_by(service, 3))
    victim = service.those("follower")[0]
    with service.without(victim):
        service.kill(victim)
        eventually(lambda: shared_by(service, 2))
    eventually(lambda: shared_by(service, 3))


def test_every_api_answers_what_another_has_just_recorded(service: Running) -> None:
    ada = service.person("Ada")
    table = ada.open("roeko", bots=["automa"], start_seat=0)
    asked: Counter[int] = Counter()
    for number in range(30):
        view = ada.view(table)
        if not view["actions"]:
            eventually(lambda: ada.view(table)["actions"] or ada.view(table)["status"] != "running")
            continue
        one, other = number % 3, (number + 1) % 3
        body = {"version": view["version"], "action": Random(number).choice(view["actions"])}
        status, answer = ada.call("POST", f"/v1/tables/{table}/actions", body, turn=one)
        assert status == 201, answer
        seen = ada.call("GET", f"/v1/tables/{table}/view", turn=other)[1]
        assert seen["version"] >= answer["version"]
        if seen["version"] == answer["version"]:
            assert seen == answer["view"]
            asked[other] += 1
    assert set(asked) == {0, 1, 2}


def test_a_key_sent_to_two_apis_is_carried_out_once(service: Running) -> None:
    ada = service.person("Ada")
    table = ada.open("roeko", bots=["automa"], start_seat=0)
    view = ada.view(table)
    body = {"version": view["version"], "action": view["actions"][0]}
    answers = [ada.call("POST", f"/v1/tables/{table}/actions", body, "the-same-key", turn) for turn in range(3)]
    assert [status for status, _ in answers] == [201, 201, 201]
    assert len({str(answer["events"]) for _, answer in answers}) == 1


def test_many_games_of_bots_are_played_by_all_workers_to_their_seals(service: Running) -> None:
    ada = service.person("Ada")
    tables = [_bots(ada, seats) for seats in (2, 3, 2, 3, 2, 3, 2, 3)]
    for table in tables:
        result: dict[str, Any] = eventually(lambda table=table: ada.call("GET", f"/v1/tables/{table}")[1]["result"])
        assert result["seats"]
    assert connections(service, "turnkeeper-worker") >= 3, "each worker has taken something up"


def _bots(ada: Person, seats: int) -> str:
    wish = {"game": "roeko", "seats": [{"kind": "bot", "bot": "random"}] * seats}
    table: str = ada.insist("POST", "/v1/tables", wish)[1]["id"]
    return table
