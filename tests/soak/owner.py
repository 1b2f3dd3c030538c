"""Who owns the robot: gives its commands, reads what they say, and does it.

He knows nothing but the sentences, and how the cube looks when he is asked for it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from controller.errors import BrickNotFoundError, InvalidJournalError, LinkLostError
from controller.job_events import ResumeReport, RobotReport
from controller.opening import OpenCamera
from controller.robot_jobs import RobotJob, Task, find_interrupted_run, resume
from controller.vision.camera import FrameSource
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import run_job
from solvers.rubik.facelets import parse_facelets
from tests.camera_above import CameraAbove
from tests.virtual_robot import VirtualRobot

MOST_COMMANDS: Final = 6
WITHIN_S: Final = 1.0
OUT_OF_REACH_S: Final = 10.0  # a brick that nobody reaches any more ends by itself what it does
IDLE_CHECK_S: Final = 0.2
READING_S: Final = 10.0
NOT_SEEN: Final = "The camera sees a different cube than expected."

Report = RobotReport | ResumeReport


def is_out_of_reach(error: PuzzlerigError) -> bool:
    """Return whether a command ended because nothing could be told to the brick any more."""
    return isinstance(error, LinkLostError | BrickNotFoundError)


@dataclass
class Owner:
    """`told` are the sentences with which commands ended, `left_on` those that left a motor on."""

    robot: VirtualRobot
    camera: CameraAbove | None
    told: list[str] = field(default_factory=list)
    left_on: list[str] = field(default_factory=list)
    commands: int = 0
    _journal: Path | None = None

    def solve(self) -> Report | None:
        """Let the robot solve the cube, whatever it takes; return None if no advice led on."""
        while self.commands < MOST_COMMANDS:
            self.commands += 1
            try:
                report = self._command(self.told[-1] if self.told else "")
            except PuzzlerigError as error:
                self.told.append(str(error))
                self._watch_motors(OUT_OF_REACH_S if is_out_of_reach(error) else WITHIN_S)
                self._mend()
                continue
            self._watch_motors(WITHIN_S)
            if self.camera is None or (report.seen is not None and report.seen.target_reached):
                return report
            self.told.append(NOT_SEEN)
        return None

    def _watch_motors(self, seconds: float) -> None:
        """Check some seconds after an end, the time it takes to read, that the motors are off."""
        clock = self.robot.clock
        clock.sleep(seconds - IDLE_CHECK_S)
        if not self.robot.motors_are_idle:
            self.left_on.append(self.told[-1] if self.told else "")
        clock.sleep(READING_S)

    def _command(self, advice: str) -> Report:
        """Do by hand what the last sentence asks for, and give its command, else begin again."""
        if "traight" in advice:
            self.robot.rig.straighten()
        if "resume" in advice and "--state" not in advice and self._journal is not None:
            try:
                run, task = find_interrupted_run(self._journal), Task(search_s=0.0)
                return run_job(resume(run, self.robot.robot, self._eye, task))
            except InvalidJournalError as error:
                self.told.append(str(error))
        task = Task(search_s=0.0, journal=self._new_journal())
        job = RobotJob(self.robot.robot, task, self.robot.clock)
        if self._eye is not None and "--state" not in advice:
            return run_job(job.solve_seen(self._eye))
        return run_job(job.solve_known(parse_facelets(self.robot.rig.facelets), self._eye))

    def _mend(self) -> None:
        """Do what takes a hand: switch the brick on, plug the camera in."""
        self.robot.brick.advance()
        if self.robot.brick.is_off:
            self.robot.reboot()
        if self.camera is not None and self.commands > 1:
            self.camera.plug_in()

    def _new_journal(self) -> Path:
        moment_ms = round(1000 * self.robot.clock.now())
        self._journal = self.robot.journal.with_suffix(f".{moment_ms}")
        return self._journal

    @property
    def _eye(self) -> "OpenCamera | None":
        if self.camera is None:
            return None
        camera = self.camera

        @contextmanager
        def opened() -> Iterator[FrameSource]:
            camera.open()
            yield camera

        return opened
