"""What the others may decide about a seat that was warned for not acting."""

from __future__ import annotations

from uuid import UUID

import pytest

from domain import proposals
from services.commands import Call, carry_out
from tests.services.helpers import Api, problem
from tests.services.test_agreements import Three, turns


@pytest.fixture
def three(toys: Api) -> Three:
    return Three(toys)


def test_absence_proposals_wait_for_a_warning(three: Three) -> None:
    path = f"/v1/tables/{three.table}/proposals"
    body = {"version": three.now, "kind": "cancel"}
    problem(three.ada.post(path, body), "invalid-request", 422)
    problem(three.ada.post(path, {**body, "kind": "substitute", "absent": 1}), "invalid-request", 422)
    problem(three.ada.post(path, {**body, "kind": "take_back"}), "invalid-request", 422)
    problem(three.ada.post(path, {**body, "version": three.now - 1}), "stale-version", 409)
    problem(three.api.player("Eve").post(path, body), "forbidden", 403)


@pytest.mark.parametrize("kind", ["cancel", "substitute"])
def test_the_others_decide_what_happens_about_a_warned_seat(three: Three, kind: str) -> None:
    carry_out(three.api.context, UUID(three.table), Call("clock", "clock", "warn", [], None), proposals.warn)
    path = f"/v1/tables/{three.table}/proposals"
    body = {"version": three.now, "kind": kind, "absent": 1 if kind == "substitute" else None}
    problem(three.bob.post(path, body), "invalid-request", 422)
    asked = three.ada.post(path, body, expect=201).json
    assert (asked["status"], asked["view"]["proposals"][0]["waits_for"]) == ("open", [2])
    assert turns(three.cy) == [three.table]
    done = three.cy.post(f"{path}/1", {"accept": True}, expect=201).json
    assert done["status"] == "accepted"
    table = three.ada.get(f"/v1/tables/{three.table}").json
    if kind == "cancel":
        assert (table["status"], table["closed"]) == ("finished", "agreed")
        assert three.waiting() == [[], [], []]
    else:
        assert [seat["kind"] for seat in table["seats"]] == ["human", "bot", "human"]
        assert three.bob.view(three.table)["seat"] is None
    assert three.ada.get(f"/v1/tables/{three.table}/audit").json["verified"]
