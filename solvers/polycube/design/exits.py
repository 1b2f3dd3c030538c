"""In how many ways some pieces can leave at once: the fewer, the nearer to a high level.

A level says nothing about how near a set is to the next one. Sets of pieces that one slide parts
from the others do: with none, a second move is needed, or nothing comes apart at all.
"""

from collections.abc import Iterator

from solvers.polycube.design.cutting import Cut
from solvers.polycube.lattice.cubes import CUBES
from solvers.polycube.lattice.lattice import Cell, both


def exits(pieces: Cut) -> int:
    """Count the pieces and ways of the six in which a piece leaves without all others going along.

    It takes with it whatever is in its way.
    """
    owner = {cell: number for number, piece in enumerate(pieces) for cell in piece}
    longest = max(max(axis) - min(axis) for axis in zip(*owner, strict=True))
    return sum(
        len(_pushed(number, blockers)) < len(pieces)
        for way in both(CUBES.ways)
        for blockers in [[set(_met(piece, way, longest, owner)) for piece in pieces]]
        for number in range(len(pieces))
    )


def _met(piece: frozenset[Cell], way: Cell, longest: int, owner: dict[Cell, int]) -> Iterator[int]:
    """Yield whose cells a piece meets on its way out, its own too."""
    dx, dy, dz = way
    for x, y, z in piece:
        for step in range(1, longest + 1):
            met = owner.get((x + step * dx, y + step * dy, z + step * dz))
            if met is not None:
                yield met


def _pushed(first: int, blockers: list[set[int]]) -> set[int]:
    """Return all that has to move when one piece does."""
    pushed, waiting = {first}, [first]
    while waiting:
        found = blockers[waiting.pop()] - pushed
        pushed |= found
        waiting += found
    return pushed
