"""A run that is ended early in some way, what the page shows then, and whether all comes right.

Judged by the simulator's cube and by the journal's lines, not by what is told.
"""

import json
import random
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from typing import Final

from controller.dashboard.hub import Hub
from controller.dashboard.robot.presenter import (
    RigCubeView,
    RobotPresenter,
    left_in,
    phase_after,
    stickers_in_rig,
)
from controller.dashboard.robot.view import Phase
from controller.errors import StoppedError
from controller.job_events import RobotEvent
from controller.motion.journal import read_journal
from controller.motion.planner import Plan
from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.motion.run_record import RunHeader, RunRecord
from controller.motion.virtual_cube import VirtualCube
from solvers.foundation.progress import run_job
from tests.virtual_robot import VirtualRobot

PRIMITIVES: Final[tuple[Primitive, ...]] = (
    Tilt(),
    Tilt(),
    *(kind(quarters) for kind in (Spin, TurnLayer) for quarters in (-2, -1, 1, 2)),
)


@dataclass(frozen=True, slots=True)
class Ending:
    """How many primitives were done when a run ended, and in which one it was cut off, if any."""

    finished: int
    cut_off: str
    is_stopped: bool


class StoppedRun:
    """A run of `header` on a virtual robot, and the page that shows it."""

    def __init__(self, robot: VirtualRobot, header: RunHeader) -> None:
        self.robot = robot
        self.primitives = header.primitives
        self._header = header
        self.hub = Hub()
        self._show = RobotPresenter(self.hub)
        self._show.start(robot.robot.costs)

    def drive(
        self,
        on_event: Callable[[RobotEvent], object] = lambda _: None,
        meanwhile: AbstractContextManager[object] = nullcontext(),  # noqa: B008 - it has no state
    ) -> Ending:
        """Drive until somebody ends it, by Stop or Ctrl-C; check what is shown then."""
        self._show.adopt(RunRecord(self._header))

        def see(event: RobotEvent) -> None:
            self._show.see(event)
            on_event(event)

        error: BaseException | None = None
        try:
            with meanwhile:
                run_job(self.robot.running(self._header), see)
        except (StoppedError, KeyboardInterrupt) as stop:
            error = stop
        left = left_in(self.robot.journal)
        phase = phase_after(error) if isinstance(error, StoppedError) else Phase.STOPPED
        self._show.end(phase, left=left)
        self.check_shown()
        view = self._show.view
        return Ending(view.finished, view.cut_off, error is not None)

    def check_shown(self) -> None:
        """The twin shows the cube as it lies, or the page says that it is in a motion's midst."""
        assert self.robot.motors_are_idle
        view, cube = self._show.view, self.robot.rig.cube
        done = self._after(view.finished)
        shown = RigCubeView(stickers_in_rig(done), is_known=not view.cut_off)
        assert self.hub.value("rig-cube") == shown
        if not view.cut_off:
            assert (cube.cube, cube.orientation) == (done.position, done.orientation)

    def resume(self) -> None:
        """Drive the rest; no primitive is told twice or lost, and the goal is reached."""
        with suppress(StoppedError):  # said after the end, to controls that nobody else takes over
            self.robot.controls.check()
        if not read_journal(self.robot.journal)[0].is_complete:
            self.robot.resume()
        self.robot.controls.resume()
        cube, goal = self.robot.rig.cube, self._after(len(self.primitives))
        assert (cube.cube, cube.orientation) == (goal.position, goal.orientation)
        assert self.robot.rig.jams == []
        lines = self.robot.journal.read_text().splitlines()
        events = [json.loads(line.partition(" ")[2]) for line in lines[1:]]
        told = [each["primitive"] for each in events if each["event"] == "finished"]
        assert told == list(range(len(self.primitives)))

    def _after(self, done: int) -> VirtualCube:
        assert self._header.start is not None
        return VirtualCube(self._header.start).after_all(self.primitives[:done])


def some_primitives(seed: int, count: int = 20) -> tuple[Primitive, ...]:
    """Return primitives like those of a plan: two spins or two turns never meet, a turn ends it."""
    generator = random.Random(seed)
    result: list[Primitive] = [TurnLayer(generator.choice((-1, 1, 2)))]
    while len(result) < count:
        earlier = generator.choice(PRIMITIVES)
        if isinstance(earlier, Tilt) or type(earlier) is not type(result[0]):
            result.insert(0, earlier)
    return tuple(result)


def some_run(robot: VirtualRobot, seed: int, count: int) -> StoppedRun:
    """Return a run of such primitives for the cube as it lies in the robot."""
    plan = Plan((), some_primitives(seed, count), 0.0)
    return StoppedRun(robot, robot.header_of(plan))
