"""A random session at a robot, after which the page's twin is compared with the simulator's cube.

The owner solves cubes that are scanned or given, rightly or wrongly, scans, stops, cuts the power
and resumes, here or in a new process.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final
from unittest.mock import patch

from controller import job_events
from controller.camera_observer import CameraObserver
from controller.controls import Controls
from controller.dashboard.hub import Hub
from controller.dashboard.robot.presenter import (
    RIG_CUBE,
    RobotPresenter,
    left_in,
    phase_after,
    result_of,
)
from controller.dashboard.robot.view import Phase
from controller.motion.mechanism import Mechanism
from controller.motion.run_record import RecoveryAction, RecoveryStarted
from controller.opening import own_sensor
from controller.robot_jobs import RobotJob, Task, find_interrupted_run, resume, scan_by_robot
from controller.vision.camera import CameraSettings
from controller.vision.reading.result import Verdict
from controller.vision.scans.sensor_scan import sensor_scan
from hardware_sims.nxt_brick.faults import NO_FAULTS, Faults, Restart
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job, run_job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.held_cube import read_stickers
from solvers.rubik.notation import Move
from tests.virtual_robot import VirtualRobot, turned

TURNS: Final = 4  # of a cube that is put in: short drives
LIGHT: Final = {
    "U": (0.9, 0.9, 0.9), "R": (0.5, 0.01, 0.02), "F": (0.0, 0.33, 0.09),
    "D": (0.9, 0.65, 0.0), "L": (0.9, 0.19, 0.01), "B": (0.01, 0.06, 0.5),
}  # fmt: skip


class Oracle(CameraObserver):
    """Reads the true stickers face by face, which costs no picture."""

    can_glance = False

    def __init__(self, robot: VirtualRobot) -> None:
        super().__init__(own_sensor, robot.robot)
        self._simulated = robot

    def find_camera(self) -> None:
        """Do nothing."""

    def scan(self, mechanism: Mechanism) -> Job[job_events.LookEvent, job_events.ScanReport]:
        """Let the robot show all faces."""

        def read_face() -> list[tuple[float, float, float]]:
            self._simulated.brick.advance()
            return [LIGHT[letter] for letter in self._simulated.rig.cube.stickers[:9]]

        outcome = yield from sensor_scan(read_face, mechanism.perform, self._robot.costs)
        self._last = outcome
        yield job_events.CubeRead(outcome.result, outcome.rgb)
        return job_events.ScanReport(outcome, "oracle", CameraSettings())


@dataclass
class Tally:
    """How often the twin was compared with the cube, and was known when a command had ended.

    `cut` counts the power cuts that a command has noticed.
    """

    compared: int = 0
    ended: int = 0
    known: int = 0
    stopped: int = 0
    cut: int = 0


class TwinSession:
    """One robot and its page. Every check is an assertion."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.tally = Tally()
        self._chance = Random(seed)
        self._folder = folder
        self._robot = VirtualRobot(turned(seed, TURNS), folder / "0.journal")
        self._journal: Path | None = None
        self._stops_in = 0
        self._is_true = False  # whether the page was given the cube that is in the rig
        self._is_claimed: bool | None = None  # what a command tells it
        self._open_page()

    def play(self, commands: int = 5) -> Tally:
        """Give a number of random commands."""
        choices: list[Callable[[], None]] = [
            self._solve_given, self._solve_given, self._solve_seen, self._scan,
        ]  # fmt: skip
        with self._oracle():
            for number in range(commands):
                self._journal_of(number)
                self._prepare()
                can_resume = self._journal is not None and left_in(self._journal) is not None
                self._chance.choice([*choices, *([self._resume] * 4 if can_resume else [])])()
                self._mend()
        return self.tally

    def _oracle(self) -> AbstractContextManager[object]:
        return patch("controller.robot_jobs.new_observer", lambda *_: Oracle(self._robot))

    def _open_page(self) -> None:
        self._hub = Hub()
        self._show = RobotPresenter(self._hub)

    def _journal_of(self, number: int) -> None:
        self._new_journal = self._folder / f"{number}.journal"

    def _prepare(self) -> None:
        """Draw what happens during the next command: a stop, a power cut, or nothing."""
        robot, chance = self._robot, self._chance
        self._is_claimed = None
        robot.controls = Controls(robot.clock)
        self._stops_in = chance.randint(1, 60) if chance.random() < 0.5 else 0
        robot.faults = NO_FAULTS
        if chance.random() < 0.3:
            cut = Restart(off_s=3.0, telegram=chance.randint(20, 300))
            robot.faults = Faults(restarts=(cut,))
        robot.put_on(robot.rig)

    def _mend(self) -> None:
        """Do what an owner does before the next command."""
        self._robot.brick.advance()
        self._robot.reboot(straightened=True)
        if self._chance.random() < 0.3:  # another cube is put in, of which nobody tells the page
            self._robot.put_in(turned(self._chance.randrange(1000), TURNS))
            self._is_true = False

    def _task(self, colours: str) -> Task:
        self._journal = self._new_journal
        return Task(search_s=0.0, journal=self._journal, colours=colours)

    def _solve_given(self) -> None:
        given = read_stickers(self._robot.rig.cube.stickers)
        is_right = self._chance.random() < 0.5
        position = given.position
        if not is_right:
            position = position.apply([self._chance.choice(list(Move))])
        self._is_claimed = is_right  # shown from the moment when it is planned
        camera = own_sensor if self._chance.random() < 0.7 or not is_right else None
        job = RobotJob(self._robot.robot, self._task(given.centres), self._robot.clock)
        self._show.start(self._robot.robot.costs, given.centres)
        self._run(job.solve_known(position, camera))

    def _solve_seen(self) -> None:
        job = RobotJob(self._robot.robot, self._task("URFDLB"), self._robot.clock)
        self._show.start(self._robot.robot.costs)
        self._run(job.solve_seen(own_sensor))

    def _scan(self) -> None:
        self._journal = None
        self._show.start(self._robot.robot.costs)
        self._run(scan_by_robot(self._robot.robot, own_sensor))

    def _resume(self) -> None:
        assert self._journal is not None
        if self._chance.random() < 0.5:
            self._open_page()
        run = find_interrupted_run(self._journal)
        self._show.start(self._robot.robot.costs)
        self._show.adopt(run.record)
        if run.record.has_plan and not run.record.is_under_way and not run.record.is_complete:
            assert self._hub.value(RIG_CUBE).is_known
        self._check()
        camera = own_sensor if self._chance.random() < 0.7 else None
        self._run(resume(run, self._robot.robot, camera, Task(search_s=0.0)))

    def _run(self, job: Job[job_events.RobotEvent, object]) -> None:
        try:
            report = run_job(job, self._see)
        except PuzzlerigError as error:
            phase = phase_after(error)
            self.tally.stopped += phase is Phase.STOPPED
            self._show.end(phase, str(error), left=left_in(self._journal))
        else:
            if isinstance(report, job_events.ScanReport):
                self._show.end(Phase.READY, "the cube is read")
                assert self._hub.value(RIG_CUBE).is_known
            else:
                assert isinstance(report, job_events.RobotReport | job_events.ResumeReport)
                self._show.finish(result_of(report, SOLVED))
                assert self._hub.value(RIG_CUBE).is_known or report.unseen
        self.tally.ended += 1
        self.tally.known += self._hub.value(RIG_CUBE).is_known
        self._check()

    def _see(self, event: job_events.RobotEvent) -> None:
        self._show.see(event)
        if isinstance(event, RecoveryStarted):
            self.tally.cut += event.action is RecoveryAction.RECONNECT
            if event.action is RecoveryAction.SCAN:
                assert not self._hub.value(RIG_CUBE).is_known
        if isinstance(event, job_events.CubeRead):
            assert event.result.verdict is Verdict.ACCEPTED
            assert self._hub.value(RIG_CUBE).is_known
            self._is_true, self._is_claimed = True, None
            self._check()
        elif isinstance(event, job_events.PlanChosen):
            assert self._hub.value(RIG_CUBE).is_known
            if self._is_claimed is not None:
                self._is_true, self._is_claimed = self._is_claimed, None
            self._check()
        self._stops_in -= 1
        if not self._stops_in:
            self._robot.controls.stop()

    def _check(self) -> None:
        """Compare what the page shows with the cube, wherever both claim to be the same."""
        self._robot.brick.advance()
        view = self._hub.value(RIG_CUBE)
        if view.is_known and self._is_true:
            assert view.facelets == self._robot.rig.cube.stickers
            self.tally.compared += 1
