"""The desk of a table: who sits where, what was agreed, and the framework's own facts with their log texts.

Desk events are never cut by a truncation and never make an action stale. `Truncated`, `Ended` and `Scored`
are the framework's but belong to the play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from domain.game import Language, fact
from domain.record import Event

SeatKind = Literal["human", "bot", "open"]


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


@fact("table.Sealed")
class Sealed:
    """The result is final; the server seed (hex) is disclosed, and with it every salt and draw."""

    server_seed: str


@fact("table.Truncated")
class Truncated:
    """The play stands again as it stood right after version `to`, on whatever branch that lies.

    `reason`: `undo`, `redo`, `resignation`; others come with take-backs and moderation.
    """

    to: int
    reason: str


@fact("table.Ended")
class Ended:
    reason: str


@fact("table.Scored")
class Scored:
    """`sheet`: the score sheet as the API shows a result, without the players."""

    sheet: dict[str, Any]


DESK = (Opened, SeatTaken, SeatLeft, SeatFilled, Started, Resigned, BotFailed, Sealed)
FACTS = (*DESK, Truncated, Ended, Scored)


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table: `player` for a human, `bot` for a bot. `entropy` is its contribution to the seed."""

    kind: SeatKind
    player: str | None = None
    bot: str | None = None
    entropy: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """What the desk events of a record add up to. `revision` counts them."""

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


_EVOLVE: Mapping[type, Callable[[Desk, Any], Desk]] = {
    SeatTaken: lambda desk, fact: _seated(desk, fact.seat, Seat("human", player=fact.player, entropy=fact.entropy)),
    SeatLeft: lambda desk, fact: _seated(desk, fact.seat, Seat("open")),
    SeatFilled: lambda desk, fact: _seated(desk, fact.seat, Seat("bot", bot=fact.bot)),
    Resigned: lambda desk, fact: _seated(
        desk, fact.seat, Seat("bot", bot=fact.bot, entropy=desk.seats[fact.seat].entropy)
    ),
    BotFailed: lambda desk, fact: desk,
    Sealed: lambda desk, fact: replace(desk, server_seed=fact.server_seed),
    Started: lambda desk, fact: replace(
        desk,
        started=True,
        seats=tuple(replace(seat, entropy=text) for seat, text in zip(desk.seats, fact.contributions, strict=True)),
    ),
}

_TEXT: Mapping[type, Mapping[Language, Callable[[Any], str]]] = {
    Opened: {
        "en": lambda fact: f"The table is open, with {len(fact.seats)} seats.",
        "de": lambda fact: f"Der Tisch ist eröffnet, mit {len(fact.seats)} Plätzen.",
    },
    SeatTaken: {
        "en": lambda fact: f"Seat {fact.seat} is taken.",
        "de": lambda fact: f"Sitz {fact.seat} ist besetzt.",
    },
    SeatLeft: {
        "en": lambda fact: f"Seat {fact.seat} is free again.",
        "de": lambda fact: f"Sitz {fact.seat} ist wieder frei.",
    },
    SeatFilled: {
        "en": lambda fact: f"The bot {fact.bot} takes seat {fact.seat}.",
        "de": lambda fact: f"Der Bot {fact.bot} übernimmt Sitz {fact.seat}.",
    },
    Started: {"en": lambda fact: "The game begins.", "de": lambda fact: "Das Spiel beginnt."},
    Resigned: {
        "en": lambda fact: f"Seat {fact.seat} resigns; the bot {fact.bot} plays on.",
        "de": lambda fact: f"Sitz {fact.seat} gibt auf; der Bot {fact.bot} spielt weiter.",
    },
    BotFailed: {
        "en": lambda fact: (
            f"The bot {fact.bot} of seat {fact.seat} failed {fact.attempts} times; its first legal action is played."
        ),
        "de": lambda fact: (
            f"Der Bot {fact.bot} von Sitz {fact.seat} ist {fact.attempts}-mal gescheitert; "
            "seine erste mögliche Aktion wird gespielt."
        ),
    },
    Sealed: {
        "en": lambda fact: "The result is sealed and the seed disclosed.",
        "de": lambda fact: "Das Ergebnis ist besiegelt und der Startwert offengelegt.",
    },
    Truncated: {
        "en": lambda fact: f"The play goes back to version {fact.to} ({fact.reason}).",
        "de": lambda fact: f"Das Spiel steht wieder bei Version {fact.to} ({fact.reason}).",
    },
    Ended: {
        "en": lambda fact: f"The game is over ({fact.reason}).",
        "de": lambda fact: f"Das Spiel ist zu Ende ({fact.reason}).",
    },
    Scored: {
        "en": lambda fact: "The score: " + _totals(fact.sheet, "Seat"),
        "de": lambda fact: "Die Wertung: " + _totals(fact.sheet, "Sitz"),
    },
}


def _totals(sheet: Mapping[str, Any], word: str) -> str:
    return ", ".join(f"{word} {line['seat']}: {line['total']}" for line in sheet["seats"]) + "."


def describe(fact: Any, language: Language) -> str:
    """A fact of the framework as a sentence of the log."""
    return _TEXT[type(fact)][language](fact)
