"""The task of a design: a target, the sizes of the pieces, and the goal."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from solvers.polycube.design.cutting import Cut, are_connected
from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattices import CUBES
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution, Piece, Placement, Shape, Target
from solvers.polycube.taking_apart.disassembly import MOST_PIECES
from solvers.polycube.text_drawing import SYMBOLS


class Goal(StrEnum):
    """Criterion by which one set of pieces is better than another.

    UNIQUE: fewer solutions, until there is exactly one. LEVEL: more moves to the first piece out,
    for the solution that comes apart soonest. HARD: more nodes of the search for each solution.
    """

    UNIQUE = "unique"
    LEVEL = "level"
    HARD = "hard"


# Number of polycubes of 1, 2, ... cubes, with mirror images counted separately and together: OEIS
# A000162 and A038119. Of larger pieces there are always enough.
DIFFERENT: Final = (1, 1, 2, 8, 29, 166, 1023)
DIFFERENT_UNMIRRORED: Final = (1, 1, 2, 7, 23, 112, 607)


@dataclass(frozen=True)
class Task:
    """Cut `target` into pieces of `sizes` cubes.

    Cells that may stay empty do so where the pieces have no cubes for them.
    With `distinct` no two pieces are congruent; without `mirrored` no two are mirror images of each
    other either. Raises PuzzleError if it is impossible.
    """

    target: Target
    sizes: tuple[int, ...]
    goal: Goal
    seed: int = 1
    distinct: bool = True
    mirrored: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "sizes", tuple(sorted(self.sizes)))
        if self.target.lattice != CUBES:
            raise PuzzleError(
                f"The target is made of {self.target.lattice.cells}; pieces are designed for "
                "targets of cubes alone."
            )
        if self.target.marks:
            marks = ", ".join(sorted({mark.kind for mark in self.target.marks}))
            raise PuzzleError(
                f"The target has {marks}; pieces are designed without. Leave them out of its file."
            )
        self._check_sizes()
        if not are_connected(self.target.cells):
            raise PuzzleError(
                "The target is not connected: some of its cubes share no face with the others. "
                "Design each of its parts on its own."
            )
        if self.distinct:
            self._check_different()

    @property
    def cubes(self) -> int:
        """Number of cubes of all pieces together."""
        return sum(self.sizes)

    def puzzle(
        self, cut: Cut, name: str = "design", title: str = "", source: str = ""
    ) -> PackingPuzzle:
        """Return the puzzle of a set of pieces, which are named A, B, ... in their order."""
        pieces = tuple(
            Piece(letter, Shape(cells)) for letter, cells in zip(SYMBOLS, cut, strict=False)
        )
        return PackingPuzzle(
            name, title or name, self.target, pieces, reflections=True, source=source
        )

    def _check_sizes(self) -> None:
        if not 2 <= len(self.sizes) <= MOST_PIECES:
            raise PuzzleError(
                f"A set has 2 to {MOST_PIECES} pieces, not {len(self.sizes)}; give their sizes, "
                "such as 4,4,5."
            )
        if min(self.sizes) < 1:
            raise PuzzleError(f"A piece has at least one cube, not {min(self.sizes)}.")
        needed, room = len(self.target.required), len(self.target.cells)
        if not needed <= self.cubes <= room:
            has = f"needs {needed} to {room}" if needed < room else f"has {room}"
            raise PuzzleError(
                f"Pieces of {', '.join(map(str, self.sizes))} cubes have {self.cubes} together, "
                f"but the target {has}."
            )

    def _check_different(self) -> None:
        different = DIFFERENT if self.mirrored else DIFFERENT_UNMIRRORED
        for size, wanted in sorted(Counter(self.sizes).items()):
            if size <= len(different) and wanted > different[size - 1]:
                raise PuzzleError(
                    f"There are not {wanted} different pieces of {CUBES.counted(size)}, only "
                    f"{different[size - 1]}; take other sizes, or let pieces be the same."
                )


def own_solution(cut: Cut) -> PackingSolution:
    """Return the solution from which the pieces were cut, each oriented as in its puzzle."""
    return PackingSolution(
        tuple(Placement(letter, 0, cells) for letter, cells in zip(SYMBOLS, cut, strict=False))
    )
