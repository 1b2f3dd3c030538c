"""The usual colours of a cube, as a camera sees them."""

from typing import Final

import numpy as np

from solvers.foundation.arrays import Float64Array
from solvers.rubik.facelets import FACE_LETTERS
from solvers.rubik.rotations import all_orientations

# White, red, green, yellow, orange, blue at U R F D L B: the usual scheme, as sRGB.
_USUAL: Final = np.array(
    [(255, 255, 255), (190, 30, 45), (0, 155, 85), (255, 213, 0), (255, 120, 20), (20, 70, 190)]
)


def colours_of(centres: Float64Array) -> str:
    """Return for U R F D L B the letter of the usual colour that a camera saw in its centre.

    `centres` (6, 3) are sRGB. Of all ways in which a cube of the usual scheme can lie, it is the
    nearest, so that a bad light can swap no two of the colours.
    """
    lies = min(
        all_orientations(),
        key=lambda lies: float(np.square(_USUAL[list(lies.faces)] - centres).sum()),
    )
    return "".join(FACE_LETTERS[face] for face in lies.faces)
