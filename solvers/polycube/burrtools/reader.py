"""Import of BurrTools puzzles: .xmpuzzle files on the grid of any registered lattice.

The format is described in BurrTools' library documentation, "The xmpuzzle format". A problem names
the shapes it uses as pieces, with a number or with bounds, and the shape to build. One of several
problems is read.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, count
from math import prod
from pathlib import Path
from typing import Final, Self
from xml.etree.ElementTree import Element

from solvers.foundation.wording import counted
from solvers.polycube.burrtools.assemblies import parse_assembly
from solvers.polycube.burrtools.xml import ASSEMBLY, SAVED, Tree, int_or, parse_xml, read_xml
from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice import Cell, Lattice
from solvers.polycube.lattices import CUBES, LATTICES
from solvers.polycube.marks import BORES, COLOURS, Marks, on_cells, shifted
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution, Piece, Shape, Target
from solvers.polycube.text_drawing import SYMBOLS

ONE: Final = "Mirror images of a solution are the same solution."
TWO: Final = "Mirror images of a solution are solutions of their own."


@dataclass(frozen=True, slots=True)
class Remarks:
    """The content of a comment; BurrTools itself counts a solution and its mirror image as one."""

    title: str | None
    source: str
    reflections: bool = True

    @classmethod
    def read(cls, comment: str) -> Self:
        """Return the content of a comment; without a title if this program did not write it."""
        title, *source = comment.strip().splitlines() or [""]
        if source and source[-1] in (ONE, TWO):
            return cls(title, "\n".join(source[:-1]), source[-1] == ONE)
        return cls(None, " ".join(comment.split()))

    def text(self) -> str:
        """Return the comment."""
        images = ONE if self.reflections else TWO
        return "\n".join([self.title or "", *self.source.splitlines(), images])


# Shapes: texts of x * y * z voxels, x fastest. `#` is filled, `+` variable, `_` empty, each
# followed by an optional colour number.

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
    """Raise PuzzleFileError unless the element is a valid shape, even without a voxel."""
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


# Colours: which colour of a piece fits on which colour of the target.
#
# Neutral voxels fit everywhere, other colours only where the problem pairs them. Voxels number the
# colours from 1, pairs from 0. If a file lists no colours, none counts. Colours that rule nothing
# out count too: in BurrTools two placements differ if their colours do, and a rotation that moves a
# colour of the result is not one of its symmetries (`voxel_c::identicalInBB`, which compares
# colours).


@dataclass(frozen=True, slots=True)
class ColourRules:
    """Whether colours count, and the pairs that fit: a colour of a piece and one of the target."""

    count: bool
    pairs: frozenset[tuple[int, int]]

    @classmethod
    def read(
        cls, root: Element, problem: Element, pieces: Iterable[Voxels], target: Voxels
    ) -> Self:
        """Return a problem's rules, restricted to the colours of its shapes."""
        if root.find("colors/color") is None:
            return cls(False, frozenset())
        allowed = {
            (int_or(pair.get("piece"), -1) + 1, int_or(pair.get("result"), -1) + 1)
            for pair in problem.iterfind("bitmap/pair")
        }
        above = {colour for piece in pieces for colour in piece.colours.values()}
        below = set(target.colours.values())
        return cls(True, frozenset((a, b) for a, b in allowed if a in above and b in below))

    def marks_of(self, shape: Voxels) -> Marks:
        """Return the colours of a shape's cells, none if colours do not count."""
        return on_cells(shape.colours.items()) if self.count else frozenset()


MAX_COPIES = 10_000
# Of drawings and names of saved solutions, which a TOML file must have room for.
MAX_SAVED_SIGNS = 200_000
MAX_GROUPS = 10_000


@dataclass(frozen=True)
class Imported:
    """A puzzle from a file, and what the file contains that a packing puzzle cannot represent."""

    puzzle: PackingPuzzle
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class Contents:
    """Number of shapes and problems, and the name of the first problem or of the file."""

    name: str
    shapes: int
    problems: int


def load(path: Path, problem_number: int = 1) -> Imported:
    """Read one problem (counted from 1) of a BurrTools file.

    Raises:
        PuzzleFileError: the file is malformed, or asks for something that cannot be represented.
    """
    root, dropped = read_xml(path)
    return _Reader(Tree(root, str(path)), dropped).problem(problem_number)


