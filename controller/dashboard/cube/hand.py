"""A scan by hand: what the camera sees, what to do next, and what was read.

The scan runs in a worker process, so that it delays no robot that drives.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Final, TypeAlias

from controller.dashboard.cube.view import HandView
from controller.dashboard.hub import Hub, Topic
from controller.dashboard.worker import WorkerProcess, WorkerRunner, compiling_sentence
from controller.job_events import CameraOpened, CubeRead
from controller.opening import camera_opener
from controller.robot_jobs import scan_by_hand
from controller.vision.camera import preview
from controller.vision.finding.steady_gate import FaceView
from controller.vision.scans import hand_scan
from controller.vision.scans.events import FaceCaptured, FrameSeen, SecondLookWanted
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job


@dataclass(frozen=True, slots=True)
class Seen:
    """A picture as JPEG; the cube was held still for `steady` of `wanted` pictures before."""

    picture: bytes
    steady: int
    wanted: int


@dataclass(frozen=True, slots=True)
class Said:
    """The next instruction, and the colours of the faces that are captured."""

    sentence: str
    faces: tuple[str, ...] = ()


HandEvent: TypeAlias = Seen | Said | CubeRead


def shown_by_hand(camera: str) -> Job[HandEvent, CubeRead]:
    """Let a person show all faces; after a doubtful reading a second look is waited for.

    Raises ScanFailedError and CameraError.
    """
    yield Said("Opening the camera.")
    hand_scan.warm_up()
    guidance = _Guidance()
    with closing(scan_by_hand(camera_opener(camera))) as job:
        while True:
            try:
                event = next(job)
            except StopIteration as end:
                outcome = end.value.outcome
                return CubeRead(outcome.result, outcome.rgb)
            yield from guidance.events_of(event)


class _Guidance:
    """Turns a scan's events into those of the page."""

    def __init__(self) -> None:
        self._guide = hand_scan.Guide()
        self._views: dict[int, FaceView] = {}
        self._pictures = 0

    def events_of(self, event: object) -> Iterator[HandEvent]:
        """Yield what the page shows of an event."""
        sentence = self._guide.said(event)
        match event:
            case CameraOpened():
                sentence = " ".join((hand_scan.FIRST_STEP, *event.warnings))
            case FrameSeen():
                if self._pictures % hand_scan.FRAMES_A_PICTURE == 0:
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
            yield Said(
                sentence,
                tuple(hand_scan.colour_of(view) for _, view in sorted(self._views.items())),
            )


HAND: Final = "cube-hand"
ENDING_S: Final = 10.0


class HandScan:
    """One scan at a time, in a worker process, which has the camera meanwhile."""

    def __init__(self, hub: Hub, on_read: Callable[[CubeRead], object]) -> None:
        """`on_read` gets each reading."""
        self._on_read = on_read
        self._runner = WorkerRunner("camera")
        self._topic = Topic(hub, HAND, HandView())
        self._picture = b""

    def start(self, camera: str) -> None:
        """Start a scan. Raises DeviceBusyError while another one runs."""
        process = WorkerProcess("scan", on_compile=self._compiling)

        def job() -> Job[HandEvent, CubeRead]:
            self._picture = b""
            self._topic.show(
                HandView(is_running=True, camera=camera, sentence="Starting the scan.")
            )
            return (yield from process.run(shown_by_hand, camera))

        def ended(sentence: str, *, is_fault: bool = False) -> None:
            process.end()
            self._topic.change(
                is_running=False, sentence=sentence, is_fault=is_fault, has_picture=False
            )

        def read(report: CubeRead) -> None:
            self._on_read(report)
            ended("The cube is read.")

        self._runner.start(
            "a scan by hand",
            process,
            job,
            on_event=self._see,
            on_report=read,
            on_stop=lambda: ended("The scan was stopped."),
            on_error=lambda error: ended(str(error), is_fault=True),
        )

    def picture(self) -> bytes:
        """Return the last picture as JPEG. Raises PuzzlerigError while no camera looks."""
        if not self._topic.view.has_picture:
            raise PuzzlerigError("There is no scan by hand.")
        return self._picture

    def stop(self) -> None:
        """End the scan; a reading that was published stays."""
        self._runner.stop()

    def close(self) -> None:
        """End the scan and wait for that."""
        self.stop()
        self._runner.wait(ENDING_S)

    def wait(self, seconds: float) -> bool:
        """Return whether the scan has ended within `seconds`."""
        return self._runner.wait(seconds)

    def _see(self, event: HandEvent) -> None:
        match event:
            case Seen():
                self._picture = event.picture
                self._topic.change(steady=event.steady, wanted=event.wanted, has_picture=True)
            case Said():
                self._topic.change(sentence=event.sentence, faces=event.faces)
            case CubeRead():
                self._on_read(event)

    def _compiling(self, name: str) -> None:
        if name:
            self._topic.change(sentence=compiling_sentence(name))
