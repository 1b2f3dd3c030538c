"""Makes solids of cells: with edges cut off, room between the pieces, and their bores.

A piece is the union of its cells, made smaller on every side by half the clearance, with its
convex edges cut off. In the terms of mathematical morphology it is (cells - K - B) + B, where K is
the body with all faces of the lattice that far from its middle, and B the hull of their normals,
as long as the bevel is wide. Both are convex, so nothing here knows more of a lattice than the
corners of its cells. The library Manifold does the geometry, since its results are always closed.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Final

import numpy as np

from solvers.foundation.errors import InvalidInputError
from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice.lattice import Cell, Lattice
from solvers.polycube.pictures.bores import BoredCell
from solvers.polycube.pictures.solids import BORE_RADIUS
from solvers.polycube.printing.mesh import Mesh, Points
from solvers.polycube.puzzle import line_through

if TYPE_CHECKING:
    from manifold3d import Manifold

BORE_SIDES: Final = 48
ROUNDING_MM: Final = 1e-6
"""Far above what rounding leaves over, far below what points of a piece are apart. Where this was
a micrometre, one piece in 30 came out with slivers."""

# What turns a cylinder that stands upright about x, y and z, in degrees, to lie along each axis.
TURNS: Final = ((0.0, 90.0, 0.0), (90.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@dataclass(frozen=True)
class Finish:
    """In millimetres: the side of a cell, the width cut off at edges, the gap between pieces."""

    cell_mm: float = 15.0
    bevel_mm: float = 0.6
    clearance_mm: float = 0.3


class Workshop:
    """Makes solids of cells of one lattice with one finish; `cells` are all that may occur.

    Raises PuzzleError if nothing of a cell is left.
    """

    def __init__(self, lattice: Lattice, cells: Iterable[Cell], finish: Finish) -> None:
        self.lattice = lattice
        self.finish = finish
        self._made_by = _manifold()
        # Cells that are the same but for their places have the same faces.
        alike = {_from_its_middle(corners): corners for corners in map(self.corners, cells)}
        kinds = [self._hull(corners) for corners in alike.values()]
        normals = _normals(kinds)
        self._smaller = self._with_faces(normals, finish.clearance_mm / 2)
        self._edge = self._hull(normals * finish.bevel_mm) if finish.bevel_mm > 0 else None
        if any(self._shrunk(kind).is_empty() for kind in kinds):
            raise PuzzleError(
                f"Of a {lattice.cell} of {finish.cell_mm:g} mm nothing is left with a bevel of "
                f"{finish.bevel_mm:g} mm and a clearance of {finish.clearance_mm:g} mm. Make it "
                "larger, or these smaller."
            )

    def corners(self, cell: Cell) -> Points:
        """Return the corners of a cell in space."""
        found = {corner for face in self.lattice.faces(cell) for corner in face.corners}
        return np.array(sorted(found)) * self.finish.cell_mm

    def solid(
        self, cells: Collection[Cell], bored: Collection[BoredCell] = (), *, name: str
    ) -> Mesh:
        """Return what is made of some cells, at their place; `bored` may tell of others too.

        Raises PuzzleError with the piece's name if it does not hang together.
        """
        whole = self._united([self._hull(self.corners(cell)) for cell in sorted(cells)])
        made = self._shrunk(whole)
        if self._edge is not None:
            made = made.minkowski_sum(self._edge).simplify(ROUNDING_MM)
        # A hollow has a surface of its own, and a volume below zero.
        if sum(part.volume() > 0 for part in made.decompose()) != 1:
            raise PuzzleError(
                f"Piece {name} cannot be made: its {self.lattice.cells} do not hang together by "
                "their sides."
            )
        for line in sorted({line_through(cell, axis) for cell, axis in bored if cell in cells}):
            made -= self._bore(line, cells)
        mesh = made.to_mesh64()
        found = Mesh(mesh.vert_properties[:, :3], mesh.tri_verts.astype(np.int64)).merged()
        if not found.closed:
            raise PuzzleError(
                f"The surface of piece {name} meets itself along an edge; give another bevel or "
                "clearance."
            )
        return found

    def _hull(self, corners: Points) -> "Manifold":
        hull: Manifold = self._made_by.Manifold.hull_points(corners)
        return hull

    def _united(self, solids: "list[Manifold]") -> "Manifold":
        add = self._made_by.OpType.Add
        union: Manifold = self._made_by.Manifold.batch_boolean(solids, add)
        return union.simplify(ROUNDING_MM)

    def _shrunk(self, solid: "Manifold") -> "Manifold":
        """Return where the middles of K and B may go."""
        for body in (self._smaller, self._edge):
            if body is not None:
                solid = solid.minkowski_difference(body).simplify(ROUNDING_MM)
        return solid

    def _with_faces(self, normals: Points, distance: float) -> "Manifold | None":
        """Return the body whose faces have these normals and this distance from its middle."""
        if distance <= 0:
            return None
        # No face is farther from the middle than a corner of this, which is cut on all sides.
        side = 100 * distance
        body: Manifold = self._made_by.Manifold.cube((side, side, side), center=True)
        for normal in normals:
            body = body.trim_by_plane(tuple(-normal), -distance)
        return body

    def _bore(self, line: tuple[int, int, int], cells: Collection[Cell]) -> "Manifold":
        """Return the cylinder along a line of cells, through the whole piece."""
        axis = line[0]
        on_line = [cell for cell in cells if line_through(cell, axis) == line]
        middles = [self.corners(cell).mean(axis=0) for cell in on_line]
        length = np.ptp([middle[axis] for middle in middles]) + 2 * self.finish.cell_mm
        cylinder: Manifold = self._made_by.Manifold.cylinder(
            length, BORE_RADIUS * self.finish.cell_mm, circular_segments=BORE_SIDES, center=True
        )
        return cylinder.rotate(TURNS[axis]).translate(tuple(np.mean(middles, axis=0)))


def _manifold() -> ModuleType:
    try:
        import manifold3d
    except ImportError as error:
        raise InvalidInputError(
            "Solids need the package manifold3d; install it with: pip install 'puzzlerig[print]'."
        ) from error
    module: ModuleType = manifold3d
    return module


def _from_its_middle(corners: Points) -> tuple[float, ...]:
    from_middle = np.round(corners - corners.mean(axis=0), 6) + 0.0  # no -0.0
    return tuple(from_middle[np.lexsort(from_middle.T)].ravel())


def _normals(solids: "Iterable[Manifold]") -> Points:
    """Return the normals of all faces and their opposites, each once."""
    found = []
    for solid in solids:
        mesh = solid.to_mesh64()
        a, b, c = (mesh.vert_properties[mesh.tri_verts[:, corner], :3] for corner in range(3))
        across = np.cross(b - a, c - a)
        found.append(across / np.linalg.norm(across, axis=1, keepdims=True))
    every = np.concatenate([*found, *(-each for each in found)])
    _, first = np.unique(np.round(every, 6) + 0.0, axis=0, return_index=True)
    return np.asarray(every[first])
