"""The robot's tour of a cube, and the camera above it."""

import numpy as np
import pytest
from msgspec.structs import replace

from controller.motion.primitives import HOME, Spin, Tilt, price_all
from controller.motion.virtual_cube import orientation_after
from controller.rigs.nxt_brick.calibration import Seconds
from controller.vision.camera import CameraSettings
from controller.vision.errors import ScanFailedError
from controller.vision.scans.events import Advised, FaceCaptured, ScanEvent
from controller.vision.scans.robot_scan import LATE_FRAMES, RobotEye
from controller.vision.scans.tour import TourStop, cheapest_tour, turn_to, with_next
from solvers.foundation.arrays import Image
from solvers.rubik.rotations import UPRIGHT, Face, Orientation, all_orientations
from tests.vision_data import drawn_face

COSTS = Seconds(tilt=1.6, spin=(0.7, 1.2, 1.2), turn=(1.0, 1.5, 1.5))


def seconds(costs: Seconds, motions: list[Tilt | Spin]) -> float:
    return price_all(costs, motions)


@pytest.mark.parametrize("start", all_orientations()[::5])
def test_a_tour_shows_every_face_once(start: Orientation) -> None:
    stops = cheapest_tour(COSTS, start)
    assert sorted(stop.orientation[Face.U] for stop in stops) == list(Face)
    lie = start
    for stop in stops:
        for motion in stop.motions:
            lie = orientation_after(lie, motion)
        assert lie == stop.orientation


def test_five_tilts_and_two_spins_are_cheapest() -> None:
    motions = [motion for stop in cheapest_tour(COSTS) for motion in stop.motions]
    assert sum(isinstance(motion, Tilt) for motion in motions) == 5
    assert seconds(COSTS, motions) == pytest.approx(5 * 1.6 + 2 * 0.7)


def test_dear_spins_are_avoided() -> None:
    dear = replace(COSTS, spin=(9.0, 9.0, 9.0))
    motions = [motion for stop in cheapest_tour(dear) for motion in stop.motions]
    assert sum(isinstance(motion, Spin) for motion in motions) == 1


def test_motions_to_a_view_know_their_neighbours_and_what_comes_after_it() -> None:
    stop = TourStop((Spin(1), Tilt()), UPRIGHT)
    following = TourStop((Spin(-1), Tilt()), UPRIGHT)
    played = []

    def perform(motion: Tilt | Spin, /, **neighbours: object) -> None:
        played.append((motion, neighbours))

    for each, then in with_next([stop, following]):
        assert [turning.motion for turning in turn_to(each, perform, then)] == list(each.motions)
    assert played == [
        (Spin(1), {"before": None, "ahead": (Tilt(),), "then": Spin(-1)}),
        (Tilt(), {"before": Spin(1), "ahead": (), "then": Spin(-1)}),
        (Spin(-1), {"before": None, "ahead": (Tilt(),), "then": HOME}),
        (Tilt(), {"before": Spin(-1), "ahead": (), "then": HOME}),
    ]


def test_a_second_tour_shows_each_face_turned_differently() -> None:
    first = cheapest_tour(COSTS)
    shown = [stop.orientation for stop in first]
    second = cheapest_tour(COSTS, shown[-1], avoided=shown)
    assert sorted(stop.orientation[Face.U] for stop in second) == list(Face)
    assert not {stop.orientation for stop in second} & set(shown)


PLASTIC = 18.0
RED, BLUE = (180.0, 34.0, 36.0), (24.0, 72.0, 160.0)
PATIENCE = 30
EMPTY = np.full((240, 320, 3), 120, np.uint8)


def showing(*cells: int, colour: tuple[float, float, float] = RED) -> Image:
    """Return a face of which only these stickers stand out from the plastic."""
    return drawn_face(np.where(np.isin(np.arange(9), cells)[:, None], colour, PLASTIC))


class Faces:
    """A fixed camera that sees one picture after the other as the cube is turned."""

    name = "film"
    is_live = False
    is_still = False
    settings = CameraSettings()

    def __init__(self, *pictures: Image) -> None:
        self.pictures = pictures
        self.turned = 0

    def read(self) -> Image:
        return self.pictures[self.turned]

    def perform(self, _: Tilt | Spin, /, **__: object) -> None:
        self.turned += 1

    def close(self) -> None:
        pass


def seen(film: Faces, eye: RobotEye) -> list[ScanEvent]:
    """Return what happens while all faces of the film are shown."""
    events = list(eye.first_look(film.perform))
    while film.turned + 1 < len(film.pictures):
        film.perform(Spin(1))
        events += eye.look()
    return [*events, *eye.finish()]


