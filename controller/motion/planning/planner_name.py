"""The planners by name, apart from them: a command's help names them and loads none."""

from enum import StrEnum


class Planner(StrEnum):
    """The ways to translate face turns into primitives."""

    PAPER = "paper"
    OPTIMAL = "optimal"
