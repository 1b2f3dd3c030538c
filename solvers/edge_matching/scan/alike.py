"""Beginnings and solutions that stand for others, which symmetries make of them."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from solvers.edge_matching.lattice.lattice import Labels
from solvers.edge_matching.puzzle import Place
from solvers.edge_matching.scan.plan import Row, Scan
from solvers.edge_matching.symmetry import Symmetry


class Beginning(NamedTuple):
    """What is laid first, and as how many different rows renaming the labels shows it."""

    row: Row
    images: int


class Alike:
    """What the solutions of a scan stand for: one is found of those that its group makes."""

    def __init__(self, scan: Scan) -> None:
        self._scan = scan
        self._puzzle = scan.puzzle

    def beginnings(self, every: Sequence[Row]) -> list[Beginning]:
        """Return one of each set of beginnings that renaming makes of one."""
        if len(self._scan.renamings) == 1:
            return [Beginning(row, 1) for row in every]
        images = [(row, self._renamed(row)) for row in every]
        return [Beginning(row, len(rows)) for row, rows in images if row == min(rows)]

    @property
    def sets(self) -> int:
        """How many sets of turned solutions there are for each solution that is found."""
        return 1 + len(self._others)

    def solutions(self, row: Row, beginning: int) -> Iterator[dict[int, Place]]:
        """Yield what a row found after a beginning of that length stands for, none turned."""
        if len(self._scan.group) == len(self._puzzle.turns):
            yield self._scan.laid(row)
            return
        for renaming in self._renamed(row[:beginning]).values():
            laid = self._puzzle.moved(self._scan.laid(row).values(), renaming)
            yield laid
            yield from (self._puzzle.moved(laid.values(), other) for other in self._others)

    def _renamed(self, row: Row) -> dict[Row, Symmetry]:
        """Return the rows that renaming makes of one, each with a symmetry that does."""
        places = self._scan.laid(row).values()
        return {
            self._scan.row(self._puzzle.moved(places, each).values()): each
            for each in self._scan.renamings
        }

    @cached_property
    def _others(self) -> list[Symmetry]:
        """What makes of a solution one of each further set of turned and renamed ones."""
        scan, turns = self._scan, self._puzzle.plain_group
        if len(scan.group) == len(turns):
            return []
        place = next(each for each in self._puzzle.places() if each.kind == scan.layout.anchor)
        found: dict[frozenset[tuple[int, Labels]], Symmetry] = {}
        for each in (*scan.renamings, *scan.group):
            images = [
                each.image(*other.image(place.cell, place.labels)) for other in scan.renamings
            ]
            turned = frozenset(turn.image(*image) for turn in turns for image in images)
            found.setdefault(turned, each)
        return list(found.values())[1:]
