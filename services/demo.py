"""`make demo`: one whole game over HTTP alone, one scripted person against two bots, its log and its score printed.

It plays at the service that answers at HOST:PORT; if none does, it starts one of its own on a free port, with data
in a temporary folder, and ends it afterwards. GAME chooses the game, SEED the person's choices.
"""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from infra.settings import Settings

START_SECONDS, GAME_SECONDS, PAUSE = 90, 600, 0.05

Json = dict[str, Any]


class Failed(Exception):
    """The demonstration can't go on; the message says why."""


class Client:
    """Calls to a service, as one player or nobody."""

    def __init__(self, address: str, token: str | None = None) -> None:
        self.address = address
        self._token = token

    def get(self, path: str) -> Json:
        return self._call("GET", path, None)

    def post(self, path: str, body: Mapping[str, Any]) -> Json:
        return self._call("POST", path, body)

    def _call(self, method: str, path: str, body: Mapping[str, Any] | None) -> Json:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                found: Json = json.load(answer)
                return found
        except urllib.error.HTTPError as error:
            raise Failed(f"{method} {path}: {error.code} {error.read().decode()}") from error


def answers(address: str) -> bool:
    """Whether a Turnkeeper listens there."""
    try:
        return Client(address).get("/healthz").get("status") == "ok"
    except (OSError, ValueError, Failed):
        return False


@contextmanager
def service(settings: Settings) -> Iterator[str]:
    """The address of a running service; one is started, and ended, if there is none."""
    address = f"http://{settings.host}:{settings.port}"
    if answers(address):
        yield address
        return
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="turnkeeper-demo-", ignore_cleanup_errors=True) as folder:
        environ = os.environ | {"HOST": "127.0.0.1", "PORT": str(port), "DATA_DIR": folder, "API_PROCESSES": "1"}
        with tempfile.TemporaryFile("w+") as output:
            running = subprocess.Popen(
                [sys.executable, "-m", "infra.run"], env=environ, stdout=output, stderr=subprocess.STDOUT
            )
            try:
                address = f"http://127.0.0.1:{port}"
                print(f"No service at {settings.host}:{settings.port}; starting one at {address} for this game.")
                _await_start(address, running, output)
                yield address
            finally:
                running.send_signal(signal.SIGTERM)
                running.wait(60)


def _await_start(address: str, running: subprocess.Popen[bytes], output: Any) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not answers(address):
        if running.poll() is not None or time.monotonic() > deadline:
            output.seek(0)
            raise Failed("the service did not start:\n" + output.read())
        time.sleep(0.2)


class Log:
    """Prints a table's log as it grows."""

    def __init__(self, client: Client, table: str) -> None:
        self._client = client
        self._path = f"/v1/tables/{table}/events"
        self._after = 0

    def print_news(self) -> None:
        while True:
            page = self._client.get(f"{self._path}?after={self._after}&limit=100")
            for entry in page["items"]:
                self._after = entry["version"]
                text = entry["text"]["en"] if "text" in entry else "(a step that was taken back)"
                print(f"{entry['version']:>5}  {text}", flush=True)
            if page["next"] is None:
                return


def play(client: Client, table: str, rng: random.Random) -> Json:
    """Play the person's seat until the game is over; returns the result."""
    log, path = Log(client, table), f"/v1/tables/{table}"
    deadline = time.monotonic() + GAME_SECONDS
    view = client.get(f"{path}/view")
    while view["status"] != "finished":
        if time.monotonic() > deadline:
            raise Failed("the game does not come to its end")
        if view["actions"]:
            action = rng.choice(view["actions"])
            view = client.post(f"{path}/actions", {"version": view["version"], "action": action})["view"]
            log.print_news()
        else:
            time.sleep(PAUSE)
            log.print_news()
            view = client.get(f"{path}/view")
    while (result := client.get(path)["result"]) is None:
        if time.monotonic() > deadline:
            raise Failed("the game is not scored")
        time.sleep(PAUSE)
    log.print_news()
    found: Json = result
    return found


def score_sheet(result: Json) -> str:
    """A result as a score pad: a column a seat, a line for each figure of the breakdown."""
    seats = result["seats"]
    heads = [seat["player"]["name"] if seat["player"] else f"{seat['bot']} (bot)" for seat in seats]
    figures = [dict(_figures(seat["breakdown"])) for seat in seats]
    names = list(dict.fromkeys(name for each in figures for name in each))
    lines = [[name, *(each.get(name, "") for each in figures)] for name in names]
    lines += [[name, *(str(seat[name]) for seat in seats)] for name in ("total", "rank")]
    table = [["seat", *(f"{seat['seat']}: {head}" for seat, head in zip(seats, heads, strict=True))], *lines]
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    rows = ["  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip() for line in table]
    rule = "-" * (sum(widths) + 2 * len(widths) - 2)
    decided = f" (decided by {result['tie_break']})" if result["tie_break"] else ""
    won = f"Won by seat {' and '.join(map(str, result['winners']))}{decided}; the end: {result['reason']}."
    return "\n".join([rows[0], rule, *rows[1:-2], rule, *rows[-2:], "", won])


def _figures(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """The figures of a breakdown, however nested, by dotted names."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _figures(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        yield name, " ".join(map(str, value))
    elif value is not None:
        yield name, str(value)


def demonstrate(address: str, game: str, rng: random.Random) -> None:
    """One game of three seats at a service.

    Raises:
        Failed.
    """
    offered = Client(address).get(f"/v1/games/{game}")
    bot = "automa" if "automa" in offered["bots"] else offered["bots"][0]
    others = min(max(2, offered["seats"]["min"] - 1), offered["seats"]["max"] - 1)
    person = Client(address).post("/v1/players", {"name": "Demo"})
    client = Client(address, person["token"])
    seats = [{"kind": "me"}, *({"kind": "bot", "bot": bot} for _ in range(others))]
    table = client.post("/v1/tables", {"game": game, "seats": seats})
    print(f"{offered['title']['en']}: table {table['id']}, seat 0 is a script, the others are {bot}.")
    result = play(client, table["id"], rng)
    print("\n" + score_sheet(result))


def main() -> int:
    seed = int(os.environ.get("SEED") or random.randrange(10**6))
    try:
        with service(Settings.from_environ()) as address:
            print(f"Seed of the script's choices: {seed} (SEED={seed} repeats them)")
            demonstrate(address, os.environ.get("GAME") or "roeko", random.Random(seed))
    except Failed as failure:
        print(f"demo: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
