"""Orders of the motors as trajectories."""

import numpy as np
import pytest

from tests.physics import FULL, thesis_tilt
from tests.physics.trajectories import GENTLE_ARM, Pace, Tilting, move


def turning_points(angles: np.ndarray) -> list[float]:
    """Return where a motor turns or rests, its start and end included."""
    moving = angles[np.insert(np.diff(angles) != 0, 0, True)]
    turns = np.flatnonzero(np.diff(np.sign(np.diff(moving)))) + 1
    return [float(moving[0]), *map(float, moving[turns]), float(moving[-1])]


def test_the_order_of_the_thesis_is_five_motions_one_after_the_other() -> None:
    _, arm, pusher = thesis_tilt().T
    assert turning_points(arm)[1:] == pytest.approx([40, -30, 0])
    assert turning_points(pusher)[1:] == pytest.approx([200, 0])
    assert not ((np.diff(arm) != 0) & (np.diff(pusher) != 0)).any()


def test_a_tilt_at_full_speed_takes_as_long_as_in_the_facts() -> None:
    assert len(thesis_tilt(FULL, FULL)) / 1000 == pytest.approx(0.93, abs=0.01)


def test_motions_that_overlap_start_where_they_should() -> None:
    _, arm, pusher = Tilting(leaves_at=30, back_at=120).trajectory().T
    assert arm[np.argmax(pusher > 0) - 1] == pytest.approx(30, abs=0.5)
    assert pusher[np.argmax(np.diff(arm) < 0)] == pytest.approx(120, abs=2)


@pytest.mark.parametrize("way", [5.0, 40.0, -200.0])
def test_a_motion_keeps_its_pace(way: float) -> None:
    pace = Pace(300, 4000)
    angles = np.array([0.0, *move(0, way, pace)])
    speeds = np.diff(angles) * 1000
    assert angles[-1] == way
    assert abs(speeds).max() <= 305
    assert abs(np.diff(speeds)).max() * 1000 <= 4000 * 1.3
    assert len(move(0, way, GENTLE_ARM.slower(2))) == pytest.approx(
        2 * len(move(0, way, GENTLE_ARM)), abs=1
    )
