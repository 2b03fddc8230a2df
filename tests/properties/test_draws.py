"""Nobody fishes for luck: whatever is undone, redone, taken back or corrected, a draw of one number has one result."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

import pytest

from domain import play, proposals
from domain.chance import Chance
from domain.game import Game
from tests.every import ALL_GAMES, replayable, seeds
from tests.ledger import Ledger

T = TypeVar("T")
COMMANDS = 120


class Noted(Chance):
    """Chance that notes every draw: its number and what was asked for → what came."""

    def __init__(self, seed: bytes, counter: int, notes: dict[tuple[Any, ...], list[Any]]) -> None:
        super().__init__(seed, counter)
        self.notes = notes

    def integers(self, count: int, bound: int) -> tuple[int, ...]:
        counter = self.counter
        drawn = super().integers(count, bound)
        self.notes.setdefault((counter, bound), []).append(drawn)
        return drawn

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        counter = self.counter
        drawn = super().shuffled(items)
        self.notes.setdefault((counter, repr(list(items))), []).append(drawn)
        return drawn


class Restless(Ledger):
    """A table at which everything is tried that may change what comes next."""

    def __init__(self, game: Game, seats: int, seed: int) -> None:
        self.notes: dict[tuple[Any, ...], list[Any]] = {}
        super().__init__(game, seats, seed)
        self.rng = Random(seed)

    @property
    def chance(self) -> Chance:
        return Noted(self.game_seed, self.table.play.draws, self.notes)

    def anything(self) -> None:
        """An action, an undo or redo, a take-back that all agree to, or a moderator's correction."""
        kind = self.rng.random()
        barriers = [event.version for event in self.events if event.barrier]
        behind = [version for version in barriers[-8:] if version < self.table.settled.version]
        if not self.to_act or (kind < 0.1 and behind):
            self.truncate(self.rng.choice(behind))
        elif kind < 0.2 and behind:
            self.agreed(self.rng.choice(self.to_act), self.rng.choice(behind))
        elif kind < 0.5 and self.table.holder is not None:
            offer = play.undo_options(self.table, self.table.holder)
            targets = [*offer["to"], *([offer["redo"]] if offer["redo"] else [])]
            self.undo(self.table.holder, self.rng.choice(targets))
        else:
            self.play_on(self.rng, 1)

    def agreed(self, seat: int, to: int) -> None:
        ends = {event.version for event in self.events if event.barrier}
        asked = proposals.take_back(self.table, seat, to, ends.__contains__, lambda version: self.at(version).play)
        self.append(asked, f"player:{seat}")
        assert self.table.desk is not None
        proposal = self.table.desk.proposals[-1].asked
        for voter in proposal.voters:
            self.append(proposals.answer(self.table, voter, proposal.number, True), f"player:{voter}")


def prefixes(results: list[Any]) -> bool:
    """Whether of any two results the shorter is how the longer begins: asking for more, or fewer, changes nothing."""
    longest = max(results, key=len)
    return all(longest[: len(result)] == result for result in results)


@pytest.mark.parametrize("game", ALL_GAMES.values(), ids=ALL_GAMES)
def test_a_draw_of_one_number_has_one_result_however_it_is_come_to(game: Game) -> None:
    for seed in seeds(2):
        with replayable(__file__, seed):
            table = Restless(game, game.seats[-1], seed)
            for _ in range(COMMANDS):
                table.anything()
            for asked, results in table.notes.items():
                assert prefixes(results), (asked, results)


@pytest.mark.parametrize("key", ["dicey", "pasha"])
def test_that_much_undoing_meets_many_draws_again(key: str) -> None:
    """Else the property above would say nothing."""
    table = Restless(ALL_GAMES[key], 2, 1)
    for _ in range(COMMANDS):
        table.anything()
    assert sum(len(results) - 1 for results in table.notes.values()) >= 5


@pytest.mark.parametrize("game", ALL_GAMES.values(), ids=ALL_GAMES)
def test_facts_that_chance_went_into_repeat_with_the_action(game: Game) -> None:
    """The same action at the same position, reached again over a correction, has the same consequences."""
    for seed in seeds(1):
        with replayable(__file__, seed):
            table = Ledger(game, game.seats[0], seed)
            rng = Random(seed)
            for _ in range(15):
                table.play_on(rng, 4)
                if not table.to_act:
                    break
                start = table.table.settled.version
                if table.table.holder is not None:
                    continue
                seat = rng.choice(table.to_act)
                action = rng.choice(table.legal(seat))
                first = [event.fact for event in table.act(seat, action)]
                table.play_on(rng, 3)
                table.truncate(start)
                assert [event.fact for event in table.act(seat, action)] == first
