"""A table without a database: events are kept in a list, decided and folded by the domain alone.

Everything that chance or time could change between two runs is fixed, so two ledgers fed alike are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from domain import chance, play, seating
from domain.chance import Chance
from domain.desk import Truncated
from domain.game import Action, Game
from domain.record import Draft, Event, write
from domain.table import Table, fold

TABLE = UUID("00000000-0000-4000-8000-000000000001")
START = datetime(2027, 1, 1, tzinfo=UTC)


def server_seed(number: int) -> bytes:
    """A seed for a numbered game."""
    return number.to_bytes(32, "big")


class Ledger:
    """One table's record in memory.

    Args:
        game: registered or toy.
        seats: how many; all are people, `player:<seat>`.
        seed: number of the game; two ledgers of one number have the same luck.
        options: chosen ones; the rest by default.
        start_seat: None: drawn.
        game_seed: of the draws, in place of the one that the number would give.
        name: a seat's player.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        seed: int = 0,
        *,
        options: Mapping[str, Any] | None = None,
        start_seat: int | None = None,
        game_seed: bytes | None = None,
        casual: bool = False,
        name: Callable[[int], str] = str,
    ) -> None:
        self.server_seed = server_seed(seed)
        self.game_seed = game_seed or chance.game_seed(self.server_seed, TABLE, [""] * seats)
        self.games = {game.key: game}
        self.events: list[Event] = []
        self.table = Table(id=TABLE, games=self.games)
        wish = seating.Wish(
            game=game,
            seats=({"kind": "human", "player": name(0)}, *({"kind": "open"} for _ in range(seats - 1))),
            options=options or {},
            private=False,
            casual=casual,
            start_seat=start_seat,
            start="manual",
        )
        self.append(
            seating.open_table(wish, table=TABLE, owner=name(0), server_seed=self.server_seed), f"player:{name(0)}"
        )
        for seat in range(1, seats):
            self.append(seating.join(self.table, name(seat), seat, "", self.server_seed), f"player:{name(seat)}")
        first, *rest = seating.beginning(self.rules, Chance(self.game_seed), [""] * seats, start_seat)
        self.append([replace(first, action={"type": "start"}), *rest], f"player:{name(0)}")

    def append(self, drafts: Sequence[Draft], by: str) -> tuple[Event, ...]:
        """Record what was decided."""
        events = write(
            drafts,
            table=TABLE,
            version=self.table.version,
            digest=self.table.digest,
            server_seed=self.server_seed,
            by=by,
            at=START + timedelta(seconds=self.table.version),
            command=f"{self.table.version:032x}",
        )
        for event in events:
            self.table = self.table.evolve(event, lambda version: self.at(version).play)
        self.events += events
        return events

    def at(self, version: int) -> Table:
        """The table as it stood right after a version."""
        return fold(TABLE, self.games, self.events[:version])

    @property
    def rules(self) -> Any:
        return self.table.rules

    @property
    def state(self) -> Any:
        """The game's state with provisional steps."""
        return self.table.play.state

    @property
    def chance(self) -> Chance:
        """The table's chance, at the draw that it has come to."""
        return Chance(self.game_seed, self.table.play.draws)

    @property
    def to_act(self) -> tuple[int, ...]:
        """Seats that must decide; none after the end."""
        return () if self.table.play.ended else tuple(self.rules.to_act(self.state))

    def legal(self, seat: int) -> list[Action]:
        return list(self.rules.legal_actions(self.state, seat))

    def act(self, seat: int, action: Action) -> tuple[Event, ...]:
        """A seat's action, recorded."""
        return self.append(play.act(self.table, seat, action, self.chance), f"player:{seat}")

    def undo(self, seat: int, to: int | None = None) -> tuple[Event, ...]:
        """Undo or redo, recorded."""
        return self.append(play.undo(self.table, seat, to), f"player:{seat}")

    def truncate(self, to: int, reason: str = "to try") -> tuple[Event, ...]:
        """A moderator's truncation."""
        draft = Draft(
            Truncated(to=to, reason="moderation"), action={"type": "truncate", "to": to, "reason": reason}, barrier=True
        )
        return self.append([draft], "moderator:m")

    def play_on(self, rng: Random, commands: int) -> None:
        """Random actions of whoever must act, up to so many commands or the end."""
        for _ in range(commands):
            if not self.to_act:
                return
            seat = rng.choice(self.to_act)
            self.act(seat, rng.choice(self.legal(seat)))
