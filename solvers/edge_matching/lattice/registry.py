"""The lattices by the name that board files give them: another one is a module and a line here."""

from typing import Final

from solvers.edge_matching.lattice.cubes import CUBES
from solvers.edge_matching.lattice.hexagons import HEXAGONS
from solvers.edge_matching.lattice.lattice import Lattice
from solvers.edge_matching.lattice.squares import SQUARES
from solvers.edge_matching.lattice.triangles import TRIANGLES

LATTICES: Final[dict[str, Lattice]] = {
    lattice.name: lattice for lattice in (TRIANGLES, SQUARES, HEXAGONS, CUBES)
}
