"""The memory of a table: for each viewer, the worlds that agree with all it has seen, folded move by move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from domain.memory import asking, sampling
from domain.memory.branch import (
    Branch,
    cut,
    distinct,
    draw,
    open_as_any,
    pour,
    put,
    see,
    shuffled,
    tidied,
    unsettled,
)
from domain.memory.forgetting import within_limit
from domain.memory.group import Block, tally
from domain.memory.moves import EVERYBODY, Described, Knowledge, Move, Show, Shuffle, Zone
from domain.memory.sampling import World

Belief = tuple[Branch, ...]
"""The branches of one viewer: their worlds together are those that it can't tell apart."""


class Contradiction(ValueError):
    """A described move that agrees with no world: the game tells the engine something that can't have happened."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What each viewer has seen, as the worlds left to it. An immutable value; every change makes a new one.

    `beliefs`: the branches of seat 0, 1, … and, last, of the public. `moves`: how many were followed.
    """

    zones: dict[str, Zone]
    beliefs: tuple[Belief, ...]
    moves: int = 0

    def after(self, *described: Described) -> Memory:
        """The memory after some moves.

        Raises:
            Contradiction: no world agrees with a move.
        """
        memory = self
        for move in described:
            memory = memory._follow(move)
        return memory

    def _follow(self, move: Described) -> Memory:
        if isinstance(move, Move) and not move.cards:
            return self
        beliefs = []
        for viewer, branches in enumerate(self.beliefs):
            seat = viewer if viewer < len(self.beliefs) - 1 else None
            split = FOLLOW[type(move)](self, branches, move, seat)
            if not split:
                raise Contradiction(
                    f"no world of {'the public' if seat is None else f'seat {seat}'} agrees with {move}"
                )
            beliefs.append(split)
        return replace(self, beliefs=tuple(beliefs), moves=self.moves + 1)

    def _sees(self, seat: int | None, move: Move | Show, *zones: str | None) -> bool:
        if move.seen == EVERYBODY or None in zones:
            return True
        return seat is not None and (
            seat in move.seen or any(seat in self.zones[zone].sees for zone in zones if zone is not None)
        )

    def knowledge(self, viewer: int | None, zone: str) -> Knowledge:
        """What a viewer (a seat, or None: the public) can know of a zone: exact bounds of each kind's count."""
        return asking.knowledge(self._belief(viewer), zone)

    def places(self, viewer: int | None, zone: str) -> dict[int, str]:
        """Of a pile: place from the top (0) → kind, where the viewer can know it."""
        return asking.places(self._belief(viewer), zone)

    def size(self, zone: str) -> int:
        """The number of cards in a zone, which is public."""
        return self.beliefs[-1][0].size(zone)

    def sample(self, viewer: int | None, rng: Random) -> World:
        """A world drawn from those that the viewer can't tell from the true one: every zone and its cards."""
        world = sampling.sample(self._belief(viewer), rng)
        return {zone: world.get(zone, ()) for zone in self.zones}

    def imagined(self, viewer: int | None, world: World) -> Memory:
        """The memory of a table that stands as in a world which this viewer takes for possible.

        The viewer and the public know what they knew; any other seat knows what the public does, and the cards of the
        zones that it sees.

        Raises:
            Contradiction: the world is none of the viewer's.
        """
        seats = len(self.beliefs) - 1
        memory = replace(
            self,
            beliefs=tuple(self.beliefs[seat if seat == viewer else -1] for seat in range(seats)) + self.beliefs[-1:],
        )
        shows = [
            Show(world[name], name, seen=tuple(seat for seat in zone.sees if seat != viewer))
            for name, zone in self.zones.items()
            if zone.sees
        ]
        for show in shows:
            for seat in show.seen:
                memory = memory._shown_to(int(seat), show)
        return memory

    def _shown_to(self, seat: int, show: Show) -> Memory:
        belief = _follow_show(self, self.beliefs[seat], show, seat)
        if not belief:
            raise Contradiction(f"no world of seat {seat} agrees with {show}")
        beliefs = (*self.beliefs[:seat], belief, *self.beliefs[seat + 1 :])
        return replace(self, beliefs=beliefs)

    def _belief(self, viewer: int | None) -> Belief:
        return self.beliefs[-1 if viewer is None else viewer]


