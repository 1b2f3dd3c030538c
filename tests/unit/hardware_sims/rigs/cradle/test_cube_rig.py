"""The rig's mechanics: the paper's three sequences, all face moves, and every way to jam."""

import pytest

from hardware_sims.nxt_brick.faults import Faults, Stall
from hardware_sims.rigs.cradle.faults import RigFaults
from hardware_sims.rigs.cradle.mechanics import (
    JAM_ARM_IN_THE_WAY,
    JAM_ARM_ON_CORNER,
    JAM_CRADLE_ASKEW,
    JAM_CUBE_NOT_SEATED,
    JAM_CUBE_UPRIGHT,
    JAM_LAYER_ASKEW,
    JAM_NOT_PRESSED,
    JAM_PUSHER_IN_THE_WAY,
)
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.rigs.faults import Slip
from solvers.rubik.cubies import SOLVED
from solvers.rubik.notation import Move, parse_moves
from solvers.rubik.rotations import Face
from solvers.rubik.scramble import random_state
from tests.unit.hardware_sims.rigs.cradle.hand import Operator

CRADLE, ARM, PUSHER = 0, 1, 2


def jam_kinds(operator: Operator) -> list[int]:
    return [jam.kind for jam in operator.rig.jams]


def test_the_papers_spin_turns_the_whole_cube(operator: Operator) -> None:
    operator.spin(1)
    assert operator.rig.cube == CradledCube().spun(1)
    assert operator.rig.jams == []


def test_the_papers_tilt_rolls_the_cube(operator: Operator) -> None:
    operator.tilt()
    assert operator.rig.cube == CradledCube().tilted()
    assert operator.rig.tilts == 1
    assert operator.rig.pose.phase == "seated"
    assert operator.rig.jams == []


@pytest.mark.parametrize("quarters", [1, 2, 3, -1, -2])
def test_the_papers_layer_turn_ends_exactly(operator: Operator, quarters: int) -> None:
    operator.turn_layer(quarters)
    assert operator.rig.cube == CradledCube().bottom_turned(quarters)
    assert operator.rig.pose.layer_deg == pytest.approx(0.0, abs=0.5)
    assert operator.rig.jams == []


@pytest.mark.parametrize("move", list(Move))
def test_every_face_move_can_be_made(operator: Operator, move: Move) -> None:
    """Bring the face down by spins and tilts, turn it, and compare with the algebra."""
    spins, tilts = {
        Face.D: (0, 0),
        Face.F: (0, 1),
        Face.U: (0, 2),
        Face.R: (1, 1),
        Face.B: (2, 1),
        Face.L: (3, 1),
    }[move.face]
    if spins:
        operator.spin(spins if spins < 3 else -1)
    for _ in range(tilts):
        operator.tilt()
    operator.turn_layer(move.quarter_turns if move.quarter_turns < 3 else -1)
    assert operator.rig.cube.cube == SOLVED.apply([move])
    assert operator.rig.jams == []


def test_a_long_sequence_keeps_cube_and_algebra_together() -> None:
    start = random_state(5)
    operator = Operator(CradledCube(start))
    expected = CradledCube(start)
    for quarters in (1, -1, 2, -2, 1, 1, -1, 2):
        operator.tilt()
        operator.spin(quarters)
        operator.turn_layer(-quarters)
        expected = expected.tilted().spun(quarters).bottom_turned(-quarters)
    assert operator.rig.cube == expected
    assert operator.rig.jams == []


def test_a_turn_without_overshoot_leaves_the_layer_short_by_the_slack(operator: Operator) -> None:
    operator.turn_layer(1, overshoot=0)
    assert operator.rig.pose.layer_deg == pytest.approx(-16 / 3.5, abs=0.5)
    operator.tilt()
    assert operator.rig.jams == []


def test_shortfalls_add_up_and_jam_the_next_tilt(operator: Operator) -> None:
    operator.turn_layer(1, overshoot=0)
    operator.tilt()
    operator.turn_layer(1, overshoot=0)
    cube = operator.rig.cube
    operator.move(ARM, 40)
    assert jam_kinds(operator) == [JAM_LAYER_ASKEW]
    assert operator.count(ARM) < 10
    assert operator.rig.cube == cube


def test_shortfalls_add_up_and_jam_the_next_spin(operator: Operator) -> None:
    operator.turn_layer(1, overshoot=0)
    operator.tilt()
    operator.turn_layer(1, overshoot=0)
    cube = operator.rig.cube
    operator.spin(1)
    assert JAM_LAYER_ASKEW in jam_kinds(operator)
    assert operator.rig.cube == cube


def test_a_short_layer_is_mended_by_finishing_the_turn(operator: Operator) -> None:
    operator.turn_layer(1, overshoot=0)
    operator.turn_layer(1)
    assert operator.rig.pose.layer_deg == pytest.approx(0.0, abs=0.5)


