"""All ways to put the pieces of a puzzle into its target, and the exact-cover problem they make."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from solvers.polycube.errors import PuzzleError
from solvers.polycube.orientation import canonical, orientations
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution, Piece, Placement
from solvers.polycube.shape import Shape
from solvers.polycube.solving.colours import banned_cells, cell_colours, line_colours
from solvers.polycube.solving.grid import Grid, grid_of, translations
from solvers.search.exact_cover.model import Colouring, ExactCover

MOST_CELLS = 1_500_000
"""Of all placements together: some 250 bytes each while the search is made ready. The largest of
the puzzles that come with this package has 21,000."""
MOST_BITS = 1 << 32
"""Of all placements as bits of the grid, half a gigabyte."""


@dataclass(frozen=True)
class Kind:
    """Pieces that are the same but for their names, and how many of them a solution uses.

    `names` has one entry per copy; those that must be used come first.
    """

    piece: Piece
    least: int
    most: int
    names: tuple[str, ...]


class Option(NamedTuple):
    """One placement: which kind of piece, turned how, on which cells of the grid, what colours.

    The colours are those of the lines of the grid, bored or solid.
    """

    kind: int
    orientation: int
    cells: int
    colours: Colouring = ()


@dataclass(frozen=True)
class Packing:
    """A puzzle together with its placements and the exact-cover problem over them.

    Items are the bits of the grid, followed by one item per kind of piece. Where holes have to be
    counted they are the last kind: pieces of one cell, for optional cells only.
    """

    puzzle: PackingPuzzle
    grid: Grid
    kinds: tuple[Kind, ...]
    options: tuple[Option, ...]
    cover: ExactCover
    holes: int | None = None

    def solution(self, chosen: Sequence[int]) -> PackingSolution:
        """Return the placements of the chosen options, in the order of the puzzle's pieces."""
        used = [0] * len(self.kinds)
        placements = []
        for number in sorted(chosen):
            kind = self.options[number].kind
            if kind == self.holes:
                continue
            name = self.kinds[kind].names[used[kind]]
            used[kind] += 1
            placements.append(self._placement(number, name))
        return PackingSolution(tuple(sorted(placements, key=self._position)))

    def _placement(self, number: int, name: str) -> Placement:
        """Return an option as a placement, the same object every time: solutions are many."""
        made = self._placements.get((number, name))
        if made is None:
            option = self.options[number]
            made = Placement(name, option.orientation, self.grid.cells(option.cells))
            self._placements[number, name] = made
        return made

    def _position(self, placement: Placement) -> int:
        return self._positions[placement.piece]

    @cached_property
    def _placements(self) -> dict[tuple[int, str], Placement]:
        return {}

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {piece.name: number for number, piece in enumerate(self.puzzle.pieces)}


@lru_cache(maxsize=4)
def packing(puzzle: PackingPuzzle) -> Packing:
    """Return the puzzle with all its placements; raise PuzzleError if volumes cannot match.

    The last few are kept.
    """
    puzzle.check_volume()
    grid = grid_of(puzzle.target)
    kinds = kinds_of(puzzle)
    options: list[Option] = []
    taken, most = 0, MOST_BITS // grid.volume
    for number, kind in enumerate(kinds):
        volume = kind.piece.shape.volume
        for option in _options(puzzle, grid, number, kind.piece):
            options.append(option)
            taken += volume
            if taken > MOST_CELLS or len(options) > most:
                raise PuzzleError(
                    f"The pieces of {puzzle.name} have more than {len(options)} ways to lie in the "
                    "target, too many to be searched. Take fewer pieces or a smaller target."
                )
    holes = None
    if _counts_holes(puzzle):
        holes = len(kinds)
        stone = Piece("hole", Shape(frozenset({(0, 0, 0)}), puzzle.lattice), 0, puzzle.holes or 1)
        kinds = (*kinds, Kind(stone, 0, puzzle.holes, ()))
        if puzzle.holes:
            options += [Option(holes, 0, 1 << grid.bit(cell)) for cell in puzzle.target.optional]
        grid = replace(grid, required=grid.allowed)
    cover = _cover(puzzle, grid, kinds, options)
    return Packing(puzzle, grid, kinds, tuple(options), cover, holes)


def _counts_holes(puzzle: PackingPuzzle) -> bool:
    """Tell whether solutions could leave too many cells empty: volumes alone do not forbid it."""
    if puzzle.holes == len(puzzle.target.optional):
        return False
    return any(piece.copies_min < piece.copies_max for piece in puzzle.pieces)


