"""Plays the whole games of this folder anew: `python -m tests.scenarios.mottainai.make`.

Bots and odd policies play, some steps are undone and redone; games are searched until together they complete every
work and reach every end. The results come from the second scorer of the tests, not from the game's own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from domain.chance import Chance
from domain.game import Position
from domain.games.mottainai import GAME
from domain.games.mottainai.cards import KEYS, MATERIAL
from domain.games.mottainai.facts import WorkCompleted
from tests.domain.games.mottainai.positions import rules_for
from tests.domain.games.mottainai.scorer import score
from tests.scenarios.replay import written

FOLDER = Path(__file__).parent
UNDO, REDO = {"type": "undo"}, {"type": "redo"}
Policy = Callable[[Any, Any, Any, Random], Any]


def bot(name: str) -> Policy:
    """A policy that asks one of the game's bots."""

    def choose(rules: Any, state: Any, actions: Any, rng: Random) -> Any:
        options, seat = rules.config.options, state.active
        view = rules.view(state, seat)
        return GAME.bots[name](Position(seat, rules.config.seats, options, view, None, tuple(actions)), rng)

    return choose


def praying(rules: Any, state: Any, actions: Any, rng: Random) -> Any:
    """Never a task: prays for ever."""
    wanted = ("no_task", "end_turn", "decline", "return_card")
    return min(actions, key=lambda a: wanted.index(a["type"]) if a["type"] in wanted else len(wanted))


def for_turtle(rules: Any, state: Any, actions: Any, rng: Random) -> Any:
    """Completes Turtle and works of materials that it has none of yet; else as `automa`."""

    had = {MATERIAL[work] for work in state.temples[state.active].works}
    new = [a for a in actions if a["type"] == "complete" and (a["work"] == "turtle" or MATERIAL[a["work"]] not in had)]
    return rng.choice(new) if new else bot("automa")(rules, state, actions, rng)


class Playing:
    """A game being played and written down: actions, what they force, and undone steps."""

    def __init__(self, seats: int, options: dict[str, bool], number: int) -> None:
        self.rules = rules_for(seats, **options)
        self.seats, self.options, self.number = seats, dict(self.rules.config.options), number
        self.chance = Chance(number.to_bytes(32, "big"))
        self.state: Any = None
        self.entries: list[Any] = []
        self.steps: list[Any] = []
        self.completed: set[str] = set()
        self.kinds: set[str] = set()
        self._apply(self.rules.setup(number % seats, self.chance))
        self._forced()

    def _apply(self, facts: Any) -> bool:
        barrier = False
        for fact in facts:
            barrier = barrier or (self.state is not None and self.rules.is_barrier(self.state, fact))
            self.state = self.rules.evolve(self.state, fact)
            self.kinds.add(type(fact).__name__)
            if isinstance(fact, WorkCompleted):
                self.completed.add(fact.card)
        return barrier

    def _forced(self) -> bool:
        barrier = False
        while not self.state.ended and (forced := self.rules.forced(self.state)):
            barrier = self._apply(self.rules.decide(self.state, *forced, self.chance)) or barrier
        return barrier

    def act(self, action: Any) -> None:
        before = self.state
        self.entries.append([before.active, dict(action)])
        barrier = self._apply(self.rules.decide(before, before.active, action, self.chance))
        barrier = self._forced() or barrier or self.state.ended or self.state.number != before.number
        self.steps = [] if barrier else [*self.steps, before]

    def think_again(self, rng: Random) -> None:
        """Undoes the last step; sometimes changes its mind back."""
        after, before = self.state, self.steps[-1]
        self.entries.append([after.active, UNDO])
        if rng.random() < 0.5:
            self.entries.append([after.active, REDO])
        else:
            self.state, self.steps = before, self.steps[:-1]


def play(seats: int, options: dict[str, bool], number: int, policies: list[Policy], undoing: float = 0.0) -> Playing:
    """A whole game; `undoing` is the share of provisional positions in which the seat thinks again."""
    game = Playing(seats, options, number)
    rng = Random(number)
    while not game.state.ended:
        if game.steps and rng.random() < undoing:
            game.think_again(rng)
        actions = game.rules.legal_actions(game.state, game.state.active)
        game.act(policies[game.state.active % len(policies)](game.rules, game.state, actions, rng))
    return game


