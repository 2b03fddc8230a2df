"""Settings: documented as data, read from the environment, refused with the variable's name."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from infra.settings import BadSetting, Settings, settings_table

README = Path(__file__).parents[2] / "README.md"


def test_every_setting_has_a_default() -> None:
    settings = Settings.from_environ({})
    assert settings == Settings()
    assert (settings.port, settings.registration, settings.seal_after) == (8000, "open", 0.0)
    assert settings.database_url is None


def test_settings_are_read_from_their_variables() -> None:
    settings = Settings.from_environ(
        {"PORT": "9000", "CORS_ORIGINS": "https://a.example, http://b.example:81", "SEAL_AFTER": "0.5", "IDLE_DAYS": ""}
    )
    assert settings.port == 9000
    assert settings.cors_origins == ("https://a.example", "http://b.example:81")
    assert settings.seal_after == 0.5
    assert settings.idle_days == 30


def test_migrations_use_their_own_login_if_there_is_one() -> None:
    assert Settings(database_url="postgresql://app@h/d").owner_url == "postgresql://app@h/d"
    both = Settings(database_url="postgresql://app@h/d", migration_database_url="postgresql://owner@h/d")
    assert both.owner_url == "postgresql://owner@h/d"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PORT", "http"),
        ("PORT", "70000"),
        ("API_PROCESSES", "0"),
        ("DATABASE_TIMEOUT", "nan"),
        ("DATABASE_TIMEOUT", "-1"),
        ("SWEEP_INTERVAL", "soon"),
        ("DATABASE_URL", "mysql://h/d"),
        ("REDIS_URL", "localhost:6379"),
        ("REGISTRATION", "closed"),
        ("LOG_LEVEL", "loud"),
        ("CIPHER_KEY", "c2hvcnQ="),
        ("CIPHER_KEY", "not base64"),
        ("CORS_ORIGINS", "play.example.org"),
        ("CORS_ORIGINS", "https://play.example.org/path"),
    ],
)
def test_a_bad_value_is_refused_with_the_variables_name_and_without_the_value(variable: str, value: str) -> None:
    with pytest.raises(BadSetting, match=f"^{variable}: ") as caught:
        Settings.from_environ({variable: value})
    assert value not in str(caught.value)


def test_settings_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().port = 1  # type: ignore[misc]


def test_each_variable_is_documented_once() -> None:
    rows = Settings.documentation()
    assert len({row.variable for row in rows}) == len(rows) == len(dataclasses.fields(Settings))
    assert all(row.meaning for row in rows)


def test_the_readmes_table_is_the_settings_table() -> None:
    assert settings_table() in README.read_text(encoding="utf-8")


def test_no_other_module_reads_the_environment() -> None:
    root = README.parent
    readers = {
        path.relative_to(root).as_posix()
        for layer in ("domain", "infra", "projections", "services", "workers")
        for path in (root / layer).rglob("*.py")
        if re.search(r"os\.environ|os\.getenv", path.read_text(encoding="utf-8"))
    }
    # The others pass variables on: to child processes, to the metrics library.
    passing_on = {"infra/run.py", "infra/serving.py", "infra/metrics.py", "services/demo.py"}
    assert readers <= {"infra/settings.py", *passing_on}
