"""Closed surfaces of triangles, as printers take them."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""Points in space, one a row: x to the right, y to the back, z up, in millimetres."""

FINEST_MM: Final = 1e-4
"""No printer sees less, and the 32-bit numbers of STL files tell it apart up to a metre."""


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
        """What the surface holds, in cubic millimetres; negative if it is inside out."""
        a, b, c = (self.points[self.triangles[:, corner]] for corner in range(3))
        return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6

    def moved(self, way: Points) -> "Mesh":
        """Return the mesh moved by x, y and z."""
        return Mesh(self.points + way, self.triangles)

    def merged(self) -> "Mesh":
        """Return the mesh with its points rounded, those that are then the same made one."""
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
