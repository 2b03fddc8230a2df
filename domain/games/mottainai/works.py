"""What works do before and in actions: one row a work in the table of its timing, and the choices they open.

Works that come after an action are in `aftermath.py`. Standing works are asked for where they count: Curtain,
Tower, Mask and Bangle in `turn.py`, Straw, Brick and Crane in `completing.py`, Go Set and Turtle in `board.py`,
the works of the end scoring in `scoring.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from domain.games.mottainai import facts as f
from domain.games.mottainai.aftermath import opens
from domain.games.mottainai.board import (
    Act,
    Board,
    Effect,
    Effects,
    Kind,
    Run,
    Standing,
    card_acts,
    material_acts,
    optional,
    seat_acts,
    standing,
    use_act,
    wing_acts,
)
from domain.games.mottainai.cards import EFFECT, MATERIAL, MATERIAL_FOR, MATERIALS, VALUE, WINGS, of_material
from domain.games.mottainai.state import Cards, Frame

Asked = Mapping[str, Any]

FLOOR_BY_DAIDORO = 3
SHOWN_BY_FAN = 3
HIRED_TO = {"monk": "helpers", "potter": "bench"}


def _stop() -> Act:
    return {"type": "stop"}


# ---- INS: instead of a step of the morning --------------------------------------------------------------


def _chopsticks(run: Run, token: str) -> None:
    run.move((str(run.me.task),), "task", "sales", "chopsticks")


def _handkerchief(run: Run, frame: Frame, asked: Asked) -> None:
    run.pop()
    run.move((asked["card"],), "hand", "floor", "handkerchief")


def _owners_of_tasks(b: Board, frame: Frame) -> list[int]:
    return [s for s in b.opponents if b.temple(s).task and not b.temple(s).face_down]


def _doll(run: Run, frame: Frame, asked: Asked) -> None:
    owner = asked["seat"]
    run.pop()
    run.swap(replace(run.frames[-1], m=1))
    run.move((str(run.temple(owner).task),), "task", "task", "doll", whose=owner)


def _sketch(run: Run, frame: Frame, asked: Asked) -> None:
    run.pop()
    run.move((asked["card"],), "helpers", "task", "sketch")


INSTEAD: Mapping[str, Effects] = {
    "limit": {"handkerchief": Effect(opens("handkerchief"), lambda b, frame: bool(b.me.hand))},
    "old_task": {"chopsticks": Effect(_chopsticks, lambda b, frame: b.me.task is not None)},
    "choose": {
        "doll": Effect(opens("doll"), lambda b, frame: bool(_owners_of_tasks(b, frame))),
        "sketch": Effect(opens("sketch"), lambda b, frame: bool(b.me.helpers)),
    },
}


# ---- MN: morning and night --------------------------------------------------------------------------------


def _bowl(run: Run, token: str) -> None:
    run.deal(1, "bench", "bowl")


def _daidoro(run: Run, token: str) -> None:
    run.deal(FLOOR_BY_DAIDORO - len(run.state.floor), "floor", "daidoro")


def _pin(run: Run, token: str) -> None:
    run.push(Frame("perform", "tailor", n=1))


def _umbrella(run: Run, token: str) -> None:
    card = run.state.deck[0]
    run.push(Frame("umbrella", MATERIAL[card]))
    run.deal(1, "floor", "umbrella")


def _umbrella_options(b: Board, frame: Frame) -> list[Act]:
    return optional(card_acts("choose_card", of_material(b.me.helpers, frame.name)))


def _umbrella_sells(run: Run, frame: Frame, asked: Asked) -> None:
    run.pop()
    if asked["type"] == "choose_card":
        run.move((asked["card"],), "helpers", "sales", "umbrella")


def _kite(run: Run, token: str) -> None:
    run.push(Frame("kite"))


def _kite_card(run: Run, frame: Frame, asked: Asked) -> None:
    run.swap(Frame("kite_seat", cards=(asked["card"],)))


def _kite_seats(b: Board, frame: Frame) -> list[Act]:
    return seat_acts(s for s in (b.seat, *b.setting.others(b.seat)) if b.temple(s).works)


def _kite_seat(run: Run, frame: Frame, asked: Asked) -> None:
    run.swap(Frame("kite_work", other=asked["seat"]))
    run.move(frame.cards, "hand", "bench", "kite", to=asked["seat"])


def _kite_works(b: Board, frame: Frame) -> list[Act]:
    return card_acts("choose_card", (EFFECT[token] for token in b.temple(frame.other).works))


def _kite_work(run: Run, frame: Frame, asked: Asked) -> None:
    wings = [wing for wing in WINGS if "kite" in getattr(run.me, wing)]
    run.swap(Frame("kite_wing", asked["card"]))
    if len(wings) == 1:
        _kite_copies(run, asked["card"], wings[0])


def _kite_copies(run: Run, work: str, wing: str) -> None:
    run.pop()
    run.emit(f.KiteCopied(run.seat, wing, work))


MORNING: Effects = {
    "bowl": Effect(_bowl),
    "daidoro": Effect(_daidoro, lambda b, frame: len(b.state.floor) < FLOOR_BY_DAIDORO),
    "kite": Effect(_kite, lambda b, frame: bool(b.me.hand)),
    "pin": Effect(_pin),
    "umbrella": Effect(_umbrella),
}


def _pinwheel(run: Run, frame: Frame, asked: Asked) -> None:
    run.swap(Frame("pinwheel_draw"))
    run.back((asked["card"],), "hand", "pinwheel")


def _pinwheel_draw(run: Run, frame: Frame, asked: Asked) -> None:
    run.pop()
    if asked["type"] == "use_work":
        run.draw(1, "pinwheel")


NIGHT: Effects = {"pinwheel": Effect(opens("pinwheel"), lambda b, frame: bool(b.me.hand))}


# ---- TASK: before a task. The frame below is `before`: n more actions, m Fountain's helpers ---------------


def _matching(b: Board, frame: Frame) -> Cards:
    """Hand cards that match the task about to be performed (`name` of the frame)."""
    return of_material(b.me.hand, MATERIAL_FOR[frame.name])


def _shows_for(work: str) -> Callable[[Run, str], None]:
    return lambda run, token: run.push(Frame("show", work))


def _show_options(b: Board, frame: Frame) -> list[Act]:
    return card_acts("choose_card", _matching(b, b.frames[-2]))


def _show(run: Run, frame: Frame, asked: Asked) -> None:
    """Flag and Figurine: one more action."""
    run.pop()
    before = run.frames[-1]
    run.swap(replace(before, n=before.n + 1))
    run.emit(f.CardsRevealed(run.seat, frame.name, (asked["card"],), "hand"))


def _fountain_left(b: Board, frame: Frame) -> list[str]:
    left = list(of_material(b.me.hand, "stone"))
    for shown in frame.cards:
        left.remove(shown)
    return left


def _fountain_options(b: Board, frame: Frame) -> list[Act]:
    acts = card_acts("choose_card", _fountain_left(b, frame))
    return [*acts, _stop()] if acts else []


def _fountain(run: Run, frame: Frame, asked: Asked) -> None:
    if asked["type"] == "stop":
        run.pop()
        return
    run.pop()
    before = run.frames[-1]
    run.swap(replace(before, m=before.m + 1))
    run.push(replace(frame, cards=(*frame.cards, asked["card"])))
    run.emit(f.CardsRevealed(run.seat, "fountain", (asked["card"],), "hand"))


TASK: Effects = {
    "figurine": Effect(
        _shows_for("figurine"), lambda b, frame: b.is_opponent(frame.other) and bool(_matching(b, frame))
    ),
    "flag": Effect(_shows_for("flag"), lambda b, frame: frame.other == b.seat and bool(_matching(b, frame))),
    "fountain": Effect(
        opens("fountain"), lambda b, frame: frame.name == "clerk" and bool(of_material(b.me.hand, "stone"))
    ),
}


# ---- ACT: modifiers of clerk, monk and potter actions. The frame below is `after_<action>` ----------------


def _bell(run: Run, token: str) -> None:
    run.deal(1, "sales", "bell")


def _socks(run: Run, token: str) -> None:
    run.deal(1, "bench", "socks")


def _stocks(b: Board) -> list[str]:
    """Materials of which the bench holds more than one: what Robe can do more than a plain clerk."""
    return [m for m in MATERIALS if len(of_material(b.me.bench, m)) > 1]


def _robe(run: Run, frame: Frame, asked: Asked) -> None:
    run.pop()
    run.move(of_material(run.me.bench, asked["material"]), "bench", "sales", "robe")


def _papers(b: Board, seat: int) -> list[Standing]:
    return standing(b.temple(seat), lambda token: MATERIAL[token] == "paper")


def _flute_seats(b: Board, frame: Frame) -> list[int]:
    tasks = _owners_of_tasks(b, frame)
    return [s for s in b.opponents if s in tasks or any(MATERIAL[w] == "paper" for w in b.temple(s).works)]


def _flute_options(b: Board, frame: Frame) -> list[Act]:
    temple = b.temple(frame.other)
    acts = [choice.act for choice in _papers(b, frame.other)]
    return acts if temple.face_down or not temple.task else [*acts, {"type": "choose_task", "card": temple.task}]


def _flute(run: Run, frame: Frame, asked: Asked) -> None:
    run.pop()
    whose, dst = frame.other, HIRED_TO[frame.name]
    if asked["type"] == "choose_task":
        run.move((asked["card"],), "task", dst, "flute", whose=whose)
    else:
        choice = next(c for c in _papers(run, whose) if c.act == asked)
        run.move((choice.token,), choice.wing, dst, "flute", whose=whose)


def _sword_seats(b: Board, frame: Frame) -> list[int]:
    zone = HIRED_TO[frame.name or frame.kind]
    return b.outnumbering(zone, len(getattr(b.me, zone)))


def _sword_options(b: Board, frame: Frame) -> list[Act]:
    return card_acts("choose_card", getattr(b.temple(frame.other), HIRED_TO[frame.name]))


def _sword(run: Run, frame: Frame, asked: Asked) -> None:
    run.pop()
    zone = HIRED_TO[frame.name]
    run.move((asked["card"],), zone, zone, "sword", whose=frame.other)


def _flute_and_sword(action: str) -> dict[str, Effect]:
    return {
        "flute": Effect(opens("flute", name=action), lambda b, frame: bool(_flute_seats(b, frame))),
        "sword": Effect(opens("sword", name=action), lambda b, frame: bool(_sword_seats(b, frame))),
    }


ACT: Mapping[str, Effects] = {
    "clerk": {"bell": Effect(_bell), "robe": Effect(opens("robe"), lambda b, frame: bool(_stocks(b)))},
    "monk": _flute_and_sword("monk"),
    "potter": {"socks": Effect(_socks), **_flute_and_sword("potter")},
}


# ---- TAI: just before a tailor action ----------------------------------------------------------------------


def _dice(run: Run, token: str) -> None:
    top = run.state.deck[:1]
    run.emit(f.CardsRevealed(run.seat, "dice", top, "deck"))
    if VALUE[top[0]] == len(run.me.hand):
        run.push(Frame("place", "dice", cards=(*top, "dice")))


def _fan(run: Run, token: str) -> None:
    shown = run.state.deck[:SHOWN_BY_FAN]
    run.push(Frame("fan", cards=shown))
    run.emit(f.CardsRevealed(run.seat, "fan", shown, "deck"))


def _fan_options(b: Board, frame: Frame) -> list[Act]:
    return card_acts("return_card", frame.cards) if len(frame.cards) > 1 else []


def _fan_returns(run: Run, frame: Frame, asked: Asked) -> None:
    left = list(frame.cards)
    left.remove(asked["card"])
    run.swap(replace(frame, cards=tuple(left)))
    run.back((asked["card"],), "deck", "fan")


def _puppet(run: Run, frame: Frame, asked: Asked) -> None:
    run.swap(Frame("leaves", "puppet", other=asked["seat"]))


TAILOR: Effects = {
    "dice": Effect(_dice),
    "fan": Effect(_fan),
    "puppet": Effect(opens("puppet"), leaves=True),
}


def _then(kind: str) -> Callable[[Run, Frame, Asked], None]:
    """Once a seat is chosen, its card is."""
    return lambda run, frame, asked: run.swap(Frame(kind, frame.name, asked["seat"]))


def _hand(kind: str) -> Callable[[Board, Frame], list[Act]]:
    return lambda b, frame: card_acts(kind, b.me.hand)


WORK_FRAMES = {
    "handkerchief": Kind(_hand("choose_card"), _handkerchief),
    "doll": Kind(lambda b, frame: seat_acts(_owners_of_tasks(b, frame)), _doll),
    "sketch": Kind(lambda b, frame: card_acts("choose_card", b.me.helpers), _sketch),
    "umbrella": Kind(_umbrella_options, _umbrella_sells),
    "kite": Kind(_hand("choose_card"), _kite_card),
    "kite_seat": Kind(_kite_seats, _kite_seat),
    "kite_work": Kind(_kite_works, _kite_work),
    "kite_wing": Kind(
        lambda b, frame: wing_acts(), lambda run, frame, asked: _kite_copies(run, frame.name, asked["wing"])
    ),
    "pinwheel": Kind(_hand("return_card"), _pinwheel),
    "pinwheel_draw": Kind(lambda b, frame: optional([use_act("pinwheel")]), _pinwheel_draw),
    "show": Kind(_show_options, _show),
    "fountain": Kind(_fountain_options, _fountain),
    "robe": Kind(lambda b, frame: material_acts(_stocks(b)), _robe),
    "flute": Kind(lambda b, frame: seat_acts(_flute_seats(b, frame)), _then("flute_card")),
    "flute_card": Kind(_flute_options, _flute),
    "sword": Kind(lambda b, frame: seat_acts(_sword_seats(b, frame)), _then("sword_card")),
    "sword_card": Kind(_sword_options, _sword),
    "fan": Kind(_fan_options, _fan_returns),
    "puppet": Kind(lambda b, frame: seat_acts(b.opponents), _puppet),
}
