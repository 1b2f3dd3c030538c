"""A puzzle compiled into the arrays of the search, and the tries that find candidate tiles."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from solvers.edge_matching.board import Side
from solvers.edge_matching.lattice.lattice import Labels
from solvers.edge_matching.puzzle import Place, TilePuzzle
from solvers.edge_matching.scan.kernel import ALL, END, NONE, WORD, Index, Plan, Words, Work
from solvers.edge_matching.symmetry import Symmetry


class Fields:
    """The layout of unsigned fields of `bits` bits in 64-bit words, each below a guard bit."""

    def __init__(self, number: int, bits: int) -> None:
        self._width = bits + 1
        self._in_word = 64 // self._width
        self._guard = 1 << bits
        self.guards = self.words([self._guard] * number)

    def guarded(self, numbers: Sequence[int]) -> Words:
        """Return the words with the guards set, except those of negative numbers."""
        return self.words([each + self._guard for each in numbers])

    def words(self, numbers: Sequence[int]) -> Words:
        """Return the words that hold these numbers."""
        return np.array(
            [
                sum(
                    each << self._width * place
                    for place, each in enumerate(numbers[at:][: self._in_word])
                )
                for at in range(0, len(numbers), self._in_word)
            ],
            dtype=np.uint64,
        )


Choice = tuple[int, list[int]]
"""A placed tile and the numbers of the labels it shows."""


class TrieBuilder:
    """Builds tries from known labels, side after side, to the sets of placed tiles that show them.

    A row has an entry for each label: the start of the next row, or at the last side the number of
    a set. Set 0 is empty. Cells with the same choices and known sides share their trie. `kinds` are
    those of the placed tiles, of which each is a set of its own if they are to be kept apart.
    """

    def __init__(self, labels: int, kinds: Sequence[int], *, apart: bool) -> None:
        self.rows: list[int] = []
        self.masks = [0]
        self.words = [0]
        self.firsts = [0]
        self.more = [False]
        self.candidates: list[int] = []
        self._labels = labels
        self._kinds = kinds
        self._apart = apart
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
            return self._leaf([placed for placed, _ in choices])
        groups: dict[int, list[Choice]] = defaultdict(list)
        for choice in choices:
            groups[choice[1][sides[0]]].append(choice)
        at = self._row(self._dead_end(len(sides) - 1))
        for label, group in groups.items():
            self.rows[at + label] = self._branch(group, sides[1:])
        return at

    def _leaf(self, every: list[int]) -> int:
        """Return the number of the first of the sets that hold these placed tiles."""
        sets: dict[tuple[int, int], list[int]] = defaultdict(list)
        times = Counter[int]()
        for number, placed in enumerate(sorted(every, key=self._kinds.__getitem__)):
            kind = self._kinds[placed]
            sets[(number, 0) if self._apart else (kind // WORD, times[kind])].append(placed)
            times[kind] += 1
        for members in sets.values():
            kinds = [self._kinds[placed] for placed in members]
            self.masks.append(sum(1 << kind % WORD for kind in kinds))
            self.words.append(kinds[0] // WORD)
            self.firsts.append(len(self.candidates))
            self.candidates += members
        self.more += [True] * (len(sets) - 1) + [False]
        return len(self.words) - len(sets)

    def _dead_end(self, sides: int) -> int:
        """Return the start of a trie of that many sides that leads to the empty set."""
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
    """A puzzle in one layout, and the meaning of the numbers in its solutions.

    If the search is `for_one` solution, candidates can be shuffled; otherwise it is faster.
    """

    def __init__(self, puzzle: TilePuzzle, layout: Layout, *, for_one: bool = False) -> None:
        self.puzzle = puzzle
        self.layout = layout
        self.for_one = for_one
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
        shown = [[self._labels[label] for label in labels] for _, labels in self._placed]
        # What a tile takes from the supply depends only on these sides.
        takes = [(tuple(fresh[at][1::2]), tuple(counted[at])) for at in range(self.depth)]
        usages = dict.fromkeys(takes)
        usage = [list(usages).index(each) * len(shown) for each in takes]
        kinds = [kind for kind, _ in self._placed]
        tries = TrieBuilder(len(self._labels), kinds, apart=self.for_one)
        by_cell = defaultdict(list)
        for place in self._places:
            placed = self._placed[place.kind, place.labels]
            by_cell[place.cell].append((placed, shown[placed]))
        roots = [
            tries.root(by_cell[cell], [side for _, side in known[at]])
            for at, cell in enumerate(self.layout.order)
        ]
        return Plan(
            known=_ended([[edge for edge, _ in sides] for sides in known]),
            fresh=_ended(fresh),
            usage=_indices(usage),
            used=self._used(list(usages), shown),
            guards=self._fields.guards,
            roots=_indices(roots),
            tries=_indices(tries.rows or [0]),
            masks=np.array(tries.masks, np.uint64),
            words=_indices(tries.words),
            firsts=_indices(tries.firsts),
            more=np.array(tries.more),
            candidates=_indices(tries.candidates),
            kinds=_indices(kinds),
            asked=_indices(
                [[self._partners[label] for label in labels] for labels in shown]
            ).reshape(-1, self.puzzle.board.sides_per_tile),
            due=self._due(),
        )

    def work(self, rows: int = ROWS) -> Work:
        """Return the arrays of a new search that collects up to `rows` solutions at once."""
        supply = np.zeros((self.depth + 1, len(self.plan.guards)), dtype=np.uint64)
        supply[0] = self._fields.guarded(self._supply)
        return Work(
            state=np.zeros(3, dtype=np.int64),
            sets=np.zeros(self.depth, np.uint32),
            untried=np.zeros(self.depth, np.uint64),
            chosen=np.zeros(self.depth, dtype=np.uint32),
            left=np.array([len(kind.numbers) for kind in self.puzzle.kinds], dtype=np.int32),
            available=np.full(-(-len(self.puzzle.kinds) // WORD), ALL),
            asked=np.zeros(max(1, len(self.puzzle.board.inner_edges)), dtype=np.uint32),
            supply=supply,
            rows=np.zeros((rows, self.depth), dtype=np.uint32),
        )

    @cached_property
    def _supply(self) -> list[int]:
        """The sides of each label less those of the rim, and one of each label for each group."""
        board = self.puzzle.board
        supply = [0] * len(self._labels) + [1] * (len(self._labels) * len(board.different_sides))
        for tile in self.puzzle.tiles.tiles:
            for label in tile:
                supply[self._labels[label]] += 1
        for label in board.rim_labels.values():
            supply[self._labels[label]] -= 1
        return supply

    @cached_property
    def _fields(self) -> Fields:
        # A tile takes at most three from one supply for each of its sides.
        most = max(map(abs, self._supply)) + 3 * self.puzzle.board.sides_per_tile
        return Fields(len(self._supply), most.bit_length())

    def _used(
        self, usages: Sequence[tuple[tuple[int, ...], tuple[int, ...]]], shown: list[list[int]]
    ) -> Words:
        """Return what each placed tile takes from the supply, for each kind of cell in turn."""
        rows = []
        for fresh, counted in usages:
            for labels in shown:
                taken = [0] * len(self._supply)
                for side in fresh:
                    taken[labels[side]] += 1
                    taken[self._partners[labels[side]]] += 1
                for start, side in zip(counted[::2], counted[1::2], strict=True):
                    taken[start + labels[side]] += 1
                rows.append(self._fields.words(taken))
        return np.array(rows, np.uint64).reshape(-1, len(self._fields.guards))

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
    def _partners(self) -> list[int]:
        """The number of the label that fits each label."""
        return [self._labels[self._sign * label] for label in self._labels]

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


def _ended(lists: Sequence[Sequence[int]]) -> Index:
    """Return the lists as rows of equal length, each followed by END."""
    rows = np.full((len(lists), 1 + max(map(len, lists))), END, dtype=np.uint32)
    for row, values in zip(rows, lists, strict=True):
        row[: len(values)] = values
    return rows


def _indices(values: object) -> Index:
    return np.array(values, dtype=np.uint32)