@pytest.mark.parametrize("off", [21, -21])
def test_a_cradle_off_its_quarter_jams_the_tilt(operator: Operator, off: int) -> None:
    operator.move(ARM, -40)
    operator.move(CRADLE, off)
    operator.move(ARM, 40)
    assert jam_kinds(operator) == [JAM_CRADLE_ASKEW]
    assert operator.count(ARM) < 10
    operator.move(ARM, -40)
    operator.move(CRADLE, 0)
    operator.move(ARM, 0)
    operator.tilt()
    assert operator.rig.cube == CradledCube().tilted()


def test_the_closed_arm_keeps_the_cube_from_spinning(operator: Operator) -> None:
    operator.move(CRADLE, -315)
    assert jam_kinds(operator) == [JAM_ARM_IN_THE_WAY]
    assert operator.count(CRADLE) > -50
    assert operator.rig.cube == CradledCube()


def test_the_pusher_keeps_the_cube_from_spinning(operator: Operator) -> None:
    operator.move(ARM, -40)
    operator.move(PUSHER, 150)
    operator.move(CRADLE, -315)
    assert jam_kinds(operator) == [JAM_PUSHER_IN_THE_WAY]


def test_a_layer_does_not_turn_unless_the_arm_presses(operator: Operator) -> None:
    operator.move(PUSHER, 160)
    operator.move(CRADLE, 331)
    assert jam_kinds(operator) == [JAM_NOT_PRESSED]
    assert operator.rig.cube == CradledCube()


def test_nothing_turns_while_the_cube_leans_on_the_pusher(operator: Operator) -> None:
    operator.move(ARM, 40)
    operator.move(PUSHER, 200)
    assert operator.rig.pose.phase == "rolled"
    operator.move(CRADLE, 315)
    assert jam_kinds(operator) == [JAM_CUBE_NOT_SEATED]


def test_the_pusher_does_not_tilt_a_cube_that_the_arm_has_not_tipped(operator: Operator) -> None:
    operator.move(PUSHER, 200)
    assert jam_kinds(operator) == [JAM_CUBE_UPRIGHT]
    assert operator.count(PUSHER) < 180
    assert operator.rig.cube == CradledCube()


def test_the_arm_cannot_close_on_a_corner(operator: Operator) -> None:
    operator.move(ARM, -40)
    operator.move(CRADLE, -160)
    operator.move(ARM, 0)
    assert jam_kinds(operator) == [JAM_ARM_ON_CORNER]
    assert operator.count(ARM) < -15


def test_a_cube_tipped_but_not_pushed_falls_back(operator: Operator) -> None:
    operator.move(ARM, 40)
    operator.move(PUSHER, 190)
    operator.move(PUSHER, 0)
    operator.move(ARM, 0)
    assert operator.rig.cube == CradledCube()
    assert operator.rig.pose.phase == "seated"


def test_the_cube_drops_only_when_the_arm_goes_back(operator: Operator) -> None:
    operator.move(ARM, 40)
    operator.move(PUSHER, 200)
    operator.move(PUSHER, 0)
    operator.move(ARM, 0)
    assert operator.rig.pose.phase == "rolled"
    operator.move(ARM, -30)
    assert operator.rig.pose.phase == "seated"


def test_arm_and_pusher_end_at_hard_stops(operator: Operator) -> None:
    operator.move(ARM, -200)
    operator.move(PUSHER, -200)
    assert operator.count(ARM) == -50
    assert operator.count(PUSHER) == -8
    assert operator.rig.jams == []


def test_each_jam_is_a_sentence_with_its_time(operator: Operator) -> None:
    operator.move(CRADLE, -315)
    jam = operator.rig.jams[0]
    assert jam.sentence.endswith(".")
    assert "arm stood at 0 degrees" in jam.sentence
    assert 0 < jam.time_s < operator.clock.now()


def test_a_slipped_tilt_does_not_happen_and_the_others_do() -> None:
    operator = Operator(rig_faults=RigFaults(slip=(Slip(tilt=2),)))
    for _ in range(3):
        operator.tilt()
    assert operator.rig.cube == CradledCube().tilted().tilted()
    assert operator.rig.tilts == 3


def test_a_stalled_motor_stands_still_and_then_goes_on() -> None:
    operator = Operator(faults=Faults(stalls=(Stall(ARM, seconds=0.3, time_s=0.0),)))
    operator.drive(ARM, -30)
    operator.wait(0.29)
    assert operator.count(ARM) == 0
    operator.wait(0.2)
    assert operator.count(ARM) < -10


def test_the_pose_follows_the_shafts_in_mid_spin(operator: Operator) -> None:
    operator.move(ARM, -40)
    operator.move(CRADLE, -100)
    pose = operator.rig.pose
    assert pose.cradle_deg == pytest.approx(-100 / 3.5, abs=0.6)
    assert pose.cube_deg == pytest.approx(-84 / 3.5, abs=0.6)
    assert pose.arm_deg == pytest.approx(-40, abs=1.5)
    assert pose.stickers == CradledCube().stickers


def test_a_sticker_scheme_follows_the_cube_through_the_rig(operator: Operator) -> None:
    operator.turn_layer(1)
    operator.tilt()
    expected = CradledCube(SOLVED.apply(parse_moves("D"))).tilted()
    assert operator.rig.pose.stickers == expected.stickers
    assert operator.rig.facelets == expected.facelets
    assert not operator.rig.is_solved
