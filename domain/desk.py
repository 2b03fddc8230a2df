"""The desk of a table: who sits where and what was agreed; and the framework's own facts.

Desk events are never cut by a truncation and never make an action stale. `Truncated`, `Ended` and `Scored`
are the framework's but belong to the play.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from domain.game import fact
from domain.record import Event

SeatKind = Literal["human", "bot", "open"]

SUBSTITUTE = "automa"
"""The bot, which every game has, that plays where a person no longer does, or never did."""


@fact("table.Opened")
class Opened:
    """A table was opened.

    `seats`: one a seat, `{"kind": "human", "player": id}`, `{"kind": "bot", "bot": name}` or `{"kind": "open"}`,
    with `entropy` where a contribution came along. `data`: file name → `{"sha256", "content"}`.
    """

    game: str
    rules: int
    options: dict[str, Any]
    seats: tuple[dict[str, Any], ...]
    owner: str
    start: str
    start_seat: int | None
    private: bool
    casual: bool
    commitment: str
    data: dict[str, dict[str, str]]


@fact("table.SeatTaken")
class SeatTaken:
    seat: int
    player: str
    entropy: str


@fact("table.SeatLeft")
class SeatLeft:
    seat: int
    player: str


@fact("table.SeatFilled")
class SeatFilled:
    """The owner put a bot on an open seat."""

    seat: int
    bot: str


@fact("table.Started")
class Started:
    """The seats are complete and the seed is fixed; `contributions` by seat, empty where none was given."""

    contributions: tuple[str, ...]


@fact("table.Resigned")
class Resigned:
    """A player gave up a seat for good; from here on the bot plays it."""

    seat: int
    player: str
    bot: str


@fact("table.BotFailed")
class BotFailed:
    """A bot failed repeatedly; its first legal action was played for it."""

    seat: int
    bot: str
    attempts: int


@fact("table.Proposed")
class Proposed:
    """A seat asks the others to agree to something; `at` is the version of the play that it is about, and with the
    next one it is void.

    `kind`: `take_back` (the play goes back to version `to`, over the draws numbered in `draws`), `cancel` (the game
    is given up without a result) or `substitute` (the bot plays on for the seat `absent`). `voters`: who must agree.
    """

    number: int
    kind: str
    seat: int
    at: int
    voters: tuple[int, ...]
    to: int | None
    draws: tuple[int, ...]
    absent: int | None


@fact("table.Answered")
class Answered:
    """A voter's answer to a proposal. One refusal ends it; the last acceptance carries it out."""

    number: int
    seat: int
    accept: bool


@fact("table.Warned")
class Warned:
    """Seats that have not acted for long at version `at` of the play: the others may now propose what to do, and
    after some more time the table is closed."""

    seats: tuple[int, ...]
    at: int


@fact("table.Substituted")
class Substituted:
    """The others agreed that the bot plays on for an absent player."""

    seat: int
    player: str
    bot: str


@fact("table.Abandoned")
class Abandoned:
    """The game ends without a result: `idle`, `agreed` or `moderation`."""

    reason: str


@fact("table.Annulled")
class Annulled:
    """A sealed result stays on record but counts nowhere any more."""

    reason: str


@fact("table.Imported")
class Imported:
    """This record was written elsewhere, as table `table`, and taken in here: it is read-only and nobody's.

    `key`, `signature`: of its head, as the file said; `origin`: `signed` if the key is one of ours, else `unsigned`.
    """

    table: str
    by: str
    key: str
    signature: str
    origin: str


@fact("table.Sealed")
class Sealed:
    """The result is final; the server seed (hex) is disclosed, and with it every salt and draw."""

    server_seed: str


@fact("table.Truncated")
class Truncated:
    """The play stands again as it stood right after version `to`, on whatever branch that lies.

    `reason`: `undo`, `redo`, `resignation`, `absence`, `abandoning`; `take_back` and `moderation` go behind what others
    have seen.
    """

    to: int
    reason: str


@fact("table.Forked")
class Forked:
    """The game begins in a position of another table.

    `origin`, `at`: that table and version. `exact`: the position as it was; else what the one who forked could not
    know was drawn anew. `state`, `memory`: the game's own, of rules version `rules` of `game`.
    """

    game: str
    rules: int
    origin: str
    at: int
    exact: bool
    start_seat: int
    state: Any
    memory: Any


@fact("table.Ended")
class Ended:
    reason: str


@fact("table.Scored")
class Scored:
    """`sheet`: the score sheet as the API shows a result, without the players."""

    sheet: dict[str, Any]


DESK = (
    Opened,
    SeatTaken,
    SeatLeft,
    SeatFilled,
    Started,
    Resigned,
    BotFailed,
    Proposed,
    Answered,
    Warned,
    Substituted,
    Abandoned,
    Annulled,
    Sealed,
    Imported,
)
FACTS = (*DESK, Truncated, Forked, Ended, Scored)


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table: `player` for a human, `bot` for a bot. `entropy` is its contribution to the seed."""

    kind: SeatKind
    player: str | None = None
    bot: str | None = None
    entropy: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What was proposed and answered so far. It is open until answered by all or refused by one, and while the play
    stands where it stood."""

    asked: Proposed
    answers: tuple[tuple[int, bool], ...] = ()

    @property
    def missing(self) -> tuple[int, ...]:
        """Voters that have not answered; none once somebody has refused."""
        if not all(accept for _, accept in self.answers):
            return ()
        given = {seat for seat, _ in self.answers}
        return tuple(seat for seat in self.asked.voters if seat not in given)

    @property
    def accepted(self) -> bool:
        return not self.missing and all(accept for _, accept in self.answers)


