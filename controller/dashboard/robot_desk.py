"""What can be asked of the robot; whatever takes long runs as its one job."""

import secrets
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from controller.dashboard.camera_hub import CameraHub
from controller.dashboard.hub import Hub
from controller.dashboard.jobs import DeviceJobs, Switch
from controller.dashboard.robot_show import RobotShow
from controller.dashboard.robot_view import MOVING, Phase, Result
from controller.errors import CubeUncertainError, RobotError, StoppedError
from controller.job_events import DriveBegan, ResumeReport, RobotEvent, RobotReport
from controller.motion.driving.journals import new_journal_path
from controller.opening import Robot, camera_called, robot_at
from controller.resume_job import interrupted_run, resume
from controller.rigs.registry import DEFAULT_RIG
from controller.robot_job import RobotJob, Task, prepare_search
from controller.simulator_process import SimulatorProcess, running_simulator
from controller.verdict import verdict
from solvers.foundation.clock import SystemClock, time_of_day
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.progress import Job, Progress
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import parse_facelets

ENDING_S: Final = 15.0
SEEDS: Final = 1_000_000


class Simulate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A simulated robot: how much faster than real, with which cube
    (None for any), with a camera of which level, 0 for none."""

    speed: Annotated[float, Meta(ge=0.1, le=50)] = 5.0
    seed: Annotated[int, Meta(ge=0, le=10**9)] | None = None
    camera: Annotated[int, Meta(ge=0, le=3)] = 1


class Connect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A robot at an address, and the camera that looks at it."""

    address: Annotated[str, Meta(max_length=200)] = "usb"
    camera: Annotated[str, Meta(max_length=500)] | None = None
    speed: Annotated[float, Meta(ge=0.1, le=50)] = 1.0


class Solve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Solve a cube that is scanned, or whose 54 stickers are given."""

    facelets: Annotated[str, Meta(max_length=54)] | None = None
    search_s: Annotated[float, Meta(ge=0, le=60)] = 1.0


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No further words."""


