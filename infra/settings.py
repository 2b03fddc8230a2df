"""All settings of the service: one frozen value, read once from environment variables.

Name, default and meaning of every variable are data here; the table in the README is generated from them.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


class BadSetting(ValueError):
    """An environment variable holds a value that cannot be used; the message names it."""


@dataclass(frozen=True, slots=True)
class Documented:
    """One row of the settings table."""

    variable: str
    default: str
    meaning: str


def _whole(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not text.strip().lstrip("-").isdigit() or not low <= int(text) <= high:
            raise ValueError(f"a whole number from {low} to {high} is expected")
        return int(text)

    return parse


def _seconds(low: float, high: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise ValueError(f"a number of seconds from {low:g} to {high:g} is expected")
        return value

    return parse


def _one_of(*choices: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"one of {', '.join(choices)} is expected")
        return text

    return parse


def _url(*schemes: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if urlsplit(text).scheme not in schemes:
            raise ValueError(f"a URL beginning with {' or '.join(s + '://' for s in schemes)} is expected")
        return text

    return parse


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(part.strip() for part in text.split(",") if part.strip())
    for origin in origins:
        parts = urlsplit(origin)
        if origin != "*" and (parts.scheme not in ("http", "https") or not parts.netloc or parts.path):
            raise ValueError("origins such as https://game.example, separated by commas, or * are expected")
    return origins


def _limit(text: str) -> str:
    if not re.fullmatch(r"[1-9][0-9]* per (second|minute|hour|day)", text):
        raise ValueError("a limit such as `100 per minute` is expected (second, minute, hour or day)")
    return text


def _cipher_key(text: str) -> str:
    try:
        size = len(base64.b64decode(text, validate=True))
    except binascii.Error:
        size = 0
    if size not in (16, 24, 32):
        raise ValueError("16, 24 or 32 bytes in base64 are expected")
    return text


_POSTGRES = _url("postgresql", "postgres")
_REDIS = _url("redis", "rediss", "unix")


def _setting(variable: str, default: str, parse: Callable[[str], Any], meaning: str) -> Any:
    """A field of `Settings`: `default` is text as it would stand in the environment; "" means not set."""
    value = parse(default) if default else None
    return field(default=value, metadata={"parse": parse, "documented": Documented(variable, default, meaning)})


@dataclass(frozen=True, slots=True)
class Settings:
    """What an operator can choose. `Settings.from_environ()` reads it; every field has a default."""

    database_url: str | None = _setting(
        "DATABASE_URL",
        "",
        _POSTGRES,
        "PostgreSQL to use; not set: an embedded server with its data in `DATA_DIR`",
    )
    migration_database_url: str | None = _setting(
        "MIGRATION_DATABASE_URL",
        "",
        _POSTGRES,
        "the same database as a role that may change the schema; not set: `DATABASE_URL`",
    )
    redis_url: str | None = _setting(
        "REDIS_URL",
        "",
        _REDIS,
        "Redis or a compatible server (broker, wake-ups, rate limits); not set: an embedded server",
    )
    data_dir: Path = _setting("DATA_DIR", ".turnkeeper", Path, "folder of the embedded servers' data")
    host: str = _setting("HOST", "127.0.0.1", str, "address the API listens on")
    port: int = _setting("PORT", "8000", _whole(1, 65535), "port the API listens on")
    api_processes: int = _setting("API_PROCESSES", "2", _whole(1, 64), "processes of the API")
    api_threads: int = _setting(
        "API_THREADS",
        "8",
        _whole(1, 256),
        "threads of each API process for requests, besides those that streams may hold",
    )
    streams_per_process: int = _setting(
        "STREAMS_PER_PROCESS",
        "32",
        _whole(0, 4096),
        "server-sent event streams an API process holds at most; one more is answered `unavailable`",
    )
    pool_size: int = _setting(
        "POOL_SIZE", "10", _whole(1, 200), "database connections a process opens at most (one pool each)"
    )
    database_timeout: float = _setting(
        "DATABASE_TIMEOUT",
        "2.0",
        _seconds(0.1, 60),
        "seconds after which a request without an answering database gets `unavailable`",
    )
    follower_batch: int = _setting(
        "FOLLOWER_BATCH", "500", _whole(1, 10_000), "events the follower projects in one transaction at most"
    )
    follower_poll: float = _setting(
        "FOLLOWER_POLL",
        "0.25",
        _seconds(0.01, 60),
        "seconds between two looks of the follower without wake-up",
    )
    worker_threads: int = _setting("WORKER_THREADS", "2", _whole(1, 64), "tasks a worker process runs at once")
    sweep_interval: float = _setting(
        "SWEEP_INTERVAL", "10", _seconds(0.1, 3600), "seconds between two sweeps for due work nobody took up"
    )
    seal_after: float = _setting(
        "SEAL_AFTER", "0", _seconds(0, 31_536_000), "seconds from a game's score to the seal of its record"
    )
    idle_days: int = _setting(
        "IDLE_DAYS",
        "30",
        _whole(1, 3650),
        "days without an event after which an unfinished table counts as idle",
    )
    cache_tables: int = _setting(
        "CACHE_TABLES", "512", _whole(0, 100_000), "folded tables each process keeps in memory"
    )
    snapshot_interval: int = _setting(
        "SNAPSHOT_INTERVAL", "100", _whole(1, 100_000), "play events between two snapshots of a table"
    )
    cors_origins: tuple[str, ...] = _setting(
        "CORS_ORIGINS", "", _origins, "origins whose pages may call the API, separated by commas; `*`: all"
    )
    max_body_bytes: int = _setting(
        "MAX_BODY_BYTES", "65536", _whole(1024, 104_857_600), "size of a request's body at most"
    )
    max_import_bytes: int = _setting(
        "MAX_IMPORT_BYTES", "16777216", _whole(1024, 1_073_741_824), "size of an imported record's file at most"
    )
    write_limit: str = _setting(
        "WRITE_LIMIT", "6000 per minute", _limit, "changing calls that a player may make, e.g. `100 per minute`"
    )
    registration_limit: str = _setting(
        "REGISTRATION_LIMIT", "600 per minute", _limit, "players that may be registered from one address"
    )
    registration: str = _setting(
        "REGISTRATION",
        "open",
        _one_of("open", "platform"),
        "who may create players: everybody (`open`) or holders of a platform credential (`platform`)",
    )
    cipher_key: str | None = _setting(
        "CIPHER_KEY", "", _cipher_key, "key (base64) that encrypts stored events; not set: no encryption"
    )
    log_level: str = _setting(
        "LOG_LEVEL", "INFO", _one_of("DEBUG", "INFO", "WARNING", "ERROR"), "least severe log lines to print"
    )

    @classmethod
    def from_environ(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """Read the settings; an empty variable counts as not set.

        Errors: `BadSetting` with the variable's name and what was expected.
        """
        source = os.environ if environ is None else environ
        values: dict[str, Any] = {}
        for each in fields(cls):
            variable = each.metadata["documented"].variable
            text = source.get(variable, "").strip()
            if text:
                try:
                    values[each.name] = each.metadata["parse"](text)
                except ValueError as error:
                    # The value itself is left out: it may hold a password.
                    raise BadSetting(f"{variable}: {error}") from None
        return cls(**values)

    @classmethod
    def documentation(cls) -> tuple[Documented, ...]:
        """One row a setting, in the order of the fields."""
        return tuple(each.metadata["documented"] for each in fields(cls))

    @property
    def owner_url(self) -> str | None:
        """The database as the role that may change the schema."""
        return self.migration_database_url or self.database_url

    @property
    def gunicorn_threads(self) -> int:
        """Threads of one API process: those for streams and those for requests."""
        return self.streams_per_process + self.api_threads


def settings_table() -> str:
    """The Markdown table of all settings, as it stands in the README."""
    rows = ["| Variable | Default | Meaning |", "|---|---|---|"]
    for row in Settings.documentation():
        default = f"`{row.default}`" if row.default else "not set"
        rows.append(f"| `{row.variable}` | {default} | {row.meaning} |")
    return "\n".join(rows) + "\n"


def renew_table(text: str) -> str:
    """A document with the settings table between its two marks brought up to date."""
    begin, end = "<!-- settings -->\n", "<!-- /settings -->"
    before, _, rest = text.partition(begin)
    return f"{before}{begin}{settings_table()}{end}{rest.partition(end)[2]}" if rest else text


if __name__ == "__main__":
    if len(sys.argv) > 1:
        document = Path(sys.argv[1])
        document.write_text(renew_table(document.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(settings_table(), end="")
