"""What MindCuber's table and tilt arm do while our own choreography plays primitives.

The driver talks to the simulated brick in virtual time; what its motors do in each millisecond is
all that the judge receives.
"""

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from hardware_sims.nxt_brick.faults import Faults
from hardware_sims.nxt_brick.motors.physics import Battery
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.rigs.mindcuber.mechanics import GEAR_RATIO
from hardware_sims.rigs.mindcuber.rig import MindCuberRig
from solvers.rubik.cubies import SOLVED
from tests.mindcuber_robot import VirtualMindCuber
from tests.virtual_robot import play

FRESH_MV: Final = 9000

Angles: TypeAlias = npt.NDArray[np.float64]

SEQUENCES: Final[Sequence[tuple[Primitive, ...]]] = (
    (Tilt(), Tilt(), Tilt()),
    (TurnLayer(1), Tilt(), TurnLayer(-1), Tilt()),
    (Spin(1), Tilt(), TurnLayer(2), Tilt(), Spin(-1), Tilt()),
)
"""Every pair of neighbours that a tilt meets."""


class Recorded(MindCuberRig):
    """Notes each millisecond where table and tilt arm stand, in degrees of their motors."""

    def __init__(self) -> None:
        self.rows: list[tuple[float, float]] = []
        super().__init__(CradledCube(SOLVED))

    def advance(self, tick: int, ticks: int, battery: Battery) -> int:
        """Let one millisecond pass at most."""
        done = super().advance(tick, min(ticks, 1), battery)
        self.rows.append((self.pose.table_deg * GEAR_RATIO, self.pose.tilt_deg))
        return done


@cache
def recorded(*primitives: Primitive) -> tuple[Angles, Angles]:
    """Return table and tilt arm while primitives are played one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        robot = VirtualMindCuber(SOLVED, Path(folder) / "unused", Faults(battery_mv=FRESH_MV))
        rig = Recorded()
        robot.rig = rig  # type: ignore[assignment]
        robot.brick = robot._new_brick()
        with robot.mechanism() as mechanism:
            mechanism.set_home()
            start = len(rig.rows)
            play(mechanism, primitives)
            robot.brick.advance()
            rows = np.array(rig.rows[start:])
            mechanism.release()
    return rows[:, 0], rows[:, 1]
