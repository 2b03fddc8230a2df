"""The vocabulary in which a game tells the memory engine what happened: zones, moves, shows, shuffles.

A description carries the true cards; who sees them follows from the zones and from `seen`. No deduction lives here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

EVERYBODY = "everybody"
TOP = "top"
BOTTOM = "bottom"


@dataclass(frozen=True, slots=True)
class Zone:
    """A place whose content is hidden from somebody. Places open to all need no zone: they are `None` in a move.

    `sees`: the seats that always see its content (not the public). `ordered`: a pile, drawn from the top, in which
    single places can be known; other zones are multisets.
    """

    sees: tuple[int, ...] = ()
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """Cards go from one zone to another; `None` is any place open to all.

    `cards`: the kinds, one entry a card. A viewer learns them if it sees the source or the target (a place open to all
    is seen by all) or is named in `seen`; another viewer learns their number only, and counts every choice of that
    many cards as possible. Out of a pile they are the cards from place `at` downwards (0 is the top), in this order;
    onto a pile they lie in this order, the first uppermost, at `place`.
    """

    cards: tuple[str, ...]
    source: str | None
    target: str | None
    seen: tuple[int, ...] | str = ()
    at: int = 0
    place: str = BOTTOM


@dataclass(frozen=True, slots=True)
class Show:
    """Some or all cards of a zone are shown and stay there; of a pile those from place `at` downwards, in order.

    `seen`: seats, or `EVERYBODY` (the default).
    """

    cards: tuple[str, ...]
    zone: str
    seen: tuple[int, ...] | str = EVERYBODY
    at: int = 0


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Cards of a composition that all know are shuffled and laid onto a pile (at its top or bottom): a *lot*."""

    cards: tuple[str, ...]
    onto: str
    place: str = BOTTOM


Described = Move | Show | Shuffle


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a viewer can know of one zone: the least and the greatest count of each kind over all worlds, no zeros."""

    guaranteed: dict[str, int] = field(default_factory=dict)
    possible: dict[str, int] = field(default_factory=dict)
