"""The Ubongo thesis' search and its four improvements, in plain Python.

The thesis (2024) fills a board array piece by piece: it adds a piece's array to the board, looks
whether any cell became 2, and continues with the next piece while any cell is 0. Naively, the array
is a block of 3 x 3 fields: every turn of a piece at every place of the block, and the block at
every place of the board. Each of its improvements can be left out, so there are 16 ways to search.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Flag
from itertools import islice, product
from typing import Final, NamedTuple

from solvers.polycube.ubongo.card import FIELD, Card, shapes

Cell = tuple[int, int, int]
Cells = frozenset[Cell]
Board = list[int]  # 0 free, 1 taken, 2 taken twice; index x + width * (y + depth * z)

BLOCK: Final = 3
"""Fields along a side of the naive array; no piece is longer."""
NEIGHBOURS: Final = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


class Improvement(Flag):
    """The thesis' ideas; any of them can be left out."""

    NO_DUPLICATES = 1  # each array of a piece once, where turns or places of it are equal
    TRIMMED_ARRAYS = 2  # the piece's own box instead of the block
    SORTED_PIECES = 4  # the piece with the largest surface first
    ISOLATED_CELLS = 8  # give up when a free cell has no free neighbour

    @property
    def words(self) -> str:
        """The names, as in a sentence."""
        return ", ".join(str(one.name).lower().replace("_", " ") for one in self) or "naive"


NAIVE: Final = Improvement(0)
ALL: Final = ~NAIVE
LADDER: Final = tuple(Improvement(2**number - 1) for number in range(5))
"""One improvement on top of the other, in the order of the thesis."""


@dataclass(frozen=True)
class Task:
    """Pieces in the card's order, and the board: 0 where a cube must go, 1 elsewhere."""

    pieces: tuple[Cells, ...]
    width: int
    depth: int
    height: int
    board: tuple[int, ...]

    @classmethod
    def of(cls, card: Card) -> "Task":
        """Return a card's task. A narrow board is widened until it holds the block."""
        width = max(BLOCK, len(card.rows[0]))
        rows = [row.ljust(width, "#") for row in card.rows]
        rows += ["#" * width] * (BLOCK - len(rows))
        layer = [0 if mark == FIELD else 1 for row in rows for mark in row]
        pieces = tuple(shapes()[number].cells for number in card.pieces)
        return cls(pieces, width, len(rows), card.height, tuple(layer * card.height))

    def index(self, cell: Cell) -> int:
        """Return the number of a cell in the board."""
        x, y, z = cell
        return x + self.width * (y + self.depth * z)


class Variant(NamedTuple):
    """A piece in an array: its cells, their numbers in the board, the array's width and depth."""

    cells: Cells
    offsets: tuple[int, ...]
    width: int
    depth: int


@dataclass(frozen=True)
class Problem:
    """What every program is given: the variants of each piece in the order of the search."""

    task: Task
    variants: tuple[tuple[Variant, ...], ...]
    isolated_cells: bool

    @classmethod
    def of(cls, task: Task, improvements: Improvement = NAIVE) -> "Problem":
        """Prepare a task for a search with these improvements."""
        pieces = list(task.pieces)
        if Improvement.SORTED_PIECES in improvements:
            pieces.sort(key=surface, reverse=True)
        trimmed = Improvement.TRIMMED_ARRAYS in improvements
        variants = []
        for piece in pieces:
            found: Iterable[Variant] = (_trimmed if trimmed else _in_block)(piece, task)
            if Improvement.NO_DUPLICATES in improvements:
                found = dict.fromkeys(found)
            variants.append(tuple(found))
        return cls(task, tuple(variants), Improvement.ISOLATED_CELLS in improvements)

    @property
    def neighbours(self) -> list[list[int]]:
        """The neighbours of each cell of the board, as numbers."""
        sides = (self.task.width, self.task.depth, self.task.height)
        found = []
        for z, y, x in product(*map(range, reversed(sides))):
            cells = [(x + a, y + b, z + c) for a, b, c in NEIGHBOURS]
            inside = [c for c in cells if all(0 <= c[i] < sides[i] for i in range(3))]
            found.append([self.task.index(cell) for cell in inside])
        return found


class Tally(NamedTuple):
    """What a search did; `boards` are those it tried, fitting or not."""

    found: int
    """Ways in which it came to a solution; one solution can be found several times."""
    boards: int
    boards_to_first: int
    """0 if nothing was found."""


Solutions = set[frozenset[frozenset[int]]]


def search(
    problem: Problem,
    at_most: int | None = None,
    share: tuple[int, int] = (0, 1),
    solutions: Solutions | None = None,
) -> Tally:
    """Search for all solutions, or until `at_most` are found.

    With `share` (i, n) only every nth board of the first piece is tried, from number i on. Each
    solution is added to `solutions`, as the cells of its pieces.
    """
    neighbours = problem.neighbours
    found = boards = first = 0
    placed: list[frozenset[int]] = []

    def place(number: int, board: Board) -> bool:
        nonlocal found, boards, first
        candidates = _boards(problem, board, number)
        for candidate in candidates if number else islice(candidates, share[0], None, share[1]):
            boards += 1
            if max(candidate) > 1:
                continue
            if 0 not in candidate:
                found += 1
                first = first or boards
                if solutions is not None:
                    solutions.add(frozenset([*placed, _difference(board, candidate)]))
                if found == at_most:
                    return True
                continue
            if problem.isolated_cells and _has_isolated_cell(candidate, neighbours):
                continue
            if number + 1 < len(problem.variants):
                placed.append(_difference(board, candidate))
                if place(number + 1, candidate):
                    return True
                placed.pop()
        return False

    place(0, list(problem.task.board))
    return Tally(found, boards, first)


