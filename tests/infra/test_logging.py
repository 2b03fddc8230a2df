"""Log lines: JSON, with their context, never with a secret."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from infra.logging import bound, configure_logging


class Log:
    def __init__(self) -> None:
        self.stream = io.StringIO()

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture
def log() -> Iterator[Log]:
    root = logging.getLogger()
    handlers, level, config = list(root.handlers), root.level, structlog.get_config()
    log = Log()
    configure_logging("INFO", process="api", stream=log.stream)
    yield log
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**config)


def test_a_line_is_a_json_object_with_its_context(log: Log) -> None:
    with bound(request_id="r1", player="p1", table="t1", command_id=None):
        structlog.get_logger("x").info("appended", version=3)
    structlog.get_logger("x").info("outside")
    first, second = log.lines
    assert first.items() >= {
        ("event", "appended"), ("request_id", "r1"), ("player", "p1"), ("table", "t1"), ("version", 3),
        ("level", "info"), ("process", "api"),
    }  # fmt: skip
    assert "command_id" not in first
    assert "request_id" not in second


def test_the_libraries_lines_look_the_same(log: Log) -> None:
    with bound(request_id="r1"):
        logging.getLogger("library").warning("%s of %d", "part", 3, extra={"token": "abc123"})
    assert log.lines[0]["event"] == "part of 3"
    assert log.lines[0]["request_id"] == "r1"
    assert "abc123" not in log.text


def test_lines_below_the_level_are_left_out(log: Log) -> None:
    structlog.get_logger("x").debug("quiet")
    logging.getLogger("library").debug("quiet")
    assert log.lines == []


def test_secrets_are_dropped_wherever_they_stand(log: Log) -> None:
    structlog.get_logger("x").info(
        "request",
        token="s1-top",
        headers={"Authorization": "Bearer s2-header", "Accept": "json"},
        tables=[{"server_seed": "s3-seed"}, {"secret_key": "s4-key"}],
        path="/v1/tables/1/stream?ticket=s5-ticket&x=1",
        url="redis://:s6-password@127.0.0.1:1/0",
        key=b"s7-bytes",
    )
    line = log.lines[0]
    assert line["headers"]["Accept"] == "json"
    assert line["path"].endswith("&x=1")
    assert line["url"].endswith("@127.0.0.1:1/0")
    for number in range(1, 8):
        assert f"s{number}-" not in log.text


def test_a_traceback_shows_no_local_variables(log: Log) -> None:
    hand = "face-" + "down"
    try:
        raise ValueError("unexpected")
    except ValueError:
        structlog.get_logger("x").exception("failed")
    assert log.lines[0]["exception"][0]["frames"]
    assert hand not in log.text


def test_secrets_in_an_exceptions_message_are_dropped_too(log: Log) -> None:
    try:
        raise ConnectionError("postgresql://app:hidden@db/turnkeeper refused; sent Bearer hidden")
    except ConnectionError:
        structlog.get_logger("x").exception("failed")
    line = log.lines[0]
    assert line["exception"][0]["exc_type"] == "ConnectionError"
    assert "refused" in line["exception"][0]["exc_value"]
    assert "hidden" not in json.dumps({**line, "exception": [{**line["exception"][0], "frames": []}]})
    assert "hidden" not in log.text
