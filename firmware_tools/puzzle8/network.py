"""The network that plays the 8-puzzle on the board: its numbers, its inference and its file.

The network rates the four moves of a position whose goal has the blank in the centre. It never
sees a position itself, but the first of its eight images under the symmetries of the square, in
lexicographic order of the blank's cell and then the tiles' (22,780 images of 181,440 positions).

* Input: one of three cells of the blank, one of nine cells for each of eight tiles. The first
  layer is therefore a sum of nine weights for each unit, and no multiplication. Weights are signed
  bytes, and so is each sum, for every position: that is checked before a network is accepted.
* Units: the sum, or 0 where it is negative.
* Output: a rating for each move, in 16 bits; that every rating fits is checked as well.

`apps/puzzle8/neural.c` does the same, number for number; `solve` is its walk in Python.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
import numpy as np

from solvers.foundation.arrays import BoolArray, Int32Array, Int64Array
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.files import write_text
from solvers.foundation.typed_files import read_json
from solvers.sliding_tile.board import OPPOSITE, Board
from solvers.sliding_tile.whole_space import CELLS, POSITIONS, SIDE, UNREACHED, distances_to

CENTRE: Final = 4
ACTIONS: Final = "rldu"
"""Moves of the blank by number, as in search.c; number ^ 1 is the opposite one."""

TILES: Final = tuple(label for label in range(CELLS) if label != CENTRE)
BLANK_INPUTS: Final = 3
INPUTS: Final = BLANK_INPUTS + CELLS * len(TILES)
UNIT_BYTES: Final = INPUTS + len(ACTIONS)
MOST_UNITS: Final = 128
MOST_MOVES: Final = 60
"""Longest path that the board's program writes."""

SUM_LIMIT, RATING_LIMIT = 127, 32_767
EMPTY: Final = Board(SIDE, SIDE, tuple(range(CELLS)))
_FORMAT: Final = 1


def _symmetries() -> tuple[tuple[int, ...], ...]:
    """Return the cell that each cell goes to, for four rotations, each also after a reflection."""
    found = []
    for is_reflected in (False, True):
        cells = [(row, SIDE - 1 - column if is_reflected else column) for row, column in _places()]
        for _ in range(4):
            found.append(tuple(SIDE * row + column for row, column in cells))
            cells = [(column, SIDE - 1 - row) for row, column in cells]
    return tuple(found)


def _places() -> Iterator[tuple[int, int]]:
    return (divmod(cell, SIDE) for cell in range(CELLS))


SYMMETRIES: Final = _symmetries()
SEEN_LABELS: Final = tuple(
    tuple(symmetry.index(label) for label in (CENTRE, *TILES)) for symmetry in SYMMETRIES
)
"""Label that is seen as the blank, then those seen as the tiles in ascending order."""


def _action_seen(symmetry: tuple[int, ...], seen: str) -> int:
    target = EMPTY.target(CENTRE, seen)
    assert target is not None
    cell = symmetry.index(target)
    return next(n for n, move in enumerate(ACTIONS) if EMPTY.target(CENTRE, move) == cell)


ACTIONS_SEEN: Final = tuple(
    tuple(_action_seen(symmetry, seen) for seen in ACTIONS) for symmetry in SYMMETRIES
)
"""Number of the action that is seen as each action."""


class InvalidNetworkError(InvalidInputError):
    """A file is not a network, or its sums do not fit the board's bytes."""


@dataclass(frozen=True)
class CentrePositions:
    """All 181,440 positions of the goal with the blank in the centre, and their images.

    A tile is named by its cell in the goal. Positions are in lexicographic order of their cells.
    `tiles[p, cell]`; `distances[p]` in moves; `neighbours[p, action]`, -1 where there is none;
    `views[p]`, the symmetry that gives the image; `images[p]`, its number; `inputs[i]`, the nine
    inputs of image i that are 1; `numbers[rank]`, the position of that rank, -1 for the other half.
    """

    tiles: Int64Array
    distances: Int64Array
    neighbours: Int64Array
    views: Int64Array
    images: Int64Array
    inputs: Int64Array
    numbers: Int64Array

    @property
    def goal(self) -> int:
        """Return the number of the goal."""
        return int(np.argmin(self.distances))

    @cached_property
    def legal(self) -> BoolArray:
        """Return for each image which moves are possible."""
        return self._of_images(self.neighbours >= 0)

    @cached_property
    def optimal(self) -> BoolArray:
        """Return for each image which moves lead nearer to the goal."""
        nearer = self.distances[self.neighbours] < self.distances[:, None]
        return self._of_images((self.neighbours >= 0) & nearer)

    def _of_images(self, by_action: BoolArray) -> BoolArray:
        seen = np.empty((len(self.inputs), len(ACTIONS)), dtype=np.bool_)
        order = np.array(ACTIONS_SEEN)[self.views]
        seen[self.images] = np.take_along_axis(by_action, order, axis=1)
        return seen

    def ranks_to_numbers(self, tiles: Int64Array) -> Int64Array:
        """Return the number of each row of `tiles`."""
        return self.numbers[_ranks(tiles)]


