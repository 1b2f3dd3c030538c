"""The heuristics by the name that a user gives them: another one is a module and a line here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from solvers.sliding_tile.algorithm import Algorithm
from solvers.sliding_tile.heuristics.heuristic import Heuristic
from solvers.sliding_tile.heuristics.linear_conflict import LINEAR_CONFLICT
from solvers.sliding_tile.heuristics.manhattan import MANHATTAN
from solvers.sliding_tile.heuristics.pattern_database import PATTERN_DATABASE
from solvers.sliding_tile.heuristics.walking_distance import WALKING_DISTANCE

HEURISTICS: Final[Mapping[Algorithm, Heuristic]] = MappingProxyType(
    {
        Algorithm.MANHATTAN: MANHATTAN,
        Algorithm.LINEAR_CONFLICT: LINEAR_CONFLICT,
        Algorithm.WALKING_DISTANCE: WALKING_DISTANCE,
        Algorithm.PATTERN_DATABASE: PATTERN_DATABASE,
    }
)
