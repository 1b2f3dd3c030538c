"""What goes wrong in a MindCuber: with the cube, with its sensors, in a faults file."""

from pathlib import Path

import pytest

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.rigs.faults import Double, Short, Skip, Slip, Throw, Yaw
from hardware_sims.rigs.mindcuber.faults import Dead, MindCuberFaults
from hardware_sims.rigs.mindcuber.mechanics import JAM_ARM_ON_CORNER, JAM_LAYER_ASKEW
from hardware_sims.rigs.mindcuber.rig import ULTRASONIC_PORT
from hardware_sims.robot_faults import load_faults
from tests.unit.hardware_sims.rigs.mindcuber.hand import CENTRE, HOLD, TILT, TILTED, Handler
from tests.unit.hardware_sims.rigs.mindcuber.test_mindcuber_rig import distance


def test_a_slip_leaves_the_cube_where_it_was() -> None:
    handler = Handler(faults=MindCuberFaults(slip=(Slip(tilt=2),)))
    for _ in range(3):
        handler.tilt()
    assert handler.rig.cube == CradledCube().tilted().tilted()
    assert (handler.rig.tilts, handler.jams) == (3, [])


def test_a_double_tilt_rolls_it_twice() -> None:
    handler = Handler(faults=MindCuberFaults(double=(Double(tilt=1),)))
    handler.tilt()
    assert handler.rig.cube == CradledCube().tilted().tilted()


def test_a_thrown_cube_lands_turned() -> None:
    handler = Handler(faults=MindCuberFaults(throw=(Throw(tilt=1, quarters=1),)))
    handler.tilt()
    assert handler.rig.cube == CradledCube().tilted().spun(-1)


def test_a_cube_askew_is_met_at_its_corner() -> None:
    handler = Handler(faults=MindCuberFaults(throw=(Throw(tilt=1, askew_deg=30.0),)))
    handler.tilt()
    handler.move(TILT, 62)
    handler.move(TILT, HOLD)
    assert JAM_ARM_ON_CORNER in handler.jams


def test_a_hold_that_slips_leaves_a_layer_short() -> None:
    handler = Handler(faults=MindCuberFaults(short=(Short(turn=1, degrees=12.0),)))
    handler.turn_layer(1)
    assert handler.rig.pose.layer_deg == pytest.approx(-12.0, abs=1.0)
    handler.move(TILT, TILTED)
    assert JAM_LAYER_ASKEW in handler.jams


def test_a_cube_that_overshoots_is_a_quarter_further() -> None:
    handler = Handler(faults=MindCuberFaults(yaw=(Yaw(spin=1),)))
    handler.spin(1)
    assert handler.rig.cube == CradledCube().spun(-2)


def test_a_table_that_skips_teeth_is_behind_its_motor() -> None:
    handler = Handler(faults=MindCuberFaults(skip=(Skip(turn=1, motor_deg=30.0),)))
    handler.turn_layer(1)
    assert handler.rig.pose.table_deg == pytest.approx(80.0, abs=0.7)


def test_a_dead_colour_sensor_is_as_none() -> None:
    handler = Handler(faults=MindCuberFaults(dead=(Dead(sensor="color", time=8.0),)))
    handler.switch_sensor_on()
    assert handler.look(CENTRE)[0] > 300
    handler.wait(8.0)
    before = handler.colour()
    handler.turn_table(100)
    assert handler.colour() == before  # the brick keeps the last values
    assert handler.brick.machine.inputs.colors["calibration_state"][2] != 0


def test_a_dead_ultrasonic_sensor_does_not_answer() -> None:
    handler = Handler(faults=MindCuberFaults(dead=(Dead(sensor="ultrasonic", time=3.0),)))
    assert distance(handler) is not None
    handler.wait(3.0)
    assert distance(handler) is None
    assert ULTRASONIC_PORT in handler.brick.machine.sensors


def test_a_faults_file_has_the_rigs_keys_and_the_bricks(tmp_path: Path) -> None:
    file = tmp_path / "faults.toml"
    file.write_text(
        "seed = 3\nslip = [{ tilt = 2 }]\nglare = [{ chance = 0.1, light = 700 }]\n"
        'dead = [{ sensor = "color", time = 20 }]\nrig = { light = 2, high_mm = 4 }\n'
        "battery = { millivolts = 9000 }\n"
    )
    faults = load_faults(file, MindCuberFaults)
    assert faults.brick.battery_mv == 9000
    assert faults.rig.slip == (Slip(tilt=2),)
    assert (faults.rig.rig.light, len(faults.rig.table())) == (2, 2)


def test_a_key_of_the_other_rig_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "faults.toml"
    file.write_text("stuck = [{ leaving = 2 }]\n")
    with pytest.raises(InvalidScenarioError, match="stuck"):
        load_faults(file, MindCuberFaults)
