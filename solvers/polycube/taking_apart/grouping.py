"""Which pieces may stay together: those of one group, as BurrTools has them.

A puzzle says how many copies of a piece belong to which group. A part whose pieces all belong to
one and the same group is not taken apart. A part that is locked counts as taken apart if there is a
group that has room for all its pieces, beside those of other parts that were put into it.
"""

from collections import Counter
from collections.abc import Sequence

from solvers.polycube.puzzle import PackingPuzzle, PackingSolution

Groups = tuple[tuple[int, int], ...]


class Grouping:
    """The groups of one solution's pieces, and the parts that stay together so far."""

    def __init__(self, groups: Sequence[Groups], names: Sequence[str]) -> None:
        self._groups = groups
        self._some = any(groups)
        self._names = names
        self._parts: list[tuple[int, ...]] = []

    @classmethod
    def none(cls, count: int) -> "Grouping":
        """Return the grouping of pieces that all have to come apart."""
        return cls([()] * count, [""] * count)

    @classmethod
    def of(cls, puzzle: PackingPuzzle, solution: PackingSolution) -> "Grouping":
        """Return the grouping of a solution's pieces."""
        names = [placement.piece for placement in solution.placements]
        known = {piece.name: piece.groups for piece in puzzle.pieces}
        return cls([known[name] for name in names], names)

    def is_one(self, part: Sequence[int]) -> bool:
        """Tell whether all pieces of a part have one group only, the same."""
        if not self._some:
            return False
        numbers = {tuple(group for group, _ in self._groups[piece]) for piece in part}
        return len(numbers) == 1 and len(next(iter(numbers))) == 1

    def takes(self, part: tuple[int, ...]) -> bool:
        """Put a locked part into a group if there is room; return whether there is."""
        if not all(self._groups[piece] for piece in part):
            return False
        parts = [*(each for each in self._parts if not set(each) <= set(part)), part]
        if not self._fits(parts, Counter()):
            return False
        self._parts = parts
        return True

    def _fits(self, parts: Sequence[tuple[int, ...]], used: Counter[tuple[int, str]]) -> bool:
        """Tell whether each part can have a group without taking more copies than there are."""
        if not parts:
            return True
        first, rest = parts[0], parts[1:]
        for group, _ in self._groups[first[0]]:
            taken = used + Counter((group, self._names[piece]) for piece in first)
            room = {
                (group, self._names[piece]): dict(self._groups[piece]).get(group, 0)
                for piece in first
            }
            fits = all(taken[key] <= most for key, most in room.items())
            if fits and self._fits(rest, taken):
                return True
        return False
