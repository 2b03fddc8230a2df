"""`make run`: the whole service on one machine by one command, with embedded servers for whoever has none.

Each process also starts alone, on as many machines as one likes; the table below says how.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import tempfile
import urllib.request
from collections.abc import Sequence
from functools import partial

import psycopg

from infra.embedded import EmbeddedError, end_with_parent
from infra.metrics import process_ended
from infra.migrate import MigrationError
from infra.serving import EmbeddedServer, serving
from infra.settings import BadSetting, Settings
from infra.supervisor import Child, Process, Supervisor, say


def processes(settings: Settings) -> tuple[Process, ...]:
    """What runs besides database and broker."""
    python = (sys.executable, "-m")
    return (
        Process("api", (*python, "gunicorn", "-c", "python:infra.gunicorn_conf")),
        Process("follower", (*python, "projections.follower")),
        Process("worker", (*python, "celery", "-q", "-A", "workers.app", "worker", *_worker_options(settings))),
        Process("sweep", (*python, "workers.sweep")),
    )


def _worker_options(settings: Settings) -> tuple[str, ...]:
    return (
        *("--pool", "threads", "--concurrency", str(settings.worker_threads)),
        *("--loglevel", settings.log_level),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    )


def check_port(host: str, port: int) -> None:
    """Raise `EmbeddedError` if somebody else listens there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise EmbeddedError(
                f"cannot listen on {host}:{port} ({error.strerror}): another program may use it; set PORT (or HOST)"
            ) from error


def run(settings: Settings, children: Sequence[Process] | None = None) -> int:
    """Start everything and keep it running until a signal comes; returns the exit status."""
    check_port(settings.host, settings.port)
    with serving(settings) as (servers, environ), tempfile.TemporaryDirectory(prefix="turnkeeper-") as metrics:
        environ |= {"PROMETHEUS_MULTIPROC_DIR": metrics, "PYTHONUNBUFFERED": "1"}
        # Celery warns root of pickles, which are not accepted here.
        environ["PYTHONWARNINGS"] = "ignore:You're running the worker with superuser"
        table = processes(settings) if children is None else children
        width = max([len("turnkeeper"), *(len(each.name) for each in table)])
        ended = partial(process_ended, folder=metrics)
        supervisor = Supervisor([*servers, *(Child(each, environ, sys.stdout, width, ended) for each in table)])
        supervisor.listen_to_signals()
        return supervisor.run(lambda: _answers(settings), lambda: _announce(settings, servers))


def _address(settings: Settings) -> str:
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.host, settings.host)
    return f"http://{host}:{settings.port}"


def _answers(settings: Settings) -> bool:
    try:
        with urllib.request.urlopen(f"{_address(settings)}/healthz", timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _announce(settings: Settings, servers: Sequence[EmbeddedServer]) -> None:
    address = _address(settings)
    folders = [str(each.server.folder) for each in servers if each.server and each.server.folder]
    kept = f", data in {folders[0]}" if folders else ""
    for line in (
        f"ready: {address} (Ctrl-C ends everything{kept})",
        f"  documentation   {address}/docs",
        f"  games           curl {address}/v1/games",
        f"  a player        curl {address}/v1/players --json '" + """{"name": "Ada"}'""",
    ):
        say(sys.stdout, "turnkeeper", line)


def main() -> int:
    """Exit status: 0 after Ctrl-C or SIGTERM, 1 if it cannot start or go on, 2 for a bad setting."""
    if "MAKELEVEL" in os.environ:  # if `make` is killed, nobody is left to end us
        end_with_parent(signal.SIGTERM)
    try:
        return run(Settings.from_environ())
    except BadSetting as error:
        print(f"turnkeeper: {error}", file=sys.stderr)
        return 2
    except (EmbeddedError, MigrationError, psycopg.Error, OSError) as error:
        print(f"turnkeeper: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main())
