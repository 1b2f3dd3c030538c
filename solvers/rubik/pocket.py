"""The 2x2x2 cube: read from 24 stickers, solved in the fewest moves by a table of all positions.

It is treated as the corners of a 3x3x3 cube with the corner at DBL always at home. A 2x2x2 cube has
no centres: the corner at DBL, however the cube is held, gives the colours of D, B and L, and the
colours that it never meets on a corner are those opposite. The edges of `position` stay solved;
they stand for none.

With DBL at home, turns of U, R and F are enough: a turn of the opposite face is the same turn and a
rotation of the whole cube. There are 7! * 3^6 = 3 674 160 positions; at most 11 moves are needed.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, permutations, product
from typing import Final

import numpy as np

from solvers.foundation.arrays import Int64Array, UInt8Array, UInt16Array
from solvers.foundation.progress import Job, Progress, run_job
from solvers.foundation.table_cache import load_or_build
from solvers.rubik import errors
from solvers.rubik.cubies import CORNER_NAMES, MOVE_CUBES, SOLVED, CubieCube, whole_cube_rotations
from solvers.rubik.facelets import CORNER_FACELETS, FACE_LETTERS, format_facelets
from solvers.rubik.held_cube import sticker_letters
from solvers.rubik.notation import Face, Move, WrittenMoves
from solvers.rubik.two_phase.distances import pair_distances

STICKERS: Final = 24
HOME: Final = CORNER_NAMES.index("DBL")

_AT: Final = {0: 0, 2: 1, 6: 2, 8: 3}  # number of a corner's sticker on its face of nine, of four
_FACELETS: Final = tuple(
    tuple(4 * (index // 9) + _AT[index % 9] for index in facelets) for facelets in CORNER_FACELETS
)


@dataclass(frozen=True, slots=True)
class PocketCube:
    """A position with DBL at home, and the letters of the six faces U R F D L B as it is held."""

    position: CubieCube
    faces: str = FACE_LETTERS

    @property
    def stickers(self) -> str:
        """The 24 stickers in the cube's own letters, faces U R F D L B."""
        return pocket_stickers(self.position).translate(str.maketrans(FACE_LETTERS, self.faces))

    @property
    def how(self) -> str:
        """The colours on top and in front when the cube is solved, in words."""
        return f"{self.faces[Face.U]} up, {self.faces[Face.F]} in front"

    def held_like(self, other: "PocketCube") -> "PocketCube":
        """Return this cube turned as a whole until the corner that `other` has at DBL is there.

        With other letters than `other` has, both count as held in the same way. Raises
        ImpossiblePieceError if no cube has the colours of both.
        """
        letters = self.stickers
        if set(self.faces) != set(other.faces):
            own = FACE_LETTERS if set(self.faces) == set(FACE_LETTERS) else self.faces
            letters = letters.translate(str.maketrans(own, other.faces))
        named = read_pocket(letters)
        for rotation in whole_cube_rotations():
            turned = named.position.compose(rotation)
            colours = pocket_stickers(turned).translate(str.maketrans(FACE_LETTERS, named.faces))
            found = read_pocket(colours)
            if found.faces == other.faces:
                return found
        raise errors.ImpossiblePieceError(
            f"No cube has the faces {other.faces} at U R F D L B and, held differently, "
            f"{self.faces}."
        )


def as_whole_cube(cube: PocketCube) -> CubieCube:
    """Return a 3x3x3 cube that turning can solve and whose corners are those of `cube`.

    Its edges are solved, or two of them are swapped where the corners are odd.
    """
    # Turning keeps the parities of corners and edges equal, see `facelets.check_solvable`.
    corners = cube.position.corner_permutation
    pairs = combinations(corners, 2)
    edges = SOLVED.edge_permutation
    if sum(first > second for first, second in pairs) % 2:
        edges = (edges[1], edges[0], *edges[2:])
    return replace(cube.position, edge_permutation=edges)


