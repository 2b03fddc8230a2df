"""Everything running, as `make run` starts it: actions, views, lag and bots over HTTP, beside a trivial command that
is measured in the same run by the same client.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any
from uuid import UUID

import psycopg

from domain.registry import GAMES
from tests.bench import records, trivial
from tests.bench.figures import median, p50_p99, scaled, show
from tests.person import Address, Person, exchange
from tests.running import Running, eventually, free_port, running

TOGETHER = 8
COUNTERS = 400


class Pair:
    """Two people at tables of their own, one of whom acts whenever she can; a new table when one is over."""

    def __init__(self, service: Running, game: str, number: int) -> None:
        self.people = [Person.register(service.addresses, f"{name} {number}") for name in ("Ada", "Bob")]
        self.game = game
        self.rng = Random(number)
        self.acts: list[float] = []
        self.done: list[tuple[str, int, float]] = []
        self.table = ""
        self.last = 0

    def _open(self) -> None:
        self.table = self.people[0].open(self.game, opens=1)
        self.people[1].join(self.table)
        self.views: list[Mapping[str, Any]] = [person.view(self.table) for person in self.people]

    def act(self) -> None:
        """One action."""
        if not self.table:
            self._open()
        able = [n for n, view in enumerate(self.views) if view["actions"]]
        if not able:  # the end of the one's turn, or of the game
            self.last = 1 - self.last
            self.views[self.last] = self.people[self.last].view(self.table)
            if self.views[self.last]["status"] == "finished":
                self.table = ""
            return
        self.last = seat = able[0]
        action = self.rng.choice(self.views[seat]["actions"])
        begun = time.perf_counter()
        status, answer = self.people[seat].act(self.table, self.views[seat], action)
        now = time.perf_counter()
        assert status == 201, answer
        self.acts.append(now - begun)
        self.done.append((self.table, answer["version"], now))
        self.views[seat] = answer["view"]


def together(actions: list[Callable[[], None]], seconds: float) -> float:
    """Run each over and over, in a thread of its own; returns the seconds that it took."""
    failed: list[BaseException] = []

    def loop(action: Callable[[], None], end: float) -> None:
        try:
            while time.perf_counter() < end:
                action()
        except BaseException as error:
            failed.append(error)

    begun = time.perf_counter()
    threads = [threading.Thread(target=loop, args=(each, begun + seconds)) for each in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return time.perf_counter() - begun


class LagProbe:
    """How long after an answer the rows contain it: looked at every two milliseconds for one table in turn."""

    def __init__(self, url: str, pairs: list[Pair]) -> None:
        self.lags: list[float] = []
        self._pairs = pairs
        self._stop = threading.Event()
        self._database = psycopg.connect(url, autocommit=True)
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> LagProbe:
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._stop.set()
        self._thread.join()
        self._database.close()

    def _run(self) -> None:
        turn = 0
        while not self._stop.wait(0.02):
            pair = self._pairs[turn % len(self._pairs)]
            turn += 1
            before = len(pair.done)
            while len(pair.done) == before and not self._stop.is_set():
                time.sleep(0.001)
            if len(pair.done) > before:
                table, version, at = pair.done[before]
                self._await(table, version)
                self.lags.append(time.perf_counter() - at)

    def _await(self, table: str, version: int) -> None:
        while not self._stop.is_set():
            statement = "SELECT 1 FROM lobby WHERE table_id = %s AND recorded >= %s"
            if self._database.execute(statement, (UUID(table), version), prepare=True).fetchone():
                return
            time.sleep(0.002)


@contextmanager
def trivial_service(url: str, recorder: str = "") -> Iterator[Callable[[], Callable[[], None]]]:
    """A trivial service; yields what makes a client of it."""
    address: Address = ("127.0.0.1", free_port())
    extra = {"APPLICATION_RECORDER_TOPIC": recorder} if recorder else {}
    command = (sys.executable, "-m", "gunicorn", "-w", "2", "-k", "gthread", "--threads", "8", "--keep-alive", "60")
    process = subprocess.Popen(
        [*command, "-b", f"{address[0]}:{address[1]}", "tests.bench.trivial:create_app()"],
        env=trivial.environ(url) | extra,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        person = Person([address], "trivial")
        eventually(lambda: exchange(address, "POST", "/counters", {})[0] == 201)
        counters = [person.insist("POST", "/counters", {})[1]["id"] for _ in range(COUNTERS)]

        def client() -> Callable[[], None]:
            rng = Random()

            def act() -> None:
                status = person.call("POST", f"/counters/{rng.choice(counters)}", {})[0]
                assert status in (0, 201, 500), status  # two clients may hit one counter, a connection may be closed

            return act

        yield client
    finally:
        process.terminate()
        process.wait(20)


def bench() -> None:
    # Short windows in turn: a machine's speed may change from one half minute to the next.
    seconds, rounds = scaled(3, 0.5), int(scaled(4, 1))
    with running(API_PROCESSES="2", LOG_LEVEL="INFO") as service, trivial_service(service.database.url) as stock:
        for game in GAMES:
            _actions(service, game, stock, seconds, rounds)
        _views(service)
        _bots(service)
        eventually(lambda: exchange(service.addresses[0], "GET", "/readyz")[1].get("status") == "ok")
        records.bench_bytes(service.database.url)


def _actions(service: Running, game: str, stock: Callable[[], Callable[[], None]], seconds: float, rounds: int) -> None:
    pairs = [Pair(service, game, number) for number in range(TOGETHER)]
    for pair in pairs:
        for _ in range(3):
            pair.act()
    alone: list[float] = []
    many: list[float] = []
    rates: dict[str, list[float]] = {"one": [], "many": [], "trivial one": [], "trivial many": []}
    lags: dict[str, list[float]] = {"one": [], "many": []}
    for _ in range(rounds):
        for name, those, spent in (("one", pairs[:1], alone), ("many", pairs, many)):
            for pair in those:
                pair.acts.clear()
            took = together([pair.act for pair in those], seconds)
            found = [each for pair in those for each in pair.acts]
            spent += found
            rates[name].append(len(found) / took)
            # By itself: looking every few milliseconds costs about as much as a client.
            with LagProbe(service.database.url, those) as probe:
                together([pair.act for pair in those], seconds / 2)
            lags[name] += probe.lags
            counts = [0] * len(those)

            def counted(n: int, act: Callable[[], None], counts: list[int] = counts) -> Callable[[], None]:
                def once() -> None:
                    act()
                    counts[n] += 1

                return once

            took = together([counted(n, stock()) for n in range(len(those))], seconds / 2)
            rates[f"trivial {name}"].append(sum(counts) / took)
    show(
        f"POST action over HTTP, everything running: {game}",
        ("clients", "p50 / p99", "actions/s", "trivial command/s", "ratio", "rows behind the answer p50 / p99"),
        [
            (
                clients,
                p50_p99(spent),
                f"{median(rates[name]):.0f}",
                f"{median(rates[f'trivial {name}']):.0f}",
                f"{median([a / b for a, b in zip(rates[name], rates[f'trivial {name}'], strict=True)]):.2f}",
                p50_p99(lags[name]),
            )
            for name, clients, spent in (("one", 1, alone), ("many", TOGETHER, many))
        ],
    )


def _views(service: Running) -> None:
    rows = []
    for clients in (1, TOGETHER):
        pairs = [Pair(service, "roeko", 100 + number) for number in range(clients)]
        spent: list[float] = []
        for pair in pairs:
            for _ in range(10):
                pair.act()
            pair.table or pair.act()

        def look(pair: Pair, spent: list[float] = spent) -> None:
            begun = time.perf_counter()
            assert pair.people[0].call("GET", f"/v1/tables/{pair.table}/view")[0] == 200
            spent.append(time.perf_counter() - begun)

        took = together([lambda pair=pair: look(pair) for pair in pairs], scaled(5, 1))  # type: ignore[misc]
        rows.append((clients, p50_p99(spent), f"{len(spent) / took:.0f}"))
    show("GET view over HTTP", ("clients", "p50 / p99", "views/s"), rows)


def _bots(service: Running) -> None:
    """From the answer to a person's last action until her view says that she is to act again."""
    rows = []
    for game in GAMES.values():
        bot = "automa" if "automa" in game.bots else next(iter(game.bots))
        first, whole = _answers(service, game.key, bot, int(scaled(40, 5)))
        rows.append((game.key, bot, len(whole), p50_p99(first), p50_p99(whole)))
    show(
        "A bot's answer to a person's end of turn",
        ("game", "bot", "turns", "first thing to be seen, p50 / p99", "whole turn, p50 / p99"),
        rows,
    )


def _answers(service: Running, game: str, bot: str, wanted: int) -> tuple[list[float], list[float]]:
    person, rng = service.person(), Random(7)
    first: list[float] = []
    whole: list[float] = []
    while len(whole) < wanted:
        table = person.open(game, [bot], start_seat=0)
        view = eventually(lambda table=table: person.view(table))
        while view["status"] == "running" and len(whole) < wanted:
            if not view["actions"]:
                time.sleep(0.005)
                view = person.view(table)
                continue
            ends = [each for each in view["actions"] if each["type"] == "end_turn"]
            view = person.act(table, view, rng.choice(ends or view["actions"]))[1]["view"]
            begun, seen = time.perf_counter(), view["version"]
            if view["actions"] or view["status"] != "running":
                continue
            moved = None
            while not view["actions"] and view["status"] == "running":
                time.sleep(0.003)
                view = person.view(table)
                if moved is None and view["version"] > seen:
                    moved = time.perf_counter() - begun
            whole.append(time.perf_counter() - begun)
            first.append(moved or whole[-1])
    return first, whole
