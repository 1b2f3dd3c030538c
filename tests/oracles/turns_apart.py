"""Takes cubes apart by slides and quarter turns, by rules alone.

A turn is looked at in steps of a quarter of a degree. Two squares overlap if a corner of one is
inside the other or two of their sides cross; the turning one is made smaller by a thousandth, so
that squares that touch do not count.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations

import numpy as np

from solvers.foundation.arrays import BoolArray, Float64Array
from solvers.polycube.lattice import Cell
from solvers.polycube.taking_apart.disassembly import Separation, Turn

Cells = frozenset[Cell]
Position = tuple[Cells, ...]

STEPS = 360
SMALLER = 0.999
WAYS: tuple[Cell, ...] = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
FAR = 30
CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


@cache
def squares_met(u: int, v: int, smaller: float = SMALLER) -> frozenset[tuple[int, int]]:
    """Return the squares that one at (u, v) meets while it turns about 0, 0.

    All are given by their middles, in half sides; it turns from the first axis to the second.
    """
    far = int(np.hypot(u, v)) + 4
    grid = [(a, b) for a in range(-far, far + 1) for b in range(-far, far + 1)]
    squares = np.array([at for at in grid if (at[0] - u) % 2 == 0 and (at[1] - v) % 2 == 0])
    angles = np.linspace(0, np.pi / 2, STEPS + 1)
    start = np.array((u, v)) / 2 + smaller * CORNERS
    c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
    turned = np.stack([c * start[:, 0] - s * start[:, 1], s * start[:, 0] + c * start[:, 1]], -1)
    apart = turned.mean(axis=1)[:, None] - squares / 2
    # Farther away than two half diagonals nothing meets.
    angle, square = np.nonzero(np.hypot(apart[..., 0], apart[..., 1]) < np.sqrt(2))
    first, second = turned[angle], squares[square][:, None] / 2 + CORNERS
    meet = (
        _has_corner_inside(first, second)
        | _has_corner_inside(second, first)
        | _sides_cross(first, second)
    )
    return frozenset((a, b) for a, b in squares[np.unique(square[meet])].tolist())


def _has_corner_inside(points: Float64Array, square: Float64Array) -> BoolArray:
    """Return for each pair of squares whether the second has a corner of the first inside."""
    sides = np.roll(square, -1, axis=1) - square
    to_points = points[:, :, None] - square[:, None]
    inside = _cross(sides[:, None], to_points) > 0
    return np.asarray(np.any(np.all(inside, axis=2), axis=1))


def _sides_cross(first: Float64Array, second: Float64Array) -> BoolArray:
    a, b = first[:, :, None], np.roll(first, -1, axis=1)[:, :, None]
    c, d = second[:, None], np.roll(second, -1, axis=1)[:, None]
    across = _cross(b - a, c - a) * _cross(b - a, d - a) < 0
    along = _cross(d - c, a - c) * _cross(d - c, b - c) < 0
    return np.asarray(np.any(across & along, axis=(1, 2)))


def _cross(a: Float64Array, b: Float64Array) -> Float64Array:
    product: Float64Array = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return product


def can_turn(movers: Cells, others: Cells, axis: int, centre: tuple[int, int], sign: int) -> bool:
    """Return whether cells can turn about an axis past others; `sign` is 1 or -1."""
    first, second = (axis + 1) % 3, (axis + 2) % 3
    places = {
        (cell[axis], 2 * cell[first] - centre[0], 2 * cell[second] - centre[1]) for cell in others
    }
    return not any(
        (cell[axis], a, sign * b) in places
        for cell in movers
        # A turn back is one forth in the mirror.
        for a, b in squares_met(2 * cell[first] - centre[0], sign * (2 * cell[second] - centre[1]))
    )


def turned(cells: Cells, axis: int, centre: tuple[int, int], sign: int) -> Cells:
    """Return where cells are after a turn."""
    first, second = (axis + 1) % 3, (axis + 2) % 3
    after = set()
    for cell in cells:
        along, across = 2 * cell[first] - centre[0], 2 * cell[second] - centre[1]
        place = list(cell)
        place[first], both = divmod(centre[0] - sign * across, 2)
        place[second], rest = divmod(centre[1] + sign * along, 2)
        assert (both, rest) == (0, 0), "no place of a cube"
        after.add((place[0], place[1], place[2]))
    return frozenset(after)


def slid(cells: Cells, way: Cell, steps: int) -> Cells:
    return frozenset(
        (x + steps * way[0], y + steps * way[1], z + steps * way[2]) for x, y, z in cells
    )


def can_slide(movers: Cells, others: Cells, way: Cell, steps: int) -> bool:
    return all(others.isdisjoint(slid(movers, way, step)) for step in range(1, steps + 1))


def depth(x: float, y: float, angle: float) -> float:
    """Return how far a turned square at (x, y) has to go away from one at 0, 0.

    That is less than 0 if they are apart. All directions are tried, a tenth of a degree apart.
    """
    c, s = np.cos(angle), np.sin(angle)
    turned_corners = CORNERS @ np.array([(c, s), (-s, c)]) + (x, y)
    ways = np.linspace(0, 2 * np.pi, 3600, endpoint=False)
    normals = np.stack([np.cos(ways), np.sin(ways)])
    return float(np.min((CORNERS @ normals).max(axis=0) - (turned_corners @ normals).min(axis=0)))


def play(separation: Separation, places: Mapping[int, Cells], *, at_all_angles: bool = True) -> int:
    """Play a way apart; raise AssertionError at the first claim that is not true.

    Returns the number of turns; what is in their way does not matter unless `at_all_angles`.
    """
    there = {piece: places[piece] for piece in separation.pieces}
    turns = 0
    for number, move in enumerate(separation.moves):
        movers = frozenset().union(*(there[piece] for piece in move.pieces))
        others = frozenset().union(*(there[n] for n in there if n not in move.pieces))
        assert 0 < len(move.pieces) < len(there)
        if isinstance(move, Turn):
            turns += 1
            # The largest piece, or one as large, stays where it is.
            largest = max(map(len, there.values()))
            assert any(len(there[n]) == largest for n in there if n not in move.pieces)
            sign = -1 if move.turn % 2 else 1
            if at_all_angles:
                assert can_turn(movers, others, move.axis, move.centre, sign)
            for piece in move.pieces:
                there[piece] = turned(there[piece], move.axis, move.centre, sign)
        else:
            assert (move.steps is None) == (number == len(separation.moves) - 1)
            assert can_slide(movers, others, move.way, move.steps or FAR)
            for piece in move.pieces:
                there[piece] = slid(there[piece], move.way, move.steps or 0)
        cells = [cell for each in there.values() for cell in each]
        assert len(cells) == len(set(cells))
    gone = set(separation.moves[-1].pieces)
    for part, pieces in ((separation.left, set(there) - gone), (separation.removed, gone)):
        assert (part is None) == (len(pieces) == 1)
        if part:
            turns += play(part, there, at_all_angles=at_all_angles)
    return turns


def fewest_moves(pieces: Position) -> tuple[int | None, int]:
    """Return the moves until some of the pieces are out, None if they stay together.

    Also returns the number of positions seen until then. The largest piece, the first of several,
    does not turn.
    """
    level, seen, moves = [_from_first(pieces)], {_from_first(pieces)}, 0
    while level:
        moves += 1
        if any(_can_leave(position) for position in level):
            return moves, len(seen)
        found = {_from_first(after) for position in level for after in _after(position)}
        level = sorted(found - seen, key=lambda position: [sorted(each) for each in position])
        seen |= found
    return None, len(seen)


def _largest(position: Position) -> int:
    return max(range(len(position)), key=lambda piece: len(position[piece]))


def _sets(position: Position, most: int) -> Iterator[tuple[tuple[int, ...], Cells, Cells]]:
    for size in range(1, most + 1):
        for chosen in combinations(range(len(position)), size):
            others = [cells for piece, cells in enumerate(position) if piece not in chosen]
            movers = [position[piece] for piece in chosen]
            yield chosen, frozenset().union(*movers), frozenset().union(*others)


def _can_leave(position: Position) -> bool:
    return any(
        can_slide(movers, others, way, FAR)
        for _, movers, others in _sets(position, len(position) // 2)
        for way in WAYS
    )


def _after(position: Position) -> Iterator[Position]:
    for chosen, movers, others in _sets(position, len(position) // 2):
        for way in WAYS:
            steps = 1
            while can_slide(slid(movers, way, steps - 1), others, way, 1):
                yield _with(position, chosen, [slid(position[n], way, steps) for n in chosen])
                steps += 1
    for chosen, movers, others in _sets(position, len(position) - 1):
        if _largest(position) in chosen:
            continue
        for axis in range(3):
            ranges = []
            for other in ((axis + 1) % 3, (axis + 2) % 3):
                ats = [cell[other] for cell in movers]
                ranges.append(range(2 * min(ats) - 1, 2 * max(ats) + 2))
            for centre in ((u, v) for u in ranges[0] for v in ranges[1] if (u + v) % 2 == 0):
                for sign in (1, -1):
                    if can_turn(movers, others, axis, centre, sign):
                        moved = [turned(position[n], axis, centre, sign) for n in chosen]
                        yield _with(position, chosen, moved)


def _with(position: Position, chosen: tuple[int, ...], moved: list[Cells]) -> Position:
    after = list(position)
    for piece, cells in zip(chosen, moved, strict=True):
        after[piece] = cells
    return tuple(after)


def _from_first(position: Position) -> Position:
    """Move all to where the first piece is near the origin."""
    x, y, z = (min(cell[axis] for cell in position[0]) for axis in range(3))
    return tuple(frozenset((a - x, b - y, c - z) for a, b, c in cells) for cells in position)
