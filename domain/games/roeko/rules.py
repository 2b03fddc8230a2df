"""The rules of R-Öko in the order of a turn: deliver, collect, hand limit, end the turn.

`decide` and `legal_actions` are here; what facts do to the state is in `state.py`, points in `scoring.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from domain.chance import Chance
from domain.game import Action, IllegalAction, Language, Rules, ScoreSheet, Turn, Viewer
from domain.games.roeko import memory as memories
from domain.games.roeko import scoring, text, view
from domain.games.roeko.facts import (
    CardsDelivered,
    CardsDisposed,
    DumpRefilled,
    GameSetUp,
    PileReshuffled,
    TurnEnded,
    TurnPassed,
)
from domain.games.roeko.state import (
    HAND_LIMIT,
    KIND_INDEX,
    KINDS,
    MATERIAL_INDEX,
    MATERIALS,
    Counts,
    RoekoState,
    counts_from,
    evolve,
    named,
)
from domain.memory import Memory

SINGLES, DOUBLES = 19, 3
HAND_DEALT = 3
ICONS_FOR_REWARD = 4
REWARDS = {
    2: (0, 1, 2, -2, 4, 5),
    3: (0, 1, 2, 3, -2, 4, 5),
    4: (0, 1, 2, 3, -2, 4, 5),
    5: (0, 1, 2, 3, 3, -2, 4, 5),
}
LAST_REWARD, NOBODY_CAN_MOVE = "last_reward", "nobody_can_move"

DECK = tuple(kind for kind in KINDS for _ in range(SINGLES if kind.endswith("1") else DOUBLES))


class RoekoRules(Rules[RoekoState]):
    """Version 1 of the rules: the Amigo edition."""

    State: ClassVar[type] = RoekoState
    Memory: ClassVar[type | None] = Memory
    deliberate: ClassVar[frozenset[str]] = frozenset({"deliver", "end_turn", "pass"})

    def setup(self, start_seat: int | None, chance: Chance) -> Sequence[Any]:
        """Setup: three cards a seat from seat 0 on, one turned up at each dump side, the rest is the draw pile."""
        seats = self.config.seats
        if start_seat is None:
            start_seat = chance.integers(1, seats)[0]
        deck = chance.shuffled(DECK)
        dealt = seats * HAND_DEALT
        opened = dealt + len(MATERIALS)
        return [
            GameSetUp(
                start_seat=start_seat,
                hands=tuple(deck[at : at + HAND_DEALT] for at in range(0, dealt, HAND_DEALT)),
                dumps=deck[dealt:opened],
                pile=deck[opened:],
                rewards=REWARDS[seats],
            )
        ]

    def to_act(self, state: RoekoState) -> tuple[int, ...]:
        return () if state.ended else (state.seat,)

    def turn(self, state: RoekoState) -> Turn:
        return Turn(state.turn, state.seat)

    def end_reason(self, state: RoekoState) -> str | None:
        return state.ended

    def legal_actions(self, state: RoekoState, seat: int) -> Sequence[Action]:
        if state.ended or seat != state.seat:
            return ()
        if state.delivered is None:
            return deliveries(state.hands[seat]) or [{"type": "pass"}]
        excess = state.excess
        if excess:
            return disposals(state.hands[seat], excess)
        return [{"type": "end_turn"}]

    def decide(self, state: RoekoState, seat: int, action: Action, chance: Chance) -> Sequence[Any]:
        if state.ended:
            raise IllegalAction("roeko.game-over", "The game is over; nobody may act any more.")
        if seat != state.seat:
            raise IllegalAction("roeko.not-your-turn", f"It is the turn of seat {state.seat}.")
        kind = action.get("type") if isinstance(action, Mapping) else None
        handler = HANDLERS.get(kind) if isinstance(kind, str) else None
        if handler is None:
            raise unknown("Actions are deliver, dispose, end_turn and pass.")
        return handler(state, action, chance)

    def evolve(self, state: RoekoState | None, fact: Any) -> RoekoState:
        return evolve(state, fact)

    def is_barrier(self, state: RoekoState, fact: Any) -> bool:
        """Only ending the turn shows new cards; everything before can be undone."""
        return isinstance(fact, DumpRefilled)

    def is_final(self, state: RoekoState, seat: int, action: Action) -> bool:
        return action["type"] in ("end_turn", "pass")

    def score(self, state: RoekoState) -> ScoreSheet:
        return scoring.score(state)

    def view(self, state: RoekoState, viewer: Viewer) -> dict[str, Any]:
        return view.view(state, viewer)

    def fact_view(self, fact: Any, viewer: Viewer) -> dict[str, Any]:
        return view.fact_view(fact, viewer)

    def describe(self, fact: Any, language: Language, viewer: Viewer) -> str:
        return text.describe(fact, language, viewer)

    def remember(self, memory: Any, state: RoekoState | None, fact: Any) -> Any:
        return memories.remember(memory, fact)

    def knowledge(self, state: RoekoState, memory: Any, viewer: Viewer) -> dict[str, Any]:
        return memories.knowledge(state, memory, viewer)

    def redrawn(self, state: RoekoState, world: Mapping[str, Sequence[str]], rng: Random) -> RoekoState:
        return memories.standing(state, world)


def unknown(message: str) -> IllegalAction:
    return IllegalAction("roeko.unknown-action", message)


def _require_fields(action: Action, *names: str) -> None:
    if set(action) != {"type", *names}:
        raise unknown(f"{action['type']} has exactly these fields: {', '.join(('type', *names))}.")


# A turn, step 1: deliver


def deliveries(hand: Counts) -> list[Action]:
    """Every choice of one material and one or more hand cards of it."""
    return [
        {"type": "deliver", "material": material, "singles": singles, "doubles": doubles}
        for index, material in enumerate(MATERIALS)
        for singles in range(hand[2 * index] + 1)
        for doubles in range(hand[2 * index + 1] + 1)
        if singles or doubles
    ]


def deliver(state: RoekoState, action: Action, chance: Chance) -> Sequence[Any]:
    """Steps 1 and 2: one material to its factory, at most one reward, then its dump side to the hand."""
    _require_fields(action, "material", "singles", "doubles")
    name, singles, doubles = action["material"], action["singles"], action["doubles"]
    if not isinstance(name, str) or name not in MATERIAL_INDEX:
        raise unknown(f"The materials are {', '.join(MATERIALS)}.")
    if type(singles) is not int or type(doubles) is not int or singles < 0 or doubles < 0:
        raise unknown("singles and doubles are whole numbers from 0 on.")
    if state.delivered is not None:
        raise IllegalAction("roeko.already-delivered", f"One delivery a turn; {_next_step(state)}.")
    hand, material = state.hands[state.seat], MATERIAL_INDEX[name]
    if not any(hand):
        raise IllegalAction("roeko.must-pass", "Your hand is empty: pass.")
    if singles + doubles == 0:
        raise IllegalAction("roeko.deliver-at-least-one", "Deliver one or more cards of a material.")
    if singles > hand[2 * material] or doubles > hand[2 * material + 1]:
        raise IllegalAction(
            "roeko.not-in-hand",
            f"Of {name} you hold {hand[2 * material]} single and {hand[2 * material + 1]} double cards.",
        )
    icons = state.icons(material) + singles + 2 * doubles
    return [
        CardsDelivered(
            seat=state.seat,
            material=name,
            singles=singles,
            doubles=doubles,
            reward=reward_for(state, material, icons),
            collected=collect(state, material),
        )
    ]


def reward_for(state: RoekoState, material: int, icons: int) -> int | None:
    """Step 1: four or more icons take exactly the top reward, fewer take none."""
    return state.rewards[material][0] if icons >= ICONS_FOR_REWARD else None


def collect(state: RoekoState, material: int) -> dict[str, int]:
    """Step 2: every card of the same factory's dump side, reward or not."""
    return named(state.dumps[material])


