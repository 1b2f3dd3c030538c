"""Rules for colours: which colour of a piece may lie on which colour of the target.

Neutral voxels fit everywhere; other colours only where the problem pairs them. Voxels number the
colours from 1, pairs from 0. Without a list of colours none counts. Colours that forbid nothing
count too: in BurrTools two placements differ where their colours do, and a turn that moves a colour
of the result is none of its symmetries (`voxel_c::identicalInBB`, which compares colours).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self
from xml.etree.ElementTree import Element

from solvers.polycube.burrtools.tree import int_or
from solvers.polycube.burrtools.voxels import Voxels
from solvers.polycube.puzzle import Colours


@dataclass(frozen=True, slots=True)
class ColourRules:
    """Whether colours count, and the pairs that fit, of a piece's colour and one of the target."""

    count: bool
    pairs: frozenset[tuple[int, int]]

    @classmethod
    def read(
        cls, root: Element, problem: Element, pieces: Iterable[Voxels], target: Voxels
    ) -> Self:
        """Return the rules of a problem as far as they matter to its shapes."""
        if root.find("colors/color") is None:
            return cls(False, frozenset())
        allowed = {
            (int_or(pair.get("piece"), -1) + 1, int_or(pair.get("result"), -1) + 1)
            for pair in problem.iterfind("bitmap/pair")
        }
        above = {colour for piece in pieces for colour in piece.colours.values()}
        below = set(target.colours.values())
        return cls(True, frozenset((a, b) for a, b in allowed if a in above and b in below))

    def kept(self, shape: Voxels) -> Colours:
        """Return the coloured cells of a shape, as far as colours count."""
        return frozenset(shape.colours.items()) if self.count else frozenset()
