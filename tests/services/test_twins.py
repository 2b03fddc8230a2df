"""Two games that are equal in all that a viewer may see give that viewer the same bytes, whatever is hidden.

Ids, clock and secrets are frozen; only hidden cards differ. Digests are normalised, as are the signatures over them:
they are hashes of everything, so they must differ; that they tell nothing is the salts' business, and tested there.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
import structlog

from domain.games.roeko.facts import GameSetUp
from domain.games.roeko.rules import RoekoRules
from infra.signing import Signer
from services.http.app import create_app
from tests.services.conftest import api_over
from tests.services.helpers import Api, Caller

HASHES = re.compile(rb'"(digest|signature)":"[0-9a-f]+"')


@dataclass
class Twin:
    """One of two games: its application and players, everything that its watchers were told, and the log lines."""

    api: Api
    callers: list[Caller]
    table: str
    heard: list[Any]
    lines: list[Any]

    @contextmanager
    def logged(self) -> Iterator[None]:
        """Note the log lines of all requests within, and what they added to the metrics."""
        self.lines.clear()
        before = self.counted()
        yield
        self.heard.append([line for line in self.lines if line["event"] == "request"])
        self.heard.append(
            {name: n - before.get(name, 0) for name, n in self.counted().items() if n != before.get(name, 0)}
        )

    def counted(self) -> dict[str, float]:
        """The service's metrics as everybody may read them, but for durations and how often Redis was looked for."""
        text = self.api.public().get("/metrics", expect=200).text
        samples = [line.rsplit(" ", 1) for line in text.splitlines() if line.startswith("turnkeeper_")]
        return {name: float(n) for name, n in samples if not re.search(r"_(bucket|sum|created)\b|_broker_", name)}

    def hear(self, answer: Any) -> Any:
        """Note an answer as its caller gets it."""
        body = HASHES.sub(rb'"\1":"-"', answer.data)
        self.heard.append((answer.status_code, sorted(answer.headers), body))
        return answer

    def hear_stream(self, answer: Any) -> None:
        """Note what a stream says at once."""
        said = b"".join(itertools.islice(answer.response, 2))
        answer.close()
        assert b"event: table" in said
        self.heard.append((answer.status_code, sorted(answer.headers), said))

    def watch(self) -> None:
        """Everything that seat 0 and the public can ask about the table, from the record and from rows."""
        path = f"/v1/tables/{self.table}"
        for source in ("record", "rows"):
            for watcher in (self.callers[0], self.api.public()):
                version = self.hear(watcher.get(f"{path}/view")).json["version"]
                for part in ("", "/events", "/events?after=4&limit=2", f"/view?at={version - 1}", "/result"):
                    self.hear(watcher.get(path + part))
                self.hear(watcher.get("/v1/tables?limit=5"))
                etag = {"If-None-Match": f'"{version}.3.public"'}
                self.hear(watcher.get(f"{path}/view", headers=etag))
                if source == "rows":
                    for known in ({}, {"Last-Event-ID": str(version - 1)}):
                        self.hear_stream(watcher.get(f"{path}/stream", headers=known, buffered=False))
            self.hear(self.callers[0].get("/v1/me/turns"))
            self.hear(self.callers[0].post(f"{path}/undo", {"version": 0}))
            self.api.follow()


def frozen(api: Api) -> Api:
    """The same application with a clock that ticks by calls, ids that count, and secrets known beforehand."""
    ticks, ids, seeds = itertools.count(), itertools.count(1), itertools.count()
    began = datetime(2026, 1, 1, tzinfo=UTC)
    context = replace(
        api.context,
        signer=Signer(api.context.database),
        now=lambda: began + timedelta(milliseconds=next(ticks)),
        new_id=lambda: UUID(int=next(ids) << 64 | 0x4000 << 64 | 1),
        random_bytes=lambda size: random.Random(next(seeds)).randbytes(size),
    )
    return Api(create_app(context=context), context, api.follower)


Swap = tuple[int, int]
"""Which card of seat 1's hand changes places with which card of the draw pile, counted from its end."""


