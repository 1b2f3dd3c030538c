"""Cubes in any letters, held in any way, are understood as they are held."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.rubik.cubies import SOLVED
from solvers.rubik.errors import (
    ColourCountError,
    DuplicatePieceError,
    FaceletError,
    ImpossiblePieceError,
    NotationError,
    TwistedCornerError,
    UnknownColourError,
    WrongCentreError,
    WrongLengthError,
)
from solvers.rubik.facelets import FACE_LETTERS, format_facelets, parse_facelets
from solvers.rubik.held_cube import (
    PATTERNS,
    HeldCube,
    as_seen_from,
    looks_like_stickers,
    read_position,
    read_stickers,
)
from solvers.rubik.notation import Move, WrittenMoves, parse_moves, read_moves
from solvers.rubik.rotations import Orientation, all_orientations, rotation_name
from solvers.rubik.scramble import POSITIONS, nth_state

COLOURS = "WRGYOB"
SOLVED_COLOURS = "".join(9 * colour for colour in COLOURS)

numbers = st.integers(0, POSITIONS - 1)


@given(numbers, st.permutations("ABCDEFXYZ019"))
def test_any_six_letters_make_the_same_cube(number: int, letters: list[str]) -> None:
    symbols = "".join(letters[:6])
    cube = nth_state(number)
    held = read_stickers(format_facelets(cube, symbols))
    assert held.position == cube
    assert held.centres == symbols
    assert held.stickers == format_facelets(cube, symbols)


def test_case_blanks_and_line_breaks_do_not_matter() -> None:
    rows = "\n".join(SOLVED_COLOURS[i : i + 3].lower() for i in range(0, 54, 3))
    assert read_stickers(f"  {rows}\n") == HeldCube(SOLVED, COLOURS)


@given(st.lists(st.sampled_from(Move), max_size=20), st.sampled_from(all_orientations()))
def test_a_rotated_cube_looks_as_after_the_moves_named_by_place(
    moves: list[Move], orientation: Orientation
) -> None:
    by_place = WrittenMoves(tuple(moves), orientation).as_held_afterwards
    assert as_seen_from(SOLVED.apply(moves), orientation) == SOLVED.apply(by_place)


@pytest.mark.parametrize("orientation", all_orientations())
def test_a_cube_after_a_rotation_is_the_one_read_from_its_stickers(
    orientation: Orientation,
) -> None:
    held = HeldCube.after(read_moves(f"R U2 F' D {rotation_name(orientation)}"))
    assert read_stickers(held.stickers) == held
    assert held.is_upright == (rotation_name(orientation) == "")
    upright = HeldCube(SOLVED.apply(parse_moves("R U2 F' D")))
    assert held.held_like(upright) == upright.position
    assert upright.held_like(held) == held.position


def test_x_brings_the_front_to_the_top() -> None:
    held = HeldCube.after(read_moves("x"))
    assert held.centres == "FRDBLU"
    assert held.how == "F up, D in front"
    assert held.position == SOLVED


def test_cubes_of_different_letters_count_as_held_in_the_same_way() -> None:
    colours = read_stickers(format_facelets(nth_state(5), COLOURS))
    assert HeldCube.after(read_moves("x R")).held_like(colours) == SOLVED.apply([Move.R1])


def test_a_mirror_image_is_not_the_same_cube() -> None:
    mirrored = HeldCube(SOLVED, "WOGYRB")
    with pytest.raises(WrongCentreError, match="No cube can be held"):
        mirrored.held_like(HeldCube(SOLVED, COLOURS))


def changed(changes: dict[int, str]) -> str:
    return "".join(changes.get(index, letter) for index, letter in enumerate(SOLVED_COLOURS))


@pytest.mark.parametrize(
    ("stickers", "kind", "parts"),
    [
        (SOLVED_COLOURS[1:], WrongLengthError, ["53"]),
        (changed({0: "?"}), UnknownColourError, ["Sticker 1", "'?'"]),
        (changed({9: "X"}), UnknownColourError, ["Sticker 10 (R1)", "'X'", "W R G Y O B"]),
        (changed({4: "R"}), WrongCentreError, ["U and R", "U5 and R5", "both R"]),
        (changed({0: "R"}), ColourCountError, ["W 8 times", "R 10 times"]),
        (changed({8: "R", 9: "W"}), ImpossiblePieceError, ["URF", "U9=R R1=W F3=G", "other way"]),
        (changed({8: "R", 9: "G", 20: "W"}), TwistedCornerError, ["URF (stickers U9=R R1=G F3=W)"]),
        (changed({1: "Y", 28: "W"}), DuplicatePieceError, ["edge WG is at UF and DF", "WB and YG"]),
    ],
)
def test_impossible_cubes_are_named_in_their_own_colours(
    stickers: str, kind: type[FaceletError], parts: list[str]
) -> None:
    with pytest.raises(kind) as caught:
        read_stickers(stickers)
    for part in parts:
        assert part in str(caught.value)


def test_face_letters_with_exchanged_centres_are_refused() -> None:
    swapped = "".join(9 * letter for letter in "URFDBL")
    with pytest.raises(WrongCentreError, match="order of the faces"):
        read_stickers(swapped)


@pytest.mark.parametrize(
    ("text", "are_stickers"),
    [
        (SOLVED_COLOURS, True),
        (SOLVED_COLOURS[:-1], True),
        ("wwwww wwww\n" * 3, True),
        ("123456" * 9, True),
        ("R U R' U'", False),
        ("RUFDLB", False),
        ("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2", False),
        ("", False),
    ],
)
def test_stickers_and_moves_are_distinguished(text: str, are_stickers: bool) -> None:
    assert looks_like_stickers(text) is are_stickers


@pytest.mark.parametrize("size", [24, 54])
def test_plain_moves_that_stand_apart_are_moves_however_many(size: int) -> None:
    for count in (size - 1, size, size + 1):
        assert not looks_like_stickers(" ".join("RU"[index % 2] for index in range(count)))
        assert not looks_like_stickers(" ".join("VORHULM"[index % 7] for index in range(count)))
        assert looks_like_stickers("RU" * (count // 2 + 1)), "one word is one text of stickers"
        assert looks_like_stickers(" ".join("WRG"[index % 3] for index in range(count + 1)))
    moves = " ".join("RU" * (size // 2))
    assert read_position(moves) == HeldCube.after(read_moves(moves))


@pytest.mark.parametrize("size", [24, 54])
def test_a_mistyped_cube_of_letters_that_stand_apart_is_not_taken_for_moves(size: int) -> None:
    stickers = list("URFDLB" * (size // 6))
    assert looks_like_stickers(" ".join(stickers))
    assert looks_like_stickers(" ".join(stickers[1:])) is (size > 24)
    assert looks_like_stickers(" ".join([*stickers, "U"]))
    assert looks_like_stickers(" ".join(["R", *stickers[1:]]))
    assert not looks_like_stickers(" ".join(["R", "R", *stickers[2:-2], "R", "R"]))


def test_strict_reading_stays_for_what_programs_wrote() -> None:
    assert parse_facelets(format_facelets(SOLVED)) == SOLVED
    with pytest.raises(UnknownColourError, match=" ".join(FACE_LETTERS)):
        parse_facelets(SOLVED_COLOURS)


STICKERS = "wwwgggybb owborryrr bwwbwwooo gggbbybby gyrooroow rrrgyygyy"


@pytest.mark.parametrize("between", [", ", ",", " / ", "/", "|", ";\n"])
def test_faces_may_be_separated_as_lists_are(between: str) -> None:
    assert read_position(STICKERS.replace(" ", between)) == read_stickers(STICKERS)


def test_a_long_comment_is_no_sticker() -> None:
    assert read_position("R // a comment of many letters and no sign") == read_position("R")


def test_a_pattern_is_read_by_its_name_and_nearly_its_name() -> None:
    assert read_position(" Six  spots").position == SOLVED.apply(parse_moves(PATTERNS["six spots"]))
    with pytest.raises(NotationError, match="Did you mean checkerboard"):
        read_position("chekerboard")
    with pytest.raises(NotationError, match="In standard notation"):
        read_position("nothing of the kind")
