"""A 2x2x2 cube shown by hand."""

import numpy as np
import pytest

from controller.vision.errors import ScanFailedError
from controller.vision.finding.grid_finder import Grid
from controller.vision.finding.steady_gate import FaceView
from controller.vision.reading.pocket_reader import NO_CUBE, PocketReading
from controller.vision.reading.result import Verdict
from controller.vision.reading.scheme import USUAL_SCHEME
from controller.vision.reading.shown_reader import Viewing
from controller.vision.scans import pocket_scan as module
from controller.vision.scans.events import Advised, FaceCaptured, ScanEvent
from controller.vision.scans.hand_scan import Guide
from controller.vision.scans.pocket_scan import (
    FRAMES_AWAY,
    STAYING_MOVE,
    ShownPocketFaces,
    pocket_scan,
)
from solvers.foundation.arrays import Float64Array, Image
from solvers.foundation.progress import run_job
from solvers.rubik.facelets import FACE_LETTERS
from solvers.rubik.pocket import pocket_stickers, read_pocket
from solvers.rubik.scramble import random_state
from tests.eyes.mistakes import GUIDE_ORDER
from tests.unit.controller.vision.scans.test_hand_scan import Film
from tests.vision_data import drawn_face, painted_pocket


def pictures(stickers: str) -> list[Image]:
    """Return a picture of each face, in the order that the guide asks for."""
    return [drawn_face(face) for face in painted_pocket(stickers)[list(GUIDE_ORDER)]]


def shown(faces: list[Image]) -> tuple[list[ScanEvent], PocketReading]:
    events: list[ScanEvent] = []
    return events, run_job(pocket_scan(Film(faces)), on_event=events.append)


def is_read(reading: PocketReading, stickers: str) -> bool:
    truth = read_pocket(stickers.translate(str.maketrans(FACE_LETTERS, USUAL_SCHEME)))
    return (
        reading.verdict is Verdict.ACCEPTED
        and reading.cube is not None
        and reading.cube.held_like(truth).position == truth.position
    )


STICKERS = pocket_stickers(random_state(1))
# Two faces of this cube show the same four colours.
TWINS = pocket_stickers(random_state(84))


def test_six_faces_are_enough() -> None:
    events, reading = shown(pictures(STICKERS))
    captured = [event.number for event in events if isinstance(event, FaceCaptured)]
    assert captured == [1, 2, 3, 4, 5, 6]
    assert is_read(reading, STICKERS)
    assert not [event for event in events if isinstance(event, Advised)]


def test_a_face_shown_twice_counts_once() -> None:
    faces = pictures(STICKERS)
    events, reading = shown([*faces[:3], np.rot90(faces[1], 2).copy(), *faces[3:]])
    assert [e.number for e in events if isinstance(e, FaceCaptured)] == [1, 2, 3, 4, 5, 6]
    assert is_read(reading, STICKERS)


def test_a_face_read_amiss_is_replaced_when_it_is_shown_again() -> None:
    faces = pictures(STICKERS)
    amiss = drawn_face(painted_pocket("URFD" * 6)[0])
    events, reading = shown([faces[0], amiss, *faces[1:5], faces[5], *faces])
    assert is_read(reading, STICKERS)
    assert [event for event in events if isinstance(event, FaceCaptured)]


def test_two_faces_that_look_the_same_are_both_used() -> None:
    assert len(faces_as_seen(TWINS)) == 5
    _, reading = shown(pictures(TWINS))
    assert is_read(reading, TWINS)


def faces_as_seen(stickers: str) -> set[str]:
    faces = [stickers[start : start + 4] for start in range(0, 24, 4)]
    return {min(face[a] + face[b] + face[c] + face[d] for a, b, c, d in TURNED) for face in faces}


TURNED = ((0, 1, 2, 3), (2, 0, 3, 1), (3, 2, 1, 0), (1, 3, 0, 2))


def test_missing_faces_are_counted() -> None:
    with pytest.raises(ScanFailedError, match="Only 4 of the 6"):
        shown(pictures(STICKERS)[:4])


