"""What can be asked of the robot; whatever takes long runs as its one job."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from controller.dashboard.camera_hub import CameraHub
from controller.dashboard.controller import Controller, File, handler
from controller.dashboard.hub import Hub
from controller.dashboard.jobs import DeviceJobs, JobControls
from controller.dashboard.robot.devices import Device, RobotDevices
from controller.dashboard.robot.history import journal_called
from controller.dashboard.robot.motors import Motors
from controller.dashboard.robot.presenter import RobotPresenter
from controller.dashboard.robot.view import (
    MOVING,
    CalibrateRequest,
    ConnectRequest,
    JogRequest,
    Phase,
    ResumeRequest,
    SimulateRequest,
    SolveRequest,
)
from controller.dashboard.robot.work import RobotWork
from controller.diagnosis import diagnose
from controller.errors import StoppedError
from controller.job_events import CubeRead, RobotEvent
from controller.rigs.registry import DEFAULT_RIG, get_rig
from controller.rigs.rig import Finding
from controller.robot_jobs import find_interrupted_run
from solvers.foundation.clock import Clock, SystemClock, time_of_day
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.progress import Job, Progress

ENDING_S: Final = 15.0
CANCELLED: Final = "cancelled; nothing is connected"
JPEG: Final = "image/jpeg"
LOOK: Final = re.compile(r"look-([1-9])\.jpg")


class RobotController(Controller):
    """The robot of the dashboard; any thread may ask. Everything raises PuzzlerigError."""

    page = "robot"

    def __init__(
        self,
        hub: Hub,
        cameras: CameraHub,
        simulator_options: Sequence[str] = (),
        clock_at: Callable[[float], Clock] = SystemClock,
    ) -> None:
        """`simulator_options` are for every simulated robot that is started.

        `clock_at` makes a clock of so many times real: the robot's, at its speed.
        """
        self._cameras = cameras
        self._motors = Motors(hub, SystemClock())
        self._show = RobotPresenter(hub)
        self._devices = RobotDevices(
            cameras, simulator_options, self._motors.see, self._show.see_battery, clock_at
        )
        self._jobs = DeviceJobs("robot", time_of_day)
        self._work = RobotWork(self._jobs, self._devices, cameras, self._show, self._hear)
        self.hear: Callable[[RobotEvent], object] = lambda _: None
        """Told of every event, after the page; for tests, and whoever wants more."""
        self.hear_reading: Callable[[CubeRead], object] = lambda _: None

    @property
    def is_active(self) -> bool:
        """Whether a run is under way, or waits in a pause."""
        return self._show.view.phase in (*MOVING, Phase.PAUSED)

    @handler
    def look(self) -> list[Finding]:
        """Return what answers: bricks and cameras, and what is missing to use them."""
        if self._jobs.is_running or self._devices.device is not None:
            raise InvalidInputError("A robot is in use; disconnect it first.")
        found = diagnose(get_rig(DEFAULT_RIG), ())
        missing = [each for each in found.installation if not each.ok]
        return [*found.machines, *found.cameras, *missing]

    @handler
    def simulate(self, request: SimulateRequest) -> None:
        """Start a simulated robot and use it."""
        controls = self._devices.controls_for(request.speed)
        title = "starting a simulated robot"
        self._connect(title, controls, lambda: self._devices.simulating(request, controls))

    @handler
    def connect(self, request: ConnectRequest) -> None:
        """Find out whether a robot answers, and use it."""
        get_rig(DEFAULT_RIG).check_address(request.address)
        controls = self._devices.controls_for(request.speed)
        title = f"connecting to {request.address}"
        self._connect(title, controls, lambda: self._devices.connecting(request, controls))

    @handler
    def cancel(self) -> None:
        """Give up what is being connected to, or started."""
        if self._show.view.phase is Phase.CONNECTING:
            self._jobs.stop()

    @handler
    def disconnect(self) -> None:
        """Disconnect; a simulated one ends, and says how its cube lies."""
        if self._jobs.is_running:
            raise InvalidInputError("The robot is at work; stop it first.")
        self._give_back()
        self._motors.forget()
        self._show.change(
            phase=Phase.NONE, sentence="", address="", has_camera=False, cut_off="", battery=None
        )
        self._work.records.look(None)

    @handler
    def solve(self, request: SolveRequest) -> None:
        """Scan and solve the cube, solve one whose stickers are given, or only plan that."""
        self._work.solve(request)

    @handler
    def scan(self) -> None:
        """Let the robot show the cube to the camera, and do nothing else."""
        self._work.scan()

    @handler
    def resume(self, request: ResumeRequest) -> None:
        """Resume a run that was stopped or failed, the last one if none is named."""
        if request.journal is not None:
            self._work.journal = journal_called(request.journal)
        if self._work.journal is None:
            raise InvalidInputError("There is no run to resume.")
        self._work.resume(find_interrupted_run(self._work.journal))

    @handler
    def jog(self, request: JogRequest) -> None:
        """Turn one motor by some degrees."""
        self._work.jog(request)

    @handler
    def calibrate(self, request: CalibrateRequest) -> None:
        """Measure how long the primitives take."""
        self._work.calibrate(request)

    def file(self, name: str) -> File | None:
        """Return `frame.jpg`, what the camera sees now, or `look-N.jpg`, what it captured N-th."""
        if name == "frame.jpg":
            return File(self._cameras.view(), JPEG)
        number = LOOK.fullmatch(name)
        picture = self._show.looks.picture(int(number[1])) if number else None
        return None if picture is None else File(picture, JPEG)

    @handler
    def pause(self) -> None:
        """Wait before the next primitive."""
        if self._show.turn((Phase.RUNNING,), Phase.PAUSING):
            self._jobs.pause()

    @handler
    def go_on(self) -> None:
        """End a pause."""
        if self._show.turn((Phase.PAUSED, Phase.PAUSING), Phase.RUNNING):
            self._jobs.resume()

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
        self, title: str, controls: JobControls, job: Callable[[], Job[Progress, Device]]
    ) -> None:
        def connected(device: Device) -> None:
            simulated = "simulated " * device.is_simulated
            self._show.say(f"a {simulated}robot answers at {device.address}")
            self._work.records.look(device.address)
            self._show.change(
                phase=Phase.READY,
                sentence="",
                address=device.address,
                drives=get_rig(DEFAULT_RIG).drives,
                speed=device.speed,
                is_simulated=device.is_simulated,
                has_camera=device.camera is not None,
            )

        def failed(error: PuzzlerigError) -> None:
            self._show.change(address="", has_camera=False, battery=None)
            if isinstance(error, StoppedError):
                self._show.say(CANCELLED)
                self._show.change(phase=Phase.NONE, sentence="")
            else:
                self._show.end(Phase.NONE, str(error))

        def begun() -> Job[Progress, Device]:
            self._show.change(phase=Phase.CONNECTING, sentence=f"{title.capitalize()}.")
            self._motors.forget()
            return (yield from job())

        self._jobs.start(
            title, controls, begun, on_event=self._show.see, on_report=connected, on_error=failed
        )

    def _hear(self, event: RobotEvent) -> None:
        if isinstance(event, CubeRead):
            self.hear_reading(event)
        self.hear(event)

    def _give_back(self) -> None:
        if said := self._devices.give_back():
            self._show.say(said)
