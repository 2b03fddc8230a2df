"""Log lines as JSON objects, with the request, player, table and command they belong to, and without secrets."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any, TextIO

import structlog
import structlog.tracebacks

DROPPED = "[dropped]"

# Fields are dropped if their name contains one of these.
SECRET_NAMES = (
    "token",
    "authorization",
    "cookie",
    "secret",
    "seed",
    "password",
    "private",
    "cipher",
    "ticket",
    "invitation",
    "entropy",
    "idempotency",
)
# And inside texts, such as messages of exceptions: credentials in URLs and headers, tickets in paths.
SECRET_TEXTS = re.compile(r"(?<=://)[^/@\s]*(?=@)|(?<=[Bb]earer )\S+|(?<=[?&]ticket=)[^&\s\"]+")


def without_secrets(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor: secret fields lose their value, at any depth."""
    return {name: _clean(name, value) for name, value in event.items()}


@lru_cache(maxsize=1024)
def _is_secret(name: str) -> bool:
    return any(secret in name.lower() for secret in SECRET_NAMES)


def _clean(name: str, value: Any) -> Any:
    if _is_secret(name):
        return DROPPED
    if isinstance(value, str):
        return SECRET_TEXTS.sub(DROPPED, value)
    if isinstance(value, Mapping):
        return {str(key): _clean(str(key), each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_clean("", each) for each in value]
    if isinstance(value, (bytes, bytearray)):
        return DROPPED  # nothing readable is logged as bytes
    return value


SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.stdlib.ExtraAdder(),
]
RENDER: list[Any] = [
    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
    # Without local variables: they hold what no log may show, from tokens to face-down cards.
    structlog.processors.ExceptionRenderer(structlog.tracebacks.ExceptionDictTransformer(show_locals=False)),
    without_secrets,
    structlog.processors.JSONRenderer(sort_keys=True, default=str, ensure_ascii=False),
]


def configure_logging(level: str = "INFO", *, process: str = "", stream: TextIO | None = None) -> None:
    """Send all logging of this process, the libraries' too, to `stream` (standard error) as JSON lines.

    `level`: the least severe to print. `process`: its name, part of each line.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=SHARED, processors=[_named(process), *RENDER])
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED[:-1],
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )


def _named(process: str) -> Any:
    def add(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        if process:
            event["process"] = process
        return event

    return add


def bound(**context: Any) -> AbstractContextManager[None]:
    """Add fields to every line logged within: `request_id`, `player`, `table`, `command_id`."""
    return structlog.contextvars.bound_contextvars(
        **{name: str(value) for name, value in context.items() if value is not None}
    )
