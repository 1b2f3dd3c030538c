"""Runs that end in every way, and whether a motor is under power three seconds later."""

import threading
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Final, TypeAlias
from unittest.mock import patch

from controller.errors import RobotError
from controller.job_events import RobotEvent
from controller.motion.run_record import RunHeader
from controller.robot_jobs import scan_by_robot
from hardware_sims.nxt_brick.brick import LineCutError, SimulatedBrick
from solvers.foundation.clock import Clock
from solvers.foundation.progress import Job
from tests.camera_above import CameraAbove
from tests.virtual_robot import VirtualRobot

OFF_WITHIN_S: Final = 3.0
STEP_S: Final = 0.02
PAUSE_S: Final = 0.4

End: TypeAlias = Callable[[VirtualRobot], object]


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What the motors did in the three seconds after an end.

    `power_s` is when the last of them lost its power, `motion_s` when the last was seen to turn.
    """

    power_s: float
    motion_s: float
    is_off: bool


def vanish(robot: VirtualRobot, header: RunHeader, after_s: float) -> Aftermath:
    """Run until the line is cut for good, `after_s` seconds from now; watch for three seconds."""
    return end_at(robot, robot.running(header), after_s, lose_host)


def end_at(
    robot: VirtualRobot,
    job: Job[RobotEvent, object],
    after_s: float,
    end: End,
    *,
    paused: bool = False,
) -> Aftermath:
    """Run a job until `end` ends it, `after_s` seconds from now; then watch the motors.

    With `paused` nobody asks for the next event for a while before that.
    """
    end_s = robot.clock.now() + after_s
    has_ended = False
    ended_s = end_s

    def look() -> None:
        nonlocal has_ended, ended_s
        is_driver = threading.current_thread() is threading.main_thread()
        if is_driver and not has_ended and robot.clock.now() >= end_s:
            has_ended, ended_s = True, robot.clock.now()
            end(robot)

    is_vanished = end is lose_host
    with patch.object(robot.brick, "handle", robot.brick.handle):
        robot.clock.before_sleep.insert(0, look)
        with suppress(RobotError, KeyboardInterrupt), closing(job):
            for _ in job:
                if paused and robot.clock.now() >= end_s - PAUSE_S:
                    robot.clock.sleep(PAUSE_S + STEP_S)
                    robot.clock.sleep(STEP_S)
        robot.clock.before_sleep.remove(look)
    return aftermath(robot.brick, robot.clock, ended_s if is_vanished else robot.clock.now())


def lose_host(robot: VirtualRobot) -> None:
    """Let no telegram reach the brick any more: a killed process or a pulled cable."""

    def refuse(*_: object) -> bytes | None:
        raise LineCutError("the host is gone")

    robot.brick.handle = refuse  # type: ignore[method-assign, assignment]


def lose_line(robot: VirtualRobot) -> None:
    """Cut the line once; the brick can be reached again."""
    handle = robot.brick.handle

    def cut(*_: object) -> bytes | None:
        robot.brick.handle = handle  # type: ignore[method-assign]
        raise LineCutError("the line was cut")

    robot.brick.handle = cut  # type: ignore[method-assign, assignment]


def stop(robot: VirtualRobot) -> None:
    """Stop the job as its owner does."""
    robot.controls.stop()


def interrupt(_: VirtualRobot) -> None:
    """Raise what Ctrl-C, SIGTERM and SIGHUP raise."""
    raise KeyboardInterrupt


def scanning(robot: VirtualRobot, seed: int) -> Job[RobotEvent, object]:
    """Return a scan of the cube by a simulated camera."""
    camera = CameraAbove(robot, level=1, seed=seed)
    job: Job[RobotEvent, object] = scan_by_robot(robot.robot, lambda: closing(camera))
    return job


def aftermath(brick: SimulatedBrick, clock: Clock, ended_s: float) -> Aftermath:
    """Watch the motors until three seconds after an end that has just been."""
    power_s = motion_s = 0.0
    before = brick.machine.outputs.motors["shaft_deg"].copy()
    while True:
        brick.advance()
        motors = brick.machine.outputs.motors
        is_on = bool(motors["actual_speed"].any() or motors["regulation"].any())
        angles = motors["shaft_deg"].copy()
        now_s = clock.now() - ended_s
        if is_on:
            power_s = now_s
        if abs(angles - before).max() > 0.1:
            motion_s = now_s
        before = angles
        if now_s >= OFF_WITHIN_S:
            return Aftermath(power_s, motion_s, not is_on)
        clock.sleep(STEP_S)
