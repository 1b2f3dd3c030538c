"""Sliding tiles: how short solutions are when time is limited, beside weighted A*

Random boards that are too large for a proof. The plain rival is weighted A* (Pohl, First results on
the effect of error in heuristic search, 1970) with Manhattan distance: the textbook's way to a
good solution, here in plain Python, ended by a number of positions rather than by time.
"""

import heapq
import random
import sys
import time
from itertools import count

from solvers.foundation.progress import run_job
from solvers.sliding_tile.board import Board, is_solvable, usual_goal
from solvers.sliding_tile.solver import Solution, choose, solution_so_far, solve, warm_up

BOARDS = ((5, 1), (5, 2), (6, 1), (6, 2))
"""Side and seed."""

TIME_S = 3.0
WEIGHT = 3
MOST_POSITIONS = 150_000


def random_board(side: int, seed: int) -> Board:
    """Return a board drawn from all that can be solved."""
    cells = list(range(side * side))
    generator = random.Random(seed)
    while True:
        generator.shuffle(cells)
        board = Board(side, side, tuple(cells))
        if is_solvable(board, usual_goal(board)):
            return board


def ours(start: Board, goal: Board) -> tuple[int, Solution]:
    """Return the length of the solution that is there at once, and what is known after TIME_S."""
    algorithm = choose(start)
    began = time.process_time()
    job = solve(start, goal)
    first: int | None = None
    for event in job:
        known = solution_so_far(event, algorithm)
        if known is None:
            continue
        first = first or len(known.moves)
        if time.process_time() - began > TIME_S:
            job.close()
            break
    assert first is not None
    assert known is not None
    if start.moved(known.moves) != goal:
        raise AssertionError(f"wrong solution of {start}")
    return first, known


def rival(start: Board, goal: Board) -> int | None:
    """Return the length of what weighted A* finds, or None within MOST_POSITIONS."""
    side = start.width
    homes = {tile: divmod(place, side) for place, tile in enumerate(goal.cells)}

    def away(place: int, tile: int) -> int:
        row, column = divmod(place, side)
        return abs(row - homes[tile][0]) + abs(column - homes[tile][1])

    distance = sum(away(place, tile) for place, tile in enumerate(start.cells) if tile)
    order = count()
    queue = [(WEIGHT * distance, next(order), 0, distance, start.cells)]
    seen = {start.cells: 0}
    for _ in range(MOST_POSITIONS):
        _, _, done, distance, cells = heapq.heappop(queue)
        if distance == 0:
            return done
        blank = cells.index(0)
        for step in (-side, side, -1, 1):
            there = blank + step
            if not 0 <= there < len(cells) or (abs(step) == 1 and there // side != blank // side):
                continue
            tile = cells[there]
            moved = list(cells)
            moved[blank], moved[there] = tile, 0
            following = tuple(moved)
            if seen.get(following, done + 2) <= done + 1:
                continue
            seen[following] = done + 1
            left = distance + away(blank, tile) - away(there, tile)
            entry = (done + 1 + WEIGHT * left, next(order), done + 1, left, following)
            heapq.heappush(queue, entry)
    return None


def run() -> str:
    """Return the section."""
    rows = []
    for side, seed in BOARDS:
        start = random_board(side, seed)
        goal = usual_goal(start)
        run_job(warm_up(goal))
        print(f"{side} x {side}, seed {seed}", file=sys.stderr, flush=True)
        first, known = ours(start, goal)
        began = time.process_time()
        other = rival(start, goal)
        other_s = time.process_time() - began
        found = len(known.moves)
        rows.append(
            f"| {side} x {side}, {seed} | {first} | {found} | {known.least} | "
            f"{found / known.least:.2f} | {other or 'none'} | {other_s:.1f} |"
        )
    head = (
        f"| board, seed | at once | after {TIME_S:g} s | proven bound | moves to bound | "
        f"weighted A*, weight {WEIGHT} | its CPU s |\n|---|---|---|---|---|---|---|\n"
    )
    return (
        "Moves. *At once* is the usual way by hand, line by line; the bound is that of the proof "
        f"by then. The rival gives up after {MOST_POSITIONS:,} positions.\n\n"
        + head
        + "\n".join(rows)
    )
