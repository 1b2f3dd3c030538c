"""Solutions as text: layers of letters side by side, the lowest layer first."""

import string

from solvers.polycube.drawing import draw
from solvers.polycube.lattice.cubes import CUBES
from solvers.polycube.lattice.lattice import Lattice
from solvers.polycube.puzzle import PackingSolution

SYMBOLS = string.ascii_uppercase + string.ascii_lowercase + string.digits
OUTSIDE = "."


def symbols(solution: PackingSolution) -> tuple[str, ...]:
    """Return one letter per placement: the pieces' names where these are different letters."""
    names = [placement.piece for placement in solution.placements]
    if all(len(name) == 1 and name != OUTSIDE for name in names) and len(set(names)) == len(names):
        return tuple(names)
    return tuple(SYMBOLS[index % len(SYMBOLS)] for index in range(len(names)))


def to_text(solution: PackingSolution, lattice: Lattice = CUBES) -> str:
    """Return the layers, and a legend where the letters are not the pieces' names."""
    letters = symbols(solution)
    letter_at = {
        cell: letter
        for placement, letter in zip(solution.placements, letters, strict=True)
        for cell in placement.cells
    }
    picture = draw(letter_at, letter_at, lattice)
    names = tuple(placement.piece for placement in solution.placements)
    if letters == names:
        return picture
    pairs = zip(letters, names, strict=True)
    return f"{picture}\n{', '.join(f'{letter} = {name}' for letter, name in pairs)}"
