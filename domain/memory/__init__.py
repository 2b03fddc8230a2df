"""Perfect memory, exact: what each viewer of a table can know of the hidden zones, by possible worlds.

One engine for all games. A game describes its moves (`moves.py`), the engine follows them for every viewer
(`engine.py`) and answers with exact bounds (`asking.py`) or a drawn world (`sampling.py`). No game's rule, no I/O.

The method. All worlds of a viewer are held in closed form, never listed. Cards that chance hid are free: any
arrangement of a *lot*'s kinds over its unseen cards is a world, so a zone with w of a lot's T unseen cards has between
w − (T − T(k)) and T(k) of kind k. Cards that a seat hid are *blocks* chosen out of a *group* (`group.py`): each class
of cards can have gone into the first j blocks up to its least stock since then, and these limits, one sum a block, are
all there is: bounds are shortest paths, O(blocks) each. So a hand with three unknown cards and any number of hidden
disposals costs a few additions a kind; no set of hands is listed, no flow computed, and the viewers of one move share
the work. Only where an unseen block is drawn again, unseen, or a late unknown card may be the second copy of a known
one, is a viewer's belief split into *branches* (`branch.py`), each exact, up to a limit (`forgetting.py`).
"""

from __future__ import annotations

from domain.memory.engine import Contradiction, Memory, start
from domain.memory.moves import BOTTOM, EVERYBODY, TOP, Described, Knowledge, Move, Show, Shuffle, Zone
from domain.memory.sampling import World

__all__ = [
    "BOTTOM",
    "EVERYBODY",
    "TOP",
    "Contradiction",
    "Described",
    "Knowledge",
    "Memory",
    "Move",
    "Show",
    "Shuffle",
    "World",
    "Zone",
    "start",
]
