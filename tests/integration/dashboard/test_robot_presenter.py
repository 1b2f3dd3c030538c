"""What the page shows of a run, in virtual time: the cube, the plan, faults and resumed runs."""

from collections.abc import Callable

import numpy as np
import pytest

from controller.dashboard.hub import LOG, Hub
from controller.dashboard.robot.presenter import (
    RigCubeView,
    RobotPresenter,
    result_of,
    stickers_in_rig,
)
from controller.dashboard.robot.view import Phase, RobotView
from controller.errors import StoppedError
from controller.job_events import DriveStarted, PlanChosen, RobotEvent
from controller.motion.executor import PrimitiveFinished, PrimitiveRetried, PrimitiveStarted
from controller.motion.primitives import Tilt
from controller.motion.run_record import RecoveryAction, RecoveryStarted
from controller.motion.virtual_cube import VirtualCube
from controller.robot_jobs import RobotJob, Task, find_interrupted_run, resume
from controller.vision.reading.result import colours_of
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.held_cube import read_stickers
from solvers.rubik.scramble import random_state
from tests.virtual_robot import VirtualRobot, turned

CUBE = random_state(31)


class Shown:
    """A run and its page."""

    def __init__(self, robot: VirtualRobot) -> None:
        self.hub = Hub()
        self.show = RobotPresenter(self.hub)
        self.robot = robot
        self.cubes: list[tuple[RobotEvent, RigCubeView]] = []
        self.plan: PlanChosen | None = None

    def run(self, on_event: Callable[[RobotEvent], object] = lambda _: None) -> None:
        job = RobotJob(
            self.robot.robot, Task(search_s=0.0, journal=self.robot.journal), self.robot.clock
        )
        self.show.start(self.robot.robot.costs)

        def see(event: RobotEvent) -> None:
            self.show.see(event)
            if isinstance(event, PlanChosen):
                self.plan = event
            self.cubes.append((event, self.hub.value("rig-cube")))
            on_event(event)

        run_job(job.solve_known(CUBE), see)

    @property
    def view(self) -> RobotView:
        view = self.hub.value("robot")
        assert isinstance(view, RobotView)
        return view

    @property
    def lines(self) -> list[dict[str, str]]:
        messages = self.hub.subscribe(lambda: None).take()
        return [line for message in messages if message.topic == LOG for line in message.value]


