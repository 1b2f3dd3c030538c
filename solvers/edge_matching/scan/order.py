"""Orders in which the cells may be laid: line by line, or round the rim and then inwards."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import atan2, hypot
from operator import mul

from solvers.edge_matching.board import Board

Order = tuple[int, ...]
Point = tuple[float, ...]


def orders(board: Board) -> Iterator[Order]:
    """Yield orders that may be good ones, each once."""
    middles = [_middle(board, cell) for cell in range(len(board.cells))]
    centre = _mean(middles)
    depths = _depths(board)

    def along(direction: Sequence[int]) -> Callable[[int], tuple[float, ...]]:
        """Return the key of lines, or layers, at right angles to a direction."""
        return lambda cell: (round(sum(map(mul, direction, middles[cell])), 6), *middles[cell])

    def around(turned: float) -> Callable[[int], tuple[float, ...]]:
        """Return the key of rings, which begin in a direction."""
        x, y = centre[:2]
        return lambda cell: (
            depths[cell],
            (atan2(middles[cell][1] - y, middles[cell][0] - x) - turned) % 6.283185,
            hypot(middles[cell][0] - x, middles[cell][1] - y),
            *middles[cell][2:],
        )

    found: set[Order] = set()
    for direction in _directions(board.lattice.dimensions):
        for key in (along(direction), around(atan2(direction[1], direction[0]) - 0.01)):
            order = tuple(sorted(range(len(middles)), key=key))
            if order not in found:
                found.add(order)
                yield order


def _directions(dimensions: int) -> list[tuple[int, ...]]:
    """Return the directions to all neighbours of a square or of a cube, straight ones first."""
    every = product((1, 0, -1), repeat=dimensions)
    return sorted((each for each in every if any(each)), key=lambda each: sum(map(abs, each)))


def _depths(board: Board) -> list[int]:
    """Return for each cell how many steps it is from a cell with a side outside."""
    depths = {cell: 0 for cell, _ in board.rim_sides}
    waiting = deque(depths)
    while waiting:
        cell = waiting.popleft()
        for side in range(board.sides_per_tile):
            touching = board.neighbours.get((cell, side))
            if touching is not None and touching[0] not in depths:
                depths[touching[0]] = depths[cell] + 1
                waiting.append(touching[0])
    return [depths[cell] for cell in range(len(board.cells))]


def _middle(board: Board, cell: int) -> Point:
    return _mean(board.cells[cell].corners)


def _mean(points: Sequence[Point]) -> Point:
    return tuple(sum(values) / len(points) for values in zip(*points, strict=True))
