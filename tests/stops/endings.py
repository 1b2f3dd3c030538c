"""Ways to end a run early: Stop at moments and events, Ctrl-C in lines of the sources."""

import linecache
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

import controller
from controller.job_events import DriveStarted, RobotEvent
from controller.motion.executor import PrimitiveFinished, PrimitiveStarted
from tests.stops.stopped_run import Ending, StoppedRun
from tests.virtual_robot import VirtualRobot

SOURCES: Final = str(Path(controller.__file__).parent)
MANY_LINES: Final = ("direct_player.py",)
DASHBOARD: Final = "/dashboard/"
"""On its threads there is no Ctrl-C."""
LOCK: Final = "with self._lock"
"""Where a lock is taken or given back Python interrupts nobody, but a trace function can."""

HOME_S: Final = 4.5
"""So long the rig takes to find its home, about."""
PRIMITIVE_S: Final = 0.8
"""So long a primitive takes at least, on average."""
LINES: Final = {"program": 1800, "direct": 3400}
"""So many lines a primitive takes at least."""
MOST_BETWEEN: Final = 400
"""So many lines a clean-up takes, about."""


@contextmanager
def stop_at(robot: VirtualRobot, *moments_s: float) -> Iterator[None]:
    """Say stop at moments of the robot's clock, counted from now."""
    began_s, waiting = robot.clock.now(), sorted(moments_s)

    def look() -> None:
        while waiting and robot.clock.now() - began_s >= waiting[0]:
            waiting.pop(0)
            robot.controls.stop()

    robot.clock.before_sleep.insert(0, look)
    try:
        yield
    finally:
        robot.clock.before_sleep.remove(look)


class Interrupter:
    """Raises KeyboardInterrupt before some lines of the controller's sources, by their count.

    Nothing is counted until `begin`, nor in the many lines that follow motors, unless `also_there`.
    """

    def __init__(self, *lines: int, also_there: bool = False) -> None:
        self.count = 0
        self._left_out = () if also_there else MANY_LINES
        self.raised: list[str] = []
        self._lines = sorted(lines)
        self._has_begun = False

    def begin(self) -> None:
        """Count from now on."""
        self._has_begun = True

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch this thread; what runs already is not watched."""
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(before)

    def _enter(self, frame: FrameType, event: str, _: object) -> Any:
        name = frame.f_code.co_filename
        if not name.startswith(SOURCES) or DASHBOARD in name or name.endswith(self._left_out):
            return None
        return self._line if event == "call" else None

    def _line(self, frame: FrameType, event: str, _: object) -> Any:
        source = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
        if event != "line" or not self._has_begun or LOCK in source:
            return self._line
        self.count += 1
        if self._lines and self.count >= self._lines[0]:
            self._lines.pop(0)
            name = Path(frame.f_code.co_filename).name
            self.raised.append(f"{name}:{frame.f_lineno} {frame.f_code.co_name}")
            raise KeyboardInterrupt
        return self._line


def _lasts_s(run: StoppedRun) -> float:
    """Return some time before the run ends, counted from its beginning."""
    return HOME_S + PRIMITIVE_S * (len(run.primitives) - 1)


def _lines(run: StoppedRun) -> int:
    """Return some lines before the run ends, counted from the first primitive."""
    return LINES[run.robot.drive] * (len(run.primitives) - 1)


def _at_a_moment(run: StoppedRun, seed: str) -> Ending:
    with stop_at(run.robot, random.Random(seed).uniform(HOME_S, _lasts_s(run))):
        return run.drive()


def _again_and_again(run: StoppedRun, seed: str) -> Ending:
    moments = random.Random(seed)
    first_s = moments.uniform(HOME_S, _lasts_s(run))
    with stop_at(run.robot, first_s, *(first_s + moments.uniform(0, 0.5) for _ in range(3))):
        return run.drive()


def _at_an_event(run: StoppedRun, seed: str) -> Ending:
    left = random.Random(seed).randrange(2 * len(run.primitives))

    def count(event: RobotEvent) -> None:
        nonlocal left
        if isinstance(event, PrimitiveStarted | PrimitiveFinished):
            left -= 1
            if left < 0:
                run.robot.controls.stop()

    return run.drive(count)


def _in_a_line(run: StoppedRun, seed: str) -> Ending:
    lines = random.Random(seed)
    return _interrupted(run, Interrupter(lines.randrange(_lines(run))))


def _in_two_lines(run: StoppedRun, seed: str) -> Ending:
    lines = random.Random(seed)
    first = lines.randrange(_lines(run))
    return _interrupted(run, Interrupter(first, first + lines.randrange(MOST_BETWEEN)))


def _interrupted(run: StoppedRun, interrupter: Interrupter) -> Ending:
    def begin(event: RobotEvent) -> None:
        if isinstance(event, DriveStarted):
            interrupter.begin()

    return run.drive(begin, interrupter.watching())


ENDINGS: Final[dict[str, Callable[[StoppedRun, str], Ending]]] = {
    "stop at a moment": _at_a_moment,
    "stop again and again": _again_and_again,
    "stop at an event": _at_an_event,
    "Ctrl-C in a line": _in_a_line,
    "Ctrl-C in two lines": _in_two_lines,
}
"""Ways to end a run early, by a word that chooses the moment."""
