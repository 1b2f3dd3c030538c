"""Pictures from files, which may be anything: no picture, or a small file of very many pixels.

And pictures as files, for those who look on.
"""

from typing import Final

import cv2
import numpy as np

from controller.vision import MOST_PIXELS
from controller.vision.errors import InvalidScanError
from solvers.foundation.arrays import Image

PREVIEW_SIDE_PX: Final = 640
PREVIEW_QUALITY: Final = 80


def decoded(content: bytes, name: object) -> Image | None:
    """Return the picture in a file's bytes, BGR, or None if it is none.

    Raises InvalidScanError if it has too many pixels, before memory is taken for them.
    """
    if not content:
        return None
    try:
        picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        if "MAX_IMAGE" not in str(error):
            return None
        raise InvalidScanError(
            f"The picture {name} has more than {MOST_PIXELS // 10**6} million pixels. "
            "Save it smaller."
        ) from None
    return None if picture is None else np.asarray(picture, dtype=np.uint8)


def preview(picture: Image) -> bytes:
    """Return a BGR picture as a JPEG of at most 640 pixels a side: 20 to 40 KB."""
    scale = PREVIEW_SIDE_PX / max(picture.shape)
    if scale < 1:
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        picture = np.asarray(small, dtype=np.uint8)
    _, content = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, PREVIEW_QUALITY])
    return content.tobytes()
