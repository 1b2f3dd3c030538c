"""Straight-line assembly: which solutions go together by hand.

Every solution of the Soma cube and of the Bedlam cube, and the first 20 000 of the c't puzzle, one
piece after another in straight moves, from above or the side and resting on what is there. CPU
seconds of the search for an order alone; every order is played through by plain code.
"""

import time
from itertools import islice

from solvers.polycube import library
from solvers.polycube.solving import solver
from solvers.polycube.taking_apart.assembly import Assembly, assemble

PUZZLES = (("soma", 240), ("bedlam", 19_186), ("ct-puzzle", 20_000))
FAR = 8  # further than any of these boxes is wide


def run() -> str:
    """Return the table."""
    lines = [
        "| puzzle | solutions tried | go together by hand | s | ms each |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, number in PUZZLES:
        seconds, possible, tried = 0.0, 0, 0
        for solution in islice(solver.solutions(library.load(name)), number):
            started = time.process_time()
            result = assemble(solution, gravity=True)
            seconds += time.process_time() - started
            tried += 1
            possible += result.possible
            play(result)
        assert tried == number
        each_ms = 1000 * seconds / tried
        lines.append(f"| {name} | {tried} | {possible} | {seconds:.2f} | {each_ms:.2f} |")
    return "\n".join(lines)


def play(assembly: Assembly) -> None:
    """Bring every piece in from far away, step by step, and look that nothing is in the way."""
    placed: set[tuple[int, ...]] = set()
    for step in assembly.steps:
        way, cells = step.direction.value, step.placement.cells
        for distance in range(FAR):
            moved = {
                tuple(c - distance * w for c, w in zip(cell, way, strict=True)) for cell in cells
            }
            assert placed.isdisjoint(moved)
        below = {(x, y, z - 1) for x, y, z in cells}
        assert min(z for _, _, z in cells) == 0 or not placed.isdisjoint(below)
        placed |= cells
