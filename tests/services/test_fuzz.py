"""Calls that nobody thought of, made of the OpenAPI document: one by one, and one going on from another's answer."""

from __future__ import annotations

import itertools
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import FlakyStrategyDefinition, Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.generation.stateful import run_state_machine_as_test
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from domain.registry import GAMES
from services.http.links import LINKS, TABLE
from tests.every import replayable, seeds
from tests.services.helpers import ME, OPEN, Api, bot

CHECKED = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)


MADE_ONLY = settings(database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
"""Calls are made, and neither kept nor shortened."""

ENDLESS = "/v1/tables/{table_id}/stream"
LAST = {("delete", "/v1/me"), ("post", "/v1/me/token")}
"""After these the caller's token is no longer good: they are called by somebody new each time."""


@pytest.mark.parametrize("mode", GenerationMode)
def test_no_call_made_of_the_document_brings_about_a_fault_or_an_undocumented_answer(
    own_api: Api, mode: GenerationMode
) -> None:
    ada, bob = own_api.player("Ada"), own_api.player("Bob")
    tables = (own_api.table(ada, bob), ada.post("/v1/tables", {"game": "roeko", "seats": [ME, OPEN]}).json["id"])
    own_api.follow()
    schema = schemathesis.openapi.from_wsgi("/openapi.json", own_api.app)
    calls = itertools.count()

    def fuzz(operation: Any) -> None:
        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(MADE_ONLY, max_examples=6, derandomize=True)
        def call(case: Any) -> None:
            number = next(calls)
            if "table_id" in (case.path_parameters or {}) and number % 3:
                case.path_parameters["table_id"] = tables[number % 2]
            caller = own_api.player() if (operation.method, operation.path) in LAST else (ada, bob)[number % 2]
            headers = {"Authorization": f"Bearer {caller.token}"} if number % 4 else {}
            case.call_and_validate(headers=headers, checks=CHECKED)

        call()

    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.path == ENDLESS:
            continue
        try:
            fuzz(operation)
        except Unsatisfiable:
            assert mode is GenerationMode.NEGATIVE, "a call without anything to get wrong"
    assert next(calls) > 50


CHAINS = 15

WISHES = (
    {"game": "roeko", "seats": [ME, OPEN], "start_seat": 0},
    {"game": "mottainai", "seats": [ME, bot()], "start_seat": 0},
    {"game": "pasha", "seats": [ME, bot(), OPEN], "start": "manual"},
    {"game": "transatlantic", "seats": [OPEN, ME], "private": True, "start_seat": 1},
)


def test_no_calls_that_go_on_from_answers_bring_about_a_fault_or_an_undocumented_answer(own_api: Api) -> None:
    """Chains along the document's links: tables opened, joined, played, taken back, given up, in any order, by three
    people who do not agree on whose turn it is."""
    people = [own_api.player(name) for name in ("Ada", "Bob", "Eve")]
    answered: Counter[str] = Counter()
    luck, faults = Random(), list[Exception]()
    schema = (
        schemathesis.openapi.from_wsgi("/openapi.json", own_api.app)
        .include(path_regex="^/v1/(tables|me/turns)")
        .exclude(path=ENDLESS)
    )

    class Platform(schema.as_state_machine()):  # type: ignore[misc]
        def setup(self) -> None:
            """Three tables that run, of a game each; Ada's turn."""
            luck.seed(chain)
            self.caller = people[0]
            self.tables = [own_api.table(*people[:2], game=game) for game in luck.sample(sorted(GAMES), 3)]
            own_api.follow()

        def before_call(self, case: Any) -> None:
            """Sense in half of the calls: a table that there is, wishes that can be met, actions of who is to act."""
            if luck.random() < 0.3:
                self.caller = luck.choice(people)
            if luck.random() < 0.4:
                return
            if case.path_parameters.get("table_id") not in self.tables:
                case.path_parameters["table_id"] = luck.choice(self.tables)
            if case.operation.label == "POST /v1/tables":
                case.body = dict(luck.choice(WISHES))
            if case.operation.label in (f"POST {TABLE}/actions", f"POST {TABLE}/undo"):
                self.means_it(case)

        def means_it(self, case: Any) -> None:
            for self.caller in people:
                view = self.caller.get(f"/v1/tables/{case.path_parameters['table_id']}/view").json
                if view.get("actions"):
                    chosen = {"action": luck.choice(view["actions"])} if case.operation.path.endswith("actions") else {}
                    case.body = {"version": view["version"], **chosen}
                    return

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"headers": {"Authorization": f"Bearer {self.caller.token}"}}

        def after_call(self, response: Any, case: Any) -> None:
            own_api.follow()
            if response.status_code == 201 and "id" in (made := response.json()):
                self.tables.append(made["id"])
            answered[f"{case.operation.label} {response.status_code}"] += 1

        def validate_response(self, response: Any, case: Any, **_: Any) -> None:
            try:
                case.validate_response(response, checks=CHECKED)
            except FailureGroup as found:
                faults.extend(found.exceptions)

    # One chain a run: what earlier chains left behind looks to Hypothesis like data made anew each time.
    for chain in seeds(CHAINS):
        with replayable(__file__, chain), suppress(FlakyStrategyDefinition):
            run_state_machine_as_test(
                seed(chain)(Platform),
                settings=settings(
                    MADE_ONLY, max_examples=2, stateful_step_count=30
                ),  # the first is always the simplest
            )
        assert not faults, chain
    gone = {name for name in LINKS if answered[name]}
    assert len(seeds(CHAINS)) < CHAINS or gone >= {
        "POST /v1/tables 201",
        "GET /v1/tables/{table_id}/view 200",
        "POST /v1/tables/{table_id}/actions 201",
        "POST /v1/tables/{table_id}/undo 201",
    }, answered


def test_every_link_of_the_document_leads_from_an_answer_to_a_call(own_api: Api) -> None:
    document = own_api.public().get("/openapi.json", expect=200).json
    named = {operation["operationId"] for path in document["paths"].values() for operation in path.values()}
    links = [
        link
        for path in document["paths"].values()
        for operation in path.values()
        for answer in operation["responses"].values()
        for link in answer.get("links", {}).values()
    ]
    assert len(links) == sum(map(len, LINKS.values()))
    assert {link["operationId"] for link in links} <= named
