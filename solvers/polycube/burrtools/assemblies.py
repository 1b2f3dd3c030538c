"""Saved solutions of BurrTools files: where each piece of an assembly is, and how it is turned.

An assembly has for each copy of each piece, in the order of the problem, either `x` (not used) or
x y z t: the voxel that the piece's hotspot takes in the result, and the number of a transformation,
4 j + k: k quarter turns about x, and then j about y, or for j = 4 and 5 one and three about z. Only
cubes are handled.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, islice, repeat
from typing import Final

from solvers.foundation.wording import whole_number
from solvers.polycube.lattice import Cell
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution, Piece, Shape, Target, placed

UNUSED: Final = "x"
TRANSFORMATIONS: Final = 24
LARGEST_PLACE: Final = 100_000


def turned(cell: Cell, number: int) -> Cell:
    """Return a voxel after a transformation about the origin, of those that are no reflections."""
    x, y, z = cell
    for _ in range(number % 4):
        y, z = -z, y
    about = number // 4
    for _ in range(about if about < 4 else 0):
        x, z = -z, x
    for _ in range((0, 0, 0, 0, 1, 3)[about]):
        x, y = -y, x
    return x, y, z


def parse_assembly(
    text: str, puzzle: PackingPuzzle, voxels: Sequence[tuple[Piece, frozenset[Cell], Cell]]
) -> PackingSolution | None:
    """Return a saved solution; None if it is malformed, or does not fit into the target.

    `voxels` has each piece with the voxels of its shape as in the file, and its hotspot.
    """
    words, found = iter(text.split()), []
    used: set[Cell] = set()
    for piece, cells, hotspot in voxels:
        for _ in range(piece.copies_max):
            first = next(words, "")
            if first == UNUSED:
                continue
            numbers = [_number(word) for word in (first, *islice(words, 3))]
            if len(numbers) < 4 or None in numbers:
                return None
            x, y, z, way = (number or 0 for number in numbers)
            if not 0 <= way < TRANSFORMATIONS:
                return None
            places = frozenset(
                (x + a, y + b, z + c)
                for cell in cells
                for a, b, c in [turned(_minus(cell, hotspot), way)]
            )
            placement = placed(piece, places, mirrored=puzzle.mirror_pieces)
            if placement is None or used & places or not places <= puzzle.target.cells:
                return None
            used |= places
            found.append(placement)
    if next(words, None) is not None or not puzzle.target.required <= used:
        return None
    return PackingSolution(tuple(found))


def format_assembly(
    solution: PackingSolution, pieces: Iterable[Piece], target: Target
) -> str | None:
    """Return a solution as BurrTools writes it; None if it does not have a puzzle's pieces.

    Shapes and target are taken to be written from their least coordinates on.
    """
    low = target.lattice.low(target.cells)
    words: list[str] = []
    for piece in pieces:
        cells = [each.cells for each in solution.placements if each.piece == piece.name]
        if len(cells) > piece.copies_max:
            return None
        texts = (_text(piece, each, low) for each in cells)
        words += islice(chain(texts, repeat(UNUSED)), piece.copies_max)
    return " ".join(words)


def _text(piece: Piece, cells: frozenset[Cell], low: Cell) -> str:
    """Return place and transformation of a piece whose hotspot is its first voxel."""
    for way in range(TRANSFORMATIONS):
        ways = frozenset(turned(cell, way) for cell in piece.shape.cells)
        if Shape(ways) == Shape(cells):
            at = _minus(_minus(_low(cells), _low(ways)), low)
            return " ".join(map(str, (*at, way)))
    raise AssertionError(f"{piece.name} is a mirror image, which is not exported")


def _low(cells: Iterable[Cell]) -> Cell:
    xs, ys, zs = zip(*cells, strict=True)
    return min(xs), min(ys), min(zs)


def _minus(cell: Cell, other: Cell) -> Cell:
    return cell[0] - other[0], cell[1] - other[1], cell[2] - other[2]


def _number(word: str) -> int | None:
    number = whole_number(word.removeprefix("-"), LARGEST_PLACE)
    return -number if number is not None and word.startswith("-") else number
