"""A record with a follower beside it, driven by the use cases: players, tables and random play in one line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import UUID

from domain.registry import GAMES
from domain.table import Games, Table, fold
from infra.settings import Settings
from projections.follower import Follower
from services import players, seats, turns
from services.context import Context, connect
from services.players import Player

ROWS = ("lobby", "views", "log", "work", "results", "broken")


@dataclass
class World:
    """A context, a follower that is stepped by hand, and the players of the tables made here."""

    settings: Settings
    context: Context
    follower: Follower
    players: dict[str, Player] = field(default_factory=dict)

    def player(self, name: str = "Ada") -> Player:
        player, _ = players.register(self.context, name)
        self.players[str(player.id)] = player
        return player

    def open(
        self, humans: int, bots: Sequence[str] = (), *, game: str = "roeko", start: str = "auto", **wish: Any
    ) -> UUID:
        """A table whose first seats are people (the first its owner), the others bots; it runs, unless `manual`."""
        owner = self.player()
        plan = [{"kind": "me"}, *({"kind": "open"} for _ in range(humans - 1))][:humans]
        asked = {
            "game": game,
            "seats": [*plan, *({"kind": "bot", "bot": bot} for bot in bots)],
            "options": {},
            "private": False,
            "casual": False,
            "start_seat": None,
            "start": start,
            "entropy": "",
        }
        outcome, _ = seats.open_table(self.context, owner, asked | wish)
        for seat in range(1, humans):
            seats.join(self.context, self.player(f"P{seat}"), outcome.table.id, seat=seat, entropy="")
        return outcome.table.id

    def table(self, table_id: UUID) -> Table:
        return self.context.tables.load(table_id)

    def folded(self, table_id: UUID, version: int | None = None) -> Table:
        """The table by domain alone, from all of its events up to a version."""
        events = self.context.tables.recorded(table_id, upto=version)
        return fold(table_id, self.context.games, events)

    def person_at(self, table_id: UUID, seat: int) -> Player | None:
        desk = self.table(table_id).desk
        assert desk is not None
        return self.players.get(desk.seats[seat].player or "")

    def act(self, table_id: UUID, seat: int, action: Mapping[str, Any]) -> None:
        player = self.person_at(table_id, seat)
        assert player is not None
        version = self.table(table_id).seen_by(seat).version
        turns.act(self.context, player, table_id, version=version, action=action)

    def undo(self, table_id: UUID, seat: int, to: int | None = None) -> None:
        player = self.person_at(table_id, seat)
        assert player is not None
        version = self.table(table_id).seen_by(seat).version
        turns.undo(self.context, player, table_id, version=version, to=to)

    def resign(self, table_id: UUID, seat: int) -> None:
        player = self.person_at(table_id, seat)
        assert player is not None
        seats.leave(self.context, player, table_id)

    def legal(self, table_id: UUID, seat: int) -> list[Mapping[str, Any]]:
        table = self.table(table_id)
        assert table.rules is not None
        return list(table.rules.legal_actions(table.play.state, seat))

    def to_act(self, table_id: UUID) -> tuple[int, ...]:
        table = self.table(table_id)
        assert table.rules is not None
        return table.rules.to_act(table.play.state) if table.status == "running" else ()

    def provisional(self, table_id: UUID, seat: int) -> Mapping[str, Any] | None:
        """A legal action that can be undone; None if there is none."""
        table = self.table(table_id)
        rules, state = table.rules, table.play.state
        assert rules is not None
        return next((each for each in rules.legal_actions(state, seat) if not rules.is_final(state, seat, each)), None)

    def random_command(self, table_id: UUID, rng: Random) -> str:
        """Something that a person at the table may do; says what. The table must run and wait for a person."""
        seat = rng.choice([seat for seat in self.to_act(table_id) if self.person_at(table_id, seat)])
        table = self.table(table_id)
        chance = rng.random()
        if table.steps and chance < 0.35:
            self.undo(table_id, seat, rng.choice([None, *(step.began for step in table.steps)]))
            return "undo"
        if table.holder == seat and table.cuts and chance < 0.6:
            self.undo(table_id, seat, table.cuts[-1].play.version)
            return "redo"
        self.act(table_id, seat, rng.choice(self.legal(table_id, seat)))
        return "act"

    def end_turn(self, table_id: UUID) -> None:
        """First legal actions until it is another seat's turn or the game is over."""
        table = self.table(table_id)
        assert table.rules is not None
        turn = table.rules.turn(table.play.state)
        while self.to_act(table_id) and table.rules.turn(self.table(table_id).play.state) == turn:
            self.act(table_id, self.to_act(table_id)[0], self.legal(table_id, self.to_act(table_id)[0])[-1])

    def follow(self) -> None:
        """Project everything there is."""
        while self.follower.step():
            pass

    def rows(self, *names: str) -> dict[str, list[Any]]:
        """All rows of read models, by name."""
        found = {}
        for name in names or ROWS:
            query = f"SELECT row_to_json(t) AS row FROM (SELECT * FROM {name} ORDER BY 1, 2, 3) AS t"
            found[name] = [row["row"] for row in self.context.database.query(query)]
        return found

    def work(self, table_id: UUID) -> list[tuple[str, int]]:
        """Kinds and seats of a table's work."""
        rows = self.context.database.query(
            "SELECT kind, seat FROM work WHERE table_id = %s ORDER BY kind, seat", (table_id,)
        )
        return [(row["kind"], row["seat"]) for row in rows]


@contextmanager
def world_over(url: str, games: Games = GAMES, **chosen: Any) -> Iterator[World]:
    """A world over a database; without Redis, so that nobody is woken."""
    settings = Settings(database_url=url, pool_size=6, **chosen)
    context = connect(settings, games)
    follower = Follower(settings, games)
    try:
        yield World(settings, context, follower)
    finally:
        follower.close()
        context.database.close()
