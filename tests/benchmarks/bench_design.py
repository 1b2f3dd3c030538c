"""Designing puzzles: what climbs reach, and how long they take.

Climbs of one seed each; CPU seconds of this process. The levels are those to the first piece out.
"""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from solvers.polycube.design.climbing import Climbed, climb
from solvers.polycube.design.task import Goal, Task
from solvers.polycube.puzzle import Target
from solvers.polycube.taking_apart.apart import load_kernels as load_taking_apart
from solvers.search.exact_cover.search import load_kernels

CUBE = Target.box(3, 3, 3)
HOLLOW = Target(CUBE.required - {(1, 1, 1)})
SOLID = Target.box(4, 4, 4)


@dataclass(frozen=True)
class Row:
    """A task, what to call its target, and how often to climb."""

    target: str
    task: Task
    climbs: int


ROWS = (
    Row("3 x 3 x 3", Task(CUBE, (4, 4, 4, 5, 5, 5), Goal.UNIQUE), 20),
    Row("4 x 4 x 4", Task(SOLID, (7,) * 8 + (8,), Goal.UNIQUE), 10),
    Row("3 x 3 x 3", Task(CUBE, (4, 4, 4, 5, 5, 5), Goal.HARD), 10),
    Row("3 x 3 x 3 without its middle", Task(HOLLOW, (8, 9, 9), Goal.LEVEL), 20),
    Row("4 x 4 x 4", Task(SOLID, (12, 13, 13, 13, 13), Goal.LEVEL), 5),
)


def run() -> str:
    """Return the table."""
    load_kernels()
    load_taking_apart()
    return "\n".join(
        [
            "| target | pieces | goal | climbs | CPU s a climb | reached |",
            "|---|---:|---|---:|---:|---|",
            *map(line, ROWS),
        ]
    )


def line(row: Row) -> str:
    """Return the line of one task."""
    started = time.process_time()
    found = [climb(row.task, number) for number in range(row.climbs)]
    seconds = (time.process_time() - started) / row.climbs
    reached = "; ".join(told(row.task.goal, found))
    pieces = len(row.task.sizes)
    goal = row.task.goal.value
    return f"| {row.target} | {pieces} | {goal} | {row.climbs} | {seconds:.2f} | {reached} |"


def told(goal: Goal, found: list[Climbed]) -> Iterator[str]:
    """Yield what the climbs have reached, the best first."""
    if goal is Goal.UNIQUE:
        yield f"{sum(each.rating.solutions == 1 for each in found)} with one solution"
    elif goal is Goal.HARD:
        nodes = sorted((each.rating.score[-1] for each in found), reverse=True)
        yield f"{nodes[0]} nodes a solution at best, {nodes[len(nodes) // 2]} in the middle"
    else:
        levels = Counter(each.rating.level or "locked" for each in found)
        yield from (f"{number} of level {level}" for level, number in sorted(levels.items())[::-1])