def loads(data: bytes, where: str, problem_number: int = 1) -> Imported:
    """Read one problem of a BurrTools file that is in memory; `where` names it in messages.

    Raises:
        PuzzleFileError: as `load` does.
    """
    root, dropped = parse_xml(data, where)
    return _Reader(Tree(root, where), dropped).problem(problem_number)


def check(path: Path) -> Contents:
    """Read a whole file as BurrTools would, whether its problems can be represented or not."""
    root, dropped = read_xml(path)
    return _Reader(Tree(root, str(path)), dropped).check()


class _Reader:
    """Reads one file's tree."""

    def __init__(self, tree: Tree, dropped: frozenset[str]) -> None:
        self.tree = tree
        self.dropped = dropped
        root = tree.root
        if root.tag != "puzzle":
            raise tree.error(f"the outermost element is <{root.tag}>, not <puzzle>")
        # Files from before there was more than one grid do not name it: they are made of cubes.
        named = root.find("gridType") is not None
        grid = tree.attribute(tree.only(root, "gridType"), "type") if named else CUBES.burrtools
        known = {each.burrtools: each for each in LATTICES.values() if each.burrtools}
        if grid not in known:
            names = ", ".join(f"{number} ({each.name})" for number, each in known.items())
            raise tree.error(f"there is no grid {grid}; known are {names}")
        self.lattice = known[grid]
        self.voxels = tree.only(root, "shapes").findall("voxel")
        self.shapes: dict[int, Voxels] = {}

    def problem(self, number: int) -> Imported:
        tree = self.tree
        problems = tree.only(tree.root, "problems").findall("problem")
        if not 1 <= number <= len(problems):
            raise tree.error(f"there is no problem {number}; the file has {len(problems)}")
        element = problems[number - 1]
        result = self.shape(tree.only(element, "result"))
        shapes = [self.shape(use) for use in self.uses(element)]
        rules = ColourRules.read(tree.root, element, shapes, result)
        name = self.name(element)
        said = Remarks.read(tree.root.findtext("comment") or "")
        try:
            puzzle = PackingPuzzle(
                name,
                name if said.title is None else said.title,
                Target(
                    result.filled,
                    result.variable,
                    self.lattice,
                    rules.marks_of(result),
                ),
                tuple(self.pieces(element, rules)),
                reflections=said.reflections,
                source=said.source,
                kinds=(BORES, replace(COLOURS, pairs=rules.pairs)),
                max_holes=self.max_holes(element, result),
            )
        except PuzzleError as error:
            raise tree.error(str(error)) from error
        others = len(problems) - 1
        left_out = [counted(others, "other problem")] if others else []
        saved, lost = self.saved(element, puzzle)
        left_out += self.ornaments(element, rules)
        return Imported(replace(puzzle, saved=saved), (*left_out, *lost))

    def saved(
        self, problem: Element, puzzle: PackingPuzzle
    ) -> tuple[tuple[PackingSolution, ...], list[str]]:
        """Return the saved solutions of a problem, and what of them is left out."""
        texts = [each.text or "" for each in problem.iterfind("solutions/solution/assembly")]
        if not texts:
            return (), ["saved solutions"] if SAVED in self.dropped else []
        low, high = puzzle.target.bounding_box
        drawing = prod(b - a + 1 for a, b in zip(low, high, strict=True))
        voxels = [
            (piece, self.shape(use).filled, self.hotspot(use))
            for piece, use in zip(puzzle.pieces, self.uses(problem), strict=True)
        ]
        saved: list[PackingSolution] = []
        room = MAX_SAVED_SIGNS
        for text in texts if puzzle.lattice == CUBES else ():
            solution = parse_assembly(text, puzzle, voxels)
            if solution and len(solution.placements) <= len(SYMBOLS):
                room -= drawing + sum(len(each.piece) for each in solution.placements)
                if room < 0:
                    break
                saved.append(solution)
        lost = []
        if len(saved) < len(texts):
            lost.append(counted(len(texts) - len(saved), "saved solution"))
        if ASSEMBLY in self.dropped:
            lost.append("further saved solutions")
        if "separation" in self.dropped:
            lost.append("how saved solutions come apart")
        return tuple(saved), lost

    def hotspot(self, use: Element) -> Cell:
        voxel = self.voxels[self.number(use)]
        x, y, z = (int_or(voxel.get(key), 0) for key in ("hx", "hy", "hz"))
        return x, y, z

    def check(self) -> Contents:
        for index, voxel in enumerate(self.voxels):
            check_voxels(self.tree, voxel, index)
        problems = self.tree.only(self.tree.root, "problems").findall("problem")
        for problem in problems:
            for use in problem.iterfind("shapes/shape"):
                self.groups(use, self.copies(use)[1])
                self.number(use)
        return Contents(
            self.name(problems[0] if problems else None), len(self.voxels), len(problems)
        )

    def name(self, problem: Element | None) -> str:
        named = "" if problem is None else problem.get("name", "")
        return named or Path(self.tree.where).stem

    def max_holes(self, problem: Element, target: Voxels) -> int | None:
        """Return how many variable cells may stay empty; None if all may."""
        if "maxHoles" not in problem.attrib:
            return None
        most = self.tree.number(problem, "maxHoles", 0, 2**32 - 1)
        uses = [(self.shape(use), self.copies(use)) for use in self.uses(problem)]
        if all(least == number for _, (least, number) in uses):
            # How many stay empty is known; BurrTools does not ask whether these are too many.
            taken = sum(number * len(shape.filled) for shape, (_, number) in uses)
            if len(target.filled) + len(target.variable) - taken > most:
                return None
        return most if most < len(target.variable) else None

    def pieces(self, problem: Element, rules: ColourRules) -> Iterator[Piece]:
        names: set[str] = set()
        for use in self.uses(problem):
            least, most = self.copies(use)
            shape = self.shape(use)
            if shape.variable:
                raise self.tree.error(f"piece {shape.name} has variable voxels ('+')")
            if not shape.filled:
                raise self.tree.error(f"piece {shape.name} has no {self.lattice.cell}")
            numbered = (f"{shape.name} ({again})" for again in count(2))
            name = next(name for name in chain([shape.name], numbered) if name not in names)
            names.add(name)
            x, y, z = self.lattice.low(shape.filled)
            yield Piece(
                name,
                Shape(shape.filled, self.lattice),
                least,
                most,
                marks=shifted(rules.marks_of(shape), (-x, -y, -z)),
                groups=self.groups(use, most),
                weight=int_or(self.voxels[self.number(use)].get("weight"), 1),
            )

    def uses(self, problem: Element) -> list[Element]:
        """Return the problem's pieces of which at least one copy may be used."""
        uses = self.tree.only(problem, "shapes").findall("shape")
        return [use for use in uses if self.copies(use)[1] > 0]

    def copies(self, use: Element) -> tuple[int, int]:
        if "count" in use.attrib:
            number = self.tree.number(use, "count", 0, MAX_COPIES)
            return number, number
        if "min" in use.attrib and "max" in use.attrib:
            least = self.tree.number(use, "min", 0, MAX_COPIES)
            return least, self.tree.number(use, "max", least, MAX_COPIES)
        return 1, 1

    def groups(self, use: Element, most: int) -> tuple[tuple[int, int], ...]:
        """Return the number of copies in each group, where group 0 is none.

        A file names one group for all copies, or lists them.
        """
        if "group" in use.attrib and (number := self.tree.number(use, "group", 0, MAX_GROUPS)):
            return ((number, most),)
        listed = (
            (
                self.tree.number(each, "group", 0, MAX_GROUPS),
                self.tree.number(each, "count", 0, MAX_COPIES),
            )
            for each in use.findall("group")
        )
        return tuple((group, count) for group, count in listed if group and count)

    def number(self, use: Element) -> int:
        number = self.tree.number(use, "id", 0, 2**32 - 1)
        if number >= len(self.voxels):
            raise self.tree.error(
                f"a problem uses shape {number}, but there are {len(self.voxels)}"
            )
        return number

    def shape(self, use: Element) -> Voxels:
        number = self.number(use)
        if number not in self.shapes:
            element = self.voxels[number]
            self.shapes[number] = read_voxels(self.tree, element, number, self.lattice)
        return self.shapes[number]

    def ornaments(self, problem: Element, rules: ColourRules) -> Iterator[str]:
        """Yield what is left out without changing the puzzle."""
        if not rules.count and any(self.shape(use).colours for use in self.uses(problem)):
            yield "colours of voxels, none of which the file lists"
