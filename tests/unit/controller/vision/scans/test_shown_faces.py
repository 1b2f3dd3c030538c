"""Several looks at a face in a hand: glares and fingers are elsewhere in each."""

from dataclasses import replace

import numpy as np
import pytest

from controller.vision.finding.grid_finder import Grid
from controller.vision.finding.steady_gate import FaceView
from controller.vision.reading.reader import ACCEPTED_CONFIDENCE
from controller.vision.reading.result import ScanResult, Verdict
from controller.vision.reading.shown_reader import Viewing
from controller.vision.scans import shown_faces
from controller.vision.scans.shown_faces import Match, SeenFace, ShownFaces
from solvers.foundation.arrays import Float64Array, Int64Array
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


FACES = painted(format_facelets(random_state(2)), noise=0.0).reshape(6, 9, 3)


def take(shown: ShownFaces, face: int) -> None:
    """Show a face after another one was put away."""
    shown.taken_away()
    for _ in shown.take(FaceView(FACES[face], drawn_face(FACES[face]), Grid(np.eye(3), 9))):
        pass


def test_a_face_shown_again_before_all_six_are_there_is_a_second_opinion() -> None:
    shown = ShownFaces()
    for face in (0, 1, 0):
        take(shown, face)
    assert [face.is_shown_again for face in shown.faces] == [True, False]
    assert shown.faces[0].times_of_opinions.tolist() == [[1, 1], [3, 3]]
    assert shown.faces[0].times.tolist() == [1, 3]


def test_the_clearer_of_both_looks_counts_as_it_is_once_all_faces_were_shown_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read(
        _colours: Float64Array, _viewing: Viewing | None, times: Float64Array
    ) -> tuple[ScanResult, Int64Array]:
        began, ended = times.min(axis=(0, 1))[0], times.max()
        is_merged = len(times) == 1 and began == 1 and ended > 6
        confidence = 0.96 if is_merged else 0.9
        verdict = Verdict.ACCEPTED if is_merged else Verdict.DOUBTFUL
        result = replace(ScanResult.of(random_state(2), confidence), verdict=verdict)
        return result, np.arange(54)

    monkeypatch.setattr(shown_faces, "read_shown", read)
    shown = ShownFaces()
    for face in (0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4):
        take(shown, face)
    assert not shown.is_certain
    take(shown, 5)
    assert shown.is_certain


@pytest.mark.parametrize(("of_both", "is_certain"), [(0.96, True), (0.94, False)])
def test_after_a_doubt_a_reading_of_both_looks_counts_as_it_is(
    monkeypatch: pytest.MonkeyPatch, of_both: float, is_certain: bool
) -> None:
    """One of a single look, which leaves the doubtful one out, needs more than 0.96."""
    confidences: list[float] = []
    looks_seen: list[list[list[float]]] = []

    def read(
        colours: Float64Array, _viewing: Viewing | None, times: Float64Array
    ) -> tuple[ScanResult, Int64Array]:
        looks = colours.reshape(-1, 6, 9, 3)
        confidence = of_both if len(looks) > 1 else 0.96 if confidences[1:] else 0.9
        confidences.append(confidence)
        looks_seen.append(times[..., 1].tolist())
        verdict = Verdict.ACCEPTED if confidence >= ACCEPTED_CONFIDENCE else Verdict.DOUBTFUL
        result = replace(ScanResult.of(random_state(2), confidence), verdict=verdict)
        return result, np.arange(54)

    monkeypatch.setattr(shown_faces, "read_shown", read)
    shown = ShownFaces()
    for face in range(6):
        take(shown, face)
    assert confidences == [0.9, 0.9]  # the looks together, and the last ones
    take(shown, 0)
    assert confidences[2:] == [0.96, 0.96, of_both]
    assert shown.is_certain is is_certain
    # When each face was seen last, for all looks together, the last ones and both opinions.
    assert looks_seen[2:] == [
        [[7, 2, 3, 4, 5, 6]],
        [[7, 2, 3, 4, 5, 6]],
        [[1, 2, 3, 4, 5, 6], [7, 2, 3, 4, 5, 6]],
    ]
