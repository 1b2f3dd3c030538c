"""Controller of the Robot page, and the robot's jobs: one at a time, each on a thread."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from controller import job_events, robot_jobs
from controller.controls import Controls
from controller.dashboard.camera_hub import CameraHub
from controller.dashboard.controller import Controller, File, handler
from controller.dashboard.hub import Hub
from controller.dashboard.jobs import DeviceJobs, JobControls
from controller.dashboard.robot import presenter, view
from controller.dashboard.robot.devices import Device, RobotDevices
from controller.dashboard.robot.history import PastSolve, Records, find_journal
from controller.diagnosis import diagnose
from controller.errors import StoppedError
from controller.motion.journal import new_journal_path
from controller.opening import Robot
from controller.rigs.registry import DEFAULT_RIG, get_rig
from controller.rigs.rig import Finding, Jogged
from solvers.foundation.clock import Clock, SystemClock, time_of_day, today
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.progress import Job, Progress
from solvers.foundation.wording import counted
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import FACE_LETTERS, parse_facelets
from solvers.rubik.held_cube import read_stickers

JOG_PERCENT: Final = 30
"""Slow enough to stop with a finger."""


class RobotWork:
    """Starts the robot's jobs. Raises InvalidInputError, and DeviceBusyError while a job runs."""

    def __init__(
        self,
        jobs: DeviceJobs,
        devices: RobotDevices,
        cameras: CameraHub,
        show: presenter.RobotPresenter,
        on_event: Callable[[job_events.RobotEvent], object],
    ) -> None:
        """`on_event` is called with every event, after the page shows it."""
        self.journal: Path | None = None
        """Of the last run."""
        self.records = Records(show.hub)
        self._on_event = on_event
        self._target = SOLVED
        self._drive = ""  # of the last solve
        self._jobs = jobs
        self._devices = devices
        self._cameras = cameras
        self._show = show
        if self.records.trouble:
            show.say(self.records.trouble, "warn")

    def solve(self, request: view.SolveRequest) -> None:
        """Scan and solve the cube, solve one whose stickers are given, or only plan that."""
        self._jobs.check_free()  # a paused job may have cut a motion off: that it runs comes first
        given = None if request.facelets is None else read_stickers(request.facelets)
        known = None if given is None else given.position
        colours = (
            given.centres if given and set(given.centres) == set(FACE_LETTERS) else FACE_LETTERS
        )
        target = SOLVED if request.target is None else parse_facelets(request.target)
        camera, robot = self._devices.eye, self._devices.robot(request.drive)
        if known is None and (camera is None or request.dry_run):
            why = "A dry run moves nothing and so cannot scan" if camera else "There is no camera"
            raise InvalidInputError(f"{why}; give the cube's position.")
        if known is not None:
            presenter.check_not_cut_off(self._show.view.cut_off)
        task = robot_jobs.Task(
            target, request.planner, request.search_s, camera=self._camera_name, colours=colours
        )
        if known is not None and request.dry_run:
            work = robot_jobs.RobotJob(robot, task, SystemClock())
            self._start(
                "planning", robot, lambda: work.plan_known(known), self._planned, is_dry=True
            )
            return

        def job() -> Job[job_events.RobotEvent, job_events.RobotReport]:
            self.journal = new_journal_path()
            work = robot_jobs.RobotJob(robot, replace(task, journal=self.journal), SystemClock())
            if known is not None:
                return work.solve_known(known, camera)
            assert camera is not None
            return work.solve_seen(camera)

        self._drive, self._target = robot.drive, target
        self._start("solving the cube", robot, job, self._solved, colours=colours)

    def scan(self) -> None:
        """Let the robot show the cube to the camera, and do nothing else."""
        camera, robot = self._devices.eye, self._devices.robot(None)
        if camera is None:
            raise InvalidInputError("No camera is connected that could look at the cube.")

        def job() -> Job[job_events.RobotEvent, job_events.ScanReport]:
            self.journal = None  # there is nothing to resume
            return (yield from robot_jobs.scan_by_robot(robot, camera))

        self._start("scanning the cube", robot, job, self._read)

    def resume(self, run: robot_jobs.InterruptedRun) -> None:
        """Resume a run that was stopped or failed."""
        header, camera = run.record.header, self._devices.eye
        robot = self._devices.robot_of(header)
        task = robot_jobs.Task(header.target, camera=self._camera_name)
        self._target = header.target
        self._start(
            "solving the cube",
            robot,
            lambda: robot_jobs.resume(run, robot, camera, task),
            self._end,
            before=lambda: self._show.adopt(run.record),
        )

    def jog(self, request: view.JogRequest) -> None:
        """Turn one motor by some degrees."""
        device = self._devices.connected
        controls = Controls(self._devices.clock())
        setup = get_rig(device.rig).setup()

        def job() -> Job[Progress, Jogged]:
            yield Progress(f"turning the {request.motor}", 0, None)
            self._show.doubt_cube()  # a motor may take it along
            return setup.jog(device.address, request.motor, request.degrees, JOG_PERCENT, controls)

        self._jobs.start(
            f"turning the {request.motor} by hand",
            controls,
            job,
            on_event=lambda _: None,
            on_report=lambda moved: self._show.say(
                f"by hand: {moved.motor} from {moved.before} to {moved.after} degrees"
            ),
            on_error=lambda error: self._show.say(str(error), "warn"),
        )

    def calibrate(self, request: view.CalibrateRequest) -> None:
        """Measure how long the primitives take, and keep that in the owner's file."""
        device = self._devices.connected
        if device.is_simulated:
            raise InvalidInputError(
                "This robot is simulated; its times would take the place of your own robot's."
            )
        controls = Controls(self._devices.clock())

        def job() -> Job[Progress, robot_jobs.CalibrationReport]:
            self._show.start(self._devices.robot(None).costs)
            self._show.doubt_cube()
            self.journal = None  # the cube is moved
            return (
                yield from robot_jobs.calibrate(
                    device.address,
                    controls,
                    rig=device.rig,
                    drive=request.drive,
                    calibration=None,
                    output=None,
                    rounds=request.rounds,
                )
            )

        self._jobs.start(
            "calibrating",
            controls,
            job,
            on_event=self._show.see,
            on_report=self._calibrated,
            on_error=self._failed,
        )

    def _start(
        self,
        title: str,
        robot: Robot,
        job: Callable[[], Job[job_events.RobotEvent, object]],
        on_report: Callable[..., object],
        before: Callable[[], object] = lambda: None,
        colours: str = FACE_LETTERS,
        is_dry: bool = False,
    ) -> None:
        def run() -> Job[job_events.RobotEvent, object]:
            self._show.start(robot.costs, colours, is_dry=is_dry)
            before()
            return (yield from job())

        see, fail = self._see, self._failed
        self._jobs.start(
            title, robot.controls, run, on_event=see, on_report=on_report, on_error=fail
        )

    def _see(self, event: job_events.RobotEvent) -> None:
        self._show.see(event)
        if isinstance(event, job_events.DriveStarted):
            self.journal = event.journal
        self._on_event(event)

    def _planned(self, report: job_events.PlanReport) -> None:
        plan = report.chosen.plan
        words = f"{counted(len(plan.moves), 'move')}, {plan.robot_seconds:.1f} robot seconds"
        if not plan.moves:
            words = "the cube is there already"
        self._show.end(view.Phase.READY, f"A dry run: {words}. Nothing was moved.")

    def _solved(self, report: job_events.RobotReport) -> None:
        chosen, driven = report.chosen, report.driven
        if not chosen.plan.moves and not driven.finished:  # nothing to compare with the plan
            self._end(report)
            return
        device = self._devices.connected
        past = PastSolve(
            when=f"{today()} {time_of_day()[:5]}",
            robot="simulated" if device.is_simulated else device.address,
            drive=self._drive,
            moves=len(chosen.plan.moves),
            primitives=len(chosen.plan.primitives),
            planned_s=round(chosen.plan.robot_seconds, 2),
            measured_s=round(driven.measured_seconds, 2),
            retries=driven.retries,
            seen=None if report.seen is None else report.seen.result.confidence,
        )
        if trouble := self.records.add(past):
            self._show.say(trouble, "warn")
        self._end(report)

    def _end(self, report: job_events.RobotReport | job_events.ResumeReport) -> None:
        self._show.finish(presenter.result_of(report, self._target))
        self._refresh()

    def _read(self, _: job_events.ScanReport) -> None:
        self._show.end(view.Phase.READY, "the cube is read")

    def _calibrated(self, report: robot_jobs.CalibrationReport) -> None:
        self._show.end(view.Phase.READY, f"Calibrated; the times are written to {report.path}.")
        self._refresh()

    def _failed(self, error: PuzzlerigError) -> None:
        self._show.end(
            presenter.phase_after(error), str(error), left=presenter.left_in(self.journal)
        )
        self._refresh()

    def _refresh(self) -> None:
        device = self._devices.device
        if device is None:
            self.records.refresh(None)
        else:
            self.records.refresh(device.address, device.rig)

    @property
    def _camera_name(self) -> str | None:
        return self._devices.device.camera if self._devices.device else None


