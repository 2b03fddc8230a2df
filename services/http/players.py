"""Routes of players: registering, who am I, a new token, being forgotten."""

from __future__ import annotations

from typing import Any

from apiflask import APIBlueprint

from services import players
from services.http import answers, requests
from services.http.asking import context, key, player
from services.http.documents import NEEDS_PLAYER, route

routes = APIBlueprint("players", __name__, tag="Players")


@routes.post("/v1/players")
@routes.input(requests.RegisterIn, arg_name="body")
@routes.output(answers.NewPlayerOut, status_code=201)
@route("idempotency-mismatch", keyed=True)
def register(body: dict[str, Any]) -> Any:
    """Register a player."""
    made, token = players.register(context(), body["name"], key())
    return {"id": made.id, "name": made.name, "token": token}


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