def test_the_page_shows_the_cube_after_every_primitive(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    shown = Shown(new_robot(CUBE))
    shown.run()
    assert shown.plan is not None
    primitives = shown.plan.chosen.plan.primitives
    cube, count = VirtualCube(CUBE), 0
    for event, view in shown.cubes:
        if isinstance(event, PrimitiveStarted):
            assert view.facelets == stickers_in_rig(cube)
            assert str(event.primitive).startswith(view.kind)
            assert view.seconds > 0
        if isinstance(event, PrimitiveFinished):
            cube = cube.after(event.primitive)
            assert view == RigCubeView(stickers_in_rig(cube))
            count += 1
    assert count == len(primitives) == len(shown.hub.value("plan"))
    assert shown.robot.rig.is_solved
    assert shown.view.finished == count
    assert [stage.state for stage in shown.view.stages] == ["left", "done", "now", "waiting"]
    assert shown.view.behind_s == pytest.approx(
        sum(e.seconds for e, _ in shown.cubes if isinstance(e, PrimitiveFinished))
        - sum(block.seconds for block in shown.hub.value("plan")),
        abs=0.1,
    )


def test_a_retry_and_a_remedy_are_told(new_robot: Callable[..., VirtualRobot]) -> None:
    shown = Shown(new_robot(CUBE))
    shown.show.start(shown.robot.robot.costs)
    shown.show.see(PrimitiveRetried(3, Tilt(), "Motor C stands still."))
    shown.show.see(RecoveryStarted(RecoveryAction.HOME, 3, "Motor C is blocked."))
    assert shown.view.retries == 1
    assert [(line["text"], line["kind"]) for line in shown.lines] == [
        ("4 again: Motor C stands still.", "warn"),
        ("Motor C is blocked. (home)", "warn"),
    ]


def test_a_run_that_is_taken_up_is_shown_where_it_stands(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    shown = Shown(new_robot(CUBE))

    class GoneError(Exception):
        pass

    def leave(event: RobotEvent) -> None:
        if isinstance(event, PrimitiveFinished) and event.index == 6:
            raise GoneError

    with pytest.raises(GoneError):
        shown.run(leave)
    assert shown.plan is not None
    later = RobotPresenter(hub := Hub())
    later.start(shown.robot.robot.costs)
    later.adopt(find_interrupted_run(shown.robot.journal).record)
    done = shown.plan.chosen.plan.primitives[:7]
    # The brick had started the next one by itself.
    lying = stickers_in_rig(VirtualCube(CUBE).after_all(done))
    assert hub.value("rig-cube") == RigCubeView(lying, is_known=False)
    assert hub.value("robot").finished == 7
    later.end(Phase.FAULT, "The motor is stuck.")
    assert (hub.value("robot").phase, hub.value("robot").sentence) == (
        Phase.FAULT,
        "The motor is stuck.",
    )


def test_a_journal_keeps_the_colours_of_a_cube_that_is_held_otherwise(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    robot = new_robot(turned(31, 6))
    robot.rig.cube = robot.rig.cube.tilted()
    given = read_stickers(robot.rig.cube.stickers)
    task = Task(search_s=0.0, journal=robot.journal, colours=given.centres)

    def stop(event: RobotEvent) -> None:
        if isinstance(event, DriveStarted):
            robot.controls.stop()

    with pytest.raises(StoppedError):
        run_job(RobotJob(robot.robot, task, robot.clock).solve_known(given.position), stop)
    later = RobotPresenter(hub := Hub())
    later.start(robot.robot.costs)
    later.adopt(find_interrupted_run(robot.journal).record)
    assert hub.value("rig-cube") == RigCubeView(robot.rig.cube.stickers)


def test_a_cube_that_is_solved_already_takes_no_moves(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    robot = new_robot(SOLVED)
    job = RobotJob(robot.robot, Task(search_s=0.0, journal=robot.journal), robot.clock)
    result = result_of(run_job(job.solve_known(SOLVED)), SOLVED)
    assert (result.word, result.moves, result.robot_s) == ("Already solved", 0, 0.0)


def test_a_resumed_run_reports_the_whole_run(new_robot: Callable[..., VirtualRobot]) -> None:
    robot = new_robot(turned(31, 6))
    job = RobotJob(robot.robot, Task(search_s=0.0, journal=robot.journal), robot.clock)
    events: list[RobotEvent] = []

    def stop(event: RobotEvent) -> None:
        events.append(event)
        if isinstance(event, PrimitiveFinished) and event.index == 2:
            robot.controls.stop()

    with pytest.raises(StoppedError):
        run_job(job.solve_known(turned(31, 6)), stop)
    run = find_interrupted_run(robot.journal)
    done_s = run.record.driven_s
    assert done_s >= sum(each.seconds for each in events if isinstance(each, PrimitiveFinished))
    report = run_job(resume(run, robot.robot))
    result = result_of(report, SOLVED)
    assert result.moves == len(run.record.header.moves)
    assert result.robot_s == pytest.approx(done_s + report.driven.measured_seconds, abs=0.1)
    assert robot.rig.is_solved


def test_the_twin_has_the_colours_that_the_camera_saw() -> None:
    # A cube with blue on top and red in front, in yellowish light.
    seen = np.array(
        [(20, 60, 150), (200, 190, 0), (170, 20, 30), (0, 130, 60), (230, 225, 180), (230, 100, 0)]
    )
    assert colours_of(seen.astype(float)) == "BDRFUL"
