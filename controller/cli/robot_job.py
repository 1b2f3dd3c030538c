"""The whole job behind `run`, `resume --state` and `demo`: scan, search, drive, look again."""

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.cli.drive_view import DriveSummary, connected, new_journal_path, show_run
from controller.errors import CubeUncertainError
from controller.motion.planner import Planner
from solvers.foundation.command_line.app import stderr

if TYPE_CHECKING:
    from controller.calibration.calibration import Calibration
    from controller.drivers.mechanism import Mechanism
    from controller.motion.plan_choice import ChosenPlan
    from controller.vision.scan_result import ScanResult
    from solvers.foundation.clock import Clock
    from solvers.rubik.cubies import CubieCube


@dataclass(slots=True)
class RobotJob:
    """What to do with which robot, and how long its stages took, in seconds."""

    brick: str
    target: "CubieCube"
    rig: "Calibration"
    clock: "Clock"
    planner: Planner = Planner.OPTIMAL
    search_s: float = 1.0
    motor_control: bool = False
    journal_path: Path = field(default_factory=new_journal_path)
    stages: dict[str, float] = field(default_factory=dict)

    def solve_known(self, start: "CubieCube") -> dict[str, Any]:
        """Solve a cube whose position is known; return what the commands report as JSON."""
        chosen = self._choose(start)
        with self._connected() as mechanism:
            return self._drive(start, chosen, mechanism, at_home=True)

    def solve_seen(self, camera: str) -> dict[str, Any]:
        """Scan the cube, solve it, and look at it once more.

        The camera is closed in between: its pictures would only take time from the motors.
        Raises CubeUncertainError if the reading is doubtful.
        """
        from controller.vision.verification import shows
        from solvers.rubik.facelets import parse_facelets

        with self._connected() as mechanism:
            mechanism.set_home()
            try:
                with self._stage("scan"):
                    before = self._scan(camera, mechanism)
                start = parse_facelets(_accepted(before))
                chosen = self._choose(start)
                result = self._drive(start, chosen, mechanism, at_home=False)
                with self._stage("verify"):
                    after = self._scan(camera, mechanism)
            finally:
                mechanism.release()
        return {
            **result,
            "scan": before.as_json(),
            "seen": {**after.as_json(), "target_reached": shows(after, self.target)},
            **self._times(),
        }

    def _choose(self, start: "CubieCube") -> "ChosenPlan":
        from controller.motion.plan_choice import choose_plan
        from solvers.foundation.command_line.progress_view import show_progress
        from solvers.rubik.two_phase.solver import prepare, warm_up

        with self._stage("search"):
            show_progress(warm_up(), "Preparing the search, once (10 s)")
            # Once per machine, and worth it: the robot then drives about a second less each time.
            show_progress(prepare(), "Building tables once (8 s)")
            with stderr.status(f"searching for the fastest plan ({self.search_s:g} s)"):
                return choose_plan(
                    start,
                    self.target,
                    self.rig.costs,
                    self.planner,
                    self.search_s,
                    clock=time.process_time,
                )

    def _connected(self) -> "AbstractContextManager[Mechanism]":
        return connected(self.brick, self.motor_control, self.rig, self.clock)

    def _scan(self, camera: str, mechanism: "Mechanism") -> "ScanResult":
        from controller.cli.scan_view import opened_camera, scan_by_robot

        with opened_camera(camera) as source:
            return scan_by_robot(source, mechanism, self.rig.costs).result

    def _drive(
        self, start: "CubieCube", chosen: "ChosenPlan", mechanism: "Mechanism", *, at_home: bool
    ) -> dict[str, Any]:
        from controller.motion.executor import Executor
        from controller.motion.journal import Journal
        from controller.session import run_header, start_run

        header = run_header(start, self.target, chosen, self.brick, self.motor_control)
        pause_s = self.rig.patience.retry_pause_s
        with self._stage("drive"), Journal(self.journal_path) as journal:
            executor = Executor(mechanism, journal, self.clock, self.rig.costs, pause_s)
            events = start_run(header, executor, at_home=at_home)
            summary = show_run(events, len(header.primitives), self.journal_path)
        return self._report(chosen, header.primitives, summary)

    def _report(
        self, chosen: "ChosenPlan", primitives: tuple[str, ...], summary: DriveSummary
    ) -> dict[str, Any]:
        from solvers.rubik.notation import format_moves

        return {
            "moves": format_moves(chosen.plan.moves),
            "htm": len(chosen.plan.moves),
            "fewest_moves_found": chosen.fewest_moves,
            "solutions_compared": chosen.candidates,
            "planner": self.planner.value,
            "primitives": list(primitives),
            "robot_seconds": round(chosen.plan.robot_seconds, 3),
            "measured_seconds": round(summary.measured_seconds, 3),
            "retries": summary.retries,
            "journal": str(self.journal_path),
            **self._times(),
        }

    def _times(self) -> dict[str, Any]:
        return {
            "wall_seconds": round(sum(self.stages.values()), 3),
            "stages": {name: round(seconds, 3) for name, seconds in self.stages.items()},
        }

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self.stages[name] = time.monotonic() - began


def _accepted(result: "ScanResult") -> str:
    from controller.vision.scan_result import Verdict

    if result.verdict is Verdict.ACCEPTED:
        return result.facelets
    raise CubeUncertainError(
        f"The cube was read with doubts ({result.verdict}). {' '.join(result.reasons)} "
        f"If you can see that it is right, run with --state {result.facelets}."
    )
