"""Runs that are ended early: the page shows the cube as it lies, and the rest is driven once.

`python -m tests.benchmarks stopped_runs` does so hundreds of times.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.job_events import RobotEvent
from controller.motion import journal
from controller.motion.executor import Paused, PrimitiveFinished
from controller.motion.journal import Finished
from solvers.rubik.scramble import random_state
from tests.stops.endings import ENDINGS, stop_at
from tests.stops.stopped_run import Ending, StoppedRun, some_run
from tests.virtual_robot import VirtualRobot

COUNT = 8
JUST_BEFORE_S = 0.03

NewRun = Callable[..., StoppedRun]


@pytest.fixture
def new_run(tmp_path: Path) -> NewRun:
    """Return a maker of runs, always the same one of a drive."""

    def make(drive: str) -> StoppedRun:
        robot = VirtualRobot(random_state(31), tmp_path / "run.journal", drive=drive)
        return some_run(robot, 3, COUNT)

    return make


@pytest.mark.parametrize("drive", ["program", "direct"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_the_rest_is_driven_once(new_run: NewRun, ending: str, drive: str) -> None:
    run = new_run(drive)
    assert ENDINGS[ending](run, f"{ending} {drive}").is_stopped
    run.resume()


def test_what_the_brick_has_finished_before_its_host_knows_is_told(new_run: NewRun) -> None:
    seen_s, run = dict[int, float](), new_run("program")

    def note(event: RobotEvent) -> None:
        if isinstance(event, PrimitiveFinished):
            seen_s[event.index] = run.robot.clock.now()

    assert run.drive(note) == Ending(COUNT, "", is_stopped=False)
    run = new_run("program")
    with stop_at(run.robot, seen_s[3] - JUST_BEFORE_S):
        ending = run.drive()
    assert (ending.finished, ending.cut_off) == (4, str(run.primitives[4]))
    run.resume()


@pytest.mark.parametrize("drive", ["program", "direct"])
def test_ctrl_c_after_a_line_of_the_journal_tells_it_once(
    new_run: NewRun, monkeypatch: pytest.MonkeyPatch, drive: str
) -> None:
    """The line is written, and who wrote it does not know it yet."""
    original, finished = journal._after, 0

    def interrupt(record: Any, event: Any, where: str) -> Any:
        nonlocal finished
        finished += isinstance(event, Finished)
        if finished == 3:
            monkeypatch.undo()
            raise KeyboardInterrupt
        return original(record, event, where)

    run = new_run(drive)
    monkeypatch.setattr(journal, "_after", interrupt)
    assert run.drive().finished >= 3
    run.resume()


def test_a_pause_tells_first_what_was_finished_meanwhile(new_run: NewRun) -> None:
    """The brick ends by itself what it has begun; that is done before the pause, not after it."""
    run, paused = new_run("program"), list[Paused]()
    asked = 0

    def steer(event: RobotEvent) -> None:
        nonlocal asked
        if isinstance(event, PrimitiveFinished):
            asked = event.index + 1
            run.robot.controls.pause()
        if isinstance(event, Paused):
            assert event.index == asked
            paused.append(event)
            run.check_shown()
            run.robot.controls.resume()

    assert run.drive(steer) == Ending(COUNT, "", is_stopped=False)
    assert {event.is_within for event in paused} == {True, False}
    run.resume()
