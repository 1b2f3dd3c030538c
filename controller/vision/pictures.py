"""The cube that six pictures of its faces show: all that a project needs that has own pictures."""

from collections.abc import Sequence

import numpy as np

from controller.vision.errors import InvalidScanError, ScanFailedError
from controller.vision.finding.steady_gate import view_of_still
from controller.vision.reading.result import ScanResult
from controller.vision.reading.shown_reader import Viewing, read_shown
from solvers.foundation.arrays import Image
from solvers.rubik.facelets import FACE_LETTERS


def read_faces(images: Sequence[Image], viewing: Viewing | None = None) -> ScanResult:
    """Return the cube that six pictures show, a face in each, in any order and turned anyhow.

    A picture is an array (height, width, 3) of bytes in blue, green and red, as `cv2.imread` gives
    it. `viewing` says what is known of camera and cube: mirrored pictures, another colour scheme.

    Raises InvalidScanError unless there are six pictures, and ScanFailedError if no face is found
    in one of them.
    """
    if len(images) != len(FACE_LETTERS):
        raise InvalidScanError(
            f"A cube has six faces, but there are {len(images)} pictures. Give one of each face."
        )
    colours = np.empty((len(FACE_LETTERS), 9, 3))
    for number, image in enumerate(images):
        # `cv2.imread` returns None for a file that is no picture.
        if image is None or image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
            raise InvalidScanError(
                f"Picture {number + 1} is no array of bytes in blue, green and red. Does its file "
                "exist, and is it a picture?"
            )
        view = view_of_still(image)
        if view is None:
            raise ScanFailedError(
                f"No face is found in picture {number + 1}. It has to show all nine stickers of a "
                "face, held flat to the camera, in even light."
            )
        colours[number] = view.colours
    result, _ = read_shown(colours, viewing)
    return result
