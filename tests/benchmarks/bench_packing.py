"""Packing puzzles: all solutions.

CPU seconds of one process unless said otherwise. Every count is verified, and every solution is
checked by code that shares nothing with the search.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from solvers.foundation.progress import run_job
from solvers.polycube import library
from solvers.polycube.puzzle import PackingPuzzle, Piece, Shape, Target
from solvers.polycube.puzzle_file import dumps
from solvers.polycube.solving import solver
from solvers.polycube.solving.problem import problem
from solvers.search import executors
from solvers.search.exact_cover import search as exact_cover
from solvers.search.parts import PARTS
from tests.benchmarks.record import import_rival
from tests.burrs import solid_burrs
from tests.cpu_time import children_cpu_s
from tests.oracles.packing_rules import check_solution

ROOT = Path(__file__).parents[2]
SHARED = ROOT / "tests" / "data" / "puzzles"
REPEATS = 3

# Name: solutions up to symmetry, all solutions.
PUZZLES: dict[str, tuple[int, int]] = {
    "soma": (240, 11520),
    "drilled-cube": (4, 96),
    "drilled-cube-plain": (222, 5328),
    "pentomino-3x20": (2, 8),
    "pentomino-4x15": (368, 1472),
    "pentomino-5x12": (1010, 4040),
    "pentomino-6x10": (2339, 9356),
    "pentomino-2x5x6": (264, 2112),
    "pentomino-3x4x5": (3940, 31520),
    "bedlam": (19186, 460464),
    "ct-puzzle-logo": (1, 1),
    "ct-puzzle": (409963, 1639852),
}

# CPU seconds of programs that a run here does not measure: they are built by hand from C++ or CWEB
# sources. So their figures are shown with source and date, and not divided by those of this run.
RECORDED = "2026-11-20"
RECORDED_PROGRAMS = (
    "BurrTools 0.7.1 (`burrTxt -q`)",
    "Knuth's ssxcc (dancing cells)",
    "Busche's polycube (the fastest of 5 to 20 sets of options)",
)
RECORDED_CPU_S = {
    "soma": ("0.01", "below 0.01", "0.04"),
    "pentomino-6x10": ("2.37", "1.02", "0.11"),
    "pentomino-2x5x6": ("3.26", "0.64", "0.60"),
    "pentomino-3x4x5": ("28.6", "14.8", "11.2"),
    "bedlam": ("88.9", "47.4", "17.0"),
    "ct-puzzle": ("487", "293", "96"),
}
# Required CPU seconds on one core.
LIMITS = {"bedlam": 5.0, "ct-puzzle": 25.0, "pentomino-3x4x5": 1.0, "pentomino-6x10": 0.13}
UBONGO_LIMIT = 0.1
TWO_PROCESSES_LIMIT = 13.0

# What the Python packages can do in reasonable time; exact-cover needs much longer for 3x4x5.
XCOVER = ("soma", "pentomino-6x10", "pentomino-3x4x5")
EXACT_COVER = ("soma", "pentomino-6x10")


def run() -> str:
    """Measure everything and return the section."""
    for rival in ("exact_cover", "xcover"):
        import_rival(rival)  # fail before minutes of work, not after
    exact_cover.load_kernels()
    ours = {name: _count(name) for name in PUZZLES}
    return "\n\n".join(
        [
            _all_solutions(ours),
            _recorded_programs(),
            _several_words(),
            _python_packages(ours),
            _two_processes(),
            _ubongo(),
            _starts(),
            _checks(),
        ]
    )


def _cpu(action: Callable[[], object], repeats: int) -> float:
    """Return the least CPU time of several runs."""
    times = []
    for _ in range(repeats):
        problem.cache_clear()
        start = process_time()
        action()
        times.append(process_time() - start)
    return min(times)


def _count(name: str) -> tuple[float, int]:
    """Return CPU seconds, placements and symmetries included, and nodes."""
    up_to_symmetry, total = PUZZLES[name]
    counted = solver.count(library.load(name))
    assert (counted.up_to_symmetry, counted.total) == (up_to_symmetry, total), name
    repeats = 1 if name == "ct-puzzle" else REPEATS
    return _cpu(lambda: solver.count(library.load(name)), repeats), counted.nodes


def _all_solutions(ours: dict[str, tuple[float, int]]) -> str:
    rows = []
    for name, (cpu_s, nodes) in ours.items():
        up_to_symmetry, total = PUZZLES[name]
        limit = LIMITS.get(name)
        met = "" if limit is None else f"{limit:g} ({'met' if cpu_s <= limit else 'missed'})"
        rows.append([name, up_to_symmetry, total, f"{nodes:,}", f"{cpu_s:.3f}", met])
    heads = ["puzzle", "solutions", "with images", "nodes", "CPU s", "limit"]
    return "All solutions, warm, the least of three runs (c't puzzle: one).\n\n" + _table(
        heads, rows
    )


def _recorded_programs() -> str:
    rows = [[name, *cpu_s] for name, cpu_s in RECORDED_CPU_S.items()]
    return (
        "Other programs, not measured in this run: CPU seconds of the same counts, recorded on "
        f"{RECORDED} with programs built from their sources on another machine. They may not be "
        "compared as ratios.\n\n" + _table(["puzzle", *RECORDED_PROGRAMS], rows)
    )


def _reduced(name: str) -> tuple[list[list[int]], int]:
    """Return the options, as lists of items, of which each class of solutions needs one.

    It is what these packages can be given: one item's options up to symmetry.
    """
    ready = problem(library.load(name))
    parts = [part.part for part in ready.group.reduce()]
    symmetric = {part.chosen[0] for part in parts if part.chosen}
    images = {int(image[option]) for image in ready.group.images for option in symmetric}
    banned = images.union(*(part.banned for part in parts if not part.chosen)) - symmetric
    words = [
        option for number, option in enumerate(ready.packed.cover.options) if number not in banned
    ]
    used = 0
    for word in words:
        used |= word
    items = [item for item in range(used.bit_length()) if used >> item & 1]
    number_of = {item: number for number, item in enumerate(items)}
    rows = [[number_of[item] for item in items if word >> item & 1] for word in words]
    return rows, len(items)


def _boxes() -> dict[str, tuple[PackingPuzzle, int]]:
    """Return puzzles that the search over single words alone cannot take, and their counts."""
    five = {piece.name: piece.shape for piece in library.load("pentomino-6x10").pieces}
    pairs = [Piece(name, five[name], 2, 2) for name in "LNPTVW"]
    spread = [Piece(name, five[name], 0, 3) for name in "LPUVY"]
    flat = {"domino": [["##"]], "L tromino": [["##", "#."]]}
    many = {name: Piece(name, Shape.from_layers(rows), 0, 99) for name, rows in flat.items()}
    boxes = {
        "two each of L N P T V W in 5 x 12": ((5, 12), pairs, 15810),
        "0 to 3 each of L P U V Y in 5 x 7": ((5, 7), spread, 8776),
        "L trominoes in 9 x 9": ((9, 9), [many["L tromino"]], 1193600),
        "dominoes in 8 x 8": ((8, 8), [many["domino"]], 12988816),
        "dominoes in 14 x 14": ((14, 14), [many["domino"]], 112202208776036178000000),
    }
    return {
        name: (PackingPuzzle("p", name, Target.box(*box), tuple(pieces)), total)
        for name, (box, pieces, total) in boxes.items()
    }


def _several_words() -> str:
    rows = []
    for name, (puzzle, total) in _boxes().items():
        counted = solver.count(puzzle)
        assert counted.total == total, (name, counted)
        cpu_s = _cpu(partial(solver.count, puzzle), REPEATS)
        each = f"{1e6 * cpu_s / counted.nodes:.2f}"
        rows.append([name, total, f"{counted.nodes:,}", f"{cpu_s:.3f}", each])
    return "Several copies, several words and frontiers, everything included.\n\n" + _table(
        ["puzzle", "with images", "nodes", "CPU s", "us a node"], rows
    )


def _python_packages(ours: dict[str, tuple[float, int]]) -> str:
    """Run xcover and exact-cover in this process on the same options."""
    package, xcover = import_rival("exact_cover"), import_rival("xcover")

    def by_xcover(name: str) -> int:
        rows, _items = _reduced(name)
        return sum(1 for _ in xcover.covers(rows))

    def by_exact_cover(name: str) -> int:
        rows, items = _reduced(name)
        matrix = np.zeros((len(rows), items), dtype=np.int32)
        for number, row in enumerate(rows):
            matrix[number, row] = 1
        return int(package.get_solution_count(matrix))

    by_xcover("soma")
    rows = []
    for name in XCOVER:
        cpu_s = ours[name][0]
        theirs = [_cpu(lambda name=name: by_xcover(name), 1)]  # type: ignore[misc]
        if name in EXACT_COVER:
            theirs.append(_cpu(lambda name=name: by_exact_cover(name), 1))  # type: ignore[misc]
        shown = [f"{t:.2f} ({t / cpu_s:.0f}x)" for t in theirs]
        rows.append([name, f"{cpu_s:.3f}", *shown, *["too long"] * (2 - len(shown))])
    return (
        "The Python packages in the same run, compiled, on one item's options up to symmetry.\n\n"
        + _table(["puzzle", "CPU s", "xcover", "exact-cover"], rows)
    )


def _two_processes() -> str:
    puzzle = library.load("ct-puzzle")
    start, before = perf_counter(), children_cpu_s()
    two = partial(executors.processes, 2)
    counted = run_job(solver.count_job(puzzle, at_least_parts=PARTS, workers=two))
    wall_s, cpu_s = perf_counter() - start, children_cpu_s() - before
    assert counted.up_to_symmetry == PUZZLES["ct-puzzle"][0]
    met = "met" if cpu_s / 2 <= TWO_PROCESSES_LIMIT else "missed"
    return (
        f"c't puzzle in two processes: {cpu_s / 2:.2f} CPU s each (limit "
        f"{TWO_PROCESSES_LIMIT:g}: {met}), {wall_s:.2f} s by the clock on the shared machine, "
        "start of the processes included."
    )


def _ubongo() -> str:
    path = SHARED / "ubongo_tasks.json"
    puzzles = list(_ubongo_puzzles(json.loads(path.read_text(encoding="utf-8"))))
    start = process_time()
    found = [list(solver.solutions(puzzle, every=True)) for puzzle in puzzles]
    cpu_s = process_time() - start
    for puzzle, solutions in zip(puzzles, found, strict=True):
        assert solutions
        for solution in solutions:
            check_solution(puzzle, solution)
    met = "met" if cpu_s <= UBONGO_LIMIT else "missed"
    return (
        f"All {len(puzzles)} given Ubongo tasks, all {sum(map(len, found))} solutions, placements "
        f"included, the first time in the process: {cpu_s:.3f} CPU s (limit {UBONGO_LIMIT:g}: "
        f"{met})."
    )


def _ubongo_puzzles(data: dict[str, list[dict[str, Sequence[str]]]]) -> Iterable[PackingPuzzle]:
    pieces = {int(piece.name): piece for piece in library.ubongo_pieces()}
    for board in (*data["three_piece"], *data["four_piece"]):
        cells = frozenset(
            (x, y, z)
            for y, row in enumerate(board["rows"])
            for x, mark in enumerate(row)
            if mark == "."
            for z in range(2)
        )
        for task in board["tasks"]:
            chosen = tuple(pieces[int(number)] for number in task)
            yield PackingPuzzle("task", "task", Target(cells), chosen)


def tetracubes() -> PackingPuzzle:
    """Return the eight tetracubes in a box; 1390 ways are Ishino's, for the square enlarged."""
    flat = {"I": "####", "O": "## ##", "L": "### #..", "T": "### .#.", "N": "##. .##"}
    solid = {"A": ("## .#", "#. .."), "B": ("## #.", ".# .."), "P": ("## #.", "#. ..")}
    layers = {name: (rows,) for name, rows in flat.items()} | solid
    pieces = tuple(
        Piece(name, Shape.from_layers([rows.split() for rows in piece]))
        for name, piece in layers.items()
    )
    return PackingPuzzle("tetracubes", "Tetracubes", Target.box(2, 4, 4), pieces)


