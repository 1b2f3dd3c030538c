"""MindCuber's mechanics: homing, the three motions, every way to jam, the hands."""

import pytest

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.rigs.mindcuber.faults import Build, MindCuberFaults
from hardware_sims.rigs.mindcuber.mechanics import (
    JAM_ARM_IN_THE_WAY,
    JAM_ARM_ON_CORNER,
    JAM_CUBE_NOT_SEATED,
    JAM_LAYER_ASKEW,
    JAM_SENSOR_IN_THE_WAY,
    JAM_TABLE_ASKEW,
)
from hardware_sims.rigs.mindcuber.rig import CUBE_CM, HAND_CM, NOTHING_CM, ULTRASONIC_PORT
from solvers.rubik.scramble import random_state
from tests.unit.hardware_sims.rigs.mindcuber.hand import (
    AWAY,
    CENTRE,
    HOLD,
    LET_GO,
    QUARTER,
    SENSOR,
    SENSOR_AWAY,
    TABLE,
    TILT,
    TILTED,
    Handler,
)


@pytest.mark.parametrize("arm", [SENSOR, TILT])
def test_an_arm_that_is_driven_forward_ends_at_its_stop(arm: int) -> None:
    handler = Handler()
    handler.drive(arm, 35)
    handler.wait(3.0)
    assert handler.back(arm) == 0
    assert handler.jams == []


@pytest.mark.parametrize("quarters", [1, 2, -1, -3])
def test_the_open_arm_lets_the_whole_cube_spin(quarters: int) -> None:
    handler = Handler()
    handler.spin(quarters)
    assert handler.rig.cube == CradledCube().spun(-quarters)
    assert handler.rig.pose.cube_deg == pytest.approx(0.0, abs=4.0)
    assert handler.jams == []


def test_a_tilt_takes_the_front_down() -> None:
    handler = Handler()
    handler.tilt()
    assert handler.rig.cube == CradledCube().tilted()
    assert handler.rig.pose.phase == "seated"
    assert (handler.rig.tilts, handler.jams) == (1, [])


@pytest.mark.parametrize("quarters", [1, 2, -1, -2])
def test_a_layer_turn_ends_exactly_with_the_published_overshoot(quarters: int) -> None:
    handler = Handler()
    handler.turn_layer(quarters)
    assert handler.rig.cube == CradledCube().bottom_turned(quarters)
    assert handler.rig.pose.layer_deg == pytest.approx(0.0, abs=0.7)
    assert handler.jams == []


def test_two_layer_turns_on_end_take_up_the_same_play() -> None:
    handler = Handler()
    for quarters in (1, 1, -1, 2):
        handler.turn_layer(quarters)
        assert handler.rig.pose.layer_deg == pytest.approx(0.0, abs=1.0)


def test_without_overshoot_a_layer_ends_short_by_the_play_and_jams_the_tilt() -> None:
    handler = Handler()
    handler.turn_layer(1, overshoot=0)
    assert handler.rig.pose.layer_deg == pytest.approx(-19.0, abs=0.7)
    cube = handler.rig.cube
    handler.move(TILT, TILTED)
    assert handler.jams == [JAM_LAYER_ASKEW]
    assert handler.back(TILT) < 190
    assert handler.rig.cube == cube


def test_a_layer_that_is_a_little_off_clicks_straight_in_the_tilt() -> None:
    handler = Handler()
    handler.turn_layer(1, overshoot=45)
    assert handler.rig.pose.layer_deg == pytest.approx(-4.0, abs=0.7)
    handler.tilt()
    assert handler.rig.pose.layer_deg == 0.0
    handler.turn_layer(1, overshoot=30)  # nine degrees are too much
    handler.move(TILT, TILTED)
    assert handler.jams == [JAM_LAYER_ASKEW]


def test_a_long_sequence_keeps_cube_and_algebra_together() -> None:
    start = CradledCube(random_state(5))
    handler, expected = Handler(start), start
    for quarters in (1, -1, 2, -2):
        handler.tilt()
        handler.spin(quarters)
        handler.turn_layer(-quarters)
        expected = expected.tilted().spun(-quarters).bottom_turned(-quarters)
    assert handler.rig.cube == expected
    assert handler.jams == []


