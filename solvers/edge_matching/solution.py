"""Solutions, and a check of them that is independent of the search."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from solvers.edge_matching.board import Board, Turn
from solvers.edge_matching.lattice.lattice import Labels, Lattice


@dataclass(frozen=True, order=True)
class PlacedTile:
    """Tile number `tile` (from 1, as in the file) in a cell; labels in the order of its sides."""

    tile: int
    labels: Labels


TileSolution = tuple[PlacedTile, ...]  # one per cell of the board


def turns_of(tile: Labels, lattice: Lattice) -> list[Labels]:
    """Return the distinct turns of a tile."""
    return list(dict.fromkeys(rotation.turned(tile) for rotation in lattice.rotations))


def turned(solution: TileSolution, turn: Turn) -> TileSolution:
    """Return the image of the solution under a turn of the board."""
    after: list[PlacedTile | None] = [None] * len(solution)
    for placed, (cell, rotation) in zip(solution, turn, strict=True):
        after[cell] = PlacedTile(placed.tile, rotation.turned(placed.labels))
    return tuple(placed for placed in after if placed is not None)


def picture(solution: TileSolution) -> tuple[Labels, ...]:
    """Return the labels of all cells: equal for solutions that only exchange equal tiles."""
    return tuple(placed.labels for placed in solution)


def up_to_turns(solutions: Iterable[TileSolution], turns: Sequence[Turn]) -> list[TileSolution]:
    """Return one solution of each set of images under the turns."""
    seen: set[tuple[Labels, ...]] = set()
    distinct = []
    for solution in solutions:
        if picture(solution) not in seen:
            distinct.append(solution)
            seen.update(picture(turned(solution, turn)) for turn in turns)
    return distinct


def with_turns(solutions: Iterable[TileSolution], turns: Sequence[Turn]) -> list[TileSolution]:
    """Return all images of the solutions under the turns, each picture once."""
    images = (turned(solution, turn) for solution in solutions for turn in turns)
    return list({picture(image): image for image in images}.values())


def faults(solution: TileSolution, board: Board, tiles: Sequence[Labels]) -> list[str]:
    """Return the faults of a solution as sentences; none for a correct one."""
    found = []
    used = Counter(placed.tile for placed in solution)
    if not used <= Counter(range(1, len(tiles) + 1)) or len(solution) != len(board.cells):
        found.append(f"tiles {sorted(used.elements())} are placed, not each once")
    for cell, placed in enumerate(solution):
        own = tiles[placed.tile - 1]
        if placed.labels not in turns_of(own, board.lattice):
            found.append(f"cell {cell + 1} shows {placed.labels}, tile {placed.tile} is {own}")
    found += _mismatches(solution, board) if not board.any_order else []
    found += _faults_outside(solution, board)
    for hint in board.hints:
        placed = solution[hint.cell]
        if placed.tile != hint.tile:
            found.append(f"cell {hint.cell + 1} holds tile {placed.tile}, not {hint.tile}")
        if hint.labels not in (None, placed.labels):
            found.append(f"cell {hint.cell + 1} does not show {hint.labels}")
    return found


def _mismatches(solution: TileSolution, board: Board) -> Iterator[str]:
    sign = 1 if board.same_labels else -1
    for (cell, side), (other, other_side) in board.inner_edges:
        label = solution[cell].labels[side]
        if label != sign * solution[other].labels[other_side]:
            yield f"cells {cell + 1} and {other + 1} do not match"
        if board.rim_only_outside and label in board.rim_labels.values():
            yield f"cells {cell + 1} and {other + 1} show {label} to each other"


def _faults_outside(solution: TileSolution, board: Board) -> Iterator[str]:
    for (cell, side), label in board.rim_labels.items():
        if solution[cell].labels[side] != label:
            yield f"cell {cell + 1} does not show {label} outside"
    for sides in board.different_sides:
        if len({solution[cell].labels[side] for cell, side in sides}) < len(sides):
            cells = " ".join(str(cell + 1) for cell, _ in sides)
            yield f"cells {cells} show a label twice on one side of the board"
