"""Orders in which the cells may be laid: line by line, or round the rim and then inwards."""

from collections import deque
from collections.abc import Callable
from math import atan2, hypot

from solvers.edge_matching.board import Board

Order = tuple[int, ...]
Point = tuple[float, float]


def orders(board: Board) -> list[Order]:
    """Return orders that may be good ones, each once."""
    middles = [_middle(board, cell) for cell in range(len(board.cells))]
    centre = _mean(middles)
    depths = _depths(board)

    def along(across: float, down: float) -> Callable[[int], tuple[float, ...]]:
        """Return the key of lines at right angles to a direction."""
        return lambda cell: (
            round(across * middles[cell][0] + down * middles[cell][1], 6),
            *middles[cell],
        )

    def around(turned: float) -> Callable[[int], tuple[float, ...]]:
        """Return the key of rings, which begin in a direction."""
        x, y = centre
        return lambda cell: (
            depths[cell],
            (atan2(middles[cell][1] - y, middles[cell][0] - x) - turned) % 6.283185,
            hypot(middles[cell][0] - x, middles[cell][1] - y),
        )

    directions = [(1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1), (-1, 1)]
    keys = []
    for across, down in directions:
        keys += [along(across, down), around(atan2(down, across) - 0.01)]
    cells = range(len(middles))
    return list(dict.fromkeys(tuple(sorted(cells, key=key)) for key in keys))


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
    return _mean([(float(x), float(y)) for x, y in board.cells[cell].corners])


def _mean(points: list[Point]) -> Point:
    xs, ys = zip(*points, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)
