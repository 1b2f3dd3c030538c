"""Exports packing puzzles as BurrTools .xmpuzzle files."""

from itertools import product
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from solvers.polycube.burrtools.reader import CUBE_GRID, EMPTY, FILLED, VARIABLE
from solvers.polycube.burrtools.remarks import Remarks
from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice.cubes import CUBES
from solvers.polycube.lattice.lattice import Cell
from solvers.polycube.puzzle import PackingPuzzle, Piece, Target


def to_xml(puzzle: PackingPuzzle) -> str:
    """Return the puzzle as BurrTools' XML, one shape per piece and the target as the last.

    Raises:
        PuzzleError: the puzzle asks for something a BurrTools file cannot hold.
    """
    _refuse_what_is_lost(puzzle)
    root = Element("puzzle", version="2")
    SubElement(root, "gridType", type=CUBE_GRID)
    SubElement(root, "colors")
    shapes = SubElement(root, "shapes")
    for piece in puzzle.pieces:
        _add_voxels(shapes, piece.name, piece.shape.cells, frozenset())
    _add_voxels(shapes, "target", puzzle.target.required, puzzle.target.optional)
    problem = SubElement(SubElement(root, "problems"), "problem", name=puzzle.name, state="0")
    uses = SubElement(problem, "shapes")
    for number, piece in enumerate(puzzle.pieces):
        SubElement(uses, "shape", {"id": str(number)} | _copies(piece))
    SubElement(problem, "result", id=str(len(puzzle.pieces)))
    SubElement(problem, "bitmap")
    comment = SubElement(root, "comment")
    comment.text = Remarks(puzzle.title, puzzle.source, puzzle.reflections).text()
    indent(root)
    return f'<?xml version="1.0"?>\n{tostring(root, encoding="unicode")}\n'


def lost_in_export(puzzle: PackingPuzzle) -> list[str]:
    """Return what a BurrTools file cannot hold of this puzzle, in words."""
    lost = []
    if puzzle.lattice != CUBES:
        lost.append(f"{puzzle.lattice.cells} instead of cubes")
    if puzzle.drilled:
        lost.append("bores through pieces")
    if any(piece.fixed_at is not None for piece in puzzle.pieces):
        lost.append("pieces fixed in place")
    if puzzle.mirror_pieces:
        lost.append("pieces that may be placed as their mirror images")
    return lost


def changed_in_export(puzzle: PackingPuzzle) -> list[str]:
    """Return sentences about what BurrTools will take another way; a file read back keeps it."""
    if puzzle.reflections:
        return []
    return [
        f"BurrTools counts a solution and its mirror image as one, {puzzle.name} as two. The file "
        "says so in its comment, which `puzzle pack` reads."
    ]


def _refuse_what_is_lost(puzzle: PackingPuzzle) -> None:
    lost = lost_in_export(puzzle)
    if lost:
        raise PuzzleError(
            f"A BurrTools file cannot represent {' and '.join(lost)}, which {puzzle.name} has."
        )


def _copies(piece: Piece) -> dict[str, str]:
    if piece.copies_min == piece.copies_max:
        return {"count": str(piece.copies_min)}
    return {"min": str(piece.copies_min), "max": str(piece.copies_max)}


def _add_voxels(
    shapes: Element, name: str, filled: frozenset[Cell], variable: frozenset[Cell]
) -> None:
    low, high = Target(filled, variable).bounding_box
    width, depth, height = (high[axis] - low[axis] + 1 for axis in range(3))
    marks = dict.fromkeys(filled, FILLED) | dict.fromkeys(variable, VARIABLE)
    voxel = SubElement(
        shapes, "voxel", x=str(width), y=str(depth), z=str(height), type="0", name=name
    )
    voxel.text = "".join(
        marks.get((x + low[0], y + low[1], z + low[2]), EMPTY)
        for z, y, x in product(range(height), range(depth), range(width))
    )
