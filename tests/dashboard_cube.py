"""A cube that a camera has read with doubts: one tour of a simulated rig at the hardest level."""

from functools import cache
from typing import Final

from controller.job_events import CubeRead
from controller.vision.scans.robot_scan import robot_scan
from hardware_sims.cube_rig.cradled_cube import CradledCube
from solvers.foundation.progress import run_job
from solvers.rubik.scramble import random_state
from tests.camera_rig import COSTS, CameraRig

DOUBTFUL_SEED: Final = 0


@cache
def doubtful_read() -> CubeRead:
    """Return the reading of one tour; a second one would look again and end the doubts."""
    rig = CameraRig(CradledCube(random_state(DOUBTFUL_SEED)), level=3, seed=GLARING_SEED)
    outcome = run_job(robot_scan(rig, rig.perform, COSTS, most_tours=1))
    return CubeRead(outcome.result, outcome.rgb)