def has_solved_corners(cube: CubieCube) -> bool:
    """Return whether the corners are solved, however the cube is held."""
    letters = pocket_stickers(cube)
    return all(len(set(letters[first : first + 4])) == 1 for first in range(0, STICKERS, 4))


def pocket_after(written: WrittenMoves) -> PocketCube:
    """Return a solved 2x2x2 cube as it is held after moves."""
    centres = "".join(face.name for face in written.orientation.faces)
    stickers = pocket_stickers(SOLVED.apply(written.as_held_afterwards))
    return read_pocket(stickers.translate(str.maketrans(FACE_LETTERS, centres)))


def read_pocket(text: str) -> PocketCube:
    """Return the cube of 24 stickers: four for each of the faces U R F D L B, row by row.

    Any six letters or digits will do, in either case; white space is ignored. Raises the
    FaceletError for the first thing found wrong.
    """
    letters = sticker_letters(text).upper()
    if len(letters) != STICKERS:
        raise errors.WrongLengthError(
            f"A 2x2x2 cube has 24 stickers, not {len(letters)}. Give four letters for each of the "
            "faces U R F D L B, in this order."
        )
    for index, letter in enumerate(letters):
        if not letter.isalnum():
            raise errors.UnknownColourError(
                f"Sticker {index + 1} is {letter!r}; a sticker is a letter or a digit."
            )
    counts = Counter(letters)
    if len(counts) != 6 or set(counts.values()) != {4}:
        found = ", ".join(f"{letter} {number} times" for letter, number in sorted(counts.items()))
        raise errors.ColourCountError(
            f"Six colours have to appear 4 times each, but there are {found}."
        )
    corners = ["".join(letters[index] for index in facelets) for facelets in _FACELETS]
    faces = _faces(corners)
    names = [corner.translate(str.maketrans(faces, FACE_LETTERS)) for corner in corners]
    pieces = [_piece(place, name, corners[place]) for place, name in enumerate(names)]
    permutation = tuple(piece for piece, _ in pieces)
    for piece, number in Counter(permutation).items():
        if number > 1:
            places = " and ".join(CORNER_NAMES[i] for i in range(8) if permutation[i] == piece)
            raise errors.DuplicatePieceError(
                f"The corners at {places} have the same colours. Check them."
            )
    twists = tuple(twist for _, twist in pieces)
    if sum(twists) % 3:
        raise errors.TwistedCornerError(
            "A corner is twisted in its place: turning any one corner, such as that at URF, "
            f"{'counter-clockwise' if sum(twists) % 3 == 1 else 'clockwise'} would make the cube "
            "solvable."
        )
    cube = CubieCube(permutation, twists, SOLVED.edge_permutation, SOLVED.edge_flip)
    return PocketCube(cube, faces)


def pocket_stickers(cube: CubieCube) -> str:
    """Return the letters of the 24 stickers of a 2x2x2 cube in the place of a cube's corners."""
    letters = format_facelets(cube)
    return "".join(letters[9 * face + index] for face in Face for index in _AT)


def _faces(corners: list[str]) -> str:
    """Return the colours of U R F D L B: those of the corner at DBL, and what each never meets."""
    down, back, left = list(corners[HOME])
    opposite = {}
    for colour in (down, back, left):
        neighbours = {each for corner in corners if colour in corner for each in corner}
        alone = set("".join(corners)) - neighbours
        if len(alone) != 1:
            raise errors.ImpossiblePieceError(
                f"The colour {colour} meets {len(neighbours) - 1} others on corners; on a cube it "
                "is four, all but the colour opposite. Check the stickers of these corners."
            )
        # Opposite faces share no corner, so the one colour never met is that of the opposite face.
        opposite[colour] = alone.pop()
    if len({down, back, left, *opposite.values()}) != 6:
        raise errors.ImpossiblePieceError(
            f"The corner at DBL has the stickers {down} {back} {left}, which cannot meet on one."
        )
    return "".join((opposite[down], opposite[left], opposite[back], down, left, back))


