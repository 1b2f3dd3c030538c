"""A cube that a camera has read with doubts: its orange has faded nearly to red."""

from functools import cache
from typing import Final

from msgspec.structs import replace

from controller.job_events import CubeRead
from controller.vision.scans.robot_scan import robot_scan
from hardware_sims.rigs.cradle.camera.levels import HARDEST, LEVELS
from hardware_sims.rigs.cubes import CradledCube
from solvers.foundation.progress import run_job
from solvers.rubik.scramble import random_state
from tests.camera_rig import COSTS, CameraRig

FADED: Final = replace(LEVELS[HARDEST], red_orange_alike=0.7)
DOUBTFUL_SEED: Final = 34
"""Of a cube, a camera and its light that leave doubts which one sticker's colour ends."""


@cache
def doubtful_read() -> tuple[CubeRead, str]:
    """Return what is read in one tour, and the cube's true stickers afterwards.

    A second tour, which the robot would make, ends the doubts.
    """
    rig = CameraRig(CradledCube(random_state(DOUBTFUL_SEED)), level=FADED, seed=DOUBTFUL_SEED)
    outcome = run_job(robot_scan(rig, rig.perform, COSTS, most_tours=1))
    return CubeRead(outcome.result, outcome.rgb), rig.cube.stickers
