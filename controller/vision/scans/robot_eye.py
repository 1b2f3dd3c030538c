"""The camera above a robot: captures each face that is shown, glaring ones as well.

Where a lamp hides so much that no face is found, the pictures are kept. Each further face helps to
tell where all of them lie; then they are captured from these pictures.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from controller.motion.primitives import Spin, Tilt
from controller.vision.camera.health import FrameHealth
from controller.vision.camera.sources import FrameSource
from controller.vision.errors import ScanFailedError
from controller.vision.finding.grid_finder import LEAST_SQUARES, SQUARES_TO_CAPTURE, Grid
from controller.vision.finding.rest_pictures import common_grid, differ, view_in_place
from controller.vision.finding.steady_gate import FaceView, SteadyGate
from controller.vision.scans.events import (
    FACES,
    Advised,
    FaceCaptured,
    FrameSeen,
    ScanEvent,
    Turning,
)
from solvers.foundation.arrays import Image
from solvers.foundation.progress import Job

GLARE: Final = (
    "No face can be made out yet, probably for a lamp that is mirrored in the cube. The robot shows"
    " the others; together they may tell."
)


@dataclass(slots=True)
class RobotEye:
    """Looks through `source` and keeps what it has captured; a face is looked for in so many frames
    as `patience_frames` says.
    """

    source: FrameSource
    patience_frames: int
    views: list[FaceView] = field(default_factory=list)
    _health: FrameHealth = field(init=False)
    _grid: Grid | None = None  # where the last face was: the next one will be there too
    _at_rest: Image | None = None  # what the last look saw in which no face was found
    _unseen: list[Image] = field(default_factory=list)  # faces that wait for a grid
    _aside: list[Image] = field(default_factory=list)  # others, which only help to find it

    def __post_init__(self) -> None:
        self._health = FrameHealth(self.source.name)

    @property
    def looks(self) -> int:
        """How many faces have been looked at, those included that are not captured yet."""
        return len(self.views) + len(self._unseen)

    def first_look(self, perform: Callable[[Tilt | Spin], None]) -> Job[ScanEvent, None]:
        """Look at a face to begin with, or at the next one; nobody knows yet where faces are.

        Raises ScanFailedError where no cube seems to be: nothing rests, or nothing changes with the
        cube. Otherwise the other faces are looked at though this one is not captured yet.
        """
        try:
            yield from self.look()
        except ScanFailedError:
            first = self._at_rest
            yield Turning(Tilt())
            perform(Tilt())
            yield from self._second_look(first)

    def _second_look(self, first: Image | None) -> Job[ScanEvent, None]:
        if first is not None:
            self._aside.append(first)
        try:
            yield from self.look()
        except ScanFailedError:
            if first is None or self._at_rest is None or not differ(first, self._at_rest):
                raise
            yield Advised(GLARE)
            self._unseen.append(self._at_rest)

    def look(self) -> Job[ScanEvent, None]:
        """Capture the face that lies before the camera, or keep it until the grid is known.

        Raises ScanFailedError if there is none.
        """
        gate = SteadyGate(expected=self._grid)
        was_at_rest = False
        for _ in range(self.patience_frames):
            picture = self.source.read()
            if self.source.is_live:
                self._health.check(picture)
            view = gate.look(picture)
            yield FrameSeen(picture, gate.progress, gate.frames)
            if view is None and gate.rest is not None and not was_at_rest:
                was_at_rest = True
                view = self._behind_glare(gate.rest)
                if view is None and self._unseen:
                    self._unseen.append(gate.rest)
                    return
            if view is not None:
                yield from self._capture_unseen(view.grid)
                yield from self._capture(view)
                return
        self._at_rest = gate.rest
        raise self._no_face()

    def finish(self) -> Job[ScanEvent, None]:
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

    def _capture_unseen(self, grid: Grid) -> Job[ScanEvent, None]:
        unseen, self._unseen = self._unseen, []
        for picture in unseen:
            view = view_in_place(picture, grid)
            if view is None:
                raise self._no_face()
            yield from self._capture(view)

    def _capture(self, view: FaceView) -> Job[ScanEvent, None]:
        self._grid = view.grid
        self.views.append(view)
        yield FaceCaptured((len(self.views) - 1) % FACES + 1, FACES, view)

    def _no_face(self) -> ScanFailedError:
        return ScanFailedError(
            f"The camera {self.source.name} sees no face at rest for {self.patience_frames} frames "
            f"(look {self.looks + 1}). Take away what covers the cube, see that the camera "
            "looks straight down on it, and that the picture is sharp and bright."
        )