def _piece(place: int, name: str, colours: str) -> tuple[int, int]:
    for twist in range(3):
        if name[twist:] + name[:twist] in CORNER_NAMES:
            return CORNER_NAMES.index(name[twist:] + name[:twist]), twist
    stickers = " ".join(
        f"{FACE_LETTERS[index // 4]}{index % 4 + 1}={colour}"
        for index, colour in zip(_FACELETS[place], colours, strict=True)
    )
    raise errors.ImpossiblePieceError(
        f"The corner at {CORNER_NAMES[place]} has the stickers {stickers}, which no corner of this "
        "cube has in this order. Check these stickers."
    )


MOVES: Final = tuple(move for move in Move if move.face in (Face.U, Face.R, Face.F))
POSITIONS: Final = 5040 * 729
_VERSION: Final = 1


def load_distances() -> Job[Progress, UInt8Array]:
    """Return the moves that each position needs, from the cache or built in a second."""

    def build() -> Job[Progress, UInt8Array]:
        yield Progress("cube-pocket", 0, POSITIONS, "positions")
        # Order and twist are the whole position, so the distances are exact and no mere bounds.
        return pair_distances(_order_moves(), _twist_moves())

    return load_or_build("cube-pocket", _VERSION, (POSITIONS,), np.uint8, build)


def pocket_solutions(position: CubieCube) -> Iterator[tuple[Move, ...]]:
    """Yield all solutions with the fewest moves; `position` has the corner at DBL at home."""
    distances = run_job(load_distances())
    order = int(_order_numbers(np.array([position.corner_permutation]))[0])
    twist = int(_twist_numbers(np.array([position.corner_twist]))[0])
    yield from _downhill(distances, order, twist)


def _downhill(distances: UInt8Array, order: int, twist: int) -> Iterator[tuple[Move, ...]]:
    here = int(distances[order * 729 + twist])
    if here == 0:
        yield ()
        return
    for number, move in enumerate(MOVES):
        next_order = int(_order_moves()[order, number])
        next_twist = int(_twist_moves()[twist, number])
        # Every nearer neighbour is on a shortest way, so nothing is ever tried in vain.
        if distances[next_order * 729 + next_twist] < here:
            for rest in _downhill(distances, next_order, next_twist):
                yield (move, *rest)


@cache
def _orders() -> Int64Array:
    """Return the eight corners by place, for each order with DBL at home, solved first."""
    others = [place for place in range(8) if place != HOME]
    orders = np.full((5040, 8), HOME)
    orders[:, others] = list(permutations(others))
    return orders


@cache
def _twists() -> Int64Array:
    """Return the eight twists by place, 0 at DBL; the last makes the sum a multiple of three."""
    digits = np.array(list(product(range(3), repeat=6)))
    last = -digits.sum(axis=1) % 3
    return np.column_stack([digits, np.zeros(729, np.int64), last])


def _order_numbers(orders: Int64Array) -> Int64Array:
    # Both lists are sorted by their digits, so that a binary search finds the number.
    weights = 8 ** np.arange(7, -1, -1)
    return np.asarray(np.searchsorted(_orders() @ weights, orders @ weights), np.int64)


def _twist_numbers(twists: Int64Array) -> Int64Array:
    return np.asarray(twists[:, :6] @ 3 ** np.arange(5, -1, -1), np.int64)


@cache
def _order_moves() -> UInt16Array:
    after = [
        _order_numbers(_orders()[:, np.array(MOVE_CUBES[move].corner_permutation)])
        for move in MOVES
    ]
    return np.column_stack(after).astype(np.uint16)


@cache
def _twist_moves() -> UInt16Array:
    after = []
    for move in MOVES:
        cube = MOVE_CUBES[move]
        digits = _twists()[:, np.array(cube.corner_permutation)] + np.array(cube.corner_twist)
        after.append(_twist_numbers(digits % 3))
    return np.column_stack(after).astype(np.uint16)
