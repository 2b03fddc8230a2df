"""Database and broker for a command: those of the settings, those of a running `make run`, or embedded ones.

`python -m infra.serving module arguments…` runs a module with them, e.g. a rebuild of the read models.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg

from infra.embedded import AlreadyRunning, EmbeddedError, Server, claimed, start_postgres, start_valkey
from infra.migrate import MigrationError, migrate
from infra.settings import BadSetting, Settings
from infra.supervisor import Keepable, say

ADDRESSES = "servers.env"  # in the data folder while its servers run; readable by its owner only
VARIABLES = {"database": "DATABASE_URL", "broker": "REDIS_URL"}


@dataclass(slots=True)
class EmbeddedServer(Keepable):
    """A server that is started again, at the same address, if it dies."""

    name: str
    launch: Callable[[Server | None], Server]
    server: Server | None = None

    def alive(self) -> bool:
        return self.server is not None and self.server.process.poll() is None

    def start(self) -> None:
        self.server = self.launch(self.server)

    def stop(self, patience: float) -> None:
        if self.server is not None:
            self.server.stop(max(patience, 5.0))  # time to write its data, even if everybody is in a hurry

    @property
    def url(self) -> str:
        if self.server is None:
            raise EmbeddedError(f"{self.name} is not running")
        return self.server.url


@contextmanager
def serving(settings: Settings) -> Iterator[tuple[list[EmbeddedServer], dict[str, str]]]:
    """Start embedded servers for what is not set, migrate, and stop them at the end.

    Yields them (first the database) and the environment for child processes. Errors: `EmbeddedError`,
    `MigrationError`, `psycopg.Error`.
    """
    environ = dict(os.environ)
    with _data_folder(settings) as folder:
        servers = _embedded(settings, folder) if folder else []
        try:
            for each in servers:
                each.start()
                environ[VARIABLES[each.name]] = each.url
            owner_url = Settings.from_environ(environ).owner_url
            assert owner_url is not None
            applied = migrate(owner_url)
            if applied:
                say(sys.stdout, "turnkeeper", f"database migrated: {', '.join(f'{each:04}' for each in applied)}")
            if folder:
                _write_addresses(folder / ADDRESSES, {VARIABLES[each.name]: each.url for each in servers})
            yield servers, environ
        finally:
            for each in reversed(servers):
                each.stop(20)
            if folder:
                (folder / ADDRESSES).unlink(missing_ok=True)


@contextmanager
def _data_folder(settings: Settings) -> Iterator[Path | None]:
    """The data folder, held for this process, if an embedded server is wanted."""
    if settings.database_url and settings.redis_url:
        yield None
    else:
        with claimed(settings.data_dir) as folder:
            yield folder


def _embedded(settings: Settings, folder: Path) -> list[EmbeddedServer]:
    servers = []
    if settings.database_url is None:
        servers.append(EmbeddedServer("database", lambda again: start_postgres(folder, again=again)))
    if settings.redis_url is None:
        servers.append(EmbeddedServer("broker", lambda again: start_valkey(folder, again=again)))
    return servers


def _write_addresses(path: Path, addresses: dict[str, str]) -> None:
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.writelines(f"{variable}={url}\n" for variable, url in addresses.items())


def running(settings: Settings) -> dict[str, str]:
    """The addresses of the servers that another process runs in the data folder; {} if there is none."""
    with suppress(OSError):
        lines = (settings.data_dir / ADDRESSES).read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)
    return {}


def main() -> int:
    """Run `python -m` with the arguments; the exit status is that of the command, or 1 without servers."""
    if len(sys.argv) < 2:
        print("usage: python -m infra.serving module [arguments]", file=sys.stderr)
        return 2
    command = [sys.executable, "-m", *sys.argv[1:]]
    try:
        settings = Settings.from_environ()
        try:
            with serving(settings) as (_, environ):
                return subprocess.run(command, env=environ, check=False).returncode
        except AlreadyRunning:
            addresses = running(settings)
            if not addresses:
                raise
            return subprocess.run(command, env={**os.environ, **addresses}, check=False).returncode
    except (BadSetting, EmbeddedError, MigrationError, psycopg.Error, OSError) as error:
        print(f"turnkeeper: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
