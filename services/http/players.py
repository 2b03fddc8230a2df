"""Routes of players: registering, who am I, a new token, being forgotten."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from apiflask import APIBlueprint

from domain import refusals
from services import platforms, players
from services.http import answers, requests
from services.http.asking import context, key, platform, player, the_platform
from services.http.documents import NEEDS_PLATFORM, NEEDS_PLAYER, PLATFORM_OR_PUBLIC, route

routes = APIBlueprint("players", __name__, tag="Players")


@routes.post("/v1/players")
@routes.input(requests.RegisterIn, arg_name="body")
@routes.output(answers.NewPlayerOut, status_code=201)
@route("forbidden", "idempotency-mismatch", security=PLATFORM_OR_PUBLIC, keyed=True)
def register(body: dict[str, Any]) -> Any:
    """Register a player: open to all, or to platforms alone."""
    _may_register()
    by = platform()
    made, token = players.register(context(), body["name"], key(), platform=by.id if by else None)
    return {"id": made.id, "name": made.name, "token": token}


def _may_register() -> None:
    if context().settings.registration == "platform" and platform() is None:
        raise refusals.Forbidden("players are registered by platforms here")


@routes.post("/v1/players/<uuid:player_id>/token")
@routes.input(requests.NothingIn, arg_name="body")
@routes.output(answers.TokenOut, status_code=201)
@route("forbidden", "not-found", "idempotency-mismatch", security=NEEDS_PLATFORM, keyed=True)
def issue_token(player_id: UUID, body: dict[str, Any]) -> Any:
    """For platforms: a new token for one of its players; the old one dies."""
    return {"token": platforms.issue_token(context(), the_platform(), player_id, key())}


@routes.delete("/v1/players/<uuid:player_id>/token")
@routes.output({}, status_code=204)
@route("forbidden", "not-found", security=NEEDS_PLATFORM)
def revoke_token(player_id: UUID) -> Any:
    """For platforms: end the token of one of its players."""
    platforms.revoke_token(context(), the_platform(), player_id)
    return ""


@routes.get("/v1/me")
@routes.output(answers.PlayerOut)
@route(security=NEEDS_PLAYER)
def me() -> Any:
    """The player whose token this is."""
    return player()


@routes.delete("/v1/me")
@routes.output({}, status_code=204)
@route(security=NEEDS_PLAYER, keyed=True)
def erase() -> Any:
    """Forget my name and my token; the record keeps the id."""
    key()
    players.erase(context(), player())
    return ""


@routes.post("/v1/me/token")
@routes.input(requests.NothingIn, arg_name="body")
@routes.output(answers.NewPlayerOut, status_code=201)
@route("idempotency-mismatch", security=NEEDS_PLAYER, keyed=True)
def renew_token(body: dict[str, Any]) -> Any:
    """A new token for me; the old one dies."""
    me = player()
    return {"id": me.id, "name": me.name, "token": players.renew_token(context(), me, key())}