def start(seats: int, zones: Mapping[str, Zone]) -> Memory:
    """The memory of an empty table; the set-up, too, is told by moves.

    Args:
        seats: how many; viewers are 0 to seats − 1 and None, the public.
        zones: every place that is hidden from anybody, by name.
    """
    empty = Branch(piles={name: () for name, zone in zones.items() if zone.ordered})
    return Memory(dict(zones), ((empty,),) * (seats + 1))


def _follow_move(memory: Memory, branches: Belief, move: Move, seat: int | None) -> Belief:
    source, target = move.source, move.target
    if memory._sees(seat, move, source, target):
        cells = tuple((kind, 1) for kind in move.cards)
        if source is not None:
            branches = _see(branches, source, move.cards, move.at)
        return _split(branches, lambda branch: (put(branch, target, cells, move.place),))
    assert source is not None
    assert target is not None
    n, name = len(move.cards), f"#{memory.moves}"

    def follow(branch: Branch) -> Iterator[Branch]:
        drawn, cells = draw(branch, source, n, move.at, name, target)
        yield put(drawn, target, cells, move.place)

    ordered = memory.zones[source].ordered
    if ordered or memory.zones[target].ordered or n < memory.size(source):
        return _split(branches if ordered else _settled(branches, partial(unsettled, source=source)), follow)
    branches = _settled(branches, partial(unsettled, source=source, target=target))
    return _split(branches, lambda branch: (pour(branch, source, target),))


def _follow_show(memory: Memory, branches: Belief, show: Show, seat: int | None) -> Belief:
    if not memory._sees(seat, show, show.zone):
        return branches
    cells = tuple((kind, 1) for kind in show.cards)

    def follow(branch: Branch) -> Iterator[Branch]:
        if show.zone in branch.piles:
            above, below = cut(branch.piles[show.zone], show.at)
            yield branch.with_pile(show.zone, above, cells, below)
        else:
            yield put(branch, show.zone, cells, show.zone)

    return _split(_see(branches, show.zone, show.cards, show.at), follow)


def _follow_shuffle(memory: Memory, branches: Belief, shuffle: Shuffle, seat: int | None) -> Belief:
    lot, cards = f"*{memory.moves}", tally((kind, 1) for kind in shuffle.cards)
    return _split(branches, lambda branch: (shuffled(branch, lot, cards, shuffle.onto, shuffle.place),))


FOLLOW: dict[type, Callable[..., Belief]] = {
    Move: _follow_move,
    Show: _follow_show,
    Shuffle: _follow_shuffle,
}


def _see(branches: Belief, zone: str, kinds: tuple[str, ...], at: int) -> Belief:
    """The branches split by how cards of these kinds can have been in a zone, and without them; card by card."""
    for kind in kinds:
        branches = _split(branches, partial(see, zone=zone, kind=kind, at=at))
    return branches


def _settled(branches: Belief, unsettled: Callable[[Branch], tuple[str, Block] | None]) -> Belief:
    """The branches split until no block is unsettled; block by block, so that they never get too many."""

    def follow(branch: Branch) -> Iterable[Branch]:
        found = unsettled(branch)
        return (branch,) if found is None else open_as_any(branch, *found)

    while any(map(unsettled, branches)):
        branches = _split(branches, follow)
    return branches


def _split(branches: Belief, follow: Callable[[Branch], Iterable[Branch]]) -> Belief:
    return within_limit(distinct(tidied(found, branch) for branch in branches for found in follow(branch)))
