"""A turn: morning, noon, evening, and the performing of a task, step by step as the rules page has them.

What the actions of a task do is in `actions.py`; what works do is in `works.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from domain.games.mottainai import facts as f
from domain.games.mottainai.actions import action_options
from domain.games.mottainai.board import (
    Act,
    Board,
    Kind,
    Run,
    card_acts,
    count,
    has,
    helpers_covered,
    optional,
    use,
    uses,
)
from domain.games.mottainai.cards import MATERIAL, MATERIAL_FOR, TASK_OF, of_material
from domain.games.mottainai.completing import completable
from domain.games.mottainai.state import Frame
from domain.games.mottainai.works import INSTEAD, MORNING, NIGHT, TASK

Asked = Mapping[str, Any]

HAND_LIMIT = 5
ROUND_LIMIT = 200


# Morning (1): hand limit


def _limit_options(b: Board, frame: Frame) -> list[Act]:
    hand = b.me.hand
    if len(hand) > HAND_LIMIT:
        return card_acts("return_card", hand) + ([] if frame.n else uses(b, INSTEAD["limit"], frame))
    return [] if frame.n else optional(uses(b, INSTEAD["limit"], frame))


def _limit(run: Run, frame: Frame, asked: Asked) -> None:
    if asked["type"] == "return_card":
        run.swap(Frame("limit", n=1))
        run.back((asked["card"],), "hand", "limit")
        return
    run.swap(Frame("old_task"))
    if asked["type"] == "use_work":
        use(run, INSTEAD["limit"], frame, asked["work"], remember=False)


def _limit_kept(run: Run, frame: Frame) -> None:
    run.swap(Frame("old_task"))


# Morning (2): the old task goes to the floor


def _old_task_options(b: Board, frame: Frame) -> list[Act]:
    return optional(uses(b, INSTEAD["old_task"], frame)) if b.me.task else []


def _old_task(run: Run, frame: Frame, asked: Asked) -> None:
    if asked["type"] == "use_work":
        use(run, INSTEAD["old_task"], frame, asked["work"], remember=False)
    _old_task_over(run, frame)


def _old_task_over(run: Run, frame: Frame) -> None:
    if task := run.me.task:
        run.move((task,), "task", "floor", "old_task")
    run.swap(Frame("morning"))


# Morning (3): morning works


def _morning_options(b: Board, frame: Frame) -> list[Act]:
    return optional(uses(b, MORNING, frame))


def _morning(run: Run, frame: Frame, asked: Asked) -> None:
    if asked["type"] == "use_work":
        use(run, MORNING, frame, asked["work"])
    else:
        run.swap(Frame("choose"))


def _morning_over(run: Run, frame: Frame) -> None:
    run.swap(Frame("choose"))


# Morning (4): the new task


def _choose_options(b: Board, frame: Frame) -> list[Act]:
    acts = card_acts("choose_task", b.me.hand)
    return [*acts, *uses(b, INSTEAD["choose"], frame), {"type": "no_task"}]


def _choose(run: Run, frame: Frame, asked: Asked) -> None:
    run.swap(Frame("noon", n=1))
    if asked["type"] == "choose_task":
        run.move((asked["card"],), "hand", "task", "choose_task")
    elif asked["type"] == "use_work":
        use(run, INSTEAD["choose"], frame, asked["work"], remember=False)


# Noon (5) and (6): every other seat's task clockwise, then the own one, or a prayer without one


def _noon_options(b: Board, frame: Frame) -> list[Act]:
    return []


def _noon(run: Run, frame: Frame, asked: Asked) -> None:
    raise AssertionError("noon decides nothing itself")


def _next_task(run: Run, frame: Frame) -> None:
    """`frame.n` counts seats from the left neighbour, the own one last; `frame.m` is Doll's extra action."""
    seats = run.setting.seats
    if frame.n > seats:
        run.swap(Frame("evening"))
        return
    run.swap(replace(frame, n=frame.n + 1))
    owner = (run.seat + frame.n) % seats
    own = owner == run.seat
    temple = run.temple(owner)
    if temple.task and not temple.face_down:
        task = TASK_OF[MATERIAL[temple.task]]
        run.push(Frame("before", task, owner, frame.m if own else 0))
        if hindering(run, owner, task):
            run.push(Frame("hindered", task, owner))
    elif own:
        pray(run)


def pray(run: Run) -> None:
    """Prayer: draw one card to the waiting area."""
    run.push(Frame("after_prayer"))
    run.draw(1, "prayer")


# Before a task: Curtain or Tower, then the works of the table TASK, then the counting

HINDRANCES = {"curtain": ("tailor", "smith"), "tower": ("clerk", "monk", "potter")}


def hindering(b: Board, owner: int, task: str) -> list[str]:
    """The works by which an opponent's task is skipped unless a matching card is revealed (HIN)."""
    if not b.is_opponent(owner):
        return []
    return [work for work, tasks in HINDRANCES.items() if task in tasks and has(b.temple(owner), work)]


