"""The bots of Mottainai: `random`, and `automa`, which weighs every action by what it is worth in points.

A bot sees its seat's view only. It goes for works (tempo), keeps material for the next ones, sells where the
gift shop covers, and ends the game by itself only when it is ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from domain.bots import random_bot
from domain.game import Action, Bot, Position
from domain.games.mottainai.board import count
from domain.games.mottainai.cards import MATERIAL, MATERIAL_FOR, MATERIALS, TASK_OF, TIMING, VALUE, VALUE_OF

WORK_WORTH = 4.0
"""A completed work beyond its value: it covers, and brings the end nearer."""
PRAYER_WORTH, TAILOR_WORTH, MONK_WORTH = 1.0, 0.9, 1.3
UNCOVERED_SALE = 0.35
"""Share of its value that a sale which nothing covers yet is worth."""
HAND_CARD = 0.5
GAME = 100.0
"""What ending the game is worth when ahead, and costs when behind."""
WORK_BONUS = {"end": 1.5, "act": 1.0, "mn": 1.0, "aft2": 1.0, "afta": 0.8, "hin": 0.8, "task": 0.8, "perm": 1.0}
"""What a work's effect adds to completing it, by timing."""
DECLINED = 0.1
"""Below what declining is worth: works that are used only when a row of `USES` says so."""


