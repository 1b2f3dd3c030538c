"""The algorithms that solve sliding-tile puzzles, by name."""

from enum import StrEnum


class Algorithm(StrEnum):
    """Every one finds a shortest solution; they differ in time and in the boards they take."""

    AUTO = "auto"
    WHOLE_SPACE = "whole-space"
    POLICY = "policy"
    MANHATTAN = "manhattan"
    LINEAR_CONFLICT = "linear-conflict"
    WALKING_DISTANCE = "walking-distance"
    PATTERN_DATABASE = "pattern-database"
