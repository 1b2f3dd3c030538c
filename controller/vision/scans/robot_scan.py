"""The robot shows all faces of the cube to a camera above it; in doubt it shows them once more."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from controller.motion.cost_model import CostModel
from controller.motion.primitives import Spin, Tilt
from controller.vision.camera.health import FrameHealth
from controller.vision.camera.sources import FrameSource
from controller.vision.errors import ScanFailedError
from controller.vision.finding.grid_finder import Grid
from controller.vision.finding.steady_gate import FaceView, SteadyGate
from controller.vision.finding.veil import colours_behind_veil
from controller.vision.reading.reader import read_cube
from controller.vision.reading.result import Verdict
from controller.vision.reading_order import turned_orders
from controller.vision.scans.events import (
    FACES,
    FaceCaptured,
    FrameSeen,
    ScanEvent,
    ScanJob,
    ScanOutcome,
    Turning,
)
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

    Where the first face is not seen, the scan begins with another one. Raises ScanFailedError when
    no face can be found, CameraError, and what `perform` raises.
    """
    eye = _Eye(source, patience_frames)
    lie = UPRIGHT
    shown: list[Orientation] = []
    tours: list[Int64Array] = []
    for _ in range(most_tours):
        facelets = np.zeros(54, dtype=np.int64)
        for stop in cheapest_tour(costs, lie, avoided=shown):
            for motion in stop.motions:
                yield Turning(motion)
                perform(motion)
            facelets[facelets_in_picture(stop.orientation)] = 9 * len(eye.views) + np.arange(9)
            yield from eye.look() if eye.views else _first_look(eye, perform)
            shown.append(stop.orientation)
            lie = stop.orientation
        tours.append(facelets)
        outcome = _read_tours(eye.views, tours, lie)
        if outcome.result.verdict is Verdict.ACCEPTED:
            break
    return outcome


def glance(source: FrameSource, patience_frames: int = PATIENCE_FRAMES) -> Job[ScanEvent, FaceView]:
    """Capture the face that lies up. Raises ScanFailedError if none is seen, and CameraError."""
    eye = _Eye(source, patience_frames)
    yield from eye.look()
    return eye.views[0]


def _first_look(eye: "_Eye", perform: Callable[[Tilt | Spin], None]) -> Job[ScanEvent, None]:
    """Capture a face to begin with; nobody knows yet where in the picture faces are.

    From then on a face that glare half hides is seen as well.
    """
    try:
        yield from eye.look()
    except ScanFailedError:
        yield Turning(Tilt())
        perform(Tilt())
        yield from eye.look()


@dataclass(slots=True)
class _Eye:
    """The camera above the rig, and what it has captured."""

    source: FrameSource
    patience_frames: int
    views: list[FaceView] = field(default_factory=list)
    _health: FrameHealth = field(init=False)
    _grid: Grid | None = None  # where the last face was: the next one will be there too

    def __post_init__(self) -> None:
        self._health = FrameHealth(self.source.name)

    def look(self) -> Job[ScanEvent, None]:
        """Capture the face that lies before the camera; raises ScanFailedError without one."""
        gate = SteadyGate(expected=self._grid)
        for _ in range(self.patience_frames):
            picture = self.source.read()
            if self.source.is_live:
                self._health.check(picture)
            view = gate.look(picture)
            yield FrameSeen(picture, gate.progress, gate.frames)
            if view is not None:
                self._grid = view.grid
                self.views.append(view)
                yield FaceCaptured((len(self.views) - 1) % FACES + 1, FACES, view)
                return
        raise ScanFailedError(
            f"The camera {self.source.name} sees no face at rest for {self.patience_frames} frames "
            f"(look {len(self.views) + 1}). Take away what covers the cube, see that the camera "
            "looks straight down on it, and that the picture is sharp and bright."
        )


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
