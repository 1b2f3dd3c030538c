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
        if self.target.optional or self.target.colours:
            raise PuzzleError(
                "The target has cells that may stay empty, or colours; pieces are designed for "
                "targets that are filled whole. Draw it with '#' and '.' only."
            )
        self._check_sizes()
        if not are_connected(self.target.required):
            raise PuzzleError(
                "The target is not connected: some of its cubes share no face with the others. "
                "Design each of its parts on its own."
            )
        if self.distinct:
            self._check_different()

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
        cubes, room = sum(self.sizes), len(self.target.required)
        if cubes != room:
            raise PuzzleError(
                f"Pieces of {', '.join(map(str, self.sizes))} cubes have {cubes} together, but the "
                f"target has {room}."
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