def test_a_face_that_half_is_hidden_is_captured_when_others_have_told_the_grid() -> None:
    film = Faces(showing(4), showing(0, 1, 2, 4), showing(3, 5, 6, 8, colour=BLUE), showing(0, 4))
    eye = RobotEye(film, PATIENCE)
    events = list(eye.first_look(film.perform))
    assert sum(isinstance(event, Advised) for event in events) == 1
    assert (eye.looks, len(eye.views)) == (1, 0)
    film.perform(Spin(1))
    captured = [event for event in eye.look() if isinstance(event, FaceCaptured)]
    assert [event.number for event in captured] == [1, 2]
    first, second = (event.view.colours for event in captured)
    assert np.abs(first[[0, 1, 2, 4]] - RED).max() < 3
    assert np.abs(second[[3, 5, 6, 8]] - BLUE).max() < 3
    film.perform(Spin(1))
    with pytest.raises(ScanFailedError, match="look 3"):  # two squares are no face
        list(eye.look())


def test_two_faces_that_show_half_of_the_grid_each_are_enough() -> None:
    film = Faces(showing(0, 1, 2, 4, 8), showing(3, 5, 6, 7))
    eye = RobotEye(film, PATIENCE)
    assert not any(isinstance(event, Advised) for event in seen(film, eye))
    assert len(eye.views) == 1


def test_six_squares_of_one_face_are_not_enough() -> None:
    film = Faces(showing(0, 1, 2, 3, 4, 8), showing(*range(9), colour=BLUE))
    eye = RobotEye(film, PATIENCE)
    list(eye.first_look(film.perform))
    assert film.turned == 1


def test_six_squares_are_enough_when_all_faces_have_been_seen() -> None:
    film = Faces(showing(4), showing(0, 1, 4, 8), showing(2, 3, 4, 8, colour=BLUE))
    eye = RobotEye(film, PATIENCE)
    captured = [event for event in seen(film, eye) if isinstance(event, FaceCaptured)]
    assert [event.number for event in captured] == [1, 2]
    assert np.abs(captured[1].view.colours[[2, 3, 4, 8]] - BLUE).max() < 3


def test_a_face_without_squares_in_the_place_is_reported_in_the_end() -> None:
    film = Faces(showing(4), EMPTY, showing(0, 1, 2, 3, 4, 5))
    with pytest.raises(ScanFailedError, match="covers the cube"):
        seen(film, RobotEye(film, PATIENCE))


def test_where_nothing_changes_with_the_cube_it_is_turned_once() -> None:
    film = Faces(EMPTY, EMPTY, showing(*range(9)))
    with pytest.raises(ScanFailedError, match="covers the cube"):
        seen(film, RobotEye(film, PATIENCE))
    assert film.turned == 1


def test_where_nothing_rests_the_cube_is_turned_once() -> None:
    film = Faces(EMPTY, EMPTY, EMPTY)
    rng = np.random.default_rng(1)
    film.read = lambda: np.full_like(EMPTY, rng.integers(60, 200))  # type: ignore[method-assign]
    with pytest.raises(ScanFailedError, match="covers the cube"):
        seen(film, RobotEye(film, PATIENCE))
    assert film.turned == 1


class LateFaces(Faces):
    """A camera behind whose frames is a buffer: what it shows is `late` frames old."""

    is_live = True

    def __init__(self, late: int, *pictures: Image) -> None:
        super().__init__(*pictures)
        self._rng = np.random.default_rng(2)
        self._buffer = [self._exposed() for _ in range(late)]

    def _exposed(self) -> Image:
        return self.pictures[self.turned] + self._rng.integers(0, 3, EMPTY.shape, dtype=np.uint8)

    def read(self) -> Image:
        self._buffer.append(self._exposed())
        return self._buffer.pop(0)


@pytest.mark.parametrize("late", [0, 6, LATE_FRAMES - 1])
def test_a_frame_from_before_a_motion_shows_no_face(late: int) -> None:
    film = LateFaces(late, showing(*range(9)), showing(*range(9), colour=BLUE))
    eye = RobotEye(film, 2 * PATIENCE)
    seen(film, eye)
    red, blue = (view.colours for view in eye.views)
    assert np.abs(red - RED).max() < 5
    assert np.abs(blue - BLUE).max() < 5


def test_a_cube_that_looks_the_same_after_a_motion_is_captured_in_the_end() -> None:
    film = LateFaces(0, showing(*range(9)), showing(*range(9)))
    eye = RobotEye(film, 2 * PATIENCE)
    seen(film, eye)
    assert len(eye.views) == 2