class RobotDesk:
    """The robot of the dashboard; any thread may ask. Everything raises PuzzlerigError."""

    def __init__(self, hub: Hub, cameras: CameraHub, simulator_options: Sequence[str] = ()) -> None:
        self._cameras = cameras
        self._simulator_options = simulator_options
        self._jobs = DeviceJobs("robot", time_of_day)
        self._show = RobotShow(hub)
        self._devices = ExitStack()
        self._simulator: SimulatorProcess | None = None
        self._drive: str | None = None
        self._journal: Path | None = None
        self._camera: str | None = None
        self.hear: Callable[[RobotEvent], object] = lambda _: None
        """Told of every event, after the page; for tests, and whoever wants more."""

    def ask(self, command: str, words: bytes) -> None:
        """Carry out a command of the page. Raises InvalidInputError for one that there is not."""
        if command not in _COMMANDS:
            raise InvalidInputError(f"The robot knows no command {command[:20]!r}.")
        kind, method = _COMMANDS[command]
        try:
            request = msgspec.json.decode(words or b"{}", type=kind)
        except msgspec.DecodeError as error:
            raise InvalidInputError(f"The command {command} cannot be read: {error}.") from None
        method(self, request)

    def simulate(self, request: Simulate) -> None:
        """Start a simulated robot and use it."""
        seed = secrets.randbelow(SEEDS) if request.seed is None else request.seed
        arguments = ["--listen", "127.0.0.1:0", "--speed", str(request.speed), "--seed", str(seed)]
        if request.camera:
            arguments += ["--camera", str(request.camera)]
        arguments += self._simulator_options

        def starting() -> Job[Progress, SimulatorProcess]:
            # A brick that is on and waits while the search is compiled falls asleep.
            yield from prepare_search()
            yield Progress("starting the simulated robot", 0, None)
            self._give_back()
            simulator = self._devices.enter_context(running_simulator(arguments))
            assert simulator.address
            return simulator

        def started(simulator: SimulatorProcess) -> None:
            self._simulator = simulator
            camera = simulator.greeting.get("camera")
            self._use(simulator.address, camera, request.speed, is_simulated=True)

        self._connect("starting a simulated robot", NO_SWITCH, starting, started)

    def connect(self, request: Connect) -> None:
        """Find out whether a robot answers, and use it."""
        robot = robot_at(request.address, SystemClock(request.speed))

        def connecting() -> Job[Progress, None]:
            yield Progress(f"looking for the brick at {request.address}", 0, None)
            self._give_back()
            with robot.connect():
                pass

        def connected(_: None) -> None:
            self._use(request.address, request.camera, request.speed, is_simulated=False)

        self._connect(f"connecting to {request.address}", robot.controls, connecting, connected)

    def disconnect(self, _: Nothing) -> None:
        """Leave the robot; a simulated one ends, and says how its cube lies."""
        if self._jobs.is_running:
            raise InvalidInputError("The robot is at work; stop it first.")
        self._give_back()
        self._show.change(phase=Phase.NONE, sentence="", address="", has_camera=False)

    def solve(self, request: Solve) -> None:
        """Scan and solve the cube, or solve one whose stickers are given."""
        known = None if request.facelets is None else parse_facelets(request.facelets)
        camera = self._cameras.opened
        if known is None and camera is None:
            raise InvalidInputError("No camera is connected that could look at the cube.")
        robot = self._robot()

        def job() -> Job[RobotEvent, RobotReport]:
            self._journal = new_journal_path()
            task = Task(search_s=request.search_s, journal=self._journal, camera=self._camera)
            work = RobotJob(robot, task, SystemClock())
            if known is not None:
                return work.solve_known(known, camera)
            assert camera is not None
            return work.solve_seen(camera)

        self._start("solving the cube", robot, job)

    def resume(self, _: Nothing) -> None:
        """Go on with the run that was stopped or failed last."""
        if self._journal is None:
            raise InvalidInputError("There is no run to go on with.")
        robot, run = self._robot(), interrupted_run(self._journal)
        camera = self._cameras.opened
        task = Task(run.record.header.target, camera=self._camera)
        self._start(
            "solving the cube",
            robot,
            lambda: resume(run, robot, camera, task),
            before=lambda: self._show.take_up(run.record),
        )

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
        self,
        title: str,
        switch: Switch,
        job: Callable[[], Job[Progress, Any]],
        on_report: Callable[[Any], object],
    ) -> None:
        def failed(error: PuzzlerigError) -> None:
            self._show.end(Phase.NONE, str(error))

        self._jobs.start(
            title, switch, job, on_event=self._show.see, on_report=on_report, on_error=failed
        )
        self._show.change(phase=Phase.CONNECTING, sentence=f"{title.capitalize()}.")

    def _start(
        self,
        title: str,
        robot: Robot,
        job: Callable[[], Job[RobotEvent, RobotReport | ResumeReport]],
        before: Callable[[], object] = lambda: None,
    ) -> None:
        def begun() -> Job[RobotEvent, RobotReport | ResumeReport]:
            self._show.begin(robot.costs)
            before()
            return (yield from job())

        self._jobs.start(
            title,
            robot.controls,
            begun,
            on_event=self._see,
            on_report=self._finished,
            on_error=self._failed,
        )

    def _see(self, event: RobotEvent) -> None:
        self._show.see(event)
        if isinstance(event, DriveBegan):
            self._journal = event.journal
        self.hear(event)

    def _finished(self, report: RobotReport | ResumeReport) -> None:
        word, why = verdict(report.seen, SOLVED, report.unseen)
        seen = report.seen.result.confidence if report.seen else None
        moves = len(report.chosen.plan.moves) if isinstance(report, RobotReport) else 0
        self._show.finish(Result(word, why, moves, report.driven.measured_seconds, seen))

    def _failed(self, error: PuzzlerigError) -> None:
        match error:
            case StoppedError():
                phase = Phase.STOPPED
            case CubeUncertainError():
                phase = Phase.UNCERTAIN
            case _:
                phase = Phase.FAULT
        journal = self._journal
        has_journal = journal is not None and journal.exists() and journal.stat().st_size > 0
        self._show.end(phase, str(error), can_resume=has_journal)

    def _robot(self) -> Robot:
        view = self._show.view
        if not view.address:
            raise InvalidInputError("No robot is connected.")
        clock = SystemClock(view.speed)
        return robot_at(view.address, clock, rig=DEFAULT_RIG, drive=self._drive)

    def _use(self, address: str, camera: str | None, speed: float, *, is_simulated: bool) -> None:
        self._camera = camera
        self._cameras.use(None if camera is None else camera_called(camera))
        self._show.say(f"a {'simulated ' * is_simulated}robot answers at {address}")
        self._show.change(
            phase=Phase.READY,
            sentence="",
            address=address,
            speed=speed,
            is_simulated=is_simulated,
            has_camera=camera is not None,
        )

    def _give_back(self) -> None:
        self._cameras.use(None)
        if self._simulator is not None:
            simulator, self._simulator = self._simulator, None
            try:
                last = simulator.stop()
            except RobotError as error:
                self._show.say(str(error), "warn")
            else:
                solved = "solved" if last.get("solved") else "not solved"
                self._show.say(f"the simulated cube is {solved}: {last.get('facelets')}")
        self._devices.close()


class _NoSwitch:
    def pause(self) -> None: ...
    def go_on(self) -> None: ...
    def stop(self) -> None: ...


NO_SWITCH: Final = _NoSwitch()
"""Of jobs that move nothing and are over soon."""

_COMMANDS: Final[dict[str, tuple[type[Any], Callable[[RobotDesk, Any], None]]]] = {
    "simulate": (Simulate, RobotDesk.simulate),
    "connect": (Connect, RobotDesk.connect),
    "disconnect": (Nothing, RobotDesk.disconnect),
    "solve": (Solve, RobotDesk.solve),
    "resume": (Nothing, RobotDesk.resume),
    "pause": (Nothing, RobotDesk.pause),
    "go_on": (Nothing, RobotDesk.go_on),
}
