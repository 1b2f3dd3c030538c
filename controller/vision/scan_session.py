"""The robot scans a cube: what happens meanwhile as events, and the outcome.

A scan is driven by iterating over `events()` and leaves its answer in `outcome`. It reads frames as
it needs them and moves the robot through a callable; it never prints and never waits.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from controller.motion.cost_model import CostModel
from controller.motion.primitives import Spin, Tilt
from controller.vision.errors import ScanFailedError
from controller.vision.frame_health import FrameHealth
from controller.vision.frame_source import FrameSource
from controller.vision.grid_finder import Grid
from controller.vision.reader import read_cube
from controller.vision.scan_diagnosis import QUARTER_TURNED
from controller.vision.scan_result import ScanResult, Verdict
from controller.vision.scan_tour import TourStop, cheapest_tour
from controller.vision.steady_gate import FaceView, SteadyGate
from controller.vision.viewing import facelets_in_picture, lying_facelets
from solvers.rubik.rotations import UPRIGHT, Orientation

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

FACES: Final = 6
# How long a face at rest is looked for.
ROBOT_PATIENCE_FRAMES: Final = 90
MOST_TOURS: Final = 3


@dataclass(frozen=True)
class Turning:
    """The robot turns the cube for the next look."""

    motion: Tilt | Spin


@dataclass(frozen=True, eq=False)
class FrameSeen:
    """A frame was looked at; `steady` counts the good ones in a row, `wanted` completes a face."""

    picture: npt.NDArray[np.uint8]
    steady: int
    wanted: int


@dataclass(frozen=True, eq=False)
class FaceCaptured:
    """Face number `number` of `total` was captured."""

    number: int
    total: int
    view: FaceView


@dataclass(frozen=True)
class FaceSeenBefore:
    """The face that is shown was captured before, as number `number`."""

    number: int


@dataclass(frozen=True, eq=False)
class SecondLookWanted:
    """All faces are captured, but the reading is doubtful; its reasons name the faces."""

    result: ScanResult


ScanEvent = Turning | FrameSeen | FaceCaptured | FaceSeenBefore | SecondLookWanted


@dataclass(frozen=True, eq=False)
class ScanOutcome:
    """A finished scan.

    `views` are in the order they were captured; `facelets` (54,) says for each facelet of the
    result which captured sticker, 9 * view + cell, shows it; for several tours one row each.
    `orientation` is how the cube lies now, seen from how it lay at first; `result` names the faces
    by the places where they lie now.
    """

    result: ScanResult
    views: tuple[FaceView, ...]
    facelets: IntArray
    orientation: Orientation = UPRIGHT

    @property
    def rgb(self) -> FloatArray:
        """The colours in URFDLB order, shape (looks, 54, 3)."""
        return np.concatenate([view.colours for view in self.views])[self.facelets]


class RobotScan:
    """The robot shows all faces to a camera above it; when in doubt it shows them once more.

    `perform` plays a tilt or a spin and returns when the cube lies still.
    """

    def __init__(
        self,
        source: FrameSource,
        perform: Callable[[Tilt | Spin], None],
        costs: CostModel,
        most_tours: int = MOST_TOURS,
        patience_frames: int = ROBOT_PATIENCE_FRAMES,
    ) -> None:
        self.outcome: ScanOutcome | None = None
        self._source = source
        self._perform = perform
        self._costs = costs
        self._most_tours = most_tours
        self._patience = patience_frames
        self._health = FrameHealth(source.name)
        self._grid: Grid | None = None

    def events(self) -> Iterator[ScanEvent]:
        """Scan. Raises ScanFailedError when no face can be found, CameraError, RobotError."""
        lie = UPRIGHT
        shown: list[Orientation] = []
        views: list[FaceView] = []
        tours: list[IntArray] = []
        for _ in range(self._most_tours):
            facelets = np.zeros(54, dtype=np.int64)
            for stop in cheapest_tour(self._costs, lie, avoided=shown):
                view = yield from self._look_at(stop, len(views))
                facelets[facelets_in_picture(stop.orientation)] = 9 * len(views) + np.arange(9)
                views.append(view)
                shown.append(stop.orientation)
                lie = stop.orientation
            tours.append(facelets)
            self.outcome = _read_tours(views, tours, lie)
            if self.outcome.result.verdict is Verdict.ACCEPTED:
                return

    def _look_at(self, stop: TourStop, captured: int) -> Generator[ScanEvent, None, FaceView]:
        for motion in stop.motions:
            yield Turning(motion)
            self._perform(motion)
        gate = SteadyGate(expected=self._grid)
        for _ in range(self._patience):
            picture = self._source.read()
            if self._source.is_live:
                self._health.check(picture)
            view = gate.look(picture)
            yield FrameSeen(picture, gate.progress, gate.frames)
            if view is not None:
                self._grid = view.grid
                yield FaceCaptured(captured % FACES + 1, FACES, view)
                return view
        raise ScanFailedError(
            f"The camera {self._source.name} sees no face at rest for {self._patience} frames "
            f"(look {captured + 1}). Take away what covers the cube, see that the camera looks "
            "straight down on it, and that the picture is sharp and bright."
        )


def _read_tours(views: list[FaceView], tours: list[IntArray], lie: Orientation) -> ScanOutcome:
    """Return the best reading of the tours: of all together, or of one that is sound alone.

    The camera may be mounted any way round, so that all pictures are turned alike.
    """
    colours = np.concatenate([view.colours for view in views])
    order = np.arange(9)
    outcomes: list[ScanOutcome] = []
    for _ in range(4):
        turned = np.array([9 * (tour // 9) + order[tour % 9] for tour in tours])
        lying = turned[:, lying_facelets(lie)]
        for facelets in (lying, *(one[None] for one in lying[::-1] if len(lying) > 1)):
            result = read_cube(colours[facelets])
            outcomes.append(ScanOutcome(result, tuple(views), facelets, lie))
            if result.verdict is Verdict.ACCEPTED:
                return outcomes[-1]
        order = order[QUARTER_TURNED]
    # The first of equals: all tours together, the camera upright.
    return max(outcomes, key=lambda outcome: outcome.result.verdict is Verdict.DOUBTFUL)
