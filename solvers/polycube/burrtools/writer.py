"""Export of packing puzzles as BurrTools .xmpuzzle files."""

from colorsys import hsv_to_rgb
from itertools import product
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from solvers.polycube.burrtools.assemblies import format_assembly
from solvers.polycube.burrtools.reader import EMPTY, FILLED, VARIABLE, Remarks
from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice import Cell, Lattice
from solvers.polycube.lattices import CUBES
from solvers.polycube.marks import COLOURS, Marks, Rule, values_on_cells
from solvers.polycube.puzzle import PackingPuzzle, Piece

GOLDEN_RATIO = 0.618  # multiples of it, modulo 1, are evenly spread hues


def to_xml(puzzle: PackingPuzzle) -> str:
    """Return the puzzle as BurrTools' XML, one shape per piece and the target as the last.

    Raises:
        PuzzleError: the puzzle asks for something a BurrTools file cannot hold.
    """
    _check_exportable(puzzle)
    root = Element("puzzle", version="2")
    SubElement(root, "gridType", type=puzzle.lattice.burrtools or "")
    colours = SubElement(root, "colors")
    for number in range(_greatest_colour(puzzle)):
        mixed = hsv_to_rgb(number * GOLDEN_RATIO % 1, 0.6, 0.9)
        parts = zip(("red", "green", "blue"), mixed, strict=True)
        SubElement(colours, "color", {key: str(int(255 * part)) for key, part in parts})
    shapes = SubElement(root, "shapes")
    for piece in puzzle.pieces:
        marks = _marks(piece.shape.cells, frozenset(), piece.marks)
        voxel = _add_voxels(shapes, piece.name, marks, puzzle.lattice)
        if piece.weight != 1:
            voxel.set("weight", str(piece.weight))
    target = puzzle.target
    marks = _marks(target.required, target.optional, target.marks)
    _add_voxels(shapes, "target", marks, puzzle.lattice)
    problem = SubElement(SubElement(root, "problems"), "problem", name=puzzle.name, state="0")
    if puzzle.max_holes is not None:
        problem.set("maxHoles", str(puzzle.max_holes))
    uses = SubElement(problem, "shapes")
    for number, piece in enumerate(puzzle.pieces):
        use = SubElement(uses, "shape", {"id": str(number)} | _copies(piece))
        for group, count in piece.groups:
            SubElement(use, "group", group=str(group), count=str(count))
    SubElement(problem, "result", id=str(len(puzzle.pieces)))
    bitmap = SubElement(problem, "bitmap")
    # Pairs count colours from 0, voxels from 1.
    for of_piece, of_target in sorted(puzzle.kind(COLOURS.name).pairs):
        SubElement(bitmap, "pair", piece=str(of_piece - 1), result=str(of_target - 1))
    if puzzle.saved and puzzle.lattice == CUBES:
        _add_solutions(problem, puzzle)
    comment = SubElement(root, "comment")
    comment.text = Remarks(puzzle.title, puzzle.source, puzzle.reflections).text()
    indent(root)
    return f'<?xml version="1.0"?>\n{tostring(root, encoding="unicode")}\n'


def lost_in_export(puzzle: PackingPuzzle) -> list[str]:
    """Return what a BurrTools file cannot hold of this puzzle, in words."""
    lost = []
    if puzzle.lattice.burrtools is None:
        lost.append(f"{puzzle.lattice.cells} instead of cubes")
    for kind in puzzle.marks:
        if kind.rule is Rule.THROUGH:
            lost.append(f"{kind.name} through pieces")
        elif kind.name != COLOURS.name:
            lost.append(f"marks {kind.name}")
    if any(piece.fixed_at is not None for piece in puzzle.pieces):
        lost.append("pieces fixed in place")
    if puzzle.mirror_pieces:
        lost.append("pieces that may be placed as their mirror images")
    return lost


def changed_in_export(puzzle: PackingPuzzle) -> list[str]:
    """Return sentences about what BurrTools interprets differently; a file read back keeps it."""
    if puzzle.reflections:
        return []
    return [
        f"BurrTools counts a solution and its mirror image as one, {puzzle.name} as two. The file "
        "says so in its comment, which `puzzle pack` reads."
    ]


def _check_exportable(puzzle: PackingPuzzle) -> None:
    lost = lost_in_export(puzzle)
    if lost:
        raise PuzzleError(
            f"A BurrTools file cannot represent {' and '.join(lost)}, which {puzzle.name} has."
        )


def _greatest_colour(puzzle: PackingPuzzle) -> int:
    marks = [puzzle.target.marks, *(piece.marks for piece in puzzle.pieces)]
    return max((mark.value for each in marks for mark in each), default=0)


def _copies(piece: Piece) -> dict[str, str]:
    if piece.copies_min == piece.copies_max:
        return {"count": str(piece.copies_min)}
    return {"min": str(piece.copies_min), "max": str(piece.copies_max)}


def _marks(filled: frozenset[Cell], variable: frozenset[Cell], colours: Marks) -> dict[Cell, str]:
    marks = dict.fromkeys(filled, FILLED) | dict.fromkeys(variable, VARIABLE)
    return marks | {cell: f"{marks[cell]}{colour}" for cell, colour in values_on_cells(colours)}


def _add_solutions(problem: Element, puzzle: PackingPuzzle) -> None:
    """Add the saved solutions; the problem's state says that there may be more."""
    texts = [format_assembly(each, puzzle.pieces, puzzle.target) for each in puzzle.saved]
    listed = [text for text in texts if text is not None]
    problem.set("state", "1")
    problem.set("assemblies", str(len(listed)))
    solutions = SubElement(problem, "solutions")
    for number, text in enumerate(listed):
        solution = SubElement(solutions, "solution", asmNum=str(number))
        SubElement(solution, "assembly").text = text


def _add_voxels(shapes: Element, name: str, marks: dict[Cell, str], lattice: Lattice) -> Element:
    low = lattice.low(marks)
    placed = {
        lattice.place_of((x - low[0], y - low[1], z - low[2])): mark
        for (x, y, z), mark in marks.items()
    }
    width, depth, height = (max(place[axis] for place in placed) + 1 for axis in range(3))
    voxel = SubElement(
        shapes, "voxel", x=str(width), y=str(depth), z=str(height), type="0", name=name
    )
    voxel.text = "".join(
        placed.get((x, y, z), EMPTY)
        for z, y, x in product(range(height), range(depth), range(width))
    )
    return voxel
