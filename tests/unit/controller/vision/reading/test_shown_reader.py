"""Faces shown by hand: mirrored pictures, other colour schemes, arrangements that fit alike."""

import numpy as np
import pytest

from controller.vision.errors import InvalidScanError
from controller.vision.reading.face_arrangement import Fit, arrange_faces
from controller.vision.reading.result import Verdict
from controller.vision.reading.scheme import Handedness, handedness, mirrored_back, parse_scheme
from controller.vision.reading.shown_reader import (
    AMBIGUOUS,
    IMPOSSIBLE_TOO,
    MIRRORED,
    Viewing,
    read_shown,
)
from controller.vision.reading_order import turned_orders
from controller.vision.scans.viewing import shows
from solvers.foundation.arrays import Float64Array
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import FACE_LETTERS, format_facelets, parse_facelets
from solvers.rubik.notation import Move
from solvers.rubik.scramble import random_state
from tests.eyes.mistakes import GUIDE_ORDER, Mistake, exchanged_edges, shown_cube
from tests.vision_data import painted, real_scans

SCRAMBLED = format_facelets(random_state(1))
ONE_TURN = SOLVED.apply([Move(0)])


def faces_of(facelets: str) -> Float64Array:
    return painted(facelets).reshape(6, 9, 3)


@pytest.mark.parametrize("seed", range(3))
def test_mirrored_pictures_are_noticed_and_read_when_said(seed: int) -> None:
    facelets = format_facelets(random_state(seed))
    pictures = mirrored_back(faces_of(facelets))
    result, _ = read_shown(pictures)
    assert result.verdict is Verdict.DOUBTFUL
    assert result.reasons == (MIRRORED,)
    said, sticker_of = read_shown(pictures, Viewing(mirrored=True))
    assert (said.facelets, said.verdict) == (facelets, Verdict.ACCEPTED)
    # The arrangement names the stickers of the pictures as they came.
    assert np.array_equal(pictures.reshape(54, 3)[sticker_of], painted(facelets))


def test_a_cube_with_another_scheme_is_read_when_said() -> None:
    colours = painted("".join({"R": "L", "L": "R"}.get(each, each) for each in SCRAMBLED))
    swapped = colours.reshape(6, 9, 3)
    assert read_shown(swapped)[0].reasons == (MIRRORED,)
    for viewing in (Viewing(scheme="WOGYRB"), Viewing(mirrored=False)):
        result, _ = read_shown(swapped, viewing)
        assert (result.facelets, result.verdict) == (SCRAMBLED, Verdict.ACCEPTED)


def test_sound_pictures_are_not_taken_for_mirrored_ones() -> None:
    result, _ = read_shown(faces_of(SCRAMBLED))
    assert (result.facelets, result.verdict) == (SCRAMBLED, Verdict.ACCEPTED)


def test_a_solved_cube_has_no_handedness_to_be_asked_for() -> None:
    solved = "".join(letter * 9 for letter in FACE_LETTERS)
    assert read_shown(mirrored_back(faces_of(solved)))[0].verdict is Verdict.ACCEPTED


def test_real_cubes_have_the_usual_handedness_and_their_mirror_images_do_not() -> None:
    """All but one, whose sensor saw orange redder than red; that scan is in doubt anyway."""
    labelled = [scan for scan in real_scans() if scan.truth and "random-09__" not in scan.name]
    for scan in labelled:
        cube = np.array([FACE_LETTERS.index(letter) for letter in scan.truth or ""])
        rgb = np.array(scan.rgb)
        mirror = np.array([0, 4, 2, 3, 1, 5])[cube]
        found = handedness(rgb, cube)
        assert found is not Handedness.MIRRORED, scan.name
        if found is Handedness.USUAL:
            assert handedness(rgb, mirror) is Handedness.MIRRORED


def test_colours_that_look_alike_leave_the_handedness_open() -> None:
    rgb = painted(SCRAMBLED)
    letters = np.array(list(SCRAMBLED))
    rgb[letters == "L"] = rgb[letters == "R"]
    cube = np.array([FACE_LETTERS.index(letter) for letter in SCRAMBLED])
    assert handedness(rgb, cube) is Handedness.UNKNOWN


@pytest.mark.parametrize("text", ["WRGYO", "WRGYOO", "URFDLB"])
def test_what_is_no_scheme_is_refused(text: str) -> None:
    with pytest.raises(InvalidScanError, match="WRGYOB"):
        parse_scheme(text)


def test_a_scheme_may_be_written_small() -> None:
    assert parse_scheme(" wogyrb ") == "WOGYRB"


def test_faces_shown_as_the_guide_asks_need_no_comparison() -> None:
    faces = faces_of(format_facelets(ONE_TURN))
    arrangement = arrange_faces(faces[list(GUIDE_ORDER)])
    assert arrangement.fit is Fit.EXPECTED
    assert arrangement.probability == 1
    faces[1] = faces[1][turned_orders()[1]]
    assert arrange_faces(faces[list(GUIDE_ORDER)]).fit is not Fit.EXPECTED


@pytest.mark.parametrize("seed", [0, 4, 5])
def test_an_impossible_cube_that_fits_elsewhere_is_doubted(seed: int) -> None:
    cube = exchanged_edges(np.random.default_rng(seed), ONE_TURN)
    result, _ = read_shown(faces_of(format_facelets(cube))[list(GUIDE_ORDER)])
    assert result.verdict is Verdict.DOUBTFUL
    assert IMPOSSIBLE_TOO in result.reasons


@pytest.mark.parametrize("seed", [140322, 310492])
def test_a_cube_that_fits_elsewhere_piece_by_piece_is_doubted(seed: int) -> None:
    """In the right arrangement an unclear or misread sticker shows one of the edges twice."""
    shown = shown_cube(Mistake.REARRANGED, seed, held_out=True)
    result, _ = read_shown(shown.colours)
    assert result.verdict is Verdict.DOUBTFUL
    assert IMPOSSIBLE_TOO in result.reasons


def test_where_most_faces_have_one_colour_the_order_asked_for_proves_nothing() -> None:
    shown = shown_cube(Mistake.REARRANGED, 310649, held_out=True)
    assert arrange_faces(shown.colours).fit is Fit.EXPECTED
    result, _ = read_shown(shown.colours)
    assert result.verdict is Verdict.DOUBTFUL
    assert result.reasons[-1] == AMBIGUOUS


@pytest.mark.parametrize("mistake", [Mistake.LAYER_6, Mistake.LAYER_4])
def test_a_layer_turned_between_faces_in_a_known_order_is_not_accepted(mistake: Mistake) -> None:
    times = np.repeat(np.arange(12.0).reshape(2, 6, 1), 2, axis=2)
    for seed in range(40, 46):
        shown = shown_cube(mistake, seed, held_out=False)
        if shown.by_hand:
            for looks in (shown.colours[None], np.stack([shown.colours, shown.again])):
                result, _ = read_shown(looks, times=times[: len(looks)])
                is_right = shows(result, parse_facelets(shown.truth or ""))
                assert result.verdict is not Verdict.ACCEPTED or is_right, f"seed {seed}"


@pytest.mark.parametrize("mistake", [Mistake.MIRRORED, Mistake.REARRANGED])
def test_mistakes_by_hand_are_not_accepted(mistake: Mistake) -> None:
    for seed in range(8):
        shown = shown_cube(mistake, seed, held_out=False)
        assert read_shown(shown.colours)[0].verdict is not Verdict.ACCEPTED, f"seed {seed}"
