"""A puzzle, written down as the arrays that the compiled search works on."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from solvers.edge_matching.board import Side
from solvers.edge_matching.lattice.lattice import Labels
from solvers.edge_matching.puzzle import Place, TilePuzzle
from solvers.edge_matching.scan.kernel import NONE, Index, Plan, Work

ROWS: Final = 256
"""Rows for solutions that the search fills before it reports them."""


class Layout(NamedTuple):
    """In which order the cells are laid, and which kind lies only in first places, if any."""

    order: tuple[int, ...]
    anchor: int | None


class Scan:
    """A puzzle in one layout: what is searched, and what the numbers in solutions mean."""

    def __init__(self, puzzle: TilePuzzle, layout: Layout) -> None:
        self.puzzle = puzzle
        self.layout = layout
        self._position = {cell: at for at, cell in enumerate(layout.order)}
        self._places = puzzle.places(layout.anchor)
        self._placed: dict[tuple[int, Labels], int] = {}
        for place in self._places:
            self._placed.setdefault((place.kind, place.labels), len(self._placed))

    @property
    def depth(self) -> int:
        """How many cells there are."""
        return len(self.layout.order)

    def laid(self, row: Sequence[int]) -> dict[int, Place]:
        """Return what a row of the search's choices lays into which cell."""
        placed = list(self._placed)
        return {
            cell: Place(cell, *placed[choice])
            for cell, choice in zip(self.layout.order, row, strict=False)
        }

    @cached_property
    def plan(self) -> Plan:
        """The arrays that do not change."""
        known, fresh, counted = self._sides()
        tries = _Tries(len(self._labels))
        shown = [[self._labels[label] for label in labels] for _, labels in self._placed]
        by_cell = defaultdict(list)
        for place in self._places:
            placed = self._placed[place.kind, place.labels]
            by_cell[place.cell].append((placed, shown[placed]))
        roots = [
            tries.root(by_cell[cell], [side for _, side in known[at]])
            for at, cell in enumerate(self.layout.order)
        ]
        return Plan(
            known=_counted([[edge for edge, _ in sides] for sides in known]),
            fresh=_counted(fresh),
            counted=_counted(counted),
            roots=_indices(roots),
            tries=_indices(tries.rows or [0]),
            spans=_indices(tries.spans),
            candidates=_indices(tries.candidates or [0]),
            kinds=_indices([kind for kind, _ in self._placed] or [0]),
            labels=_indices(shown or [[0] * self.puzzle.board.sides_per_tile]),
            partners=_indices([self._labels[self._sign * label] for label in self._labels]),
            due=self._due(),
        )

    def work(self, rows: int = ROWS) -> Work:
        """Return the arrays of a new search that holds so many solutions until it tells them."""
        board = self.puzzle.board
        supply = np.ones(len(self._labels) * (1 + len(board.different_sides)), dtype=np.int32)
        supply[: len(self._labels)] = 0
        for tile in self.puzzle.tiles.tiles:
            for label in tile:
                supply[self._labels[label]] += 1
        for label in board.rim_labels.values():
            supply[self._labels[label]] -= 1
        return Work(
            state=np.zeros(3, dtype=np.int64),
            spans=np.zeros((self.depth + 1, 3), dtype=np.uint32),
            chosen=np.zeros(self.depth, dtype=np.uint32),
            left=np.array([len(kind.numbers) for kind in self.puzzle.kinds], dtype=np.int32),
            asked=np.zeros(max(1, len(board.inner_edges)), dtype=np.uint32),
            supply=supply,
            rows=np.zeros((rows, self.depth), dtype=np.uint32),
        )

    @property
    def _sign(self) -> int:
        return 1 if self.puzzle.board.same_labels else -1

    @cached_property
    def _labels(self) -> dict[int, int]:
        """The number of each label that a tile shows or that would fit one."""
        shown = {label for tile in self.puzzle.tiles.tiles for label in tile}
        shown.update(self.puzzle.board.rim_labels.values())
        every = {sign * label for label in shown for sign in (1, self._sign)}
        return {label: number for number, label in enumerate(sorted(every))}

    @cached_property
    def _groups(self) -> dict[Side, int]:
        """The number, from 1, of the group of sides that a side must differ from."""
        groups = enumerate(self.puzzle.board.different_sides, start=1)
        return {side: number for number, sides in groups for side in sides}

    def _sides(self) -> tuple[list[list[tuple[int, int]]], list[list[int]], list[list[int]]]:
        """Return per cell (edge, side) to earlier cells, edges and sides to later, supplies."""
        board, position = self.puzzle.board, self._position
        edge_of = {side: edge for edge, pair in enumerate(board.inner_edges) for side in pair}
        known: list[list[tuple[int, int]]] = []
        fresh: list[list[int]] = []
        counted: list[list[int]] = []
        for at, cell in enumerate(self.layout.order):
            known.append([])
            fresh.append([])
            counted.append(self._counted_sides(cell))
            for side in range(0 if board.any_order else board.sides_per_tile):
                touching = board.neighbours.get((cell, side))
                if touching is None:
                    continue
                if position[touching[0]] < at:
                    known[-1].append((edge_of[cell, side], side))
                else:
                    fresh[-1] += [edge_of[cell, side], side]
        return known, fresh, counted

    def _counted_sides(self, cell: int) -> list[int]:
        """Return where the supply of a side's labels begins, and the side, one after the other."""
        board, found = self.puzzle.board, []
        for side in range(board.sides_per_tile):
            if (cell, side) not in board.neighbours and (cell, side) not in board.rim_labels:
                found += [0, side]
            if (cell, side) in self._groups:
                found += [self._groups[cell, side] * len(self._labels), side]
        return found

    def _due(self) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
        """Return which kind must be laid at each level at the latest, if it is the anchor."""
        due = np.full(self.depth, NONE, dtype=np.int32)
        anchor = self.layout.anchor
        if anchor is not None:
            levels = [self._position[each.cell] for each in self._places if each.kind == anchor]
            due[max(levels, default=0)] = anchor
        return due