# Step 3: the hand limit


def disposals(hand: Counts, excess: int) -> list[Action]:
    """Every choice of exactly the excess from the hand, as multisets of kinds; at most 56."""
    return [{"type": "dispose", "cards": cards} for cards in _choices(hand, excess, 0)]


def _choices(hand: Counts, excess: int, first: int) -> list[dict[str, int]]:
    if excess == 0:
        return [{}]
    if first == len(KINDS):
        return []
    return [
        {KINDS[first]: taken, **rest} if taken else rest
        for taken in range(min(hand[first], excess), -1, -1)
        for rest in _choices(hand, excess - taken, first + 1)
    ]


def dispose(state: RoekoState, action: Action, chance: Chance) -> Sequence[Any]:
    """Step 3: exactly the excess over five cards, any hand cards, face down to the illegal pile."""
    _require_fields(action, "cards")
    given = action["cards"]
    if not isinstance(given, Mapping) or not all(
        isinstance(kind, str) and kind in KIND_INDEX and type(count) is int and count > 0
        for kind, count in given.items()
    ):
        raise unknown(f"cards maps kinds ({', '.join(KINDS)}) to counts from 1 on.")
    if state.delivered is None:
        raise IllegalAction("roeko.deliver-first", f"Nothing is disposed of before a delivery; {_next_step(state)}.")
    excess, cards = state.excess, counts_from(given)
    if sum(cards) != excess:
        raise IllegalAction(
            "roeko.wrong-excess", f"Dispose of exactly {excess} cards, not of {sum(cards)}; {HAND_LIMIT} may stay."
        )
    if any(count > held for count, held in zip(cards, state.hands[state.seat], strict=True)):
        raise IllegalAction("roeko.not-in-hand", f"You hold {named(state.hands[state.seat])} only.")
    return [CardsDisposed(seat=state.seat, cards=named(cards))]


