"""Why a request is refused, as errors with the contract's stable slugs. A refusal changes nothing."""

from __future__ import annotations

from typing import Any, ClassVar


class Refusal(Exception):
    """A request that is answered with a problem document.

    Args:
        detail: what is wrong and what would be right, for the asker; no secret goes in.
        members: further fields of the problem document.
    """

    slug: ClassVar[str]

    def __init__(self, detail: str, **members: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.members = members


class InvalidRequest(Refusal):
    """Fields that do not fit; `errors` maps each to what is wrong with it."""

    slug = "invalid-request"

    def __init__(self, detail: str, errors: dict[str, Any]) -> None:
        super().__init__(detail, errors=errors)


class Unauthenticated(Refusal):
    slug = "unauthenticated"


class Forbidden(Refusal):
    slug = "forbidden"


class NotFound(Refusal):
    slug = "not-found"


class NotAllowedByRules(Refusal):
    """An action that is not in the list of legal ones; `rule` names the rule that it breaks."""

    slug = "illegal-action"

    def __init__(self, detail: str, rule: str) -> None:
        super().__init__(detail, rule=rule)


class NotYourTurn(Refusal):
    slug = "not-your-turn"


class StaleVersion(Refusal):
    """`version` is the current one, as the asker may see it."""

    slug = "stale-version"

    def __init__(self, detail: str, version: int) -> None:
        super().__init__(detail, version=version)

    @classmethod
    def unless(cls, asked: int, current: int) -> None:
        """Refuse a request that was made about another version than the current one.

        Raises:
            StaleVersion.
        """
        if asked != current:
            raise cls(f"the table is at version {current}, not {asked}", version=current)


class NothingToUndo(Refusal):
    slug = "nothing-to-undo"


class UndoBarrier(Refusal):
    slug = "undo-barrier"


class TableNotRunning(Refusal):
    slug = "table-not-running"


class SeatTaken(Refusal):
    slug = "seat-taken"


class IdempotencyMismatch(Refusal):
    slug = "idempotency-mismatch"
