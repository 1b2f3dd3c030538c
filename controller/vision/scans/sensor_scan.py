"""A scan with a rig's own colour sensor, which reads the face that is up sticker by sticker."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np

from controller.motion.primitives import CostModel
from controller.vision.finding.grid_finder import Grid
from controller.vision.finding.steady_gate import FaceView
from controller.vision.reading.reader import read_cube
from controller.vision.reading.result import Verdict
from controller.vision.scans.events import FaceCaptured, ScanEvent, ScanJob, ScanOutcome
from controller.vision.scans.tour import Perform, TourStop, cheapest_tour, turn_to
from controller.vision.scans.viewing import facelets_in_picture, lying_facelets
from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.foundation.progress import Job
from solvers.rubik.rotations import UPRIGHT, Orientation

ReadFace: TypeAlias = Callable[[], Sequence[tuple[float, float, float]]]
"""Reads the upper face: linear red, green and blue 0 to 1, the back left sticker first."""

MOST_TOURS: Final = 3
SQUARE_PX: Final = 24  # of the picture that is painted of a reading


def sensor_scan(read_face: ReadFace, perform: Perform, costs: CostModel) -> ScanJob:
    """Scan with a sensor that reads the face that is up; `perform` turns the cube.

    A doubtful cube is read again, up to three times, and all readings count. Raises what the two
    functions raise.
    """
    orientation = UPRIGHT
    views: list[FaceView] = []
    tours: list[Int64Array] = []
    for _ in range(MOST_TOURS):
        facelets = np.zeros(54, dtype=np.int64)
        stops = cheapest_tour(costs, orientation)
        for number, stop in enumerate(stops, len(views)):
            facelets[facelets_in_picture(stop.orientation)] = 9 * number + np.arange(9)
            orientation = stop.orientation
        views += yield from read_stops(read_face, perform, stops)
        tours.append(facelets)
        outcome = _read(views, tours, orientation)
        if outcome.result.verdict is Verdict.ACCEPTED:
            break
    return outcome


def read_stops(
    read_face: ReadFace, perform: Perform, stops: Sequence[TourStop]
) -> Job[ScanEvent, list[FaceView]]:
    """Turn the cube from stop to stop and read the upper face at each."""
    views: list[FaceView] = []
    for stop in stops:
        yield from turn_to(stop, perform)
        views.append(_view(np.array(read_face(), float)))
        yield FaceCaptured(len(views), len(stops), views[-1])
    return views


def _read(views: list[FaceView], tours: list[Int64Array], orientation: Orientation) -> ScanOutcome:
    """Return the reading of all tours together, or of a later one that is sound alone."""
    colours = np.concatenate([view.colours for view in views])
    in_rig = np.array(tours)[:, lying_facelets(orientation)]
    outcomes = []
    for facelets in (in_rig, *(one[None] for one in in_rig[:0:-1])):
        result = read_cube(colours[facelets])
        outcomes.append(ScanOutcome(result, tuple(views), facelets, orientation))
        if result.verdict is Verdict.ACCEPTED:
            return outcomes[-1]
    return outcomes[0]


def _view(light: Float64Array) -> FaceView:
    """Return nine colours of linear light as sRGB, with a picture of them."""
    light = light.clip(0.0, 1.0)
    curved = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    rgb = 255.0 * curved
    squares = rgb.reshape(3, 3, 3)[..., ::-1].round().astype(np.uint8)  # pictures are BGR
    picture = squares.repeat(SQUARE_PX, axis=0).repeat(SQUARE_PX, axis=1)
    middle = (SQUARE_PX - 1) / 2
    homography = np.array([[SQUARE_PX, 0.0, middle], [0.0, SQUARE_PX, middle], [0.0, 0.0, 1.0]])
    return FaceView(rgb, picture, Grid(homography, len(rgb)))
