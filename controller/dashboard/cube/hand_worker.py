"""A scan by hand as a job for a `Child`: a robot that drives is kept waiting by none."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TypeAlias

from controller.job_events import CameraOpened, CubeRead
from controller.opening import camera_opener
from controller.robot_jobs import scan_by_hand
from controller.vision.camera.sources import preview
from controller.vision.finding.steady_gate import FaceView
from controller.vision.scans.events import FaceCaptured, FrameSeen, SecondLookWanted
from controller.vision.scans.guide import FIRST_STEP, Guide, colour_of
from controller.vision.scans.hand_scan import warm_up
from controller.vision.scans.preview import FRAMES_A_PICTURE
from solvers.foundation.progress import Job


@dataclass(frozen=True, slots=True)
class Seen:
    """A picture as JPEG; the cube was held still for `steady` of `wanted` pictures before."""

    picture: bytes
    steady: int
    wanted: int


@dataclass(frozen=True, slots=True)
class Said:
    """What to tell somebody, and the colours of the faces that are captured."""

    sentence: str
    faces: tuple[str, ...] = ()


HandEvent: TypeAlias = Seen | Said | CubeRead


def shown_by_hand(camera: str) -> Job[HandEvent, CubeRead]:
    """Let somebody show all faces; a doubtful reading is told, and a second look waited for.

    Raises ScanFailedError and CameraError.
    """
    yield Said("Opening the camera.")
    warm_up()
    told = _Told()
    with closing(scan_by_hand(camera_opener(camera))) as job:
        while True:
            try:
                event = next(job)
            except StopIteration as end:
                outcome = end.value.outcome
                return CubeRead(outcome.result, outcome.rgb)
            yield from told.of(event)


class _Told:
    """Makes of a scan's events what a page needs."""

    def __init__(self) -> None:
        self._guide = Guide()
        self._views: dict[int, FaceView] = {}
        self._pictures = 0

    def of(self, event: object) -> Iterator[HandEvent]:
        """Yield what is to be told of an event."""
        sentence = self._guide.said(event)
        match event:
            case CameraOpened():
                sentence = " ".join((FIRST_STEP, *event.warnings))
            case FrameSeen():
                if self._pictures % FRAMES_A_PICTURE == 0:
                    yield Seen(preview(event.picture), event.steady, event.wanted)
                self._pictures += 1
            case FaceCaptured():
                self._views[event.number] = event.view
            case SecondLookWanted():
                yield CubeRead(event.result, event.rgb)
                sentence = " ".join(
                    (
                        "All faces are there, but with doubts.",
                        *event.result.reasons,
                        "Show these faces again, or stop the scan and correct the ringed stickers.",
                    )
                )
        if sentence:
            yield Said(sentence, tuple(colour_of(view) for _, view in sorted(self._views.items())))
