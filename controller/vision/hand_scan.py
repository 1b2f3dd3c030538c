"""A cube shown to a camera by hand: its faces in any order, each turned anyhow."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from controller.vision.colour_space import grey_balanced, linear_light, weighted_lab
from controller.vision.errors import CameraLostError, ScanFailedError
from controller.vision.face_arrangement import arrange_faces
from controller.vision.frame_health import FrameHealth
from controller.vision.frame_source import FrameSource
from controller.vision.reader import ACCEPTED_CONFIDENCE, read_cube
from controller.vision.scan_diagnosis import QUARTER_TURNED
from controller.vision.scan_result import Verdict
from controller.vision.scan_session import (
    FACES,
    FaceCaptured,
    FaceSeenBefore,
    FrameSeen,
    ScanEvent,
    ScanOutcome,
    SecondLookWanted,
)
from controller.vision.steady_gate import FaceView, SteadyGate, view_of_still

IntArray = npt.NDArray[np.int64]

PATIENCE_FRAMES: Final = 3000  # a few minutes of a webcam

# Two views of one face differ by light and noise; mean over nine stickers, in weighted Lab.
SAME_VIEW_DISTANCE: Final = 7.0


class HandScan:
    """Captures each face as soon as it is held still; the reading is left in `outcome`.

    The face shown first becomes U, the next one beside it R. While the reading is doubtful, faces
    that are shown once more count as a second look.
    """

    def __init__(self, source: FrameSource, patience_frames: int = PATIENCE_FRAMES) -> None:
        self.outcome: ScanOutcome | None = None
        self._source = source
        self._patience = patience_frames
        self._health = FrameHealth(source.name)
        self._gate = SteadyGate()
        self._views: list[FaceView] = []
        self._held: int | None = None  # the face that has been before the camera since its capture

    def events(self) -> Iterator[ScanEvent]:
        """Scan. Raises ScanFailedError when faces are missing in the end, and CameraError."""
        for _ in range(self._patience):
            try:
                picture = self._source.read()
            except CameraLostError:
                if self._source.is_live:
                    raise
                break
            if self._source.is_live:
                self._health.check(picture)
            is_still = self._source.is_still
            view = view_of_still(picture) if is_still else self._gate.look(picture)
            yield FrameSeen(picture, self._gate.progress, self._gate.frames)
            if view is not None:
                yield from self._take(view)
                if self.outcome and self.outcome.result.verdict is not Verdict.DOUBTFUL:
                    return
            elif self._gate.progress == 0:
                self._held = None
        if self.outcome is None:
            raise self._incomplete()

    def _take(self, view: FaceView) -> Iterator[ScanEvent]:
        match = _same_face(self._views, view)
        if match is None and len(self._views) < FACES:
            self._views.append(view)
            yield FaceCaptured(len(self._views), FACES, view)
        elif match is not None and match.number == self._held:
            return
        elif match is not None and self.outcome is None:
            self._held = match.number
            yield FaceSeenBefore(match.number)
            return
        elif match is not None:
            seen = self._views[match.number - 1]
            both = (seen.colours + view.colours[match.turned]) / 2
            self._views[match.number - 1] = replace(seen, colours=both)
            yield FaceCaptured(match.number, FACES, view)
        else:
            return  # nothing that belongs to this cube
        self._held = match.number if match else len(self._views)
        if len(self._views) == FACES:
            self.outcome = assembled(self._views)
            if self.outcome.result.verdict is Verdict.DOUBTFUL:
                yield SecondLookWanted(self.outcome.result)

    def _incomplete(self) -> ScanFailedError:
        return ScanFailedError(
            f"Only {len(self._views)} of the {FACES} faces could be captured from "
            f"{self._source.name}. Show each face flat to the camera and hold it still, in even "
            "light without glare."
        )


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


@dataclass(frozen=True, eq=False)
class _Match:
    """Captured face `number`, from 1; `turned` puts the new view into its reading order."""

    number: int
    turned: IntArray


def _same_face(views: list[FaceView], view: FaceView) -> _Match | None:
    """Return which captured face is shown again, however it is turned, or None."""
    best = None
    nearest = SAME_VIEW_DISTANCE
    for number, known in enumerate(views, start=1):
        turned = np.arange(9)
        for _ in range(4):
            pair = np.concatenate([known.colours, view.colours[turned]])
            first, second = weighted_lab(grey_balanced(linear_light(pair))).reshape(2, 9, 3)
            distance = float(np.linalg.norm(first - second, axis=1).mean())
            if distance < nearest:
                nearest, best = distance, _Match(number, turned)
            turned = turned[QUARTER_TURNED]
    return best
