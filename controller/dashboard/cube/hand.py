"""Somebody shows a cube to a camera: what it sees, what to do next, and what was read."""

from collections.abc import Callable
from typing import Final

from controller.dashboard.cube.hand_worker import HandEvent, Said, Seen, shown_by_hand
from controller.dashboard.cube.view import HandView
from controller.dashboard.hub import Hub, Topic
from controller.dashboard.worker import WorkerProcess, WorkerRunner, compiling_sentence
from controller.job_events import CubeRead
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job

HAND: Final = "cube-hand"
ENDING_S: Final = 10.0


class HandScan:
    """One scan at a time, in a process of its own, which has the camera meanwhile."""

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
        """End the scan; a reading that was told stays."""
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
