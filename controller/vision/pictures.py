"""The cube that six pictures of its faces show: all that a project needs that has own pictures."""

from collections.abc import Sequence

import numpy as np

from controller.vision.errors import InvalidScanError, ScanFailedError
from controller.vision.finding.steady_gate import view_of_still
from controller.vision.reading.pocket_reader import PocketReading, read_pocket_shown
from controller.vision.reading.result import ScanResult
from controller.vision.reading.shown_reader import Viewing, read_shown
from solvers.foundation.arrays import Float64Array, Image
from solvers.rubik.facelets import FACE_LETTERS


def read_faces(images: Sequence[Image], viewing: Viewing | None = None) -> ScanResult:
    """Return the cube that six pictures show, a face in each, in any order and turned anyhow.

    A picture is an array (height, width, 3) of bytes in blue, green and red, as `cv2.imread` gives
    it. `viewing` says what is known of camera and cube: mirrored pictures, another colour scheme.

    Raises InvalidScanError unless there are six pictures, and ScanFailedError if no face is found
    in one of them.
    """
    result, _ = read_shown(_colours(images, side=3), viewing)
    return result


def read_pocket_faces(images: Sequence[Image], viewing: Viewing | None = None) -> PocketReading:
    """Return the 2x2x2 cube that six pictures show, as `read_faces` does.

    Raises InvalidScanError and ScanFailedError as that does.
    """
    return read_pocket_shown(_colours(images, side=2), viewing)


def _colours(images: Sequence[Image], side: int) -> Float64Array:
    """Return the colours of the faces in six pictures, (6, side², 3)."""
    if len(images) != len(FACE_LETTERS):
        raise InvalidScanError(
            f"A cube has six faces, but there are {len(images)} pictures. Give one of each face."
        )
    colours = np.empty((len(FACE_LETTERS), side**2, 3))
    for number, image in enumerate(images):
        # `cv2.imread` returns None for a file that is no picture.
        if image is None or image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
            raise InvalidScanError(
                f"Picture {number + 1} is no array of bytes in blue, green and red. Does its file "
                "exist, and is it a picture?"
            )
        view = view_of_still(image, side)
        if view is None:
            raise ScanFailedError(
                f"No face is found in picture {number + 1}. It has to show all stickers of a "
                "face, held flat to the camera, in even light."
            )
        colours[number] = view.colours
    return colours
