"""The Table: an immutable value folded from a stream of events, with what is settled and what is provisional.

What may be appended is decided in `domain/play.py` and `domain/seating.py`; where the events come from is no
matter here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from domain import desk as desks
from domain.desk import Desk, Ended, Forked, Scored, Truncated
from domain.game import Config, Game, Rules, Viewer
from domain.record import NO_DIGEST, Event

Games = Mapping[str, Game]
"""The registry: every game by its key."""


TAKING_BACK = ("take_back", "moderation")
"""Reasons of truncations behind a barrier: what others had seen is unseen again."""


@dataclass(frozen=True, slots=True)
class Play:
    """A position of the play: what the effective events up to a version add up to.

    Args:
        version: of the play event that led here, a truncation included; 0 before the start.
        state, memory: the game's own, see `Rules`; None before the start.
        draws: draw calls made on the way here.
        start_seat: of the game.
        ended: why the game is over; None while it runs.
        sheet: the score sheet as recorded; None before.
        acted: whether a command of the current turn led here.
        taken_back: whether something was taken back that more than its own seat had seen.
        at, digest: time, and head of the chain, of the event at `version`.
    """

    version: int = 0
    state: Any = None
    memory: Any = None
    draws: int = 0
    start_seat: int | None = None
    ended: str | None = None
    sheet: Mapping[str, Any] | None = None
    acted: bool = False
    taken_back: bool = False
    at: datetime | None = None
    digest: bytes = NO_DIGEST

    def stamped(self, event: Event) -> Play:
        """The same position, reached by this event."""
        return replace(self, version=event.version, at=event.at, digest=event.digest)


@dataclass(frozen=True, slots=True)
class Step:
    """A provisional step: the version at which its action began, and the position that it began from."""

    began: int
    play: Play


@dataclass(frozen=True, slots=True)
class Cut:
    """A tip that its own seat cut off and may still go back to."""

    play: Play
    steps: tuple[Step, ...]


class BrokenRecord(Exception):
    """An event that does not fit the record before it; `version` says which one."""

    def __init__(self, table: UUID, version: int, message: str) -> None:
        super().__init__(f"table {table}, event {version}: {message}")
        self.table = table
        self.version = version


@dataclass(frozen=True, slots=True)
class Table:
    """A table as of one version of its record.

    Args:
        id: its own.
        version, digest: of the newest event of any kind; what the next append stands on.
        desk: who sits where; None before the first event.
        rules: of the game and version that the first event names; None before it.
        settled: the position at the last barrier, all that the other seats and the public may see.
        play: the position with the provisional steps.
        steps: the provisional steps, oldest first.
        cuts: undone tips, latest last.
        broken: why the event behind `version` can't be applied, so that nothing may follow; None for a sound record.
        remembers: whether what the viewers know is followed too; audits need it for nothing.
    """

    id: UUID
    games: Games
    version: int = 0
    digest: bytes = NO_DIGEST
    desk: Desk | None = None
    rules: Rules[Any] | None = None
    settled: Play = Play()
    play: Play = Play()
    steps: tuple[Step, ...] = ()
    cuts: tuple[Cut, ...] = ()
    broken: str | None = None
    remembers: bool = True

    @property
    def status(self) -> str:
        """`open`, `running` or `finished`, as everybody may see it (an end is always a barrier)."""
        if self.broken is not None:
            return "finished"
        if self.settled.ended is not None or (self.desk is not None and self.desk.abandoned is not None):
            return "finished"
        return "running" if self.settled.state is not None else "open"

    @property
    def holder(self) -> int | None:
        """The seat with provisional steps, undone ones included; at most one has any."""
        if not (self.steps or self.cuts) or self.rules is None:
            return None
        return self.rules.turn(self.settled.state).seat

    def seen_by(self, viewer: Viewer) -> Play:
        """The position that a viewer may see."""
        return self.play if viewer is not None and viewer == self.holder else self.settled

    def evolve(self, event: Event, at: Callable[[int], Play] | None = None) -> Table:
        """The table after the next event of its record.

        Args:
            event: of version `self.version + 1`, or a later one if those between do not stand here.
            at: finds the position right after a version, for truncations behind the last barrier.

        Raises:
            BrokenRecord: if the event can't be applied.
        """
        if event.version <= self.version:
            raise BrokenRecord(self.id, event.version, f"follows version {self.version}")
        head = replace(self, version=event.version, digest=event.digest)
        if isinstance(event.fact, Truncated):
            return head._truncated(event, event.fact, at)
        try:
            return head._at_desk(event) if isinstance(event.fact, desks.DESK) else head._played(event)
        except Exception as error:  # desk and rules touch nothing outside: whatever they raise, it is the event's
            raise BrokenRecord(self.id, event.version, f"{type(error).__name__}: {error}") from error

    def _at_desk(self, event: Event) -> Table:
        if self.desk is not None:
            return replace(self, desk=desks.evolve(self.desk, event))
        desk = desks.opened(event)
        config = Config(seats=len(desk.seats), options=desk.options, data=desk.data)
        return replace(self, desk=desk, rules=self.games[desk.game].rules[desk.rules](config))

    def _played(self, event: Event) -> Table:
        play = self._after(event)
        if event.barrier:
            return self.settling(play)
        if event.action is None:
            return replace(self, play=play)
        step = Step(began=self.play.version, play=self.play)
        return replace(self, play=play, steps=(*self.steps, step), cuts=())

    def settling(self, play: Play) -> Table:
        """The table at a barrier: everybody may see this position, nothing before it can be undone."""
        return replace(self, settled=play, play=play, steps=(), cuts=())

    def _after(self, event: Event) -> Play:
        before, fact = self.play, event.fact
        if isinstance(fact, Ended):
            return replace(before, ended=fact.reason).stamped(event)
        if isinstance(fact, Scored):
            return replace(before, sheet=fact.sheet).stamped(event)
        if isinstance(fact, Forked):
            begun = replace(before, state=fact.state, memory=fact.memory, start_seat=fact.start_seat)
            return begun.stamped(event)
        assert self.rules is not None
        state = self.rules.evolve(before.state, fact)
        return Play(
            version=event.version,
            state=state,
            memory=self.rules.remember(before.memory, before.state, fact) if self.remembers else None,
            draws=before.draws + event.draws,
            start_seat=fact.start_seat if before.state is None else before.start_seat,
            acted=self._acted(state, event.barrier),
            taken_back=before.taken_back,
            at=event.at,
            digest=event.digest,
        )

    def _truncated(self, event: Event, fact: Truncated, at: Callable[[int], Play] | None) -> Table:
        """at(v) = at(m): own steps and tips are at hand, anything older is looked up."""
        if not event.barrier:
            for n, step in enumerate(self.steps):
                if step.began == fact.to:
                    cut = Cut(self.play, self.steps)
                    return replace(self, play=step.play.stamped(event), steps=self.steps[:n], cuts=(*self.cuts, cut))
            if self.cuts and self.cuts[-1].play.version == fact.to:
                tip = self.cuts[-1]
                return replace(self, play=tip.play.stamped(event), steps=tip.steps, cuts=self.cuts[:-1])
            raise BrokenRecord(self.id, event.version, f"undoes to {fact.to}, where no provisional step began")
        if fact.to == self.settled.version:
            target = self.settled
        else:
            target = self._found(event, fact, at)
        taken_back = target.taken_back or fact.reason in TAKING_BACK
        return self.settling(replace(target, taken_back=taken_back).stamped(event))

    def _found(self, event: Event, fact: Truncated, at: Callable[[int], Play] | None) -> Play:
        try:
            if at is not None:
                return at(fact.to)
        except LookupError as error:
            raise BrokenRecord(self.id, event.version, f"goes back to {fact.to}, which does not exist") from error
        raise BrokenRecord(self.id, event.version, f"goes back to {fact.to}, which is not at hand")

    def _acted(self, state: Any, barrier: bool) -> bool:
        """Whether the turn that a state is in has seen a command: the one that began it does not count."""
        assert self.rules is not None
        before = self.settled.state
        new_turn = before is None or (barrier and self.rules.turn(before) != self.rules.turn(state))
        return not new_turn


def fold(table: UUID, games: Games, events: Iterable[Event]) -> Table:
    """A table from all events of its record, up to any version: the plain reading that faster loaders must equal.

    Raises:
        BrokenRecord: naming the first event that can't be applied.
    """
    folded = Table(id=table, games=games)
    positions: dict[int, Play] = {0: Play()}
    for event in events:
        folded = folded.evolve(event, positions.__getitem__)
        positions[event.version] = folded.play
    return folded
