"""Routes of agreeing and of moderation: take-backs, proposals, a moderator's corrections."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from apiflask import APIBlueprint

from services import agreements, moderation, reading
from services.commands import Outcome
from services.http import answers, requests
from services.http.asking import command, context, key, player
from services.http.documents import NEEDS_PLAYER, route

routes = APIBlueprint("agreements", __name__, tag="Agreements")

REFUSALS = ("forbidden", "not-found", "stale-version", "table-not-running", "idempotency-mismatch")


@routes.post("/v1/tables/<uuid:table_id>/takebacks")
@routes.input(requests.TakeBackIn, arg_name="body")
@routes.output(answers.ProposedOut, status_code=201)
@route(*REFUSALS, security=NEEDS_PLAYER, keyed=True)
def take_back(table_id: UUID, body: dict[str, Any]) -> Any:
    """Ask the other people to go back behind a confirmed turn."""
    reading.visit(context(), player(), table_id)
    return _proposed(agreements.ask_take_back(context(), player(), table_id, **body, key=key()))


@routes.post("/v1/tables/<uuid:table_id>/takebacks/<int:number>")
@routes.input(requests.AnswerIn, arg_name="body")
@routes.output(answers.ProposedOut, status_code=201)
@route(*REFUSALS, security=NEEDS_PLAYER, keyed=True)
def answer_take_back(table_id: UUID, number: int, body: dict[str, Any]) -> Any:
    """Accept or refuse to go back; once everybody has accepted, the play stands as it stood."""
    return _answered(table_id, number, body)


@routes.post("/v1/tables/<uuid:table_id>/proposals")
@routes.input(requests.ProposeIn, arg_name="body")
@routes.output(answers.ProposedOut, status_code=201)
@route(*REFUSALS, security=NEEDS_PLAYER, keyed=True)
def propose(table_id: UUID, body: dict[str, Any]) -> Any:
    """After somebody was warned for not acting: give the game up, or let a bot play on for the absent seat."""
    reading.visit(context(), player(), table_id)
    return _proposed(agreements.propose(context(), player(), table_id, **body, key=key()))


@routes.post("/v1/tables/<uuid:table_id>/proposals/<int:number>")
@routes.input(requests.AnswerIn, arg_name="body")
@routes.output(answers.ProposedOut, status_code=201)
@route(*REFUSALS, security=NEEDS_PLAYER, keyed=True)
def answer(table_id: UUID, number: int, body: dict[str, Any]) -> Any:
    """Accept or refuse what was proposed."""
    return _answered(table_id, number, body)


def _answered(table_id: UUID, number: int, body: dict[str, Any]) -> Any:
    reading.visit(context(), player(), table_id)
    return _proposed(agreements.answer(context(), player(), table_id, number, **body, key=key()))


def _proposed(outcome: Outcome) -> dict[str, Any]:
    return reading.done(context(), command(outcome), player()) | agreements.proposal_of(outcome)


@routes.post("/v1/tables/<uuid:table_id>/truncate")
@routes.input(requests.TruncateIn, arg_name="body")
@routes.output(answers.DoneOut, status_code=201)
@route(*REFUSALS, security=NEEDS_PLAYER, keyed=True)
def truncate(table_id: UUID, body: dict[str, Any]) -> Any:
    """For moderators: let the play stand again as it stood right after a version."""
    reading.visit(context(), player(), table_id)
    outcome = moderation.truncate(context(), player(), table_id, **body, key=key())
    return reading.done(context(), command(outcome), player())


@routes.post("/v1/tables/<uuid:table_id>/abandon")
@routes.input(requests.AbandonIn, arg_name="body")
@routes.output(answers.DoneOut, status_code=201)
@route("forbidden", "not-found", "table-not-running", "idempotency-mismatch", security=NEEDS_PLAYER, keyed=True)
def abandon(table_id: UUID, body: dict[str, Any]) -> Any:
    """For moderators: end a game without a result, or annul a sealed one."""
    reading.visit(context(), player(), table_id)
    outcome = moderation.abandon(context(), player(), table_id, **body, key=key())
    return reading.done(context(), command(outcome), player())
