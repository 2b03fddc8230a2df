"""The service itself: alive, ready, degraded, without a database; and the document that describes it."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest

from infra.redis import Wakeups
from infra.settings import Settings
from services.context import connect
from services.http.app import create_app
from services.http.problems import PROBLEMS
from tests.services.conftest import api_over
from tests.services.helpers import Api, Caller, problem


def test_a_living_process_says_so(api: Api) -> None:
    assert api.public().get("/healthz", expect=200).json == {"status": "ok"}


def test_without_a_broker_the_service_is_degraded_but_ready(api: Api) -> None:
    assert api.public().get("/readyz", expect=200).json == {"status": "degraded", "degraded": ["broker"]}


def test_with_a_broker_and_rows_at_hand_it_is_ready(database_url: str, redis_url: str) -> None:
    with api_over(database_url, redis_url=redis_url) as api:
        assert api.public().get("/readyz", expect=200).json == {"status": "ok", "degraded": []}


def test_rows_that_lag_behind_are_reported(own_api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    own_api.table(own_api.player(), own_api.player())
    monkeypatch.setattr("services.health.LAG", 2)
    assert "lag" in own_api.public().get("/readyz").json["degraded"]
    own_api.follow()
    time.sleep(0.6)  # positions of partitions without news are written twice a second
    own_api.follow()
    assert "lag" not in own_api.public().get("/readyz").json["degraded"]


def test_a_broker_that_is_lost_is_reported(database_url: str, redis_url: str) -> None:
    with api_over(database_url, redis_url=redis_url) as api:
        object.__setattr__(api.context, "wakeups", Wakeups("redis://127.0.0.1:1"))
        assert api.public().get("/readyz").json["degraded"] == ["broker"]


@pytest.fixture
def nowhere() -> Caller:
    """The public before a service whose database does not answer: a port that accepts, and says nothing."""
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    chosen = Settings(database_url=f"postgresql://nobody@127.0.0.1:{port}/none", database_timeout=1.0)
    context = connect(chosen)
    yield Caller(Api(create_app(context=context), context, None), None)  # type: ignore[arg-type]
    listener.close()
    context.database.close()


def test_without_a_database_every_answer_is_soon_a_problem_but_for_being_alive(nowhere: Caller) -> None:
    nowhere.get("/healthz", expect=200)
    token = {"Authorization": "Bearer tk_somebody"}
    table = "/v1/tables/00000000-0000-4000-8000-000000000000"
    calls: list[Callable[[], Any]] = [
        lambda: nowhere.get("/readyz"),
        lambda: nowhere.post("/v1/players", {"name": "Ada"}),
        lambda: nowhere.get(table),
        lambda: nowhere.get(f"{table}/view"),
        lambda: nowhere.get("/v1/tables"),
        lambda: nowhere.get("/v1/me", headers=token),
        lambda: nowhere.post(f"{table}/actions", {"version": 1, "action": {"type": "pass"}}, key="k"),
    ]
    for call in calls[:-1]:
        before = time.monotonic()
        answer = call()
        assert time.monotonic() - before < 30  # a bound that shows it does not hang; the time-out is a setting
        problem(answer, "unavailable", 503)
        assert int(answer.headers["Retry-After"]) >= 1
    problem(calls[-1](), "unauthenticated", 401)


def document(api: Api) -> dict[str, Any]:
    found: dict[str, Any] = api.public().get("/openapi.json", expect=200).json
    return found


def test_the_document_is_openapi_3_1_and_describes_every_route(api: Api) -> None:
    described = document(api)
    assert described["openapi"].startswith("3.1")
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in api.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if not rule.rule.startswith(("/docs", "/openapi", "/static"))
    }
    assert {(path, method) for path, methods in described["paths"].items() for method in methods} == routes
    assert described["components"]["securitySchemes"]["player"]["scheme"] == "bearer"


def test_every_answer_of_the_document_has_a_body_described_or_none(api: Api) -> None:
    for path, methods in document(api)["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (path, method)
            assert {"500", "503"} <= set(operation["responses"]) or path == "/healthz"
            for status, response in operation["responses"].items():
                assert "X-Request-Id" in response["headers"]
                if status not in ("204", "304"):
                    assert response["content"], (path, method, status)


def test_problems_are_described_with_an_example_that_fits(api: Api) -> None:
    schemas = document(api)["components"]["schemas"]
    for slug in PROBLEMS:
        name = "Problem" + "".join(word.capitalize() for word in slug.split("-"))
        assert schemas[name]["properties"]["type"] == {"const": f"/problems/{slug}"}


def test_the_documentation_page_asks_no_other_host_for_anything(api: Api) -> None:
    page = api.public().get("/docs", expect=200).text
    asked = re.findall(r"""(?:src|href)=["']([^"']+)""", page)
    assert asked
    for path in asked:
        assert path.startswith("/"), path
        assert api.public().get(path, expect=200).data
    spoken = re.sub(r"^\s*//.*$", "", page, flags=re.MULTILINE)
    assert not re.search(r"https?://(?!www\.w3\.org)", spoken)
