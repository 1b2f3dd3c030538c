"""One cube with its troubles, and what became of it: by the true cube, not by what is told."""

import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from hardware_sims.clock import VirtualClock
from solvers.rubik.scramble import random_state
from tests.camera_above import CameraAbove
from tests.soak.owner import Owner, Report
from tests.soak.troubles import Troubles, draw
from tests.virtual_robot import VirtualRobot

MOST_ROBOT_S: Final = 3600.0
"""A cube takes one minute; a job that has not ended after an hour hangs."""
REPLY_TIMEOUT_S: Final = 3.0
"""Seconds of the computer, not of the robot: what a lost reply costs here."""
IN_A_ROW: Final = 10


class Verdict(StrEnum):
    """What became of a cube."""

    SOLVED = "solved and seen, by itself"
    ADVISED = "stopped with a sentence, solved by following it"
    STOPPED = "stopped, and its sentences led nowhere"
    FALSE = "falsely called solved"
    TRACEBACK = "traceback"
    HANG = "hang"
    DRIVEN = "driven, not verified"


@dataclass(frozen=True, slots=True)
class Outcome:
    """`told` are the sentences in their order; `traceback` is there for that verdict only."""

    seed: int
    troubles: tuple[str, ...]
    verdict: Verdict
    is_solved: bool
    motors_left_on: bool
    told: tuple[str, ...]
    robot_s: float
    traceback: str = ""

    @property
    def is_scandal(self) -> bool:
        """Whether this must never happen."""
        scandals = (Verdict.FALSE, Verdict.TRACEBACK, Verdict.HANG)
        return self.verdict in scandals or self.motors_left_on


class HangError(BaseException):
    """A job that goes on for ever; nothing in the robot may catch it."""


@contextmanager
def no_longer_than(clock: VirtualClock, robot_s: float) -> Iterator[None]:
    """Raise HangError in this thread when so much simulated time has passed."""
    thread, end_s = threading.current_thread(), clock.now() + robot_s

    def check() -> None:
        if threading.current_thread() is thread and clock.now() > end_s:
            raise HangError

    clock.before_sleep.append(check)
    try:
        yield
    finally:
        clock.before_sleep.remove(check)


def judged(
    seed: int, folder: Path, *, with_camera: bool = True, troubles: Troubles | None = None
) -> Outcome:
    """Give a robot cube number `seed` and its troubles to solve, and judge."""
    wrong = troubles or draw(seed)
    robot = VirtualRobot(
        random_state(seed),
        folder / f"{seed}.journal",
        faults=wrong.brick,
        rig_faults=wrong.rig,
        reply_timeout_s=REPLY_TIMEOUT_S,
    )
    camera = CameraAbove(robot, 1 + seed % 2, seed, wrong.camera) if with_camera else None
    return judge(seed, wrong.names, robot, camera)


def judged_in_a_row(seed: int, folder: Path, cubes: int = IN_A_ROW) -> list[Outcome]:
    """Give several cubes, from number `seed` on, to one robot whose brick stays on."""
    wrong = draw(seed, cubes)
    robot = VirtualRobot(
        random_state(seed),
        folder / f"{seed}.journal",
        faults=wrong.brick,
        rig_faults=wrong.rig,
        reply_timeout_s=REPLY_TIMEOUT_S,
    )
    camera = CameraAbove(robot, 1 + seed % 2, seed, wrong.camera)
    outcomes: list[Outcome] = []
    for each in range(seed, seed + cubes):
        if outcomes and outcomes[-1].verdict is not Verdict.SOLVED:
            robot.rig.straighten()  # who puts a cube in sees to that
        robot.put_in(random_state(each))
        outcomes.append(judge(each, wrong.names, robot, camera))
    return outcomes


def judge(
    seed: int, names: tuple[str, ...], robot: VirtualRobot, camera: CameraAbove | None
) -> Outcome:
    """Let the owner of a robot solve its cube, and judge what comes of it."""
    owner = Owner(robot, camera)
    began_s = robot.clock.now()
    trace = ""
    try:
        with no_longer_than(robot.clock, MOST_ROBOT_S):
            verdict = verdict_on(owner.solve(), owner, robot)
    except HangError:
        verdict = Verdict.HANG
    except Exception:
        verdict, trace = Verdict.TRACEBACK, traceback.format_exc()
    took_s = robot.clock.now() - began_s
    return Outcome(
        seed=seed,
        troubles=names,
        verdict=verdict,
        is_solved=robot.rig.is_solved,
        motors_left_on=bool(owner.left_on),
        told=tuple(owner.told),
        robot_s=took_s,
        traceback=trace,
    )


def verdict_on(report: Report | None, owner: Owner, robot: VirtualRobot) -> Verdict:
    """Compare what was told with the cube."""
    if report is None:
        return Verdict.STOPPED
    if report.seen is None:
        return Verdict.DRIVEN
    if not robot.rig.is_solved:
        return Verdict.FALSE
    return Verdict.SOLVED if owner.commands == 1 else Verdict.ADVISED


def main() -> None:
    """Judge the cubes whose numbers are given: python -m tests.soak.judge SEED ... [--blind]."""
    import sys
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        for text in sys.argv[1:]:
            if text.isdecimal():
                began_s = time.process_time()
                outcome = judged(int(text), Path(folder), with_camera="--blind" not in sys.argv)
                print(draw(int(text)))
                print(outcome, f"{time.process_time() - began_s:.1f} s CPU")
                print(outcome.traceback)


if __name__ == "__main__":
    main()
