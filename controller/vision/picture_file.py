"""Pictures from files, which may be anything: no picture, or a small file of very many pixels."""

import cv2
import numpy as np

from controller.vision import MOST_PIXELS
from controller.vision.errors import InvalidScanError
from solvers.foundation.arrays import Image


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
