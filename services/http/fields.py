"""Fields that take JSON at its word: `true` is no number, `"12"` no integer, and text holds no control characters."""

from __future__ import annotations

import re
from typing import Any

from marshmallow import ValidationError, fields, validate

LAST_VERSION = 2**53 - 1
"""The greatest integer that every JSON reader takes exactly."""

MAX_DEPTH = 8
"""Nesting of an action; no game comes near it."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class Flag(fields.Boolean):
    """`true` or `false`, nothing that merely looks like it."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Whole(fields.Integer):
    """An integer from `low` to `high`; in query strings as plain decimal digits."""

    def __init__(self, low: int = 0, high: int = LAST_VERSION, **kwargs: Any) -> None:
        super().__init__(validate=validate.Range(low, high), **kwargs)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> int:
        if type(value) is not int:
            raise self.make_error("invalid", input=value)
        return value


class QueryWhole(Whole):
    """The same, read from a query string."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch(r"[0-9]{1,16}", value):
            raise self.make_error("invalid", input=value)
        return int(value)


class Line(fields.String):
    """One line of text, `low` to `high` characters, without control characters."""

    def __init__(self, high: int, low: int = 0, **kwargs: Any) -> None:
        super().__init__(validate=[validate.Length(low, high), _one_line], **kwargs)


def _one_line(text: str) -> None:
    if _CONTROL.search(text):
        raise ValidationError("Must not hold control characters.")


class Action(fields.Dict):
    """A game's action: any JSON object that is not nested too deep. Whether it is legal is the rules' matter."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(keys=fields.String(), validate=_shallow, **kwargs)


def _shallow(action: dict[str, Any]) -> None:
    level: list[Any] = [action]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for value in level
            if isinstance(value, dict | list)
            for inner in (value.values() if isinstance(value, dict) else value)
        ]
    if level:
        raise ValidationError(f"Must not be nested deeper than {MAX_DEPTH} levels.")
