"""What tilts and spins do to the way the cube lies in the cradle."""

from functools import cache

from controller.motion.primitives import Spin, Tilt
from solvers.rubik.rotations import UPRIGHT, Face, Orientation, X, Y, all_orientations

# The tilt rolls the cube forwards, against the direction in which R turns.
_TILT = X.inverse()
# By quarters modulo 4; a spin by one quarter brings the right face to the front, as U turns.
_SPINS = (UPRIGHT, Y, Y.then(Y), Y.inverse())


@cache  # 24 ways to lie and few motions, asked for thousands of times in each plan
def orientation_after(orientation: Orientation, motion: Tilt | Spin) -> Orientation:
    """Return how the cube lies after one motion of the whole cube."""
    return orientation.then(_TILT if isinstance(motion, Tilt) else _SPINS[motion.quarters % 4])


@cache
def orientations_with_down(face: Face) -> tuple[Orientation, ...]:
    """Return the four orientations in which a layer turn would turn `face`."""
    return tuple(each for each in all_orientations() if each[Face.D] == face)
