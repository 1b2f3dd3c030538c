"""What a lower bound is, to the search that uses it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from solvers.foundation.progress import Job, Progress
from solvers.sliding_tile.ida_star_kernel import Position
from solvers.sliding_tile.placement import Placement


@dataclass(frozen=True, slots=True)
class Heuristic:
    """A lower bound and the search that is compiled for it.

    `prepare` makes the tables and returns them with the bound of the task's start, as a NamedTuple
    of arrays that the two compiled functions share; it raises InvalidInputError for boards that
    it does not take. `estimate(bounds)` is the bound of the present position, 0 at the goal alone
    and never above the moves that are needed. `search_slice(position, bounds, bound, budget)` is
    `ida_star_kernel.deepen` with the heuristic's own step.
    """

    prepare: Callable[[Placement], Job[Progress, Any]]
    estimate: Callable[[Any], int]
    search_slice: Callable[[Position, Any, int, int], int]