def kinds_of(puzzle: PackingPuzzle) -> tuple[Kind, ...]:
    """Return the pieces with equal ones put together, so that swapping them makes no solution."""
    groups: dict[object, list[Piece]] = {}
    for piece in puzzle.pieces:
        alike = piece.fixed_at is None
        shape = canonical(piece, mirrored=puzzle.mirror_pieces)
        key = (shape, piece.groups) if alike else piece.name
        groups.setdefault(key, []).append(piece)
    return tuple(_kind(group, len(puzzle.target.cells)) for group in groups.values())


def _kind(pieces: Sequence[Piece], room: int) -> Kind:
    """Return equal pieces as one kind, with no more copies than a target of `room` cells holds."""
    fitting = room // pieces[0].shape.volume
    needed = [piece.name for piece in pieces for _ in range(piece.copies_min)]
    spare = [
        piece.name
        for piece in pieces
        for _ in range(min(piece.copies_max, fitting) - piece.copies_min)
    ]
    return Kind(pieces[0], len(needed), len(needed) + len(spare), (*needed, *spare))


def _cover(
    puzzle: PackingPuzzle, grid: Grid, kinds: Sequence[Kind], options: Sequence[Option]
) -> ExactCover:
    implied = _implied_by_volume(puzzle, kinds)
    once = 0
    copies = {}
    for number, kind in enumerate(kinds):
        item = grid.volume + number
        if number == implied:
            continue
        if kind.most > 1:
            copies[item] = (kind.least, kind.most)
        elif kind.least == 1:
            once |= 1 << item
    coloured = puzzle.drilled or _same_cells_again(kinds, options)
    bits = [0 if number == implied else 1 << grid.volume + number for number in range(len(kinds))]
    return ExactCover(
        items=grid.volume + len(kinds),
        options=tuple([option.cells | bits[option.kind] for option in options]),
        required=grid.required | once,
        copies=copies,
        colours=tuple(option.colours for option in options) if coloured else (),
    )


def _same_cells_again(kinds: Sequence[Kind], options: Sequence[Option]) -> bool:
    """Tell whether a piece lies on the same cells in two ways, which only its colours tell apart.

    These are different solutions. Colours of cells as items make the options differ, and forbid
    nothing, since no two pieces share a cell.
    """
    if not any(kind.piece.colours for kind in kinds):
        return False
    return len({(option.kind, option.cells) for option in options}) < len(options)


def _implied_by_volume(puzzle: PackingPuzzle, kinds: Sequence[Kind]) -> int | None:
    """Return the kind that needs no counting, if there is one.

    When every cell is filled and only one kind's number of copies is open or above 1, the volume
    left to it fixes that number.
    """
    several = [number for number, kind in enumerate(kinds) if (kind.least, kind.most) != (1, 1)]
    if len(several) != 1 or puzzle.target.optional:
        return None
    kind = kinds[several[0]]
    volume = len(puzzle.target.required) - sum(
        other.piece.shape.volume for other in kinds if other is not kind
    )
    number, rest = divmod(volume, kind.piece.shape.volume)
    if rest or not kind.least <= number <= kind.most:
        raise PuzzleError(
            f"The target of {puzzle.name} leaves {puzzle.lattice.counted(volume)} for the pieces "
            f"{kind.piece.name}, which have {kind.piece.shape.volume} each: {kind.least} to "
            f"{kind.most} of them cannot fill it."
        )
    return several[0]


def _options(puzzle: PackingPuzzle, grid: Grid, kind: int, piece: Piece) -> Iterator[Option]:
    fixed = piece.fixed_at and sum(1 << grid.bit(cell) for cell in piece.fixed_at)
    drilled = puzzle.drilled
    banned = banned_cells(puzzle, grid)
    for turned in orientations(piece, mirrored=puzzle.mirror_pieces):
        for offset, word in translations(grid, turned.shape):
            if fixed is not None and word != fixed:
                continue
            if turned.coloured:
                placed = cell_colours(grid, turned, offset)
                if not any(banned[colour] >> bit & 1 for bit, colour in placed):
                    yield Option(kind, turned.number, word, placed)
            elif not drilled:
                yield Option(kind, turned.number, word)
            elif (colours := line_colours(grid, turned, offset)) is not None:
                yield Option(kind, turned.number, word, colours)
