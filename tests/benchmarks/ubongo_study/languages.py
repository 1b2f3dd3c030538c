"""The thesis' search in NumPy, numba and C: the same boards in the same order as in plain Python.

Each takes problems and returns their tallies, so that any can be exchanged for another.
"""

import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from solvers.foundation.compiled import kernel
from tests.benchmarks.record import MissingRivalError
from tests.benchmarks.ubongo_study.thesis import Problem, Tally, Task, Variant, search

SOURCE: Final = Path(__file__).with_name("thesis.c")

Program = Callable[[Sequence[Problem], int | None], list[Tally]]
Numbers = NDArray[np.int64]
Array = NDArray[np.int8]


def in_python(problems: Sequence[Problem], at_most: int | None = None) -> list[Tally]:
    """Search in plain Python."""
    return [search(problem, at_most) for problem in problems]


def in_numpy(problems: Sequence[Problem], at_most: int | None = None) -> list[Tally]:
    """Search with boards and pieces as arrays of three dimensions, as the thesis has them."""
    return [_search_arrays(problem, at_most) for problem in problems]


def in_numba(problems: Sequence[Problem], at_most: int | None = None) -> list[Tally]:
    """Search in a function that numba compiles at its first call."""
    return [_search_compiled(problem, at_most) for problem in problems]


def compile_c(folder: Path) -> Path:
    """Compile the C program into a folder.

    Raises MissingRivalError if there is no compiler.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        raise MissingRivalError("There is no C compiler; install the system's package gcc.")
    program = folder / "thesis"
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, SOURCE], check=True)
    return program


def run_c(program: Path, problems: Sequence[Problem], at_most: int | None = None) -> list[Tally]:
    """Search with the compiled C program."""
    limit = -1 if at_most is None else at_most
    lines = [f"{len(problems)} {limit}", *map(_problem_text, problems)]
    text = "\n".join(lines)
    result = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    return [Tally(*map(int, line.split())) for line in result.stdout.splitlines()]


def _problem_text(problem: Problem) -> str:
    task = problem.task
    numbers = [len(task.board), task.width, task.depth, int(problem.isolated_cells), *task.board]
    numbers.append(len(problem.variants))
    for variants in problem.variants:
        numbers.append(len(variants))
        for each in variants:
            numbers += [each.width, each.depth, len(each.offsets), *each.offsets]
    return " ".join(map(str, numbers))


def _search_arrays(problem: Problem, at_most: int | None) -> Tally:
    task = problem.task
    pieces = [[_as_array(task, variant) for variant in each] for each in problem.variants]
    found = boards = first = 0

    def place(number: int, board: Array) -> bool:
        nonlocal found, boards, first
        for candidate in _array_boards(board, pieces[number]):
            boards += 1
            if candidate.max() > 1:
                continue
            if candidate.min() == 1:
                found += 1
                first = first or boards
                if found == at_most:
                    return True
                continue
            if problem.isolated_cells and _array_has_isolated_cell(candidate):
                continue
            if number + 1 < len(pieces) and place(number + 1, candidate):
                return True
        return False

    place(0, np.array(task.board, np.int8).reshape(task.height, task.depth, task.width))
    return Tally(found, boards, first)


def _as_array(task: Task, variant: Variant) -> Array:
    array = np.zeros((task.height, variant.depth, variant.width), np.int8)
    for x, y, z in variant.cells:
        array[z, y, x] = 1
    return array


def _array_boards(board: Array, arrays: list[Array]) -> Iterator[Array]:
    for array in arrays:
        _, depth, width = array.shape
        for y in range(board.shape[1] - depth + 1):
            for x in range(board.shape[2] - width + 1):
                candidate = board.copy()
                candidate[:, y : y + depth, x : x + width] += array
                yield candidate


def _array_has_isolated_cell(board: Array) -> bool:
    free = np.pad(board == 0, 1)
    beside = free[:-2, 1:-1, 1:-1] | free[2:, 1:-1, 1:-1] | free[1:-1, :-2, 1:-1]
    beside |= free[1:-1, 2:, 1:-1] | free[1:-1, 1:-1, :-2] | free[1:-1, 1:-1, 2:]
    return bool((free[1:-1, 1:-1, 1:-1] & ~beside).any())


def _search_compiled(problem: Problem, at_most: int | None) -> Tally:
    task, variants = problem.task, [each for piece in problem.variants for each in piece]
    cubes = max(len(each.offsets) for each in variants)
    # Width, depth, number of cubes, offsets; and where each piece's rows begin and the last end.
    rows = np.zeros((len(variants), 3 + cubes), np.int64)
    for row, each in zip(rows, variants, strict=True):
        row[: 3 + len(each.offsets)] = (each.width, each.depth, len(each.offsets), *each.offsets)
    starts = np.cumsum([0, *map(len, problem.variants)])
    boards = np.zeros((len(starts), len(task.board)), np.int8)
    boards[0] = task.board
    at = np.zeros((len(starts), 3), np.int64)
    tally = np.zeros(3, np.int64)
    sides = np.array([task.width, task.depth, problem.isolated_cells], np.int64)
    _search(rows, starts, boards, at, sides, -1 if at_most is None else at_most, tally)
    return Tally(*map(int, tally))


@kernel
def _search(
    rows: Numbers,
    starts: Numbers,
    boards: Any,
    at: Numbers,
    sides: Numbers,
    at_most: int,
    tally: Any,
) -> None:
    width, depth, isolated = sides
    cells, pieces, piece = boards.shape[1], len(starts) - 1, 0
    while piece >= 0:
        row, y, x = at[piece]
        if row == starts[piece + 1]:
            piece -= 1
            continue
        _step(at[piece], width - rows[row, 0], depth - rows[row, 1])
        for cell in range(cells):
            boards[piece + 1, cell] = boards[piece, cell]
        for cube in range(rows[row, 2]):
            boards[piece + 1, x + width * y + rows[row, 3 + cube]] += 1
        tally[1] += 1
        highest, lowest = 0, 1
        for cell in range(cells):
            highest = max(highest, boards[piece + 1, cell])
            lowest = min(lowest, boards[piece + 1, cell])
        if highest > 1:
            continue
        if lowest == 1:
            tally[0] += 1
            if tally[0] == 1:
                tally[2] = tally[1]
            if tally[0] == at_most:
                return
            continue
        if isolated and _has_isolated_cell(boards, piece + 1, width, depth):
            continue
        if piece + 1 < pieces:
            piece += 1
            at[piece, 0] = starts[piece]


@kernel
def _step(at: Numbers, last_x: int, last_y: int) -> None:
    """Make the place after this one the next: x, then y, then the variant."""
    at[2] += 1
    if at[2] > last_x:
        at[2] = 0
        at[1] += 1
    if at[1] > last_y:
        at[1] = 0
        at[0] += 1


@kernel
def _has_isolated_cell(boards: Any, number: int, width: int, depth: int) -> bool:
    cells, layer = boards.shape[1], width * depth
    for cell in range(cells):
        x, y = cell % width, cell // width % depth
        if (
            boards[number, cell] == 0
            and (x == 0 or boards[number, cell - 1])
            and (x == width - 1 or boards[number, cell + 1])
            and (y == 0 or boards[number, cell - width])
            and (y == depth - 1 or boards[number, cell + width])
            and (cell < layer or boards[number, cell - layer])
            and (cell + layer >= cells or boards[number, cell + layer])
        ):
            return True
    return False
