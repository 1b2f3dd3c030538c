"""The real program on the simulated brick: solves, however it is fed, interrupted or slowed."""

import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from controller.errors import (
    BrickRefusedError,
    CubeUncertainError,
    InvalidProgramError,
    LinkLostError,
    MotorStalledError,
)
from controller.job_events import RobotEvent
from controller.motion.executor import PrimitiveFinished, PrimitiveRetried
from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer, price_all
from controller.motion.run_record import RunHeader
from controller.rigs.nxt_brick.brick_link import BrickLink
from controller.rigs.nxt_brick.program_drive import ProgramMechanism
from controller.rigs.nxt_brick.programs import (
    Heartbeat,
    install,
    name_on_brick,
    running_program,
    shipped_program,
)
from controller.rigs.nxt_cradle.calibration.values import Tuning
from controller.rigs.nxt_cradle.choreography import MANNERS
from controller.rigs.nxt_cradle.homing import Homing
from controller.rigs.rig import Earned
from hardware_sims.nxt_brick.faults import (
    BLUETOOTH_LATENCY,
    USB_LATENCY,
    Faults,
    Latency,
    Restart,
    Stall,
)
from hardware_sims.nxt_brick.machine import Machine
from solvers.rubik.cubies import SOLVED, CubieCube
from tests.stops.stopped_run import PRIMITIVES, some_primitives
from tests.virtual_robot import RIG, VirtualRobot

ASKED = 380  # calls to the program in a short run; the first 160 bring it onto the brick
TELEGRAMS = range(450, 650)  # of a short run, after home was found and the program installed

SILENCE_S = 3.0  # so long that the program brakes in the middle of a script

NewRobot = Callable[..., VirtualRobot]


@pytest.fixture
def new_robot(tmp_path: Path) -> NewRobot:
    """Return a maker of robots with the program and a solved cube."""

    def make(**options: Any) -> VirtualRobot:
        return VirtualRobot(SOLVED, tmp_path / "run.journal", drive="program", **options)

    return make


def header(primitives: tuple[Primitive, ...]) -> RunHeader:
    return RunHeader(SOLVED, SOLVED, (), primitives, "nxt-cradle", "program", "test", {})


def lies_as_after(robot: VirtualRobot, primitives: tuple[Primitive, ...]) -> bool:
    """Compare the rig's cube with a virtual one, and say whether all went without a jam."""
    from controller.motion.virtual_cube import VirtualCube

    cube = VirtualCube(SOLVED).after_all(primitives)
    here: CubieCube = robot.rig.cube.cube
    return (cube.position, cube.orientation) == (here, robot.rig.cube.orientation) and not (
        robot.rig.jams
    )


def seconds(events: list[RobotEvent]) -> float:
    return sum(event.seconds for event in events if isinstance(event, PrimitiveFinished))


@pytest.mark.parametrize("latency", [USB_LATENCY, BLUETOOTH_LATENCY], ids=["usb", "bluetooth"])
@pytest.mark.parametrize("seed", range(2))
def test_primitives_do_what_they_should_in_the_promised_time(
    new_robot: NewRobot, seed: int, latency: Latency
) -> None:
    robot, primitives = new_robot(latency=latency), some_primitives(seed, 40)
    taken = seconds(robot.run(header(primitives)))
    assert lies_as_after(robot, primitives)
    promised = price_all(RIG.seconds, primitives) + RIG.seconds.ending
    assert taken == pytest.approx(promised, rel=0.02)
    assert robot.motors_are_idle


@pytest.mark.parametrize("latency", [USB_LATENCY, BLUETOOTH_LATENCY])
@pytest.mark.parametrize("manner", range(1, len(MANNERS) + 1))
def test_primitives_of_many_messages_are_not_pushed_out_of_the_mailbox(
    new_robot: NewRobot, manner: int, latency: Latency
) -> None:
    tuning = Tuning(manner=Earned(manner, manner))
    robot = new_robot(latency=latency, calibration=replace(RIG, tuning=tuning))
    primitives = (Tilt(), Tilt(), Spin(1), Tilt(), TurnLayer(1), TurnLayer(-1), Tilt(), Tilt())
    robot.run(header(primitives))
    assert lies_as_after(robot, primitives)
    assert robot.brick.machine.programs.command.events == []


@pytest.mark.parametrize("millivolts", [6800, 9000])
@pytest.mark.parametrize("instructions_per_ms", [50, 130])
def test_any_battery_and_any_brick_will_do(
    new_robot: NewRobot, millivolts: int, instructions_per_ms: int
) -> None:
    robot = new_robot(faults=Faults(battery_mv=millivolts), instructions_per_ms=instructions_per_ms)
    primitives = some_primitives(millivolts)
    robot.run(header(primitives))
    assert lies_as_after(robot, primitives)


