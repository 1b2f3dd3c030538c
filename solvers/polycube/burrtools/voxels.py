"""Shapes of a file: texts of x * y * z voxels, x fastest.

`#` is filled, `+` variable, `_` empty, each with an optional colour number behind it.
"""

import re
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from solvers.polycube.burrtools.tree import Tree, int_or
from solvers.polycube.lattice.lattice import Cell, Lattice

FILLED, VARIABLE, EMPTY = "#+_"
VOXEL = re.compile(r"([#+_])(\d*)")
MAX_VOXELS = 250_000
MOST_SIGNS = 3  # of a voxel: BurrTools has 63 colours


@dataclass(frozen=True)
class Voxels:
    """One shape of a file; `colours` has the cells that are not neutral."""

    name: str
    filled: frozenset[Cell]
    variable: frozenset[Cell]
    colours: dict[Cell, int]


def read_voxels(tree: Tree, element: Element, index: int, lattice: Lattice) -> Voxels:
    """Return shape number `index`, from 0, in cells of the lattice."""
    name = _name(element, index)
    width, depth, marks = _marks(tree, element, name)
    places = {
        (at % width, at // width % depth, at // (width * depth)): mark
        for at, mark in enumerate(marks)
        if mark[0] != EMPTY
    }
    if stray := next((place for place in places if not lattice.is_cell(place)), None):
        raise tree.error(f"shape {name} has a voxel at {stray}, where no {lattice.cell} is")
    cells = {lattice.cell_at(place): mark for place, mark in places.items()}
    colours = {cell: int_or(colour, 0) for cell, (_, colour) in cells.items()}
    return Voxels(
        name,
        frozenset(cell for cell, (mark, _) in cells.items() if mark == FILLED),
        frozenset(cell for cell, (mark, _) in cells.items() if mark == VARIABLE),
        {cell: colour for cell, colour in colours.items() if colour},
    )


def check_voxels(tree: Tree, element: Element, index: int) -> None:
    """Raise PuzzleFileError unless it is a shape of whatever kind, even without a voxel."""
    _marks(tree, element, _name(element, index))


def _name(element: Element, index: int) -> str:
    name = element.get("name", "")
    return name if name.strip() else f"S{index + 1}"


def _marks(tree: Tree, element: Element, name: str) -> tuple[int, int, list[tuple[str, str]]]:
    """Return width, depth and all marks of a shape with their colours."""
    width, depth, height = (tree.number(element, key, 0, MAX_VOXELS) for key in "xyz")
    volume = width * depth * height
    if volume > MAX_VOXELS:
        raise tree.error(f"shape {name} has more than {MAX_VOXELS} voxels")
    text = "".join((element.text or "").split())
    if len(text) > MOST_SIGNS * volume:
        raise tree.error(f"shape {name} has more marks than {volume} voxels have")
    marks = VOXEL.findall(text)
    if sum(len(mark) + len(colour) for mark, colour in marks) != len(text):
        raise tree.error(f"shape {name} has other marks than '#', '+', '_' and colour numbers")
    if len(marks) != volume:
        raise tree.error(f"shape {name} has {len(marks)} voxels, not {volume}")
    return width, depth, marks
