"""Redis and the database go away while people play, and come back: what each loss costs, and what it does not."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any
from uuid import uuid4

import pytest

from tests.person import Person, exchange
from tests.running import Running, eventually, running

pytestmark = pytest.mark.timeout(300)

SLACK = 3.0
"""Seconds that a busy machine may take over the two that are promised."""


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with running(SWEEP_INTERVAL="1") as made:
        yield made


def ready(service: Running) -> dict[str, Any]:
    return exchange(service.addresses[0], "GET", "/readyz")[1]


def play_to_the_end(people: list[Person], table: str, rng: Random) -> int:
    """The people act until the game is over; returns how often."""
    acts = 0
    while True:
        for person in people:
            view = person.view(table)
            if view["status"] == "finished":
                return acts
            if view["actions"]:
                status, answer = person.act(table, view, rng.choice(view["actions"]))
                assert status == 201, answer
                acts += 1


def test_with_redis_stopped_two_people_play_a_whole_game(service: Running) -> None:
    ada, bob = service.person("Ada"), service.person("Bob")
    with service.without(service.broker):
        service.break_broker()
        eventually(lambda: "broker" in ready(service).get("degraded", ()))
        table = ada.open("roeko", opens=1)
        bob.join(table)
        assert play_to_the_end([ada, bob], table, Random(1)) > 20
        assert exchange(service.addresses[0], "GET", "/readyz")[0] == 200, "degraded is no reason to be taken out"
        assert ada.call("GET", f"/v1/tables/{table}")[1]["result"] is None, "nobody was told to score it"
    eventually(lambda: ready(service)["status"] == "ok")
    result = eventually(lambda: ada.call("GET", f"/v1/tables/{table}")[1]["result"])
    assert len(result["seats"]) == 2


def test_bots_go_on_by_themselves_when_redis_is_back(service: Running) -> None:
    ada = service.person("Ada")
    with service.without(service.broker):
        service.break_broker()
        table = ada.open("roeko", bots=["automa"], start_seat=1)
        time.sleep(0.5)
        assert ada.view(table)["actions"] == []
    eventually(lambda: ada.view(table)["actions"])


def test_redis_that_takes_calls_and_does_not_answer_stops_nobody(service: Running) -> None:
    ada, bob = service.person("Ada"), service.person("Bob")
    with service.frozen(service.broker):
        table = ada.open("pasha", opens=1)
        bob.join(table)
        for _ in range(10):
            for person in (ada, bob):
                view = person.view(table)
                if view["actions"]:
                    assert person.act(table, view, view["actions"][0])[0] == 201
    eventually(lambda: ready(service)["status"] == "ok")


def calls(service: Running, table: str) -> Iterator[tuple[str, str, Any]]:
    """Every operation of the published contract once, with parameters that exist."""
    contract = exchange(service.addresses[0], "GET", "/openapi.json")[1]
    for path, operations in contract["paths"].items():
        filled = path.replace("{table_id}", table).replace("{game}", "roeko").replace("{number}", "1")
        filled = re.sub(r"\{\w*(_id|id)\}", str(uuid4()), filled)
        filled = re.sub(r"\{\w+\}", "unavailable", filled)
        for method in operations.keys() & {"get", "post", "put", "patch", "delete"}:
            if not path.endswith("/stream"):
                yield method.upper(), filled, {} if method != "get" else None


def timely(person: Person, method: str, path: str, body: Any) -> int:
    """One call without a database; its status."""
    began = time.monotonic()
    status, answer = person.call(method, path, body)
    assert time.monotonic() - began < 2 + SLACK, f"{method} {path} is late"
    assert status == 503 or 200 <= status < 500, f"{method} {path}: {status} {answer}"
    if status >= 400:
        assert answer["type"].startswith("/problems/"), f"{method} {path}: {answer}"
        assert status != 503 or answer["type"] == "/problems/unavailable"
    return status


def test_without_a_database_every_answer_comes_in_time_as_a_problem(service: Running) -> None:
    ada = service.person("Ada")
    table = ada.open("roeko", bots=["automa"], start_seat=0)
    view = ada.view(table)
    operations = list(calls(service, table))
    assert len(operations) > 20
    with service.without(service.database):
        service.break_database()
        with ThreadPoolExecutor(6) as pool:
            answered = list(pool.map(lambda call: timely(ada, *call), operations))
        assert answered.count(503) > 15
        assert ada.call("POST", f"/v1/tables/{table}/actions", {"version": view["version"], "action": {}})[0] == 503
        assert exchange(service.addresses[0], "GET", "/healthz")[0] == 200
        assert exchange(service.addresses[0], "GET", "/readyz")[0] == 503
    eventually(lambda: exchange(service.addresses[0], "GET", "/readyz")[0] == 200)
    status, answer = ada.act(table, view, view["actions"][0])
    assert status == 201, answer


def test_an_action_sent_while_the_database_was_away_is_done_once_when_it_is_sent_again(service: Running) -> None:
    ada = service.person("Ada")
    table = ada.open("roeko", bots=["automa"], start_seat=0)
    view = ada.view(table)
    key, body = uuid4().hex, {"version": view["version"], "action": view["actions"][0]}
    path = f"/v1/tables/{table}/actions"
    with service.without(service.database):
        service.break_database()
        assert ada.call("POST", path, body, key)[0] == 503
    first = ada.insist("POST", path, body, key)
    again = ada.insist("POST", path, body, key)
    assert first[0] == again[0] == 201
    assert first[1]["events"] == again[1]["events"]
    versions = [each["version"] for each in first[1]["events"]]
    log = f"/v1/tables/{table}/events?after={view['version']}&limit=100"
    seen = eventually(lambda: ada.call("GET", log)[1]["items"])  # the follower has to find its way back as well
    assert [each["version"] for each in seen][: len(versions)] == versions
