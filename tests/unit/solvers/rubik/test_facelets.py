"""Stickers become cubies and back, and every kind of invalid cube is named."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.foundation.errors import InvalidInputError
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.errors import (
    ColourCountError,
    DuplicatePieceError,
    FaceletError,
    FlippedEdgeError,
    ImpossiblePieceError,
    SwappedPiecesError,
    TwistedCornerError,
    UnknownColourError,
    WrongCentreError,
    WrongLengthError,
)
from solvers.rubik.facelets import (
    CORNER_FACELETS,
    EDGE_FACELETS,
    facelet_name,
    format_facelets,
    parse_facelets,
)
from solvers.rubik.notation import parse_moves
from solvers.rubik.scramble import POSITIONS, nth_state

SOLVED_LETTERS = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB"


def changed(changes: dict[str, str], letters: str = SOLVED_LETTERS) -> str:
    """Return the stickers with some, given by name such as F5, changed."""
    names = [facelet_name(index) for index in range(54)]
    return "".join(changes.get(name, letter) for name, letter in zip(names, letters, strict=True))


def test_solved_cube() -> None:
    assert format_facelets(SOLVED) == SOLVED_LETTERS
    assert parse_facelets(SOLVED_LETTERS) == SOLVED


def test_known_position() -> None:
    letters = "UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBBBB"
    assert format_facelets(SOLVED.apply(parse_moves("R U R' U'"))) == letters


@given(st.integers(0, POSITIONS - 1))
def test_round_trip(number: int) -> None:
    cube = nth_state(number)
    assert parse_facelets(format_facelets(cube)) == cube


def test_white_space_is_ignored() -> None:
    spaced = " ".join(SOLVED_LETTERS[face : face + 9] for face in range(0, 54, 9)) + "\n"
    assert parse_facelets(spaced) == SOLVED


def test_sticker_tables_name_each_sticker_but_the_centres_once() -> None:
    indices = [index for piece in CORNER_FACELETS + EDGE_FACELETS for index in piece]
    assert sorted(indices) == [index for index in range(54) if index % 9 != 4]


@pytest.mark.parametrize(
    ("letters", "kind", "parts"),
    [
        (SOLVED_LETTERS[:-1], WrongLengthError, ["53", "54"]),
        (SOLVED_LETTERS + "U", WrongLengthError, ["55"]),
        ("", WrongLengthError, ["0"]),
        (changed({"R1": "X"}), UnknownColourError, ["Sticker 10", "'X'"]),
        (changed({"U5": "D", "D5": "U"}), WrongCentreError, ["U5", "is D"]),
        (changed({"F1": "R"}), ColourCountError, ["R 10 times", "F 8 times"]),
        # Two stickers of different pieces exchanged.
        (changed({"U6": "F", "F8": "U"}), ImpossiblePieceError, ["edge at DF", "D2=D F8=U"]),
        # Two stickers of one corner exchanged: a mirror image.
        (changed({"U9": "R", "R1": "U"}), ImpossiblePieceError, ["corner at URF", "other way"]),
    ],
)
def test_invalid_stickers_are_named(
    letters: str, kind: type[FaceletError], parts: list[str]
) -> None:
    with pytest.raises(kind) as caught:
        parse_facelets(letters)
    assert isinstance(caught.value, InvalidInputError)
    for part in parts:
        assert part in str(caught.value)
    named = re.findall(r"\b([URFDLB][1-9])\b", str(caught.value))
    assert {facelet_name(index) for index in caught.value.facelets} >= set(named)


def test_duplicate_edge_is_named_with_its_places_and_the_missing_ones() -> None:
    with pytest.raises(DuplicatePieceError) as caught:
        parse_facelets(changed({"D2": "U", "U2": "D"}))
    assert "edge UF is at UF and DF at once" in str(caught.value)
    assert "UB and DF are missing" in str(caught.value)
    assert sorted(map(facelet_name, caught.value.facelets)) == ["D2", "F2", "F8", "U8"]


def test_duplicate_corner_is_named() -> None:
    # The corner at DFR shows U R F the way the one at URF does, and that at UBR the colours of DRB.
    letters = changed({"D3": "U", "R7": "F", "F9": "R", "U3": "D", "R3": "B", "B1": "R"})
    with pytest.raises(DuplicatePieceError, match="corner URF is at URF and DFR at once"):
        parse_facelets(letters)


def with_pieces(
    corners: dict[int, tuple[int, int]] | None = None,
    edges: dict[int, tuple[int, int]] | None = None,
    start: CubieCube = SOLVED,
) -> str:
    """Return the stickers of `start` with other pieces: piece and twist or flip by place."""
    corner_list = list(zip(start.corner_permutation, start.corner_twist, strict=True))
    edge_list = list(zip(start.edge_permutation, start.edge_flip, strict=True))
    for place, piece in (corners or {}).items():
        corner_list[place] = piece
    for place, piece in (edges or {}).items():
        edge_list[place] = piece
    return format_facelets(
        CubieCube(
            tuple(piece for piece, _ in corner_list),
            tuple(twist for _, twist in corner_list),
            tuple(piece for piece, _ in edge_list),
            tuple(flip for _, flip in edge_list),
        )
    )


@pytest.mark.parametrize(("twist", "repair"), [(1, "counter-clockwise"), (2, "clockwise")])
def test_twisted_corner_is_named(twist: int, repair: str) -> None:
    with pytest.raises(TwistedCornerError) as caught:
        parse_facelets(with_pieces(corners={3: (3, twist)}))
    assert "corner at UBR (stickers U3=" in str(caught.value)
    assert f") {repair} would" in str(caught.value)
    assert sorted(map(facelet_name, caught.value.facelets)) == ["B1", "R3", "U3"]


@given(st.integers(0, POSITIONS - 1), st.integers(0, 7), st.integers(1, 2))
def test_any_cube_with_a_twisted_corner_is_refused(number: int, place: int, twist: int) -> None:
    cube = nth_state(number)
    piece, old_twist = cube.corner_permutation[place], cube.corner_twist[place]
    with pytest.raises(TwistedCornerError):
        parse_facelets(with_pieces(corners={place: (piece, (old_twist + twist) % 3)}, start=cube))


def test_flipped_edge_is_named() -> None:
    with pytest.raises(FlippedEdgeError, match=r"edge at FL \(stickers F4=L L6=F\)") as caught:
        parse_facelets(with_pieces(edges={9: (9, 1)}))
    assert sorted(map(facelet_name, caught.value.facelets)) == ["F4", "L6"]


def test_two_swapped_edges_are_named() -> None:
    with pytest.raises(SwappedPiecesError) as caught:
        parse_facelets(with_pieces(edges={1: (5, 0), 5: (1, 0)}))
    assert "edges at UF (stickers U8=D F2=F) and DF (stickers D2=U F8=F)" in str(caught.value)
    assert sorted(map(facelet_name, caught.value.facelets)) == ["D2", "F2", "F8", "U8"]


def test_two_swapped_corners_are_named() -> None:
    with pytest.raises(SwappedPiecesError, match=r"corners at URF .* and DLF"):
        parse_facelets(with_pieces(corners={0: (5, 0), 5: (0, 0)}))
