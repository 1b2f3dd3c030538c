"""The robot that the dashboard uses: a real one, or a simulated one that is started for it."""

import secrets
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from controller.dashboard.camera_hub import CameraHub
from controller.dashboard.robot.requests import Connect, Simulate
from controller.errors import RobotError
from controller.motion.driving.run_record import RunHeader
from controller.motion.mechanism import OnMotors, nobody_watches
from controller.opening import Robot, camera_called, robot_at, robot_for
from controller.robot_job import prepare_search
from controller.simulator_process import SimulatorProcess, running_simulator
from solvers.foundation.clock import SystemClock
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Job, Progress

SEEDS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Device:
    """A robot that has answered, its camera, and how much faster than real it is."""

    address: str
    camera: str | None
    speed: float
    is_simulated: bool


class RobotDevices:
    """At most one robot at a time, and its camera."""

    def __init__(
        self,
        cameras: CameraHub,
        simulator_options: Sequence[str] = (),
        on_motors: OnMotors = nobody_watches,
    ) -> None:
        self._cameras = cameras
        self._options = tuple(simulator_options)
        self._on_motors = on_motors
        self._opened = ExitStack()
        self._simulator: SimulatorProcess | None = None
        self.device: Device | None = None

    @property
    def connected(self) -> Device:
        """What is used now. Raises InvalidInputError if there is nothing."""
        if self.device is None:
            raise InvalidInputError("No robot is connected.")
        return self.device

    def robot(self, drive: str | None) -> Robot:
        """Return the robot with one of its drives, and with controls of its own each time.

        Raises InvalidInputError without a robot, or for a drive that it has not.
        """
        device = self.connected
        clock = SystemClock(device.speed)
        return robot_at(device.address, clock, drive=drive, on_motors=self._on_motors)

    def robot_of(self, header: RunHeader) -> Robot:
        """Return the robot as it was in an earlier run."""
        device = self.connected
        clock = SystemClock(device.speed)
        return robot_for(header, clock, brick=device.address, on_motors=self._on_motors)

    def simulating(self, request: Simulate) -> Job[Progress, Device]:
        """Start a simulated robot and use it from now on."""
        # A brick that is on and waits while the search is compiled falls asleep.
        yield from prepare_search()
        yield Progress("starting the simulated robot", 0, None)
        self.give_back()
        seed = secrets.randbelow(SEEDS) if request.seed is None else request.seed
        arguments = ["--listen", "127.0.0.1:0", "--speed", str(request.speed), "--seed", str(seed)]
        if request.camera:
            arguments += ["--camera", str(request.camera)]
        simulator = self._opened.enter_context(running_simulator([*arguments, *self._options]))
        camera = simulator.greeting.get("camera")
        self._simulator = simulator
        return self._use(Device(simulator.address, camera, request.speed, is_simulated=True))

    def connecting(self, request: Connect, robot: Robot) -> Job[Progress, Device]:
        """Find out whether a robot answers, and use it from now on."""
        yield Progress(f"looking for the brick at {request.address}", 0, None)
        self.give_back()
        with robot.connect():
            pass
        device = Device(request.address, request.camera, request.speed, is_simulated=False)
        return self._use(device)

    def give_back(self) -> str:
        """Leave the robot; a simulated one ends, and says how its cube lies."""
        self._cameras.use(None)
        self.device, simulator, self._simulator = None, self._simulator, None
        said = ""
        if simulator is not None:
            try:
                last = simulator.stop()
            except RobotError as error:
                said = str(error)
            else:
                solved = "solved" if last.get("solved") else "not solved"
                said = f"the simulated cube is {solved}: {last.get('facelets')}"
        self._opened.close()
        return said

    def _use(self, device: Device) -> Device:
        self.device = device
        self._cameras.use(None if device.camera is None else camera_called(device.camera))
        return device
