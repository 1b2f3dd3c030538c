"""A slow, plain search for the tests: it shares nothing with the product but the pieces' cells."""

from collections.abc import Iterator
from functools import cache

import pytest

Cell = tuple[int, int, int]
Cells = frozenset[Cell]


@cache
def plain_turns(cells: Cells) -> frozenset[Cells]:
    """Return the distinct rotations of some cells, each moved to the origin."""

    def about_x(shape: Cells) -> Cells:
        return frozenset((x, -z, y) for x, y, z in shape)

    def about_z(shape: Cells) -> Cells:
        return frozenset((-y, x, z) for x, y, z in shape)

    def to_origin(shape: Cells) -> Cells:
        low = [min(cell[axis] for cell in shape) for axis in range(3)]
        return frozenset((x - low[0], y - low[1], z - low[2]) for x, y, z in shape)

    found = {to_origin(cells)}
    while True:
        more = {to_origin(turn(shape)) for shape in found for turn in (about_x, about_z)} - found
        if not more:
            return frozenset(found)
        found |= more


def plain_packings(target: Cells, pieces: list[Cells]) -> Iterator[tuple[Cells, ...]]:
    """Yield every way to fill the target: the first empty cell is served by each piece in turn."""
    if not target:
        if not pieces:
            yield ()
        return
    first = min(target)
    for number, piece in enumerate(pieces):
        for turned in plain_turns(piece):
            for anchor in turned:
                placed = frozenset(
                    (x - anchor[0] + first[0], y - anchor[1] + first[1], z - anchor[2] + first[2])
                    for x, y, z in turned
                )
                if placed <= target:
                    rest = pieces[:number] + pieces[number + 1 :]
                    for others in plain_packings(target - placed, rest):
                        yield (placed, *others)


class Plain:
    """The plain search as a fixture, so that tests need not import one another."""

    turns = staticmethod(plain_turns)
    packings = staticmethod(plain_packings)


@pytest.fixture
def plain() -> type[Plain]:
    return Plain
