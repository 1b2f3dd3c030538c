"""Somebody shows a cube to a camera: what it sees, what to do next, and what was read."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from controller.dashboard.beside.child import Child, compiling_sentence
from controller.dashboard.beside.ending import Ending
from controller.dashboard.cube.showing import HandEvent, Said, Seen, shown_by_hand
from controller.dashboard.cube.view import HandView
from controller.dashboard.hub import Hub
from controller.dashboard.jobs import DeviceJobs
from controller.job_events import CubeRead
from solvers.foundation.clock import time_of_day
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job

HAND: Final = "cube-hand"
ENDING_S: Final = 10.0


class HandScan:
    """One scan at a time, in a process of its own, which has the camera meanwhile."""

    def __init__(self, hub: Hub, hear: Callable[[CubeRead], object]) -> None:
        """`hear` is told what was read."""
        self._hub = hub
        self._hear = hear
        self._jobs = DeviceJobs("camera", time_of_day)
        self._view = HandView()
        self._picture = b""
        self._show()

    def start(self, camera: str) -> None:
        """Begin. Raises DeviceBusyError while another one runs."""
        child = Child("scan", hear=self._compiling)
        ending = Ending(child)

        def begun() -> Job[HandEvent, CubeRead]:
            self._picture, self._view = b"", HandView(is_running=True, camera=camera)
            self._show(sentence="Beginning the scan.")
            return (yield from child.run(shown_by_hand, camera))

        def ended(sentence: str, *, is_fault: bool = False) -> None:
            child.end()
            self._show(is_running=False, sentence=sentence, is_fault=is_fault, has_picture=False)

        def read(report: CubeRead) -> None:
            self._hear(report)
            ended("The cube is read.")

        def failed(error: PuzzlerigError) -> None:
            if ending.was_used:
                ended("The scan was ended.")
            else:
                ended(str(error), is_fault=True)

        self._jobs.start(
            "a scan by hand", ending, begun, on_event=self._see, on_report=read, on_error=failed
        )

    def picture(self) -> bytes:
        """Return the last picture as JPEG. Raises PuzzlerigError while no camera looks."""
        if not self._view.has_picture:
            raise PuzzlerigError("No camera looks at a cube in somebody's hand.")
        return self._picture

    def stop(self) -> None:
        """End the scan; a reading that was told stays."""
        self._jobs.stop()

    def close(self) -> None:
        """End the scan and wait for that."""
        self.stop()
        self._jobs.wait(ENDING_S)

    def wait(self, seconds: float) -> bool:
        """Return whether the scan has ended within `seconds`."""
        return self._jobs.wait(seconds)

    def _see(self, event: HandEvent) -> None:
        match event:
            case Seen():
                self._picture = event.picture
                self._show(steady=event.steady, wanted=event.wanted, has_picture=True)
            case Said():
                self._show(sentence=event.sentence, faces=event.faces)
            case CubeRead():
                self._hear(event)

    def _compiling(self, name: str) -> None:
        if name:
            self._show(sentence=compiling_sentence(name))

    def _show(self, **fields: Any) -> None:
        self._view = msgspec.structs.replace(self._view, **fields)
        self._hub.tell(HAND, self._view)
