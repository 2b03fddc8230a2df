"""A game that ends in mid-action: who brings the pile to ten ends it at once, with the turn not over. Who passes
lays one stone all the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from domain.game import fact
from tests.toys.dicey import added
from tests.toys.toy import Toy, toy_game

FULL = 10


@dataclass(frozen=True, slots=True)
class SuddenState:
    seat: int
    laid: tuple[int, ...]
    added: int = 0
    turn: int = 1
    over: bool = False


@fact("sudden.SetUp")
class SetUp:
    start_seat: int


@fact("sudden.StoneLaid")
class StoneLaid:
    seat: int


@fact("sudden.PileFilled")
class PileFilled:
    pass


@fact("sudden.TurnEnded")
class TurnEnded:
    next: int
    passed: int | None


class Sudden(Toy):
    State = SuddenState

    def setup(self, start_seat: int | None, chance: Any) -> Sequence[Any]:
        return [SetUp(start_seat or 0)]

    def legal_actions(self, state: SuddenState, seat: int) -> list[Mapping[str, Any]]:
        if state.over or seat != state.seat:
            return []
        lay = [{"type": "lay", "stones": stones} for stones in (1, 2, 3)] if state.added < 6 else []
        return [*lay, {"type": "end_turn"}]

    def is_final(self, state: SuddenState, seat: int, action: Mapping[str, Any]) -> bool:
        return action["type"] == "end_turn" or sum(state.laid) + action["stones"] >= FULL

    def decide(self, state: SuddenState, seat: int, action: Mapping[str, Any], chance: Any) -> Sequence[Any]:
        self.listed(state, seat, action)
        if action["type"] == "end_turn":
            passed = None if state.added else seat
            ended = TurnEnded((seat + 1) % self.config.seats, passed)
            return [ended, PileFilled()] if passed is not None and sum(state.laid) + 1 >= FULL else [ended]
        room = FULL - sum(state.laid)
        stones = [StoneLaid(seat)] * min(action["stones"], room)
        return [*stones, PileFilled()] if action["stones"] >= room else stones

    def evolve(self, state: SuddenState | None, fact: Any) -> SuddenState:
        if state is None:
            return SuddenState(fact.start_seat, (0,) * self.config.seats)
        match fact:
            case StoneLaid(seat):
                return replace(state, laid=added(state.laid, seat, 1), added=state.added + 1)
            case PileFilled():
                return replace(state, over=True)
        laid = state.laid if fact.passed is None else added(state.laid, fact.passed, 1)
        return replace(state, laid=laid, seat=fact.next, added=0, turn=state.turn + 1)

    def totals(self, state: SuddenState) -> list[int]:
        return list(state.laid)

    def view(self, state: SuddenState, viewer: int | None) -> dict[str, Any]:
        return {"laid": list(state.laid), "added": state.added}


GAME = toy_game("sudden", Sudden, (SetUp, StoneLaid, PileFilled, TurnEnded))
