"""Forks: a new table that begins in a position of another one. Decides, appends nothing.

A finished game is forked exactly. Of a running one the forker gets what it may know; the rest is drawn anew from the
worlds that it can't tell from the true one.
"""

from __future__ import annotations

from random import Random

from domain import refusals
from domain.chance import commitment
from domain.desk import SUBSTITUTE, Forked, Opened, Started, recorded_files
from domain.game import Viewer
from domain.record import Draft
from domain.table import Table


def fork(origin: Table, viewer: Viewer, *, player: str, server_seed: bytes, exact: bool, rng: Random) -> list[Draft]:
    """The first events of a fork: private, casual, the forker on its own seat, bots on the others.

    Args:
        origin: as of the version forked from.
        viewer: the forker's seat there; None: it takes the seat whose turn it is.
        player: the forker's id.
        server_seed: of the fork: it has a luck of its own.
        exact: the origin's record is sealed, so that nothing in it is hidden.
        rng: for what is drawn anew.

    Raises:
        TableNotRunning: if the position has no game going on.
    """
    desk, rules, seen = origin.desk, origin.rules, origin.seen_by(viewer)
    if desk is None or rules is None or seen.state is None or rules.is_over(seen.state):
        raise refusals.TableNotRunning("at this version no game is going on")
    seat = rules.turn(seen.state).seat if viewer is None else viewer
    state, memory = seen.state, seen.memory
    if not exact:
        world = memory.sample(viewer, rng) if memory is not None else {}
        state = rules.redrawn(state, world, rng)
        memory = memory.imagined(viewer, world) if memory is not None else None
    count = len(desk.seats)
    mine, bot = {"kind": "human", "player": player}, {"kind": "bot", "bot": SUBSTITUTE}
    opened = Opened(
        game=desk.game,
        rules=desk.rules,
        options=dict(desk.options),
        seats=tuple(mine if n == seat else bot for n in range(count)),
        owner=player,
        start="auto",
        start_seat=seen.start_seat,
        private=True,
        casual=True,
        commitment=commitment(server_seed),
        data=recorded_files(desk.data),
    )
    forked = Forked(
        game=desk.game,
        rules=desk.rules,
        origin=str(origin.id),
        at=origin.version,
        exact=exact,
        start_seat=seen.start_seat or 0,
        state=state,
        memory=memory,
    )
    return [
        Draft(opened, action={"type": "fork", "at": origin.version}),
        Draft(Started(contributions=("",) * count)),
        Draft(forked, barrier=True),
    ]