def swapped(fact: GameSetUp, swap: Swap | None) -> GameSetUp:
    if swap is None:
        return fact
    own, deep = swap
    hand, pile = list(fact.hands[1]), list(fact.pile)
    hand[own], pile[-deep] = pile[-deep], hand[own]
    return replace(fact, hands=(fact.hands[0], tuple(hand), *fact.hands[2:]), pile=tuple(pile))


@pytest.fixture
def twins(postgres: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Swap], list[Twin]]]:
    names = [postgres.create(), postgres.create()]
    setup = RoekoRules.setup
    monkeypatch.setattr("services.reading.LOG_PATIENCE", 0)
    monkeypatch.setattr("services.listing.PATIENCE", 0)

    def make(lines: list[Any], api: Api, chosen: Swap | None) -> Twin:
        def arranged(self: RoekoRules, *args: Any) -> Any:
            return [swapped(fact, chosen) if isinstance(fact, GameSetUp) else fact for fact in setup(self, *args)]

        with monkeypatch.context() as patch:
            patch.setattr(RoekoRules, "setup", arranged)
            callers = [api.player("Ada"), api.player("Bob")]
            return Twin(api, callers, api.table(*callers), [], lines)

    with api_over(postgres.url_of(names[0])) as one, api_over(postgres.url_of(names[1])) as two:
        apis = [frozen(one), frozen(two)]
        with structlog.testing.capture_logs([structlog.contextvars.merge_contextvars]) as lines:
            yield lambda swap: [make(lines, apis[0], None), make(lines, apis[1], swap)]
    for name in names:
        postgres.drop(name)


def bare(actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [action for action in actions if action["type"] != "dispose"]


def hidden_step(twins: list[Twin], rng: random.Random) -> bool:
    """Seat 1 acts alike in both, as far as others can tell; False if its cards allow no such thing."""
    lists = [twin.callers[1].view(twin.table)["actions"] for twin in twins]
    common = [action for action in bare(lists[0]) if action in lists[1]]
    if common:
        chosen = [rng.choice(common)] * 2
    elif not bare(lists[0]) and not bare(lists[1]):
        others = [action for action in lists[1] if action not in lists[0]]
        chosen = [lists[0][0], (others or lists[1])[0]]
    else:
        return False
    for twin, action in zip(twins, chosen, strict=True):
        with twin.logged():
            twin.callers[1].act(twin.table, action, expect=201)
    return True


def play(twins: list[Twin], rng: random.Random, steps: int) -> int:
    """Both games in step, watched all along; returns how many steps there were."""
    for done in range(steps):
        for twin in twins:
            with twin.logged():
                twin.watch()
        view, _ = (twin.callers[0].view(twin.table) for twin in twins)
        if view["status"] != "running":
            return done
        if view["to_act"] == [0]:
            action = rng.choice(view["actions"])
            for twin in twins:
                with twin.logged():
                    twin.hear(twin.callers[0].act(twin.table, action))
        else:
            undone = rng.random() < 0.3
            if not hidden_step(twins, rng):
                return done
            if undone:
                for twin in twins:
                    with twin.logged():
                        twin.callers[1].undo(twin.table)
    return steps


@pytest.mark.parametrize("seed", range(3))
def test_what_a_viewer_is_told_does_not_depend_on_what_is_hidden_from_it(
    twins: Callable[[Swap], list[Twin]], seed: int
) -> None:
    rng = random.Random(seed)
    longest, differed = 0, False
    for own, deep in [(own, deep) for deep in (1, 2, 4, 7) for own in range(3)]:
        pair = twins((own, deep))
        hands = [twin.callers[1].view(twin.table)["state"]["seats"][1]["hand"] for twin in pair]
        if hands[0] == hands[1]:
            continue
        differed = True
        longest = max(longest, play(pair, rng, 14))
        assert pair[0].heard == pair[1].heard, f"seed {seed}, swap {(own, deep)}"
        if longest >= 10:
            break
    assert differed, "the twins did not differ at all"
    assert longest >= 6, "the twins could not be played on far enough to tell anything"
