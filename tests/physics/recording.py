"""Trajectories of the motors, recorded while the robot's own choreography plays primitives.

The driver talks to the simulated brick in virtual time; what its motors do in each millisecond is
all that the judge receives.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from controller.motion.primitives import Primitive
from controller.rigs.nxt_cradle.calibration.values import Calibration
from hardware_sims.nxt_brick.motors.physics import Battery
from hardware_sims.rigs.cradle.mechanics import GEAR_RATIO
from hardware_sims.rigs.cradle.rig import CubeRig
from solvers.rubik.cubies import SOLVED
from tests.physics.trajectories import Trajectory, from_angles
from tests.virtual_robot import DRIVE, RIG, VirtualRobot, play


class RecordedRig(CubeRig):
    """A simulated rig that notes where its three motors stand, each millisecond."""

    def __init__(self) -> None:
        self.rows: list[tuple[float, float, float]] = []
        super().__init__()

    def advance(self, tick: int, ticks: int, battery: Battery) -> int:
        """Let one millisecond pass at most."""
        done = super().advance(tick, min(ticks, 1), battery)
        pose = self.pose
        self.rows.append((pose.arm_deg, pose.pusher_deg, pose.cradle_deg * GEAR_RATIO))
        return done


def record(
    primitives: Sequence[Primitive], calibration: Calibration = RIG, drive: str = DRIVE
) -> Trajectory:
    """Return what the motors do, in degrees from home, from the first primitive until home again.

    The simulated rig is there to move the motors; how its cube fares is not asked.
    """
    with tempfile.TemporaryDirectory() as folder:
        robot = VirtualRobot(SOLVED, Path(folder) / "unused", calibration=calibration, drive=drive)
        robot.put_on(rig := RecordedRig())
        with robot.mechanism() as mechanism:
            mechanism.set_home()
            start = len(rig.rows)
            home = rig.rows[-1]
            play(mechanism, primitives)
            robot.brick.advance()
            rows = rig.rows[start:]
            mechanism.release()
    return from_angles(
        [tuple(at - zero for at, zero in zip(row, home, strict=True)) for row in rows]
    )
