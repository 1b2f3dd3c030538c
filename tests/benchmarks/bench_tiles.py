"""Edge matching: the competition's four triangle puzzles, all solutions.

CPU seconds after the compiled search is loaded, beside a plain Python search that lays cell after
cell (the way of the paper). Every solution is checked by plain code.
"""

import time
from collections.abc import Iterator
from pathlib import Path

from solvers.edge_matching.board import Board
from solvers.edge_matching.board_file import load_board
from solvers.edge_matching.covering import TilePuzzle
from solvers.edge_matching.solution import faults, picture, up_to_turns, with_turns
from solvers.edge_matching.solver import solve
from solvers.edge_matching.tile_file import Labels, load_tiles
from solvers.foundation.progress import run_job
from solvers.search.exact_cover.enumeration import load_kernels

TRIANGLES = Path(__file__).parents[1] / "data" / "puzzles" / "triangles"
EXPECTED = {0: (84, 28), 1: (12, 4), 2: (33, 11), 3: (3, 1)}


def run() -> str:
    """Return the table."""
    board = load_board("triangle-9")
    puzzles = {n: TilePuzzle(board, load_tiles(TRIANGLES / f"puzzle{n}.txt")) for n in EXPECTED}
    started = time.process_time()
    load_kernels()
    loading = time.process_time() - started
    lines = [
        f"Loading the compiled search took {loading:.2f} s.",
        "",
        "| puzzle | solutions | up to turns | nodes | this solver, s | plain Python, s |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for number, puzzle in puzzles.items():
        started = time.process_time()
        found = run_job(solve(puzzle))
        seconds = time.process_time() - started
        started = time.process_time()
        plain = set(plain_search(board, puzzle.tiles.tiles))
        plain_seconds = time.process_time() - started
        every = with_turns(found.solutions, board)
        counts = found.count_total, found.count_up_to_turns
        assert counts == EXPECTED[number] == (len(every), len(up_to_turns(every, board)))
        assert not any(faults(solution, board, puzzle.tiles.tiles) for solution in every)
        assert plain == set(map(picture, every))
        lines.append(
            f"| puzzle{number} | {counts[0]} | {counts[1]} | {found.nodes} | {seconds:.4f} "
            f"| {plain_seconds:.4f} |"
        )
    return "\n".join(lines)


def plain_search(board: Board, tiles: tuple[Labels, ...]) -> Iterator[tuple[Labels, ...]]:
    """Yield all solutions, cell after cell, each tile in each turn."""
    earlier = [
        [
            (side, *board.neighbours[cell, side])
            for side in range(board.sides_per_tile)
            if board.neighbours.get((cell, side), (len(board.cells), 0))[0] < cell
        ]
        for cell in range(len(board.cells))
    ]
    turns = [tuple(tile[at:] + tile[:at] for at in range(len(tile))) for tile in tiles]

    def lay(laid: list[Labels], left: list[int]) -> Iterator[tuple[Labels, ...]]:
        if not left:
            yield tuple(laid)
            return
        for tile in left:
            for labels in turns[tile]:
                if all(
                    labels[side] == -laid[cell][other] for side, cell, other in earlier[len(laid)]
                ):
                    yield from lay([*laid, labels], [other for other in left if other != tile])

    yield from lay([], list(range(len(tiles))))
