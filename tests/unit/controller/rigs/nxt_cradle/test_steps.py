"""The motor sequences are those of the thesis, counted from home."""

import pytest

from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.rigs.nxt_cradle.calibration.file import default_calibration
from controller.rigs.nxt_cradle.motors import Motor
from controller.rigs.nxt_cradle.steps import (
    Go,
    GoBehind,
    Press,
    Step,
    Straighten,
    cradle_change,
    restart_step,
    steps_of,
)

RIG = default_calibration()
CRADLE, ARM, PUSHER = Motor


def roughly(motor: Motor, angle_deg: float) -> Go:
    return Go(motor, angle_deg, roughly=True)


@pytest.mark.parametrize(
    ("primitive", "expected"),
    [
        (Spin(1), (roughly(ARM, -40), Go(CRADLE, -315), roughly(ARM, 0))),
        (
            Tilt(),
            (
                Go(ARM, 40),
                Go(PUSHER, 200),
                roughly(PUSHER, 0),
                roughly(ARM, -30),
                roughly(ARM, 0),
            ),
        ),
        (
            TurnLayer(2),
            (
                Go(PUSHER, 160),
                Press(),
                Go(CRADLE, 646),
                Go(CRADLE, 630),
                Straighten(630),
                roughly(ARM, 0),
                roughly(PUSHER, 0),
            ),
        ),
    ],
)
def test_the_sequences_of_the_thesis(primitive: Primitive, expected: tuple[Step, ...]) -> None:
    assert steps_of(primitive, 0, RIG) == expected


def test_a_turn_backwards_overshoots_backwards() -> None:
    steps = steps_of(TurnLayer(-1), 2, RIG)
    assert steps[2:4] == (Go(CRADLE, 630 - 315 - 16), Go(CRADLE, 315))


def test_a_turn_played_again_meets_its_layer_from_behind() -> None:
    for quarters, overshoot_deg in ((1, 16), (-1, -16)):
        first, again = (
            steps_of(TurnLayer(quarters), 0, RIG, again=again) for again in (False, True)
        )
        assert again == (*first[:2], GoBehind(quarters * 315, overshoot_deg), *first[2:])


def test_an_arm_kept_open_is_not_closed() -> None:
    for primitive in (Tilt(), Spin(-1)):
        open_steps = steps_of(primitive, 0, RIG, keep_arm_open=True)
        assert steps_of(primitive, 0, RIG) == (*open_steps, roughly(ARM, 0))


def test_the_cradle_ends_where_the_next_primitive_counts_from() -> None:
    quarters = 0
    for primitive in (Spin(1), TurnLayer(-2), Spin(-3), TurnLayer(3)):
        moves = [
            step.angle_deg
            for step in steps_of(primitive, quarters, RIG)
            if isinstance(step, Go) and step.motor is CRADLE
        ]
        quarters += cradle_change(primitive)
        assert moves[-1] == quarters * 315
    assert quarters == 3


def test_only_a_completed_tilt_is_not_played_again() -> None:
    assert [restart_step(Tilt(), step) for step in range(5)] == [0, 0, 2, 3, 4]
    assert {restart_step(TurnLayer(1), step) for step in range(6)} == {0}
    assert {restart_step(Spin(1), step) for step in range(3)} == {0}
