"""The simulated rig's contacts in the plane of a tilt, beside MuJoCo's on the same angles."""

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest

from hardware_sims.rigs.cradle.geometry import Geometry
from hardware_sims.rigs.cradle.geometry import replay as replay_fast
from tests.physics import rig_named
from tests.physics.oracle import Angles, States, replay
from tests.physics.rigs import geometry_values

WAY_DEG_MS = 0.25
RESTS_MS = 100


def through(*goals: tuple[float, float]) -> Angles:
    """Return arm and pusher on their way through `goals`, at rest for a moment at each."""
    rows: list[Sequence[float]] = [goals[0]]
    for goal in goals[1:]:
        way = np.subtract(goal, rows[-1])
        count = max(1, round(np.abs(way).max() / WAY_DEG_MS))
        rows += list(rows[-1] + way * np.linspace(0, 1, count + 1)[1:, np.newaxis])
        rows += [goal] * RESTS_MS
    return np.array(rows)


def both(name: str, friction: float, targets: Angles) -> tuple[States, States]:
    """Return what MuJoCo makes of a rig that follows angles, and what the plane does."""
    rig = rig_named(name)
    values = {**geometry_values(rig), "friction": friction, "backlash_deg": 0.0}
    return replay(rig, friction, targets), replay_fast(msgspec.convert(values, Geometry), targets)


@pytest.mark.parametrize(("name", "stands_deg"), [("bar-4", 126.5), ("bar-7", 117.5)])
def test_a_pusher_is_caught_behind_the_hook_of_an_arm_that_has_not_gone_home(
    name: str, stands_deg: float
) -> None:
    """Forces and friction between arm and pusher decide where."""
    oracle, fast = both(name, 0.45, through((0, 0), (0, 160), (12, 160), (12, 0)))
    assert oracle[-1, 4] == pytest.approx(stands_deg, abs=0.5)
    assert fast[-1, 4] == pytest.approx(oracle[-1, 4], abs=0.3)
    assert fast[-1, 3] == pytest.approx(oracle[-1, 3], abs=0.3)
    # An arm that is home lets it pass.
    oracle, fast = both(name, 0.45, through((0, 0), (0, 160), (0, 0)))
    assert abs(oracle[-1, 4]) < 1
    assert abs(fast[-1, 4]) < 1


@pytest.mark.parametrize("name", ["L-2", "L-6", "L-9"])
def test_a_cube_that_is_held_in_the_air_stands_and_creeps_as_in_mujoco(name: str) -> None:
    """How surfaces and gears give way under load, and slip, decides where."""
    targets = through((0, 0), (0, 120), (20, 120))
    lifted = len(targets)
    targets = np.concatenate([targets, np.repeat(targets[-1:], 2000, axis=0)])
    oracle, fast = both(name, 0.45, targets)
    assert oracle[lifted, 1] > 10  # mm
    for row in (lifted, -1):
        assert fast[row] == pytest.approx(oracle[row], abs=0.2)
