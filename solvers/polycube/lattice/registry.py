"""The lattices by the name that puzzle files give them: another one is a module and a line here."""

from typing import Final

from solvers.polycube.lattice.cubes import CUBES
from solvers.polycube.lattice.lattice import Lattice
from solvers.polycube.lattice.rhombic_tetrahedra import RHOMBIC_TETRAHEDRA
from solvers.polycube.lattice.spheres import SPHERES
from solvers.polycube.lattice.tetrahedra import TETRAHEDRA
from solvers.polycube.lattice.triangles import TRIANGLES

LATTICES: Final[dict[str, Lattice]] = {
    lattice.name: lattice
    for lattice in (
        CUBES,
        TRIANGLES,
        SPHERES,
        RHOMBIC_TETRAHEDRA,
        TETRAHEDRA,
    )
}
