"""Edge matching: the competition's four triangle puzzles, squares and cubes, all solutions.

CPU seconds after the compiled searches are loaded. The triangles stand beside a plain Python search
that lays cell after cell (the way of the paper), every solution checked by plain code; the others
beside an exact cover that serves the scarcest cell or tile first (the packing puzzles' engine), and
xcover, on the same options; squares also beside a plain C program that lays
row by row. A rival that is not done within its time is given up.
"""

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

from solvers.edge_matching.board import Board
from solvers.edge_matching.board_file import load_board, parse_board
from solvers.edge_matching.lattice.flat import SQUARES as SQUARES_LATTICE
from solvers.edge_matching.lattice.lattice import Labels
from solvers.edge_matching.puzzle import Place, TilePuzzle
from solvers.edge_matching.samples import load_puzzle
from solvers.edge_matching.solution import faults, picture, up_to_turns, with_turns
from solvers.edge_matching.solver import load_kernels, solve
from solvers.edge_matching.tile_file import TileSet, load_tiles
from solvers.foundation.progress import run_job
from solvers.search.exact_cover import search as exact_cover
from solvers.search.exact_cover.search import Search
from tests.benchmarks.record import import_rival
from tests.benchmarks.row_scan import scan_rows
from tests.cpu_time import children_cpu_s
from tests.oracles.tile_covering import cover_of

Result = TypeVar("Result")

PUZZLES = Path(__file__).parents[1] / "data" / "puzzles"
OWEN: Final = (PUZZLES / "squares" / "owen-6x6.txt", PUZZLES / "squares" / "framed-6x6.toml")
"""Brendan Owen's 36 tiles, and their board."""
EXPECTED = {0: (84, 28), 1: (12, 4), 2: (33, 11), 3: (3, 1)}
RIVAL_S: Final = 30.0
C_S: Final = 150
TIMES: Final = 5
FRAMED: Final = ((5, 4), (6, 4), (6, 5))
"""Squares a side, and labels within; the rim has another one."""

BOXED: Final = ((2, 6), (3, 8))
"""Heights of boxes of cubes, and their colours."""


def run() -> str:
    """Return the tables."""
    import_rival("xcover")  # fail before minutes of work, not after
    started = time.process_time()
    load_kernels()
    loading = time.process_time() - started
    exact_cover.load_kernels()
    first = f"Loading the compiled search took {loading:.2f} s.\n\n{_triangles()}"
    return f"{first}\n\n{_beside_rivals()}\n\n{_whole_command()}"