class Seat:
    """The acting seat's own view, with what is counted again and again."""

    def __init__(self, position: Position) -> None:
        self.state = position.state
        self.number = position.seat
        self.me: Mapping[str, Any] = position.state["seats"][position.seat]
        self.limit = 6 if position.options.get("long") else 5
        teams = position.options.get("teams")
        mine = position.seat % 2
        self.others = [
            seat
            for number, seat in enumerate(position.state["seats"])
            if number != position.seat and not (teams and number % 2 == mine)
        ]
        self.hand: list[str] = self.me["hand"] or []
        self.decision: str = position.state["pending"]["decision"]

    @property
    def lead(self) -> float:
        """Points ahead of the best opponent: as far as the view tells, with its backorders as to be expected."""
        best = max(float(o["points_if_scored_now"]) + self.expected_backorders(o) for o in self.others)
        return float(self.me["points_if_scored_now"]) - best

    def expected_backorders(self, other: Mapping[str, Any]) -> float:
        """What a hidden hand may score: the materials its owner leads in, each a fifth of the hand."""
        if other["hand"] is not None:
            return 0.0
        rest = [seat for seat in self.state["seats"] if seat is not other]
        led = [
            VALUE_OF[m] for m in MATERIALS if count(other["sales"], m) > max(count(seat["sales"], m) for seat in rest)
        ]
        return float(other["hand_size"] * sum(led) / len(MATERIALS))

    def support(self, material: str) -> int:
        """Cards that help to complete works of a material, hand and bench taken together at their best."""
        return max(count(self.hand, material) - 1, count(self.me["bench"], material))

    def keep(self, card: str) -> float:
        """What a hand card is worth: as a work to come, the more the nearer it is."""
        material, value = MATERIAL[card], VALUE[card]
        near = min(1.0, (1 + self.support(material)) / value)
        return HAND_CARD + near * (value + WORK_BONUS.get(TIMING[card], 0.4))

    def wing_room(self, wing: str) -> int:
        return self.limit - len(self.me[wing])

    def covers(self, wing: str, material: str) -> float:
        """What one more work of a material gains in a wing, by covering."""
        zone = "helpers" if wing == "gallery" else "sales"
        there = count(self.me[zone], material)
        capacity = VALUE_OF[material] * count(self.me[wing], material)
        gain = there * (1.5 if wing == "gallery" else VALUE_OF[material])
        return gain if capacity < there <= capacity + VALUE_OF[material] else 0.0

    def work(self, card: str, wing: str) -> float:
        """What completing a card in a wing is worth."""
        material = MATERIAL[card]
        worth = WORK_WORTH + 2 * VALUE[card] + WORK_BONUS.get(TIMING[card], 0.4) + self.covers(wing, material)
        room = self.wing_room(wing)
        if room == 1:
            return worth + (GAME if self.lead + VALUE[card] > 0 else -GAME)
        return worth - (0.5 * max(0, 3 - room) if self.lead < 0 else -0.2 * (self.limit - room))

    def best_work(self, cards: list[str]) -> float:
        return max((self.work(card, wing) for card in cards for wing in ("gallery", "gift_shop")), default=0.0)

    def smith(self) -> float:
        return self.best_work([c for c in self.hand if count(self.hand, MATERIAL[c]) >= VALUE[c]])

    def craft(self, material: str) -> float:
        if count(self.me["bench"], material) < VALUE_OF[material] - 1:
            return 0.0
        return self.best_work([card for card in self.hand if MATERIAL[card] == material])

    def sale(self, card: str) -> float:
        material, value = MATERIAL[card], VALUE[card]
        sold = count(self.me["sales"], material) + 1
        capacity = VALUE_OF[material] * count(self.me["gift_shop"], material)
        needed = value * 0.8 if count(self.hand, material) else 0.0
        best = max(count(o["sales"], material) for o in self.others)
        orders = 0.5 * value * count(self.hand, material) if sold == best + 1 else 0.0
        return (value if sold <= capacity else value * UNCOVERED_SALE) + orders - 0.4 * needed

    def bench(self, card: str) -> float:
        material = MATERIAL[card]
        wanted = min(count(self.hand, material), 2)
        missing = count(self.me["bench"], material) < VALUE_OF[material] - 1
        return 0.8 + 0.4 * VALUE[card] + wanted * (1.5 if missing else 0.4) * VALUE[card] / 2

    def helper(self, card: str) -> float:
        same = count(self.me["helpers"], MATERIAL[card])
        return MONK_WORTH + 0.3 * same + 0.5 * self.covers("gallery", MATERIAL[card])

    def task(self, task: str) -> float:
        """What one action of a task is worth at its best."""
        floor = self.state["floor"]
        own: dict[str, Callable[[], float]] = {
            "clerk": lambda: max(map(self.sale, self.me["bench"]), default=0.0),
            "monk": lambda: max(map(self.helper, floor), default=0.0),
            "potter": lambda: max(map(self.bench, floor), default=0.0),
            "tailor": lambda: TAILOR_WORTH * max(0, 5 - len(self.hand) - self.me["waiting"]),
            "smith": self.smith,
        }
        return max(own[task](), self.craft(MATERIAL_FOR[task]), PRAYER_WORTH)

    def new_task(self, card: str) -> float:
        task = TASK_OF[MATERIAL[card]]
        helpers = count(self.me["helpers"], MATERIAL[card])
        rest = self.task(task)
        return rest + helpers * min(rest, 2.5) - 0.6 * self.keep(card)


def _return(seat: Seat, card: str) -> float:
    if seat.decision == "exchange":
        room = 5 - len(seat.hand) - seat.me["waiting"]
        return 2.2 - seat.keep(card) if room > -2 else -1.0
    if seat.decision == "fan":
        return -seat.keep(card)
    if seat.decision == "crane":
        return 0.2
    return 5.0 - seat.keep(card)


def _choose_card(seat: Seat, card: str) -> float:
    if seat.decision in ("statue", "flute_card", "sword_card"):
        return seat.bench(card)
    if seat.decision in ("vase", "amulet", "ring_card"):
        return seat.sale(card)
    if seat.decision == "shuriken_work":
        return float(VALUE[card])
    if seat.decision in ("hindered", "show", "fountain", "kite_work", "umbrella"):
        return 1.0 + 0.1 * VALUE[card]
    return 5.0 - seat.keep(card)


