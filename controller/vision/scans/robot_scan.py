"""A scan by robot: it shows all faces to a camera above it, by the cheapest tour, in doubt twice.

Where a lamp hides so much that no face is found, the pictures are stored. Each further face helps
to find where all of them are; then they are captured from these pictures.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from controller.motion.primitives import CostModel, Tilt
from controller.vision.camera import FrameHealth, FrameSource
from controller.vision.errors import ScanFailedError
from controller.vision.finding.grid_finder import LEAST_SQUARES, SQUARES_TO_CAPTURE, Grid
from controller.vision.finding.steady_gate import FaceView, SteadyGate
from controller.vision.finding.veil import colours_behind_veil, common_grid, differ, view_in_place
from controller.vision.reading.legal_reader import CENTRES
from controller.vision.reading.reader import read_cube
from controller.vision.reading.result import Verdict
from controller.vision.reading_order import turned_orders
from controller.vision.scans import events
from controller.vision.scans.tour import Perform, TourStop, cheapest_tour, turn_to, with_next
from controller.vision.scans.viewing import facelets_in_picture, lying_facelets
from solvers.foundation.arrays import Image, Int64Array
from solvers.foundation.progress import Job
from solvers.rubik.rotations import UPRIGHT, Orientation

# Frames wait in buffers of the camera, the network and OpenCV, all the more where the computer is
# busy, so the first ones after a motion may have been taken before it. They are skipped; but a cube
# that is stuck looks the same after the motion, so after this number, about a second, one is taken.
LATE_FRAMES: Final = 30

GLARE: Final = (
    "No face can be made out yet, probably for a lamp that is mirrored in the cube. The robot shows"
    " the others; together they may show it."
)


@dataclass(slots=True)
class RobotEye:
    """Captures faces from `source`; it searches at most `patience_frames` frames for each."""

    source: FrameSource
    patience_frames: int
    views: list[FaceView] = field(default_factory=list)
    _health: FrameHealth = field(init=False)
    _grid: Grid | None = None  # where the last face was: the next one will be there too
    _at_rest: Image | None = None  # what the last look saw in which no face was found
    _before: Image | None = None  # what the last look saw, which frames that come late still show
    _unseen: list[Image] = field(default_factory=list)  # faces that wait for a grid
    _aside: list[Image] = field(default_factory=list)  # others, which only help to find it

    def __post_init__(self) -> None:
        self._health = FrameHealth(self.source.name)

    @property
    def looks(self) -> int:
        """How many faces have been looked at, those included that are not captured yet."""
        return len(self.views) + len(self._unseen)

    def first_look(self, perform: Perform) -> Job[events.ScanEvent, None]:
        """View a first face, or the next one, while the place of faces is unknown.

        Raises ScanFailedError where no cube seems to be: nothing rests, or nothing changes with the
        cube. Otherwise the other faces are looked at though this one is not captured yet.
        """
        try:
            yield from self.look()
        except ScanFailedError:
            first = self._at_rest
            yield events.Turning(Tilt())
            perform(Tilt())
            yield from self._second_look(first)

    def _second_look(self, first: Image | None) -> Job[events.ScanEvent, None]:
        if first is not None:
            self._aside.append(first)
        try:
            yield from self.look()
        except ScanFailedError:
            if first is None or self._at_rest is None or not differ(first, self._at_rest):
                raise
            yield events.Advised(GLARE)
            self._unseen.append(self._at_rest)

    def look(self) -> Job[events.ScanEvent, None]:
        """Capture the face below the camera, or keep its pictures until the grid is known.

        Raises ScanFailedError if there is none.
        """
        gate = SteadyGate(expected=self._grid)
        was_at_rest = False
        for number in range(self.patience_frames):
            picture = self.source.read()
            if self.source.is_live:
                self._health.check(picture)
                if number < LATE_FRAMES and self._is_late(picture):
                    yield events.FrameSeen(picture, 0, gate.frames)
                    continue
            self._before = None
            view = gate.look(picture)
            yield events.FrameSeen(picture, gate.progress, gate.frames)
            if view is None and gate.rest is not None and not was_at_rest:
                was_at_rest = True
                view = self._behind_glare(gate.rest)
                if view is None and self._unseen:
                    self._unseen.append(gate.rest)
                    self._before = gate.rest
                    return
            if view is not None:
                yield from self._capture_unseen(view.grid)
                yield from self._capture(view)
                self._before = view.picture
                return
        self._at_rest = self._before = gate.rest
        raise self._no_face()

    def _is_late(self, picture: Image) -> bool:
        """Return whether a frame shows what the last look saw, though the cube was moved since."""
        return self._before is not None and not differ(self._before, picture)

    def finish(self) -> Job[events.ScanEvent, None]:
        """Capture what waits for a grid; raises ScanFailedError if none can be found."""
        if self._unseen:
            grid = common_grid([*self._aside, *self._unseen], LEAST_SQUARES)
            if grid is None:
                raise self._no_face()
            yield from self._capture_unseen(grid)

    def _behind_glare(self, picture: Image) -> FaceView | None:
        grid = self._grid
        if grid is None:
            grid = common_grid([*self._aside, *self._unseen, picture], SQUARES_TO_CAPTURE)
        return None if grid is None else view_in_place(picture, grid)

    def _capture_unseen(self, grid: Grid) -> Job[events.ScanEvent, None]:
        unseen, self._unseen = self._unseen, []
        for picture in unseen:
            view = view_in_place(picture, grid)
            if view is None:
                raise self._no_face()
            yield from self._capture(view)

    def _capture(self, view: FaceView) -> Job[events.ScanEvent, None]:
        self._grid = view.grid
        self.views.append(view)
        yield events.FaceCaptured((len(self.views) - 1) % events.FACES + 1, events.FACES, view)

    def _no_face(self) -> ScanFailedError:
        return ScanFailedError(
            f"The camera {self.source.name} sees no face at rest for {self.patience_frames} frames "
            f"(look {self.looks + 1}). Take away what covers the cube, see that the camera "
            "looks straight down on it, and that the picture is sharp and bright."
        )


# How long a face at rest is looked for.
PATIENCE_FRAMES: Final = 90
MOST_TOURS: Final = 3
# Faces are in one place of the picture if they are no further apart, in pitches.
SAME_PLACE: Final = 0.3


def robot_scan(
    source: FrameSource,
    perform: Perform,
    costs: CostModel,
    *,
    most_tours: int = MOST_TOURS,
    patience_frames: int = PATIENCE_FRAMES,
) -> events.ScanJob:
    """Scan with a robot whose `perform` returns when the cube is at rest.

    Where the first face is not seen, the scan starts with another one; under glare that hides this
    one too all are shown, and found together. Raises ScanFailedError when
    no face can be found, CameraError, and what `perform` raises.
    """
    eye = RobotEye(source, patience_frames)
    orientation = UPRIGHT
    shown: list[Orientation] = []
    tours: list[Int64Array] = []
    for _ in range(most_tours):
        facelets = np.zeros(54, dtype=np.int64)
        for stop, then in with_next(cheapest_tour(costs, orientation, avoided=shown)):
            yield from turn_to(stop, perform, then)
            facelets[facelets_in_picture(stop.orientation)] = 9 * eye.looks + np.arange(9)
            yield from eye.look() if eye.looks else eye.first_look(perform)
            shown.append(stop.orientation)
            orientation = stop.orientation
        yield from eye.finish()
        tours.append(facelets)
        outcome = _read_tours(eye.views, tours, orientation)
        if outcome.result.verdict is Verdict.ACCEPTED:
            break
    return outcome


def glance(
    source: FrameSource, patience_frames: int = PATIENCE_FRAMES
) -> Job[events.ScanEvent, FaceView]:
    """Capture the face that is up. Raises ScanFailedError if none is seen, and CameraError."""
    eye = RobotEye(source, patience_frames)
    yield from eye.look()
    return eye.views[0]


def view_stops(
    source: FrameSource,
    perform: Perform,
    stops: Sequence[TourStop],
    patience_frames: int = PATIENCE_FRAMES,
) -> Job[events.ScanEvent, list[FaceView]]:
    """Capture the upper face at each stop. Raises as `robot_scan` does."""
    eye = RobotEye(source, patience_frames)
    for stop, then in with_next(stops):
        yield from turn_to(stop, perform, then)
        yield from eye.look()
    return eye.views


def _read_tours(
    views: list[FaceView], tours: list[Int64Array], orientation: Orientation
) -> events.ScanOutcome:
    """Return the best reading of the tours: of all together, or of one that is sound alone.

    The camera may be mounted any way round, so all pictures are turned by the same angle.
    """
    views = without_veil(views)
    colours = np.concatenate([view.colours for view in views])
    outcomes: list[events.ScanOutcome] = []
    for order in turned_orders():
        turned = np.array([9 * (tour // 9) + order[tour % 9] for tour in tours])
        in_rig = turned[:, lying_facelets(orientation)]
        for facelets in (in_rig, *(one[None] for one in in_rig[::-1] if len(in_rig) > 1)):
            seen_at = facelets[:, CENTRES] // 9  # the number of the view
            result = read_cube(colours[facelets], times=np.stack([seen_at, seen_at], axis=2))
            outcomes.append(events.ScanOutcome(result, tuple(views), facelets, orientation, order))
            if result.verdict is Verdict.ACCEPTED:
                return outcomes[-1]
    # The first of equals: all tours together, the camera upright.
    return max(outcomes, key=lambda outcome: outcome.result.verdict is Verdict.DOUBTFUL)


def without_veil(views: list[FaceView]) -> list[FaceView]:
    """Return the views with what the lamp adds in the same places of all pictures taken away."""
    if max(view.grid.moved_from(views[0].grid) for view in views) > SAME_PLACE:
        return views
    bare = colours_behind_veil([(view.picture, view.grid) for view in views])
    return [
        replace(view, colours=np.where(np.isnan(seen), view.colours, seen))
        for view, seen in zip(views, bare, strict=True)
    ]
