"""A bot's turn: one decision, one append, and again, until a person is to act or the game is over.

The bot is told what a person at its seat would see, and nothing else. Whatever happens here twice, or at once in two
processes, moves once: a decision's command is named after the position and the seat that it was taken for.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Sequence
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import structlog
from prometheus_client import Counter, Histogram

from domain import play, refusals
from domain.game import Action, Bot, Position
from domain.record import Draft
from domain.table import Table
from projections.rows import bots_to_act
from services.commands import Call, carry_out
from services.context import Context

ATTEMPTS = 3
"""How often a bot is asked before its first legal action is played for it."""
DECISIONS = 500
"""Decisions that one task takes at most; then the table's next hint goes to the end of the queue."""

log = structlog.get_logger(__name__)

LATENCY = Histogram("turnkeeper_bot_decision_seconds", "Time a bot takes for a decision", ["bot"])
FAILURES = Counter("turnkeeper_bot_failures_total", "Decisions that a bot failed to take", ["bot"])


def play_on(context: Context, table_id: UUID) -> bool:
    """Let bots decide as long as it is their turn; True if there is more to do than one task should.

    Raises:
        NoSuchTable, Unavailable.
    """
    for _ in range(DECISIONS):
        table = context.tables.load(table_id)
        waiting = bots_to_act(table)
        if not waiting or not decide_once(context, table, *waiting[0]):
            return False
    return True


def decide_once(context: Context, table: Table, seat: int, bot: str) -> bool:
    """One decision of a seat at the position that the table stands at; False if somebody else was faster.

    Raises:
        NoSuchTable, Unavailable.
    """
    version = table.play.version

    def decide(current: Table) -> Sequence[Draft]:
        if current.play.version != version or (seat, bot) not in bots_to_act(current):
            return ()
        return _decision(context, current, seat, bot)

    call = Call(actor=f"bot:{table.id}", by=f"bot:{bot}", kind="bot", body=[version, seat], key=f"{version}:{seat}")
    try:
        outcome = carry_out(context, table.id, call, decide, known=table)
    except refusals.StaleVersion:
        return False
    return bool(outcome.events) and not outcome.repeated


def _decision(context: Context, table: Table, seat: int, bot: str) -> list[Draft]:
    """The drafts of what the bot chooses, or of its first legal action if it fails repeatedly."""
    server_seed = context.tables.server_seed(table.id)
    chooser = context.games[table.desk.game].bots[bot] if table.desk else None
    assert chooser is not None
    position = position_of(table, seat)
    rng = rng_for(server_seed, table.play.version, seat)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            action = _timed(bot, chooser, position, rng)
            return play.act(table, seat, action, play.chance_of(table, server_seed))
        except Exception as error:
            FAILURES.labels(bot).inc()
            log.warning(
                "bot failed",
                table=str(table.id),
                bot=bot,
                seat=seat,
                version=table.play.version,
                attempt=attempt,
                error=type(error).__name__,
                exc_info=error if attempt == ATTEMPTS else None,
            )
    return play.act_for_failed_bot(table, seat, bot, ATTEMPTS, play.chance_of(table, server_seed))


def _timed(bot: str, chooser: Bot, position: Position, rng: Random) -> Action:
    begun = time.perf_counter()
    try:
        return chooser(position, rng)
    finally:
        LATENCY.labels(bot).observe(time.perf_counter() - begun)


def position_of(table: Table, seat: int) -> Position:
    """What a bot at a seat is told: copies, by way of JSON, of what the seat's view shows."""
    rules, desk = table.rules, table.desk
    assert rules is not None
    assert desk is not None
    seen = table.seen_by(seat)
    told: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(
            {
                "options": desk.options,
                "state": rules.view(seen.state, seat),
                "knowledge": rules.knowledge(seen.state, seen.memory, seat),
                "actions": list(rules.legal_actions(seen.state, seat)),
            }
        )
    )
    return Position(
        seat=seat,
        seats=len(desk.seats),
        options=told["options"],
        state=told["state"],
        knowledge=told["knowledge"],
        actions=tuple(told["actions"]),
        data=dict(desk.data),
    )


def rng_for(server_seed: bytes, version: int, seat: int) -> Random:
    """The bot's luck at a position: the same whenever it is asked, and nobody's to predict before the seal."""
    label = b"bot" + version.to_bytes(8, "big") + seat.to_bytes(2, "big")
    return Random(hmac.digest(server_seed, label, "sha256"))
