"""Shapes of cells, up to translation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice.cubes import CUBES
from solvers.polycube.lattice.lattice import Cell, Lattice

FILLED = "#"
EMPTY = "."


@dataclass(frozen=True)
class Shape:
    """A non-empty set of cells, moved by steps of the lattice as near to 0, 0, 0 as they go."""

    cells: frozenset[Cell]
    lattice: Lattice = field(default=CUBES, hash=False)

    def __post_init__(self) -> None:
        if not self.cells:
            raise PuzzleError(f"A shape needs at least one {self.lattice.cell}.")
        low = self.lattice.low(self.cells)
        if any(low):
            dx, dy, dz = low
            moved = frozenset((x - dx, y - dy, z - dz) for x, y, z in self.cells)
            object.__setattr__(self, "cells", moved)

    @classmethod
    def of(cls, cells: Iterable[Cell]) -> "Shape":
        """Return the shape of these cubes, which must all differ."""
        listed = [tuple(cell) for cell in cells]
        if len(set(listed)) < len(listed):
            twice = next(cell for cell in listed if listed.count(cell) > 1)
            raise PuzzleError(f"Cube {twice} is listed twice in one shape.")
        return cls(frozenset(listed))  # type: ignore[arg-type]

    @classmethod
    def from_layers(cls, layers: Sequence[Sequence[str]]) -> "Shape":
        """Return the shape drawn as layers z = 0, 1, ...; each a list of rows y, columns are x.

        "#" is a cube and "." is none; any other character raises PuzzleError.
        """
        cells: list[Cell] = []
        for z, rows in enumerate(layers):
            for y, row in enumerate(rows):
                for x, mark in enumerate(row):
                    if mark == FILLED:
                        cells.append((x, y, z))
                    elif mark != EMPTY:
                        raise PuzzleError(
                            f"A shape is drawn with '{FILLED}' and '{EMPTY}', not {mark!r}."
                        )
        return cls.of(cells)

    @property
    def volume(self) -> int:
        """Number of cells."""
        return len(self.cells)

    @cached_property
    def bounding_box(self) -> tuple[int, int, int]:
        """Extent in x, y and z, from 0 on."""
        xs, ys, zs = zip(*self.cells, strict=True)
        return max(xs) + 1, max(ys) + 1, max(zs) + 1

    def translated(self, offset: Cell) -> frozenset[Cell]:
        """Return the cells moved by `offset`."""
        dx, dy, dz = offset
        return frozenset((x + dx, y + dy, z + dz) for x, y, z in self.cells)

    def rotations(self, *, reflections: bool = False) -> tuple["Shape", ...]:
        """Return the distinct orientations: of cubes at most 24, with reflections at most 48."""
        return _orientations(self, reflections)

    def canonical(self, *, reflections: bool = False) -> tuple[Cell, ...]:
        """Return the smallest orientation's sorted cells: equal for congruent shapes only."""
        return min(tuple(sorted(s.cells)) for s in self.rotations(reflections=reflections))


@lru_cache(maxsize=4096)
def _orientations(shape: Shape, reflections: bool) -> tuple[Shape, ...]:
    lattice = shape.lattice
    turned = (
        Shape(frozenset(lattice.turned(matrix, cell) for cell in shape.cells), lattice)
        for matrix in lattice.turns_of(shape.cells, reflections=reflections)
    )
    return tuple(dict.fromkeys(turned))
