"""The cube as 54 stickers: faces U R F D L B, each read row by row, as 54 of these letters.

Each face is read as seen when looking at it: U with B above it, D with F above it, the four others
with U above them. A sticker is named by its face and its number there, 1 to 9.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from solvers.rubik import errors
from solvers.rubik.cubies import CORNER_NAMES, EDGE_NAMES, CubieCube
from solvers.rubik.notation import Face

FACE_LETTERS: Final = "URFDLB"

CORNER_FACELETS: Final = (
    (8, 9, 20),
    (6, 18, 38),
    (0, 36, 47),
    (2, 45, 11),
    (29, 26, 15),
    (27, 44, 24),
    (33, 53, 42),
    (35, 17, 51),
)
"""Indices of each corner's three stickers: first the one on U or D, then clockwise."""

EDGE_FACELETS: Final = (
    (5, 10),
    (7, 19),
    (3, 37),
    (1, 46),
    (32, 16),
    (28, 25),
    (30, 43),
    (34, 52),
    (23, 12),
    (21, 41),
    (50, 39),
    (48, 14),
)
"""Indices of each edge's two stickers, in the order of the faces in its name."""

CENTRE_FACELETS: Final = (4, 13, 22, 31, 40, 49)
"""Indices of the six centres."""


def facelet_name(index: int) -> str:
    """Return the name of a sticker: its face and its number there, such as F5 for F's centre."""
    return f"{FACE_LETTERS[index // 9]}{index % 9 + 1}"


def in_symbols(letters: str, symbols: str) -> str:
    """Return face letters written in other symbols, one each for U R F D L B."""
    return letters.translate(str.maketrans(FACE_LETTERS, symbols))


def describe_stickers(facelets: tuple[int, ...], colours: str) -> str:
    """Return stickers with their colours, such as "U9=R R1=F"."""
    return " ".join(
        f"{facelet_name(index)}={colour}" for index, colour in zip(facelets, colours, strict=True)
    )


def describe_place(
    names: tuple[str, ...], facelets: tuple[tuple[int, ...], ...], place: int, letters: str
) -> str:
    """Return a place with the stickers seen there, of all 54 `letters`."""
    colours = "".join(letters[index] for index in facelets[place])
    return f"{names[place]} (stickers {describe_stickers(facelets[place], colours)})"


def format_facelets(cube: CubieCube, symbols: str = FACE_LETTERS) -> str:
    """Return the 54 letters of a cube; `symbols` are other ones for U R F D L B."""
    letters = [letter for letter in FACE_LETTERS for _ in range(9)]
    for place, (piece, twist) in enumerate(
        zip(cube.corner_permutation, cube.corner_twist, strict=True)
    ):
        for side in range(3):
            # Both the stickers of a place and twists go clockwise, so a twist is a shift.
            index = CORNER_FACELETS[place][(side + twist) % 3]
            letters[index] = CORNER_NAMES[piece][side]
    for place, (piece, flip) in enumerate(zip(cube.edge_permutation, cube.edge_flip, strict=True)):
        for side in range(2):
            index = EDGE_FACELETS[place][(side + flip) % 2]
            letters[index] = EDGE_NAMES[piece][side]
    return in_symbols("".join(letters), symbols)


def parse_facelets(text: str) -> CubieCube:
    """Return the cube of 54 letters U R F D L B; white space is ignored.

    Raises the FaceletError for the first thing found wrong, from the letters to the parity; see
    `solvers.rubik.errors` for the kinds.
    """
    letters = "".join(text.split())
    _check_letters(letters)
    return cube_from_letters(letters)


def cube_from_letters(letters: str, symbols: str = FACE_LETTERS) -> CubieCube:
    """Return the cube of 54 letters, nine of each with the centres in place.

    Errors name stickers by `symbols`, one each for U R F D L B. Raises the FaceletError for the
    first piece found wrong.
    """
    corners = [_corner_at(place, letters, symbols) for place in range(8)]
    edges = [_edge_at(place, letters, symbols) for place in range(12)]
    cube = CubieCube(
        tuple(piece for piece, _ in corners),
        tuple(twist for _, twist in corners),
        tuple(piece for piece, _ in edges),
        tuple(flip for _, flip in edges),
    )
    _check_distinct("corner", cube.corner_permutation, CORNER_NAMES, symbols)
    _check_distinct("edge", cube.edge_permutation, EDGE_NAMES, symbols)
    check_solvable(cube, symbols)
    return cube


def _check_letters(letters: str) -> None:
    for index, letter in enumerate(letters):
        if letter not in FACE_LETTERS:
            raise errors.UnknownColourError(
                f"Sticker {index + 1} is {letter!r}; a sticker is one of the letters U R F D L B.",
                (index,),
            )
    if len(letters) != 54:
        raise errors.WrongLengthError(
            f"A cube has 54 stickers, not {len(letters)}. Give nine letters for each of the faces "
            "U R F D L B, in this order."
        )
    for face in Face:
        centre = letters[CENTRE_FACELETS[face]]
        if centre != face.name:
            raise errors.WrongCentreError(
                f"The centre of face {face.name} (sticker {facelet_name(CENTRE_FACELETS[face])}) "
                f"is {centre}; the centres have to be U R F D L B in this order.",
                (CENTRE_FACELETS[face],),
            )
    check_counts(letters)


def check_counts(letters: str, symbols: str = FACE_LETTERS) -> None:
    """Raise ColourCountError unless each of the six letters is there nine times."""
    counts = Counter(letters)
    wrong = " and ".join(f"{each} {counts[each]} times" for each in symbols if counts[each] != 9)
    if wrong:
        raise errors.ColourCountError(
            f"Each colour has to appear 9 times, but {wrong}. Check these stickers."
        )


