"""Completing works by smith and craft: support, Straw, Brick and Crane, the wing ("Performing a task", "Completing").

Completing through Poem, Cloak or Dice needs no support and is in `works.py`; what follows is there too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from domain.games.mottainai.board import Act, Board, Kind, Run, card_acts, count, distinct, has
from domain.games.mottainai.cards import MATERIAL, VALUE, WINGS, of_material
from domain.games.mottainai.state import Cards, Frame

Asked = Mapping[str, Any]

STRAW_HELPS = ("cloth", "clay")


def lacking(b: Board, how: str, card: str) -> int:
    """Support that is to be shown: value − 1, less by Straw and Brick in a smith action (may be below 0)."""
    support = VALUE[card] - 1
    if how == "smith":
        material = MATERIAL[card]
        if material in STRAW_HELPS:
            support -= has(b.me, "straw")
        if has(b.me, "brick"):
            tasks = [t.task for t in b.state.temples if t.task and not t.face_down]
            support -= count(tasks, material)
    return support


def supply(b: Board, how: str, card: str) -> Cards:
    """The cards that may be shown: of the work's material, from hand (smith, without the work) or bench."""
    if how == "craft":
        return of_material(b.me.bench, MATERIAL[card])
    own = list(of_material(b.me.hand, MATERIAL[card]))
    own.remove(card)
    return tuple(own)


def crane_papers(b: Board) -> Cards:
    """Crane: paper on the bench that may be returned, one extra support each."""
    return of_material(b.me.bench, "paper") if has(b.me, "crane") else ()


def completable(b: Board, how: str, material: str | None = None) -> list[str]:
    """The hand cards that can be completed; for craft of the material of the replaced action only."""
    papers = len(crane_papers(b))
    return [
        card
        for card in distinct(b.me.hand)
        if (material is None or MATERIAL[card] == material)
        and lacking(b, how, card) <= len(supply(b, how, card)) + papers
    ]


def complete_acts(cards: list[str]) -> list[Act]:
    return [{"type": "complete", "work": card, "wing": wing} for card in cards for wing in WINGS]


def _complete_options(b: Board, frame: Frame) -> list[Act]:
    """`frame.cards`: for craft the material of the replaced action, for Cloak the action it is used in."""
    if frame.name == "cloak":
        return complete_acts(list(distinct(of_material(b.me.hand, "metal"))))
    return complete_acts(completable(b, frame.name, frame.cards[0] if frame.cards else None))


def _complete(run: Run, frame: Frame, asked: Asked) -> None:
    work, wing = asked["work"], asked["wing"]
    if frame.name == "cloak":
        run.complete(work, wing, "cloak")
        run.swap(after_work(frame.cards[0], work, wing))
        return
    run.swap(Frame("crane", frame.name, n=lacking(run, frame.name, work), cards=(work, wing)))


# Crane's returning, then the showing: frame.n is still lacking, frame.cards are work, wing, shown cards


def _crane_options(b: Board, frame: Frame) -> list[Act]:
    papers = crane_papers(b)
    if not papers:
        return []
    enough = frame.n <= len(supply(b, frame.name, frame.cards[0]))
    return [*card_acts("return_card", papers), *([{"type": "stop"}] if enough else [])]


def _crane(run: Run, frame: Frame, asked: Asked) -> None:
    if asked["type"] == "stop":
        _crane_over(run, frame)
    else:
        run.swap(replace(frame, n=frame.n - 1))
        run.back((asked["card"],), "bench", "crane")


def _crane_over(run: Run, frame: Frame) -> None:
    cards = supply(run, frame.name, frame.cards[0])
    if frame.name == "craft" or frame.n <= 0:
        _finish(run, frame, ())
    elif frame.n == len(cards):
        _finish(run, frame, cards)
    else:
        run.swap(replace(frame, kind="support"))


def _left_to_show(b: Board, frame: Frame) -> list[str]:
    left = list(supply(b, frame.name, frame.cards[0]))
    for shown in frame.cards[2:]:
        left.remove(shown)
    return left


def _support_options(b: Board, frame: Frame) -> list[Act]:
    return card_acts("choose_card", _left_to_show(b, frame))


def _support(run: Run, frame: Frame, asked: Asked) -> None:
    chosen = replace(frame, n=frame.n - 1, cards=(*frame.cards, asked["card"]))
    if chosen.n == 0:
        _finish(run, chosen, chosen.cards[2:])
    else:
        run.swap(chosen)


def _finish(run: Run, frame: Frame, shown: Cards) -> None:
    work, wing = frame.cards[:2]
    run.complete(work, wing, frame.name, shown=shown)
    run.swap(after_work(frame.name, work, wing))


def after_work(action: str, work: str, wing: str) -> Frame:
    """The frame of the effects after completing a work in an action: smith, craft or dice."""
    return Frame(f"after_{action}", work, m=WINGS.index(wing))


COMPLETING_FRAMES = {
    "complete": Kind(_complete_options, _complete),
    "crane": Kind(_crane_options, _crane, _crane_over),
    "support": Kind(_support_options, _support),
}
