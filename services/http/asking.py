"""Who asks, and in which words: token, idempotency key, and a body that is strict JSON, looked at before any route.

What a route demands is read from its own documentation, so that the document and the check can't differ.
"""

from __future__ import annotations

import json
import math
import re
from typing import NoReturn
from uuid import UUID

import structlog
from apiflask import APIFlask
from flask import current_app, g, request

from domain import refusals
from services import platforms, players
from services.commands import Outcome
from services.context import Context
from services.http.documents import NEEDS_PLATFORM, NEEDS_PLAYER
from services.http.problems import MalformedJson
from services.platforms import Platform
from services.players import Player

ACTING_FOR = "Turnkeeper-Player"
"""The header in which a platform names the player that it acts for."""

_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/=-]{1,512})", re.IGNORECASE)
_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_JSON = re.compile(r"application/(json|[a-z0-9.+-]+\+json)", re.IGNORECASE)


def context() -> Context:
    """The process's context."""
    found: Context = current_app.extensions["turnkeeper"]
    return found


def asker() -> Player | None:
    """The player who asks; None for the public."""
    player: Player | None = g.player
    return player


def platform() -> Platform | None:
    """The platform whose credential came along; None for everybody else."""
    found: Platform | None = g.platform
    return found


def the_platform() -> Platform:
    """The platform who asks, on a route for platforms only."""
    found: Platform = g.platform
    return found


def player() -> Player:
    """The player who asks, on a route for players only."""
    found: Player = g.player
    return found


def key() -> str | None:
    """The call's idempotency key; None without one.

    Raises:
        InvalidRequest: if it is not 1 to 255 visible ASCII characters.
    """
    given = request.headers.get("Idempotency-Key")
    if given is not None and not _KEY.fullmatch(given):
        wanted = "Must be 1 to 255 visible ASCII characters."
        raise refusals.InvalidRequest("the idempotency key can't be used", {"Idempotency-Key": [wanted]})
    return given


def register(app: APIFlask) -> None:
    """Check every request before its route is called."""
    app.before_request(_check)


def _check() -> None:
    g.player = g.platform = None
    if request.url_rule is None or request.method == "OPTIONS":
        return
    spec = getattr(current_app.view_functions[request.url_rule.endpoint], "_spec", {})
    if "security" in spec:
        _authenticate()
        if g.player is not None:
            structlog.contextvars.bind_contextvars(player=str(g.player.id))
        elif spec["security"] == NEEDS_PLAYER:
            named = f"; a platform names the player in the header {ACTING_FOR}" if g.platform else ""
            raise refusals.Unauthenticated(f"this call needs a player's bearer token{named}")
        if spec["security"] == NEEDS_PLATFORM and g.platform is None:
            raise refusals.Forbidden("this call is for platforms")
    for name, value in (request.view_args or {}).items():
        if isinstance(value, UUID):
            structlog.contextvars.bind_contextvars(**{name.removesuffix("_id"): str(value)})
    if request.args and not any(location == "query" for _, location in spec.get("args", ())):
        unknown = {name: ["Unknown field."] for name in request.args}
        raise refusals.InvalidRequest("this call takes no query", unknown)
    if "body" in spec:
        _check_json(request.get_data(cache=True))


def _authenticate() -> None:
    """Find out who asks: a player, or a platform, for itself or for one of its players."""
    header = request.headers.get("Authorization")
    acting_for = request.headers.get(ACTING_FOR)
    if header is None:
        if acting_for is not None:
            raise refusals.Unauthenticated(f"the header {ACTING_FOR} goes with a platform's credential")
        return
    found = _BEARER.fullmatch(header.strip())
    if found is None:
        raise refusals.Unauthenticated("the Authorization header must be `Bearer <token>`")
    if found[1].startswith(platforms.PREFIX):
        g.platform = platforms.authenticate(context(), found[1])
        g.player = None if acting_for is None else platforms.player_of(context(), g.platform, _id(acting_for))
    elif acting_for is not None:
        raise refusals.Forbidden(f"the header {ACTING_FOR} is for platforms")
    else:
        g.player = players.authenticate(context(), found[1])


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise refusals.NotFound("no such player of this platform") from None


def _check_json(body: bytes) -> None:
    """Refuse what is not plain JSON in UTF-8: not-a-number, numbers too large to be one, lone surrogates."""
    if not body:
        return
    if not _JSON.fullmatch(request.mimetype):
        raise MalformedJson("the body must be JSON, declared as `Content-Type: application/json`")
    try:
        value = json.loads(body.decode(), parse_constant=_no_constant, parse_float=_finite)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise MalformedJson("the body is not plain JSON in UTF-8") from error


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("too large")
    return value


def command(outcome: Outcome) -> Outcome:
    """The same outcome, its command named in the request's log line."""
    if outcome.events:
        structlog.contextvars.bind_contextvars(command_id=outcome.events[0].command)
    return outcome
