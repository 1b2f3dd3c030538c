"""Imports BurrTools puzzles: .xmpuzzle files on the grid of cubes.

The format is described in BurrTools' library documentation, "The xmpuzzle format". Shapes are
texts of x * y * z voxels, x fastest: `#` filled, `+` variable, `_` empty, each with an optional
colour number behind it. A problem names the shapes it uses as pieces, with a number or a least and
a greatest number, and the shape to build.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

from solvers.foundation.numbers import whole_number
from solvers.polycube.burrtools.remarks import Remarks
from solvers.polycube.burrtools.xml import parse_xml, read_xml
from solvers.polycube.errors import PuzzleError, PuzzleFileError
from solvers.polycube.lattice.lattice import Cell
from solvers.polycube.puzzle import PackingPuzzle, Piece, Target
from solvers.polycube.shape import Shape

CUBE_GRID = "0"
OTHER_GRIDS = {
    "1": "triangular prisms",
    "2": "spheres",
    "3": "rhombic tetrahedra",
    "4": "tetrahedra and octahedra",
}
FILLED, VARIABLE, EMPTY = "#+_"
VOXEL = re.compile(r"([#+_])(\d*)")
MAX_VOXELS = 10_000
MAX_COPIES = 10_000
LARGEST_NUMBER = 10**9


@dataclass(frozen=True)
class Imported:
    """A puzzle from a file, and what the file said that a packing puzzle does not hold."""

    puzzle: PackingPuzzle
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class _Voxels:
    """One shape of a file; colour 0 is neutral."""

    name: str
    filled: frozenset[Cell]
    variable: frozenset[Cell]
    colours: frozenset[int]


def load(path: Path, problem_number: int = 1) -> Imported:
    """Read one problem (counted from 1) of a BurrTools file.

    Raises:
        PuzzleFileError: the file is malformed, or asks for something that cannot be represented.
    """
    root, dropped = read_xml(path)
    return _Reader(root, dropped, str(path)).problem(problem_number)


def loads(data: bytes, where: str, problem_number: int = 1) -> Imported:
    """Read one problem of a BurrTools file that is in memory; `where` names it in messages.

    Raises:
        PuzzleFileError: as `load` does.
    """
    root, dropped = parse_xml(data, where)
    return _Reader(root, dropped, where).problem(problem_number)


class _Reader:
    """Reads one file's tree; `where` starts every message."""

    def __init__(self, root: Element, dropped: frozenset[str], where: str) -> None:
        self.where = where
        self.dropped = dropped
        self.root = root
        if root.tag != "puzzle":
            raise self.error(f"the outermost element is <{root.tag}>, not <puzzle>")
        grid = self.attribute(self.only(root, "gridType"), "type")
        if grid != CUBE_GRID:
            name = OTHER_GRIDS.get(grid, f"number {grid}")
            raise self.error(f"the grid is made of {name}; only cubes can be represented")
        voxels = self.only(root, "shapes").findall("voxel")
        self.shapes = [self.voxels(element, index) for index, element in enumerate(voxels)]

    def problem(self, number: int) -> Imported:
        problems = self.only(self.root, "problems").findall("problem")
        if not 1 <= number <= len(problems):
            raise self.error(f"there is no problem {number}; the file has {len(problems)}")
        element = problems[number - 1]
        target = self.target(element)
        pieces = tuple(self.pieces(element))
        left_out = [f"{len(problems) - 1} other problems"] if len(problems) > 1 else []
        left_out += self.ornaments(element)
        name = element.get("name") or Path(self.where).name.partition(".")[0]
        said = Remarks.read(self.root.findtext("comment") or "")
        title = name if said.title is None else said.title
        try:
            puzzle = PackingPuzzle(
                name, title, target, pieces, reflections=said.reflections, source=said.source
            )
        except PuzzleError as error:
            raise self.error(str(error).removesuffix(".")) from error
        return Imported(puzzle, tuple(left_out))

    def voxels(self, element: Element, index: int) -> _Voxels:
        name = element.get("name") or f"S{index + 1}"
        size = [self.number(element, key, 1, MAX_VOXELS) for key in "xyz"]
        text = "".join((element.text or "").split())
        marks = VOXEL.findall(text)
        if sum(len(mark) + len(colour) for mark, colour in marks) != len(text):
            raise self.error(f"shape {name} has other marks than '#', '+', '_' and colour numbers")
        width, depth, height = size
        volume = width * depth * height
        if volume > MAX_VOXELS:
            raise self.error(f"shape {name} has more than {MAX_VOXELS} voxels")
        if len(marks) != volume:
            raise self.error(f"shape {name} has {len(marks)} voxels, not {volume}")
        cells = {
            (at % width, at // width % depth, at // (width * depth)): mark
            for at, (mark, _) in enumerate(marks)
        }
        return _Voxels(
            name,
            frozenset(cell for cell, mark in cells.items() if mark == FILLED),
            frozenset(cell for cell, mark in cells.items() if mark == VARIABLE),
            frozenset(int_or(colour, 0) for mark, colour in marks if mark != EMPTY),
        )

    def target(self, problem: Element) -> Target:
        shape = self.shape(self.only(problem, "result"))
        max_holes = problem.get("maxHoles")
        if max_holes is not None and int_or(max_holes, 0) < len(shape.variable):
            raise self.error("a greatest number of holes (maxHoles) cannot be represented")
        self.refuse_colour_rules(problem, shape)
        try:
            return Target(shape.filled, shape.variable)
        except PuzzleError as error:
            raise self.error(str(error).removesuffix(".")) from error

    def pieces(self, problem: Element) -> Iterator[Piece]:
        names: Counter[str] = Counter()
        for use in self.uses(problem):
            least, most = self.copies(use)
            shape = self.shape(use)
            if shape.variable:
                raise self.error(f"piece {shape.name} has variable voxels ('+')")
            if not shape.filled:
                raise self.error(f"piece {shape.name} has no cube")
            names[shape.name] += 1
            again = names[shape.name]
            name = shape.name if again == 1 else f"{shape.name} ({again})"
            yield Piece(name, Shape(shape.filled), least, most)

    def uses(self, problem: Element) -> list[Element]:
        """Return the problem's pieces that are used at least possibly."""
        uses = self.only(problem, "shapes").findall("shape")
        return [use for use in uses if self.copies(use)[1] > 0]

    def copies(self, use: Element) -> tuple[int, int]:
        if "count" in use.attrib:
            number = self.number(use, "count", 0, MAX_COPIES)
            return number, number
        if "min" in use.attrib and "max" in use.attrib:
            least = self.number(use, "min", 0, MAX_COPIES)
            return least, self.number(use, "max", least, MAX_COPIES)
        return 1, 1

    def shape(self, use: Element) -> _Voxels:
        number = self.number(use, "id", 0, 2**32 - 1)
        if number >= len(self.shapes):
            raise self.error(f"a problem uses shape {number}, but there are {len(self.shapes)}")
        return self.shapes[number]

    def refuse_colour_rules(self, problem: Element, result: _Voxels) -> None:
        """Neutral voxels fit everywhere; other colours only where the problem pairs them.

        Voxels number the colours from 1, pairs from 0. Without a list of colours none counts.
        """
        if self.root.find("colors/color") is None:
            return
        allowed = {
            (int_or(pair.get("piece"), -1) + 1, int_or(pair.get("result"), -1) + 1)
            for pair in problem.iterfind("bitmap/pair")
        }
        for use in self.uses(problem):
            shape = self.shape(use)
            for colour in shape.colours - {0}:
                for place in result.colours - {0}:
                    if (colour, place) not in allowed:
                        raise self.error(
                            f"colour {colour} of piece {shape.name} may not lie on colour {place}; "
                            "rules for colours cannot be represented"
                        )

    def ornaments(self, problem: Element) -> Iterator[str]:
        """Yield what is left out without changing the puzzle."""
        if any(self.shape(use).colours - {0} for use in self.uses(problem)):
            yield "voxel colours without effect"
        if any("group" in use.attrib for use in self.uses(problem)) or "group" in self.dropped:
            yield "piece groups for taking apart"
        if any("weight" in voxel.attrib for voxel in self.root.iterfind("shapes/voxel")):
            yield "piece weights"
        if "solutions" in self.dropped:
            yield "saved solutions"

    def only(self, parent: Element, tag: str) -> Element:
        found = parent.findall(tag)
        if len(found) != 1:
            raise self.error(f"<{parent.tag}> must hold one <{tag}>, not {len(found)}")
        return found[0]

    def attribute(self, element: Element, key: str) -> str:
        value = element.get(key)
        if value is None:
            raise self.error(f"<{element.tag}> lacks the attribute {key}")
        return value

    def number(self, element: Element, key: str, least: int, most: int) -> int:
        text = self.attribute(element, key)
        value = int_or(text, least - 1)
        if not least <= value <= most:
            raise self.error(
                f"{key} of <{element.tag}> must be a number from {least} to {most}, not {text!r}"
            )
        return value

    def error(self, message: str) -> PuzzleFileError:
        return PuzzleFileError(f"{self.where}: {message}.")


def int_or(text: str | None, otherwise: int) -> int:
    """Return the decimal number in a text of ordinary length, or `otherwise`."""
    number = whole_number(text, LARGEST_NUMBER) if text else None
    return otherwise if number is None else number
