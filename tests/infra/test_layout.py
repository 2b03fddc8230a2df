"""How the program is laid out: what may import what, and how large a file may grow."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAYERS = ("workers", "services", "projections", "infra", "domain")


def modules(layer: str) -> Iterator[Path]:
    yield from sorted((ROOT / layer).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """The top-level names a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]


def test_the_domain_imports_the_standard_library_and_itself_only() -> None:
    allowed = {*sys.stdlib_module_names, "domain"}
    foreign = {(path.name, name) for path in modules("domain") for name in imported(path) if name not in allowed}
    assert not foreign


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_imports_only_those_below(layer: str) -> None:
    above = set(LAYERS[: LAYERS.index(layer)])
    upward = {(path.name, name) for path in modules(layer) for name in imported(path) if name in above}
    assert not upward


@pytest.mark.parametrize("layer", LAYERS)
def test_each_file_says_at_its_top_what_lives_in_it(layer: str) -> None:
    silent = [str(path) for path in modules(layer) if not ast.get_docstring(ast.parse(path.read_text()))]
    assert not silent


def test_locked_dependencies_are_exact_and_name_no_host() -> None:
    locks = [ROOT / "requirements.lock", ROOT / "requirements-dev.lock"]
    run, dev = ([line for line in lock.read_text().splitlines() if line] for lock in locks)
    for line in run + dev:
        name, separator, version = line.partition("==")
        assert separator, line
        assert name, line
        assert version, line
        assert not set(line) & set("/@: "), line
    assert set(run) <= set(dev)
