"""Auditing a record: everything in it is decided again from the seed, and must come out as it was written.

Nothing but the record and the server seed is needed; `docs/verify.md` says the same in words, for outsiders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from domain import play, proposals, seating
from domain.chance import commitment
from domain.desk import (
    Abandoned,
    Annulled,
    Answered,
    BotFailed,
    Forked,
    Opened,
    Proposed,
    Resigned,
    Scored,
    Sealed,
    SeatFilled,
    SeatLeft,
    SeatTaken,
    Started,
    Truncated,
    Warned,
    recorded_files,
)
from domain.game import IllegalAction
from domain.record import NO_DIGEST, Draft, Event, canonical, chained, fact_data, salt
from domain.refusals import Refusal
from domain.table import BrokenRecord, Games, Play, Table


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: `detail` names the first event that fails it, and why."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Audit:
    """What came of auditing a record; `head` is its last digest (hex)."""

    checks: tuple[Check, ...]
    head: str

    @property
    def verified(self) -> bool:
        return all(check.ok for check in self.checks)


class Discrepancy(Exception):
    """An event that is not what it must be."""

    def __init__(self, version: int, message: str) -> None:
        super().__init__(f"event {version}: {message}")
        self.version = version


def audit(table: UUID, games: Games, events: Sequence[Event], server_seed: bytes) -> Audit:
    """Check a whole record.

    Args:
        table: the id under which it was written; draws depend on it.
        events: from version 1 on.
        server_seed: of the table, 32 bytes.
    """
    checks = tuple(
        _checked(name, check, table, games, events, server_seed)
        for name, check in (
            ("order", _order),
            ("commitment", _commitment),
            ("digests", _digests),
            ("data", _data),
            ("play", _play),
        )
    )
    return Audit(checks=checks, head=events[-1].digest.hex() if events else NO_DIGEST.hex())


Looking = Callable[[UUID, Games, Sequence[Event], bytes], str]


def _checked(
    name: str, check: Looking, table: UUID, games: Games, events: Sequence[Event], server_seed: bytes
) -> Check:
    try:
        return Check(name, True, check(table, games, events, server_seed))
    except Discrepancy as failure:
        return Check(name, False, str(failure))


def _order(table: UUID, games: Games, events: Sequence[Event], server_seed: bytes) -> str:
    for place, event in enumerate(events, 1):
        if event.version != place:
            raise Discrepancy(place, f"is missing; version {event.version} stands in its place")
    if not events or not isinstance(events[0].fact, Opened):
        raise Discrepancy(1, "a record begins with table.Opened")
    return f"{len(events)} events, none missing"


def _commitment(table: UUID, games: Games, events: Sequence[Event], server_seed: bytes) -> str:
    opened = events[0].fact if events else None
    if not isinstance(opened, Opened) or opened.commitment != commitment(server_seed):
        raise Discrepancy(1, "its commitment is not that of the seed")
    return "the seed is the one committed to when the table opened"


def _digests(table: UUID, games: Games, events: Sequence[Event], server_seed: bytes) -> str:
    digest = NO_DIGEST
    for event in events:
        digest = chained(digest, salt(server_seed, event.version), event.written)
        if digest != event.digest:
            raise Discrepancy(event.version, "its digest does not follow from its bytes and the digest before it")
    return "every digest follows from the one before it"


def _data(table: UUID, games: Games, events: Sequence[Event], server_seed: bytes) -> str:
    opened = events[0].fact if events else None
    files: Mapping[str, Mapping[str, str]] = opened.data if isinstance(opened, Opened) else {}
    expected = recorded_files({name: file["content"] for name, file in files.items()})
    for name, file in files.items():
        if file["sha256"] != expected[name]["sha256"]:
            raise Discrepancy(1, f"the content of {name} does not have the hash given")
    return f"{len(files)} data files"


def _play(table: UUID, games: Games, events: Sequence[Event], server_seed: bytes) -> str:
    """Decide every command again; its facts, envelopes and draws must come out the same."""
    folded = Table(id=table, games=games, remembers=False)
    positions: dict[int, Play] = {0: Play()}
    ends: set[int] = set()
    commands = 0
    for command in commands_of(events):
        first = command[0]
        drafts = _decided_again(_Scene(folded, command, server_seed, positions.__getitem__, ends.__contains__))
        for event, draft in zip(command, drafts, strict=False):
            if _shown(event) != _shown(draft):
                raise Discrepancy(event.version, f"should be {draft.fact.TOPIC} {_plain(draft)}")
        if len(command) != len(drafts):
            raise Discrepancy(first.version, f"its command has {len(command)} events, and should have {len(drafts)}")
        for event in command:
            if (event.command, event.by, event.at) != (first.command, first.by, first.at):
                raise Discrepancy(event.version, f"does not belong to the command of event {first.version}")
            try:
                folded = folded.evolve(event, positions.__getitem__)
            except (BrokenRecord, LookupError) as failure:
                raise Discrepancy(event.version, f"can't be applied ({failure})") from failure
            positions[event.version] = folded.play
        if folded.settled.state is not None:
            ends.add(command[-1].version)
        commands += 1
    return f"{commands} commands decided again, chance, legality and score included"


def commands_of(events: Sequence[Event]) -> Iterator[list[Event]]:
    """The events of a record by command; only a command's first event says what was asked for."""
    command: list[Event] = []
    for event in events:
        if event.action is not None and command:
            yield command
            command = []
        command.append(event)
    if command:
        yield command


