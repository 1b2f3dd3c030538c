"""Parts to print: the pieces next to each other on a plate, or a solution put together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from solvers.foundation.progress import Job, Progress
from solvers.polycube.pictures.solids import piece_colours
from solvers.polycube.printing.solids import Finish, Mesh, Points, SolidBuilder
from solvers.polycube.puzzle import (
    Orientation,
    PackingPuzzle,
    PackingSolution,
    Piece,
    marks_in_place,
    orientations,
)

# Maximal width of rows of pieces: most printers have a little more.
PLATE_MM: Final = 200.0

GAP_MM: Final = 5.0


@dataclass(frozen=True, eq=False)
class Part:
    """A mesh with its low corner at the origin, and the place of each copy."""

    name: str
    colour: str
    mesh: Mesh
    places: tuple[Points, ...]


def pieces_on_plate(puzzle: PackingPuzzle, finish: Finish) -> Job[Progress, list[Part]]:
    """Build every piece, flat, with its copies in rows on a plate.

    Of pieces with any number of copies there are as many as fit into the target.
    """
    workshop = SolidBuilder(puzzle.lattice, puzzle.target.cells, finish, puzzle.marks)
    colours = piece_colours([piece.name for piece in puzzle.pieces])
    wanted = [(piece, number) for piece in puzzle.pieces if (number := _copies(puzzle, piece))]
    made: list[Part] = []
    for done, (piece, number) in enumerate(wanted):
        yield Progress("", done, len(wanted), "pieces")
        flattest = min(orientations(piece, mirrored=False), key=lambda way: _height(workshop, way))
        mesh = workshop.solid(flattest.shape.cells, flattest.marks, name=piece.name)
        nowhere = (np.zeros(3),) * number
        made.append(Part(piece.name, colours[piece.name], mesh.moved(-mesh.low), nowhere))
    return _laid_out(made)


def place_solution(
    puzzle: PackingPuzzle, solution: PackingSolution, finish: Finish
) -> Job[Progress, list[Part]]:
    """Build every piece of a solution at its place in it."""
    workshop = SolidBuilder(puzzle.lattice, puzzle.target.cells, finish, puzzle.marks)
    colours = piece_colours([placement.piece for placement in solution.placements])
    marks = marks_in_place(puzzle, solution)
    made: list[Part] = []
    for placement in solution.placements:
        yield Progress("", len(made), len(solution.placements), "pieces")
        mesh = workshop.solid(placement.cells, marks, name=placement.piece)
        place = mesh.low
        made.append(Part(placement.piece, colours[placement.piece], mesh.moved(-place), (place,)))
    low = np.min([part.places[0] for part in made], axis=0)
    return [replace(part, places=(part.places[0] - low,)) for part in made]


def merge_parts(parts: Sequence[Part]) -> Mesh:
    """Return all copies of all parts as one mesh."""
    meshes = [part.mesh.moved(place) for part in parts for place in part.places]
    before = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])
    triangles = [mesh.triangles + first for mesh, first in zip(meshes, before, strict=False)]
    return Mesh(np.concatenate([mesh.points for mesh in meshes]), np.concatenate(triangles))


def _copies(puzzle: PackingPuzzle, piece: Piece) -> int:
    fitting = len(puzzle.target.cells) // piece.shape.volume
    return max(piece.copies_min, min(piece.copies_max, fitting))


def _height(workshop: SolidBuilder, way: Orientation) -> tuple[float, int]:
    """Return the height of a piece in an orientation, then the negative area on the plate."""
    heights = np.concatenate([workshop.corners(cell)[:, 2] for cell in sorted(way.shape.cells)])
    above = np.round(heights - heights.min(), 3)
    return float(above.max()), -int((above == 0).sum())


def _laid_out(parts: Sequence[Part]) -> list[Part]:
    """Return the parts in rows, in their order."""
    placed: list[Part] = []
    right = back = depth = 0.0
    for part in parts:
        width, height = float(part.mesh.size[0]), float(part.mesh.size[1])
        places = []
        for _ in part.places:
            if right > 0 and right + width > PLATE_MM:
                right, back, depth = 0.0, back + depth + GAP_MM, 0.0
            places.append(np.array([right, back, 0.0]))
            right, depth = right + width + GAP_MM, max(depth, height)
        placed.append(replace(part, places=tuple(places)))
    return placed
