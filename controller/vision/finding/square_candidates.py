"""Regions of a picture that could be stickers: flat, convex, about as wide as high.

A sticker is a flat region inside closed edges. Edges are looked for in blue, green and red and
laid over each other: a border that one channel misses (red on orange, blue on black) is clear in
another. Two sensitivities and two widths of the edges make up for noise and for rounded stickers.
"""

from typing import Final

import cv2
import numpy as np

from solvers.foundation.arrays import BoolArray, Float64Array, Image, Int32Array, UInt8Array

BLUR_SIGMA_PX: Final = 1.0
CANNY_THRESHOLDS: Final = ((15, 40), (40, 100))
EDGE_WIDTHS_PX: Final = (3, 5)

# Limits of a sticker's side, relative to the longer side of the picture.
LEAST_SIDE: Final = 0.03
GREATEST_SIDE: Final = 0.33
LEAST_ASPECT: Final = 0.55
# A full square covers 1.0 of its smallest rectangle, a disc 0.785.
LEAST_FILL: Final = 0.80
LEAST_CONVEXITY: Final = 0.80


def square_candidates(picture: Image) -> Float64Array:
    """Return centre x, centre y and side in pixels of each candidate, shape (n, 3).

    `picture` is BGR of shape (height, width, 3). The same square comes up to four times.
    """
    smooth = cv2.GaussianBlur(picture, (0, 0), BLUR_SIGMA_PX)
    # As Canny takes them by itself, each time anew.
    gradients = [
        cv2.spatialGradient(channel, ksize=3, borderType=cv2.BORDER_REPLICATE)
        for channel in cv2.split(smooth)
    ]
    found: list[tuple[float, float, float]] = []
    for low, high in CANNY_THRESHOLDS:
        edges = cv2.Canny(*gradients[0], low, high)
        for gradient in gradients[1:]:
            edges = cv2.bitwise_or(edges, cv2.Canny(*gradient, low, high))
        for width in EDGE_WIDTHS_PX:
            wide = cv2.dilate(edges, np.ones((width, width), np.uint8))
            # The dilated edge covers about half its width on each side of the region.
            found += _squares(wide == 0, grown_by=width - 1)
    return np.array(found, dtype=np.float64).reshape(-1, 3)


def _squares(regions: BoolArray, grown_by: int) -> list[tuple[float, float, float]]:
    _, labels, stats, _ = cv2.connectedComponentsWithStats(regions.view(np.uint8), connectivity=4)
    boxes = np.asarray(stats, dtype=np.int32)
    found = []
    for label in _of_a_stickers_size(boxes, max(regions.shape)):
        left, top, width, height, _ = boxes[label].tolist()
        box = labels[top : top + height, left : left + width] == label
        square = _square(box.view(np.uint8))
        if square is not None:
            x, y, inner_side = square
            found.append((x + left, y + top, inner_side + grown_by))
    return found


def _of_a_stickers_size(boxes: Int32Array, longer: int) -> list[int]:
    """Return which regions may be stickers by their boxes, OpenCV's left, top, width, height, area.

    Region 0 is the background. Most of the hundreds of regions are specks.
    """
    width, height, area = boxes[:, 2], boxes[:, 3], boxes[:, 4]
    side = np.maximum(width, height)
    fits = (LEAST_SIDE * longer < side) & (side < GREATEST_SIDE * longer)
    fits &= (np.minimum(width, height) >= 0.5 * side) & (area >= 0.4 * width * height)
    fits[0] = False
    return np.flatnonzero(fits).tolist()


def _square(mask: UInt8Array) -> tuple[float, float, float] | None:
    """Return centre and side of the one region in `mask`, or None if it is no square."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outline = max(contours, key=len).reshape(-1, 2)
    hull = cv2.convexHull(outline)
    (x, y), (width, height), _ = cv2.minAreaRect(hull)
    hull_area = cv2.contourArea(hull)
    if min(width, height) < LEAST_ASPECT * max(width, height):
        return None
    if hull_area < LEAST_FILL * width * height:
        return None
    if cv2.contourArea(outline) < LEAST_CONVEXITY * hull_area:
        return None
    return x, y, float(np.sqrt(hull_area))