# Step 4: end the turn


def end_turn(state: RoekoState, action: Action, chance: Chance) -> Sequence[Any]:
    """Step 4: refill the dump side and hand over, or, after the last reward of a factory, end the game."""
    _require_fields(action)
    if state.delivered is None:
        raise IllegalAction("roeko.deliver-first", f"Your turn is not over: {_next_step(state)}.")
    if state.excess:
        raise IllegalAction("roeko.dispose-first", f"Your turn is not over: {_next_step(state)}.")
    if not state.rewards[state.delivered]:
        return [TurnEnded(seat=state.seat, next_seat=None, reason=LAST_REWARD)]
    return [*refill(state, state.delivered, chance), TurnEnded(state.seat, _next_seat(state), None)]


def refill(state: RoekoState, material: int, chance: Chance) -> list[Any]:
    """Step 4: icons left there + 1 cards. When one is needed and the draw pile is empty, the whole discard
    pile is shuffled into a new one; with both empty the refill stops short."""
    needed = state.icons(material) + 1
    facts: list[Any] = []
    cards = tuple(KINDS[kind] for kind in state.pile[state.drawn : state.drawn + needed])
    if cards:
        facts.append(DumpRefilled(MATERIALS[material], cards))
    if len(cards) < needed and any(state.discard):
        order = chance.shuffled([kind for kind, count in named(state.discard).items() for _ in range(count)])
        facts += [
            PileReshuffled(order),
            DumpRefilled(MATERIALS[material], order[: needed - len(cards)]),
        ]
    return facts


def pass_turn(state: RoekoState, action: Action, chance: Chance) -> Sequence[Any]:
    """An empty hand passes. When every seat has passed in a row, nobody can ever move again."""
    _require_fields(action)
    if state.delivered is not None:
        raise IllegalAction("roeko.already-delivered", f"You have delivered; {_next_step(state)}.")
    if any(state.hands[state.seat]):
        raise IllegalAction("roeko.hand-not-empty", "Delivering is mandatory: only an empty hand may pass.")
    if state.passes + 1 == state.seats:
        return [TurnPassed(seat=state.seat, next_seat=None, reason=NOBODY_CAN_MOVE)]
    return [TurnPassed(seat=state.seat, next_seat=_next_seat(state), reason=None)]


def _next_seat(state: RoekoState) -> int:
    return (state.seat + 1) % state.seats


def _next_step(state: RoekoState) -> str:
    """What the acting seat has to do now, for messages."""
    if state.delivered is None:
        return "deliver one or more cards" if any(state.hands[state.seat]) else "pass"
    excess = state.excess
    return f"dispose of {excess} cards" if excess else "end the turn"


HANDLERS: Mapping[str, Callable[[RoekoState, Action, Chance], Sequence[Any]]] = {
    "deliver": deliver,
    "dispose": dispose,
    "end_turn": end_turn,
    "pass": pass_turn,
}