def _perform(seat: Seat, how: str) -> float:
    if how in ("return", "deal"):
        return 0.0
    performing = seat.state["performing"]
    task = performing["task"]
    if how == "prayer":
        return PRAYER_WORTH + 0.3 * (len(seat.hand) < 3)
    if how == "craft":
        return seat.craft(MATERIAL_FOR[task]) or WORK_WORTH
    if task == "smith":
        return seat.smith() or WORK_WORTH
    return float(
        {
            "clerk": max(map(seat.sale, seat.me["bench"]), default=0.5),
            "monk": max(map(seat.helper, seat.state["floor"]), default=0.5),
            "potter": max(map(seat.bench, seat.state["floor"]), default=0.5),
            "tailor": TAILOR_WORTH * max(0, 5 - len(seat.hand) - seat.me["waiting"]),
        }[task]
    )


USES: Mapping[str, Callable[[Seat], float]] = {
    "cup": lambda s: GAME if s.lead - VALUE_OF["clay"] > 0 else -1.0,
    "poem": lambda s: -1.0 if s.lead > 0 else 0.2,
    "cloak": lambda s: 0.5 if s.state["deck"] > 2 else -1.0,
    "kite": lambda s: -1.0,
    "handkerchief": lambda s: 4.0 if len(s.hand) > 5 else -1.0,
    "chopsticks": lambda s: 2.0,
    "pinwheel": lambda s: 0.6 if len(s.hand) > 2 else -1.0,
    "puppet": lambda s: 1.0 if max(o["hand_size"] for o in s.others) > len(s.hand) + 2 else -1.0,
    "sketch": lambda s: -1.0,
    "doll": lambda s: 2.2,
    "bell": lambda s: 0.9,
    "socks": lambda s: 1.5,
    "robe": lambda s: 1.0,
    "daidoro": lambda s: 0.5 if s.state["deck"] > 6 or s.lead > 0 else -1.0,
    "gong": lambda s: 2.0 if s.state["deck"] > 3 or s.lead > 0 else -1.0,
}
"""When a work is worth using, where it isn't always."""


def _choose_seat(seat: Seat, number: int) -> float:
    other = seat.state["seats"][number]
    worth = float(other["points_if_scored_now"] + 0.1 * other["hand_size"])
    return worth - GAME if number == seat.number else worth


def _choose_material(seat: Seat, material: str) -> float:
    if seat.decision == "robe":
        return float(VALUE_OF[material] * count(seat.me["bench"], material))
    return VALUE_OF[material] + 0.5 * count(seat.hand, material)


def _choose_wing(seat: Seat, wing: str) -> float:
    shown = seat.state["pending"]["shown"]
    return seat.work(shown[0], wing) if shown else sum(seat.covers(wing, m) for m in MATERIALS)


WORTH: Mapping[str, Callable[[Seat, Action], float]] = {
    "return_card": lambda s, a: _return(s, a["card"]),
    "stop": lambda s, a: DECLINED,
    "choose_task": lambda s, a: s.bench(a["card"]) if s.decision == "flute_card" else s.new_task(a["card"]),
    "no_task": lambda s, a: PRAYER_WORTH,
    "perform": lambda s, a: _perform(s, a["as"]),
    "take_floor": lambda s, a: s.helper(a["card"]) if s.decision == "monk" else s.bench(a["card"]),
    "sell": lambda s, a: s.sale(a["card"]),
    "complete": lambda s, a: s.work(a["work"], a["wing"]),
    "use_work": lambda s, a: USES[a["work"]](s) if a["work"] in USES else 1.0,
    "decline": lambda s, a: DECLINED,
    "choose_card": lambda s, a: _choose_card(s, a["card"]),
    "choose_seat": lambda s, a: _choose_seat(s, a["seat"]),
    "choose_material": lambda s, a: _choose_material(s, a["material"]),
    "choose_wing": lambda s, a: _choose_wing(s, a["wing"]),
    "pass": lambda s, a: 0.3,
    "end_turn": lambda s, a: DECLINED,
}


def automa(position: Position, rng: Random, /) -> Action:
    """The action of most worth, the first of equals: deterministic, it draws nothing from `rng`."""
    if len(position.actions) == 1:
        return position.actions[0]
    seat = Seat(position)
    return max(position.actions, key=lambda action: WORTH[action["type"]](seat, action))


BOTS: Mapping[str, Bot] = {"random": random_bot, "automa": automa}
