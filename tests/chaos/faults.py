"""What goes wrong: a table of faults by name, each with the weight that it is drawn with."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from uuid import UUID, uuid4

import psycopg
from eventsourcing.persistence import PersistenceError

from domain import seating
from domain.registry import GAMES
from domain.table import Table
from infra.database import Database
from infra.event_store import PARTITIONS
from infra.tables import Tables
from infra.tasks import Hints
from projections.partitions import LOCKS, demand, open_connection
from services.context import Context
from tests.proxy import LosingProxy
from tests.running import Running


@dataclass
class Scene:
    """What faults act upon.

    Args:
        service, context: the running service, and a context of the harness's own on its database.
        proxies: in front of the APIs, and between one API and the database.
        tables: of all games so far.
    """

    service: Running
    context: Context
    proxies: list[LosingProxy]
    hints: Hints
    tables: list[str]
    rng: Random
    failures: list[BaseException] = field(default_factory=list)

    def moment(self, low: float = 0.2, high: float = 2.5) -> float:
        return self.rng.uniform(low, high)


def kill(kind: str) -> Callable[[Scene], None]:
    """SIGKILL to one process of a kind and to all that it started."""

    def fault(scene: Scene) -> None:
        scene.service.kill(scene.rng.choice(scene.service.those(kind)))

    return fault


def freeze(kind: str) -> Callable[[Scene], None]:
    """A process stands still and goes on later, not knowing how much later it is."""

    def fault(scene: Scene) -> None:
        child = scene.rng.choice(scene.service.those(kind))
        pid = child.pid
        if pid is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGSTOP)
            time.sleep(scene.moment())
            os.killpg(pid, signal.SIGCONT)

    return fault


def freeze_redis(scene: Scene) -> None:
    with scene.service.frozen(scene.service.broker):
        time.sleep(scene.moment(0.5, 4))


def lose_redis(scene: Scene) -> None:
    """Redis dies with all hints and wake-ups, and stays away for a while."""
    with scene.service.without(scene.service.broker):
        scene.service.break_broker()
        time.sleep(scene.moment(0.2, 3))


def restart_postgres(by: signal.Signals) -> Callable[[Scene], None]:
    def fault(scene: Scene) -> None:
        with scene.service.without(scene.service.database):
            scene.service.break_database(by)
            time.sleep(scene.moment(0, 1.5))

    return fault


def freeze_postgres(scene: Scene) -> None:
    """The database takes connections, has locks, and says nothing."""
    server = scene.service.database.server
    assert server is not None
    processes = [server.process.pid, *_children(server.process.pid)]
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for pid in processes:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        if number == signal.SIGSTOP:
            time.sleep(scene.moment(0.5, 4))


def _children(parent: int) -> Iterator[int]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                status = (folder / "stat").read_text().rpartition(")")[2].split()
                if int(status[1]) == parent:
                    yield int(folder.name)


def end_connections(scene: Scene) -> None:
    """The database ends some connections of the service in the middle of whatever they do."""
    with psycopg.connect(scene.service.database.url, autocommit=True) as db:
        found = db.execute(
            "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'turnkeeper%' ORDER BY pid"
        ).fetchall()
        for (pid,) in scene.rng.sample(found, min(len(found), scene.rng.randint(1, 5))):
            db.execute("SELECT pg_terminate_backend(%s)", (pid,))


def stall_writer(scene: Scene) -> None:
    """An append that has its numbers and its lock, and commits only some time later."""
    table_id, seed = uuid4(), os.urandom(32)
    game = scene.rng.choice([GAMES["roeko"], GAMES["pasha"]])
    wish = seating.Wish(
        game=game,
        seats=tuple({"kind": "bot", "bot": "random"} for _ in range(min(game.seats))),
        options={},
        private=False,
        casual=False,
        start_seat=None,
        start="auto",
    )
    drafts = seating.open_table(wish, table=table_id, owner=str(UUID(int=0)), server_seed=seed)
    with slow_commits(scene, scene.moment(0.5, 4)) as context:
        context.tables.append(
            Table(id=table_id, games=context.games),
            drafts,
            by="system",
            at=context.now(),
            command=uuid4().hex,
            server_seed=seed,
        )
    scene.tables.append(str(table_id))


@contextmanager
def slow_commits(scene: Scene, seconds: float) -> Iterator[Context]:
    """A context whose transactions stand still between their last statement and their commit."""

    class Slow(Database):
        @contextmanager
        def transaction(self, *, commit: bool = True):  # type: ignore[no-untyped-def]
            with super().transaction(commit=commit) as cursor:
                yield cursor
                time.sleep(seconds)

    database = Slow(scene.service.database.url, size=1)
    try:
        yield replace(scene.context, database=database, tables=Tables(database, scene.context.games))
    finally:
        database.close()


def abandon_writer(scene: Scene) -> None:
    """An append that has a number and the lock, and is never committed."""
    with psycopg.connect(scene.service.database.url) as db:
        db.execute("SELECT pg_advisory_xact_lock_shared(%s, 2)", (LOCKS,))
        db.execute("SELECT nextval('events_notification_id_seq')")
        time.sleep(scene.moment(0.5, 4))
        db.rollback()


def repeat_tasks(scene: Scene) -> None:
    """Hints of every kind for tables that may or may not want them, each several times."""
    for table in scene.rng.sample(scene.tables, min(6, len(scene.tables))):
        for name in ("bot", "score", "seal"):
            for _ in range(3):
                scene.hints.send(f"turnkeeper.{name}", table=table)


def hand_partitions_over(scene: Scene) -> None:
    """Somebody takes some partitions from whoever follows them, and gives them back."""
    with suppress(psycopg.Error):
        connection = open_connection(scene.service.database.url, name="turnkeeper-chaos")
        try:
            demand(connection, sorted(scene.rng.sample(range(PARTITIONS), scene.rng.randint(1, 8))))
            time.sleep(scene.moment(0.1, 1.0))
        finally:
            connection.close()


def end_follower(scene: Scene) -> None:
    """In an orderly way: its partitions go to the other one, and come back to its successor."""
    scene.rng.choice(scene.service.those("follower")).ask_to_end()


def lose_answers(scene: Scene) -> None:
    """What was asked is done, and the answer is lost: between API and people, or between database and API."""
    for proxy in scene.rng.sample(scene.proxies, scene.rng.randint(1, len(scene.proxies))):
        proxy.lose_answers(scene.rng.randint(1, 4))


FAULTS: dict[str, tuple[int, Callable[[Scene], None]]] = {
    "kill an API": (8, kill("api")),
    "kill a follower": (9, kill("follower")),
    "kill a worker": (9, kill("worker")),
    "kill a sweep": (3, kill("sweep")),
    "freeze an API": (3, freeze("api")),
    "freeze a follower": (4, freeze("follower")),
    "freeze a worker": (4, freeze("worker")),
    "freeze Redis": (4, freeze_redis),
    "lose Redis": (4, lose_redis),
    "restart PostgreSQL at once": (3, restart_postgres(signal.SIGQUIT)),
    "restart PostgreSQL in order": (2, restart_postgres(signal.SIGINT)),
    "freeze PostgreSQL": (3, freeze_postgres),
    "end connections": (6, end_connections),
    "stall a writer": (6, stall_writer),
    "abandon a writer": (4, abandon_writer),
    "run tasks again": (10, repeat_tasks),
    "hand partitions over": (6, hand_partitions_over),
    "end a follower": (3, end_follower),
    "lose answers": (15, lose_answers),
}


def inflict(scene: Scene, count: int, pause: float, told: Callable[[int, str], None]) -> dict[str, int]:
    """So many faults at random, some of them at once; returns how often each happened."""
    names = [name for name, (weight, _) in FAULTS.items() for _ in range(weight)]
    order = list(FAULTS) if count >= len(FAULTS) else []
    scene.rng.shuffle(order)
    order += [scene.rng.choice(names) for _ in range(count - len(order))]
    done: dict[str, int] = {}
    under_way: list[threading.Thread] = []
    for number, name in enumerate(order, 1):
        told(number, name)
        done[name] = done.get(name, 0) + 1
        own = replace(scene, rng=Random(scene.rng.random()))
        thread = threading.Thread(target=_attempt, args=(name, own))
        thread.start()
        under_way.append(thread)
        time.sleep(scene.rng.expovariate(1 / pause))
        if len([each for each in under_way if each.is_alive()]) > 2:
            thread.join()
    for thread in under_way:
        thread.join()
    return done


def _attempt(name: str, scene: Scene) -> None:
    """A fault may fail for another one that is under way: nobody can end connections of a database that is down."""
    try:
        FAULTS[name][1](scene)
    except (psycopg.Error, PersistenceError, OSError):
        pass
    except BaseException as error:
        scene.failures.append(error)