def _corner_at(place: int, letters: str, symbols: str) -> tuple[int, int]:
    """Return the piece and the twist at a corner place."""
    colours = "".join(letters[index] for index in CORNER_FACELETS[place])
    for twist in range(3):
        # The piece's first colour is U or D; it is on the place's sticker number `twist`.
        name = colours[twist:] + colours[:twist]
        if name in CORNER_NAMES:
            return CORNER_NAMES.index(name), twist
    raise _impossible("corner", CORNER_NAMES, place, CORNER_FACELETS[place], colours, symbols)


def _edge_at(place: int, letters: str, symbols: str) -> tuple[int, int]:
    """Return the piece and the flip at an edge place."""
    colours = "".join(letters[index] for index in EDGE_FACELETS[place])
    for flip, name in enumerate((colours, colours[::-1])):
        if name in EDGE_NAMES:
            return EDGE_NAMES.index(name), flip
    raise _impossible("edge", EDGE_NAMES, place, EDGE_FACELETS[place], colours, symbols)


def _impossible(
    kind: str,
    names: tuple[str, ...],
    place: int,
    facelets: tuple[int, ...],
    colours: str,
    symbols: str,
) -> errors.ImpossiblePieceError:
    reason = "of a cube has these colours together"
    # The colours of a piece in the wrong order: two of its stickers were exchanged.
    if any(set(name) == set(colours) for name in names):
        reason = "has these colours the other way round"
    return errors.ImpossiblePieceError(
        f"The {kind} at {names[place]} has the stickers "
        f"{describe_stickers(facelets, in_symbols(colours, symbols))}, "
        f"but no {kind} {reason}. Check these stickers.",
        facelets,
    )


def _check_distinct(
    kind: str, permutation: tuple[int, ...], names: tuple[str, ...], symbols: str
) -> None:
    for piece, count in Counter(permutation).items():
        if count > 1:
            places = [place for place, found in enumerate(permutation) if found == piece]
            where = " and ".join(names[place] for place in places)
            missing = [
                in_symbols(name, symbols)
                for number, name in enumerate(names)
                if number not in permutation
            ]
            verb = "is" if len(missing) == 1 else "are"
            raise errors.DuplicatePieceError(
                f"The {kind} {in_symbols(names[piece], symbols)} is at {where} at once, and "
                f"{' and '.join(missing)} {verb} missing. "
                "Check the stickers of these places.",
                _stickers_of(kind, places),
            )


def check_solvable(cube: CubieCube, symbols: str = FACE_LETTERS) -> None:
    """Raise the FaceletError that says why turning cannot solve `cube`, if it cannot.

    The stickers do not show which piece was taken out and put back wrongly; the messages name one
    whose repair makes the cube solvable, preferably the only piece that is wrong.
    """
    if sum(cube.corner_twist) % 3 == sum(cube.edge_flip) % 2 == 0 and is_odd(
        cube.corner_permutation
    ) == is_odd(cube.edge_permutation):
        return
    letters = format_facelets(cube, symbols)
    # Turning keeps three sums: twists modulo 3, flips modulo 2,
    # and the parities of corners and edges are equal. Each one broken is an assembly error.
    if twist := sum(cube.corner_twist) % 3:
        place = cube.corner_twist.index(twist) if twist in cube.corner_twist else 0
        direction = "counter-clockwise" if twist == 1 else "clockwise"
        raise errors.TwistedCornerError(
            "A corner is twisted in its place. Turning the corner at "
            f"{describe_place(CORNER_NAMES, CORNER_FACELETS, place, letters)} {direction} would "
            "make the cube solvable.",
            CORNER_FACELETS[place],
        )
    if sum(cube.edge_flip) % 2:
        place = cube.edge_flip.index(1)
        raise errors.FlippedEdgeError(
            "An edge is flipped in its place. Turning over the edge at "
            f"{describe_place(EDGE_NAMES, EDGE_FACELETS, place, letters)} would make the cube "
            "solvable.",
            EDGE_FACELETS[place],
        )
    raise _swapped(cube, letters)


def is_odd(permutation: tuple[int, ...]) -> bool:
    """Return whether it takes an odd number of exchanges to sort `permutation`."""
    inversions = sum(
        permutation[i] > permutation[j] for j in range(len(permutation)) for i in range(j)
    )
    return inversions % 2 == 1


def _swapped(cube: CubieCube, letters: str) -> errors.SwappedPiecesError:
    corners = is_odd(cube.corner_permutation)
    kind, permutation, names = (
        ("corners", cube.corner_permutation, CORNER_NAMES)
        if corners
        else ("edges", cube.edge_permutation, EDGE_NAMES)
    )
    facelets = CORNER_FACELETS if corners else EDGE_FACELETS
    # Two pieces in each other's places are more likely the ones that were exchanged.
    first = next(
        (i for i, piece in enumerate(permutation) if piece != i and permutation[piece] == i),
        next(i for i, piece in enumerate(permutation) if piece != i),
    )
    second = permutation[first]
    return errors.SwappedPiecesError(
        f"Two pieces are swapped. Exchanging the {kind} at "
        f"{describe_place(names, facelets, first, letters)} and "
        f"{describe_place(names, facelets, second, letters)} would make the cube solvable.",
        _stickers_of(kind, (first, second)),
    )


def _stickers_of(kind: str, places: Iterable[int]) -> tuple[int, ...]:
    facelets = CORNER_FACELETS if kind.startswith("corner") else EDGE_FACELETS
    return tuple(index for place in places for index in facelets[place])
