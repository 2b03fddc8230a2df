"""What can be read off a position (`Board`), and one command while it is carried out (`Run`).

No step of the turn and no work is here: only counting, covering, the end conditions and the stack of frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from domain.games.mottainai import facts as f
from domain.games.mottainai.cards import CARD, EFFECT, MATERIAL, MATERIALS, VALUE, WINGS
from domain.games.mottainai.state import Cards, Frame, State, Temple, evolve

Act = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Setting:
    """What the table was opened with: seats, works in a wing that end the game, and whether partners play."""

    seats: int
    wing_limit: int
    teams: bool

    def opponents(self, seat: int) -> tuple[int, ...]:
        """The other seats clockwise, without the partner."""
        return tuple(s for s in self.others(seat) if not (self.teams and (s - seat) % 2 == 0))

    def others(self, seat: int) -> tuple[int, ...]:
        """All other seats, clockwise from the left neighbour."""
        return tuple((seat + step) % self.seats for step in range(1, self.seats))


def has(temple: Temple, work: str) -> int:
    """How many works of the temple have this effect; a copying Kite has the effect that it copies."""
    return sum([EFFECT[token] == work for token in temple.gallery + temple.gift_shop])


def in_wing(temple: Temple, wing: str) -> Cards:
    """The works that count as being in a wing. Go Set: all stone works are in both (Works table, Go Set)."""
    here, there = temple.gallery, temple.gift_shop
    if wing == "gift_shop":
        here, there = there, here
    if there and has(temple, "go_set"):
        return here + tuple(work for work in there if MATERIAL[work] == "stone")
    return here


def count(cards: Iterable[str], material: str) -> int:
    return sum([MATERIAL[card] == material for card in cards])


def capacity(temple: Temple, wing: str, material: str) -> int:
    """How many helpers (gallery) or sales (gift shop) of a material the works there cover ("Covering")."""
    return sum([VALUE[work] for work in in_wing(temple, wing) if MATERIAL[work] == material])


def helpers_covered(temple: Temple, material: str, revealed: int = 0) -> bool:
    """Whether all helpers of a material are covered; `revealed` are Fountain's. Bangle covers Monks."""
    if material == "stone" and has(temple, "bangle"):
        return True
    return capacity(temple, "gallery", material) >= count(temple.helpers, material) + revealed


def sales_covered(temple: Temple, material: str) -> bool:
    return capacity(temple, "gift_shop", material) >= count(temple.sales, material)


def has_turtle_set(temple: Temple) -> bool:
    """Whether Turtle wins: its owner's works include all five materials."""
    return has(temple, "turtle") > 0 and {MATERIAL[work] for work in temple.works} == set(MATERIALS)


def distinct(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cards))


def card_acts(kind: str, cards: Iterable[str]) -> list[Act]:
    return [{"type": kind, "card": card} for card in dict.fromkeys(cards)]


def seat_acts(seats: Iterable[int]) -> list[Act]:
    return [{"type": "choose_seat", "seat": seat} for seat in seats]


def wing_acts() -> list[Act]:
    return [{"type": "choose_wing", "wing": wing} for wing in WINGS]


def material_acts(materials: Iterable[str]) -> list[Act]:
    return [{"type": "choose_material", "material": material} for material in materials]


def use_act(work: str) -> Act:
    return {"type": "use_work", "work": work}


class Standing(NamedTuple):
    """A work where it stands: `token` as in the wing."""

    act: Act
    token: str
    wing: str


def standing(temple: Temple, wanted: Callable[[str], bool] = lambda token: True) -> list[Standing]:
    """The choice among a temple's works: `choose_card`, with the wing where copies stand in both."""
    tokens = dict.fromkeys((t, wing) for wing in WINGS for t in getattr(temple, wing) if wanted(t))
    cards = [CARD[token] for token, _ in tokens]
    found = []
    for token, wing in tokens:
        act: Act = {"type": "choose_card", "card": CARD[token]}
        if cards.count(CARD[token]) > 1:
            act["wing"] = wing
        found.append(Standing(act, token, wing))
    return found


class Board:
    """A position with its setting: what lists of legal actions are made from. `me` is the active seat's temple."""

    __slots__ = ("frames", "setting", "state")

    def __init__(self, state: State, setting: Setting) -> None:
        self.state = state
        self.setting = setting
        self.frames = state.frames

    @property
    def seat(self) -> int:
        return self.state.active

    @property
    def me(self) -> Temple:
        return self.state.temples[self.state.active]

    def temple(self, seat: int) -> Temple:
        return self.state.temples[seat]

    @property
    def opponents(self) -> tuple[int, ...]:
        return self.setting.opponents(self.state.active)

    def outnumbering(self, zone: str, mine: int) -> list[int]:
        """Opponents that have more cards in a zone than `mine`."""
        return [s for s in self.opponents if len(getattr(self.state.temples[s], zone)) > mine]

    def is_opponent(self, seat: int) -> bool:
        return seat in self.opponents


class GameOver(Exception):
    """The game ended in the middle of a command: what was still to happen is dropped."""