ENDING_S: Final = 15.0
CANCELLED: Final = "cancelled; nothing is connected"
JPEG: Final = "image/jpeg"
SVG: Final = "image/svg+xml"
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

        `clock_at` makes the robot's clock, at a speed as a multiple of real time.
        """
        self._cameras = cameras
        self._motors = presenter.Motors(hub, SystemClock())
        self._show = presenter.RobotPresenter(hub)
        self._devices = RobotDevices(
            cameras, simulator_options, self._motors.see, self._show.see_battery, clock_at
        )
        self._jobs = DeviceJobs("robot", time_of_day)
        self._work = RobotWork(self._jobs, self._devices, cameras, self._show, self._pass_on)
        self.on_event: Callable[[job_events.RobotEvent], object] = lambda _: None
        """Called with every event, after the page shows it."""
        self.on_reading: Callable[[job_events.CubeRead], object] = lambda _: None

    @property
    def is_active(self) -> bool:
        """Whether a run is under way, or waits in a pause."""
        return self._show.view.phase in (*view.MOVING, view.Phase.PAUSED)

    @handler
    def look(self) -> list[Finding]:
        """Return what answers: bricks and cameras, and what is missing to use them."""
        if self._jobs.is_running or self._devices.device is not None:
            raise InvalidInputError("A robot is in use; disconnect it first.")
        found = diagnose(get_rig(DEFAULT_RIG), ())
        missing = [each for each in found.installation if not each.ok]
        return [*found.machines, *found.cameras, *missing]

    @handler
    def simulate(self, request: view.SimulateRequest) -> None:
        """Start a simulated robot and use it."""
        controls = self._devices.controls_for(request.speed)
        get_rig(request.rig)
        title = "starting a simulated robot"
        self._connect(title, controls, lambda: self._devices.simulating(request, controls))

    @handler
    def connect(self, request: view.ConnectRequest) -> None:
        """Find out whether a robot answers, and use it."""
        get_rig(request.rig).check_address(request.address)
        controls = self._devices.controls_for(request.speed)
        title = f"connecting to {request.address}"
        self._connect(title, controls, lambda: self._devices.connecting(request, controls))

    @handler
    def cancel(self) -> None:
        """Give up what is being connected to, or started."""
        if self._show.view.phase is view.Phase.CONNECTING:
            self._jobs.stop()

    @handler
    def disconnect(self) -> None:
        """Disconnect; a simulated one ends, and reports its cube."""
        if self._jobs.is_running:
            raise InvalidInputError("The robot is at work; stop it first.")
        self._release()
        self._motors.forget()
        self._show.forget()
        self._work.records.refresh(None)

    @handler
    def solve(self, request: view.SolveRequest) -> None:
        """Scan and solve the cube, solve one whose stickers are given, or only plan that."""
        self._work.solve(request)

    @handler
    def scan(self) -> None:
        """Let the robot show the cube to the camera, and do nothing else."""
        self._work.scan()

    @handler
    def resume(self, request: view.ResumeRequest) -> None:
        """Resume a run that was stopped or failed, the last one if none is named."""
        if request.journal is not None:
            self._work.journal = find_journal(request.journal)
        if self._work.journal is None:
            raise InvalidInputError("There is no run to resume.")
        self._work.resume(robot_jobs.find_interrupted_run(self._work.journal))

    @handler
    def jog(self, request: view.JogRequest) -> None:
        """Turn one motor by some degrees."""
        self._work.jog(request)

    @handler
    def calibrate(self, request: view.CalibrateRequest) -> None:
        """Measure how long the primitives take."""
        self._work.calibrate(request)

    def file(self, name: str) -> File | None:
        """Return `frame.jpg`, what the camera sees now, or `look-N.jpg`, what it captured N-th.

        Or `rig.svg`, a picture of the rig.
        """
        if name == "frame.jpg":
            return File(self._cameras.view(), JPEG)
        if name == "rig.svg" and (device := self._devices.device) is not None:
            drawing = get_rig(device.rig).picture
            return None if drawing is None else File(drawing, SVG)
        number = LOOK.fullmatch(name)
        picture = self._show.looks.picture(int(number[1])) if number else None
        return None if picture is None else File(picture, JPEG)

    @handler
    def pause(self) -> None:
        """Wait before the next primitive."""
        if self._show.turn((view.Phase.RUNNING,), view.Phase.PAUSING):
            self._jobs.pause()

    @handler
    def end_pause(self) -> None:
        """End a pause."""
        if self._show.turn((view.Phase.PAUSED, view.Phase.PAUSING), view.Phase.RUNNING):
            self._jobs.resume()

    def stop(self) -> None:
        """End what the robot does; its motors are off soon afterwards."""
        if self._jobs.stop():
            self._show.turn((*view.MOVING, view.Phase.PAUSED), view.Phase.STOPPING)

    def close(self) -> None:
        """Stop, wait until the motors are off, and release everything."""
        self.stop()
        self._jobs.wait(ENDING_S)
        self._release()

    def wait(self, seconds: float) -> bool:
        """Return whether the robot's job has ended within `seconds`."""
        return self._jobs.wait(seconds)

    def _connect(
        self, title: str, controls: JobControls, job: Callable[[], Job[Progress, Device]]
    ) -> None:
        def connected(device: Device) -> None:
            simulated = "simulated " * device.is_simulated
            self._show.say(f"a {simulated}robot answers at {device.address}")
            self._work.records.refresh(device.address, device.rig)
            rig = get_rig(device.rig)
            self._show.change(
                phase=view.Phase.READY,
                sentence="",
                rig=device.rig,
                address=device.address,
                motors=rig.motors,
                drives=rig.drives,
                speed=device.speed,
                is_simulated=device.is_simulated,
                has_camera=self._cameras.opened is not None,
                can_scan=self._devices.eye is not None,
            )

        def failed(error: PuzzlerigError) -> None:
            self._show.forget()
            if isinstance(error, StoppedError):
                self._show.say(CANCELLED)
            else:
                self._show.end(view.Phase.NONE, str(error))

        def run() -> Job[Progress, Device]:
            self._release()
            self._motors.forget()
            self._show.forget(view.Phase.CONNECTING, f"{title.capitalize()}.")
            return (yield from job())

        self._jobs.start(
            title, controls, run, on_event=self._show.see, on_report=connected, on_error=failed
        )

    def _pass_on(self, event: job_events.RobotEvent) -> None:
        if isinstance(event, job_events.CubeRead):
            self.on_reading(event)
        self.on_event(event)

    def _release(self) -> None:
        if said := self._devices.release():
            self._show.say(said)
