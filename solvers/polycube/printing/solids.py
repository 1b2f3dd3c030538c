"""Printable solids made of cells: bevelled edges, clearance, bores, tabs and slots.

A piece is the union of its cells, made smaller on every side by half the clearance, with its convex
edges cut off. In terms of mathematical morphology it is (cells - K - B) + B, where K is the body
with all faces of the lattice at that distance from its centre, and B the hull of their normals,
scaled to the bevel. Both are convex, so nothing here depends on a lattice except the corners of its
cells. Manifold does the geometry, because its results are always closed.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from solvers.foundation.extras import explained_imports
from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice import Cell, Lattice, in_space
from solvers.polycube.marks import (
    KNOWN,
    NONE,
    Mark,
    MarkKind,
    Marks,
    Rule,
    line_through,
    lines_of,
    sign,
)
from solvers.polycube.pictures.signs import HOLE_RADIUS, NOTCH_SIZES, pair_of

if TYPE_CHECKING:
    from manifold3d import Manifold

# Points in space, one a row: x to the right, y to the back, z up, in millimetres.
Points = NDArray[np.float64]

# Below what printers resolve; 32-bit numbers of STL files distinguish it up to a metre.
FINEST_MM: Final = 1e-4


@dataclass(frozen=True, eq=False)
class Mesh:
    """Points, and triangles of three of their numbers each.

    The points of a triangle go round counterclockwise as seen from outside.
    """

    points: Points
    triangles: NDArray[np.int64]

    @property
    def low(self) -> Points:
        """The smallest x, y and z."""
        return np.asarray(self.points.min(axis=0))

    @property
    def size(self) -> Points:
        """Width, depth and height."""
        return np.asarray(self.points.max(axis=0) - self.low)

    @property
    def volume(self) -> float:
        """Volume in cubic millimetres; negative if the surface is inside out."""
        a, b, c = (self.points[self.triangles[:, corner]] for corner in range(3))
        return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6

    def moved(self, way: Points) -> "Mesh":
        """Return the mesh translated by x, y and z."""
        return Mesh(self.points + way, self.triangles)

    def merged(self) -> "Mesh":
        """Return the mesh with its points rounded and equal points merged."""
        rounded = np.round(self.points / FINEST_MM) + 0.0  # no -0.0
        points, number = np.unique(rounded, axis=0, return_inverse=True)
        return Mesh(points * FINEST_MM, number.reshape(-1)[self.triangles])

    @property
    def closed(self) -> bool:
        """Whether every edge has one triangle on either side."""
        edges = [
            (int(triangle[side]), int(triangle[(side + 1) % 3]))
            for triangle in self.triangles
            for side in range(3)
        ]
        there = set(edges)
        return len(there) == len(edges) and all((end, start) in there for start, end in edges)


BORE_SIDES: Final = 48
TAB_HEIGHT: Final = 0.14  # in sides of a cell; a slot is as deep
TAB_ROOT: Final = 0.25
"""How far a tab begins inside its cell, in sides of a cell."""
# Far above rounding errors, far below the distances of a piece's points.
# At a micrometre, one piece in 30 had slivers.
ROUNDING_MM: Final = 1e-6

# Rotation of an upright cylinder about x, y and z, in degrees, to align it with each axis.
TURNS: Final = ((0.0, 90.0, 0.0), (90.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@dataclass(frozen=True)
class Finish:
    """In millimetres: the side of a cell, the width cut off at edges, the gap between pieces."""

    cell_mm: float = 15.0
    bevel_mm: float = 0.6
    clearance_mm: float = 0.3


class SolidBuilder:
    """Builds solids of cells of one lattice with one finish; `cells` are all that may occur.

    Of marks it makes those of `kinds` that run through pieces, as bores, and tabs and slots.

    Raises PuzzleError if the finish leaves nothing of a cell, or less than a gap between two.
    """

    def __init__(
        self,
        lattice: Lattice,
        cells: Iterable[Cell],
        finish: Finish,
        kinds: Iterable[MarkKind] = KNOWN,
    ) -> None:
        self.lattice = lattice
        self.finish = finish
        self._kinds = {kind.name: kind for kind in kinds}
        self._manifold = _import_manifold()
        # Cells that are the same but for their places have the same faces.
        distinct = {_relative_corners(corners): corners for corners in map(self.corners, cells)}
        kinds = [self._hull(corners) for corners in distinct.values()]
        normals = _normals(kinds)
        self._smaller = self._with_faces(normals, finish.clearance_mm / 2)
        self._edge = self._hull(normals * finish.bevel_mm) if finish.bevel_mm > 0 else None
        taken = finish.clearance_mm / 2 + finish.bevel_mm
        if any(self._shrink(kind, taken).is_empty() for kind in kinds):
            raise PuzzleError(
                f"Of a {lattice.cell} of {finish.cell_mm:g} mm nothing is left with a bevel of "
                f"{finish.bevel_mm:g} mm and a clearance of {finish.clearance_mm:g} mm. Make it "
                "larger, or these smaller."
            )
        # Half the clearance leaves a cell as wide as a gap, through which it would slip.
        if any(self._shrink(kind, finish.clearance_mm).is_empty() for kind in kinds):
            raise PuzzleError(
                f"A clearance of {finish.clearance_mm:g} mm is too much for a {lattice.cell} of "
                f"{finish.cell_mm:g} mm: gaps would be wider than what is left of it. Make it "
                "larger, or the clearance smaller."
            )

    def corners(self, cell: Cell) -> Points:
        """Return the corners of a cell in space."""
        found = {corner for face in self.lattice.faces(cell) for corner in face.corners}
        return np.array(sorted(found)) * self.finish.cell_mm

    def solid(self, cells: Collection[Cell], marks: Marks = frozenset(), *, name: str) -> Mesh:
        """Return the solid of some cells, in place; `marks` may be on other cells too.

        Raises PuzzleError with the piece's name if it is not connected.
        """
        whole = self._union([self._hull(self.corners(cell)) for cell in sorted(cells)])
        made = self._erode(whole)
        if self._edge is not None:
            made = made.minkowski_sum(self._edge).simplify(ROUNDING_MM)
        # A hollow has a surface of its own, and a volume below zero.
        if sum(part.volume() > 0 for part in made.decompose()) != 1:
            raise PuzzleError(
                f"Piece {name} cannot be made: its {self.lattice.cells} do not hang together by "
                "their sides."
            )
        own = frozenset(mark for mark in marks if mark.cell in cells)
        for mark in sorted(own):
            if self._kinds[mark.kind].rule is Rule.MATCH:
                made = self._notched(made, mark, name)
        for kind in self._kinds.values():
            if kind.rule is Rule.THROUGH:
                for line in sorted(lines_of(own, kind.name)):
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
        hull: Manifold = self._manifold.Manifold.hull_points(corners)
        return hull

    def _union(self, solids: "list[Manifold]") -> "Manifold":
        add = self._manifold.OpType.Add
        union: Manifold = self._manifold.Manifold.batch_boolean(solids, add)
        return union.simplify(ROUNDING_MM)

    def _erode(self, solid: "Manifold") -> "Manifold":
        """Return the positions that the centres of K and B can have."""
        for body in (self._smaller, self._edge):
            if body is not None:
                solid = solid.minkowski_difference(body).simplify(ROUNDING_MM)
        return solid

    def _shrink(self, cell: "Manifold", distance: float) -> "Manifold":
        """Return a convex solid with its faces moved inwards, empty if they meet.

        Manifold's Minkowski difference is not empty if the body is larger than the solid.
        """
        mesh = cell.to_mesh64()
        corners = mesh.vert_properties[mesh.tri_verts[:, 0], :3]
        for normal, corner in zip(_outward_normals(cell), corners, strict=True):
            cell = cell.trim_by_plane(tuple(-normal), distance - float(normal @ corner))
        return cell

    def _with_faces(self, normals: Points, distance: float) -> "Manifold | None":
        """Return the body whose faces have these normals and this distance from its centre."""
        if distance <= 0:
            return None
        # No face is farther from the middle than a corner of this, which is cut on all sides.
        side = 100 * distance
        body: Manifold = self._manifold.Manifold.cube((side, side, side), center=True)
        for normal in normals:
            body = body.trim_by_plane(tuple(-normal), -distance)
        return body

    def _notched(self, solid: "Manifold", mark: Mark, name: str) -> "Manifold":
        """Return a solid with a tab or a slot; a mark that matches itself changes no shape."""
        kind = self._kinds[mark.kind]
        if all(one == other for one, other in kind.pairs if mark.value in (one, other)):
            return solid
        number, is_tab = pair_of(mark.value, kind)
        if is_tab is None:
            raise PuzzleError(
                f"Piece {name} cannot be made: {sign(mark.value)!r} of {kind.name} is the first of "
                "one pair and the second of another, so it is a tab and a slot. Use two marks."
            )
        if is_tab and kind.goes(mark.value, NONE):
            raise PuzzleError(
                f"Piece {name} cannot be made: {sign(mark.value)!r} of {kind.name} is a tab, but "
                "may touch a face without a slot. Leave that pair out."
            )
        finish, way = self.finish, np.array(in_space(self.lattice.frame, mark.way))
        half = finish.clearance_mm / 2 * (-1 if is_tab else 1)
        width = NOTCH_SIZES[number % len(NOTCH_SIZES)] * finish.cell_mm + 2 * half
        height = TAB_HEIGHT * finish.cell_mm + half
        # A tab begins inside, a slot outside; both end beyond the face or below it.
        root = TAB_ROOT * finish.cell_mm
        face = self.corners(mark.cell).mean(axis=0) + way * finish.cell_mm / 2
        middle = face + way * ((height - root) / 2 if is_tab else (root - height) / 2)
        sides = np.where(way == 0, width, height + root)
        box = self._manifold.Manifold.cube(tuple(sides), center=True).translate(tuple(middle))
        return solid + box if is_tab else solid - box

    def _bore(self, line: tuple[int, int, int], cells: Collection[Cell]) -> "Manifold":
        """Return the cylinder along a line of cells, through the whole piece."""
        axis = line[0]
        on_line = [cell for cell in cells if line_through(cell, axis) == line]
        middles = [self.corners(cell).mean(axis=0) for cell in on_line]
        length = np.ptp([middle[axis] for middle in middles]) + 2 * self.finish.cell_mm
        cylinder: Manifold = self._manifold.Manifold.cylinder(
            length, HOLE_RADIUS * self.finish.cell_mm, circular_segments=BORE_SIDES, center=True
        )
        return cylinder.rotate(TURNS[axis]).translate(tuple(np.mean(middles, axis=0)))


def _import_manifold() -> ModuleType:
    with explained_imports():
        import manifold3d
    module: ModuleType = manifold3d
    return module


def _relative_corners(corners: Points) -> tuple[float, ...]:
    from_middle = np.round(corners - corners.mean(axis=0), 6) + 0.0  # no -0.0
    return tuple(from_middle[np.lexsort(from_middle.T)].ravel())


def _normals(solids: "Iterable[Manifold]") -> Points:
    """Return the normals of all faces and their opposites, each once."""
    found = [_outward_normals(solid) for solid in solids]
    every = np.concatenate([*found, *(-each for each in found)])
    _, first = np.unique(np.round(every, 6) + 0.0, axis=0, return_index=True)
    return np.asarray(every[first])


def _outward_normals(solid: "Manifold") -> Points:
    """Return the normal of each triangle of a solid's surface."""
    mesh = solid.to_mesh64()
    a, b, c = (mesh.vert_properties[mesh.tri_verts[:, corner], :3] for corner in range(3))
    across = np.cross(b - a, c - a)
    return np.asarray(across / np.linalg.norm(across, axis=1, keepdims=True))
