"""Recovery between two attempts; the robot is a script of faults."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from controller.controls import Controls
from controller.errors import (
    BrickNotFoundError,
    CubeUncertainError,
    LinkLostError,
    MotorStalledError,
    RobotError,
)
from controller.job_events import RobotEvent
from controller.motion.mechanism import Battery, Settled, State
from controller.motion.primitives import AfterView, Primitive, Tilt
from controller.motion.run_record import Recovered, RecoveryAction, RecoveryStarted
from controller.opening import Robot
from controller.recovery.connection import Connection
from controller.recovery.escalation import EscalationPolicy, RecoveryPolicy
from controller.recovery.runner import RecoveryRunner
from controller.rigs.nxt_cradle.calibration.values import FILES
from hardware_sims.clock import VirtualClock
from solvers.foundation.progress import Job, run_job

POLICY = RecoveryPolicy()


class Machine:
    """Raises the faults it is given, one a tilt, and notes what it is told."""

    def __init__(self, *faults: RobotError, refuses: int = 0) -> None:
        self.faults = list(faults)
        self.home_faults: list[RobotError | None] = []  # of each search for home
        self.refuses = refuses  # this number of connections after the first
        self.refusal_s = 0.0
        self.charge: Battery | RobotError | None = None
        self.calls: list[str] = []
        self.doubts: list[bool] = []  # of each search for home
        self.knows_its_positions = self.is_as_before = True
        self.controls = Controls(VirtualClock())

    @property
    def state(self) -> State:
        return {"calls": len(self.calls)}

    def battery(self) -> Battery | None:
        if isinstance(self.charge, RobotError):
            raise self.charge
        return self.charge

    def set_home(self, *, in_doubt: bool = False) -> None:
        self.calls.append("home")
        self.doubts.append(in_doubt)
        fault = self.home_faults.pop(0) if self.home_faults else None
        if fault:
            raise fault

    def restore(self, state: State) -> bool:
        assert "calls" in state
        self.calls.append("restore")
        return self.knows_its_positions

    def settle(self, state: State, upcoming: Sequence[Primitive]) -> Settled:
        raise AssertionError(f"nobody settles here: {state}, {upcoming}")

    def perform(
        self,
        primitive: Primitive,
        *,
        before: Primitive | None = None,
        ahead: Sequence[Primitive] = (),
        then: AfterView = None,
        on_state: Callable[[State], object] = lambda _: None,
    ) -> None:
        assert (before, ahead, then) == (None, (), None)
        on_state(self.state)
        self.calls.append(str(primitive))
        if self.faults:
            raise self.faults.pop(0)

    def straighten(self, cut_off: Primitive | None, *, in_doubt: bool = False) -> bool:
        self.calls.append(f"straighten {cut_off}")
        self.doubts.append(in_doubt)
        return self.is_as_before

    def release(self, *, at_once: bool = False) -> None:
        self.calls.append("release at once" if at_once else "release")

    @contextmanager
    def connected(self) -> Iterator["Machine"]:
        if self.calls and self.refuses:
            self.refuses -= 1
            self.controls.sleep(self.refusal_s)
            raise BrickNotFoundError("Nobody is there.")
        self.calls.append("connect")
        yield self

    @property
    def robot(self) -> Robot:
        return Robot(
            rig="machine",
            drive="direct",
            address="here",
            calibration={},
            costs=FILES.default.seconds,
            retry_pause_s=1.0,
            controls=self.controls,
            connect=self.connected,
        )


class Attempt:
    """An attempt of one tilt under recovery; `in_drive` if the tilt belongs to a plan."""

    def __init__(self, machine: Machine, *, in_drive: bool, can_look: bool = True) -> None:
        self.events: list[RobotEvent] = []
        self.lost = 0
        self._machine = machine
        self._in_drive = in_drive
        self._can_look = can_look

    def run(self) -> None:
        with Connection(self._machine.robot, POLICY) as connection:

            def attempt() -> Job[RobotEvent, None]:
                if connection.known is None:
                    connection.set_home()
                connection.perform(Tilt())
                yield from ()

            runner = RecoveryRunner(
                connection,
                self._machine.controls,
                EscalationPolicy(POLICY, can_look=self._can_look),
                in_drive=lambda: self._in_drive and not self.lost,
                place=lambda: 4 if self._in_drive else None,
                on_lost=self._lose,
            )
            run_job(runner.run(attempt, lambda _: "Do this."), self.events.append)

    def _lose(self) -> None:
        self.lost += 1

    @property
    def actions(self) -> list[RecoveryAction]:
        return [e.recovery.action for e in self.events if isinstance(e, Recovered)]


def test_a_stall_is_released_straightened_and_the_attempt_repeated() -> None:
    machine = Machine(MotorStalledError("It is stuck."))
    job = Attempt(machine, in_drive=True)
    job.run()
    assert machine.calls == [
        "connect", "home", "tilt", "release", "straighten tilt", "tilt", "release"
    ]  # fmt: skip
    began, done = job.events
    assert began == RecoveryStarted(RecoveryAction.HOME, 4, "It is stuck.")
    assert isinstance(done, Recovered)
    assert done.recovery.seconds == POLICY.home_pauses_s[0]
    assert job.lost == 0


def test_a_stall_after_finding_home_leaves_the_cube_to_be_looked_at() -> None:
    machine = Machine(MotorStalledError("It is stuck."), MotorStalledError("It is stuck."))
    job = Attempt(machine, in_drive=True)
    job.run()
    assert job.actions == [RecoveryAction.HOME, RecoveryAction.HOME]
    assert job.lost == 1
    stalls = [MotorStalledError("It is stuck.")] * (POLICY.max_faults + 1)
    blind = Attempt(Machine(*stalls), in_drive=True, can_look=False)
    with pytest.raises(MotorStalledError, match=r"^It is stuck\. 6 recovery actions .* Do this\.$"):
        blind.run()
    assert blind.lost == 0


def test_a_primitive_that_may_have_happened_leaves_the_cube_uncertain_in_a_drive_only() -> None:
    for in_drive in (True, False):
        machine = Machine(MotorStalledError("It is stuck."))
        machine.is_as_before = False
        job = Attempt(machine, in_drive=in_drive)
        job.run()
        assert job.lost == in_drive
    machine = Machine(MotorStalledError("It is stuck."))
    machine.is_as_before = False
    with pytest.raises(CubeUncertainError, match=r"done of primitive 5 \(tilt\)"):
        Attempt(machine, in_drive=True, can_look=False).run()


def test_a_motion_that_the_link_cut_off_is_completed_in_a_drive_and_given_up_elsewhere() -> None:
    for in_drive in (True, False):
        machine = Machine(LinkLostError("It is gone."))
        job = Attempt(machine, in_drive=in_drive)
        job.run()
        given_up = [] if in_drive else ["straighten tilt"]
        assert machine.calls == [
            "connect", "home", "tilt", "release", "connect", "restore", *given_up, "tilt", "release"
        ]  # fmt: skip


def test_a_machine_that_was_restarted_finds_home_and_loses_the_cube_of_a_drive() -> None:
    for in_drive in (True, False):
        machine = Machine(LinkLostError("It is gone."))
        machine.knows_its_positions = False
        job = Attempt(machine, in_drive=in_drive)
        job.run()
        assert machine.calls.count("home") == 2
        assert bool(job.lost) == in_drive


def test_a_machine_that_forgot_where_it_stands_undoes_nothing() -> None:
    machine = Machine(LinkLostError("It is gone."))
    machine.knows_its_positions = False
    machine.home_faults = [None, MotorStalledError("The arm cannot close.")]
    job = Attempt(machine, in_drive=False)
    job.run()
    assert machine.calls.count("home") == 3
    assert "straighten None" not in machine.calls


def test_how_a_layer_stands_is_in_doubt_after_a_second_stall_and_across_links() -> None:
    machine = Machine(*[MotorStalledError("It is stuck.")] * 3)
    Attempt(machine, in_drive=True).run()
    assert machine.doubts == [False, False, True, True]
    machine = Machine(LinkLostError("It is gone."))
    machine.knows_its_positions = False
    machine.home_faults = [None, LinkLostError("It is gone.")]
    Attempt(machine, in_drive=True).run()
    assert machine.calls.count("connect") == 3
    assert machine.doubts == [False, True, True]
    machine = Machine()
    with Connection(machine.robot, POLICY) as connection:
        connection.set_home()
        connection.straighten(None)
        connection.perform(Tilt())
        connection.straighten(None)
    assert machine.doubts == [False, False, False]


def test_it_connects_again_with_growing_pauses_and_not_for_ever() -> None:
    machine = Machine(LinkLostError("It is gone."), refuses=3)
    job = Attempt(machine, in_drive=True)
    job.run()
    (done,) = (event for event in job.events if isinstance(event, Recovered))
    assert done.recovery.seconds == sum(POLICY.reconnect_pauses_s[:4])
    machine = Machine(LinkLostError("It is gone."), refuses=1000)
    with pytest.raises(LinkLostError, match=r"7 tries in \d+ s .* Nobody is there\."):
        Attempt(machine, in_drive=True).run()
    assert machine.controls.now() == sum(POLICY.reconnect_pauses_s)


@pytest.mark.parametrize(
    ("refusal_s", "tries"), [(0.0, 7), (29.0, 3), (30.0, 3), (40.0, 3), (95.0, 1)]
)
def test_slow_refusals_do_not_make_a_robot_wait_for_long(refusal_s: float, tries: int) -> None:
    machine = Machine(refuses=1000)
    machine.refusal_s = refusal_s
    with Connection(machine.robot, POLICY) as connection:
        connection.set_home()
        with pytest.raises(LinkLostError, match=f"{tries} tries"):
            connection.reconnect()


def test_a_try_that_ends_as_the_time_is_up_is_not_yet_the_last() -> None:
    machine = Machine(refuses=1000)
    machine.refusal_s = 15.0
    policy = RecoveryPolicy(reconnect_pauses_s=(0.0,) * 9, reconnect_s=30.0)
    with Connection(machine.robot, policy) as connection:
        connection.set_home()
        with pytest.raises(LinkLostError, match="3 tries in 45 s"):
            connection.reconnect()


@pytest.mark.parametrize("fault", [MotorStalledError("It is stuck."), CubeUncertainError("Lost.")])
def test_a_low_battery_is_named_with_what_may_come_from_it(fault: RobotError) -> None:
    machine = Machine(*[fault] * (POLICY.max_faults + 1))
    machine.charge = Battery(6.2, is_low=True)
    job = Attempt(machine, in_drive=True, can_look=False)
    with pytest.raises(type(fault), match=rf"^{fault} The battery is low \(6\.2 V\).*Do this\.$"):
        job.run()
    reasons = [event.reason for event in job.events if isinstance(event, RecoveryStarted)]
    assert all("battery is low" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("fault", "charge"),
    [
        (MotorStalledError("It is stuck."), Battery(7.9, is_low=False)),
        (MotorStalledError("It is stuck."), None),
        (MotorStalledError("It is stuck."), LinkLostError("It is gone.")),
        (LinkLostError("It is gone."), Battery(6.2, is_low=True)),
    ],
)
def test_a_battery_that_is_full_or_silent_is_not_blamed(
    fault: RobotError, charge: Battery | RobotError | None
) -> None:
    machine = Machine(fault)
    machine.charge = charge
    job = Attempt(machine, in_drive=True)
    job.run()
    (began,) = (event for event in job.events if isinstance(event, RecoveryStarted))
    assert began.reason == str(fault)
