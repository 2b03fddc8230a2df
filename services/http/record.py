"""Routes of the record and what came of it: log, result, players' results, leaderboards."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from apiflask import APIBlueprint

from services import listing, moderation, reading
from services.http import answers, requests
from services.http.asking import asker, context, player
from services.http.documents import NEEDS_PLAYER, PLAYER_OR_PUBLIC, route
from services.http.requests import QUERY

routes = APIBlueprint("record", __name__, tag="Record")


@routes.get("/v1/tables/<uuid:table_id>/events")
@routes.input(requests.EventsQuery, **QUERY)
@routes.output(answers.EventsOut)
@route("not-found", "forbidden", security=PLAYER_OR_PUBLIC)
def events(table_id: UUID, query: dict[str, Any]) -> Any:
    """The log, as I may read it."""
    if (cursor := query.pop("cursor")) is not None:
        query["after"] = cursor
    if query.pop("as_") is None:
        items, after = reading.events(context(), asker(), table_id, **query)
    else:
        page = {"after": query["after"], "limit": query["limit"]}
        items, after = moderation.read_log(context(), asker(), table_id, **page)
    return {"items": items, "next": None if after is None else str(after)}


@routes.get("/v1/tables/<uuid:table_id>/result")
@routes.input(requests.TableQuery, **QUERY)
@routes.output(answers.ResultOut)
@route("not-found", security=PLAYER_OR_PUBLIC)
def result(table_id: UUID, query: dict[str, Any]) -> Any:
    """The score sheet; not found before the game is scored."""
    return reading.result(context(), asker(), table_id, query["invitation"])


@routes.get("/v1/players/<uuid:player_id>/results")
@routes.input(requests.PageQuery, **QUERY)
@routes.output(answers.PlayerResultsOut)
@route("not-found")
def results(player_id: UUID, query: dict[str, Any]) -> Any:
    """A player's results, newest first."""
    return listing.results(context(), player_id, **query)


@routes.get("/v1/leaderboards/<string:game>")
@routes.input(requests.PageQuery, **QUERY)
@routes.output(answers.LeaderboardOut)
@route("not-found")
def leaderboard(game: str, query: dict[str, Any]) -> Any:
    """Players of a game by wins."""
    return listing.leaderboard(context(), game, **query)


@routes.get("/v1/me/turns")
@routes.output(answers.TablesOut)
@route(security=NEEDS_PLAYER)
def turns() -> Any:
    """The tables that wait for me, the longest waiting first."""
    return listing.turns(context(), player())