@dataclass(frozen=True, slots=True)
class _Scene:
    """A command and the table that it was decided on."""

    table: Table
    command: Sequence[Event]
    server_seed: bytes
    at: Callable[[int], Play]
    ends: Callable[[int], bool]

    @property
    def first(self) -> Event:
        return self.command[0]

    @property
    def fact(self) -> Any:
        return self.first.fact

    @property
    def seat(self) -> int:
        if self.first.seat is None:
            raise Discrepancy(self.first.version, "has no seat")
        return self.first.seat

    @property
    def action(self) -> Mapping[str, Any]:
        if self.first.action is None:
            raise Discrepancy(self.first.version, "is not the beginning of a command")
        return self.first.action


def _decided_again(scene: _Scene) -> Sequence[Draft]:
    version = scene.first.version
    try:
        return _FRAMEWORK.get(type(scene.fact), _acted)(scene)
    except (Refusal, IllegalAction) as refusal:
        raise Discrepancy(version, f"was not allowed: {refusal}") from refusal
    except (LookupError, TypeError, ValueError, AttributeError, AssertionError) as failure:
        raise Discrepancy(version, f"makes no sense here ({type(failure).__name__})") from failure


def _acted(scene: _Scene) -> Sequence[Draft]:
    return play.act(scene.table, scene.seat, scene.action, play.chance_of(scene.table, scene.server_seed))


def _opened(scene: _Scene) -> Sequence[Draft]:
    """A table as it was opened; where a fork begins is nowhere decided, but stated."""
    fact: Opened = scene.fact
    if isinstance(fork := scene.command[-1].fact, Forked):
        kinds = [type(event.fact) for event in scene.command]
        if kinds != [Opened, Started, Forked] or (fork.game, fork.rules) != (fact.game, fact.rules):
            raise Discrepancy(scene.command[-1].version, "does not belong into this command")
        return [Draft(event.fact, event.seat, event.action, event.barrier) for event in scene.command]
    wish = seating.Wish(
        game=scene.table.games[fact.game],
        seats=fact.seats,
        options=fact.options,
        private=fact.private,
        casual=fact.casual,
        start_seat=fact.start_seat,
        start=fact.start,
    )
    data = {name: file["content"] for name, file in fact.data.items()}
    return seating.open_table(
        wish, table=scene.table.id, owner=fact.owner, server_seed=scene.server_seed, rules=fact.rules, data=data
    )


def _joined(scene: _Scene) -> Sequence[Draft]:
    fact: SeatTaken = scene.fact
    return seating.join(scene.table, fact.player, fact.seat, fact.entropy, scene.server_seed)


def _started(scene: _Scene) -> Sequence[Draft]:
    assert scene.table.desk is not None
    owner = scene.table.desk.owner
    bots = {event.fact.bot for event in scene.command if isinstance(event.fact, SeatFilled)}
    (started,) = (event.fact for event in scene.command if isinstance(event.fact, Started))
    seat = scene.table.desk.seat_of(owner)
    entropy = None if seat is None else started.contributions[seat]
    return seating.start(scene.table, owner, bots.pop() if bots else None, entropy, scene.server_seed)


def _truncated(scene: _Scene) -> Sequence[Draft]:
    if not scene.first.barrier:
        return play.undo(scene.table, scene.seat, scene.fact.to)
    return proposals.truncate(scene.table, scene.fact.to, scene.action["reason"], scene.ends)


def _proposed(scene: _Scene) -> Sequence[Draft]:
    fact: Proposed = scene.fact
    if fact.kind == "take_back":
        assert fact.to is not None
        return proposals.take_back(scene.table, scene.seat, fact.to, scene.ends, scene.at)
    return proposals.propose(scene.table, scene.seat, fact.kind, fact.absent)


_FRAMEWORK: Mapping[type, Callable[[_Scene], Sequence[Draft]]] = {
    Opened: _opened,
    SeatTaken: _joined,
    SeatLeft: lambda scene: seating.leave(scene.table, scene.fact.player),
    SeatFilled: _started,
    Started: _started,
    Resigned: lambda scene: play.resign(scene.table, scene.fact.seat, scene.fact.player, scene.fact.bot),
    BotFailed: lambda scene: [Draft(scene.fact, scene.seat, scene.action)],
    Truncated: _truncated,
    Proposed: _proposed,
    Answered: lambda scene: proposals.answer(scene.table, scene.seat, scene.fact.number, scene.fact.accept),
    Warned: lambda scene: proposals.warn(scene.table),
    Abandoned: lambda scene: proposals.abandon(scene.table, scene.fact.reason, scene.action["reason"]),
    Annulled: lambda scene: proposals.abandon(scene.table, scene.fact.reason, scene.action["reason"]),
    Scored: lambda scene: play.score(scene.table),
    Sealed: lambda scene: play.seal(scene.table, scene.server_seed),
}


def _shown(event: Event | Draft) -> bytes:
    """What is compared of an event: all but who, when and the command's id."""
    return canonical([event.fact.TOPIC, fact_data(event.fact), event.seat, event.action, event.barrier, event.draws])


def _plain(draft: Draft) -> str:
    return canonical(fact_data(draft.fact)).decode()
