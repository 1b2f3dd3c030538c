"""The robot shows all faces of the cube to a camera above it; in doubt it shows them once more."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from controller.motion.cost_model import CostModel
from controller.motion.primitives import Spin, Tilt
from controller.vision.camera.sources import FrameSource
from controller.vision.finding.steady_gate import FaceView
from controller.vision.finding.veil import colours_behind_veil
from controller.vision.reading.reader import read_cube
from controller.vision.reading.result import Verdict
from controller.vision.reading_order import turned_orders
from controller.vision.scans.events import (
    ScanEvent,
    ScanJob,
    ScanOutcome,
    Turning,
)
from controller.vision.scans.robot_eye import RobotEye
from controller.vision.scans.tour import cheapest_tour
from controller.vision.scans.viewing import facelets_in_picture, lying_facelets
from solvers.foundation.arrays import Int64Array
from solvers.foundation.progress import Job
from solvers.rubik.rotations import UPRIGHT, Orientation

# How long a face at rest is looked for.
PATIENCE_FRAMES: Final = 90
MOST_TOURS: Final = 3
# Faces lie in one place of the picture if they are no further apart, in pitches.
SAME_PLACE: Final = 0.3


def robot_scan(
    source: FrameSource,
    perform: Callable[[Tilt | Spin], None],
    costs: CostModel,
    *,
    most_tours: int = MOST_TOURS,
    patience_frames: int = PATIENCE_FRAMES,
) -> ScanJob:
    """Scan with a robot whose `perform` returns when the cube lies still.

    Where the first face is not seen, the scan begins with another one; under glare that hides this
    one too all are shown, and found together. Raises ScanFailedError when
    no face can be found, CameraError, and what `perform` raises.
    """
    eye = RobotEye(source, patience_frames)
    lie = UPRIGHT
    shown: list[Orientation] = []
    tours: list[Int64Array] = []
    for _ in range(most_tours):
        facelets = np.zeros(54, dtype=np.int64)
        for stop in cheapest_tour(costs, lie, avoided=shown):
            for motion in stop.motions:
                yield Turning(motion)
                perform(motion)
            facelets[facelets_in_picture(stop.orientation)] = 9 * eye.looks + np.arange(9)
            yield from eye.look() if eye.looks else eye.first_look(perform)
            shown.append(stop.orientation)
            lie = stop.orientation
        yield from eye.finish()
        tours.append(facelets)
        outcome = _read_tours(eye.views, tours, lie)
        if outcome.result.verdict is Verdict.ACCEPTED:
            break
    return outcome


def glance(source: FrameSource, patience_frames: int = PATIENCE_FRAMES) -> Job[ScanEvent, FaceView]:
    """Capture the face that lies up. Raises ScanFailedError if none is seen, and CameraError."""
    eye = RobotEye(source, patience_frames)
    yield from eye.look()
    return eye.views[0]


def _read_tours(views: list[FaceView], tours: list[Int64Array], lie: Orientation) -> ScanOutcome:
    """Return the best reading of the tours: of all together, or of one that is sound alone.

    The camera may be mounted any way round, so that all pictures are turned alike.
    """
    views = _without_veil(views)
    colours = np.concatenate([view.colours for view in views])
    outcomes: list[ScanOutcome] = []
    for order in turned_orders():
        turned = np.array([9 * (tour // 9) + order[tour % 9] for tour in tours])
        lying = turned[:, lying_facelets(lie)]
        for facelets in (lying, *(one[None] for one in lying[::-1] if len(lying) > 1)):
            result = read_cube(colours[facelets])
            outcomes.append(ScanOutcome(result, tuple(views), facelets, lie, order))
            if result.verdict is Verdict.ACCEPTED:
                return outcomes[-1]
    # The first of equals: all tours together, the camera upright.
    return max(outcomes, key=lambda outcome: outcome.result.verdict is Verdict.DOUBTFUL)


def _without_veil(views: list[FaceView]) -> list[FaceView]:
    """Return the views with what the lamp adds in the same places of all pictures taken away."""
    if max(view.grid.moved_from(views[0].grid) for view in views) > SAME_PLACE:
        return views
    bare = colours_behind_veil([(view.picture, view.grid) for view in views])
    return [
        replace(view, colours=np.where(np.isnan(seen), view.colours, seen))
        for view, seen in zip(views, bare, strict=True)
    ]
