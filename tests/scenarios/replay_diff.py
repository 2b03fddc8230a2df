"""`make replay-diff BASE=<git revision>`: the whole games on the code of a revision and on the code as it is here.

Every scenario of this tree is played by either code, in a process of its own. Facts, every viewer's view after each and
the result are compared, and the first difference of each game is printed. Status 1 if there is one.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SCENARIOS = Path(__file__).parent

Told = dict[str, Any]
"""What one code makes of one game: `versions`, one `[topic, facts, views]` a recorded event, `result`, `error`."""


def told(file: Path) -> Told:
    """What the code that is imported here makes of a game."""
    from tests.ledger import Ledger
    from tests.scenarios import replay

    made: list[Ledger] = []

    def noted(*args: Any, **kwargs: Any) -> Ledger:
        made.append(Ledger(*args, **kwargs))
        return made[-1]

    replay.Ledger = noted  # type: ignore[assignment,misc]
    scenario, error, result = json.loads(file.read_text()), None, None
    try:
        result = replay.result_of(replay.replay(scenario))
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}"
    return {"versions": _versions(made[0], scenario["seats"]) if made else [], "result": result, "error": error}


def _versions(ledger: Any, seats: int) -> list[list[Any]]:
    from domain.record import canonical, fact_data
    from domain.viewing import view

    versions = []
    table = type(ledger.table)(id=ledger.table.id, games=ledger.games)
    positions: dict[int, Any] = {0: table.play}
    for event, following in pairwise([*ledger.events, None]):
        table = table.evolve(event, positions.__getitem__)
        positions[event.version] = table.play
        # Nobody ever sees the middle of a command.
        viewers = (None, *range(seats)) if following is None or following.action is not None else ()
        views = [_hash(canonical(view(table, viewer))) for viewer in viewers]
        versions.append([event.topic, canonical(fact_data(event.fact)).decode(), views])
    return versions


def _hash(value: bytes) -> str:
    return hashlib.sha256(value).hexdigest()[:16]


def differences(base: Told, here: Told) -> Iterator[str]:
    """What is different in a game, the first differing event only."""
    if base["error"] != here["error"]:
        yield f"base: {base['error'] or 'can be played'}; here: {here['error'] or 'can be played'}"
    broken = base["error"] or here["error"]
    for version, (one, other) in enumerate(zip_longest(base["versions"], here["versions"]), 1):
        if broken and None in (one, other):
            return
        if one != other:
            yield f"event {version}: {_difference(one, other)}"
            break
    if base["result"] != here["result"]:
        yield f"result: base {base['result']}, here {here['result']}"


def _difference(one: list[Any] | None, other: list[Any] | None) -> str:
    if one is None or other is None:
        return "base has none" if one is None else "there is none here"
    if one[:2] != other[:2]:
        return f"base {one[0]} {one[1]}, here {other[0]} {other[1]}"
    viewers = ["public", *(f"seat {seat}" for seat in range(len(one[2]) - 1))]
    return "views of " + ", ".join(who for who, a, b in zip(viewers, one[2], other[2], strict=True) if a != b)


def played(tree: Path, names: list[str]) -> dict[str, Told]:
    """Every game as the code of a tree plays it; that tree's copy of this module is not used."""
    environ = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    script = [sys.executable, "-c", _SCRIPT, str(Path(__file__).resolve()), str(SCENARIOS)]
    done = subprocess.run(script, cwd=tree, env=environ, input=json.dumps(names), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"the code of {tree} can't play: {done.stderr[-2000:]}")
    answer: dict[str, Told] = json.loads(done.stdout)
    return answer


_SCRIPT = """
import importlib.util, json, pathlib, sys
spec = importlib.util.spec_from_file_location("replay_diff_here", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
folder = pathlib.Path(sys.argv[2])
print(json.dumps({name: module.told(folder / f"{name}.json") for name in json.load(sys.stdin)}))
"""


@contextmanager
def checked_out(revision: str, root: Path = ROOT) -> Iterator[Path]:
    """The tree of a revision, in a folder of its own that is gone afterwards."""
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name) / "tree"
        git = ["git", "-C", str(root), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), revision], check=True)
        try:
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def compare(base: Path, here: Path, names: list[str]) -> dict[str, list[str]]:
    """Differences by game; games without any are left out."""
    with ThreadPoolExecutor() as both:
        one, other = both.map(lambda tree: played(tree, names), (base, here))
    found = {name: list(differences(one[name], other[name])) for name in names}
    return {name: lines for name, lines in found.items() if lines}


def main(revision: str) -> int:
    """Print the differences; returns the exit status."""
    names = sorted(f"{path.parent.name}/{path.stem}" for path in SCENARIOS.glob("*/*.json"))
    if not revision:
        print("name a revision: make replay-diff BASE=<git revision>", file=sys.stderr)
        return 2
    with checked_out(revision) as base:
        found = compare(base, ROOT, names)
    for name, lines in found.items():
        for line in lines:
            print(f"{name}: {line}")
    print(f"{len(names)} games, {len(found)} of them differ from {revision}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