def _hindered_options(b: Board, frame: Frame) -> list[Act]:
    matching = of_material(b.me.hand, MATERIAL_FOR[frame.name])
    return [*card_acts("choose_card", matching), {"type": "decline"}]


def _hindered(run: Run, frame: Frame, asked: Asked) -> None:
    run.pop()
    if asked["type"] == "choose_card":
        run.emit(f.CardsRevealed(run.seat, hindering(run, frame.other, frame.name)[0], (asked["card"],), "hand"))
    else:
        run.pop()
        run.emit(f.TaskSkipped(run.seat, frame.other, frame.name))


def _before_options(b: Board, frame: Frame) -> list[Act]:
    return optional(uses(b, TASK, frame))


def _before(run: Run, frame: Frame, asked: Asked) -> None:
    if asked["type"] == "use_work":
        use(run, TASK, frame, asked["work"])
    else:
        _count_actions(run, frame)


def _count_actions(run: Run, frame: Frame) -> None:
    """1 + helpers of that type, or 1 + 2 × helpers if they are covered; counted once ("Performing a task").

    `frame.n` are actions by Doll, Flag and Figurine, `frame.m` Fountain's helpers.
    """
    material = MATERIAL_FOR[frame.name]
    helpers = count(run.me.helpers, material) + frame.m
    each = 2 if helpers_covered(run.me, material, frame.m) else 1
    if run.is_opponent(frame.other) and has(run.temple(frame.other), "bangle"):
        each = 0
    actions = 1 + helpers * each + frame.n
    run.swap(Frame("perform", frame.name, frame.other, actions, frame.m))
    run.emit(f.TaskStarted(run.seat, frame.other, frame.name, actions))


# Performing: one action after the other


def masked(b: Board, frame: Frame) -> bool:
    """Mask: the opponent performing its owner's task may not craft or pray, but pass."""
    return frame.other >= 0 and b.is_opponent(frame.other) and has(b.temple(frame.other), "mask") > 0


def _perform_options(b: Board, frame: Frame) -> list[Act]:
    if frame.n == 0:
        return []
    acts: list[Act] = []
    if possible(b, frame.name):
        acts.append({"type": "perform", "as": "task"})
    if masked(b, frame):
        return [*acts, {"type": "pass"}]
    if completable(b, "craft", MATERIAL_FOR[frame.name]):
        acts.append({"type": "perform", "as": "craft"})
    return [*acts, {"type": "perform", "as": "prayer"}]


def possible(b: Board, task: str) -> bool:
    """Whether the task's own action can be taken; a tailor's always can."""
    if task == "tailor":
        return True
    if task == "smith":
        return bool(completable(b, "smith"))
    return bool(action_options(b, Frame(task)))


def _perform(run: Run, frame: Frame, asked: Asked) -> None:
    run.swap(replace(frame, n=frame.n - 1))
    if asked["type"] == "pass":
        return
    if asked["as"] == "prayer":
        pray(run)
    elif asked["as"] == "craft":
        run.push(Frame("complete", "craft", cards=(MATERIAL_FOR[frame.name],)))
    elif frame.name == "smith":
        run.push(Frame("complete", "smith"))
    else:
        run.push(Frame(frame.name))


# Evening (7) night works, (8) the waiting area comes into hand, the turn is over


def _evening_options(b: Board, frame: Frame) -> list[Act]:
    return [*uses(b, NIGHT, frame), {"type": "end_turn"}]


def _evening(run: Run, frame: Frame, asked: Asked) -> None:
    if asked["type"] == "use_work":
        use(run, NIGHT, frame, asked["work"])
        return
    if run.me.waiting:
        run.emit(f.WaitingTaken(run.seat, run.me.waiting))
    if any(token.startswith("kite=") for token in run.me.works):
        run.emit(f.KitesTurnedBack(run.seat))
    state = run.state
    again = state.extra > 0
    seat = run.seat if again else (run.seat + 1) % run.setting.seats
    round_ = state.round + (not again and seat == state.start)
    if round_ > ROUND_LIMIT:
        run.end("round_limit", run.seat)
    run.emit(f.TurnStarted(seat, state.number + 1, round_, state.extra - again))
    run.swap(Frame("limit"))


TURN_FRAMES = {
    "limit": Kind(_limit_options, _limit, _limit_kept),
    "old_task": Kind(_old_task_options, _old_task, _old_task_over),
    "morning": Kind(_morning_options, _morning, _morning_over),
    "choose": Kind(_choose_options, _choose),
    "noon": Kind(_noon_options, _noon, _next_task),
    "hindered": Kind(_hindered_options, _hindered),
    "before": Kind(_before_options, _before, _count_actions),
    "perform": Kind(_perform_options, _perform),
    "evening": Kind(_evening_options, _evening),
}
