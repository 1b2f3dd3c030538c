"""Meshes as binary STL files: 80 bytes of a heading, a number, and 50 bytes for each triangle."""

import struct
from typing import Final

import numpy as np

from solvers.polycube.printing.mesh import Mesh

# Marshall Burns, Automated Fabrication (1993), section 6.5; lengths are millimetres by custom. The
# heading must not begin with "solid", by which readers tell files of text.
HEADING: Final = b"puzzlerig, lengths in millimetres"
TRIANGLE: Final = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])


def to_stl(mesh: Mesh) -> bytes:
    """Return the file; STL knows neither names nor colours nor units."""
    corners = mesh.points[mesh.triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(across, axis=1, keepdims=True)
    listed = np.zeros(len(corners), TRIANGLE)
    listed["corners"] = corners
    listed["normal"] = np.divide(across, length, out=np.zeros_like(across), where=length > 0)
    return HEADING.ljust(80) + struct.pack("<I", len(listed)) + listed.tobytes()
