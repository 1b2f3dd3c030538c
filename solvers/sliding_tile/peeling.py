"""A solution of any board at once: outer lines are put in order one after the other.

A line is a row or column at the edge of the unsolved rest. Its tiles are brought home from one end,
the last two together (one of them alone would have to leave again), by moves within the rest. The
state of this search (A*) is the places of these tiles and the blank, so it is small. The final rest
has at most 3 x 3 cells and contains the blank's goal.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from solvers.foundation.progress import Job, Progress
from solvers.sliding_tile.board import MOVES, Board, Placement
from solvers.sliding_tile.whole_space import SIDE

MOVES_A_STEP: Final = 4
"""Assumed moves for one step of a tile: 5 straight on and 3 round a corner, since the blank has to
come round. With 4 the search stays small, though its path is not always the shortest."""


@dataclass(frozen=True, slots=True)
class Rest:
    """The rectangle that is not yet in order: rows and columns, both ends inclusive."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.bottom - self.top + 1

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.right - self.left + 1

    def cells(self, width: int) -> list[int]:
        """Return its cells, row by row, on a board of that width."""
        return [
            row * width + column
            for row in range(self.top, self.bottom + 1)
            for column in range(self.left, self.right + 1)
        ]


def peel(task: Placement, largest: int = SIDE) -> Job[Progress, tuple[str, Placement, Rest]]:
    """Put outer lines in order until at most `largest` rows and columns are left.

    Returns the moves, the task after them, and the rest that is not yet in order.
    """
    rest = Rest(0, task.height - 1, 0, task.width - 1)
    moves = ""
    while rest.height > largest or rest.width > largest:
        line, smaller = _outer_line(rest, task)
        free = set(rest.cells(task.width))
        # The last two tiles together: with one of them at home the other has no way past it.
        for group in (*([cell] for cell in line[:-2]), line[-2:]):
            way = _moves_home(task, group, free)
            task, moves = moved(task, way), moves + way
            free -= set(group)
            yield Progress("putting lines in order", task.cell_count - len(free), task.cell_count)
        rest = smaller
    return moves, task, rest


def finish(task: Placement, rest: Rest) -> str:
    """Return moves that solve the small rest, searching whole positions."""
    cells = rest.cells(task.width)
    return _moves_home(task, [cell for cell in cells if cell != task.goal_blank], set(cells))


def part(task: Placement, rest: Rest) -> Placement:
    """Return the rest that is not yet in order as a board by itself."""
    cells = rest.cells(task.width)
    number = {cell: index for index, cell in enumerate(cells)}
    tiles = tuple(number[task.tiles[cell]] for cell in cells)
    return Placement(rest.width, rest.height, number[task.goal_blank], tiles)


def _outer_line(rest: Rest, task: Placement) -> tuple[list[int], Rest]:
    """Return the cells of a line of the longer side that the blank's goal is not in."""
    # The final rest has to contain the blank's goal, so its line is never taken.
    row, column = divmod(task.goal_blank, task.width)
    cells = rest.cells(task.width)
    if rest.height >= rest.width:
        from_top = row != rest.top
        line = rest.top if from_top else rest.bottom
        smaller = replace(rest, top=line + 1) if from_top else replace(rest, bottom=line - 1)
        return [cell for cell in cells if cell // task.width == line], smaller
    from_left = column != rest.left
    line = rest.left if from_left else rest.right
    smaller = replace(rest, left=line + 1) if from_left else replace(rest, right=line - 1)
    return [cell for cell in cells if cell % task.width == line], smaller


def _moves_home(task: Placement, group: list[int], free: set[int]) -> str:
    """Return few moves within `free` that bring the tiles of `group` home."""
    board = Board(task.width, task.height, tuple(range(task.cell_count)))
    steps = {
        cell: [(move, to) for move in MOVES if (to := board.target(cell, move)) in free]
        for cell in free
    }

    def missing(places: tuple[int, ...]) -> int:
        pairs = zip(places, group, strict=True)
        return MOVES_A_STEP * sum(_distance(place, home, task.width) for place, home in pairs)

    # All other tiles are equal in this search, which keeps its states few.
    start = (task.blank, *(task.tiles.index(home) for home in group))
    came: dict[tuple[int, ...], tuple[tuple[int, ...], str]] = {start: (start, "")}
    gone = {start: 0}
    queue = [(missing(start[1:]), 0, start)]
    goal = tuple(group)
    while True:
        _, made, state = heapq.heappop(queue)
        if state[1:] == goal:
            return "".join(_moves_to(state, came))
        if -made > gone[state]:  # found again with fewer moves since
            continue
        blank = state[0]
        for move, target in steps[blank]:
            reached = (target, *(blank if place == target else place for place in state[1:]))
            distance = gone[state] + 1
            if distance < gone.get(reached, distance + 1):
                gone[reached], came[reached] = distance, (state, move)
                # Among equally good states the deepest is first, which leads to the goal sooner.
                heapq.heappush(queue, (distance + missing(reached[1:]), -distance, reached))


def _distance(place: int, home: int, width: int) -> int:
    return abs(place // width - home // width) + abs(place % width - home % width)


def _moves_to(
    state: tuple[int, ...], came: dict[tuple[int, ...], tuple[tuple[int, ...], str]]
) -> Iterator[str]:
    backwards = []
    while came[state][1]:
        state, move = came[state]
        backwards.append(move)
    return reversed(backwards)


def moved(task: Placement, moves: str) -> Placement:
    """Return the task that is left after some moves."""
    board = Board(task.width, task.height, tuple(range(task.cell_count)))
    tiles, blank = list(task.tiles), task.blank
    for move in moves:
        target = board.target(blank, move)
        assert target is not None
        tiles[blank], tiles[target] = tiles[target], tiles[blank]
        blank = target
    return replace(task, tiles=tuple(tiles))