def test_a_half_open_arm_stops_the_cubes_corners() -> None:
    handler = Handler()
    handler.move(TILT, 100)
    handler.turn_table(QUARTER)
    assert JAM_ARM_IN_THE_WAY in handler.jams
    assert handler.count(TABLE) < 60


def test_the_arm_comes_down_on_the_corner_of_a_cube_that_is_askew() -> None:
    handler = Handler()
    handler.turn_table(120)
    handler.move(TILT, HOLD)
    assert JAM_ARM_ON_CORNER in handler.jams
    assert handler.back(TILT) < 115


def test_the_sensor_has_to_be_away_before_a_tilt() -> None:
    handler = Handler()
    handler.move(SENSOR, CENTRE)
    handler.move(TILT, TILTED)
    assert handler.jams == [JAM_SENSOR_IN_THE_WAY]
    assert handler.rig.tilts == 0


def test_the_table_has_to_be_at_a_quarter_for_a_tilt() -> None:
    handler = Handler()
    handler.move(TILT, HOLD)
    handler.turn_table(35)
    handler.move(TILT, TILTED)
    assert handler.jams == [JAM_TABLE_ASKEW]


def test_a_cube_that_leans_on_the_arm_stops_the_table() -> None:
    handler = Handler()
    handler.move(TILT, TILTED)
    handler.wait(0.3)
    assert handler.rig.pose.phase == "rolled"
    handler.turn_table(QUARTER)
    assert JAM_CUBE_NOT_SEATED in handler.jams


def test_a_cube_takes_a_while_to_fall_and_to_come_to_rest() -> None:
    handler = Handler()
    handler.move(TILT, TILTED)
    handler.wait(0.3)
    handler.drive(TILT, 75)
    while handler.back(TILT) > 174:
        handler.wait(0.002)
    assert handler.rig.pose.phase == "rolled"
    handler.move(TILT, LET_GO)
    handler.wait(0.06)
    assert handler.rig.pose.phase == "seated"


def test_another_machine_has_another_play() -> None:
    handler = Handler(faults=MindCuberFaults(rig=Build(play_deg=10, grip_deg=20)))
    handler.turn_layer(1, overshoot=30)
    assert handler.rig.pose.layer_deg == pytest.approx(0.0, abs=0.7)


def distance(handler: Handler) -> int | None:
    registers = handler.brick.machine.sensors[ULTRASONIC_PORT].registers  # type: ignore[attr-defined]
    answer: bytes | None = registers.transfer(b"\x02\x42", 1)
    return None if answer is None else answer[0]


def test_the_ultrasonic_sensor_sees_the_hand_and_then_the_cube_or_nothing() -> None:
    handler = Handler()
    handler.move(TILT, AWAY)
    assert distance(handler) == CUBE_CM
    handler.type("cube out")
    assert distance(handler) == HAND_CM
    handler.wait(1.2)
    assert (distance(handler), handler.rig.pose.phase) == (NOTHING_CM, "away")
    handler.type("cube in 7")
    assert distance(handler) == HAND_CM
    handler.wait(1.2)
    assert (distance(handler), handler.rig.pose.phase) == (CUBE_CM, "seated")
    assert handler.rig.cube == CradledCube(random_state(7))


def test_a_cube_that_was_out_is_the_same_when_it_is_back() -> None:
    handler = Handler(CradledCube(random_state(3)))
    before = handler.rig.cube
    for line in ("cube out", "cube in"):
        handler.type(line)
        handler.wait(1.2)
    assert handler.rig.cube == before


@pytest.mark.parametrize(
    ("place", "line", "words"),
    [
        (AWAY, "cube in", "take it out first"),
        (HOLD, "cube out", "tilt arm is over the table"),
    ],
)
def test_a_cube_cannot_be_put_in_or_taken_out_where_that_makes_no_sense(
    place: int, line: str, words: str
) -> None:
    handler = Handler()
    handler.move(TILT, place)
    with pytest.raises(InvalidScenarioError, match=words):
        handler.type(line)


def test_without_a_cube_nothing_is_in_the_way() -> None:
    handler = Handler()
    handler.type("cube out")
    handler.wait(1.2)
    with pytest.raises(InvalidScenarioError, match="no cube"):
        handler.type("cube out")
    handler.move(TILT, TILTED)
    handler.turn_table(100)
    handler.move(SENSOR, SENSOR_AWAY)
    assert (handler.jams, handler.rig.tilts) == ([], 0)
