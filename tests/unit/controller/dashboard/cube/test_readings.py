"""A scan that leaves doubts, and what becomes of it when somebody looks at a sticker."""

import numpy as np
import pytest

from controller.dashboard.cube.controller import MOST_READINGS, READING, Readings
from controller.dashboard.cube.view import ReadingView
from controller.dashboard.hub import Hub
from controller.job_events import CubeRead
from controller.vision.errors import InvalidScanError
from controller.vision.reading.reader import read_cube
from solvers.foundation.errors import InvalidInputError
from solvers.rubik.facelets import facelet_name
from solvers.rubik.held_cube import HeldCube
from solvers.rubik.notation import read_moves
from solvers.rubik.scramble import random_state
from tests.dashboard_cube import doubtful_read

CUBE = random_state(3)


def taken(event: CubeRead) -> tuple[Readings, ReadingView]:
    hub = Hub()
    readings = Readings(hub)
    assert hub.value(READING) is None
    readings.take(event)
    view = hub.value(READING)
    assert isinstance(view, ReadingView)
    return readings, view


def test_a_doubtful_sticker_has_its_two_likeliest_colours() -> None:
    event, _ = doubtful_read()
    _, view = taken(event)
    assert (view.number, view.verdict) == (1, "doubtful")
    assert [facelet_name(doubt.index) for doubt in view.doubts] == list(event.result.doubtful)
    for doubt in view.doubts:
        first, second = doubt.shares
        assert first >= second >= 0.0
        assert doubt.colours[0] == view.facelets[doubt.index] != doubt.colours[1]
    assert view.reasons


def test_one_mended_sticker_makes_the_whole_reading_certain() -> None:
    event, true = doubtful_read()
    readings, view = taken(event)
    doubt = view.doubts[-1]
    mended = readings.corrected(1, {facelet_name(doubt.index): true[doubt.index]})
    assert mended.verdict == "accepted"
    assert mended.facelets == true
    assert mended.doubts == ()


def test_the_reading_before_can_be_mended_but_none_that_is_gone_and_no_centre() -> None:
    event, _ = doubtful_read()
    readings, _ = taken(event)
    with pytest.raises(InvalidInputError, match="read many cubes since"):
        readings.corrected(2, {})
    for _ in range(MOST_READINGS - 1):
        readings.take(event)
    assert readings.corrected(1, {}).number == 1
    readings.take(event)
    with pytest.raises(InvalidInputError, match="read many cubes since"):
        readings.corrected(1, {})
    assert readings.corrected(2, {}).number == 2
    with pytest.raises(InvalidScanError, match="centre"):
        readings.corrected(2, {"U5": "R"})


def test_a_cube_that_lies_turned_over_is_shown_and_mended_in_its_colours() -> None:
    lying = HeldCube(CUBE).then(read_moves("x y"))
    colours = {
        "U": (255, 255, 255), "R": (190, 30, 45), "F": (0, 155, 85),
        "D": (255, 213, 0), "L": (255, 120, 20), "B": (20, 70, 190),
    }  # fmt: skip
    rgb = np.array([[colours[letter] for letter in lying.stickers]], dtype=np.float64)
    readings, view = taken(CubeRead(read_cube(rgb), rgb))
    assert view.facelets == lying.stickers
    again = readings.corrected(1, {"F1": lying.stickers[18]})
    assert again.facelets == lying.stickers
