"""Placements of a piece in a target, found by moving it in space.

It knows no lattice's rotations and no placement lists. A piece is the corners of its cells' faces,
or the middles of its balls. A movement that keeps distances and does not mirror is fixed by where
four points of the piece go that are not in one plane; where the others go then follows.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations

from solvers.polycube.lattice import Cell, Lattice, Point, mean, minus

Solid = frozenset[Point]
CLOSE = 1e-6


def ways_to_lie(
    piece: frozenset[Cell], target: frozenset[Cell], lattice: Lattice
) -> set[frozenset[Cell]]:
    """Return the sets of target cells that the piece can be moved to."""
    return set((_balls if lattice.balls else _solids)(piece, target, lattice))


def fillings(pieces: Sequence[set[frozenset[Cell]]], target: frozenset[Cell]) -> int:
    """Return how often pieces, all different, fill a target, cell by cell."""
    if not target:
        return int(not pieces)
    cell = min(target)
    return sum(
        fillings([*pieces[:number], *pieces[number + 1 :]], target - place)
        for number, places in enumerate(pieces)
        for place in places
        if cell in place and place <= target
    )


def corners(cell: Cell, lattice: Lattice) -> Solid:
    """Return the corners of a cell, each once."""
    return frozenset(_rounded(at, 9) for face in lattice.faces(cell) for at in face.corners)


def _rounded(at: Point, digits: int = 4) -> Point:
    x, y, z = (round(value, digits) + 0.0 for value in at)
    return x, y, z


def _distance(a: Point, b: Point) -> float:
    return sum((u - v) ** 2 for u, v in zip(a, b, strict=True))


def _volume(points: Sequence[Point]) -> float:
    """Return six times a tetrahedron's volume, negative for its mirror image."""
    a, b, c = (minus(at, points[0]) for at in points[1:4])
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
    )


def _solids(
    piece: frozenset[Cell], target: frozenset[Cell], lattice: Lattice
) -> Iterator[frozenset[Cell]]:
    """Move a cell's corners to a target cell's in every order; the other cells go with them."""
    solids = [corners(cell, lattice) for cell in piece]
    there = {cell: corners(cell, lattice) for cell in target}
    cell_of = {frozenset(map(_rounded, solid)): cell for cell, solid in there.items()}
    base = _in_no_plane(sorted(solids[0]))
    for solid in there.values():
        for image in permutations(sorted(solid), 4):
            if not _moved(base, image):
                continue
            moved = [frozenset(_follow(base, image, at) for at in each) for each in solids]
            if all(each in cell_of for each in moved):
                yield frozenset(cell_of[each] for each in moved)


def _in_no_plane(points: Sequence[Point]) -> tuple[Point, ...]:
    return next(four for four in permutations(points, 4) if abs(_volume(four)) > CLOSE)


def _moved(base: Sequence[Point], image: Sequence[Point]) -> bool:
    """Return whether a movement leads from four points to four others."""
    far = all(
        abs(_distance(base[a], base[b]) - _distance(image[a], image[b])) < 0.001
        for a in range(4)
        for b in range(a)
    )
    return far and abs(_volume(base) - _volume(image)) < 0.001


def _follow(base: Sequence[Point], image: Sequence[Point], at: Point) -> Point:
    """Return where a point goes: it keeps its barycentric coordinates."""
    whole = _volume(base)
    shares = [_volume([*base[:n], at, *base[n + 1 :]]) / whole for n in range(4)]
    x, y, z = (
        sum(share * corner[axis] for share, corner in zip(shares, image, strict=True))
        for axis in range(3)
    )
    return _rounded((x, y, z))


def _balls(
    piece: frozenset[Cell], target: frozenset[Cell], lattice: Lattice
) -> Iterator[frozenset[Cell]]:
    """Put ball after ball where it has the right distance from all before it."""
    place = {cell: mean(sorted(corners(cell, lattice))) for cell in piece | target}
    order = sorted(piece)
    solid = [
        four
        for four in permutations(range(len(order)), 4)
        if abs(_volume([place[order[n]] for n in four])) > CLOSE
    ][:1]

    def further(taken: list[Cell]) -> Iterator[list[Cell]]:
        if len(taken) == len(order):
            yield taken
            return
        here = place[order[len(taken)]]
        for cell in target.difference(taken):
            if all(
                abs(_distance(place[cell], place[old]) - _distance(here, place[order[n]])) < 0.001
                for n, old in enumerate(taken)
            ):
                yield from further([*taken, cell])

    for taken in further([]):
        if all(
            _volume([place[order[n]] for n in four]) * _volume([place[taken[n]] for n in four]) > 0
            for four in solid
        ):
            yield frozenset(taken)
