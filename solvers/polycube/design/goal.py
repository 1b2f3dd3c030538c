"""What makes a set of pieces a good one, by name."""

from enum import StrEnum


class Goal(StrEnum):
    """What makes one set of pieces better than another.

    UNIQUE: fewer solutions, until there is exactly one. LEVEL: more moves to the first piece out,
    by the solution that comes apart soonest. HARD: more nodes of the search for each solution.
    """

    UNIQUE = "unique"
    LEVEL = "level"
    HARD = "hard"
