"""Solutions of packing puzzles: all of them, how many, or the first."""

from collections.abc import Iterator
from dataclasses import dataclass

from solvers.polycube.placements import Packing, packing
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
from solvers.search import exact_cover


@dataclass(frozen=True)
class Count:
    """How many solutions a puzzle has: in all, and up to the target's symmetry."""

    total: int
    up_to_symmetry: int
    nodes: int


def solutions(puzzle: PackingPuzzle) -> Iterator[PackingSolution]:
    """Yield the solutions, one of each class that the target's symmetry makes."""
    packed = packing(puzzle)
    for chosen in exact_cover.solutions(packed.cover):
        yield solution_of(packed, chosen)


def first(puzzle: PackingPuzzle) -> PackingSolution | None:
    """Return one solution, or None if there is none."""
    return next(solutions(puzzle), None)


def solution_of(packed: Packing, chosen: tuple[int, ...]) -> PackingSolution:
    """Return the placements of the chosen options."""
    return PackingSolution(tuple(packed.placement(number) for number in sorted(chosen)))