# Counts of whole processes, up to symmetry, and the CPU seconds required.
WHOLE_PROCESSES = {
    "soma": (240, 0.4),
    "pentomino-6x10": (2339, 0.4),
    "tetracubes.toml": (1390, 0.4),
    "solid-burrs.toml": (1063, 0.8),
    "drilled-cube": (4, 8.0),
    "bedlam": (19186, 2.0),
    "ct-puzzle": (409963, 8.0),
}


def _starts() -> str:
    """Run the command from a copy of the sources without compiled code, then again."""
    with tempfile.TemporaryDirectory() as folder:
        copied = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "solvers", Path(folder) / "solvers", ignore=copied)
        for puzzle in (tetracubes(), solid_burrs()):
            Path(folder, f"{puzzle.name}.toml").write_text(dumps(puzzle), encoding="utf-8")
        cold = _start(folder, "soma")
        warm = {name: _warm_start(folder, name) for name in WHOLE_PROCESSES}
    rows = [["soma, cold (compiles)", f"{cold[0]:.2f}", "", f"{cold[1]:.2f}", f"{cold[2]:.3f}"]]
    for name, (cpu_s, wall_s, search_s) in warm.items():
        limit = WHOLE_PROCESSES[name][1]
        met = f"{limit:g} ({'met' if cpu_s <= limit else 'missed'})"
        rows.append([name, f"{cpu_s:.2f}", met, f"{wall_s:.2f}", f"{search_s:.3f}"])
    return (
        "The whole process of `puzzle pack solve PUZZLE --count`, interpreter and files included; "
        "warm, the least of three (c't puzzle: one). `tetracubes.toml` is the eight tetracubes in "
        "2 x 4 x 4, `solid-burrs.toml` six of the 25 notchable pieces, in any number.\n\n"
        + _table(
            ["puzzle", "CPU s", "limit", "s by the clock", "of these the search, by the clock"],
            rows,
        )
    )


def _warm_start(folder: str, name: str) -> tuple[float, float, float]:
    return min(_start(folder, name) for _ in range(1 if name == "ct-puzzle" else REPEATS))


def _start(folder: str, puzzle: str) -> tuple[float, float, float]:
    """Return CPU seconds, seconds by the clock, and those of the search."""
    before, clock = children_cpu_s(), perf_counter()
    command = "from solvers.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", command, "pack", "solve", puzzle, "--count", "--json"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": folder, "XDG_CACHE_HOME": folder},
        capture_output=True,
        check=True,
    )
    counted = json.loads(done.stdout)
    assert counted["count"] == WHOLE_PROCESSES[puzzle][0], (puzzle, counted)
    return children_cpu_s() - before, perf_counter() - clock, counted["wall_seconds"]


def _checks() -> str:
    """Check every single solution of every puzzle."""
    checked = 0
    for name, (up_to_symmetry, _) in PUZZLES.items():
        puzzle = library.load(name)
        here = 0
        for solution in solver.solutions(puzzle):
            check_solution(puzzle, solution)
            here += 1
        assert here == up_to_symmetry, name
        checked += here
    return f"Checked one by one: {checked:,} solutions, one of each class of every puzzle above."


def _table(heads: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)
