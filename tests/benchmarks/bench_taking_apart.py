"""Taking apart: levels of known burrs, and how fast positions are looked at.

Every solution of each puzzle is taken apart. CPU seconds of the search for solutions and for ways
apart together, warm. The burrs are named by Cutler's numbers of their pieces; the levels in print
are those of their makers. The loose stones in a closed box are a proof that goes through every
position: n stones of one cell in m cells have m! / (m - n)! of them.
"""

import time
from itertools import product

from solvers.foundation.progress import run_job
from solvers.polycube import library
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution, Placement
from solvers.polycube.taking_apart.apart import Disassembler, load_kernels
from solvers.polycube.taking_apart.collection import Collection, collect_job
from solvers.polycube.taking_apart.disassembly import Turn
from tests.burrs import burr
from tests.turning_cubes import assembled

BURRS = {
    "Double Cross": ((1, 154, 256, 256, 1024, 1024), "1"),
    "Philippe Dubois": ((120, 160, 256, 512, 880, 960), "6.4"),
    "Artifactory 5/4": ((412, 480, 512, 704, 704, 960), "5.4"),
    "Piston Burr": ((88, 512, 768, 922, 1008, 1008), "9.3"),
    "Love's Dozen": ((88, 512, 704, 960, 992, 1008), "12"),
}
SHIPPED = ("soma", "bedlam")
CLEARANCES = {"Convolution's Cousin": 0.05, "Sliproad": 0.15, "Wedlock": 0.15, "Ennui": 0.2}
BOXES = ((3, 3), (4, 3), (3, 4))  # edge in cells, stones


def run() -> str:
    """Return the tables."""
    load_kernels()
    lines = [
        "| puzzle | solutions | come apart | hardest | in print | s | ms each |",
        "|---|---:|---:|---|---|---:|---:|",
    ]
    for name, (numbers, in_print) in BURRS.items():
        lines.append(_row(name, burr(*numbers), in_print))
    lines += [_row(name, library.load(name), "") for name in SHIPPED]
    lines += [
        "",
        "| loose stones in a closed box | positions | s | us each |",
        "|---|---:|---:|---:|",
    ]
    for edge, stones in BOXES:
        solution = box_with_stones(edge, stones)
        started = time.process_time()
        found = run_job(Disassembler().take_apart(solution))
        seconds = time.process_time() - started
        expected = 1
        for stone in range(stones):
            expected *= edge**3 - stone
        assert (found.level, found.positions) == (None, expected)
        each = 1e6 * seconds / expected
        lines.append(f"| {stones} in {edge}^3 | {expected} | {seconds:.2f} | {each:.2f} |")
    lines += [
        "",
        "Turning interlocking cubes as published for printing, with slides and turns about "
        "fixed axes, and with clearance:",
        "",
        "| cube | fixed axes | clearance | level | turns | s |",
        "|---|---|---:|---|---:|---:|",
    ]
    load_kernels(rotations=True)
    for name, clearance in CLEARANCES.items():
        lines.append(_turning_row(name, clearance))
    return "\n".join(lines)


def _turning_row(name: str, clearance: float) -> str:
    solution = assembled(name)
    fixed = run_job(Disassembler(rotations=True).take_apart(solution))
    started = time.process_time()
    found = run_job(Disassembler(rotations=True, clearance=clearance).take_apart(solution))
    seconds = time.process_time() - started
    parts = found.separation.every() if found.separation else ()
    turns = sum(isinstance(move, Turn) for part in parts for move in part.moves)
    return (
        f"| {name} | {fixed.level or 'locked'} | {clearance:g} | {found.level or 'locked'} "
        f"| {turns} | {seconds:.1f} |"
    )


def _row(name: str, puzzle: PackingPuzzle, in_print: str) -> str:
    collection = Collection(keep=0)
    started = time.process_time()
    run_job(collect_job(puzzle, collection))
    seconds = time.process_time() - started
    level = next(collection.hardest_levels())[0]
    assert (level + ".").startswith(in_print + "." if in_print else "")
    each_ms = 1000 * seconds / collection.solutions
    return (
        f"| {name} | {collection.solutions} | {collection.come_apart} | {level} | {in_print} "
        f"| {seconds:.2f} | {each_ms:.2f} |"
    )


def box_with_stones(edge: int, stones: int) -> PackingSolution:
    """Return a closed box with a hollow of `edge` cells each way and stones of one cell in it."""
    hollow = sorted(product(range(edge), range(edge), range(edge)))
    wide = range(-1, edge + 1)
    walls = frozenset(product(wide, wide, wide)) - frozenset(hollow)
    pieces = [walls, *(frozenset({cell}) for cell in hollow[:stones])]
    return PackingSolution(tuple(Placement(str(n), 0, cells) for n, cells in enumerate(pieces)))
