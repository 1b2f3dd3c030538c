"""Takes white off a picture that a mirrored lamp lays over it, so that edges under it show.

Between stickers are dark gaps, so within the reach of a few pixels something is dark in one channel
at least; what is bright there all the same is the lamp, or white all over. This is how haze is
removed (He, Sun, Tang: Single Image Haze Removal Using Dark Channel Prior, CVPR 2009). It spoils
colours (white stickers become dark), so it serves to find edges alone.
"""

from typing import Final

import cv2
import numpy as np

from solvers.foundation.arrays import Float32Array, Image

# Nothing is left to be seen where more of a pixel is white.
_GREATEST_VEIL: Final = 0.9 * 255


def unveiled(picture: Image, reach_px: int) -> Image:
    """Return a BGR picture without the white that lies over all within `reach_px`, an odd number.

    A small reach takes off narrow glares too, and begins to take off stickers.
    """
    window = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach_px, reach_px))
    darkest = cv2.erode(picture.min(axis=2), window)
    veil: Float32Array = cv2.GaussianBlur(darkest, (0, 0), reach_px / 3).astype(np.float32)
    veil = np.minimum(veil, np.float32(_GREATEST_VEIL))[..., None]
    return np.clip((picture - veil) * (255 / (255 - veil)), 0, 255).astype(np.uint8)