@dataclass(frozen=True, slots=True)
class Desk:
    """What the desk events of a record add up to. `revision` counts them; `gone` are players whose seats bots took."""

    game: str
    rules: int
    options: Mapping[str, Any]
    seats: tuple[Seat, ...]
    owner: str
    start: str
    start_seat: int | None
    private: bool
    casual: bool
    commitment: str
    data: Mapping[str, str]
    opened_at: datetime
    changed_at: datetime
    started: bool = False
    server_seed: str | None = None
    proposals: tuple[Proposal, ...] = ()
    warned: Warned | None = None
    abandoned: str | None = None
    annulled: str | None = None
    imported: Imported | None = None
    gone: tuple[str, ...] = ()
    revision: int = 1

    @property
    def is_full(self) -> bool:
        return all(seat.kind != "open" for seat in self.seats)

    @property
    def is_sealed(self) -> bool:
        return self.server_seed is not None

    def seat_of(self, player: str | None) -> int | None:
        """The seat that a player holds; None for a stranger, and for one who has left or resigned."""
        if player is None:
            return None
        return next((n for n, seat in enumerate(self.seats) if seat.player == player), None)

    @property
    def open_seats(self) -> tuple[int, ...]:
        return tuple(n for n, seat in enumerate(self.seats) if seat.kind == "open")


def recorded_files(contents: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Data files, name → content, as the first event of a table records them: with the SHA-256 (hex) of each."""
    return {
        name: {"sha256": hashlib.sha256(content.encode()).hexdigest(), "content": content}
        for name, content in contents.items()
    }


def opened(event: Event) -> Desk:
    """The desk after a record's first event."""
    fact: Opened = event.fact
    return Desk(
        game=fact.game,
        rules=fact.rules,
        options=fact.options,
        seats=tuple(
            Seat(
                kind=plan["kind"],
                player=plan.get("player"),
                bot=plan.get("bot"),
                entropy=plan.get("entropy", ""),
            )
            for plan in fact.seats
        ),
        owner=fact.owner,
        start=fact.start,
        start_seat=fact.start_seat,
        private=fact.private,
        casual=fact.casual,
        commitment=fact.commitment,
        data={name: file["content"] for name, file in fact.data.items()},
        opened_at=event.at,
        changed_at=event.at,
    )


def evolve(desk: Desk, event: Event) -> Desk:
    """The desk after a later desk event."""
    changed = _EVOLVE[type(event.fact)](desk, event.fact)
    return replace(changed, revision=desk.revision + 1, changed_at=event.at)


def _seated(desk: Desk, number: int, seat: Seat) -> Desk:
    return replace(desk, seats=tuple(seat if n == number else old for n, old in enumerate(desk.seats)))


def _substituted(desk: Desk, fact: Resigned | Substituted) -> Desk:
    """The bot in place of the player, whose contribution to the seed stays."""
    seated = _seated(desk, fact.seat, Seat("bot", bot=fact.bot, entropy=desk.seats[fact.seat].entropy))
    return replace(seated, gone=(*desk.gone, fact.player))


_EVOLVE: Mapping[type, Callable[[Desk, Any], Desk]] = {
    SeatTaken: lambda desk, fact: _seated(desk, fact.seat, Seat("human", player=fact.player, entropy=fact.entropy)),
    SeatLeft: lambda desk, fact: _seated(desk, fact.seat, Seat("open")),
    SeatFilled: lambda desk, fact: _seated(desk, fact.seat, Seat("bot", bot=fact.bot)),
    Resigned: lambda desk, fact: _substituted(desk, fact),
    BotFailed: lambda desk, fact: desk,
    Substituted: lambda desk, fact: _substituted(desk, fact),
    Proposed: lambda desk, fact: replace(desk, proposals=(*desk.proposals, Proposal(fact))),
    Answered: lambda desk, fact: replace(
        desk,
        proposals=tuple(
            replace(each, answers=(*each.answers, (fact.seat, fact.accept)))
            if each.asked.number == fact.number
            else each
            for each in desk.proposals
        ),
    ),
    Warned: lambda desk, fact: replace(desk, warned=fact),
    Abandoned: lambda desk, fact: replace(desk, abandoned=fact.reason),
    Annulled: lambda desk, fact: replace(desk, annulled=fact.reason),
    Imported: lambda desk, fact: replace(
        desk, imported=fact, owner=fact.by, seats=tuple(replace(seat, player=None) for seat in desk.seats)
    ),
    Sealed: lambda desk, fact: replace(desk, server_seed=fact.server_seed),
    Started: lambda desk, fact: replace(
        desk,
        started=True,
        seats=tuple(replace(seat, entropy=text) for seat, text in zip(desk.seats, fact.contributions, strict=True)),
    ),
}
