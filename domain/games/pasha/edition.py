"""The bonus tiles as data: which editions there are, and the reading and checking of a tile file's content."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from domain.game import InvalidOptions
from domain.games.pasha.dice import FACES
from domain.games.pasha.state import Tile

DEFAULT = "house"
TILES = 9
_COLUMNS = ["die", "points"]
_WHOLE = re.compile(r"-?[0-9]{1,4}")


def editions() -> tuple[str, ...]:
    """The names of the tile files in `editions/`, sorted."""
    return tuple(sorted(entry.name[:-4] for entry in _folder().iterdir() if entry.name.endswith(".csv")))


def data(options: Mapping[str, Any]) -> dict[str, str]:
    """The tile file that the option `edition` names: its name → its content.

    Raises:
        InvalidOptions: if it is no valid tile file, before any table plays with it.
    """
    name = file_name(options)
    content = (_folder() / name).read_text("utf-8")
    tiles(content)
    return {name: content}


def file_name(options: Mapping[str, Any]) -> str:
    return f"{options.get('edition', DEFAULT)}.csv"


def tiles(content: str) -> tuple[Tile, ...]:
    """The tiles of a file, in its order (Material).

    Args:
        content: CSV with the header `die,points` and nine lines: a die value 1–6, whole points.

    Raises:
        InvalidOptions: naming the line and what is wrong with it.
    """
    lines = list(csv.reader(content.splitlines()))
    if not lines or lines[0] != _COLUMNS:
        raise _refused(f"must begin with the line {','.join(_COLUMNS)}")
    found = tuple(_tile(number, line) for number, line in enumerate(lines[1:], start=2))
    if len(found) != TILES:
        raise _refused(f"must hold {TILES} tiles, not {len(found)}")
    return found


def _tile(number: int, line: list[str]) -> Tile:
    if len(line) != len(_COLUMNS) or not all(map(_WHOLE.fullmatch, line)):
        raise _refused(f"line {number} must be two whole numbers, die and points")
    die, points = map(int, line)
    if die not in FACES:
        raise _refused(f"line {number}: a die shows 1 to 6, not {die}")
    return die, points


def _refused(text: str) -> InvalidOptions:
    return InvalidOptions({"edition": f"the tile file {text}"})


def _folder() -> Traversable:
    return files("domain.games.pasha") / "editions"
