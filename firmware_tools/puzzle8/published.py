"""Times from the paper on the 8-puzzle board, for comparison with ours."""

from dataclasses import dataclass
from typing import Final

from firmware_tools.puzzle8.protocol import Puzzle8Algorithm


@dataclass(frozen=True, slots=True)
class PublishedRun:
    """Start and goal of one of the paper's instances, and its times in ms; None: not given.

    `iddfs_v1_ms` and `iddfs_v2_ms` are with step width 1, `astar_12_ms` and `astar_1_ms` with
    that of their names.
    """

    start: str
    goal: str
    iddfs_v1_ms: int | None
    iddfs_v2_ms: int | None
    astar_12_ms: int | None
    astar_1_ms: int | None

    def milliseconds(self, algorithm: Puzzle8Algorithm, step_width: int) -> int | None:
        """Return what the paper measured for an algorithm of its own with a step width."""
        return {
            (Puzzle8Algorithm.IDDFS_V1, 1): self.iddfs_v1_ms,
            (Puzzle8Algorithm.IDDFS_V2, 1): self.iddfs_v2_ms,
            (Puzzle8Algorithm.ASTAR, 12): self.astar_12_ms,
            (Puzzle8Algorithm.ASTAR, 1): self.astar_1_ms,
        }.get((algorithm, step_width))


PUBLISHED: Final = {
    8: PublishedRun("abcdefgho", "bdcaefgho", 27_691, 1_100, 1_021, 8_052),
    9: PublishedRun("gaefdboch", "doefgbcah", 44_348, 1_650, 1_072, 14_736),
    10: PublishedRun("decfogbha", "dheaocfbg", 126_567, 4_276, 843, 32_962),
    11: PublishedRun("cgaofehdb", "hcgfbadeo", 209_477, 6_503, 1_649, 53_325),
    12: PublishedRun("ofdgbheca", "fbdcaegho", 346_442, 10_467, 1_016, 86_176),
    18: PublishedRun("hfdobegca", "aofdhbgec", None, 384_025, None, None),
}
"""By the moves of a shortest solution: from the paper, boards from the comments in its published
source (JonasKappa/Schiebepuzzle). It timed iddfs_v1 at length 12 on another instance, whose start
is misprinted there.
"""