def test_the_guide_counts_faces_that_no_centre_names() -> None:
    events, _ = shown(pictures(STICKERS))
    guide = Guide()
    said = [guide.said(event) for event in events if isinstance(event, FaceCaptured)]
    assert said[0] is not None
    assert said[0].startswith("1 of 6. Next: turn the cube a quarter to the left")
    assert said[5] == "6 of 6."
    assert isinstance(events[-1], FaceCaptured)
    view: FaceView = events[-1].view
    assert view.colours.shape == (4, 3)


FACES = painted_pocket(STICKERS)[list(GUIDE_ORDER)]
GLARE = np.array([250.0, 250.0, 250.0])


def view_of(colours: Float64Array, moved: float = 0.0) -> FaceView:
    """Return a face whose grid lies `moved` pitches from where others are."""
    homography = np.array([[10.0, 0, 10 * moved], [0, 10, 0], [0, 0, 1]])
    return FaceView(colours, drawn_face(colours), Grid(homography, 4, side=2))


def look_at(
    shown: ShownPocketFaces, colours: Float64Array, *, looks: int = 1, moved: float = 0.0
) -> bool:
    """Show a face without taking it away; return whether it was new."""
    seen = [event for _ in range(looks) for event in shown.take(view_of(colours, moved))]
    return any(isinstance(event, FaceCaptured) for event in seen)


def take_away(shown: ShownPocketFaces, frames: int = FRAMES_AWAY) -> None:
    for _ in range(frames):
        shown.taken_away()


def with_glare(colours: Float64Array, stickers: int) -> Float64Array:
    """Return a face with a lamp mirrored in its first `stickers` stickers."""
    return np.concatenate([np.tile(GLARE, (stickers, 1)), colours[stickers:]])


COLOURFUL = painted_pocket("RFLB" * 6)[0]  # nothing as pale as a lamp


@pytest.mark.parametrize(
    ("away", "glares", "moved", "is_new"),
    [
        (FRAMES_AWAY - 1, 1, 0.0, False),
        (FRAMES_AWAY, 1, 0.0, True),
        (FRAMES_AWAY - 1, 2, 0.0, True),
        (FRAMES_AWAY - 1, 1, STAYING_MOVE + 0.1, True),
    ],
)
def test_a_face_stays_one_while_a_glare_moves_over_it(
    away: int, glares: int, moved: float, is_new: bool
) -> None:
    shown = ShownPocketFaces(Viewing())
    assert look_at(shown, COLOURFUL)
    take_away(shown, away)
    assert look_at(shown, with_glare(COLOURFUL, glares), moved=moved) is is_new


@pytest.fixture
def choices(monkeypatch: pytest.MonkeyPatch) -> list[Float64Array]:
    """Return the sixes that are read, none of which makes a cube."""
    read: list[Float64Array] = []

    def no_cube(colours: Float64Array, _: Viewing) -> PocketReading:
        read.append(colours)
        return PocketReading(None, "", 0.0, Verdict.RESCAN, (NO_CUBE,))

    monkeypatch.setattr(module, "read_pocket_shown", no_cube)
    return read


def show_round(shown: ShownPocketFaces, passing: int) -> None:
    """Show six faces in order, and one of them again in passing before the last."""
    for face in FACES[:5]:
        look_at(shown, face, looks=3)
        take_away(shown)
    look_at(shown, FACES[passing])
    take_away(shown)
    look_at(shown, FACES[5], looks=3)
    take_away(shown)


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_face_that_passes_by_leaves_the_others_in_order(
    choices: list[Float64Array], rounds: int
) -> None:
    shown = ShownPocketFaces(Viewing())
    for _ in range(rounds):
        choices.clear()
        show_round(shown, passing=2)
    assert any(np.allclose(each, FACES) for each in choices)


def test_the_looks_at_a_face_count_together(choices: list[Float64Array]) -> None:
    shown = ShownPocketFaces(Viewing())
    for face in FACES:
        look_at(shown, face, looks=3)
        look_at(shown, with_glare(face, 1))
        take_away(shown)
    assert np.allclose(choices[-1], FACES)
