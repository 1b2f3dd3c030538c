"""The motions of each primitive on a MindCuber, as published angles and pauses have them."""

import pytest

from controller.motion.primitives import Spin, Tilt, TurnLayer
from controller.rigs.mindcuber.calibration import FILES, SENSOR_ARM, TABLE, TILT_ARM
from controller.rigs.mindcuber.choreography import LANDING, NEAR_DEG, MindCuberChoreographer
from controller.rigs.nxt_brick.motion import (
    TIPPING,
    CutOff,
    Done,
    Go,
    Motion,
    Motor,
    Pause,
    Phase,
    Reach,
    Rest,
)


@pytest.fixture
def choreographer() -> MindCuberChoreographer:
    return MindCuberChoreographer(FILES.default)


def goals(motions: tuple[Motion, ...], motor: Motor) -> list[int]:
    return [each.angle_deg for each in motions if isinstance(each, Go) and each.motor is motor]


def test_a_layer_turn_overshoots_by_the_play_of_the_held_cube_and_comes_back(
    choreographer: MindCuberChoreographer,
) -> None:
    motions = choreographer.motions(TurnLayer(1), 2, Spin(1), Tilt())
    assert goals(motions, TABLE) == [3 * 270 + 57, 3 * 270]
    assert goals(motions, TILT_ARM) == [-160]
    backwards = choreographer.motions(TurnLayer(-2), 2, Spin(1), Tilt())
    assert goals(backwards, TABLE) == [-57, 0]


def test_a_spin_opens_the_arm_and_turns_against_the_layers_sense(
    choreographer: MindCuberChoreographer,
) -> None:
    motions = choreographer.motions(Spin(1), 0, Tilt(), Tilt())
    assert goals(motions, TILT_ARM) == [-160, -62, -160]
    assert goals(motions, TABLE) == [-270]
    assert goals(choreographer.motions(Spin(1), 0, TurnLayer(1), Tilt()), TILT_ARM) == [-62, -160]


def test_the_arm_closes_after_each_tilt_before_it_opens(
    choreographer: MindCuberChoreographer,
) -> None:
    """As in the author's program: a cube that leans on the table's wall is pressed down."""
    for ahead in (None, Spin(1), Tilt()):
        lowered, closed, *_ = goals(choreographer.motions(Tilt(), 0, Tilt(), ahead), TILT_ARM)[2:]
        assert (lowered, closed) == (-135, -160)


def test_a_tilt_waits_longer_after_a_tilt_than_where_the_arm_has_held(
    choreographer: MindCuberChoreographer,
) -> None:
    def pauses(before: Tilt | Spin | TurnLayer) -> list[int]:
        motions = choreographer.motions(Tilt(), 0, before, TurnLayer(1))
        return [each.milliseconds for each in motions if isinstance(each, Pause)]

    assert [pauses(before)[0] for before in (Tilt(), Spin(1), TurnLayer(1))] == [500, 350, 150]
    assert pauses(Tilt())[1:] == [150]


def test_the_arm_closes_while_a_tilted_cube_comes_to_rest(
    choreographer: MindCuberChoreographer,
) -> None:
    """As in the author's program: 150 ms from where the arm has let the cube down."""
    down, *_ = choreographer.motions(TurnLayer(1), 0, Tilt(), Tilt())[1:]
    assert down == Pause(150)
    after_spin = choreographer.motions(TurnLayer(1), 0, Spin(1), Tilt())
    closed = after_spin.index(Reach(TILT_ARM, -159, upwards=False))
    assert after_spin.index(Pause(150)) == closed + 1


def test_a_layer_turn_comes_back_without_coming_to_rest_beyond(
    choreographer: MindCuberChoreographer,
) -> None:
    motions = choreographer.motions(TurnLayer(1), 0, Tilt(), Tilt())
    assert not any(isinstance(each, Rest) for each in motions)
    beyond = motions.index(Go(TABLE, 270 + 57))
    assert motions[beyond + 1 : beyond + 3] == (
        Reach(TABLE, 270 + 57 - NEAR_DEG, upwards=True),
        Go(TABLE, 270),
    )


def test_the_first_primitive_takes_the_sensor_away_and_the_last_goes_home(
    choreographer: MindCuberChoreographer,
) -> None:
    motions = choreographer.motions(Spin(1), 0)
    assert goals(motions, SENSOR_ARM) == [-200, -200]
    assert goals(motions, TILT_ARM)[-1] == -25
    assert goals(choreographer.motions(Spin(1), 0, Tilt(), Tilt()), SENSOR_ARM) == []


def test_a_tilt_that_was_cut_off_on_its_way_down_is_not_tilted_again(
    choreographer: MindCuberChoreographer,
) -> None:
    landing = choreographer.motions(Tilt(), 0, cut_off=CutOff(LANDING, 0, -200))
    assert -245 not in goals(landing, TILT_ARM)
    tipping = choreographer.motions(Tilt(), 0, cut_off=CutOff(TIPPING, 0, -200))
    assert goals(tipping, TILT_ARM)[0] == -245


@pytest.mark.parametrize(
    ("phase", "tilt_deg", "may"),
    [(0, -160, False), (TIPPING, -200, False), (TIPPING, -240, True), (LANDING, -150, True)],
)
def test_a_tilt_may_have_moved_the_cube_once_the_arm_was_far_enough(
    choreographer: MindCuberChoreographer, phase: int, tilt_deg: int, may: bool
) -> None:
    assert choreographer.may_have_moved(Tilt(), 0, CutOff(phase, 0, tilt_deg)) is may


def test_a_layer_has_more_play_than_the_cube(choreographer: MindCuberChoreographer) -> None:
    at_40 = CutOff(0, 40, 0)
    assert choreographer.may_have_moved(Spin(-1), 0, at_40)
    assert not choreographer.may_have_moved(TurnLayer(1), 0, at_40)


def test_what_is_undone_goes_back_to_where_it_came_from(
    choreographer: MindCuberChoreographer,
) -> None:
    back = choreographer.undoing(TurnLayer(1), 1, CutOff(0, 400, 0))
    assert goals(back, TABLE)[:2] == [270 - 57, 270]
    tilted = choreographer.undoing(Tilt(), 1, None)
    assert -245 not in goals(tilted, TILT_ARM)
    assert Done() in tilted
    assert Phase(TIPPING) not in tilted
