"""What is answered: one schema a body. They document and filter: no field leaves that is not named here. Views, and the
outcomes of play that hold one, are sent as they were computed; tests hold them to their schemas."""

from __future__ import annotations

from typing import Any

from apiflask import Schema
from marshmallow import fields


def _nullable(field: type[fields.Field[Any]]) -> fields.Field[Any]:
    return field(allow_none=True)


class PlayerOut(Schema):
    id = fields.UUID()
    name = _nullable(fields.String)


class NewPlayerOut(PlayerOut):
    token = fields.String(metadata={"description": "shown this once"})


class TitleOut(Schema):
    en = fields.String()
    de = fields.String()


class SeatsRangeOut(Schema):
    min = fields.Integer()
    max = fields.Integer()


class GameOut(Schema):
    id = fields.String()
    title = fields.Nested(TitleOut)
    seats = fields.Nested(SeatsRangeOut)
    options = fields.Dict(metadata={"description": "JSON Schema of a table's `options`"})
    bots = fields.List(fields.String())


class GamesOut(Schema):
    items = fields.List(fields.Nested(GameOut))
    next = _nullable(fields.String)


class SeatOut(Schema):
    seat = fields.Integer()
    kind = fields.String(metadata={"enum": ["human", "bot", "open"]})
    player = fields.Nested(PlayerOut, allow_none=True)
    bot = _nullable(fields.String)


class ResultSeatOut(Schema):
    seat = fields.Integer()
    player = fields.Nested(PlayerOut, allow_none=True)
    bot = _nullable(fields.String)
    team = _nullable(fields.Integer)
    total = fields.Integer()
    rank = fields.Integer()
    breakdown = fields.Dict()


class ResultOut(Schema):
    seats = fields.List(fields.Nested(ResultSeatOut))
    winners = fields.List(fields.Integer())
    tie_break = _nullable(fields.String)
    reason = fields.String()


class ImportedOut(Schema):
    table = fields.UUID()
    origin = fields.String(metadata={"enum": ["signed", "unsigned"]})


class TableOut(Schema):
    id = fields.UUID()
    game = fields.String()
    status = fields.String(metadata={"enum": ["open", "running", "finished"]})
    version = fields.Integer()
    seats = fields.List(fields.Nested(SeatOut))
    start_seat = _nullable(fields.Integer)
    to_act = fields.List(fields.Integer())
    turn = fields.Integer()
    options = fields.Dict()
    private = fields.Boolean()
    casual = fields.Boolean()
    commitment = fields.String()
    closed = _nullable(fields.String)
    imported = fields.Nested(ImportedOut, allow_none=True)
    invitation = fields.String(metadata={"description": "to the table's players alone"})
    created_at = fields.String(metadata={"format": "date-time"})
    updated_at = fields.String(metadata={"format": "date-time"})
    result = fields.Nested(ResultOut, allow_none=True)


class TablesOut(Schema):
    items = fields.List(fields.Nested(TableOut))
    next = _nullable(fields.String)


class UndoOut(Schema):
    allowed = fields.Boolean()
    reason = _nullable(fields.String)
    to = fields.List(fields.Integer())
    redo = _nullable(fields.Integer)


class ProposalOut(Schema):
    number = fields.Integer()
    kind = fields.String(metadata={"enum": ["take_back", "cancel", "substitute"]})
    seat = fields.Integer()
    to = _nullable(fields.Integer)
    draws = fields.List(fields.Integer(), metadata={"description": "numbers of the draws that would be crossed"})
    absent = _nullable(fields.Integer)
    waits_for = fields.List(fields.Integer())
    answer = fields.Boolean(metadata={"description": "whether mine is waited for"})


class HeadOut(Schema):
    version = fields.Integer()
    digest = fields.String()
    signature = fields.String()


class ViewOut(Schema):
    table = fields.UUID()
    game = fields.String()
    version = fields.Integer()
    status = fields.String(metadata={"enum": ["open", "running", "finished"]})
    seat = _nullable(fields.Integer)
    to_act = fields.List(fields.Integer())
    turn = fields.Integer()
    state = fields.Dict()
    knowledge = _nullable(fields.Dict)
    actions = fields.List(fields.Dict())
    undo = fields.Nested(UndoOut)
    proposals = fields.List(fields.Nested(ProposalOut))
    taken_back = fields.Boolean()
    log_head = fields.Nested(HeadOut)


class TextOut(Schema):
    en = fields.String()
    de = fields.String()


class EntryOut(Schema):
    version = fields.Integer()
    type = fields.String()
    seat = _nullable(fields.Integer)
    at = fields.String(metadata={"format": "date-time"})
    data = fields.Dict()
    text = fields.Nested(TextOut)
    truncated_by = _nullable(fields.Integer)
    digest = fields.String()


class EventsOut(Schema):
    items = fields.List(fields.Nested(EntryOut))
    next = _nullable(fields.String)


class DoneOut(Schema):
    version = fields.Integer()
    events = fields.List(fields.Nested(EntryOut))
    view = fields.Nested(ViewOut)


class ProposedOut(DoneOut):
    number = fields.Integer()
    status = fields.String(metadata={"enum": ["open", "accepted", "refused", "void"]})


class CheckOut(Schema):
    name = fields.String()
    ok = fields.Boolean()
    detail = fields.String()


class AuditOut(Schema):
    verified = fields.Boolean()
    checks = fields.List(fields.Nested(CheckOut))
    head = fields.String()
    commitment = fields.String()
    seed = _nullable(fields.String)


class TokenOut(Schema):
    token = fields.String()


class TicketOut(Schema):
    ticket = fields.String()
    expires_in = fields.Integer(metadata={"description": "seconds"})


class HealthOut(Schema):
    status = fields.String()


class ReadyOut(Schema):
    status = fields.String()
    degraded = fields.List(fields.String())


class PlayerResultOut(Schema):
    table = fields.UUID()
    game = fields.String()
    seat = fields.Integer()
    team = _nullable(fields.Integer)
    total = fields.Integer()
    rank = fields.Integer()
    breakdown = fields.Dict()
    tie_break = _nullable(fields.String)
    reason = fields.String()
    counted = fields.Boolean()
    at = fields.String(metadata={"format": "date-time"})


class PlayerResultsOut(Schema):
    items = fields.List(fields.Nested(PlayerResultOut))
    next = _nullable(fields.String)


class StandingOut(Schema):
    player = fields.Nested(PlayerOut)
    games = fields.Integer()
    wins = fields.Integer()
    best = fields.Integer()
    average = fields.Float()


class LeaderboardOut(Schema):
    items = fields.List(fields.Nested(StandingOut))
    next = _nullable(fields.String)


class ProblemOut(Schema):
    type = fields.String()
    title = fields.String()
    status = fields.Integer()
    meaning = fields.String()
