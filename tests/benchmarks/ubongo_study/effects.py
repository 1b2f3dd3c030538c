"""What each improvement is worth, by itself and beside the others: a full factorial design.

All effects are factors: 3 means a third of the boards. They are computed from logarithms, so means
are geometric.
"""

from collections.abc import Mapping
from itertools import combinations
from math import exp, log
from typing import Final, NamedTuple

from tests.benchmarks.ubongo_study.thesis import ALL, NAIVE, Improvement

WAYS: Final = tuple(Improvement(bits) for bits in range(ALL.value + 1))
"""All 16 combinations."""

GROUPS: Final = tuple(
    Improvement(sum(one.value for one in chosen))
    for size in range(1, len(ALL) + 1)
    for chosen in combinations(Improvement, size)
)
"""Each improvement, then each two of them, three and four."""


class Worth(NamedTuple):
    """How many times less work one improvement makes."""

    alone: float
    """Added to the naive search."""
    mean: float
    """Over all 8 combinations of the others."""
    last: float
    """Added to the three others."""


def worth(work: Mapping[Improvement, float], improvement: Improvement) -> Worth:
    """Return the worth of an improvement from the work of all 16 ways."""
    alone = work[NAIVE] / work[improvement]
    return Worth(alone, effect(work, improvement), work[ALL & ~improvement] / work[ALL])


def effect(work: Mapping[Improvement, float], group: Improvement) -> float:
    """Return the main factor of an improvement, or the interaction of several.

    The interaction of two says how many times more one saves when the other is there: 1 if they
    are independent, less if they save the same work. That of three says how many times more two of
    them interact when the third is there, and so on.
    """
    contrast = 0.0
    for way, amount in work.items():
        missing = len(group & ~way)
        contrast += (-1) ** missing * log(amount)
    return exp(-contrast / 2 ** (len(ALL) - len(group)))
