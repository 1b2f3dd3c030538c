"""A scan by a rig's own sensor, on a cube that is turned in the mind."""

from collections.abc import Callable

import numpy as np
import pytest

from controller.motion.primitives import Spin, Tilt
from controller.rigs.mindcuber.calibration import FILES
from controller.vision.finding.steady_gate import FaceView
from controller.vision.reading.result import Verdict
from controller.vision.scans.events import FaceCaptured, ScanOutcome, Turning
from controller.vision.scans.sensor_scan import read_stops, sensor_scan
from controller.vision.scans.tour import TourStop
from controller.vision.scans.viewing import Palette
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.rigs.mindcuber.sight import COLOURS
from solvers.foundation.progress import run_job
from solvers.rubik.rotations import UPRIGHT
from solvers.rubik.scramble import random_state

Colour = tuple[float, float, float]


class TurnedCube:
    """Reads its upper face as often as it is asked; `spoil` may change what is read."""

    def __init__(
        self, seed: int, spoil: Callable[[int, list[Colour]], None] = lambda *_: None
    ) -> None:
        self.cube = CradledCube(random_state(seed))
        self.readings = 0
        self.spoil = spoil

    def perform(self, motion: Tilt | Spin, /, **_: object) -> None:
        turns = self.cube.tilted() if isinstance(motion, Tilt) else self.cube.spun(motion.quarters)
        self.cube = turns

    def read_face(self) -> list[Colour]:
        face: list[Colour] = []
        for letter in self.cube.stickers[:9]:
            red, green, blue = (lamp / 1023 for lamp in COLOURS[letter])
            face.append((red, green, blue))
        self.spoil(self.readings, face)
        self.readings += 1
        return face

    def scan(self) -> tuple[list[object], ScanOutcome]:
        job = sensor_scan(self.read_face, self.perform, FILES.default.seconds)
        events: list[object] = []
        while True:
            try:
                events.append(next(job))
            except StopIteration as ended:
                outcome: ScanOutcome = ended.value
                return events, outcome


@pytest.mark.parametrize("seed", range(4))
def test_six_faces_make_the_cube_as_it_lies_at_the_end(seed: int) -> None:
    cube = TurnedCube(seed)
    events, outcome = cube.scan()
    assert outcome.result.verdict is Verdict.ACCEPTED
    assert outcome.result.facelets == cube.cube.facelets
    assert cube.readings == 6
    assert sum(isinstance(each, FaceCaptured) for each in events) == 6
    assert sum(isinstance(each, Turning) for each in events) >= 5


def test_a_face_that_was_dazzled_is_read_again() -> None:
    def dazzle(reading: int, face: list[Colour]) -> None:
        if reading == 2:
            face[:] = [(0.1, 0.1, 0.1)] * 9

    cube = TurnedCube(1, dazzle)
    _, outcome = cube.scan()
    assert cube.readings >= 12
    if outcome.result.verdict is Verdict.ACCEPTED:
        assert outcome.result.facelets == cube.cube.facelets


def test_a_sensor_that_sees_nothing_is_never_accepted() -> None:
    def darken(_: int, face: list[Colour]) -> None:
        face[:] = [(0.0, 0.0, 0.0)] * 9

    cube = TurnedCube(1, darken)
    _, outcome = cube.scan()
    assert outcome.result.verdict is not Verdict.ACCEPTED
    assert cube.readings == 18


def test_a_reading_is_kept_with_a_picture_of_it() -> None:
    cube = TurnedCube(2)
    _, outcome = cube.scan()
    view = outcome.views[0]
    for colour, (x, y) in zip(view.colours, view.grid.centres.round().astype(int), strict=True):
        assert view.picture[y, x] == pytest.approx(np.round(colour[::-1]), abs=1)


def test_a_face_is_known_again_by_the_colours_of_the_scan() -> None:
    cube = TurnedCube(1)
    _, outcome = cube.scan()
    palette = Palette.of(outcome)
    face = outcome.result.facelets[:9]
    view = next_view(cube)
    assert palette.shows(view, face)
    for cell, letter in enumerate(face):
        for other in set("URFDLB") - {letter}:
            assert not palette.shows(view, face[:cell] + other + face[cell + 1 :])


@pytest.mark.parametrize("light", [0.0, 0.03, 1.0])
def test_a_sensor_that_sees_nothing_shows_no_face(light: float) -> None:
    cube = TurnedCube(1)
    _, outcome = cube.scan()
    palette = Palette.of(outcome)
    cube.spoil = lambda _, face: face.__setitem__(slice(None), [(light, light, light)] * 9)
    assert not palette.shows(next_view(cube), outcome.result.facelets[:9])


def next_view(cube: TurnedCube) -> FaceView:
    (view,) = run_job(read_stops(cube.read_face, cube.perform, [TourStop((), UPRIGHT)]))
    return view
