"""Takes pieces of any cells apart by rules alone: every set, every way, one step after the other.

What a cell passes through is found by points in it, which are looked for in other cells while it
is moved in small steps. All shortest ways to a first separation are followed, so that a way apart
can be compared that starts from any of them.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from solvers.foundation.arrays import Float64Array
from solvers.polycube.lattice import Cell, Lattice, Point, in_space, normal
from solvers.polycube.taking_apart.disassembly import Move, Separation

Cells = frozenset[Cell]
Pieces = dict[int, Cells]
Lengths = tuple[int, ...]

Listed = tuple[tuple[int, Cells], ...]

FAR = 12
"""Further than anything that is looked at is wide."""
TIMES = 16


class Space:
    """A lattice, and what is passed in it."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.ways = [(sign * x, sign * y, sign * z) for x, y, z in lattice.ways for sign in (1, -1)]
        self._passed: dict[tuple[Cell, Cell], list[Cell]] = {}

    def passed(self, cell: Cell, way: Cell) -> list[Cell]:
        """Return what a cell passes on a way, and where it ends; itself is left out."""
        low = self.lattice.low([cell])
        kind = shifted_cell(cell, low, -1)
        if (kind, way) not in self._passed:
            self._passed[kind, way] = sorted(self._looked_for(kind, way))
        return [shifted_cell(each, low, 1) for each in self._passed[kind, way]]

    def _looked_for(self, cell: Cell, way: Cell) -> set[Cell]:
        """Search the neighbouring cells, then the neighbours of each cell with a hit."""
        towards = np.array(in_space(self.lattice.frame, way))
        moments = towards * np.arange(1, TIMES + 1)[:, None] / TIMES
        points = (moments[:, None] + inner_points(self.lattice, cell)[None]).reshape(-1, 3)
        middles = np.array(self.lattice.centre([cell])) + moments
        seen, waiting, found = {cell}, [cell], set()
        while waiting:
            for other in {face.beyond for face in self.lattice.faces(waiting.pop())} - seen:
                seen.add(other)
                if (
                    any_close(middles, self.lattice.centre([other]))
                    if self.lattice.balls
                    else any_inside(self.lattice, other, points)
                ):
                    waiting.append(other)
                    found.add(other)
        return found

    def can_move(self, movers: Cells, others: Cells, way: Cell) -> bool:
        """Return whether cells can be moved one step along a way past others."""
        return all(others.isdisjoint(self.passed(cell, way)) for cell in movers)


class Slide(NamedTuple):
    """A set of pieces that go a number of steps along a way."""

    chosen: tuple[int, ...]
    way: Cell
    steps: int

    @property
    def is_out(self) -> bool:
        return self.steps == FAR


def inner_points(lattice: Lattice, cell: Cell) -> Float64Array:
    """Return points inside a cell, close to its surface, its edges and corners."""
    faces = [np.array(face.corners) for face in lattice.faces(cell)]
    centre = np.concatenate(faces).mean(axis=0)
    shares = [np.array(each) / 4 for each in product(range(5), repeat=2) if sum(each) <= 4]
    surface = [
        face[0] + a * (face[at] - face[0]) + b * (face[at + 1] - face[0])
        for face in faces
        for at in range(1, len(face) - 1)
        for a, b in shares
    ]
    points: Float64Array = centre + 0.98 * (np.array(surface) - centre)
    return points


def any_close(middles: Float64Array, other: Point) -> bool:
    """Return whether balls of diameter 1 overlap that have their middles there."""
    return bool(np.linalg.norm(middles - np.array(other), axis=1).min() < 0.99)


def any_inside(lattice: Lattice, cell: Cell, points: Float64Array) -> bool:
    """Return whether one of some points is inside a cell, and not just at its surface."""
    faces = lattice.faces(cell)
    corners = np.array([corner for face in faces for corner in face.corners])
    near = (points > corners.min(axis=0)) & (points < corners.max(axis=0))
    points = points[near.all(axis=1)]
    inside = np.ones(len(points), dtype=bool)
    for face in faces:
        outwards = np.array(normal(face.corners))
        inside &= (points - np.array(face.corners[0])) @ outwards < -1e-4
    return bool(inside.any())