def _triangles() -> str:
    board = load_board("triangle-9")
    puzzles = {
        n: TilePuzzle(board, load_tiles(PUZZLES / "triangles" / f"puzzle{n}.txt")) for n in EXPECTED
    }
    lines = [
        "| puzzle | solutions | up to turns | nodes | this solver, s | plain Python, s |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for number, puzzle in puzzles.items():
        seconds, found = _timed(lambda puzzle=puzzle: run_job(solve(puzzle)))  # type: ignore[misc]
        plain_seconds, plain = _timed(
            lambda puzzle=puzzle: set(plain_search(board, puzzle.tiles.tiles))  # type: ignore[misc]
        )
        every = with_turns(found.solutions, board.turns)
        counts = found.count_total, found.count_up_to_turns
        assert counts == EXPECTED[number] == (len(every), len(up_to_turns(every, board.turns)))
        assert not any(faults(solution, board, puzzle.tiles.tiles) for solution in every)
        assert plain == set(map(picture, every))
        lines.append(
            f"| puzzle{number} | {counts[0]} | {counts[1]} | {found.nodes} | {seconds:.4f} "
            f"| {plain_seconds:.4f} |"
        )
    return "\n".join(lines)


def _beside_rivals() -> str:
    puzzles = {f"{side} x {side}, {labels} labels": framed(side, labels) for side, labels in FRAMED}
    tiles, board = OWEN
    puzzles["Owen's 6 x 6"] = TilePuzzle(load_board(str(board)), load_tiles(tiles))
    puzzles["MacMahon's 4 x 6"] = load_puzzle("macmahon-squares")
    puzzles["MacMahon's cubes, 8 of 30"] = load_puzzle("macmahon-cubes")
    puzzles |= {
        f"cubes, 2 x 2 x {height}, {colours} colours": boxed_cubes(height, colours)
        for height, colours in BOXED
    }
    lines = [
        "| puzzle | up to turns | nodes | this solver, s | plain C, s | exact cover, s "
        "| xcover, s |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, puzzle in puzzles.items():
        seconds, found = _timed(lambda p=puzzle: run_job(solve(p, only_count=True)))  # type: ignore[misc]
        rivals = [_plain_c(puzzle, seconds, found.count_up_to_turns)]
        rivals += [
            _beside(seconds, found.count_up_to_turns, by)
            for by in (_cover(puzzle), _xcover(puzzle))
        ]
        lines.append(
            f"| {name} | {found.count_up_to_turns:,} | {found.nodes:,} | {seconds:.3f} "
            f"| {' | '.join(rivals)} |"
        )
    return "\n".join(lines)


def _whole_command() -> str:
    tiles, board = OWEN
    arguments = ["tiles", "solve", str(tiles), "--board", str(board), "--count", "--json"]
    command = [str(Path(sys.executable).with_name("puzzle")), *arguments]
    seconds = []
    for _ in range(TIMES):
        before = children_cpu_s()
        subprocess.run(command, check=True, capture_output=True)
        seconds.append(children_cpu_s() - before)
    return (
        "The whole command `puzzle tiles solve --count` for Owen's 6 x 6, from its start: "
        f"{min(seconds):.2f} s, least of {TIMES}."
    )


def framed(side: int, labels: int) -> TilePuzzle:
    """Return squares, all different, with a rim of 0 that is nowhere else, made from a solution."""
    rows = ["#" * side] * side
    board = parse_board(f'tiles = "squares"\nrows = {rows}\nrim = 0', "framed")
    board = replace(board, same_labels=True, rim_only_outside=True)
    rng = random.Random(side * 100 + labels)
    while True:
        tiles = [[0] * 4 for _ in board.cells]
        for (cell, at), (other, other_at) in board.inner_edges:
            tiles[cell][at] = tiles[other][other_at] = rng.randint(1, labels)
        rng.shuffle(tiles)
        puzzle = TilePuzzle(board, TileSet(labels, tuple(map(tuple, tiles))))
        if len(puzzle.kinds) == side * side:
            return puzzle


def boxed_cubes(height: int, colours: int) -> TilePuzzle:
    """Return cubes for a box 2 x 2 x height, made from a solution."""
    board = parse_board(f'tiles = "cubes"\nlayers = {[["##"] * 2] * height}', "boxed")
    board = replace(board, same_labels=True)
    rng = random.Random(height * 100 + colours)
    tiles = [[rng.randint(1, colours) for _ in range(6)] for _ in board.cells]
    for (cell, at), (other, other_at) in board.inner_edges:
        tiles[other][other_at] = tiles[cell][at]
    rng.shuffle(tiles)
    return TilePuzzle(board, TileSet(colours, tuple(map(tuple, tiles))))


def _plain_c(puzzle: TilePuzzle, seconds: float, expected: int) -> str:
    if puzzle.board.lattice != SQUARES_LATTICE:
        return ""
    anchor = min(
        puzzle.anchors, key=lambda kind: sum(each.kind == kind for each in puzzle.places())
    )
    counted = scan_rows(puzzle, anchor, C_S)
    if counted is None:
        return f"given up at {C_S} ({C_S / seconds:.0f}x)"
    assert counted.solutions == expected, (counted, expected)
    return f"{counted.seconds:.3f} ({counted.seconds / seconds:.1f}x)"


def _beside(seconds: float, expected: int, rival: Iterator[int]) -> str:
    """Return a rival's CPU time, or when it was given up; it must count the same."""
    started, count = time.process_time(), 0
    for some in rival:
        count += some
        taken = time.process_time() - started
        if taken > RIVAL_S:
            return f"given up at {taken:.0f} ({taken / seconds:.0f}x)"
    taken = time.process_time() - started
    assert count == expected, (count, expected)
    return f"{taken:.2f} ({taken / seconds:.0f}x)"


def _cover(puzzle: TilePuzzle) -> Iterator[int]:
    search = Search(cover_of(puzzle, _places(puzzle)), keep_solutions=False)
    while not search.finished:
        before = search.found
        search.advance(1_000_000)
        yield search.found - before


def _places(puzzle: TilePuzzle) -> list[Place]:
    return puzzle.places(next(iter(puzzle.anchors), None))


def _xcover(puzzle: TilePuzzle) -> Iterator[int]:
    edges = {side: at for at, pair in enumerate(puzzle.board.inner_edges) for side in pair}
    options = [
        [f"c{cell}", f"k{kind}"]
        + [f"e{edges[cell, at]}:{x}" for at, x in enumerate(labels) if (cell, at) in edges]
        for cell, kind, labels in _places(puzzle)
    ]
    primary = [f"c{at}" for at in range(len(puzzle.board.cells))]
    secondary = [f"e{at}" for at in range(len(puzzle.board.inner_edges))]
    # Of more tiles than places, none has to be taken.
    spare = len(puzzle.tiles.tiles) > len(primary)
    (secondary if spare else primary).extend(f"k{kind}" for kind in range(len(puzzle.kinds)))
    covers = import_rival("xcover").covers(
        options, primary=primary, secondary=secondary, colored=True
    )
    return (1 for _ in covers)


def _timed(work: Callable[[], Result]) -> tuple[float, Result]:
    started = time.process_time()
    result = work()
    return time.process_time() - started, result


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
