"""The plain C search for squares, compiled when it is wanted."""

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from solvers.edge_matching.puzzle import Place, TilePuzzle
from tests.cpu_time import children_cpu_s

SOURCE: Final = Path(__file__).with_name("row_scan.c")
TOP, RIGHT, BOTTOM, LEFT = range(4)


class Counted(NamedTuple):
    """What the search found; `seconds` of CPU time."""

    solutions: int
    nodes: int
    seconds: float


def scan_rows(puzzle: TilePuzzle, anchor: int, longest_s: int) -> Counted | None:
    """Return what C finds, or None if there is no compiler or it takes longer.

    Only for boards that are rectangles of squares. The anchor lies only in its first places.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "row_scan"
        subprocess.run([compiler, "-O2", "-o", str(program), str(SOURCE)], check=True)
        before = children_cpu_s()
        problem = _problem(puzzle, puzzle.places(anchor))
        limited = ["sh", "-c", f"ulimit -t {longest_s}; exec {program}"]
        run = subprocess.run(limited, input=problem, capture_output=True, text=True, check=False)
        if run.returncode:
            return None
        solutions, nodes = map(int, run.stdout.split())
        return Counted(solutions, nodes, children_cpu_s() - before)


def _problem(puzzle: TilePuzzle, places: list[Place]) -> str:
    board = puzzle.board
    sign = 1 if board.same_labels else -1
    every = {sign * label for tile in puzzle.tiles.tiles for label in tile} | {
        label for tile in puzzle.tiles.tiles for label in tile
    }
    number = {label: at for at, label in enumerate(sorted(every), start=1)}

    def shown(place: Place, side: int, sign: int = 1) -> int:
        inside = (place.cell, side) in board.neighbours
        return number[sign * place.labels[side]] if inside else 0

    lines = [
        (len(board.cells), max(cell.column for cell in board.cells) + 1),
        (len(puzzle.kinds), len(number) + 1),
        [len(kind.numbers) for kind in puzzle.kinds],
        [len(places)],
    ]
    lines += [
        (
            *(place.cell, place.kind, shown(place, LEFT), shown(place, TOP)),
            *(shown(place, RIGHT, sign), shown(place, BOTTOM, sign)),
        )
        for place in places
    ]
    return "\n".join(" ".join(map(str, line)) for line in lines)