def write(name: str, game: Playing) -> set[str]:
    scenario = {
        "game": "mottainai",
        "seats": game.seats,
        "options": game.options,
        "start_seat": game.number % game.seats,
        "seed": game.number.to_bytes(32, "big").hex(),
        "actions": game.entries,
        "result": score(game.state, game.options["teams"]),
    }
    (FOLDER / f"{name}.json").write_text(written(scenario))
    print(name, len(game.entries), scenario["result"], len(game.completed))
    return game.completed


def first(wanted: Callable[[Playing], bool], make: Callable[[int], Playing], since: int) -> Playing:
    """The first game of the wanted kind."""
    while not wanted(game := make(since)):
        since += 1
    return game


AUTOMA, RANDOM = bot("automa"), bot("random")
LONG, TEAMS = {"long": True}, {"teams": True}
KINDS: list[tuple[str, int, dict[str, bool], list[Policy], float, Callable[[Playing], bool]]] = [
    ("2-seats-automa-fills-a-wing", 2, {}, [AUTOMA], 0, lambda g: g.state.ended == "wing"),
    ("2-seats-random-empties-the-deck", 2, {}, [RANDOM], 0, lambda g: g.state.ended == "deck"),
    ("2-seats-long-game", 2, LONG, [AUTOMA], 0, lambda g: g.state.ended == "wing"),
    ("2-seats-thinking-again", 2, {}, [AUTOMA, RANDOM], 0.2, lambda g: True),
    ("3-seats-cup-put-away", 3, {}, [AUTOMA, RANDOM], 0, lambda g: g.state.ended == "cup"),
    ("3-seats-tie-broken-by-turn-order", 3, {}, [AUTOMA], 0, lambda g: score(g.state)["tie_break"] is not None),
    ("3-seats-thinking-again", 3, {}, [RANDOM], 0.2, lambda g: True),
    ("4-seats-turtle-wins", 4, {}, [for_turtle], 0, lambda g: g.state.ended == "turtle"),
    ("4-seats-teams", 4, TEAMS, [AUTOMA], 0.05, lambda g: True),
    ("4-seats-teams-turtle", 4, TEAMS, [for_turtle], 0, lambda g: g.state.ended == "turtle"),
    ("4-seats-short-game", 4, {"long": False}, [AUTOMA], 0, lambda g: g.state.ended == "wing"),
    ("5-seats-automa", 5, {}, [AUTOMA], 0, lambda g: True),
    ("5-seats-random", 5, {}, [RANDOM], 0.05, lambda g: True),
    ("2-seats-praying-to-the-round-limit", 2, {}, [praying], 0, lambda g: g.state.ended == "round_limit"),
    ("2-seats-frog-gives-an-extra-turn", 2, {}, [AUTOMA], 0, lambda g: "ExtraTurnWon" in g.kinds),
    ("4-seats-jar-and-puppet", 4, {}, [RANDOM, AUTOMA], 0, lambda g: {"HandsShown", "HandsExchanged"} <= g.kinds),
    ("3-seats-kite-copies-and-turns-back", 3, {}, [RANDOM], 0, lambda g: {"KiteCopied", "KitesTurnedBack"} <= g.kinds),
]


def main() -> None:
    completed: set[str] = set()
    for place, (name, seats, options, policies, undoing, wanted) in enumerate(KINDS):
        make = lambda number, k=(seats, options, policies, undoing): play(k[0], k[1], number, k[2], k[3])  # noqa: E731
        completed |= write(name, first(wanted, make, 1000 * place))
    more = 0
    while missing := set(KEYS) - completed:
        candidates = [play(5, {}, 20000 + 100 * more + n, [AUTOMA, RANDOM]) for n in range(24)]
        best = max(candidates, key=lambda game: len(game.completed & missing))
        more += 1
        completed |= write(f"5-seats-further-works-{more}", best)


if __name__ == "__main__":
    main()
