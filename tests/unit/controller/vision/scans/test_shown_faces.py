"""Several looks at a face in a hand: glares and fingers are elsewhere in each."""

import numpy as np

from controller.vision.finding.grid_finder import Grid
from controller.vision.finding.steady_gate import FaceView
from controller.vision.scans.shown_faces import Match, SeenFace
from solvers.foundation.arrays import Float64Array
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state
from tests.vision_data import drawn_face, painted

COLOURS = painted(format_facelets(random_state(2)), noise=0.0)[:9]
WHITE = int(COLOURS.min(axis=1).argmax())
FINGER = (205.0, 150.0, 120.0)


def merged(*looks: Float64Array) -> Float64Array:
    """Return the colours that a face has after these looks."""
    first, *others = looks
    face = SeenFace(FaceView(first, drawn_face(first), Grid(np.eye(3), 9)), 0)
    for number, colours in enumerate(others, 1):
        face.add(Match(0, colours), number)
    return face.merged.colours


def glaring(*cells: int) -> Float64Array:
    """Return the colours with a lamp mirrored in some stickers."""
    share = np.where(np.isin(np.arange(9), cells), 0.8, 0.0)[:, None]
    return np.asarray(COLOURS * (1 - share) + 255 * share)


def test_of_two_looks_each_sticker_is_taken_from_the_clearer_one() -> None:
    assert np.array_equal(merged(glaring(0, 1, 4), glaring(2, 5, 8)), COLOURS)


def test_a_finger_on_white_is_outvoted_by_two_looks() -> None:
    covered = COLOURS.copy()
    covered[WHITE] = FINGER
    assert np.array_equal(merged(covered, COLOURS, COLOURS), COLOURS)


def test_of_six_looks_a_third_may_glare_or_be_covered() -> None:
    covered = COLOURS.copy()
    covered[:] = np.minimum(COLOURS, 60.0)
    looks = [covered, covered, COLOURS, COLOURS, glaring(0, 3), glaring(0, 7)]
    assert np.array_equal(merged(*looks), COLOURS)


def test_looks_since_a_face_was_shown_again_are_a_second_opinion() -> None:
    face = SeenFace(FaceView(COLOURS, drawn_face(COLOURS), Grid(np.eye(3), 9)), 0)
    face.add(Match(0, glaring(1)), 1)
    assert not face.is_shown_again
    assert np.array_equal(*face.opinions)
    face.add(Match(0, glaring(3)), 7, is_shown_again=True)
    face.add(Match(0, glaring(5)), 8)  # held on
    assert (face.is_shown_again, face.looks) == (True, 4)
    assert np.array_equal(face.opinions[0], COLOURS)
    assert np.array_equal(face.opinions[1], COLOURS)
    assert np.array_equal(face.latest.colours, glaring(5))
    assert face.times.tolist() == [0, 8]
    assert face.times_of_opinions.tolist() == [[0, 1], [7, 8]]