def shifted_cell(cell: Cell, way: Cell, steps: int) -> Cell:
    return cell[0] + steps * way[0], cell[1] + steps * way[1], cell[2] + steps * way[2]


def shifted(cells: Cells, way: Cell, steps: int) -> Cells:
    return frozenset(shifted_cell(cell, way, steps) for cell in cells)


def play(separation: Separation, places: Mapping[int, Cells], space: Space) -> None:
    """Play a way apart step by step; raise AssertionError at the first claim that is not true."""
    there = {piece: places[piece] for piece in separation.pieces}
    assert separation.moves
    for number, move in enumerate(separation.moves):
        last = number == len(separation.moves) - 1
        assert isinstance(move, Move), "nothing turns here"
        assert (move.steps is None) == last
        assert 0 < len(move.pieces) < len(there)
        assert move.way in space.ways
        others = _joined({piece: there[piece] for piece in there if piece not in move.pieces})
        for _ in range(move.steps or FAR):
            moving = {piece: there[piece] for piece in move.pieces}
            assert space.can_move(_joined(moving), others, move.way)
            there |= {piece: shifted(cells, move.way, 1) for piece, cells in moving.items()}
        if last:
            there |= {piece: shifted(there[piece], move.way, -FAR) for piece in move.pieces}
    gone = set(separation.moves[-1].pieces)
    for part, pieces in ((separation.left, set(there) - gone), (separation.removed, gone)):
        assert (part is None) == (len(pieces) == 1)
        if part:
            assert set(part.pieces) == pieces
            play(part, there, space)


def all_shortest(pieces: Pieces, space: Space) -> set[Lengths | None]:
    """Return the lengths that ways apart can have which are the shortest to each separation.

    They are as `Separation.lengths` has them; None is one that comes to pieces which stay together.
    """
    if len(pieces) == 1:
        return {()}
    return set(_all_shortest(tuple(_from_first(pieces, space).items()), space))


@cache
def _all_shortest(listed: Listed, space: Space) -> frozenset[Lengths | None]:
    seen = {listed}
    level = [listed]
    depth = 0
    while level:
        depth += 1
        slides = [(dict(each), slide) for each in level for slide in _slides(dict(each), space)]
        ends = {(tuple(here.items()), slide.chosen) for here, slide in slides if slide.is_out}
        if ends:
            return frozenset(
                None if left is None or removed is None else (depth, *left, *removed)
                for here, gone in ends
                for left, removed in _parts(dict(here), gone, space)
            )
        level = list({other for each in slides for other in _moved(*each, space)} - seen)
        seen.update(level)
    return frozenset({None})


def _parts(
    pieces: Pieces, gone: tuple[int, ...], space: Space
) -> Iterator[tuple[Lengths | None, Lengths | None]]:
    left = {piece: cells for piece, cells in pieces.items() if piece not in gone}
    removed = {piece: pieces[piece] for piece in gone}
    return product(all_shortest(left, space), all_shortest(removed, space))


def _moved(pieces: Pieces, slide: Slide, space: Space) -> Iterator[Listed]:
    for step in range(1, slide.steps + 1):
        moved = {piece: shifted(pieces[piece], slide.way, step) for piece in slide.chosen}
        yield tuple(_from_first({**pieces, **moved}, space).items())


def _slides(pieces: Pieces, space: Space) -> Iterator[Slide]:
    """Yield how far every set of pieces goes along every way, where it goes at all."""
    for size in range(1, len(pieces)):
        for chosen in combinations(pieces, size):
            others = _joined({piece: pieces[piece] for piece in pieces if piece not in chosen})
            for way in space.ways:
                movers = _joined({piece: pieces[piece] for piece in chosen})
                steps = 0
                while steps < FAR and space.can_move(movers, others, way):
                    movers = shifted(movers, way, 1)
                    steps += 1
                if steps:
                    yield Slide(chosen, way, steps)


def _from_first(pieces: Pieces, space: Space) -> Pieces:
    """Move all to where the first piece is near the origin: alike for all that differ by a move."""
    low = space.lattice.low(next(iter(pieces.values())))
    return {piece: shifted(cells, low, -1) for piece, cells in pieces.items()}


def _joined(pieces: Pieces) -> Cells:
    return frozenset().union(*pieces.values())
