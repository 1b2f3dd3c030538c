"""The Ubongo thesis' own optimisations, one on top of the other, written anew in plain Python.

The thesis (2024) fills a board array piece by piece: it adds a piece's array to the board, looks
whether any cell became 2, and goes on with the next piece while any cell is 0. Its steps:

naive            every turn of a piece at every place of a 3 x 3 block, the block at every place of
                 the board; the same cubes occur many times
no duplicates    each arrangement of cubes within the block only once
trimmed arrays   no block: the piece's own box at every place of the board
sorted pieces    the piece with the largest surface first
isolated cells   give up when a free cell has no free neighbour

Each stops at its first solution, as the thesis does.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

Cell = tuple[int, int, int]
Cells = frozenset[Cell]
Board = list[int]  # 0 free, 1 taken, 2 taken twice; index x + width * (y + depth * z)
Variant = tuple[Cells, int, int]  # cubes from 0 up, and the width and depth of their array

BLOCK = 3
NEIGHBOURS = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


@dataclass(frozen=True)
class Task:
    """Pieces in the card's order, and the board: 0 where a cube must go, 1 elsewhere."""

    pieces: tuple[Cells, ...]
    width: int
    depth: int
    height: int
    board: tuple[int, ...]

    def index(self, cell: Cell) -> int:
        x, y, z = cell
        return x + self.width * (y + self.depth * z)


@dataclass(frozen=True)
class Rung:
    """One step of the ladder."""

    name: str
    variants: Callable[[Cells, int], list[Variant]]
    sort_pieces: bool = False
    isolated_cells: bool = False


def solve(task: Task, rung: Rung) -> int:
    """Return how many boards were tried until the first solution; -1 if there is none."""
    pieces = sorted(task.pieces, key=_surface, reverse=True) if rung.sort_pieces else task.pieces
    variants = [rung.variants(piece, task.height) for piece in pieces]
    tried = 0

    def place(number: int, board: Board) -> bool:
        nonlocal tried
        for candidate in _boards(task, board, variants[number]):
            tried += 1
            if max(candidate) > 1:
                continue
            if 0 not in candidate:
                return True
            if rung.isolated_cells and _has_isolated_cell(task, candidate):
                continue
            if number + 1 < len(variants) and place(number + 1, candidate):
                return True
        return False

    return tried if place(0, list(task.board)) else -1


def _boards(task: Task, board: Board, variants: list[Variant]) -> Iterator[Board]:
    """Yield the board with each variant at each place, overlapping or not."""
    for cells, width, depth in variants:
        for dy, dx in product(range(task.depth - depth + 1), range(task.width - width + 1)):
            candidate = board.copy()
            for x, y, z in cells:
                candidate[task.index((x + dx, y + dy, z))] += 1
            yield candidate


def _has_isolated_cell(task: Task, board: Board) -> bool:
    for x, y, z in product(range(task.width), range(task.depth), range(task.height)):
        if board[task.index((x, y, z))] == 0 and not any(
            0 <= x + dx < task.width
            and 0 <= y + dy < task.depth
            and 0 <= z + dz < task.height
            and board[task.index((x + dx, y + dy, z + dz))] == 0
            for dx, dy, dz in NEIGHBOURS
        ):
            return True
    return False


def _in_block(piece: Cells, height: int) -> list[Variant]:
    """Return every turn at every place of the block, with repetitions."""
    found = []
    for turned in turns(piece):
        width, depth, tall = _size(turned)
        if width > BLOCK or depth > BLOCK:
            continue
        for dz, dy, dx in product(
            range(height - tall + 1), range(BLOCK - depth + 1), range(BLOCK - width + 1)
        ):
            cells = frozenset((x + dx, y + dy, z + dz) for x, y, z in turned)
            found.append((cells, BLOCK, BLOCK))
    return found


def _in_block_once(piece: Cells, height: int) -> list[Variant]:
    return list(dict.fromkeys(_in_block(piece, height)))


def _trimmed(piece: Cells, height: int) -> list[Variant]:
    found = []
    for turned in turns(piece):
        width, depth, tall = _size(turned)
        for dz in range(height - tall + 1):
            found.append((frozenset((x, y, z + dz) for x, y, z in turned), width, depth))
    return list(dict.fromkeys(found))


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


def _surface(cells: Cells) -> int:
    return sum((x + a, y + b, z + c) not in cells for x, y, z in cells for a, b, c in NEIGHBOURS)


LADDER = (
    Rung("naive", _in_block),
    Rung("no duplicates", _in_block_once),
    Rung("trimmed arrays", _trimmed),
    Rung("sorted pieces", _trimmed, sort_pieces=True),
    Rung("isolated cells", _trimmed, sort_pieces=True, isolated_cells=True),
)