Choice = tuple[int, list[int]]
"""A placed tile and the numbers of the labels it shows."""


class _Tries:
    """Leads from known labels, side after side, to the span of the placed tiles that show them.

    A row has an entry for each label: where the next row begins, or at the last side the number of
    a span. Span 0 is empty. Cells with the same choices and known sides share their trie.
    """

    def __init__(self, labels: int) -> None:
        self.rows: list[int] = []
        self.spans: list[tuple[int, int]] = [(0, 0)]
        self.candidates: list[int] = []
        self._labels = labels
        self._dead: dict[int, int] = {0: 0}
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}

    def root(self, choices: list[Choice], sides: Sequence[int]) -> int:
        """Return where the trie for these choices begins."""
        key = tuple(placed for placed, _ in choices), tuple(sides)
        if key not in self._known:
            self._known[key] = self._branch(choices, sides)
        return self._known[key]

    def _branch(self, choices: list[Choice], sides: Sequence[int]) -> int:
        if not choices:
            return self._dead_end(len(sides))
        if not sides:
            start = len(self.candidates)
            self.candidates += [placed for placed, _ in choices]
            self.spans.append((start, len(self.candidates)))
            return len(self.spans) - 1
        groups: dict[int, list[Choice]] = defaultdict(list)
        for choice in choices:
            groups[choice[1][sides[0]]].append(choice)
        at = self._row(self._dead_end(len(sides) - 1))
        for label, group in groups.items():
            self.rows[at + label] = self._branch(group, sides[1:])
        return at

    def _dead_end(self, sides: int) -> int:
        """Return where a trie of that many sides begins that leads to the empty span."""
        if sides not in self._dead:
            self._dead[sides] = self._row(self._dead_end(sides - 1))
        return self._dead[sides]

    def _row(self, entry: int) -> int:
        self.rows += [entry] * self._labels
        return len(self.rows) - self._labels


def _counted(lists: Sequence[Sequence[int]]) -> Index:
    """Return rows that begin with their length, or with that in pairs where they are pairs."""
    rows = np.zeros((len(lists), 1 + max(map(len, lists))), dtype=np.uint32)
    for row, values in zip(rows, lists, strict=True):
        row[0], row[1 : 1 + len(values)] = len(values), values
    return rows


def _indices(values: object) -> Index:
    return np.array(values, dtype=np.uint32)
