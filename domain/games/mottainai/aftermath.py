"""What works do once an action is over: rows for AFT1, AFT2, AFTA, with Poem and Cloak last, and their choices.

The frame `after_<action>` asks for them: `name` is the work just completed (or empty), `m` its wing, `cards` the
works already used, `n` 1 when only Poem and Cloak are left. A work that came by the action may trigger on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from domain.games.mottainai import facts as f
from domain.games.mottainai.board import (
    Act,
    Board,
    Effect,
    Effects,
    Kind,
    Run,
    card_acts,
    material_acts,
    optional,
    seat_acts,
    standing,
    unused,
    use,
    use_act,
    uses,
    wing_acts,
)
from domain.games.mottainai.cards import EFFECT, MATERIAL, MATERIALS, WINGS, of_material
from domain.games.mottainai.completing import after_work
from domain.games.mottainai.state import Frame

Asked = Mapping[str, Any]

DRAWN_BY_GONG = 3
TAKEN_FROM_FLOOR = 2
STOOL_MATERIALS = ("stone", "clay", "metal")
ACTIONS = ("prayer", "clerk", "monk", "potter", "smith", "craft", "dice")


def opens(kind: str, **fields: Any) -> Callable[[Run, str], None]:
    """An effect that first asks: it pushes the frame of its choice."""
    return lambda run, token: run.push(Frame(kind, **fields))


# ---- AFT1: after completing this very work -----------------------------------------------------------------


def _frog_behind(b: Board, frame: Frame) -> bool:
    return all(len(b.temple(s).works) >= len(b.me.works) for s in b.opponents)


def _frog(run: Run, token: str) -> None:
    run.emit(f.ExtraTurnWon(run.seat))


def _jar(run: Run, frame: Frame, asked: Asked) -> None:
    run.pop()
    others = run.opponents
    hands = tuple(run.temple(s).hand for s in others)
    taken = tuple(of_material(hand, asked["material"]) for hand in hands)
    run.emit(f.HandsShown(run.seat, asked["material"], others, hands, taken))


def _shuriken_seats(b: Board, frame: Frame) -> list[int]:
    return b.outnumbering("works", len(b.me.works))


def _shuriken(run: Run, frame: Frame, asked: Asked) -> None:
    run.swap(Frame("shuriken_work", other=asked["seat"]))


def _shuriken_work(run: Run, frame: Frame, asked: Asked) -> None:
    choice = next(c for c in standing(run.temple(frame.other)) if c.act == asked)
    run.swap(Frame("shuriken_wing", choice.wing, frame.other, cards=(choice.token,)))


def _shuriken_wing(run: Run, frame: Frame, asked: Asked) -> None:
    run.pop()
    run.move(frame.cards, frame.name, asked["wing"], "shuriken", whose=frame.other)


def _from_floor_options(b: Board, frame: Frame) -> list[Act]:
    acts = card_acts("choose_card", b.state.floor) if frame.n else []
    return [*acts, {"type": "stop"}] if acts else []


def _from_floor(dst: str) -> Callable[[Run, Frame, Asked], None]:
    """Statue and Vase: up to two cards of the floor."""

    def resolve(run: Run, frame: Frame, asked: Asked) -> None:
        if asked["type"] == "stop":
            run.pop()
            return
        run.swap(replace(frame, n=frame.n - 1))
        run.move((asked["card"],), "floor", dst, frame.kind)

    return resolve


def _floor_complete(floor: tuple[str, ...]) -> bool:
    return {"stone", "metal"} <= {MATERIAL[card] for card in floor}


def _tablet_options(b: Board, frame: Frame) -> list[Act]:
    acts = [{"type": "perform", "as": "return"}] if b.state.floor else []
    return acts if _floor_complete(b.state.floor) else [*acts, {"type": "perform", "as": "deal"}]


def _tablet(run: Run, frame: Frame, asked: Asked) -> None:
    run.pop()
    floor, deck = run.state.floor, run.state.deck
    if asked["as"] == "return":
        run.back(floor, "floor", "tablet")
        return
    number = next((n for n in range(1, len(deck)) if _floor_complete(floor + deck[:n])), len(deck))
    run.deal(number, "floor", "tablet")


AFT1: Effects = {
    "frog": Effect(_frog, _frog_behind),
    "jar": Effect(opens("jar")),
    "shuriken": Effect(opens("shuriken"), lambda b, frame: bool(_shuriken_seats(b, frame))),
    "statue": Effect(opens("statue", n=TAKEN_FROM_FLOOR), lambda b, frame: bool(b.state.floor)),
    "tablet": Effect(opens("tablet")),
    "vase": Effect(opens("vase", n=TAKEN_FROM_FLOOR), lambda b, frame: bool(b.state.floor)),
}


# ---- AFT2: after completing a work --------------------------------------------------------------------------


def _amulet(run: Run, frame: Frame, asked: Asked) -> None:
    run.pop()
    run.move((asked["card"],), "bench", "sales", "amulet")


def _stool(run: Run, token: str) -> None:
    run.draw(1, "stool")


AFT2: Effects = {
    "amulet": Effect(opens("amulet"), lambda b, frame: bool(b.me.bench)),
    "stool": Effect(_stool, lambda b, frame: MATERIAL[frame.name] in STOOL_MATERIALS),
}


# ---- AFT2, last: the work just completed leaves -------------------------------------------------------------


def _replaced(run: Run, by: str) -> str:
    """Put the completed work under the deck; the action that it was completed in."""
    frame = run.frames[-1]
    run.pop()
    run.back((frame.name,), WINGS[frame.m], by)
    return frame.kind.removeprefix("after_")


def _poem(run: Run, token: str) -> None:
    action = _replaced(run, "poem")
    top = run.state.deck[:1]
    run.emit(f.CardsRevealed(run.seat, "poem", top, "deck"))
    run.push(Frame("place", "poem", cards=(*top, action)))


def _cloak(run: Run, token: str) -> None:
    run.push(Frame("complete", "cloak", cards=(_replaced(run, "cloak"),)))


def _place_options(b: Board, frame: Frame) -> list[Act]:
    """The wing for the deck's top card, completed by Poem or Dice; Dice's match need not be completed."""
    return wing_acts() if frame.name == "poem" else optional(wing_acts())


def _place(run: Run, frame: Frame, asked: Asked) -> None:
    run.pop()
    if asked["type"] == "choose_wing":
        card, action = frame.cards
        run.complete(card, asked["wing"], frame.name, "deck")
        run.push(after_work(action, card, asked["wing"]))


LAST: Effects = {
    "poem": Effect(_poem, lambda b, frame: MATERIAL[frame.name] == "paper", leaves=True),
    "cloak": Effect(_cloak, lambda b, frame: bool(of_material(b.me.hand, "metal")), leaves=True),
}


# ---- AFTA: after an action ----------------------------------------------------------------------------------


def _plane(run: Run, frame: Frame, asked: Asked) -> None:
    run.pop()
    choice = next(c for c in standing(run.me) if c.act == asked)
    run.move((choice.token,), choice.wing, WINGS[1 - WINGS.index(choice.wing)], "plane")


def _ring_seats(b: Board, frame: Frame) -> list[int]:
    return b.outnumbering("sales", len(b.me.sales))


def _ring(run: Run, frame: Frame, asked: Asked) -> None:
    run.swap(Frame("ring_card", other=asked["seat"]))


def _ring_card(run: Run, frame: Frame, asked: Asked) -> None:
    run.pop()
    run.move((asked["card"],), "sales", "sales", "ring", whose=frame.other)


def _deck_of_cards(run: Run, token: str) -> None:
    run.draw(1, "deck_of_cards")


AFTA: Mapping[str, Effects] = {
    "prayer": {
        "cup": Effect(opens("leaves", name="cup"), leaves=True),
        "gong": Effect(opens("leaves", name="gong"), leaves=True),
    },
    "clerk": {"ring": Effect(opens("ring"), lambda b, frame: bool(_ring_seats(b, frame)))},
    "potter": {"plane": Effect(opens("plane"), lambda b, frame: bool(b.me.works))},
    "smith": {"deck_of_cards": Effect(_deck_of_cards, lambda b, frame: MATERIAL[frame.name] == "paper")},
    "monk": {},
    "craft": {},
    "dice": {},
}


# A work that puts itself away: Cup, Gong, Puppet. Asks which one if more than one stands.


def _leaves_options(b: Board, frame: Frame) -> list[Act]:
    choices = standing(b.me, lambda token: EFFECT[token] == frame.name)
    return [choice.act for choice in choices] if len(choices) > 1 else []


def _leaves(run: Run, frame: Frame, asked: Asked) -> None:
    choices = standing(run.me, lambda token: EFFECT[token] == frame.name)
    choice = next(c for c in choices if len(choices) == 1 or c.act == asked)
    run.pop()
    LEAVES[frame.name](run, frame, choice.token, choice.wing)


def _cup_leaves(run: Run, frame: Frame, token: str, wing: str) -> None:
    run.back((token,), wing, "cup")
    run.end("cup", run.seat)


def _gong_leaves(run: Run, frame: Frame, token: str, wing: str) -> None:
    run.draw(DRAWN_BY_GONG, "gong")
    run.move((token,), wing, "waiting", "gong")


def _puppet_leaves(run: Run, frame: Frame, token: str, wing: str) -> None:
    run.back((token,), wing, "puppet")
    run.emit(f.HandsExchanged(run.seat, frame.other, run.me.hand, run.temple(frame.other).hand))


LEAVES: Mapping[str, Callable[[Run, Frame, str, str], None]] = {
    "cup": _cup_leaves,
    "gong": _gong_leaves,
    "puppet": _puppet_leaves,
}


# ---- the frame that offers them, in the owner's order -------------------------------------------------------


def _after_options(b: Board, frame: Frame) -> list[Act]:
    if frame.n:
        return optional(uses(b, LAST, frame))
    acts = uses(b, AFTA[frame.kind.removeprefix("after_")], frame)
    if frame.name:
        if _own_effect(b, frame):
            acts.append(use_act(frame.name))
        acts += uses(b, AFT2, frame)
    return optional(acts)


def _own_effect(b: Board, frame: Frame) -> bool:
    return frame.name in AFT1 and "aft1" not in frame.cards and AFT1[frame.name].when(b, frame)


def _after(run: Run, frame: Frame, asked: Asked) -> None:
    if asked["type"] == "decline":
        _after_over(run, frame)
    elif asked["work"] in AFT1:
        run.mark_used("aft1")
        AFT1[frame.name].use(run, frame.name)
    else:
        tables = (LAST,) if frame.n else (AFTA[frame.kind.removeprefix("after_")], AFT2)
        use(run, next(t for t in tables if asked["work"] in unused(run, t, frame)), frame, asked["work"])


def _after_over(run: Run, frame: Frame) -> None:
    if frame.name and not frame.n:
        run.swap(replace(frame, n=1, cards=()))
    else:
        run.pop()


AFTER_FRAMES = {f"after_{action}": Kind(_after_options, _after, _after_over) for action in ACTIONS} | {
    "jar": Kind(lambda b, frame: material_acts(MATERIALS), _jar),
    "shuriken": Kind(lambda b, frame: seat_acts(_shuriken_seats(b, frame)), _shuriken),
    "shuriken_work": Kind(lambda b, frame: [c.act for c in standing(b.temple(frame.other))], _shuriken_work),
    "shuriken_wing": Kind(lambda b, frame: wing_acts(), _shuriken_wing),
    "statue": Kind(_from_floor_options, _from_floor("bench")),
    "vase": Kind(_from_floor_options, _from_floor("sales")),
    "tablet": Kind(_tablet_options, _tablet),
    "amulet": Kind(lambda b, frame: card_acts("choose_card", b.me.bench), _amulet),
    "place": Kind(_place_options, _place),
    "plane": Kind(lambda b, frame: [c.act for c in standing(b.me)], _plane),
    "ring": Kind(lambda b, frame: seat_acts(_ring_seats(b, frame)), _ring),
    "ring_card": Kind(lambda b, frame: card_acts("choose_card", b.temple(frame.other).sales), _ring_card),
    "leaves": Kind(_leaves_options, _leaves, lambda run, frame: _leaves(run, frame, {})),
}
