"""How fast games run without a database: rules alone, and whole tables with memory, envelopes and digests."""

from __future__ import annotations

import sys
import time
from random import Random
from typing import Any

from domain.chance import Chance
from domain.game import Config, Game
from domain.registry import GAMES
from tests.bench.figures import median, p50_p99, scaled, show
from tests.ledger import Ledger


def rules_alone(game: Game, seats: int, seconds: float, seed: int) -> tuple[float, float]:
    """Playouts and actions a second of `legal_actions`, `decide` and `evolve`."""
    options = game.complete({}, seats)
    data = Ledger(game, seats).table.desk.data  # type: ignore[union-attr]
    rules: Any = game.rules[game.current_rules](Config(seats=seats, options=options, data=data))
    rng, games, actions = Random(seed), 0.0, 0
    begun = time.perf_counter()
    while (now := time.perf_counter() - begun) < seconds or not games:
        chance = Chance(games.hex().encode().ljust(32)[:32])
        state: Any = None
        for fact in rules.setup(None, chance):
            state = rules.evolve(state, fact)
        while not rules.is_over(state):
            seat = rng.choice(rules.to_act(state))
            for fact in rules.decide(state, seat, rng.choice(rules.legal_actions(state, seat)), chance):
                state = rules.evolve(state, fact)
            actions += 1
        games += 1
        now = time.perf_counter() - begun
    return games / now, actions / now


def whole_table(game: Game, seats: int, seconds: float, seed: int) -> tuple[float, list[float]]:
    """Actions a second of a table, all of its record included, and seconds of memory for each fact."""
    rng, actions, spent, memory = Random(seed), 0, 0.0, []
    while spent < seconds:
        ledger = Ledger(game, seats, seed)
        seed += 1
        remember = ledger.rules.remember

        def measured(*args: Any, remember: Any = remember) -> Any:
            begun = time.perf_counter()
            try:
                return remember(*args)
            finally:
                memory.append(time.perf_counter() - begun)

        ledger.rules.remember = measured
        begun = time.perf_counter()
        while ledger.to_act and spent + time.perf_counter() - begun < seconds:
            ledger.play_on(rng, 1)
            actions += 1
        spent += time.perf_counter() - begun
    return actions / spent, memory


def bench() -> None:
    rounds, seconds = int(scaled(3, 1)), scaled(1.0, 0.2)
    configurations = [(game, seats) for game in GAMES.values() for seats in game.seats]
    alone: dict[Any, list[tuple[float, float]]] = {each: [] for each in range(len(configurations))}
    whole: dict[Any, list[float]] = {each: [] for each in alone}
    memory: dict[Any, list[float]] = {each: [] for each in alone}
    for number in range(rounds):  # interleaved: a busy minute hits every row alike
        for n, (game, seats) in enumerate(configurations):
            alone[n].append(rules_alone(game, seats, seconds, number))
            rate, spent = whole_table(game, seats, seconds, number)
            whole[n].append(rate)
            memory[n] += spent
    show(
        "Engine, one process, random play",
        ("game", "seats", "playouts/s", "actions/s, rules alone", "actions/s, whole table", "memory a fact p50 / p99"),
        [
            (
                game.key,
                seats,
                f"{median([g for g, _ in alone[n]]):.1f}",
                f"{median([a for _, a in alone[n]]):,.0f}",
                f"{median(whole[n]):,.0f}",
                p50_p99(memory[n]),
            )
            for n, (game, seats) in enumerate(configurations)
        ],
    )


if __name__ == "__main__":
    sys.exit(bench())