@cache
def centre_positions() -> CentrePositions:
    """Return all positions. Takes about a second of CPU time the first time."""
    distances = distances_to(CENTRE)
    ranks = np.flatnonzero(distances != UNREACHED)
    tiles = permutations()[ranks]
    numbers = np.full(POSITIONS, -1, dtype=np.int64)
    numbers[ranks] = np.arange(len(ranks))
    neighbours = np.full((len(ranks), len(ACTIONS)), -1, dtype=np.int64)
    blanks = np.argmax(tiles == CENTRE, axis=1)
    for cell in range(CELLS):
        here = np.flatnonzero(blanks == cell)
        for action, move in enumerate(ACTIONS):
            target = EMPTY.target(cell, move)
            if target is not None:
                moved = tiles[here]
                moved[:, [cell, target]] = moved[:, [target, cell]]
                neighbours[here, action] = numbers[_ranks(moved)]
    views, images, inputs = _images(np.argsort(tiles, axis=1))
    found = distances[ranks].astype(np.int64)
    return CentrePositions(tiles, found, neighbours, views, images, inputs, numbers)


def permutations() -> Int64Array:
    """Return all permutations of the labels in lexicographic order, one in a row."""
    numbers = np.arange(POSITIONS)
    rows = np.empty((POSITIONS, CELLS), dtype=np.int64)
    for index in range(CELLS - 1, -1, -1):
        numbers, rows[:, index] = np.divmod(numbers, CELLS - index)
        rows[:, index + 1 :] += rows[:, index + 1 :] >= rows[:, index, None]
    return rows


def _ranks(tiles: Int64Array) -> Int64Array:
    """Return the rank of each row in lexicographic order."""
    ranks = np.zeros(len(tiles), dtype=np.int64)
    for index in range(CELLS):
        later_smaller = (tiles[:, index + 1 :] < tiles[:, index, None]).sum(axis=1)
        ranks = ranks * (CELLS - index) + later_smaller
    return ranks


def _images(places: Int64Array) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Return view and image of each position, and the inputs of each image.

    `places[p, label]` is the cell of the label.
    """
    keys = np.empty((len(SYMMETRIES), len(places)), dtype=np.int64)
    for key, symmetry, labels in zip(keys, SYMMETRIES, SEEN_LABELS, strict=True):
        seen = np.array(symmetry)[places[:, labels]]
        key[:] = seen @ (CELLS ** np.arange(CELLS - 1, -1, -1))
    views = np.argmin(keys, axis=0)  # the first of equal ones, as on the board
    first = keys[views, np.arange(len(places))]
    values, images = np.unique(first, return_inverse=True)
    seen = values[:, None] // CELLS ** np.arange(CELLS - 1, -1, -1) % CELLS
    return views, images, _inputs(seen)


def _inputs(seen: Int64Array) -> Int64Array:
    """Return the numbers of the inputs that are 1; `seen` has the blank's cell first."""
    inputs = seen + CELLS * np.arange(-1, CELLS - 1) + BLANK_INPUTS
    inputs[..., 0] = seen[..., 0] - (seen[..., 0] >> 1)  # 0, 1 and 4: 0, 1 and 2
    return inputs


@dataclass(frozen=True, eq=False)
class Network:
    """Weights as the board has them, all from -128 to 127.

    `first[input, unit]` and `second[unit, action]`; `origin` says how it was made.
    """

    first: Int32Array
    second: Int32Array
    origin: str = ""

    @property
    def units(self) -> int:
        """Return the number of units."""
        return int(self.first.shape[1])

    def ratings(self, inputs: Int64Array) -> tuple[Int32Array, Int32Array]:
        """Return the sums of the units and the ratings of the moves as seen, one row for each.

        `inputs` has the nine inputs that are 1 in each row.
        """
        sums = np.zeros((len(inputs), self.units), dtype=np.int32)
        for column in inputs.T:
            sums += self.first[column]
        return sums, np.maximum(sums, 0) @ self.second

    def is_exact(self, inputs: Int64Array) -> bool:
        """Return whether all sums and ratings fit the board's one and two bytes."""
        sums, ratings = self.ratings(inputs)
        fits = np.abs(sums).max() <= SUM_LIMIT and np.abs(ratings).max() <= RATING_LIMIT
        return bool(fits)

    def choices(self) -> Int64Array:
        """Return for each image its moves as seen, the best rated first.

        Impossible moves come last; of equal ratings the lower number is first.
        """
        space = centre_positions()
        ratings = self.ratings(space.inputs)[1]
        rated = np.where(space.legal, ratings, np.iinfo(np.int32).min)
        return np.argsort(-rated.astype(np.int64), axis=1, kind="stable")

    @property
    def rows(self) -> list[list[int]]:
        """Return for each unit its weights of both layers, as a file has them."""
        weights = np.concatenate([self.first, self.second.T])
        return [[int(weight) for weight in unit] for unit in weights.T]