class Run(Board):
    """One command in progress: the facts so far and the position that they lead to.

    The stack is changed here first; the change is recorded with the fact before it (or the command's first).
    """

    __slots__ = ("_mark", "_open", "facts")

    def __init__(self, state: State, setting: Setting) -> None:
        super().__init__(state, setting)
        self.facts: list[Any] = []
        self._open: Any = None
        self._mark = state.frames

    # the stack

    def push(self, frame: Frame) -> None:
        self.frames = (*self.frames, frame)

    def pop(self) -> None:
        self.frames = self.frames[:-1]

    def swap(self, frame: Frame) -> None:
        """Another frame instead of the top one."""
        self.frames = (*self.frames[:-1], frame)

    def mark_used(self, token: str) -> None:
        """Remember in the top frame that a work was used there."""
        top = self.frames[-1]
        self.swap(replace(top, cards=(*top.cards, token)))

    # facts

    def emit(self, fact: Any) -> None:
        """A fact: written down at once, and the end conditions checked after it ("End and scoring")."""
        self.close()
        self._open = fact
        before, self.state = self.state, evolve(self.state, fact)
        self._check_end(before)

    def close(self) -> None:
        """Complete the last fact with what happened to the stack since the one before."""
        if self._open is None:
            return
        fact = self._open
        if self.frames is not self._mark:
            same = 0
            for old, new in zip(self._mark, self.frames, strict=False):
                if old != new:
                    break
                same += 1
            if not same == len(self._mark) == len(self.frames):
                push = tuple([frame.packed() for frame in self.frames[same:]])
                names = type(fact).__match_args__[:-2]
                fact = type(fact)(*[getattr(fact, name) for name in names], same, push)
        self.facts.append(fact)
        self._mark = self.frames
        self._open = None

    @property
    def silent(self) -> bool:
        return not self.facts and self._open is None

    def _check_end(self, before: State) -> None:
        """The conditions of the position, Turtle first; the active seat's before others' in turn order."""
        state = self.state
        changed = [
            seat
            for seat, (old, new) in enumerate(zip(before.temples, state.temples, strict=True))
            if old is not new and (old.gallery is not new.gallery or old.gift_shop is not new.gift_shop)
        ]
        changed.sort(key=lambda seat: (seat - state.active) % self.setting.seats)
        for seat in changed:
            if has_turtle_set(state.temples[seat]):
                self.end("turtle", seat)
        for seat in changed:
            if any(len(in_wing(state.temples[seat], wing)) >= self.setting.wing_limit for wing in WINGS):
                self.end("wing", seat)
        if not state.deck:
            self.end("deck", state.active)

    def end(self, reason: str, seat: int) -> None:
        """The game ends at once.

        Raises:
            GameOver: always.
        """
        self.close()
        self._open = f.EndReached(seat, reason)
        self.state = evolve(self.state, self._open)
        self.close()
        raise GameOver

    # the moves that most steps and works are made of

    def draw(self, number: int, by: str) -> None:
        """Draw to the waiting area as many as there are ("Every draw goes to the waiting area")."""
        if number > 0:
            self.emit(f.CardsDrawn(self.seat, by, self.state.deck[:number]))

    def back(self, cards: Cards, src: str, by: str) -> None:
        """Return cards under the deck."""
        self.emit(f.CardsReturned(self.seat, by, cards, src))

    def move(self, cards: Cards, src: str, dst: str, by: str, *, whose: int = -1, to: int = -1) -> None:
        """Move cards face up between zones; the active seat's where no seat is given."""
        seat = self.seat
        whose, to = seat if whose < 0 else whose, seat if to < 0 else to
        self.emit(f.CardsMoved(seat, by, cards, src, whose, dst, to))

    def deal(self, number: int, dst: str, by: str) -> None:
        """Face up from the top of the deck."""
        self.move(self.state.deck[:number], "deck", dst, by)

    def complete(self, card: str, wing: str, by: str, src: str = "hand", shown: Cards = ()) -> None:
        self.emit(f.WorkCompleted(self.seat, by, card, wing, src, shown))


@dataclass(frozen=True, slots=True)
class Kind:
    """A row of the frame tables.

    Args:
        options: what the active seat may do; an empty list if there is nothing to decide.
        resolve: carries out one of them.
        advance: what happens when there is nothing to decide; by default the frame is done.
    """

    options: Callable[[Board, Frame], list[Act]]
    resolve: Callable[[Run, Frame, Mapping[str, Any]], None]
    advance: Callable[[Run, Frame], None] = lambda run, frame: run.pop()


@dataclass(frozen=True, slots=True)
class Effect:
    """A work's row in the table of its timing.

    Args:
        use: what it does at once, or the frame it pushes; the token is the work as it stands in its wing.
        when: whether it may be used at the frame that asks.
        leaves: the work itself goes away by it, so that its use needs no remembering.
    """

    use: Callable[[Run, str], None]
    when: Callable[[Board, Frame], bool] = lambda board, frame: True
    leaves: bool = False


Effects = Mapping[str, Effect]


def unused(board: Board, effects: Effects, frame: Frame) -> dict[str, str]:
    """Works of a table that the active seat may use now: effect → the work as it stands. Each copy once."""
    works = board.me.works
    found: dict[str, str] = {}
    if not works:
        return found
    left = list(frame.cards)
    for token in works:
        work = EFFECT[token]
        if work in effects:
            if token in left:
                left.remove(token)
            elif work not in found and effects[work].when(board, frame):
                found[work] = token
    return found


def uses(board: Board, effects: Effects, frame: Frame) -> list[Act]:
    return [use_act(work) for work in unused(board, effects, frame)]


def use(run: Run, effects: Effects, frame: Frame, work: str, *, remember: bool = True) -> None:
    """Use a work at a frame; the top frame remembers it, unless the frame is over by it."""
    token = unused(run, effects, frame)[work]
    if remember and not effects[work].leaves:
        run.mark_used(token)
    effects[work].use(run, token)


def optional(acts: list[Act]) -> list[Act]:
    """The acts with `decline`, if there are any."""
    return [*acts, {"type": "decline"}] if acts else acts
