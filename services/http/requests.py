"""What may be sent: one schema a body or query string. Unknown fields are refused."""

from __future__ import annotations

from typing import Any

from apiflask import Schema
from marshmallow import RAISE, ValidationError, fields, validate, validates_schema

from services.http.fields import Action, Flag, Line, QueryWhole, Whole

GAME, BOT, CODE, CURSOR, ENTROPY, NAME, REASON = 64, 64, 64, 256, 64, 64, 500


QUERY: dict[str, Any] = {"location": "query", "arg_name": "query", "unknown": RAISE}
"""How a route takes a query string; without `unknown` the parser would drop what the schema does not name."""


class Strict(Schema):
    class Meta:
        unknown = RAISE


class RegisterIn(Strict):
    name = Line(NAME, 1, required=True, metadata={"description": "how others see the player", "example": "Ada"})

    @validates_schema
    def _shown(self, data: dict[str, Any], **_: Any) -> None:
        if data.get("name", "x").strip() != data.get("name", "x"):
            raise ValidationError("Must not begin or end with white space.", "name")


class NothingIn(Strict):
    """A body that says nothing: `{}`, or none at all."""


class SeatIn(Strict):
    kind = fields.String(required=True, validate=validate.OneOf(("me", "bot", "open")))
    bot = Line(BOT, 1, metadata={"description": "the bot's name, for `kind` `bot`"})

    @validates_schema
    def _bot_named(self, data: dict[str, Any], **_: Any) -> None:
        if (data.get("kind") == "bot") != ("bot" in data):
            raise ValidationError("Is given for a seat of kind bot, and for no other.", "bot")


class OpenIn(Strict):
    game = Line(GAME, 1, required=True)
    seats = fields.List(fields.Nested(SeatIn), required=True, validate=validate.Length(1, 16))
    options = fields.Dict(keys=fields.String(), load_default=dict, metadata={"description": "see the game's `options`"})
    private = Flag(load_default=False)
    casual = Flag(load_default=False)
    start_seat = Whole(high=15, load_default=None, allow_none=True)
    start = fields.String(load_default="auto", validate=validate.OneOf(("auto", "manual")))
    entropy = Line(ENTROPY, load_default="", metadata={"description": "this seat's contribution to the seed"})


class JoinIn(Strict):
    seat = Whole(high=15, load_default=None, allow_none=True, metadata={"description": "null: the first open one"})
    invitation = Line(CODE, load_default=None, allow_none=True)
    entropy = Line(ENTROPY, load_default="", metadata={"description": "this seat's contribution to the seed"})


class StartIn(Strict):
    fill_with = Line(BOT, load_default=None, allow_none=True, metadata={"description": "bot for the open seats"})
    entropy = Line(ENTROPY, load_default=None, allow_none=True)


class ActIn(Strict):
    version = Whole(required=True, metadata={"description": "of the view that the action was chosen from"})
    action = Action(required=True, metadata={"description": "one of the view's `actions`"})


class UndoIn(Strict):
    version = Whole(required=True)
    to = Whole(load_default=None, allow_none=True, metadata={"description": "of the view's `undo`; null: one action"})


class TakeBackIn(Strict):
    version = Whole(required=True)
    to = Whole(required=True, metadata={"description": "a version behind the last confirmed turn"})


class ProposeIn(Strict):
    version = Whole(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(("cancel", "substitute")))
    absent = Whole(high=15, load_default=None, allow_none=True, metadata={"description": "the seat, for `substitute`"})


class AnswerIn(Strict):
    accept = Flag(required=True)


class TruncateIn(Strict):
    version = Whole(required=True, metadata={"description": "as everybody sees the table"})
    to = Whole(required=True)
    reason = Line(REASON, 1, required=True)


class AbandonIn(Strict):
    reason = Line(REASON, 1, required=True)


class ForkIn(Strict):
    at = Whole(required=True, metadata={"description": "the version to begin from"})


class TableQuery(Strict):
    invitation = Line(CODE, load_default=None, metadata={"description": "lets its holder see a private table"})


class StreamQuery(TableQuery):
    ticket = Line(CODE, 1, load_default=None, metadata={"description": "in place of a header; may be used once"})


class ViewQuery(TableQuery):
    at = QueryWhole(load_default=None, metadata={"description": "an earlier version"})
    min_version = QueryWhole(load_default=0, metadata={"description": "waits until the view has come that far"})


class EventsQuery(TableQuery):
    after = QueryWhole(load_default=0, metadata={"description": "the last version that is known already"})
    cursor = QueryWhole(load_default=None, metadata={"description": "the same, as every list takes it"})
    as_ = fields.String(
        data_key="as",
        load_default=None,
        validate=validate.OneOf(("auditor",)),
        metadata={"description": "`auditor`: without redaction, for moderators; the reading is recorded"},
    )
    limit = QueryWhole(1, 500, load_default=100)


class PageQuery(Strict):
    cursor = Line(CURSOR, 1, load_default=None, metadata={"description": "the `next` of the page before"})
    limit = QueryWhole(1, 100, load_default=20)


class TablesQuery(PageQuery):
    status = fields.String(load_default=None, validate=validate.OneOf(("open", "running", "finished")))
    game = Line(GAME, 1, load_default=None)
    player = fields.UUID(load_default=None)
