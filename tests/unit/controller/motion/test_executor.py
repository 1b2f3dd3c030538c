"""What a run tells while it is driven, and how it is paused, stopped and tried again."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from controller.controls import Controls
from controller.errors import CubeUncertainError, LinkLostError, MotorStalledError, StoppedError
from controller.job_events import DriveStarted, RobotEvent
from controller.motion.executor import (
    DriveReport,
    Executor,
    HomeFound,
    Paused,
    PrimitiveFinished,
    PrimitiveRetried,
    PrimitiveStarted,
)
from controller.motion.journal import Journal, read_journal
from controller.motion.mechanism import Battery, Settled, State
from controller.motion.plan_choice import ChosenPlan
from controller.motion.primitives import AfterView, Primitive, Spin, Tilt, TurnLayer
from controller.motion.run_record import RunHeader
from controller.opening import Robot
from controller.recovery.careful_run import CarefulRun, StageTimes
from controller.recovery.connection import Connection
from controller.recovery.escalation import NO_RECOVERY, RecoveryPolicy
from controller.robot_jobs import Task, find_interrupted_run, resume
from hardware_sims.clock import VirtualClock
from solvers.foundation.progress import Job, run_job
from solvers.rubik.cubies import SOLVED, CubieCube

PLAN: tuple[Primitive, ...] = (Spin(1), Tilt(), TurnLayer(-1))
SECONDS = 2.0
RETRY_PAUSE_S = 3.0


class Prices:
    """Two seconds for everything, and one more after a tilt; half a second to go home."""

    ending: float = 0.5

    def price(self, primitive: Primitive, before: Primitive | None) -> float:
        assert primitive in PLAN
        return SECONDS + isinstance(before, Tilt)


class Machine:
    """Takes two seconds for everything and stalls where it is told to."""

    def __init__(self, clock: Controls, stalls_at: Sequence[int] = ()) -> None:
        self.calls: list[str] = []
        self.views: list[AfterView] = []  # what comes after the next view, at each primitive
        self.knows_its_place = self.lets_itself_straighten = True
        self.done_by_itself = 0
        self.says_nothing = False
        self._clock = clock
        self._stalls_at = list(stalls_at)
        self._done = 0

    @property
    def state(self) -> State:
        return {"done": self._done}

    def battery(self) -> Battery | None:
        return None

    def set_home(self, *, in_doubt: bool = False) -> None:
        assert not in_doubt
        self.calls.append("home")

    def restore(self, state: State) -> bool:
        self._done = state["done"]
        return self.knows_its_place

    def settle(self, state: State, upcoming: Sequence[Primitive]) -> Settled:
        self._done = state["done"]
        assert tuple(upcoming) == PLAN[self._done :]
        self._clock.sleep(0.125)
        if self.says_nothing:
            raise LinkLostError("It is gone.")
        states = []
        for _ in range(self.done_by_itself):
            self._done += 1
            states.append(self.state)
        return Settled(tuple(states), is_within=bool(states))

    def perform(
        self,
        primitive: Primitive,
        *,
        before: Primitive | None = None,
        ahead: Sequence[Primitive] = (),
        then: AfterView = None,
        on_state: Callable[[State], object] = lambda _: None,
    ) -> None:
        index = PLAN.index(primitive)
        following = (*PLAN[index + 1 :], None)
        assert before == (PLAN[index - 1] if index else None)
        assert (*ahead, then) == following[: len(ahead) + 1]
        self.views.append(then)
        on_state(self.state)
        self._clock.sleep(SECONDS)
        if index in self._stalls_at:
            self._stalls_at.remove(index)
            raise MotorStalledError("It is stuck.")
        self._done += 1
        self.calls.append(str(primitive))

    def straighten(self, cut_off: Primitive | None, *, in_doubt: bool = False) -> bool:
        assert not in_doubt
        self.calls.append(f"straighten {cut_off}")
        return self.lets_itself_straighten

    def release(self, *, at_once: bool = False) -> None:
        self.calls.append("release at once" if at_once else "release")


class Run:
    """A run on a machine, its journal and its clock."""

    header = RunHeader(SOLVED, SOLVED, (), PLAN, "machine", "direct", "here", {})

    def __init__(
        self, path: Path, stalls_at: Sequence[int] = (), policy: RecoveryPolicy = NO_RECOVERY
    ) -> None:
        self.path = path
        self.controls = Controls(VirtualClock())
        self.machine = Machine(self.controls, stalls_at)
        self.events: list[RobotEvent] = []
        self.policy = policy

    @property
    def robot(self) -> Robot:
        return Robot(
            rig="machine",
            drive="direct",
            address="here",
            calibration={},
            costs=Prices(),
            retry_pause_s=RETRY_PAUSE_S,
            controls=self.controls,
            connect=lambda: nullcontext(self.machine),
        )

    def start(self, on_event: Callable[[RobotEvent], object] = lambda _: None) -> DriveReport:
        return self._follow(self.job(), on_event)

    def resume(self) -> DriveReport:
        run = find_interrupted_run(self.path)
        task = Task(policy=self.policy)
        return self._follow(resume(run, self.robot, None, task), lambda _: None)

    def job(self) -> Job[RobotEvent, Any]:
        with Connection(self.robot, self.policy) as connection, Journal(self.path) as journal:
            journal.start(self.header)
            times = StageTimes(VirtualClock())
            run = CarefulRun(self.robot, connection, journal, None, no_plan, self.policy, times)
            return (yield from run.carry_out())

    def _follow(
        self, job: Job[RobotEvent, Any], on_event: Callable[[RobotEvent], object]
    ) -> DriveReport:
        def note(event: RobotEvent) -> None:
            self.events.append(event)
            on_event(event)

        driven: DriveReport = run_job(job, note).driven
        return driven


def no_plan(_: CubieCube) -> Job[RobotEvent, ChosenPlan]:
    yield from ()
    raise AssertionError("nobody looks here")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.journal"


def test_every_primitive_is_told_with_its_times(path: Path) -> None:
    run = Run(path)
    report = run.start()
    assert run.machine.calls == ["home", "spin +90", "tilt", "turn -90", "release"]
    assert run.events == [
        HomeFound(after_restart=False),
        DriveStarted(len(PLAN), path),
        PrimitiveStarted(0, PLAN[0], 0.0, 7.5),
        PrimitiveFinished(0, PLAN[0], 2.0),
        PrimitiveStarted(1, PLAN[1], 2.0, 5.5),
        PrimitiveFinished(1, PLAN[1], 2.0),
        PrimitiveStarted(2, PLAN[2], 4.0, 3.5),
        PrimitiveFinished(2, PLAN[2], 2.0),
    ]
    assert report == DriveReport(finished=3, retries=0, measured_seconds=6.0)
    assert read_journal(path)[0].is_complete


def test_the_cube_is_viewed_between_primitives_that_know_of_it(path: Path) -> None:
    run = Run(path)
    machine = run.machine

    def view(index: int) -> Iterator[str]:
        machine.calls.append(f"view before {index}")
        run.controls.sleep(1.0)
        yield "seen"

    with Journal(path) as journal:
        journal.start(run.header)
        executor = Executor(machine, journal, run.controls, Prices(), RETRY_PAUSE_S)
        events = list(executor.play(PLAN, [2], view))
    assert machine.calls == ["spin +90", "tilt", "view before 2", "turn -90", "release"]
    assert machine.views == [PLAN[2], PLAN[2], None]
    assert events.count("seen") == 1
    finished = [event for event in events if isinstance(event, PrimitiveFinished)]
    assert [event.seconds for event in finished] == [2.0, 2.0, 2.0]


def test_a_stall_is_tried_once_more_after_a_pause(path: Path) -> None:
    run = Run(path, stalls_at=[1])
    report = run.start()
    retried = [event for event in run.events if isinstance(event, PrimitiveRetried)]
    assert retried == [PrimitiveRetried(1, Tilt(), "It is stuck.")]
    assert report.retries == 1
    assert report.measured_seconds == 4 * SECONDS + RETRY_PAUSE_S


def test_a_second_stall_ends_the_run_released(path: Path) -> None:
    run = Run(path, stalls_at=[1, 1])
    with pytest.raises(MotorStalledError):
        run.start()
    assert run.machine.calls[-1] == "release"
    record, _ = read_journal(path)
    assert (record.finished, record.is_under_way, record.state) == (1, True, {"done": 1})


def test_a_pause_releases_the_motors_and_goes_on_when_told(path: Path) -> None:
    run = Run(path)

    def on_event(event: RobotEvent) -> None:
        if isinstance(event, PrimitiveFinished) and event.index == 0:
            run.controls.pause()
        if isinstance(event, Paused):
            assert run.machine.calls[-1] == "release"
            run.controls.resume()

    run.start(on_event)
    assert [event for event in run.events if isinstance(event, Paused)] == [Paused(1)]
    assert run.machine.calls == ["home", "spin +90", "release", "tilt", "turn -90", "release"]


def test_a_stop_ends_the_primitive_and_resume_completes_it(path: Path) -> None:
    run = Run(path)

    def on_event(event: RobotEvent) -> None:
        if isinstance(event, PrimitiveStarted) and event.index == 1:
            run.controls.stop()

    with pytest.raises(StoppedError):
        run.start(on_event)
    assert run.machine.calls == ["home", "spin +90", "release at once"]
    report = run.resume()
    assert run.machine.calls[3:] == ["tilt", "turn -90", "release"]
    assert report == DriveReport(finished=2, retries=0, measured_seconds=4.0)


@pytest.mark.parametrize("times", [1, 2])
def test_what_was_done_until_a_stop_is_told_however_often_it_is_said(
    path: Path, times: int
) -> None:
    run, left = Run(path), times - 1
    run.machine.done_by_itself = 2

    def release(*, at_once: bool = False) -> None:  # noqa: ARG001
        nonlocal left
        if left:
            left -= 1
            run.controls.stop()

    run.machine.release = release  # type: ignore[method-assign]

    def stop(event: RobotEvent) -> None:
        if isinstance(event, PrimitiveStarted) and event.index == 0:
            run.controls.stop()

    with pytest.raises(StoppedError):
        run.start(stop)
    assert left == 0
    record, _ = read_journal(path)
    assert (record.finished, record.is_under_way, record.state) == (2, True, {"done": 2})


def test_what_a_lost_machine_did_until_a_stop_nobody_knows(path: Path) -> None:
    run = Run(path)
    run.machine.says_nothing = True

    def stop(event: RobotEvent) -> None:
        if isinstance(event, PrimitiveFinished) and event.index == 0:
            run.controls.stop()

    with pytest.raises(StoppedError):
        run.start(stop)
    record, _ = read_journal(path)
    assert (record.finished, record.is_under_way) == (1, True)


def test_closing_a_run_releases_the_motors(path: Path) -> None:
    run = Run(path)
    job = run.job()
    for event in job:
        if isinstance(event, PrimitiveStarted):
            break
    job.close()
    assert run.machine.calls == ["home", "release at once"]


def test_a_machine_that_lost_its_place_between_primitives_takes_a_new_home(path: Path) -> None:
    run = Run(path)

    def on_event(event: RobotEvent) -> None:
        if isinstance(event, PrimitiveFinished):
            run.controls.stop()

    with pytest.raises(StoppedError):
        run.start(on_event)
    run.machine.knows_its_place = False
    record, _ = read_journal(path)
    assert record.finished == 1
    assert not record.is_under_way
    run.machine.calls.clear()
    report = run.resume()
    assert run.machine.calls[0] == "home"
    assert report.after_restart
    assert read_journal(path)[0].is_complete


def test_a_machine_that_lost_its_place_within_one_asks_how_the_cube_lies(path: Path) -> None:
    run = Run(path, stalls_at=[2, 2])
    with pytest.raises(MotorStalledError):
        run.start()
    run.machine.knows_its_place = False
    with pytest.raises(CubeUncertainError, match=r"primitive 3 \(turn -90\).*--state FACELETS"):
        run.resume()
