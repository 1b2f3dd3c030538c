"""The judge of choreographies: plausible rigs as rigid bodies in MuJoCo. It knows neither the
robot's code nor the simulated rig's; only recorded trajectories of the motors come in.

    from tests.physics import FRICTIONS, family, judge
    outcomes = [judge(rig, friction, rows) for rig in family() for friction in FRICTIONS]
    print(sum(each.works for each in outcomes), *outcomes, sep="\\n")  # what went wrong, in words

`rows` has the time in ms and degrees of the motors of arm, pusher and, if it turns, cradle, one row
a millisecond, from home to home; it is replayed three times in a row and each time has to roll the
cube once (`rolls=2`: twice). `tests.physics.recording.record` makes one of what the robot's motors
do for primitives. Rates count, compared with the thesis' own order on the same rigs,
`thesis_tilt()`. Rigs that are `kept_apart` are for testing only, not for finding a choreography.

How far to trust it. The model lies in the plane of a tilt. Arm and pusher follow their trajectory
with 0.38 Nm at most, whatever their speed; no part bends, nothing has backlash; a toe passes the
floor and the lips as if they had slots for it. A spin or layer turn is judged by the room that the
corners need. Sizes are assumed, as nobody knows the mechanism of the thesis.
"""

from tests.physics.oracle import FRICTIONS, Outcome, judge
from tests.physics.rigs import Rig, family, rig_named
from tests.physics.trajectories import FULL, Trajectory, thesis_tilt

__all__ = [
    "FRICTIONS",
    "FULL",
    "Outcome",
    "Rig",
    "Trajectory",
    "family",
    "judge",
    "rig_named",
    "thesis_tilt",
]
