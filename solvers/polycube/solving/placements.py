"""All placements of a puzzle's pieces in its target, and their exact-cover problem."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from solvers.polycube.errors import PuzzleError, TooManyPlacementsError
from solvers.polycube.puzzle import (
    PackingPuzzle,
    PackingSolution,
    Piece,
    Placement,
    Shape,
    canonical,
    orientations,
)
from solvers.polycube.solving.grid import Grid, grid_of, translations
from solvers.polycube.solving.marking import Marking
from solvers.search.exact_cover.model import Colouring, ExactCover

# Cells of all placements together, some 250 bytes each while the search is prepared.
# The largest of the puzzles that come with this package has 21,000.
MOST_CELLS = 1_500_000
# Bits of all placements, half a gigabyte.
MOST_BITS = 1 << 32


@dataclass(frozen=True)
class Kind:
    """Interchangeable pieces, and how many of them a solution uses.

    `names` has one entry per copy; those that must be used come first.
    """

    piece: Piece
    least: int
    most: int
    names: tuple[str, ...]


class Option(NamedTuple):
    """One placement: a kind of piece, its orientation, cells as bits of the grid, and colours.

    The colours are what its marks say about coloured items of the exact cover.
    """

    kind: int
    orientation: int
    cells: int
    colours: Colouring = ()


@dataclass(frozen=True)
class Packing:
    """A puzzle with its placements and their exact-cover problem.

    Items are the bits of the grid, followed by one item per kind of piece. If holes have to be
    counted, they are the last kind: pieces of one cell, for optional cells only.
    """

    puzzle: PackingPuzzle
    grid: Grid
    marking: Marking
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
        """Return an option as a placement, the same object every time to save memory."""
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
    """Return the puzzle with all its placements; the last few are cached.

    Raises PuzzleError if volumes cannot match.
    """
    puzzle.check_volume()
    grid = grid_of(puzzle.target)
    kinds = kinds_of(puzzle)
    marking = Marking(puzzle, grid)
    options = _all_options(puzzle, grid, kinds, marking)
    if _coincide(puzzle, options):
        marking = Marking(puzzle, grid, distinct=True)
        options = _all_options(puzzle, grid, kinds, marking)
    holes = None
    if _counts_holes(puzzle):
        holes = len(kinds)
        stone = Piece("hole", Shape(frozenset({(0, 0, 0)}), puzzle.lattice), 0, puzzle.holes or 1)
        kinds = (*kinds, Kind(stone, 0, puzzle.holes, ()))
        if puzzle.holes:
            options += [Option(holes, 0, 1 << grid.bit(cell)) for cell in puzzle.target.optional]
        # With holes as pieces, every cell is covered by something.
        grid = replace(grid, required=grid.allowed)
    cover = _cover(puzzle, grid, kinds, options)
    return Packing(puzzle, grid, marking, kinds, tuple(options), cover, holes)


def _all_options(
    puzzle: PackingPuzzle, grid: Grid, kinds: Sequence[Kind], marking: Marking
) -> list[Option]:
    options: list[Option] = []
    taken, most = 0, MOST_BITS // grid.volume
    for number, kind in enumerate(kinds):
        volume = kind.piece.shape.volume
        for option in _options(puzzle, grid, number, kind.piece, marking):
            options.append(option)
            taken += volume
            if taken > MOST_CELLS or len(options) > most:
                raise TooManyPlacementsError(
                    f"The pieces of {puzzle.name} have more than {len(options)} placements in the "
                    "target, too many to search. Use fewer pieces or a smaller target."
                )
    return options


def _counts_holes(puzzle: PackingPuzzle) -> bool:
    """Return whether solutions might leave too many cells empty; often the volumes rule it out."""
    if puzzle.holes == len(puzzle.target.optional):
        return False
    return any(piece.copies_min < piece.copies_max for piece in puzzle.pieces)


def kinds_of(puzzle: PackingPuzzle) -> tuple[Kind, ...]:
    """Return the pieces grouped by congruence: swapping equal ones makes no new solution."""
    groups: dict[object, list[Piece]] = {}
    for piece in puzzle.pieces:
        interchangeable = piece.fixed_at is None
        shape = canonical(piece, mirrored=puzzle.mirror_pieces)
        key = (shape, piece.groups) if interchangeable else piece.name
        groups.setdefault(key, []).append(piece)
    return tuple(_kind(group, len(puzzle.target.cells)) for group in groups.values())


def _kind(pieces: Sequence[Piece], room: int) -> Kind:
    """Return equal pieces as one kind, with no more copies than fit into `room` cells."""
    # More copies never fit, and a smaller bound prunes the search.
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
        # A single optional piece needs no bounds: items are taken at most once unless required.
        if kind.most > 1:
            copies[item] = (kind.least, kind.most)
        elif kind.least == 1:
            once |= 1 << item
    coloured = any(option.colours for option in options)
    bits = [0 if number == implied else 1 << grid.volume + number for number in range(len(kinds))]
    return ExactCover(
        items=grid.volume + len(kinds),
        options=tuple([option.cells | bits[option.kind] for option in options]),
        required=grid.required | once,
        copies=copies,
        colours=tuple(option.colours for option in options) if coloured else (),
    )


def _implied_by_volume(puzzle: PackingPuzzle, kinds: Sequence[Kind]) -> int | None:
    """Return the kind whose number of copies follows from the volume, if there is one.

    If every cell is filled and only one kind's number of copies is open or above 1, the remaining
    volume determines that number, so it needs no counting.
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


def _options(
    puzzle: PackingPuzzle, grid: Grid, kind: int, piece: Piece, marking: Marking
) -> Iterator[Option]:
    fixed = piece.fixed_at and sum(1 << grid.bit(cell) for cell in piece.fixed_at)
    for turned in orientations(piece, mirrored=puzzle.mirror_pieces):
        places = translations(grid, turned.shape)
        if fixed is not None:
            places = tuple(place for place in places if place[1] == fixed)
        if not puzzle.marks:
            yield from (Option(kind, turned.number, word) for _, word in places)
            continue
        all_colours = marking.colours(turned, (offset for offset, _ in places))
        for (_, word), colours in zip(places, all_colours, strict=True):
            if colours is not None:
                yield Option(kind, turned.number, word, colours)


def _coincide(puzzle: PackingPuzzle, options: Sequence[Option]) -> bool:
    """Return whether a piece covers the same cells in two ways that only its marks distinguish.

    These are different solutions.
    """
    if not puzzle.marks:
        return False
    different = {(option.kind, option.cells, option.colours) for option in options}
    return len(different) < len(options)
