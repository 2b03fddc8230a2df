"""Positions of R-Öko in one line, and playing on from them. No expectations live here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from domain.chance import Chance
from domain.game import Action, Config, Position
from domain.games.roeko import GAME
from domain.games.roeko.facts import GameSetUp
from domain.games.roeko.rules import REWARDS, RoekoRules
from domain.games.roeko.state import KIND_INDEX, MATERIALS, RoekoState, counts_of

SEATS = (2, 3, 4, 5)


def rules_for(seats: int) -> RoekoRules:
    rules = GAME.rules[1](Config(seats))
    assert isinstance(rules, RoekoRules)
    return rules


def chance_from(seed: int) -> Chance:
    return Chance(seed.to_bytes(32, "big"))


def start(seats: int, seed: int, start_seat: int | None = 0) -> tuple[RoekoRules, RoekoState, Chance]:
    """A game just set up, and the chance it goes on with."""
    rules, chance = rules_for(seats), chance_from(seed)
    (deal,) = rules.setup(start_seat, chance)
    return rules, rules.evolve(None, deal), chance


def given(
    hand: str = "",
    *others: str,
    seats: int = 2,
    seat: int = 0,
    dump: Mapping[str, str] | None = None,
    there: Mapping[str, tuple[int, int]] | None = None,
    rewards: Mapping[str, tuple[int, ...]] | None = None,
    pile: str = "",
    discard: str = "",
    illegal: Sequence[str] = (),
    delivered: str | None = None,
    passes: int = 0,
    turn: int = 1,
) -> RoekoState:
    """A position with seat 0's `hand` and those of the `others`, cards written as kinds with blanks between.

    `there` is what lies on recycling sides (singles, doubles); what is not given is empty, except the
    `rewards`, which are those of the number of seats.
    """
    hands = [hand, *others] + [""] * (seats - 1 - len(others))
    piles = [*illegal] + [""] * (seats - len(illegal))
    return RoekoState(
        seat=seat,
        turn=turn,
        hands=tuple(counts_of(cards.split()) for cards in hands),
        illegal=tuple(counts_of(cards.split()) for cards in piles),
        won=(((), (), (), ()),) * seats,
        recycling=tuple((there or {}).get(material, (0, 0)) for material in MATERIALS),
        dumps=tuple(counts_of((dump or {}).get(material, "").split()) for material in MATERIALS),
        rewards=tuple((rewards or {}).get(material, REWARDS[seats]) for material in MATERIALS),
        pile=tuple(KIND_INDEX[card] for card in pile.split()),
        drawn=0,
        discard=counts_of(discard.split()),
        delivered=None if delivered is None else MATERIALS.index(delivered),
        passes=passes,
    )


def deal(*hands: str, dumps: str, pile: str, rewards: tuple[int, ...] | None = None, start_seat: int = 0) -> GameSetUp:
    """A chosen deal, which need not be all of the 88 cards."""
    return GameSetUp(
        start_seat=start_seat,
        hands=tuple(tuple(hand.split()) for hand in hands),
        dumps=tuple(dumps.split()),
        pile=tuple(pile.split()),
        rewards=rewards or REWARDS[len(hands)],
    )


def deliver(material: str, singles: int = 0, doubles: int = 0) -> dict[str, Any]:
    return {"type": "deliver", "material": material, "singles": singles, "doubles": doubles}


def dispose(**cards: int) -> dict[str, Any]:
    return {"type": "dispose", "cards": cards}


END_TURN = {"type": "end_turn"}
PASS = {"type": "pass"}


def facts_of(state: RoekoState, action: Action, chance: Chance | None = None) -> list[Any]:
    """What an action of the seat whose turn it is leads to."""
    return list(rules_for(state.seats).decide(state, state.seat, action, chance or chance_from(1)))


def after(state: RoekoState, *actions: Action, chance: Chance | None = None) -> RoekoState:
    """The position after actions, each of the seat whose turn it then is."""
    rules, chance = rules_for(state.seats), chance or chance_from(1)
    for action in actions:
        for fact in rules.decide(state, state.seat, action, chance):
            state = rules.evolve(state, fact)
    return state


def legal(state: RoekoState) -> list[Action]:
    return list(rules_for(state.seats).legal_actions(state, state.seat))


def cards(text: str) -> tuple[int, ...]:
    """Counts of cards written out."""
    return counts_of(text.split())


Policy = Callable[[RoekoState, Sequence[Action], Random], Action]


def blindly(state: RoekoState, actions: Sequence[Action], rng: Random) -> Action:
    return rng.choice(actions)


def bot_policy(name: str) -> Policy:
    """A bot of the game, told its own view and no knowledge."""
    bot = GAME.bots[name]

    def choose(state: RoekoState, actions: Sequence[Action], rng: Random) -> Action:
        return bot(position_of(state, state.seat), rng)

    return choose


def position_of(state: RoekoState, seat: int, knowledge: dict[str, Any] | None = None) -> Position:
    rules = rules_for(state.seats)
    return Position(
        seat=seat,
        seats=state.seats,
        options={},
        state=rules.view(state, seat),
        knowledge=knowledge,
        actions=tuple(rules.legal_actions(state, seat)),
    )
