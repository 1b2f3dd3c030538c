"""The 15-puzzle: Korf's instances, optimally

Instances and optimal lengths are those of Korf, Depth-first iterative-deepening, Artificial
Intelligence 27 (1985), table 1. Every solution is replayed.
"""

import sys
import time

from solvers.foundation.progress import run_job
from solvers.sliding_tile.board import parse_board
from solvers.sliding_tile.solver import Algorithm, solve

GOAL = parse_board(" ".join(map(str, range(16))))
INSTANCES = {
    79: ("0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", 42),
    12: ("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", 45),
    2: ("13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6", 55),
    1: ("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", 57),
    3: ("14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15", 59),
}
HARD = 3
SEARCHES = (
    Algorithm.PATTERN_DATABASE,
    Algorithm.WALKING_DISTANCE,
    Algorithm.LINEAR_CONFLICT,
)


def run() -> str:
    """Return the section."""
    for algorithm in SEARCHES:  # compile, and make tables
        run_job(solve(GOAL.moved("rdr"), GOAL, algorithm))
    rows = []
    for number, (cells, length) in INSTANCES.items():
        start = parse_board(cells)
        for algorithm in SEARCHES[:1] if number == HARD else SEARCHES:
            print(f"instance {number}, {algorithm}", file=sys.stderr, flush=True)
            began = time.process_time()
            solution = run_job(solve(start, GOAL, algorithm))
            seconds = time.process_time() - began
            if len(solution.moves) != length or start.moved(solution.moves) != GOAL:
                raise AssertionError(f"instance {number}: {solution}")
            rows.append(
                f"| {number} | {length} | {algorithm} | {solution.generated:,} | {seconds:.2f} |"
            )
    head = "| instance | moves | algorithm | positions | CPU s |\n|---|---|---|---|---|\n"
    return head + "\n".join(rows)
