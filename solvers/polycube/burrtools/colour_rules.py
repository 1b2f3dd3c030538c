"""Rules for colours: which colour of a piece may lie on which colour of the target.

Neutral voxels fit everywhere; other colours only where the problem pairs them. Voxels number the
colours from 1, pairs from 0. Without a list of colours none counts.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Self
from xml.etree.ElementTree import Element

from solvers.polycube.burrtools.tree import int_or
from solvers.polycube.burrtools.voxels import Voxels
from solvers.polycube.puzzle import Colours


@dataclass(frozen=True, slots=True)
class ColourRules:
    """The colours that forbid anything, of pieces and of the target, and the pairs that fit.

    Colours without effect are as good as none.
    """

    of_pieces: frozenset[int]
    of_target: frozenset[int]
    pairs: frozenset[tuple[int, int]]

    @classmethod
    def read(
        cls, root: Element, problem: Element, pieces: Iterable[Voxels], target: Voxels
    ) -> Self:
        """Return the rules of a problem as far as they matter to its shapes."""
        if root.find("colors/color") is None:
            return cls(frozenset(), frozenset(), frozenset())
        allowed = {
            (int_or(pair.get("piece"), -1) + 1, int_or(pair.get("result"), -1) + 1)
            for pair in problem.iterfind("bitmap/pair")
        }
        colours = {colour for piece in pieces for colour in piece.colours.values()}
        below = set(target.colours.values())
        banned = {(a, b) for a in colours for b in below} - allowed
        of_pieces = frozenset(a for a, _ in banned)
        of_target = frozenset(b for _, b in banned)
        pairs = frozenset((a, b) for a, b in allowed if a in of_pieces and b in of_target)
        return cls(of_pieces, of_target, pairs)

    def kept(self, shape: Voxels, colours: Collection[int]) -> Colours:
        """Return the cells of a shape with one of these colours."""
        return frozenset(
            (cell, colour) for cell, colour in shape.colours.items() if colour in colours
        )
