"""Imports BurrTools puzzles: .xmpuzzle files on the grid of any lattice that is registered.

The format is described in BurrTools' library documentation, "The xmpuzzle format". A problem names
the shapes it uses as pieces, with a number or a least and a greatest number, and the shape to
build. Of several problems one is read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from xml.etree.ElementTree import Element

from solvers.foundation.wording import counted
from solvers.polycube.burrtools.colour_rules import ColourRules
from solvers.polycube.burrtools.remarks import Remarks
from solvers.polycube.burrtools.tree import Tree
from solvers.polycube.burrtools.voxels import Voxels, check_voxels, read_voxels
from solvers.polycube.burrtools.xml import parse_xml, read_xml
from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice.cubes import CUBES
from solvers.polycube.lattice.lattice import Cell
from solvers.polycube.lattice.registry import LATTICES
from solvers.polycube.puzzle import Colours, PackingPuzzle, Piece, Target
from solvers.polycube.shape import Shape

MAX_COPIES = 10_000
MAX_GROUPS = 10_000


@dataclass(frozen=True)
class Imported:
    """A puzzle from a file, and what the file said that a packing puzzle does not hold."""

    puzzle: PackingPuzzle
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class Contents:
    """How many shapes and problems a file has, and the name of the first problem or of the file."""

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
    """Read all of a file that BurrTools reads, whether its problems can be represented or not.

    Raises:
        PuzzleFileError: the file is malformed.
    """
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
                    rules.kept(result),
                ),
                tuple(self.pieces(element, rules)),
                reflections=said.reflections,
                source=said.source,
                colour_pairs=rules.pairs,
                max_holes=self.max_holes(element, result),
            )
        except PuzzleError as error:
            raise tree.error(str(error)) from error
        others = len(problems) - 1
        left_out = [counted(others, "other problem")] if others else []
        return Imported(puzzle, (*left_out, *self.ornaments(element, rules)))

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
        return named or Path(self.tree.where).name.partition(".")[0]

    def max_holes(self, problem: Element, target: Voxels) -> int | None:
        """Return how many variable cells may stay empty; None where that is all of them."""
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
            low = self.lattice.low(shape.filled)
            colours = _moved(rules.kept(shape), low)
            yield Piece(
                name,
                Shape(shape.filled, self.lattice),
                least,
                most,
                colours=colours,
                groups=self.groups(use, most),
            )

    def uses(self, problem: Element) -> list[Element]:
        """Return the problem's pieces that are used at least possibly."""
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
        """Return how many copies belong to which group: one for all, or a list. 0 is none."""
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
        if any("weight" in voxel.attrib for voxel in self.tree.root.iterfind("shapes/voxel")):
            yield "piece weights"
        if "solutions" in self.dropped:
            yield "saved solutions"


def _moved(colours: Colours, low: Cell) -> Colours:
    """Return colours in the coordinates of a shape that lies as near to 0, 0, 0 as it goes."""
    return frozenset(
        ((x - low[0], y - low[1], z - low[2]), colour) for (x, y, z), colour in colours
    )
