"""What may happen in a running game: acting, undo and redo, and the ends of it. Decides, appends nothing.

One decision function a use case; each gives the drafts of one command or refuses.
"""

from __future__ import annotations

from typing import Any

from domain import refusals
from domain.chance import Chance, game_seed
from domain.desk import BotFailed, Desk, Ended, Resigned, Scored, Sealed, Truncated
from domain.game import Action, IllegalAction, Rules, ScoreSheet, Viewer
from domain.record import Draft, canonical
from domain.table import Table


def chance_of(table: Table, server_seed: bytes) -> Chance:
    """The table's chance, at the draw that its effective state has come to."""
    desk = _desk(table)
    seed = game_seed(server_seed, table.id, [seat.entropy for seat in desk.seats])
    return Chance(seed, table.play.draws)


def act(table: Table, seat: int, action: Action, chance: Chance) -> list[Draft]:
    """A seat's action with all that follows from it by itself.

    Args:
        action: one of the legal actions, to the letter; a `final` mark taken over from a view is ignored.
        chance: at the table's draw counter.

    Raises:
        TableNotRunning, NotYourTurn, NotAllowedByRules.
    """
    rules = running(table)
    if seat not in rules.to_act(table.play.state):
        raise refusals.NotYourTurn(f"seat {seat} has nothing to decide now")
    asked = {name: value for name, value in action.items() if name != "final"}
    chosen = _listed(rules, table.play.state, seat, asked)
    return _Command(rules, table.play.state, chance).carry_out(seat, chosen)


def _listed(rules: Rules[Any], state: Any, seat: int, asked: Action) -> Action:
    """The legal action that equals the one asked for, in types too (`true` is not 1)."""
    wanted = canonical(asked)
    for legal in rules.legal_actions(state, seat):
        if canonical(legal) == wanted:
            return legal
    raise _refused(rules, state, seat, asked)


def _refused(rules: Rules[Any], state: Any, seat: int, asked: Action) -> refusals.NotAllowedByRules:
    """The refusal in the rules' own words."""
    try:
        rules.decide(state, seat, asked, Chance(bytes(32)))
    except IllegalAction as refusal:
        return refusals.NotAllowedByRules(refusal.message, refusal.rule)
    return refusals.NotAllowedByRules("this action is not in the list of legal actions", "table.not-listed")


class _Command:
    """One command being decided: facts applied as they come, a barrier noticed where it falls."""

    def __init__(self, rules: Rules[Any], state: Any, chance: Chance) -> None:
        self.rules, self.state, self.chance = rules, state, chance
        self.facts: list[tuple[int | None, Any]] = []
        self.barrier = False

    def carry_out(self, seat: int, action: Action) -> list[Draft]:
        draws, turn = self.chance.counter, self.rules.turn(self.state)
        self._decide(seat, action)
        while not self.rules.is_over(self.state) and (forced := self.rules.forced(self.state)):
            self._decide(*forced)
        if reason := self.rules.end_reason(self.state):
            self.facts.append((None, Ended(reason)))
        self.barrier = (
            self.barrier
            or reason is not None
            or seat != turn.seat
            or self.chance.counter > draws
            or self.rules.turn(self.state) != turn
            or self.rules.to_act(self.state) != (seat,)
        )
        last = len(self.facts) - 1
        return [
            Draft(
                fact=fact,
                seat=by,
                action=action if n == 0 else None,
                barrier=self.barrier and n == last,
                draws=self.chance.counter - draws if n == 0 else 0,
            )
            for n, (by, fact) in enumerate(self.facts)
        ]

    def _decide(self, seat: int, action: Action) -> None:
        for fact in self.rules.decide(self.state, seat, action, self.chance):
            self.barrier = self.barrier or self.rules.is_barrier(self.state, fact)
            self.state = self.rules.evolve(self.state, fact)
            self.facts.append((seat, fact))


def undo_options(table: Table, seat: Viewer) -> dict[str, Any]:
    """What a seat's view says of undoing: exactly what `undo` then answers.

    `to`: the versions at which an own provisional action began, `redo`: the tip cut last; `reason`: the slug
    that an undo without a target would be refused with, None if it is allowed.
    """
    own = seat is not None and seat == table.holder
    reason = None if own and table.steps else _no_undo(table, seat)
    return {
        "allowed": reason is None,
        "reason": reason,
        "to": [step.began for step in table.steps] if own else [],
        "redo": table.cuts[-1].play.version if own and table.cuts else None,
    }


def _no_undo(table: Table, seat: Viewer) -> str:
    if table.status != "running":
        return refusals.TableNotRunning.slug
    assert table.rules is not None
    if seat is None or table.rules.turn(table.settled.state).seat != seat:
        return refusals.NotYourTurn.slug
    return refusals.UndoBarrier.slug if table.settled.acted else refusals.NothingToUndo.slug


