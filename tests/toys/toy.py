"""What the toy games share: no hidden data in facts, plain texts, totals as scores."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from domain.bots import random_bot
from domain.game import Game, IllegalAction, Rules, ScoreSheet, SeatScore, ranks
from domain.record import fact_data


class Toy(Rules[Any]):
    """Rules of a game with a state that has `turn`, `seat` and `over`."""

    def turn(self, state: Any) -> Any:
        from domain.game import Turn

        return Turn(state.turn, state.seat)

    def to_act(self, state: Any) -> tuple[int, ...]:
        return () if state.over else (state.seat,)

    def is_barrier(self, state: Any, fact: Any) -> bool:
        return False

    def is_final(self, state: Any, seat: int, action: Mapping[str, Any]) -> bool:
        return action["type"] == "end_turn"

    def end_reason(self, state: Any) -> str | None:
        return "done" if state.over else None

    @abstractmethod
    def totals(self, state: Any) -> list[int]: ...

    def score(self, state: Any) -> ScoreSheet:
        totals = self.totals(state)
        lines = zip(totals, ranks(totals), strict=True)
        return ScoreSheet(
            tuple(SeatScore(seat, total, rank, {}) for seat, (total, rank) in enumerate(lines)), None, "done"
        )

    def fact_view(self, fact: Any, viewer: int | None) -> dict[str, Any]:
        return fact_data(fact)

    def describe(self, fact: Any, language: str, viewer: int | None) -> str:
        return f"{type(fact).__name__} {self.fact_view(fact, viewer)}"

    def listed(self, state: Any, seat: int, action: Mapping[str, Any]) -> None:
        """Refuse what is not in the list."""
        if action not in self.legal_actions(state, seat):
            raise IllegalAction("toy.not-listed", "choose from the list")


def toy_game(key: str, rules: type[Toy], facts: tuple[type, ...], seats: tuple[int, ...] = (2, 3)) -> Game:
    bots = {"random": random_bot, "automa": random_bot}
    return Game(key, {"en": key, "de": key}, seats, facts, {1: rules}, bots)
