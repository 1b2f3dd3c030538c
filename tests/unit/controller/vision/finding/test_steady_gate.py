"""A face is captured when it has been whole, at rest and of one colour for long enough."""

import numpy as np
import pytest

from controller.vision.finding import grid_finder, steady_gate
from controller.vision.finding.grid_finder import Grid, find_grid, find_squares
from controller.vision.finding.steady_gate import (
    REST_FRAMES,
    STEADY_FRAMES,
    SteadyGate,
    view_of_still,
)
from solvers.foundation.arrays import Float64Array, Image
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state
from tests.eyes.disturbances import noisy
from tests.vision_data import drawn_face, painted

COLOURS = np.minimum(painted(format_facelets(random_state(1)), noise=0.0)[:9], 200.0)
EMPTY = np.full((240, 320, 3), 120, np.uint8)
PITCH_PX = 50


def face(brighter_by: float = 0.0, right_px: int = 0) -> Image:
    return np.roll(drawn_face(COLOURS + brighter_by), right_px, axis=1)


def progress(frames: list[Image]) -> list[int]:
    """Return how long the face has been steady after each frame; 0 where it is captured."""
    gate = SteadyGate()
    return [0 if gate.look(frame) is not None else gate.progress for frame in frames]


def test_a_face_at_rest_is_captured_after_five_frames() -> None:
    assert STEADY_FRAMES == 5
    assert progress([face()] * 6) == [1, 2, 3, 4, 0, 1]


def test_the_colours_are_the_medians_of_all_frames() -> None:
    gate = SteadyGate()
    views = [gate.look(face(brighter_by)) for brighter_by in (0.0, 8.0, 8.0, 20.0, 0.0)]
    assert views[:4] == [None] * 4
    assert views[4] is not None
    assert np.abs(views[4].colours - (COLOURS + 8.0)).max() < 2


def test_a_jump_of_colour_begins_anew() -> None:
    assert progress([face(), face(), face(brighter_by=24)]) == [1, 2, 3]
    assert progress([face(), face(), face(brighter_by=36), face(36)]) == [1, 2, 1, 2]


def test_a_jump_of_one_sticker_begins_anew() -> None:
    colours = COLOURS.copy()
    colours[7] = COLOURS[7] * 0.5
    assert progress([face(), face(), drawn_face(colours)]) == [1, 2, 1]


def test_a_glare_at_its_threshold_does_not_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Now it is taken off and now not, though the picture hardly changes."""
    taken_off = iter([0.0, 60.0, 0.0, 60.0, 0.0])

    def sampled(_: Image, __: Grid) -> Float64Array:
        return COLOURS - next(taken_off)

    monkeypatch.setattr(steady_gate, "sample_colours", sampled)
    assert progress([face()] * 5) == [1, 2, 3, 4, 0]


def test_frames_without_a_face_are_at_rest_when_many_show_the_same() -> None:
    gate = SteadyGate()
    for number in range(1, REST_FRAMES + 1):
        gate.look(EMPTY)
        assert (gate.rest is not None) == (number == REST_FRAMES)
    assert np.array_equal(np.asarray(gate.rest), EMPTY)
    gate.look(np.full_like(EMPTY, 160))
    assert gate.rest is None


def test_a_face_that_moves_is_waited_for() -> None:
    near, far = round(0.1 * PITCH_PX), round(0.3 * PITCH_PX)
    assert progress([face(), face(right_px=near)]) == [1, 2]
    assert progress([face(), face(right_px=far)]) == [1, 1]


def searches(frames: list[Image], monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how often the frames are searched for squares."""
    searched: list[Image] = []

    def noted(picture: Image) -> Float64Array:
        searched.append(picture)
        return find_squares(picture)

    monkeypatch.setattr(grid_finder, "find_squares", noted)
    progress(frames)
    return len(searched)


def test_a_face_at_rest_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = np.random.default_rng(1).integers(-6, 7, (5, *face().shape))
    noisy = [np.clip(face() + each, 0, 255).astype(np.uint8) for each in noise]
    assert searches(noisy, monkeypatch) == 1


def test_a_face_that_creeps_is_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert searches([face(right_px=pixels) for pixels in range(4)], monkeypatch) == 4


def test_no_face_is_looked_for_in_every_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    assert searches([EMPTY] * 3 + [face()] * 2, monkeypatch) == 4


def test_a_face_that_is_taken_away_is_forgotten() -> None:
    assert progress([face(), face(), EMPTY, face()]) == [1, 2, 0, 1]


def test_a_still_picture_needs_no_second_one() -> None:
    view = view_of_still(face())
    assert view is not None
    assert np.abs(view.colours - COLOURS).max() < 2
    assert view_of_still(EMPTY) is None


def test_noise_that_hides_a_face_is_averaged_away() -> None:
    rng = np.random.default_rng(1)
    frames = [noisy(face(), deviation=30.0, rng=rng) for _ in range(12)]
    assert all(find_grid(frame) is None for frame in frames)
    gate = SteadyGate()
    views = [view for frame in frames if (view := gate.look(frame)) is not None]
    assert views
    assert np.abs(views[0].colours - COLOURS).max() < 20
