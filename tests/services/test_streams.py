"""Pushes: tickets, what a stream tells whom, places, and what provisional steps may not betray."""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from domain import refusals
from infra.redis import Wakeups
from services import streams
from services.http.app import create_app
from services.players import Player
from services.streams import Hub, TooManyStreams
from tests.services.helpers import Api, Caller, end_turn


def listen(api: Api, caller: Caller | None, table: str, known: int | None = None) -> Iterator[dict[str, Any]]:
    """What a stream says, without the comments."""
    hub = Hub(Wakeups(None), 4)
    hub.enter(table)
    player = None if caller is None else Player(UUID(caller.id), None)
    for news in streams.follow(api.context, hub, player, UUID(table), known):
        if news.data is not None:
            yield json.loads(news.data)


def first(api: Api, caller: Caller | None, table: str) -> dict[str, Any]:
    return next(listen(api, caller, table))


def test_a_stream_says_at_once_where_the_table_stands(api: Api) -> None:
    ada, bob = api.player("Ada"), api.player("Bob")
    table = api.table(ada, bob)
    api.follow()
    assert first(api, ada, table) == {"version": ada.view(table)["version"], "to_act": [0], "status": "running"}


def test_what_only_its_own_seat_sees_moves_no_other_stream(api: Api) -> None:
    ada, bob = api.player("Ada"), api.player("Bob")
    table = api.table(ada, bob)
    api.follow()
    mine, theirs, publics = (listen(api, caller, table) for caller in (ada, bob, None))
    before = [next(stream) for stream in (mine, theirs, publics)]
    ada.act(table, expect=201)
    api.follow()
    assert next(mine)["version"] == before[0]["version"] + 1
    ada.undo(table, expect=201)
    api.follow()
    assert next(mine)["version"] == before[0]["version"] + 2
    end_turn(ada, table)
    api.follow()
    for stream in (theirs, publics):
        told = next(stream)
        assert told == {"version": bob.view(table)["version"], "to_act": [1], "status": "running"}


def test_who_knows_the_newest_version_is_told_nothing_until_the_next(api: Api) -> None:
    ada, bob = api.player("Ada"), api.player("Bob")
    table = api.table(ada, bob)
    api.follow()
    known = ada.view(table)["version"]
    told: list[dict[str, Any]] = []
    stream = listen(api, bob, table, known)
    listening = threading.Thread(target=lambda: told.append(next(stream)), daemon=True)
    listening.start()
    end_turn(ada, table)
    api.follow()
    listening.join(20)
    assert told[0]["version"] > known


def test_the_stream_over_http_is_server_sent_events(api: Api) -> None:
    ada, bob = api.player("Ada"), api.player("Bob")
    table = api.table(ada, bob)
    api.follow()
    answer = ada.get(f"/v1/tables/{table}/stream", expect=200, buffered=False)
    assert answer.mimetype == "text/event-stream"
    chunks = itertools.islice(answer.response, 2)
    text = b"".join(chunks).decode()
    version = ada.view(table)["version"]
    assert f"event: table\nid: {version}\ndata: " in text
    answer.close()


def test_a_ticket_opens_one_stream_within_its_time(make_api: Callable[..., Any]) -> None:
    with make_api() as api:
        ada, bob = api.player("Ada"), api.player("Bob")
        table = api.table(ada, bob, private=True)
        api.follow()
        ticket = ada.post("/v1/stream-tickets", expect=201).json
        assert ticket["expires_in"] == 30
        path = f"/v1/tables/{table}/stream?ticket={ticket['ticket']}"
        opened = api.public().get(path, expect=200, buffered=False)
        opened.close()
        api.public().get(path, expect=401)
        api.public().get(f"/v1/tables/{table}/stream?ticket=nonsense", expect=401)
        api.public().get(f"/v1/tables/{table}/stream", expect=404)
        assert ticket["ticket"] not in str(api.context.database.query("SELECT * FROM stream_tickets"))
        late = streams.issue_ticket(api.context, Player(UUID(ada.id), None))
        tomorrow = replace(api.context, now=lambda: datetime.now(UTC) + timedelta(seconds=31))
        with pytest.raises(refusals.Unauthenticated):
            streams.use_ticket(tomorrow, late.ticket)


def test_a_process_has_so_many_places_for_streams_and_no_more(make_api: Callable[..., Any]) -> None:
    with make_api(streams_per_process=1) as api:
        ada, bob = api.player("Ada"), api.player("Bob")
        table = api.table(ada, bob)
        api.follow()
        opened = ada.get(f"/v1/tables/{table}/stream", expect=200, buffered=False)
        refused = ada.get(f"/v1/tables/{table}/stream", expect=503)
        assert refused.json["type"] == "/problems/unavailable"
        assert refused.headers["Retry-After"]
        opened.close()
        ada.get(f"/v1/tables/{table}/stream", expect=200, buffered=False).close()


def test_without_places_there_are_no_streams() -> None:
    with pytest.raises(TooManyStreams):
        Hub(Wakeups(None), 0).enter("t")


def test_rows_of_a_table_wake_its_streams_and_no_others(redis_url: str) -> None:
    wakeups = Wakeups(redis_url)
    hub = Hub(wakeups, 4)
    hub.enter("a")
    hub.enter("b")
    deadline = time.monotonic() + 20
    marks = (0, 0)
    while hub.mark("a") == marks[0] and time.monotonic() < deadline:
        marks = (hub.mark("a"), hub.mark("b"))
        wakeups.publish("a c", channel="turnkeeper.rows")
        hub.wait("a", marks[0], 0.2)
    assert hub.mark("a") != marks[0]
    hub.leave("a")
    assert hub.mark("a") == 0


def test_a_stream_of_a_table_that_may_not_be_seen_is_not_found(api: Api) -> None:
    ada, bob, eve = api.player("Ada"), api.player("Bob"), api.player("Eve")
    table = api.table(ada, bob, private=True)
    api.follow()
    eve.get(f"/v1/tables/{table}/stream", expect=404)
    eve.get("/v1/tables/00000000-0000-4000-8000-000000000000/stream", expect=404)


def test_an_app_serves_streams_from_its_own_hub(api: Api) -> None:
    assert (
        create_app(context=api.context).extensions["turnkeeper-streams"]
        is not (api.app.extensions["turnkeeper-streams"])
    )
