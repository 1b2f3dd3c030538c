"""The robot that the dashboard uses: a real one, or a simulated one that is started for it."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from controller.controls import Controls
from controller.dashboard.camera_hub import CameraHub
from controller.dashboard.robot.attempt import Attempt
from controller.dashboard.robot.requests import Connect, Simulate
from controller.errors import RobotError
from controller.motion.driving.run_record import RunHeader
from controller.motion.mechanism import Battery, Mechanism, OnMotors, nobody_watches
from controller.opening import Robot, camera_called, robot_at, robot_for
from controller.robot_job import prepare_search
from controller.simulator_process import SimulatorProcess, running_simulator
from solvers.foundation.clock import Clock, SystemClock
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Job, Progress, checked

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
        on_battery: Callable[[Battery | None], object] = lambda _: None,
        clock_at: Callable[[float], Clock] = SystemClock,
    ) -> None:
        """`on_battery` hears at each connection; `clock_at` makes clocks of so many times real."""
        self._cameras = cameras
        self._on_battery = on_battery
        self._clock_at = clock_at
        self._attempt: Attempt[Any] | None = None
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
        address = self.connected.address
        return self._watched(
            robot_at(address, self.clock(), drive=drive, on_motors=self._on_motors)
        )

    def robot_of(self, header: RunHeader) -> Robot:
        """Return the robot as it was in an earlier run."""
        address = self.connected.address
        return self._watched(
            robot_for(header, self.clock(), brick=address, on_motors=self._on_motors)
        )

    def clock(self) -> Clock:
        """Return a clock as fast as the robot."""
        return self._clock_at(self.connected.speed)

    def controls_for(self, speed: float) -> Controls:
        """Return what stops a robot that runs so many times as fast as a real one."""
        return Controls(self._clock_at(speed))

    def simulating(self, request: Simulate, controls: Controls) -> Job[Progress, Device]:
        """Start a simulated robot and use it from now on."""
        # A brick that is on and waits while the search is compiled falls asleep.
        yield from checked(prepare_search(), controls.check)
        yield Progress("starting the simulated robot", 0, None)
        self.give_back()
        seed = secrets.randbelow(SEEDS) if request.seed is None else request.seed
        arguments = ["--listen", "127.0.0.1:0", "--speed", str(request.speed), "--seed", str(seed)]
        if request.camera:
            arguments += ["--camera", str(request.camera)]

        def start() -> tuple[ExitStack, SimulatorProcess]:
            with ExitStack() as stack:
                started = stack.enter_context(running_simulator([*arguments, *self._options]))
                _ = started.greeting  # waits until it is there
                return stack.pop_all(), started

        attempt = Attempt(start, lambda started: started[0].close())
        self._opened, self._simulator = attempt.wait(controls.check)
        camera, address = self._simulator.greeting.get("camera"), self._simulator.address
        return self._use(Device(address, camera, request.speed, is_simulated=True))

    def connecting(self, request: Connect, controls: Controls) -> Job[Progress, Device]:
        """Find out whether a robot answers, and use it from now on. It may be given up at once."""
        yield Progress(f"looking for the brick at {request.address}", 0, None)
        self.give_back()
        if self._attempt is not None:  # it was given up, and may hold the brick still
            self._attempt.end(controls.check)
        robot = self._watched(robot_at(request.address, self._clock_at(request.speed)))

        def connect() -> None:
            with robot.connect():
                pass

        self._attempt = Attempt(connect)
        self._attempt.wait(controls.check)
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

    def _watched(self, robot: Robot) -> Robot:
        """Return the robot, which tells of its battery whenever it is connected."""

        @contextmanager
        def connect() -> Iterator[Mechanism]:
            with robot.connect() as mechanism:
                self._on_battery(mechanism.battery())
                yield mechanism

        return replace(robot, connect=connect)

    def _use(self, device: Device) -> Device:
        self.device = device
        self._cameras.use(None if device.camera is None else camera_called(device.camera))
        return device
