"""What somebody paints or writes: colours, and whether they make a cube."""

import pytest

from controller.dashboard.cube.position import ends_of, legal, position_of
from solvers.rubik.cubies import SOLVED
from solvers.rubik.errors import FaceletError, NotationError
from solvers.rubik.facelets import facelet_name, format_facelets
from solvers.rubik.held_cube import PATTERNS, HeldCube
from solvers.rubik.notation import Notation, parse_moves, read_moves
from solvers.rubik.scramble import random_state

CUBE = random_state(7)
STICKERS = format_facelets(CUBE)
TWISTED = STICKERS[:8] + STICKERS[9] + STICKERS[20] + STICKERS[10:20] + STICKERS[8] + STICKERS[21:]


@pytest.mark.parametrize("symbols", ["URFDLB", "WRGYOB", "wrgyob", "123456", "XRABCD"])
def test_any_six_signs_are_shown_in_the_usual_colours(symbols: str) -> None:
    view = position_of(format_facelets(CUBE, symbols), Notation.STANDARD)
    assert (view.facelets, view.is_legal, view.upright) == (STICKERS, True, STICKERS)


def test_moves_are_read_in_either_alphabet() -> None:
    view = position_of("R U R' U'", Notation.STANDARD)
    assert view.facelets == format_facelets(SOLVED.apply(parse_moves("R U R' U'")))
    assert position_of("R O R' O'", Notation.GERMAN) == view
    with pytest.raises(NotationError, match="'K'"):
        position_of("R K", Notation.STANDARD)


def test_a_cube_that_is_held_another_way_keeps_its_colours() -> None:
    held = HeldCube(CUBE).then(read_moves("x y"))
    view = position_of(held.stickers, Notation.STANDARD)
    assert view.facelets == held.stickers
    assert view.upright == format_facelets(held.position)
    assert view.facelets != view.upright


def test_a_twisted_corner_is_named_and_its_three_stickers_ringed() -> None:
    view = position_of(TWISTED, Notation.STANDARD)
    assert not view.is_legal
    assert view.facelets == TWISTED
    assert "A corner is twisted" in view.sentence
    named = [facelet_name(index) for index in view.ringed]
    assert len(named) == 3
    colour = dict(zip("URFDLB", ("white", "red", "green", "yellow", "orange", "blue"), strict=True))
    stickers = " ".join(f"{facelet_name(index)} {colour[TWISTED[index]]}" for index in view.ringed)
    assert f"(stickers {stickers})" in view.sentence


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({0: "R"}, "but white 8 times and red 10 times."),
        ({8: "D", 29: "U"}, "has the stickers U9 yellow R1 red F3 green, but no corner"),
        ({7: "F", 19: "U"}, "the edge at UF (stickers U8 green F2 white) would"),
        ({10: "F", 25: "R"}, "The edge white-green is at UR and UF at once, and white-red and"),
    ],
)
def test_what_is_wrong_is_said_in_colours(changed: dict[int, str], sentence: str) -> None:
    stickers = list(format_facelets(SOLVED))
    for index, colour in changed.items():
        stickers[index] = colour
    for letters in ("URFDLB", "WRGYOB"):
        text = "".join(stickers).translate(str.maketrans("URFDLB", letters))
        assert sentence in position_of(text, Notation.STANDARD).sentence


def test_stickers_without_colour_are_counted() -> None:
    view = position_of("??" + STICKERS[2:], Notation.STANDARD)
    assert (view.facelets, view.is_legal) == ("??" + STICKERS[2:], False)
    assert view.sentence == "2 stickers have no colour yet."
    assert position_of("?" + STICKERS[1:], Notation.STANDARD).sentence.startswith("1 sticker has")


def test_too_few_stickers_are_none() -> None:
    view = position_of(STICKERS[1:], Notation.STANDARD)
    assert (view.facelets, view.is_legal) == ("", False)
    assert "not 53" in view.sentence


@pytest.mark.parametrize(
    ("name", "faces"),
    [
        ("checkerboard", {"UDUDUDUDU"}),
        ("six spots", {"FFFFUFFFF"}),
        ("four spots", {"UUUUUUUUU", "LLLLRLLLL"}),
        ("cube in a cube", {"FFFFUUFUU"}),
        ("superflip", {"UBULURUFU"}),
    ],
)
def test_patterns_look_as_they_are_called(name: str, faces: set[str]) -> None:
    stickers = position_of(PATTERNS[name], Notation.STANDARD).facelets
    shown = {stickers[first : first + 9] for first in range(0, 54, 9)}
    assert faces <= shown
    assert len(shown) == 6


def test_a_target_is_told_as_the_cube_is_held() -> None:
    held = HeldCube(CUBE).then(read_moves("x y"))
    start, target = ends_of(held.stickers, "", Notation.STANDARD)
    assert (start, target) == (held.position, SOLVED)
    # Turning what is red, wherever that face is now.
    _, turned = ends_of(held.stickers, "R", Notation.STANDARD)
    assert HeldCube(turned, held.centres).held_like(HeldCube(SOLVED)) == SOLVED.apply(
        parse_moves("R")
    )
    assert ends_of(STICKERS, "checkerboard", Notation.STANDARD)[1] == SOLVED.apply(
        read_moves("M2 E2 S2").moves
    )
    with pytest.raises(FaceletError):
        ends_of(TWISTED, "", Notation.STANDARD)


def test_a_scramble_tells_its_seed() -> None:
    assert legal(HeldCube(CUBE), 7).seed == 7
