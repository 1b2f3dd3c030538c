"""MindCuber's tilt arm does nothing that the author's own sequence does not do.

Where every way of the arm is as far as the author's, none is faster, and no pause is shorter, a
cube that lands with his sequence lands with ours, whatever the geometry. His program is proven on
hardware; its angles, speeds and pauses are published. Ours is recorded from the simulated motors
with a fresh battery. `test_mindcubers` judges the same on rigs drawn at random.
"""

from itertools import pairwise

import numpy as np
import pytest

from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from tests.physics.mindcuber_recording import SEQUENCES, Angles, recorded

HOLD, TIPPED, LOWERED = 160.0, 245.0, 135.0
QUARTER = 270.0
TOP_SPEED, ACCELERATION = 833.0, 20_000.0
ARRIVED = 1.0
"""So near a place the author's program takes a motor to be there."""
COUNTED = ARRIVED + 1.0
"""The same as seen from outside: an arm's home is found to a degree."""


def passes(values: Angles, limit: float, start: int, *, upwards: bool) -> int:
    """Return the millisecond from `start` on in which a motor comes to a limit."""
    reached = values[start:] >= limit if upwards else values[start:] <= limit
    assert reached.any()
    return start + int(np.argmax(reached))


def tilts(arm: Angles) -> list[tuple[int, int, int, int]]:
    """Return when the arm leaves hold, is up, leaves again, and has come down, for each tilt."""
    above = arm > HOLD + 2 * ARRIVED
    found = []
    for left in np.flatnonzero(above[1:] & ~above[:-1]).tolist():
        up = passes(arm, TIPPED - ARRIVED, left, upwards=True)
        leaves = passes(arm, TIPPED - 2 * ARRIVED, up, upwards=False)
        found.append((left, up, leaves, passes(arm, LOWERED + COUNTED, leaves, upwards=False)))
    return found


@pytest.mark.parametrize("primitives", SEQUENCES)
def test_the_arm_is_never_faster_than_the_authors(primitives: tuple[Primitive, ...]) -> None:
    _, arm = recorded(*primitives)
    assert np.abs(np.diff(arm)).max() * 1000 <= TOP_SPEED
    quickest_s = (TIPPED - HOLD) / TOP_SPEED + TOP_SPEED / ACCELERATION
    found = tilts(arm)
    assert len(found) == primitives.count(Tilt())
    for left, up, _, _ in found:
        assert up - left >= 1000 * quickest_s - 5  # it has left when it is 2 degrees away


@pytest.mark.parametrize("primitives", SEQUENCES)
def test_the_cube_is_given_as_long_to_fall_and_as_much_room_to_drop(
    primitives: tuple[Primitive, ...],
) -> None:
    _, arm = recorded(*primitives)
    for _, up, leaves, down in tilts(arm):
        assert leaves - up >= 150
        assert arm[up:leaves].max() <= TIPPED + 2
        assert arm[down - 1] > LOWERED + COUNTED >= arm[down]


def test_two_tilts_are_half_a_second_apart() -> None:
    _, arm = recorded(Tilt(), Tilt(), Tilt())
    found = tilts(arm)
    for (_, _, _, down), (left, _, _, _) in pairwise(found):
        closed = passes(arm, HOLD - COUNTED, down, upwards=True)
        assert left - closed >= 500


def test_a_cube_that_was_spun_comes_to_rest_in_the_closed_arm() -> None:
    table, arm = recorded(Spin(1), Tilt(), TurnLayer(2))
    ((left, *_),) = tilts(arm)
    closed = passes(arm, HOLD - COUNTED, int(np.argmax(table <= -QUARTER / 2)), upwards=True)
    assert left - closed >= 350
    assert abs(table[closed] + QUARTER) <= 2 * ARRIVED


def test_a_layer_comes_to_rest_before_a_tilt_and_a_cube_before_a_layer_turn() -> None:
    table, arm = recorded(TurnLayer(1), Tilt(), TurnLayer(1), Tilt())
    (left, _, _, down), (second_left, *_) = tilts(arm)
    straight = passes(table, QUARTER + ARRIVED, int(np.argmax(table > QUARTER + 40)), upwards=False)
    assert left - straight >= 150
    turning = passes(table, QUARTER + 3 * ARRIVED, left, upwards=True)
    assert turning - down >= 150
    assert arm[turning] >= HOLD - 2 * ARRIVED
    assert second_left > turning
