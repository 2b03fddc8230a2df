"""The actions clerk, monk, potter and tailor ("Performing a task"); smith and craft are in `completing.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.games.mottainai.board import Act, Board, Kind, Run, card_acts, optional, use, uses
from domain.games.mottainai.state import Frame
from domain.games.mottainai.works import ACT, HIRED_TO, TAILOR

Asked = Mapping[str, Any]

TAILOR_SIZE = 5


def action_options(b: Board, frame: Frame) -> list[Act]:
    """Clerk: a bench card to sell; monk, potter: a floor card to take; or what a work (ACT) offers instead."""
    if frame.kind == "clerk":
        return card_acts("sell", b.me.bench) + uses(b, ACT["clerk"], frame)
    return card_acts("take_floor", b.state.floor) + uses(b, ACT[frame.kind], frame)


def _act(run: Run, frame: Frame, asked: Asked) -> None:
    run.swap(Frame(f"after_{frame.kind}"))
    if asked["type"] == "use_work":
        use(run, ACT[frame.kind], frame, asked["work"], remember=False)
    elif frame.kind == "clerk":
        run.move((asked["card"],), "bench", "sales", "clerk")
    else:
        run.move((asked["card"],), "floor", HIRED_TO[frame.kind], frame.kind)


# Tailor: first the works of the table TAI, then returning, then drawing


def _tailor_options(b: Board, frame: Frame) -> list[Act]:
    return optional(uses(b, TAILOR, frame))


def _tailor(run: Run, frame: Frame, asked: Asked) -> None:
    if asked["type"] == "use_work":
        use(run, TAILOR, frame, asked["work"])
    else:
        run.swap(Frame("exchange"))


def _tailor_over(run: Run, frame: Frame) -> None:
    run.swap(Frame("exchange"))


def _exchange_options(b: Board, frame: Frame) -> list[Act]:
    hand = b.me.hand
    return [*card_acts("return_card", hand), {"type": "stop"}] if hand else []


def _exchange(run: Run, frame: Frame, asked: Asked) -> None:
    if asked["type"] == "return_card":
        run.back((asked["card"],), "hand", "tailor")
    else:
        _exchange_over(run, frame)


def _exchange_over(run: Run, frame: Frame) -> None:
    run.pop()
    me = run.me
    run.draw(TAILOR_SIZE - len(me.hand) - len(me.waiting), "tailor")


ACTION_FRAMES = {
    "clerk": Kind(action_options, _act),
    "monk": Kind(action_options, _act),
    "potter": Kind(action_options, _act),
    "tailor": Kind(_tailor_options, _tailor, _tailor_over),
    "exchange": Kind(_exchange_options, _exchange, _exchange_over),
}
