"""A table as one viewer may see it: the body of a view and of an event's entry. Everybody else's
provisional steps, and what the game hides, is not in it. Signatures and names are added further up."""

from __future__ import annotations

from typing import Any

from domain import desk as desks
from domain import desk_text, proposals
from domain.desk import Forked, Sealed, Truncated
from domain.game import Rules, Viewer
from domain.play import undo_options
from domain.record import Event, fact_data, timestamp
from domain.table import Table


def view(table: Table, viewer: Viewer) -> dict[str, Any]:
    """The body of a view, without the head's signature.

    Args:
        table: as of the version asked for.
        viewer: a seat, or None for the public.
    """
    assert table.desk is not None
    assert table.rules is not None
    seen = table.seen_by(viewer)
    begun = seen.state is not None
    rules = table.rules
    to_act = rules.to_act(seen.state) if table.status == "running" else ()
    return {
        "table": str(table.id),
        "game": table.desk.game,
        "version": seen.version,
        "status": table.status,
        "seat": viewer,
        "to_act": list(to_act),
        "turn": rules.turn(seen.state).number if begun else 0,
        "state": rules.view(seen.state, viewer) if begun else {},
        "knowledge": rules.knowledge(seen.state, seen.memory, viewer) if begun else None,
        "actions": actions(rules, seen.state, viewer) if viewer is not None and viewer in to_act else [],
        "undo": undo_options(table, viewer),
        "proposals": open_proposals(table, viewer),
        "taken_back": seen.taken_back,
        "log_head": log_head(table, viewer),
    }


def actions(rules: Rules[Any], state: Any, seat: int) -> list[dict[str, Any]]:
    """The legal actions of a seat; those that can't be undone, or may turn out so, carry `"final": true`."""
    return [
        {**action, "final": True} if rules.is_final(state, seat, action) else dict(action)
        for action in rules.legal_actions(state, seat)
    ]


def open_proposals(table: Table, viewer: Viewer) -> list[dict[str, Any]]:
    """What waits for an answer of somebody; `answer` says whether it waits for the viewer's."""
    assert table.desk is not None
    return [
        {
            "number": each.asked.number,
            "kind": each.asked.kind,
            "seat": each.asked.seat,
            "to": each.asked.to,
            "draws": list(each.asked.draws),
            "absent": each.asked.absent,
            "waits_for": list(waiting),
            "answer": viewer in waiting,
        }
        for each in table.desk.proposals
        if (waiting := proposals.waiting(table, each))
    ]


def log_head(table: Table, viewer: Viewer) -> dict[str, Any]:
    """Version and digest (hex) up to which the viewer may see the record; before the start, of the desk's head."""
    seen = table.seen_by(viewer)
    version, digest = (seen.version, seen.digest) if seen.version else (table.version, table.digest)
    return {"version": version, "digest": digest.hex()}


def entry(rules: Rules[Any], event: Event, viewer: Viewer, *, whole: bool) -> dict[str, Any]:
    """An event as the log shows it to a viewer who may see it.

    Args:
        whole: nothing is redacted any more (the record is sealed).
    """
    fact = event.fact
    return {
        "version": event.version,
        "type": event.topic,
        "seat": event.seat,
        "at": timestamp(event.at),
        "data": fact_data(fact) if whole else fact_view(rules, fact, viewer),
        "text": {
            "en": _describe(rules, fact, "en", viewer),
            "de": _describe(rules, fact, "de", viewer),
        },
        "digest": event.digest.hex(),
    }


def fact_view(rules: Rules[Any], fact: Any, viewer: Viewer) -> dict[str, Any]:
    """A fact's fields as far as the viewer may know them. Of the framework's own facts one alone holds what is hidden:
    the position that a fork begins from."""
    if isinstance(fact, Forked):
        return {"origin": fact.origin, "at": fact.at, "exact": fact.exact, "start_seat": fact.start_seat}
    if isinstance(fact, desks.FACTS):
        return fact_data(fact)
    return rules.fact_view(fact, viewer)


def _describe(rules: Rules[Any], fact: Any, language: Any, viewer: Viewer) -> str:
    if isinstance(fact, desks.FACTS):
        return desk_text.describe(fact, language)
    return rules.describe(fact, language, viewer)


def is_withdrawn(event: Event) -> bool:
    """Whether an event only moves its own seat back and forth over steps that nobody else has seen."""
    return isinstance(event.fact, Truncated) and not event.barrier


def is_sealing(event: Event) -> bool:
    return isinstance(event.fact, Sealed)