def undo(table: Table, seat: int, to: int | None) -> list[Draft]:
    """Go back over own provisional steps, or forward again to the tip cut last.

    Args:
        to: None for one action back; else one of `undo_options(...)["to"]`, or its `redo`.

    Raises:
        TableNotRunning, NotYourTurn, NothingToUndo, UndoBarrier, InvalidRequest.
    """
    running(table)
    options = undo_options(table, seat)
    if to is None and options["allowed"]:
        to = options["to"][-1]
    redo = to is not None and to == options["redo"]
    if to is not None and (redo or to in options["to"]):
        reason = "redo" if redo else "undo"
        action = {"type": reason, "to": to}
        return [Draft(Truncated(to=to, reason=reason), seat=seat, action=action)]
    raise _undo_refusal(table, seat, to, options["reason"])


def _undo_refusal(table: Table, seat: int, to: int | None, reason: str | None) -> refusals.Refusal:
    if reason == refusals.NotYourTurn.slug:
        return refusals.NotYourTurn("only the seat whose turn it is can undo")
    if to is not None and to < table.settled.version:
        return refusals.UndoBarrier(f"version {to} lies before what others have already seen")
    if to is not None:
        allowed = "one of the view's `undo.to`, or its `undo.redo`"
        return refusals.InvalidRequest(f"version {to} is no target", {"to": [f"must be {allowed}"]})
    if reason == refusals.UndoBarrier.slug:
        return refusals.UndoBarrier("what was done last in this turn can't be unseen")
    return refusals.NothingToUndo("no own action in this turn yet")


def resign(table: Table, seat: int, player: str, bot: str) -> list[Draft]:
    """A seat given up in a running game: its provisional steps are cut, and a bot plays on.

    Raises:
        TableNotRunning.
    """
    running(table)
    drafts = [Draft(Resigned(seat=seat, player=player, bot=bot), seat=seat, action={"type": "resign"})]
    return drafts + provisional_cut(table, seat, "resignation")


def provisional_cut(table: Table, seat: int, reason: str) -> list[Draft]:
    """The truncation of a seat's provisional steps back to the last barrier; none if it has none."""
    if table.holder != seat:
        return []
    return [Draft(Truncated(to=table.settled.version, reason=reason), seat=seat, barrier=True)]


def act_for_failed_bot(table: Table, seat: int, bot: str, attempts: int, chance: Chance) -> list[Draft]:
    """The first legal action of a seat whose bot failed repeatedly, and the failure on record before it."""
    rules = running(table)
    failed = Draft(
        BotFailed(seat=seat, bot=bot, attempts=attempts),
        seat=seat,
        action={"type": "bot_failed", "attempts": attempts},
    )
    return [failed, *act(table, seat, rules.legal_actions(table.play.state, seat)[0], chance)]


def score(table: Table) -> list[Draft]:
    """The score sheet of an ended game; nothing if it is scored already.

    Raises:
        TableNotRunning: if the game has not ended.
    """
    if table.settled.ended is None or table.rules is None:
        raise refusals.TableNotRunning("a game is scored after its end")
    if table.settled.sheet is not None or _desk(table).abandoned is not None:
        return []
    sheet = sheet_data(table.rules.score(table.settled.state))
    return [Draft(Scored(sheet=sheet), action={"type": "score"}, barrier=True)]


def seal(table: Table, server_seed: bytes) -> list[Draft]:
    """The disclosure that makes a scored, or abandoned, game final; nothing if it is sealed already.

    Raises:
        TableNotRunning: if the game is neither.
    """
    if table.settled.sheet is None and _desk(table).abandoned is None:
        raise refusals.TableNotRunning("a game is sealed after its scoring")
    if _desk(table).is_sealed:
        return []
    return [Draft(Sealed(server_seed=server_seed.hex()), action={"type": "seal"})]


def sheet_data(sheet: ScoreSheet) -> dict[str, Any]:
    """A score sheet as recorded: `{"seats": [{seat, total, rank, team, breakdown}], winners, tie_break, reason}`."""
    return {
        "seats": [
            {
                "seat": line.seat,
                "team": line.team,
                "total": line.total,
                "rank": line.rank,
                "breakdown": dict(line.breakdown),
            }
            for line in sheet.seats
        ],
        "winners": list(sheet.winners),
        "tie_break": sheet.tie_break,
        "reason": sheet.reason,
    }


def running(table: Table) -> Rules[Any]:
    """The rules of a running table.

    Raises:
        TableNotRunning: if it has not started, or is over.
    """
    if table.status != "running" or table.rules is None:
        raise refusals.TableNotRunning(f"the table is {table.status}, not running")
    return table.rules


def _desk(table: Table) -> Desk:
    if table.desk is None:
        raise refusals.NotFound("no such table")
    return table.desk
