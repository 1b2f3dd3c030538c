"""A puzzle compiled into the arrays of the search, and the tries that find candidate tiles."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from solvers.edge_matching.board import Side
from solvers.edge_matching.lattice.lattice import Labels
from solvers.edge_matching.puzzle import Place, TilePuzzle
from solvers.edge_matching.scan.kernel import NONE, Index, Plan, Work
from solvers.edge_matching.symmetry import Symmetry

Choice = tuple[int, list[int]]
"""A placed tile and the numbers of the labels it shows."""


class TrieBuilder:
    """Builds tries from known labels, side after side, to the span of placed tiles that show them.

    A row has an entry for each label: the start of the next row, or at the last side the number of
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
        """Return the start of the trie for these choices."""
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
        """Return the start of a trie of that many sides that leads to the empty span."""
        if sides not in self._dead:
            self._dead[sides] = self._row(self._dead_end(sides - 1))
        return self._dead[sides]

    def _row(self, entry: int) -> int:
        self.rows += [entry] * self._labels
        return len(self.rows) - self._labels


ROWS: Final = 256
"""Solutions that the search collects before it reports them."""


Row = tuple[int, ...]
"""The tiles in the first cells of the order, by the plan's numbers."""


class Layout(NamedTuple):
    """The order of the cells, and the kind that is restricted to first places, if any.

    First is meant by the board's turns, or with `by_all` by all symmetries that keep the kind.
    """

    order: tuple[int, ...]
    anchor: int | None
    by_all: bool = False


class Scan:
    """A puzzle in one layout, and the meaning of the numbers in its solutions."""

    def __init__(self, puzzle: TilePuzzle, layout: Layout) -> None:
        self.puzzle = puzzle
        self.layout = layout
        self._position = {cell: at for at, cell in enumerate(layout.order)}
        self._places = puzzle.places(layout.anchor, self.group, layout.order)
        self._placed: dict[tuple[int, Labels], int] = {}
        for place in self._places:
            self._placed.setdefault((place.kind, place.labels), len(self._placed))

    @property
    def depth(self) -> int:
        """Number of cells."""
        return len(self.layout.order)

    def places(self, row: Sequence[int]) -> dict[int, Place]:
        """Return the place in each cell for a row of the search's choices."""
        return {
            cell: Place(cell, *self._choices[choice])
            for cell, choice in zip(self.layout.order, row, strict=False)
        }

    @cached_property
    def _choices(self) -> list[tuple[int, Labels]]:
        """Kind and labels for each of the plan's numbers."""
        return list(self._placed)

    @cached_property
    def group(self) -> tuple[Symmetry, ...]:
        """Symmetries that make all solutions from those with the anchor in a first place."""
        _, anchor, by_all = self.layout
        return (
            self.puzzle.group(anchor) if by_all and anchor is not None else self.puzzle.plain_group
        )

    @cached_property
    def renamings(self) -> list[Symmetry]:
        """Symmetries of the group that leave every tile in its place and orientation."""
        return [each for each in self.group if each.renames_alone]

    def row(self, places: Iterable[Place]) -> Row:
        """Return the numbers of the places, in the order of the cells."""
        ranked = sorted(places, key=lambda place: self._position[place.cell])
        return tuple(self._placed[place.kind, place.labels] for place in ranked)

    @cached_property
    def plan(self) -> Plan:
        """The arrays that do not change."""
        known, fresh, counted = self._sides()
        tries = TrieBuilder(len(self._labels))
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
        """Return the arrays of a new search that collects up to `rows` solutions at once."""
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
        """Return pairs of the start of a supply of labels and the side that uses it, flattened."""
        board, found = self.puzzle.board, []
        for side in range(board.sides_per_tile):
            if (cell, side) not in board.neighbours and (cell, side) not in board.rim_labels:
                found += [0, side]
            if (cell, side) in self._groups:
                found += [self._groups[cell, side] * len(self._labels), side]
        return found

    def _due(self) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
        """Return for each level the kind that must be placed by then: the anchor, or NONE."""
        due = np.full(self.depth, NONE, dtype=np.int32)
        anchor = self.layout.anchor
        if anchor is not None:
            levels = [self._position[each.cell] for each in self._places if each.kind == anchor]
            due[max(levels, default=0)] = anchor
        return due


def _counted(lists: Sequence[Sequence[int]]) -> Index:
    """Return the lists as rows of equal length, each preceded by the length of its list."""
    rows = np.zeros((len(lists), 1 + max(map(len, lists))), dtype=np.uint32)
    for row, values in zip(rows, lists, strict=True):
        row[0], row[1 : 1 + len(values)] = len(values), values
    return rows


def _indices(values: object) -> Index:
    return np.array(values, dtype=np.uint32)