def _boards(problem: Problem, board: Board, number: int) -> Iterator[Board]:
    """Yield the board with each variant of a piece at each place, overlapping or not."""
    for variant in problem.variants[number]:
        for corner in corners(problem.task, variant):
            candidate = board.copy()
            for offset in variant.offsets:
                candidate[corner + offset] += 1
            yield candidate


def corners(task: Task, variant: Variant) -> Iterator[int]:
    """Yield the numbers of the cells where the array's corner can be."""
    for y in range(task.depth - variant.depth + 1):
        yield from range(y * task.width, (y + 1) * task.width - variant.width + 1)


def _difference(board: Board, candidate: Board) -> frozenset[int]:
    return frozenset(cell for cell, taken in enumerate(board) if candidate[cell] > taken)


def _has_isolated_cell(board: Board, neighbours: list[list[int]]) -> bool:
    return any(
        not taken and all(board[other] for other in neighbours[cell])
        for cell, taken in enumerate(board)
    )


def count(problem: Problem) -> tuple[int, int]:
    """Return how often a search for all solutions finds one, and how many boards it tries.

    Nothing is searched: the boards on which a piece is put are counted by what they have taken,
    as one number with a bit for each cell. Equal ones are counted together, which takes seconds
    where the search would take days.
    """
    neighbours = [sum(1 << other for other in others) for others in problem.neighbours]
    everything = (1 << len(neighbours)) - 1
    start = sum(taken << cell for cell, taken in enumerate(problem.task.board))
    ways, boards = Counter({start: 1}), 0
    for variants in problem.variants:
        places = Counter(
            sum(1 << corner + offset for offset in variant.offsets)
            for variant in variants
            for corner in corners(problem.task, variant)
        )
        boards += ways.total() * places.total()
        fitting = [(place, times) for place, times in places.items() if not place & start]
        reached: Counter[int] = Counter()
        for taken, number in ways.items():
            for place, times in fitting:
                if not place & taken:
                    reached[taken | place] += number * times
        if problem.isolated_cells:
            kept = (taken for taken in reached if not _isolates(taken, everything, neighbours))
            reached = Counter({taken: reached[taken] for taken in kept})
        ways = reached
    return ways[everything], boards


def _isolates(taken: int, everything: int, neighbours: list[int]) -> bool:
    free = everything & ~taken
    left = free
    while left:
        lowest = left & -left
        if not neighbours[lowest.bit_length() - 1] & free:
            return True
        left ^= lowest
    return False


def _in_block(piece: Cells, task: Task) -> list[Variant]:
    """Return every turn at every place of the block, with repetitions."""
    found = []
    for turned in turns(piece):
        width, depth, tall = _size(turned)
        if width > BLOCK or depth > BLOCK:
            continue
        for dz, dy, dx in product(
            range(task.height - tall + 1), range(BLOCK - depth + 1), range(BLOCK - width + 1)
        ):
            cells = frozenset((x + dx, y + dy, z + dz) for x, y, z in turned)
            found.append(_variant(task, cells, BLOCK, BLOCK))
    return found


def _trimmed(piece: Cells, task: Task) -> list[Variant]:
    """Return every turn in its own box, at every height, with repetitions."""
    found = []
    for turned in turns(piece):
        width, depth, tall = _size(turned)
        if width > task.width or depth > task.depth:
            continue
        for dz in range(task.height - tall + 1):
            cells = frozenset((x, y, z + dz) for x, y, z in turned)
            found.append(_variant(task, cells, width, depth))
    return found


def _variant(task: Task, cells: Cells, width: int, depth: int) -> Variant:
    return Variant(cells, tuple(sorted(map(task.index, cells))), width, depth)


def turns(cells: Cells) -> list[Cells]:
    """Return all 24 rotations, equal ones too, each moved to the origin."""
    found = []
    for shape in _upright(cells):
        for _ in range(4):
            shape = frozenset((-y, x, z) for x, y, z in shape)
            low = [min(cell[axis] for cell in shape) for axis in range(3)]
            found.append(frozenset((x - low[0], y - low[1], z - low[2]) for x, y, z in shape))
    return found


def _upright(cells: Cells) -> Iterator[Cells]:
    """Yield the cells with each of their six sides on top."""
    for _ in range(4):
        cells = frozenset((x, -z, y) for x, y, z in cells)
        yield cells
    yield frozenset((-z, y, x) for x, y, z in cells)
    yield frozenset((z, y, -x) for x, y, z in cells)


def _size(cells: Cells) -> Cell:
    xs, ys, zs = zip(*cells, strict=True)
    return max(xs) + 1, max(ys) + 1, max(zs) + 1


def surface(cells: Cells) -> int:
    """Return how many faces of a piece's cubes touch no other cube of it."""
    return sum((x + a, y + b, z + c) not in cells for x, y, z in cells for a, b, c in NEIGHBOURS)
