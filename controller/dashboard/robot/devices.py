"""The robot that the dashboard uses: a real one, or a simulated one that is started for it."""

import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

from controller.controls import Controls
from controller.dashboard.camera_hub import CameraHub
from controller.dashboard.robot.view import ConnectRequest, SimulateRequest
from controller.errors import RobotError
from controller.motion.mechanism import Battery, Mechanism, OnMotors, ignore_motors
from controller.motion.run_record import RunHeader
from controller.opening import OpenCamera, Robot, camera_opener, own_sensor, robot_at, robot_for
from controller.rigs.registry import get_rig
from controller.rigs.rig import OWN_SENSOR
from controller.robot_jobs import prepare_search
from controller.simulator_process import SimulatorProcess, running_simulator
from solvers.foundation.clock import Clock, SystemClock
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.progress import Job, Progress, with_cancellation

SEEDS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Device:
    """A robot that has answered, its camera, and how much faster than real it is.

    `camera` may be the rig's own sensor.
    """

    rig: str
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
        on_motors: OnMotors = ignore_motors,
        on_battery: Callable[[Battery | None], object] = lambda _: None,
        clock_at: Callable[[float], Clock] = SystemClock,
    ) -> None:
        """`on_battery` is called at each connection; `clock_at` makes a clock of a given speed."""
        self._cameras = cameras
        self._on_battery = on_battery
        self._clock_at = clock_at
        self._connecting: AbandonableCall[Any] | None = None
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

    @property
    def eye(self) -> "OpenCamera | None":
        """What reads the cube for a scan: the camera, or the rig's own sensor; None without one."""
        if self.device is not None and self.device.camera == OWN_SENSOR:
            return own_sensor
        return self._cameras.opened

    def robot(self, drive: str | None) -> Robot:
        """Return the robot with one of its drives, with new controls each time.

        Raises InvalidInputError without a robot, or for a drive that it has not.
        """
        device = self.connected
        return self._watched(
            robot_at(
                device.address,
                self.clock(),
                rig=device.rig,
                drive=drive,
                on_motors=self._on_motors,
            )
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
        """Return the controls of a robot that runs `speed` times as fast as a real one."""
        return Controls(self._clock_at(speed))

    def simulating(self, request: SimulateRequest, controls: Controls) -> Job[Progress, Device]:
        """Start a simulated robot and use it from now on. None is in use before."""
        # A brick that is on and waits while the search is compiled falls asleep.
        yield from with_cancellation(prepare_search(), controls.check)
        yield Progress("starting the simulated robot", 0, None)
        seed = secrets.randbelow(SEEDS) if request.seed is None else request.seed
        arguments = ["--listen", "127.0.0.1:0", "--speed", str(request.speed), "--seed", str(seed)]
        own_eye = get_rig(request.rig).own_eye
        arguments += ["--rig", request.rig]
        if request.camera and own_eye is None:
            arguments += ["--camera", str(request.camera)]

        def start() -> tuple[ExitStack, SimulatorProcess]:
            with ExitStack() as stack:
                started = stack.enter_context(running_simulator([*arguments, *self._options]))
                _ = started.greeting  # waits until it is there
                return stack.pop_all(), started

        attempt = AbandonableCall(start, lambda started: started[0].close())
        self._opened, self._simulator = attempt.wait(controls.check)
        camera = own_eye or self._simulator.greeting.get("camera")
        address = self._simulator.address
        return self._use(Device(request.rig, address, camera, request.speed, is_simulated=True))

    def connecting(self, request: ConnectRequest, controls: Controls) -> Job[Progress, Device]:
        """Find out whether a robot answers, and use it from now on. None is in use before.

        It may be given up at once.
        """
        yield Progress(f"looking for the brick at {request.address}", 0, None)
        if self._connecting is not None:  # it was given up, and may hold the brick still
            self._connecting.end(controls.check)
        robot = self._watched(
            robot_at(request.address, self._clock_at(request.speed), rig=request.rig)
        )

        def connect() -> None:
            with robot.connect():
                pass

        self._connecting = AbandonableCall(connect)
        self._connecting.wait(controls.check)
        camera = request.camera or get_rig(request.rig).own_eye
        device = Device(request.rig, request.address, camera, request.speed, is_simulated=False)
        return self._use(device)

    def release(self) -> str:
        """Disconnect; a simulated one ends, and reports its cube."""
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
        """Return the robot, which reports its battery whenever it is connected."""

        @contextmanager
        def connect() -> Iterator[Mechanism]:
            with robot.connect() as mechanism:
                self._on_battery(mechanism.battery())
                yield mechanism

        return replace(robot, connect=connect)

    def _use(self, device: Device) -> Device:
        self.device = device
        gives_pictures = device.camera not in (None, OWN_SENSOR)
        self._cameras.use(camera_opener(str(device.camera)) if gives_pictures else None)
        return device


LOOK_INTERVAL_S: Final = 0.05
"""Seconds of the computer's clock from a cancellation to its effect."""

T = TypeVar("T")


class AbandonableCall(Generic[T]):
    """`work` on a thread. If it was given up, `undo` is called with its result."""

    def __init__(self, work: Callable[[], T], undo: Callable[[T], object] = lambda _: None) -> None:
        self._undo = undo
        self._future: Future[T] = Future()
        # nxt-python waits for a silent brick without a time limit.
        threading.Thread(target=self._run, args=(work,), name="attempt", daemon=True).start()

    def wait(self, check: Callable[[], object]) -> T:
        """Return its result, or raise its error; what `check` raises meanwhile gives it up."""
        try:
            self.end(check)
        except PuzzlerigError:
            self._future.add_done_callback(self._undo_result)  # at once, if it is done
            raise
        return self._future.result()

    def end(self, check: Callable[[], object]) -> None:
        """Return when it is over, with a result or an error."""
        while not wait([self._future], LOOK_INTERVAL_S).done:
            check()

    def _run(self, work: Callable[[], T]) -> None:
        try:
            result = work()
        except Exception as error:  # `wait` raises it
            self._future.set_exception(error)
        else:
            self._future.set_result(result)

    def _undo_result(self, future: "Future[T]") -> None:
        if future.exception() is None:
            self._undo(future.result())
