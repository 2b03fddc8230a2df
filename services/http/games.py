"""Routes of the games on offer."""

from __future__ import annotations

from typing import Any

from apiflask import APIBlueprint

from domain import refusals
from domain.game import Game
from services.http import answers
from services.http.asking import context
from services.http.documents import route

routes = APIBlueprint("games", __name__, tag="Games")


@routes.get("/v1/games")
@routes.output(answers.GamesOut)
@route()
def games() -> Any:
    """All games that can be played here."""
    return {"items": [_shown(game) for game in context().games.values()], "next": None}


@routes.get("/v1/games/<string:game>")
@routes.output(answers.GameOut)
@route("not-found")
def game(game: str) -> Any:
    """One game: seats, options, bots."""
    found = context().games.get(game)
    if found is None:
        raise refusals.NotFound("no such game")
    return _shown(found)


def _shown(game: Game) -> dict[str, Any]:
    return {
        "id": game.key,
        "title": dict(game.title),
        "seats": {"min": game.seats[0], "max": game.seats[-1]},
        "options": game.options_schema(),
        "bots": sorted(game.bots),
    }
