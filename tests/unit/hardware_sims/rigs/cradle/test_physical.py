"""A rig from a file on the simulated brick: what arm, pusher and cube do by forces."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
import pytest
from msgspec.structs import replace

from controller.errors import MotorStalledError
from controller.motion.mechanism import Mechanism
from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.motion.virtual_cube import VirtualCube
from controller.rigs.nxt_cradle.calibration.values import Calibration
from hardware_sims.errors import InvalidScenarioError
from hardware_sims.nxt_brick.brick import warm_up
from hardware_sims.nxt_brick.faults import NO_FAULTS, Faults, Stall
from hardware_sims.rigs.cradle.faults import NO_RIG_FAULTS, Build, RigFaults
from hardware_sims.rigs.cradle.geometry import DEFAULT, Geometry
from hardware_sims.rigs.cradle.model import CradleModel
from hardware_sims.rigs.cradle.physical import PhysicalRig
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.rigs.faults import Slip
from hardware_sims.rigs.registry import get_model
from solvers.rubik.scramble import random_state
from tests.physics.rigs import geometry_values, rig_named
from tests.virtual_robot import RIG, VirtualRobot, play

CUBE = random_state(5)


def geometry(name: str) -> Geometry:
    """Return a rig of the family."""
    return msgspec.convert(geometry_values(rig_named(name)), Geometry)


CLAMP = geometry("clamp-3")
LIFTING = geometry("clamp-9")
"""Its arm lifts the cube if it presses as hard as usual."""
DRAGGING = geometry("bar-5")
"""Its arm drags a rolled cube along on its way back, if it goes farther than in the thesis."""
HOOKED = geometry("bar-4")
"""Its arm has a hook before the cube's upper edge, under which the pusher goes home."""
DIFFERENT: tuple[Primitive, ...] = (
    Tilt(),
    Spin(1),
    TurnLayer(1),
    Tilt(),
    TurnLayer(-1),
    Spin(2),
    Tilt(),
)


def on_rig(
    primitives: tuple[Primitive, ...],
    calibration: Calibration = RIG,
    rig_faults: RigFaults = NO_RIG_FAULTS,
    faults: Faults = NO_FAULTS,
) -> PhysicalRig:
    """Let the driver play on the rig and return it."""
    robot = VirtualRobot(CUBE, Path("unused"), faults, calibration=calibration)
    with at_home(CLAMP, rig_faults, robot) as (rig, mechanism):
        play(mechanism, primitives)
        robot.brick.advance()
    return rig


@contextmanager
def at_home(
    geometry: Geometry, rig_faults: RigFaults = NO_RIG_FAULTS, robot: VirtualRobot | None = None
) -> Iterator[tuple[PhysicalRig, Mechanism]]:
    """Connect the driver to a rig that is at home."""
    rig = PhysicalRig(geometry, CradledCube(CUBE), rig_faults)
    warm_up(PhysicalRig(geometry))
    robot = robot or VirtualRobot(CUBE, Path("unused"))
    robot.put_on(rig)
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        yield rig, mechanism
        mechanism.release()


def test_the_default_choreography_does_on_it_what_it_means() -> None:
    rig = on_rig(DIFFERENT)
    expected = VirtualCube(CUBE).after_all(DIFFERENT)
    assert rig.cube.cube == expected.position
    assert rig.jams == []
    assert rig.tilts == DIFFERENT.count(Tilt())
    assert rig.pose.phase == "seated"


def tipping_to(angle_deg: float) -> Calibration:
    """Return a calibration whose arm tips the cube less far than it should."""
    geometry = replace(RIG.geometry, arm_tips=angle_deg - 2, arm_end=angle_deg)
    return replace(RIG, geometry=geometry)


def test_a_cube_that_is_not_tipped_far_enough_falls_back() -> None:
    rig = on_rig((Tilt(),), tipping_to(32))
    assert (rig.tilts, rig.pose.phase, rig.jams) == (0, "seated", [])
    assert rig.cube.cube == CUBE


def test_an_owner_puts_a_cube_back_that_lies_askew() -> None:
    rig = on_rig((Tilt(),), tipping_to(24))
    assert rig.pose.phase == "tipped"
    rig.straighten()
    assert rig.pose.phase == "seated"
    assert rig.cube.cube == CUBE


STIFF: Final = RigFaults(rig=Build(stiffness=4.0))


def test_a_press_that_is_too_weak_for_stiff_layers_stops_the_cradle() -> None:
    on_rig((TurnLayer(1),), rig_faults=RigFaults(rig=Build(stiffness=1.0)))
    with pytest.raises(MotorStalledError, match="cradle"):
        on_rig((TurnLayer(1),), rig_faults=STIFF)


def test_the_arm_presses_harder_when_a_turn_is_tried_again() -> None:
    stiff = RigFaults(rig=Build(stiffness=1.8))
    with at_home(DRAGGING, stiff) as (rig, mechanism):
        with pytest.raises(MotorStalledError, match="cradle"):
            mechanism.perform(TurnLayer(1))
        mechanism.perform(TurnLayer(1))
    assert rig.cube.cube == VirtualCube(CUBE).after(TurnLayer(1)).position


def test_an_arm_that_lifts_the_cube_a_little_holds_it() -> None:
    with at_home(LIFTING) as (rig, mechanism):
        play(mechanism, (TurnLayer(1), TurnLayer(-1), TurnLayer(2)))
    assert rig.jams == []


def test_a_cube_that_fell_beside_the_cradle_is_brought_back_and_tilted_otherwise() -> None:
    robot = VirtualRobot(CUBE, Path("unused"))
    with at_home(DRAGGING, robot=robot) as (rig, mechanism):
        with pytest.raises(MotorStalledError):
            play(mechanism, (Tilt(), Spin(1)))
        robot.brick.advance()
        assert rig.pose.phase == "tipped"
        mechanism.straighten(Spin(1))
        robot.brick.advance()
        assert rig.pose.phase == "seated"
        tilts = rig.tilts
        play(mechanism, (Tilt(), Spin(1), Tilt()))
        robot.brick.advance()
    assert rig.tilts == tilts + 2


def test_home_is_found_again_where_a_hook_is_over_the_cube() -> None:
    """An arm that tips the cube while a layer is straightened has the pusher behind its hook."""
    robot = VirtualRobot(CUBE, Path("unused"))
    with at_home(HOOKED, robot=robot) as (rig, mechanism):
        mechanism.straighten(None)
        robot.brick.advance()
        pose = rig.pose
        assert pose.phase == "seated"
        assert abs(pose.pusher_deg) <= 3
    assert rig.cube.cube == CUBE


def test_a_motor_that_is_held_stands() -> None:
    with pytest.raises(MotorStalledError, match="arm"):
        on_rig((Tilt(),), faults=Faults(stalls=(Stall(port=1, seconds=1000.0, time_s=0.5),)))


def test_a_rig_file_is_a_model() -> None:
    rig = get_model(str(DEFAULT)).build(CradledCube(CUBE))
    assert isinstance(rig, PhysicalRig)
    assert rig.cube.cube == CUBE


def test_faults_that_forces_decide_are_refused() -> None:
    with pytest.raises(InvalidScenarioError, match="slip, double, throw and stuck"):
        CradleModel(CLAMP).build(faults=RigFaults(slip=(Slip(tilt=1),)))
