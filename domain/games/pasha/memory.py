"""What a viewer can know of hands and stacks."""
from __future__ import annotations
from collections import Counter
from typing import Any
from domain.game import Viewer
from domain.games.pasha.state import State

def knowledge(state: State, memory: Any, viewer: Viewer) -> dict[str, Any]:
    hands: list[Any] = []
    stacks: list[Any] = []
    for n, seat in enumerate(state.seats):
        un = Counter(seat.hand) + Counter(c for s in seat.stacks for c in s)
        r, h = sum(un.values()), len(seat.hand)
        if n == viewer:
            hands.append(None)
            left = {str(k): v for k, v in sorted((un - Counter(seat.hand)).items())}
            stacks.append({"guaranteed": left, "possible": left})
            continue
        def z(k: int) -> dict[str, dict[str, int]]:
            g = {str(c): max(0, x - (r - k)) for c, x in sorted(un.items())}
            p = {str(c): min(x, k) for c, x in sorted(un.items())}
            return {"guaranteed": {a: b for a, b in g.items() if b}, "possible": {a: b for a, b in p.items() if b}}
        hands.append(z(h)); stacks.append(z(r - h))
    return {"hands": hands, "stacks": stacks}
