"""Positions of Mottainai in one line, and a player of actions written as words ("complete bowl gallery").

Cards that a position does not place lie in the deck, so that every card is always somewhere.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from domain.chance import Chance
from domain.game import Config
from domain.games.mottainai import GAME
from domain.games.mottainai.board import Run
from domain.games.mottainai.cards import CARD, KEYS
from domain.games.mottainai.refusals import FIELDS
from domain.games.mottainai.rules import MottainaiRules, settle
from domain.games.mottainai.state import Frame, State, Temple, evolve

ZONES = ("hand", "helpers", "bench", "sales", "gallery", "gift_shop", "waiting")


def cards(words: str) -> tuple[str, ...]:
    return tuple(words.split())


def temple(words: str) -> Temple:
    """`"hand: frog bowl; bench: fan; task: pin"`; a task written `?pin` lies face down."""
    zones: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in words.split(";"))):
        zone, _, content = part.partition(":")
        zones[zone.strip().replace("shop", "gift_shop") if zone.strip() == "shop" else zone.strip()] = content.strip()
    task = zones.pop("task", None)
    found = {zone: cards(content) for zone, content in zones.items()}
    assert set(found) <= set(ZONES), found
    found["hand"] = tuple(sorted(found.get("hand", ()), key=KEYS.index))
    return Temple(task=task and task.lstrip("?"), face_down=bool(task) and task.startswith("?"), **found)


def located(state: State) -> Counter[str]:
    """How many of each card there are, wherever they lie."""
    found = Counter(state.deck) + Counter(state.floor)
    for seat in state.temples:
        for zone in ZONES:
            found.update(CARD[card] for card in getattr(seat, zone))
        if seat.task:
            found[seat.task] += 1
    return found


def rules_for(seats: int, **options: bool) -> MottainaiRules:
    complete = GAME.complete(options, seats)
    return MottainaiRules(Config(seats, complete))


class Play:
    """A game from a given position. `do` plays one action and what follows by itself, checking that it is listed.

    Args:
        temples: one text a seat.
        at: the pending step, a frame kind of the turn; or a task being performed ("potter 2": two actions left).
        owner: whose task that is.
        deck: the top of the deck; the rest of the cards lie under it, or nothing with `bare`.
    """

    def __init__(
        self,
        *temples: str,
        at: str = "choose",
        owner: int = 0,
        deck: str = "",
        floor: str = "",
        bare: bool = False,
        active: int = 0,
        number: int = 1,
        round_: int = 1,
        start: int = 0,
        **options: bool,
    ) -> None:
        seats = len(temples)
        self.rules = rules_for(seats, **options)
        placed = State(
            tuple(map(temple, temples)), cards(deck), cards(floor), start, active, number, round_, 0, None, -1, ()
        )
        copies = 1 if seats <= 3 else 2
        rest = Counter(KEYS * copies)
        rest.subtract(located(placed))
        assert min(rest.values()) >= 0, f"too many: {[card for card in rest if rest[card] < 0]}"
        filler = () if bare else tuple(card for card in KEYS for _ in range(rest[card]))
        kind, *left = at.split()
        frames: tuple[Frame, ...] = (Frame(kind, n=1 if kind == "noon" else 0),)
        if left:
            frames = (Frame("noon", n=seats + 1), Frame("perform", kind, owner, int(left[0])))
        self.state = State(
            placed.temples, placed.deck + filler, placed.floor, start, active, number, round_, 0, None, -1, frames
        )  # fmt: skip
        self.facts: list[Any] = []
        self.total = located(self.state)
        run = Run(self.state, self.rules.setting)
        settle(run)
        run.close()
        self._follow(run.facts)
        if self.state.frames != run.frames:
            self.state = State(*[getattr(self.state, n) for n in State.__match_args__[:-1]], run.frames)

    def _follow(self, facts: Any) -> None:
        for fact in facts:
            self.barriers = [*getattr(self, "barriers", []), self.rules.is_barrier(self.state, fact)]
            self.state = evolve(self.state, fact)
            self.facts.append(fact)
            assert located(self.state) == self.total, f"cards lost or made by {fact}"

    def action(self, words: str) -> dict[str, Any]:
        kind, *values = words.split()
        fields = FIELDS[kind]
        action: dict[str, Any] = {"type": kind}
        for (name, type_), value in zip(fields.items(), values, strict=False):
            action[name] = type_(value)
        if len(values) > len(fields):
            action["wing"] = values[-1]
        return action

    @property
    def seat(self) -> int:
        return self.state.active

    @property
    def legal(self) -> list[str]:
        return [" ".join(map(str, a.values())) for a in self.rules.legal_actions(self.state, self.seat)]

    def can(self, words: str) -> bool:
        return words in self.legal

    def do(self, *words: str) -> Play:
        """Play actions one after the other; `facts` are those of the last one."""
        for each in words:
            assert each in self.legal, f"{each!r} is not listed: {self.legal}"
            self.facts, self.barriers = [], []
            final = self.rules.is_final(self.state, self.seat, self.action(each))
            seat, number = self.seat, self.state.number
            step: Any = (self.seat, self.action(each))
            while step:
                self._follow(self.rules.decide(self.state, *step, Chance(bytes(32))))
                step = None if self.over else self.rules.forced(self.state)
            was = any(self.barriers) or self.over or (seat, number) != (self.seat, self.state.number)
            assert final == was, f"{each!r}: final {final}, but barrier {was}"
        return self

    @property
    def over(self) -> bool:
        return self.state.ended is not None

    def __getitem__(self, seat: int) -> Temple:
        return self.state.temples[seat]

    @property
    def floor(self) -> list[str]:
        return list(self.state.floor)

    def deck_end(self, number: int) -> list[str]:
        return list(self.state.deck[-number:])

    def happened(self, kind: type) -> list[Any]:
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def score(self) -> list[int]:
        return [line.total for line in self.rules.score(self.state).seats]
