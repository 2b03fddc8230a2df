"""Two code trees compared by whole games: equal ones say nothing, a changed rule is found where it first shows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.scenarios import replay_diff
from tests.scenarios.replay_diff import ROOT, compare, differences

NAMES = ["pasha/2-seats-shared-victory", "corpus/roeko-2-seats"]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what a game is played with."""
    for folder in ("domain", "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "*.json"))
    return tmp_path


def change(tree: Path, file: str, old: str, new: str) -> None:
    path = tree / file
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_two_equal_trees_have_no_difference(tree: Path) -> None:
    assert compare(tree, ROOT, NAMES[:1]) == {}


def test_a_changed_rule_is_found_in_the_games_that_show_it(tree: Path) -> None:
    change(tree, "domain/games/pasha/rules.py", "\nTHROWS = 3", "\nTHROWS = 4")
    found = compare(tree, ROOT, NAMES)
    assert list(found) == NAMES[:1]
    failure, first = found[NAMES[0]][:2]
    assert failure.startswith("base: NotAllowedByRules: use the throws left"), "the game goes another way"
    assert first.startswith("event ")
    assert '"throws":4' in first
    assert '"throws":3' in first


def test_what_the_code_can_not_play_any_more_is_said(tree: Path) -> None:
    change(tree, "domain/games/roeko/rules.py", "HANDLERS.get(kind)", "{}.get(kind)")
    found = compare(tree, ROOT, NAMES[1:])
    (line,) = found[NAMES[1]]
    assert line.endswith("here: can be played")


def test_a_difference_is_named_by_its_kind() -> None:
    base = {"versions": [["a", "{}", ["x", "y"]], ["b", "{}", ["x", "y"]]], "result": {"totals": [1]}, "error": None}
    assert list(differences(base, base)) == []
    seen = {**base, "versions": [base["versions"][0], ["b", "{}", ["x", "z"]]]}
    assert list(differences(base, seen)) == ["event 2: views of seat 0"]
    shorter = {**base, "versions": base["versions"][:1]}
    assert list(differences(base, shorter)) == ["event 2: there is none here"]
    assert list(differences(shorter, base)) == ["event 2: base has none"]
    other = {**base, "result": {"totals": [2]}}
    assert list(differences(base, other)) == ["result: base {'totals': [1]}, here {'totals': [2]}"]


def test_without_a_revision_nothing_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert replay_diff.main("") == 2
    assert "BASE" in capsys.readouterr().err
