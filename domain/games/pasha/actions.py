"""The shape of Pasha's actions: which fields each type has and of what kind. Whether one is legal now: `rules.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.game import IllegalAction


def _whole(value: Any) -> bool:
    return type(value) is int  # True and 1.0 equal 1 but are no numbers of a card or die


def _whole_or_null(value: Any) -> bool:
    return value is None or _whole(value)


def _dice(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(map(_whole, value))


SHAPES: Mapping[str, Mapping[str, Callable[[Any], bool]]] = {
    "play_card": {"value": _whole},
    "throw": {"keep": _dice},
    "stop": {},
    "restart": {},
    "rethrow": {"keep": _dice},
    "adjust": {"from": _whole, "to": _whole},
    "place": {"column": _whole_or_null},
    "end_turn": {},
}


def check_shape(action: Any) -> None:
    """Refuse what is no action of Pasha at all.

    Raises:
        IllegalAction: `pasha.unknown-action` for an unknown type, `pasha.malformed-action` for wrong fields.
    """
    kind = action.get("type") if isinstance(action, Mapping) else None
    fields = SHAPES.get(kind) if isinstance(kind, str) else None
    if fields is None:
        raise IllegalAction("pasha.unknown-action", f"the type must be one of {', '.join(SHAPES)}")
    if action.keys() - {"type"} != fields.keys():
        raise IllegalAction("pasha.malformed-action", f"{kind} has the fields: {', '.join(fields) or 'none'}")
    for name, fits in fields.items():
        if not fits(action[name]):
            raise IllegalAction("pasha.malformed-action", f"{name} of {kind} is of the wrong kind")
