"""What can be asked of the robot; whatever takes long runs as its one job."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from controller.dashboard.camera_hub import CameraHub
from controller.dashboard.desk import Commands, Served
from controller.dashboard.hub import Hub
from controller.dashboard.jobs import NO_SWITCH, DeviceJobs, Switch
from controller.dashboard.robot.devices import Device, RobotDevices
from controller.dashboard.robot.endings import has_lines, phase_after, result_of
from controller.dashboard.robot.requests import Connect, Nothing, Simulate, Solve
from controller.dashboard.robot.show import RobotShow
from controller.dashboard.robot.view import MOVING, Phase
from controller.job_events import (
    CubeRead,
    DriveBegan,
    ResumeReport,
    RobotEvent,
    RobotReport,
    ScanReport,
    Stage,
    StageBegan,
)
from controller.motion.driving.journals import new_journal_path
from controller.opening import OpenCamera, Robot, robot_at
from controller.resume_job import interrupted_run, resume
from controller.robot_job import RobotJob, Task
from controller.scan_job import scan_by_robot
from solvers.foundation.clock import SystemClock, time_of_day
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.progress import Job, Progress
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import parse_facelets

ENDING_S: Final = 15.0
JPEG: Final = "image/jpeg"
Report = TypeVar("Report")
LOOK: Final = re.compile(r"look-([1-9])\.jpg")


class RobotDesk:
    """The robot of the dashboard; any thread may ask. Everything raises PuzzlerigError."""

    def __init__(self, hub: Hub, cameras: CameraHub, simulator_options: Sequence[str] = ()) -> None:
        """`simulator_options` are for every simulated robot that is started."""
        self._cameras = cameras
        self._devices = RobotDevices(cameras, simulator_options)
        self._jobs = DeviceJobs("robot", time_of_day)
        self._show = RobotShow(hub)
        self._journal: Path | None = None
        self._target = SOLVED
        self.hear: Callable[[RobotEvent], object] = lambda _: None
        """Told of every event, after the page; for tests, and whoever wants more."""
        self.hear_reading: Callable[[CubeRead], object] = lambda _: None

    def ask(self, command: str, words: bytes) -> None:
        """Carry out a command of the page. Raises InvalidInputError for one that there is not."""
        _COMMANDS.carry_out(self, command, words)

    def simulate(self, request: Simulate) -> None:
        """Start a simulated robot and use it."""
        title = "starting a simulated robot"
        self._connect(title, NO_SWITCH, lambda: self._devices.simulating(request))

    def connect(self, request: Connect) -> None:
        """Find out whether a robot answers, and use it."""
        robot = robot_at(request.address, SystemClock(request.speed))
        title = f"connecting to {request.address}"
        self._connect(title, robot.controls, lambda: self._devices.connecting(request, robot))

    def disconnect(self, _: Nothing) -> None:
        """Leave the robot; a simulated one ends, and says how its cube lies."""
        if self._jobs.is_running:
            raise InvalidInputError("The robot is at work; stop it first.")
        self._give_back()
        self._show.change(phase=Phase.NONE, sentence="", address="", has_camera=False)

    def solve(self, request: Solve) -> None:
        """Scan and solve the cube, or solve one whose stickers are given."""
        known = None if request.facelets is None else parse_facelets(request.facelets)
        target = SOLVED if request.target is None else parse_facelets(request.target)
        camera = self._camera if known is None else self._cameras.opened
        robot, name = self._devices.robot, self._camera_name

        def job() -> Job[RobotEvent, RobotReport]:
            self._journal, self._target = new_journal_path(), target
            task = Task(target, search_s=request.search_s, journal=self._journal, camera=name)
            work = RobotJob(robot, task, SystemClock())
            if known is not None:
                return work.solve_known(known, camera)
            return work.solve_seen(self._camera)

        self._start("solving the cube", robot, job, on_report=self._finished)

    def scan(self, _: Nothing) -> None:
        """Let the robot show the cube to the camera, and do nothing else."""
        camera, robot = self._camera, self._devices.robot

        def job() -> Job[RobotEvent, ScanReport]:
            self._journal = None  # there is nothing to go on with
            yield StageBegan(Stage.SCAN)
            return (yield from scan_by_robot(robot, camera))

        self._start("scanning the cube", robot, job, on_report=self._has_read)

    def resume(self, _: Nothing) -> None:
        """Go on with the run that was stopped or failed last."""
        if self._journal is None:
            raise InvalidInputError("There is no run to go on with.")
        robot, run = self._devices.robot, interrupted_run(self._journal)
        camera = self._cameras.opened
        task = Task(run.record.header.target, camera=self._camera_name)
        self._start(
            "solving the cube",
            robot,
            lambda: resume(run, robot, camera, task),
            on_report=self._finished,
            before=lambda: self._show.take_up(run.record),
        )

    def file(self, name: str) -> Served | None:
        """Return `frame.jpg`, what the camera sees now, or `look-N.jpg`, what it captured N-th."""
        if name == "frame.jpg":
            return Served(self._cameras.view(), JPEG)
        number = LOOK.fullmatch(name)
        picture = self._show.looks.picture(int(number[1])) if number else None
        return None if picture is None else Served(picture, JPEG)

    def pause(self, _: Nothing) -> None:
        """Wait before the next primitive."""
        if self._show.turn((Phase.RUNNING,), Phase.PAUSING):
            self._jobs.pause()

    def go_on(self, _: Nothing) -> None:
        """End a pause."""
        if self._show.turn((Phase.PAUSED, Phase.PAUSING), Phase.RUNNING):
            self._jobs.go_on()

    def stop(self) -> None:
        """End what the robot does; its motors are off soon afterwards."""
        if self._jobs.stop():
            self._show.turn((*MOVING, Phase.PAUSED), Phase.STOPPING)

    def close(self) -> None:
        """Stop, wait until the motors are off, and give everything back."""
        self.stop()
        self._jobs.wait(ENDING_S)
        self._give_back()

    def wait(self, seconds: float) -> bool:
        """Return whether the robot's job has ended within `seconds`."""
        return self._jobs.wait(seconds)

    def _connect(
        self, title: str, switch: Switch, job: Callable[[], Job[Progress, Device]]
    ) -> None:
        def connected(device: Device) -> None:
            simulated = "simulated " * device.is_simulated
            self._show.say(f"a {simulated}robot answers at {device.address}")
            self._show.change(
                phase=Phase.READY,
                sentence="",
                address=device.address,
                speed=device.speed,
                is_simulated=device.is_simulated,
                has_camera=device.camera is not None,
            )

        def failed(error: PuzzlerigError) -> None:
            self._show.change(address="", has_camera=False)
            self._show.end(Phase.NONE, str(error))

        def begun() -> Job[Progress, Device]:
            self._show.change(phase=Phase.CONNECTING, sentence=f"{title.capitalize()}.")
            return (yield from job())

        self._jobs.start(
            title, switch, begun, on_event=self._show.see, on_report=connected, on_error=failed
        )

    def _start(
        self,
        title: str,
        robot: Robot,
        job: Callable[[], Job[RobotEvent, Report]],
        on_report: Callable[[Report], object],
        before: Callable[[], object] = lambda: None,
    ) -> None:
        def begun() -> Job[RobotEvent, Report]:
            self._show.begin(robot.costs)
            before()
            return (yield from job())

        self._jobs.start(
            title,
            robot.controls,
            begun,
            on_event=self._see,
            on_report=on_report,
            on_error=self._failed,
        )

    def _see(self, event: RobotEvent) -> None:
        self._show.see(event)
        if isinstance(event, DriveBegan):
            self._journal = event.journal
        if isinstance(event, CubeRead):
            self.hear_reading(event)
        self.hear(event)

    def _finished(self, report: RobotReport | ResumeReport) -> None:
        self._show.finish(result_of(report, self._target))

    def _has_read(self, _: ScanReport) -> None:
        self._show.end(Phase.READY, "the cube is read")

    def _failed(self, error: PuzzlerigError) -> None:
        self._show.end(phase_after(error), str(error), can_resume=has_lines(self._journal))

    @property
    def _camera(self) -> OpenCamera:
        if self._cameras.opened is None:
            raise InvalidInputError("No camera is connected that could look at the cube.")
        return self._cameras.opened

    @property
    def _camera_name(self) -> str | None:
        return None if self._devices.device is None else self._devices.device.camera

    def _give_back(self) -> None:
        if said := self._devices.give_back():
            self._show.say(said)


_COMMANDS: Final[Commands[RobotDesk]] = Commands(
    "robot",
    {
        "simulate": (Simulate, RobotDesk.simulate),
        "connect": (Connect, RobotDesk.connect),
        "disconnect": (Nothing, RobotDesk.disconnect),
        "solve": (Solve, RobotDesk.solve),
        "scan": (Nothing, RobotDesk.scan),
        "resume": (Nothing, RobotDesk.resume),
        "pause": (Nothing, RobotDesk.pause),
        "go_on": (Nothing, RobotDesk.go_on),
    },
)