Weights = Annotated[
    list[Annotated[int, msgspec.Meta(ge=-128, le=127)]],
    msgspec.Meta(min_length=UNIT_BYTES, max_length=UNIT_BYTES),
]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal[1]
    origin: Annotated[str, msgspec.Meta(max_length=200)]
    checksum: str
    units: Annotated[list[Weights], msgspec.Meta(min_length=1, max_length=MOST_UNITS)]


def write_network(network: Network, path: Path) -> None:
    """Write a network as JSON, a unit in a line. Raises PuzzlerigError if that is not possible."""
    rows = ",\n".join("    " + str(row).replace(" ", "") for row in network.rows)
    head = msgspec.json.encode(network.origin).decode()
    text = (
        f'{{\n  "format": {_FORMAT},\n  "origin": {head},\n'
        f'  "checksum": "{_checksum(network.rows)}",\n  "units": [\n{rows}\n  ]\n}}\n'
    )
    write_text(path, text)


def read_network(path: Path) -> Network:
    """Return the network in a file. Raises InvalidNetworkError.

    That its sums fit the board's bytes is what the checksum vouches for; training checks it.
    """
    content = read_json(path, _File, "The network", InvalidNetworkError)
    if content.checksum != _checksum(content.units):
        raise InvalidNetworkError(
            f"The network {path} was cut off or edited: its checksum is wrong. "
            "Train it again with `aksen puzzle8 train`."
        )
    weights = np.array(content.units, dtype=np.int32)
    return Network(weights[:, :INPUTS].T, weights[:, INPUTS:], content.origin)


def _checksum(rows: list[list[int]]) -> str:
    data = bytes(weight & 0xFF for row in rows for weight in row)
    return f"{zlib.crc32(data):08X}"


def shipped_network_path() -> Path:
    """Return the file of the network that comes with this package."""
    return Path(str(files("firmware_tools") / "puzzle8" / "network.json"))


def solve(network: Network, start: Board, goal: Board) -> str | None:
    """Return the moves that the board's program finds for a solvable pair, or None if it gives up.

    The walks are from start to goal and from goal to start, over both ways of a corner to the
    centre; the first of the shortest counts.
    """
    if start == goal:
        return ""
    shortest: str | None = None
    for source, target, is_backwards in ((start, goal, False), (goal, start, True)):
        for way in ways_to_centre(target.blank):
            limit = MOST_MOVES - len(way)
            if shortest is not None:
                limit = min(limit, len(shortest) + len(way) - 1)
            walked = _walk(network, source, target.moved(way), limit)
            if walked is None:
                continue
            for move in reversed(way):
                opposite = OPPOSITE[move]
                walked = walked[:-1] if walked[-1:] == move else walked + opposite
            if shortest is None or len(walked) < len(shortest):
                shortest = walked
                if is_backwards:
                    shortest = "".join(OPPOSITE[move] for move in reversed(walked))
    return shortest


def ways_to_centre(blank: int) -> list[str]:
    """Return the shortest ways of the blank to the centre: one, or two from a corner."""
    row, column = divmod(blank, SIDE)
    across, along = ("d", "", "u")[row], ("r", "", "l")[column]
    ways = [along + across]
    return [*ways, across + along] if along and across else ways


def _walk(network: Network, start: Board, goal: Board, limit: int) -> str | None:
    """Return the moves to a goal with the blank in the centre, or None if `limit` is too few."""
    label_of = {tile: label for label, tile in enumerate(goal.cells)}
    moves, visited = "", [start]
    while visited[-1] != goal:
        if len(moves) == limit:
            return None
        here = visited[-1]
        place = np.argsort([label_of[tile] for tile in here.cells])
        view, ratings = rate(network, place)
        actions = [ACTIONS[action] for action in ACTIONS_SEEN[view]]
        possible = [
            seen
            for seen, move in enumerate(actions)
            if here.target(here.blank, move) is not None and OPPOSITE[move] != moves[-1:]
        ]
        possible.sort(key=lambda seen: -ratings[seen])
        new = [seen for seen in possible if here.moved(actions[seen]) not in visited]
        move = actions[[*new, *possible][0]]
        moves += move
        visited.append(here.moved(move))
    return moves


def rate(network: Network, place: Int64Array) -> tuple[int, list[int]]:
    """Return the view of one position and the ratings of the moves as seen.

    `place[label]` is the cell of each label.
    """
    views, _, inputs = _images(place[None])
    return int(views[0]), [int(each) for each in network.ratings(inputs)[1][0]]
