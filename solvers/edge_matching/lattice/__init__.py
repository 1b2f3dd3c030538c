"""Lattices by the name that board files use. A further one is a module and an entry here."""

from typing import Final

from solvers.edge_matching.lattice.cubes import CUBES
from solvers.edge_matching.lattice.flat import HEXAGONS, SQUARES, TRIANGLES
from solvers.edge_matching.lattice.lattice import Lattice

LATTICES: Final[dict[str, Lattice]] = {
    lattice.name: lattice for lattice in (TRIANGLES, SQUARES, HEXAGONS, CUBES)
}
