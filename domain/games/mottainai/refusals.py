"""Why an action is refused: the rule's code and a sentence that says what would be right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domain.game import Action, IllegalAction
from domain.games.mottainai.state import Frame

FIELDS: Mapping[str, Mapping[str, type]] = {
    "return_card": {"card": str},
    "stop": {},
    "choose_task": {"card": str},
    "no_task": {},
    "perform": {"as": str},
    "take_floor": {"card": str},
    "sell": {"card": str},
    "complete": {"work": str, "wing": str},
    "use_work": {"work": str},
    "decline": {},
    "choose_card": {"card": str},
    "choose_seat": {"seat": int},
    "choose_material": {"material": str},
    "choose_wing": {"wing": str},
    "pass": {},
    "end_turn": {},
}
OPTIONAL = {"choose_card": {"wing": str}}

# Another decision is open: frame kind → rule and what is to be decided.
_OPEN = {
    "limit": ("hand-limit", "the morning begins with at most five hand cards"),
    "old_task": ("old-task", "the old task has to go to the floor or, with Chopsticks, to the sales"),
    "morning": ("morning", "morning works come first"),
    "choose": ("new-task", "a new task has to be chosen, or none"),
    "hindered": ("hindered", "a matching card has to be revealed, else the task is skipped"),
    "before": ("before-task", "works that trigger before the task come first"),
    "perform": ("perform-task", "every action of the task has to be used"),
    "complete": ("completing", "a work has to be completed"),
    "crane": ("support", "paper may be returned as support, and what is lacking has to be shown"),
    "support": ("support", "exactly the support needed has to be shown"),
    "tailor": ("before-tailor", "works that trigger before a tailor action come first"),
    "exchange": ("tailor", "hand cards may be returned before the draw"),
    "evening": ("evening", "only night works and the end of the turn are left"),
}

# The decision is the right one, the value is not: action type → rule and what is wrong.
_VALUE = {
    "return_card": ("not-returnable", "this card can't be returned now"),
    "choose_task": ("no-such-task", "this card can't become or be taken as a task"),
    "perform": ("not-performable", "the action can't be used that way"),
    "take_floor": ("not-on-floor", "this card does not lie on the floor"),
    "sell": ("not-on-bench", "this card does not lie on your bench"),
    "complete": ("lacks-support", "this work can't be completed"),
    "use_work": ("work-not-usable", "this work can't be used now"),
    "choose_card": ("no-such-card", "this card can't be chosen"),
    "choose_seat": ("no-such-seat", "this seat can't be chosen"),
    "choose_material": ("no-such-material", "this material can't be chosen"),
    "choose_wing": ("no-such-wing", "the wings are gallery and gift_shop"),
}


def well_formed(action: Any) -> bool:
    """Whether an action has a known type and exactly its fields, each of its JSON type."""
    if not isinstance(action, Mapping) or not isinstance(action.get("type"), str):
        return False
    kind = action["type"]
    if kind not in FIELDS:
        return False
    needed, extra = FIELDS[kind], OPTIONAL.get(kind, {})
    given = {name: value for name, value in action.items() if name != "type"}
    known = {**needed, **extra}
    return set(needed) <= set(given) <= set(known) and all(type(v) is known[n] for n, v in given.items())


def refusal(frame: Frame, action: Any, legal: Sequence[Action]) -> IllegalAction:
    """The reason why an action that is not in the list is refused."""
    if not well_formed(action):
        return _illegal("unknown-action", "there is no such action", legal)
    same = [a for a in legal if a["type"] == action["type"]]
    if same:
        return _illegal(*_VALUE[action["type"]], same)
    kind = frame.kind.removeprefix("after_")
    code, text = _OPEN.get(frame.kind, (kind.replace("_", "-"), "another decision is open"))
    return _illegal(code, text, legal)


def _illegal(code: str, text: str, legal: Sequence[Action]) -> IllegalAction:
    return IllegalAction(f"mottainai.{code}", f"{text}; possible: {', '.join(map(_short, legal))}")


def _short(action: Action) -> str:
    return " ".join(str(value) for value in action.values())
