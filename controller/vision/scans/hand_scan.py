"""A cube shown to a camera by hand: its faces in any order, each turned anyhow."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from controller.vision.camera.health import FrameHealth
from controller.vision.camera.sources import FrameSource
from controller.vision.errors import CameraLostError, ScanFailedError
from controller.vision.finding.steady_gate import FaceView, SteadyGate, view_of_still
from controller.vision.reading.colour_space import grey_balanced, linear_light, weighted_lab
from controller.vision.reading.face_arrangement import arrange_faces
from controller.vision.reading.reader import ACCEPTED_CONFIDENCE, read_cube
from controller.vision.reading.result import Verdict
from controller.vision.reading_order import turned_orders
from controller.vision.scans.events import (
    FACES,
    FaceCaptured,
    FaceSeenBefore,
    FrameSeen,
    ScanEvent,
    ScanJob,
    ScanOutcome,
    SecondLookWanted,
)
from solvers.foundation.arrays import Image, Int64Array

PATIENCE_FRAMES: Final = 3000  # a few minutes of a webcam

# Two views of one face differ by light and noise; mean over nine stickers, in weighted Lab.
SAME_VIEW_DISTANCE: Final = 7.0


def hand_scan(source: FrameSource, *, patience_frames: int = PATIENCE_FRAMES) -> ScanJob:
    """Capture each face as soon as it is held still.

    The face shown first becomes U, the next one beside it R. While the reading is doubtful, faces
    that are shown once more count as a second look. Raises ScanFailedError when faces are missing
    in the end, and CameraError.
    """
    gate = SteadyGate()
    shown = _ShownFaces()
    for picture in _pictures(source, patience_frames):
        view = view_of_still(picture) if source.is_still else gate.look(picture)
        yield FrameSeen(picture, gate.progress, gate.frames)
        if view is not None:
            yield from shown.take(view)
            if shown.outcome and shown.outcome.result.verdict is not Verdict.DOUBTFUL:
                return shown.outcome
        elif gate.progress == 0:
            shown.taken_away()
    if shown.outcome is None:
        raise ScanFailedError(
            f"Only {len(shown.views)} of the {FACES} faces could be captured from {source.name}. "
            "Show each face flat to the camera and hold it still, in even light without glare."
        )
    return shown.outcome


def _pictures(source: FrameSource, patience_frames: int) -> Iterator[Image]:
    """Yield pictures until patience or a recording is over; raises CameraError."""
    health = FrameHealth(source.name)
    for _ in range(patience_frames):
        try:
            picture = source.read()
        except CameraLostError:
            if source.is_live:
                raise
            return
        if source.is_live:
            health.check(picture)
        yield picture


@dataclass(slots=True)
class _ShownFaces:
    """The faces captured so far, and what they make once they are six."""

    views: list[FaceView] = field(default_factory=list)
    outcome: ScanOutcome | None = None
    _held: int | None = None  # the face that has been before the camera since its capture

    def taken_away(self) -> None:
        """Hear that no face is before the camera any more."""
        self._held = None

    def take(self, view: FaceView) -> Iterator[ScanEvent]:
        """Add a captured face, or a second look at one."""
        match = _same_face(self.views, view)
        if match is not None and match.number == self._held:
            return
        if match is not None and self.outcome is None:
            self._held = match.number
            yield FaceSeenBefore(match.number)
            return
        if match is not None:
            seen = self.views[match.number - 1]
            both = (seen.colours + view.colours[match.turned]) / 2
            self.views[match.number - 1] = replace(seen, colours=both)
            self._held = match.number
        elif len(self.views) < FACES:
            self.views.append(view)
            self._held = len(self.views)
        else:
            return  # nothing that belongs to this cube
        yield FaceCaptured(self._held, FACES, view)
        if len(self.views) == FACES:
            self.outcome = assembled(self.views)
            if self.outcome.result.verdict is Verdict.DOUBTFUL:
                yield SecondLookWanted(self.outcome.result)


def assembled(views: list[FaceView]) -> ScanOutcome:
    """Return the cube that six faces make, shown in any order and turned anyhow."""
    colours = np.array([view.colours for view in views])
    arrangement = arrange_faces(colours)
    result = read_cube(colours.reshape(54, 3)[arrangement.facelets])
    if arrangement.probability < ACCEPTED_CONFIDENCE and result.verdict is not Verdict.RESCAN:
        reason = (
            "The six faces fit together in more than one way. Let the robot scan the cube, or "
            "turn any layer and show all faces again."
        )
        result = replace(
            result,
            confidence=result.confidence * arrangement.probability,
            verdict=Verdict.DOUBTFUL,
            reasons=(*result.reasons, reason),
        )
    return ScanOutcome(result, tuple(views), arrangement.facelets[None])


@dataclass(frozen=True, slots=True, eq=False)
class _Match:
    """Captured face `number`, from 1; `turned` puts the new view into its reading order."""

    number: int
    turned: Int64Array


def _same_face(views: list[FaceView], view: FaceView) -> _Match | None:
    """Return which captured face is shown again, however it is turned, or None."""
    best = None
    nearest = SAME_VIEW_DISTANCE
    for number, known in enumerate(views, start=1):
        for turned in turned_orders():
            pair = np.concatenate([known.colours, view.colours[turned]])
            first, second = weighted_lab(grey_balanced(linear_light(pair))).reshape(2, 9, 3)
            distance = float(np.linalg.norm(first - second, axis=1).mean())
            if distance < nearest:
                nearest, best = distance, _Match(number, turned)
    return best
