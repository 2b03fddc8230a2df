"""What seats may agree on: taking back behind a confirmed turn, giving a game up, a bot for an absent seat; and what
a moderator or the clock decides without them. Decides, appends nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from domain import refusals
from domain.desk import (
    SUBSTITUTE,
    Abandoned,
    Annulled,
    Answered,
    Desk,
    Proposal,
    Proposed,
    Substituted,
    Truncated,
    Warned,
)
from domain.play import provisional_cut
from domain.record import Draft
from domain.table import Play, Table

Find = Callable[[int], Play]
"""Finds the position right after a version."""


def take_back(table: Table, seat: int, to: int, ends: Callable[[int], bool], at: Find) -> list[Draft]:
    """A seat asks to go back behind a confirmed turn.

    Bots refuse, unless the table is casual. With nobody left to ask it is done at once.

    Args:
        to: the version to go back to.
        ends: whether a version is the last one of a command, from the start of the game on.
        at: finds positions, for the draws that would be crossed.

    Raises:
        TableNotRunning: also once the result is sealed.
        InvalidRequest: for a target that is none, or not behind the last barrier.
    """
    desk = _unsealed(table)
    if not to < table.settled.version or not ends(to):
        wanted = "must be the last version of an earlier command, before what was settled last"
        raise refusals.InvalidRequest(f"version {to} is no target", {"to": [wanted]})
    first, last = at(to).draws, table.settled.draws
    asked = Proposed(
        number=len(desk.proposals) + 1,
        kind="take_back",
        seat=seat,
        at=table.settled.version,
        voters=_other_humans(desk, seat),
        to=to,
        draws=tuple(range(first, last)),
        absent=None,
    )
    drafts = [Draft(asked, seat=seat, action={"type": "propose", "kind": "take_back", "to": to})]
    bots = [n for n, other in enumerate(desk.seats) if other.kind == "bot"]
    if bots and not desk.casual:
        return [*drafts, Draft(Answered(asked.number, bots[0], False), seat=bots[0])]
    return drafts if asked.voters else drafts + _carried_out(table, Proposal(asked))


def propose(table: Table, seat: int, kind: str, absent: int | None) -> list[Draft]:
    """A seat asks the other present ones what to do about a seat that was warned.

    Args:
        kind: `cancel` or `substitute`.
        absent: the seat that a bot is to play for; None for `cancel`.

    Raises:
        TableNotRunning.
        InvalidRequest: if no seat was warned at this position, or not this one.
    """
    desk = _unsealed(table)
    warned = warned_seats(table)
    if not warned or seat in warned:
        raise refusals.InvalidRequest("no other seat is absent", {"kind": ["waits until a seat was warned"]})
    if kind == "substitute" and absent not in warned:
        raise refusals.InvalidRequest("this seat is not absent", {"absent": [f"must be one of {list(warned)}"]})
    asked = Proposed(
        number=len(desk.proposals) + 1,
        kind=kind,
        seat=seat,
        at=table.settled.version,
        voters=tuple(n for n in _other_humans(desk, seat) if n not in warned),
        to=None,
        draws=(),
        absent=absent if kind == "substitute" else None,
    )
    drafts = [Draft(asked, seat=seat, action={"type": "propose", "kind": kind, "absent": absent})]
    return drafts if asked.voters else drafts + _carried_out(table, Proposal(asked))


def answer(table: Table, seat: int, number: int, accept: bool) -> list[Draft]:
    """A voter's answer; the last acceptance carries the proposal out in the same command.

    Raises:
        TableNotRunning, NotFound: without such a proposal.
        Forbidden: for a seat that is not asked.
        StaleVersion: if the game has moved on, or everything is answered.
    """
    desk = _unsealed(table)
    found = next((each for each in desk.proposals if each.asked.number == number), None)
    if found is None:
        raise refusals.NotFound("no such proposal")
    if seat not in found.asked.voters:
        raise refusals.Forbidden("you are not asked")
    if seat not in waiting(table, found):
        raise refusals.StaleVersion(
            "this is decided, answered by you, or the game has moved on", version=table.seen_by(seat).version
        )
    drafts = [
        Draft(Answered(number, seat, accept), seat=seat, action={"type": "answer", "number": number, "accept": accept})
    ]
    return drafts + _carried_out(table, found) if accept and found.missing == (seat,) else drafts


def waiting(table: Table, proposal: Proposal) -> tuple[int, ...]:
    """The seats whose answer a proposal waits for; none if it is decided or void.

    It is void once the play stands elsewhere, the record is closed, or somebody concerned has given up the seat.
    """
    desk, asked = table.desk, proposal.asked
    assert desk is not None
    same = asked.at == table.settled.version and desk.abandoned is None and not desk.is_sealed
    present = all(desk.seats[n].kind == "human" for n in (asked.seat, *proposal.missing))
    return proposal.missing if same and present else ()


def status(table: Table, proposal: Proposal) -> str:
    """`open`, `accepted`, `refused` or `void`."""
    if proposal.accepted:
        return "accepted"
    if not all(accept for _, accept in proposal.answers):
        return "refused"
    return "open" if waiting(table, proposal) else "void"


def warned_seats(table: Table) -> tuple[int, ...]:
    """The seats that were warned for not acting, and still have not."""
    warned = table.desk.warned if table.desk else None
    return warned.seats if warned is not None and warned.at == table.play.version else ()


def warn(table: Table) -> list[Draft]:
    """The clock warns the people that the table waits for; nothing if they are warned, or none is waited for.

    Raises:
        TableNotRunning.
    """
    desk = _unsealed(table)
    if table.rules is None or table.status != "running" or warned_seats(table):
        return []
    seats = tuple(n for n in table.rules.to_act(table.play.state) if desk.seats[n].kind == "human")
    return [Draft(Warned(seats=seats, at=table.play.version), action={"type": "warn"})] if seats else []


def truncate(table: Table, to: int, reason: str, ends: Callable[[int], bool]) -> list[Draft]:
    """A moderator's correction: the play stands again as it stood right after a version.

    Args:
        reason: the moderator's, for the record.
        ends: whether a version is the last one of a command, from the start of the game on.

    Raises:
        TableNotRunning: before the start, and once the result is sealed.
        InvalidRequest: for a version that is no target.
    """
    _unsealed(table)
    if table.status == "open":
        raise refusals.TableNotRunning("the game has not begun")
    if not ends(to) or to >= table.play.version:
        wanted = "must be the last version of an earlier command, not before the start"
        raise refusals.InvalidRequest(f"version {to} is no target", {"to": [wanted]})
    action = {"type": "truncate", "to": to, "reason": reason}
    return [Draft(Truncated(to=to, reason="moderation"), action=action, barrier=True)]


def abandon(table: Table, reason: str, text: str = "") -> list[Draft]:
    """End a game without a result; a sealed one is annulled instead.

    Args:
        reason: `idle`, `agreed` or `moderation`.
        text: the moderator's words, for the record.

    Raises:
        TableNotRunning: if it is abandoned or annulled already.
    """
    if table.desk is None:
        raise refusals.NotFound("no such table")
    if table.desk.abandoned is not None or table.desk.annulled is not None:
        raise refusals.TableNotRunning("this is done already")
    action = {"type": "abandon", "reason": text or reason}
    if table.desk.is_sealed:
        return [Draft(Annulled(reason), action=action)]
    return [Draft(Abandoned(reason), action=action), *_abandoning(table)]


def _carried_out(table: Table, proposal: Proposal) -> list[Draft]:
    return _CONSEQUENCES[proposal.asked.kind](table, proposal.asked)


def _taken_back(table: Table, asked: Proposed) -> list[Draft]:
    assert asked.to is not None
    return [Draft(Truncated(to=asked.to, reason="take_back"), seat=asked.seat, barrier=True)]


def _substitute(table: Table, asked: Proposed) -> list[Draft]:
    assert table.desk is not None
    assert asked.absent is not None
    player = table.desk.seats[asked.absent].player or ""
    fact = Substituted(seat=asked.absent, player=player, bot=SUBSTITUTE)
    return [Draft(fact, seat=asked.absent), *provisional_cut(table, asked.absent, "absence")]


def _given_up(table: Table, asked: Proposed) -> list[Draft]:
    return [Draft(Abandoned("agreed"), seat=asked.seat), *_abandoning(table)]


def _abandoning(table: Table) -> list[Draft]:
    """The truncation of whatever is provisional when a game is given up."""
    return [] if table.holder is None else provisional_cut(table, table.holder, "abandoning")


_CONSEQUENCES: Mapping[str, Callable[[Table, Proposed], list[Draft]]] = {
    "take_back": _taken_back,
    "substitute": _substitute,
    "cancel": _given_up,
}


def _other_humans(desk: Desk, seat: int) -> tuple[int, ...]:
    return tuple(n for n, other in enumerate(desk.seats) if other.kind == "human" and n != seat)


def _unsealed(table: Table) -> Desk:
    """The desk of a table whose play may still change.

    Raises:
        TableNotRunning.
    """
    desk = table.desk
    if desk is None:
        raise refusals.NotFound("no such table")
    if desk.is_sealed or desk.abandoned is not None:
        raise refusals.TableNotRunning("the record of this game is closed")
    return desk