def test_a_turn_of_the_program_takes_few_instructions_at_most(
    new_robot: NewRobot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A brick so fast that it does a turn of 5 ms in one of them shows what each turn takes."""
    executed = [0]

    def advance(machine: Machine, target: int) -> None:
        while machine.tick < target:
            machine._advance_some(1)
            executed.append(int(machine.programs.command._machine.executed))

    monkeypatch.setattr(Machine, "advance", advance)
    robot, primitives = new_robot(instructions_per_ms=10_000), some_primitives(5, 40)
    robot.run(header(primitives))
    turns = [after - before for before, after in pairwise(executed) if after > before]
    assert len(turns) > 1000
    assert max(turns[1:]) <= 250  # what a brick that does 50 in a millisecond has time for


@pytest.mark.parametrize("telegram", random.Random(1).sample(range(1, ASKED), 8))
def test_ctrl_c_at_any_telegram_is_completed(
    new_robot: NewRobot, monkeypatch: pytest.MonkeyPatch, telegram: int
) -> None:
    robot, primitives = new_robot(), some_primitives(telegram)
    with monkeypatch.context() as patch:
        interrupt(patch, telegram)
        with pytest.raises(KeyboardInterrupt):
            robot.run(header(primitives))
    assert robot.motors_are_idle
    robot.resume()
    assert lies_as_after(robot, primitives)


@pytest.mark.parametrize("pause_s", [0.0, 0.4, 30.0])
@pytest.mark.parametrize("telegram", random.Random(2).sample(range(200, ASKED), 3))
def test_what_the_brick_did_without_its_host_is_not_done_again(
    new_robot: NewRobot, monkeypatch: pytest.MonkeyPatch, telegram: int, pause_s: float
) -> None:
    """The host is killed: nothing is released, and the brick goes on with what it has."""
    robot, primitives = new_robot(), some_primitives(telegram)
    with monkeypatch.context() as patch:
        interrupt(patch, telegram)
        patch.setattr(ProgramMechanism, "release", lambda *_, **__: None)
        with pytest.raises(KeyboardInterrupt):
            robot.run(header(primitives))
    robot.clock.sleep(pause_s)
    if pause_s > 10:
        assert robot.motors_are_idle
    robot.resume()
    assert lies_as_after(robot, primitives)


@pytest.mark.parametrize("telegram", random.Random(3).sample(TELEGRAMS, 4))
def test_a_pulled_plug_is_an_error_and_resume_completes(new_robot: NewRobot, telegram: int) -> None:
    robot = new_robot(faults=Faults(drop_at=(telegram,)))
    primitives = some_primitives(telegram)
    with pytest.raises(LinkLostError, match="resume"):
        robot.run(header(primitives))
    robot.resume()
    assert lies_as_after(robot, primitives)


@pytest.mark.parametrize("driving_s", [2.5, 7.5])
@pytest.mark.parametrize("port", [0, 1, 2])
def test_a_motor_that_stalls_for_two_seconds_is_tried_again(
    new_robot: NewRobot, port: int, driving_s: float
) -> None:
    time_s = new_robot().find_home() + driving_s
    robot = new_robot(faults=Faults(stalls=(Stall(port=port, seconds=2.0, time_s=time_s),)))
    primitives = some_primitives(port)
    events = robot.run(header(primitives))
    assert lies_as_after(robot, primitives)
    assert sum(isinstance(event, PrimitiveRetried) for event in events) <= 1


def test_a_motor_that_stays_stalled_ends_the_run(new_robot: NewRobot) -> None:
    time_s = new_robot().find_home() + 4.5
    robot = new_robot(faults=Faults(stalls=(Stall(port=0, seconds=1000.0, time_s=time_s),)))
    with pytest.raises(MotorStalledError, match=r"Motor A \(cradle\) does not move on"):
        robot.run(header(some_primitives(8)))
    assert robot.motors_are_idle


def test_a_brick_that_restarted_with_something_ahead_asks_how_the_cube_lies(
    new_robot: NewRobot,
) -> None:
    with new_robot().mechanism() as mechanism:
        mechanism.set_home()
        mechanism.perform(Tilt(), ahead=(Spin(1), TurnLayer(1)))
        state = mechanism.state
        mechanism.release()
    assert state["ahead"] > 0
    with new_robot().mechanism() as mechanism:
        with pytest.raises(CubeUncertainError, match="sent ahead"):
            mechanism.restore(state)
        assert not mechanism.restore({**state, "ahead": 0})


def test_a_layer_that_a_restart_left_between_its_quarters_is_turned_straight(
    new_robot: NewRobot,
) -> None:
    time_s = new_robot().find_home() + 0.75
    robot = new_robot(faults=Faults(restarts=(Restart(off_s=1.0, time_s=time_s),)))
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        state = mechanism.state
        with pytest.raises(LinkLostError):
            mechanism.perform(TurnLayer(2), ahead=(Tilt(),))
    assert abs(robot.rig.pose.layer_deg) > 10
    robot.clock.sleep(10.0)
    with robot.mechanism() as mechanism:
        with pytest.raises(CubeUncertainError, match="sent ahead"):
            mechanism.restore({**state, "ahead": 2})
        mechanism.set_home(in_doubt=True)
        mechanism.perform(Tilt())
        mechanism.release()
    assert robot.rig.tilts == 1
    assert robot.rig.pose.layer_deg == pytest.approx(0, abs=1.5)


def test_single_primitives_end_at_home(new_robot: NewRobot) -> None:
    robot = new_robot()
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        for primitive in PRIMITIVES:
            mechanism.perform(primitive)
            assert abs(robot.rig.pose.arm_deg) <= 3
            assert abs(robot.rig.pose.pusher_deg) <= 3
            assert robot.rig.pose.phase == "seated"
        mechanism.release()
    assert lies_as_after(robot, PRIMITIVES)


@pytest.mark.parametrize("primitive", [Tilt(), Spin(1), TurnLayer(-1)], ids=str)
def test_a_rig_comes_home_whenever_its_host_was_silent(
    new_robot: NewRobot, monkeypatch: pytest.MonkeyPatch, primitive: Primitive
) -> None:
    robot = new_robot()
    played: list[Primitive] = []
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        for call in range(1, 40):
            with monkeypatch.context() as patch:
                interrupt(patch, call, lambda: robot.clock.sleep(SILENCE_S))
                mechanism.perform(primitive)
            played.append(primitive)
            pose = robot.rig.pose
            assert abs(pose.arm_deg) <= 3, call
            assert abs(pose.pusher_deg) <= 3, call
            assert pose.phase == "seated"
        mechanism.release()
    assert lies_as_after(robot, tuple(played))


def test_the_program_is_installed_once_and_goes_on_running(new_robot: NewRobot) -> None:
    robot = new_robot()
    name = name_on_brick(shipped_program())
    with robot.link() as link:
        assert running_program(link) is None
    robot.run(header((Spin(1),)))
    before = robot.brick.telegrams
    with robot.link() as link:
        Homing(link, robot.controls, RIG, Heartbeat(link, robot.controls).beat).home_from_here()
    homing = robot.brick.telegrams - before
    robot.run(header((Spin(1),)))
    assert robot.brick.telegrams - before - 2 * homing < 100
    with robot.link() as link:
        assert running_program(link) == name


def test_a_full_brick_is_told_and_nothing_is_deleted(new_robot: NewRobot) -> None:
    robot = new_robot()
    flash = robot.brick.machine.files
    flash.store(b"song.rso", bytes(flash.free - 2000))
    with (
        robot.link() as link,
        pytest.raises(BrickRefusedError, match=r"no room.*song\.rso \(\d+ bytes\)"),
    ):
        install(link, "rig.rxe", shipped_program())
    assert flash.free < 2500


@pytest.mark.parametrize(
    ("damaged", "sentence"),
    [
        (b"no program at all", "no program for an NXT brick"),
        (shipped_program()[:-100], "cut off"),
        (shipped_program()[:14] + b"\x02\x00" + shipped_program()[16:], "version 2.0"),
    ],
)
def test_what_a_brick_cannot_run_is_not_even_installed(
    new_robot: NewRobot, damaged: bytes, sentence: str
) -> None:
    robot = new_robot()
    flash = robot.brick.machine.files
    free = flash.free
    with robot.link() as link:
        with pytest.raises(InvalidProgramError, match=sentence):
            install(link, "rig.rxe", damaged)
        assert running_program(link) is None
    assert flash.free == free


def press_ctrl_c() -> None:
    raise KeyboardInterrupt


def interrupt(
    patch: pytest.MonkeyPatch, telegram: int, then: Callable[[], object] = press_ctrl_c
) -> None:
    """Let something happen before the given call to the brick: Ctrl-C by default."""
    original = BrickLink.ask
    calls = 0

    def ask(link: BrickLink, *args: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == telegram:
            then()
        return original(link, *args)

    patch.setattr(BrickLink, "ask", ask)
