"""Which calls go on from an answer, and with what of it: the links of the OpenAPI document, as data.

A link's parameters and body are runtime expressions of OpenAPI: values of the answer, or of the request behind it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Link:
    """`target`: "METHOD path". `parameters`: of its path. `body`: what it is sent; None: nothing follows for it."""

    target: str
    parameters: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] | None = None

    def described(self, operation_id: str) -> dict[str, Any]:
        """The Link Object."""
        found: dict[str, Any] = {"operationId": operation_id}
        if self.parameters:
            found["parameters"] = self.parameters
        if self.body is not None:
            found["requestBody"] = self.body
        return found


TABLE = "/v1/tables/{table_id}"
MADE = {"table_id": "$response.body#/id"}
SAME = {"table_id": "$request.path.table_id"}
NEXT = {"version": "$response.body#/version"}
AFTER = {"version": "$response.body#/view/version"}
ANSWERED = SAME | {"number": "$response.body#/number"}


def _opened(**more: Link) -> dict[str, Link]:
    """What can be done with a table that an answer has made."""
    return {
        "table": Link(f"GET {TABLE}", MADE),
        "view": Link(f"GET {TABLE}/view", MADE),
        "events": Link(f"GET {TABLE}/events", MADE),
        **more,
    }


def _done() -> dict[str, Link]:
    """What can follow on a command of play: the answer holds the view after it."""
    return {
        "act": Link(f"POST {TABLE}/actions", SAME, AFTER | {"action": "$response.body#/view/actions/0"}),
        "undo": Link(f"POST {TABLE}/undo", SAME, AFTER),
        "redo": Link(f"POST {TABLE}/undo", SAME, AFTER | {"to": "$response.body#/view/undo/redo"}),
        "view": Link(f"GET {TABLE}/view", SAME),
        "events": Link(f"GET {TABLE}/events", SAME),
        "take_back": Link(f"POST {TABLE}/takebacks", SAME, AFTER | {"to": "$response.body#/view/undo/to/0"}),
    }


LINKS: dict[str, dict[str, Link]] = {
    "POST /v1/tables 201": _opened(
        join=Link(f"POST {TABLE}/seats", MADE, {}),
        start=Link(f"POST {TABLE}/start", MADE, {}),
        leave=Link(f"DELETE {TABLE}/seats/me", MADE),
    ),
    f"POST {TABLE}/forks 201": _opened(),
    "POST /v1/imports 201": _opened(audit=Link(f"GET {TABLE}/audit", MADE)),
    f"GET {TABLE} 200": {
        name: Link(f"GET {TABLE}/{name}", SAME) for name in ("view", "events", "result", "audit", "export")
    },
    f"POST {TABLE}/start 201": {"view": Link(f"GET {TABLE}/view", SAME)},
    f"GET {TABLE}/view 200": {
        "act": Link(f"POST {TABLE}/actions", SAME, NEXT | {"action": "$response.body#/actions/0"}),
        "undo": Link(f"POST {TABLE}/undo", SAME, NEXT),
        "take_back": Link(f"POST {TABLE}/takebacks", SAME, NEXT | {"to": "$response.body#/undo/to/0"}),
        "propose": Link(f"POST {TABLE}/proposals", SAME, NEXT | {"kind": "cancel"}),
        "fork": Link(f"POST {TABLE}/forks", SAME, {"at": "$response.body#/log_head/version"}),
    },
    f"POST {TABLE}/actions 201": _done(),
    f"POST {TABLE}/undo 201": _done(),
    f"POST {TABLE}/takebacks 201": {"answer": Link(f"POST {TABLE}/takebacks/{{number}}", ANSWERED, {"accept": True})},
    f"POST {TABLE}/proposals 201": {"answer": Link(f"POST {TABLE}/proposals/{{number}}", ANSWERED, {"accept": True})},
    "GET /v1/me/turns 200": {"view": Link(f"GET {TABLE}/view", {"table_id": "$response.body#/items/0/id"})},
    "GET /v1/tables 200": {"table": Link(f"GET {TABLE}", {"table_id": "$response.body#/items/0/id"})},
    "POST /v1/players 201": {
        "results": Link("GET /v1/players/{player_id}/results", {"player_id": "$response.body#/id"})
    },
    "GET /v1/games 200": {"game": Link("GET /v1/games/{game}", {"game": "$response.body#/items/0/id"})},
}
"""Answer ("METHOD path status") → name → link."""
