"""The stickers of a face in a picture: square regions, and the lattice that they form.

A sticker is a flat region inside closed edges. Edges are looked for in blue, green and red and
laid over each other: a border that one channel misses (red on orange, blue on black) is clear in
another. Two sensitivities and two widths of the edges make up for noise and for rounded stickers.

Every corner of three squares of about one size (a square, its right neighbour, its neighbour
below) proposes a lattice; the one that explains most squares of a 3 x 3 window wins. The four
stickers of a 2x2x2 cube explain little, so all four have to be seen.

Edges under a mirrored lamp show when its white is taken off. Between stickers are dark gaps, so
within a few pixels something is dark in one channel at least; what is bright there all the same is
the lamp, or white all over. This is how haze is removed (He, Sun, Tang: Single Image Haze Removal
Using Dark Channel Prior, CVPR 2009). It spoils colours (white stickers become dark), so it serves
to find edges alone.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import cv2
import numpy as np

from controller.vision.reading_order import CELLS, cells_of_face
from solvers.foundation.arrays import (
    BoolArray,
    Float32Array,
    Float64Array,
    Image,
    Int32Array,
    Int64Array,
    UInt8Array,
)
from solvers.foundation.compiled import compiled, kernel

# Nothing is left to be seen where more of a pixel is white.
_GREATEST_VEIL: Final = 0.9 * 255


def unveiled(picture: Image, reach_px: int) -> Image:
    """Return a BGR picture without the white over all within `reach_px`, an odd number.

    A small reach takes off narrow glares too, and starts to take off stickers.
    """
    window = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach_px, reach_px))
    darkest = cv2.erode(picture.min(axis=2), window)
    veil: Float32Array = cv2.GaussianBlur(darkest, (0, 0), reach_px / 3).astype(np.float32)
    veil = np.minimum(veil, np.float32(_GREATEST_VEIL))[..., None]
    return np.clip((picture - veil) * (255 / (255 - veil)), 0, 255).astype(np.uint8)


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
    # As Canny would take them itself, each time again.
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


NONE: Final = -1

# Two stickers next to each other: sides may differ so much by perspective and edges, and their
# distance is one side and a gap.
_SIDE_RATIO: Final = 1.45
_LEAST_STEP: Final = 0.95
_GREATEST_STEP: Final = 1.8
_STEP_RATIO: Final = 1.45
_LEAST_SINE: Final = 0.85  # of the angle between the two steps
# How far a square may lie from its place, in steps: at the first neighbours, and more further out,
# where perspective adds up.
_NEAR_ERROR: Final = 0.12
_FAR_ERROR: Final = 0.06
# Of equally good lattices the one with the larger squares is the cube, not the beams behind it.
_SIDE_BONUS: Final = 0.002


@compiled
def best_lattice(squares: Float64Array) -> Int64Array:
    """Return which square is in which cell of the best lattice, -1 where none does.

    `squares` are centre x, centre y and side, shape (n, 3). The cells, shape (9,), are in reading
    order: x grows to the right within 45 degrees, y downwards.
    """
    best = np.full(9, NONE, np.int64)
    best_score = 0.0
    cells = np.empty((5, 5), np.int64)
    errors = np.empty((5, 5))
    for origin in range(len(squares)):
        for right in range(len(squares)):
            if not _is_right_neighbour(squares[origin], squares[right]):
                continue
            for below in range(len(squares)):
                if not _completes_corner(squares[origin], squares[right], squares[below]):
                    continue
                _fill_cells(squares, origin, right, below, cells, errors)
                for top in range(3):
                    for left in range(3):
                        window = cells[top : top + 3, left : left + 3]
                        score = _score(squares, window, errors[top : top + 3, left : left + 3])
                        if score > best_score:
                            best_score = score
                            best[:] = window.copy().reshape(9)
    return best


@kernel
def _similar(first: float, second: float, ratio: float) -> bool:
    return bool(first < ratio * second and second < ratio * first)


@kernel
def _is_right_neighbour(origin: Float64Array, other: Float64Array) -> bool:
    x, y = other[0] - origin[0], other[1] - origin[1]
    if x <= 0 or abs(y) > x or not _similar(origin[2], other[2], _SIDE_RATIO):
        return False
    step = np.hypot(x, y) / origin[2]
    return bool(_LEAST_STEP < step < _GREATEST_STEP)


@kernel
def _completes_corner(origin: Float64Array, right: Float64Array, below: Float64Array) -> bool:
    if not _similar(origin[2], below[2], _SIDE_RATIO):
        return False
    ux, uy = right[0] - origin[0], right[1] - origin[1]
    vx, vy = below[0] - origin[0], below[1] - origin[1]
    across, down = np.hypot(ux, uy), np.hypot(vx, vy)
    is_corner = ux * vy - uy * vx > _LEAST_SINE * across * down
    return bool(_similar(across, down, _STEP_RATIO) and is_corner)


@kernel
def _fill_cells(
    squares: Float64Array,
    origin: int,
    right: int,
    below: int,
    cells: Int64Array,
    errors: Float64Array,
) -> None:
    """Put into each of 5 x 5 cells round the origin the square nearest to its place."""
    ux, uy = squares[right, 0] - squares[origin, 0], squares[right, 1] - squares[origin, 1]
    vx, vy = squares[below, 0] - squares[origin, 0], squares[below, 1] - squares[origin, 1]
    determinant = ux * vy - uy * vx
    cells[:] = NONE
    for index in range(len(squares)):
        if not _similar(squares[origin, 2], squares[index, 2], _SIDE_RATIO):
            continue
        x, y = squares[index, 0] - squares[origin, 0], squares[index, 1] - squares[origin, 1]
        column, row = (x * vy - y * vx) / determinant, (ux * y - uy * x) / determinant
        i, j = round(row), round(column)
        distance = max(abs(i), abs(j))
        if distance > 2:
            continue
        error = max(abs(row - i), abs(column - j))
        if error > _NEAR_ERROR + _FAR_ERROR * distance:
            continue
        if cells[i + 2, j + 2] == NONE or error < errors[i + 2, j + 2]:
            cells[i + 2, j + 2] = index
            errors[i + 2, j + 2] = error


@kernel
def _score(squares: Float64Array, window: Int64Array, errors: Float64Array) -> float:
    count = 0
    error = 0.0
    side = 0.0
    for row in range(3):
        for column in range(3):
            index = window[row, column]
            if index != NONE:
                count += 1
                error += errors[row, column]
                side += squares[index, 2]
    return count - error + _SIDE_BONUS * side / max(count, 1)


# How uneven four squares may be as a face of four: the sum of how far the fourth is from where the
# others put it, in steps, of how much sides and steps differ, and of how wide the gaps are beyond
# those of a cube. Faces in a hand reach 0.3; things behind them seldom fall below 0.5.
_GREATEST_UNEVENNESS: Final = 0.45
_USUAL_STEP: Final = 1.3  # in sides


@compiled
def best_four(squares: Float64Array) -> Int64Array:
    """Return which squares are the most even lattice of two by two, in reading order.

    `squares` are centre x, centre y and side, shape (n, 3); all are -1 where there is none.
    """
    best = np.full(4, NONE, np.int64)
    least = _GREATEST_UNEVENNESS
    for origin in range(len(squares)):
        for right in range(len(squares)):
            if not _is_right_neighbour(squares[origin], squares[right]):
                continue
            for below in range(len(squares)):
                if not _completes_corner(squares[origin], squares[right], squares[below]):
                    continue
                for last in range(len(squares)):
                    if not _similar(squares[origin, 2], squares[last, 2], _SIDE_RATIO):
                        continue
                    uneven = _unevenness(squares, origin, right, below, last)
                    if uneven < least:
                        least = uneven
                        best[0], best[1], best[2], best[3] = origin, right, below, last
    return best


@kernel
def _unevenness(squares: Float64Array, origin: int, right: int, below: int, last: int) -> float:
    ux, uy = squares[right, 0] - squares[origin, 0], squares[right, 1] - squares[origin, 1]
    vx, vy = squares[below, 0] - squares[origin, 0], squares[below, 1] - squares[origin, 1]
    across, down = np.hypot(ux, uy), np.hypot(vx, vy)
    x, y = squares[last, 0] - squares[origin, 0], squares[last, 1] - squares[origin, 1]
    off = np.hypot(x - ux - vx, y - uy - vy) / max(across, down)
    smallest = min(
        min(squares[origin, 2], squares[right, 2]), min(squares[below, 2], squares[last, 2])
    )
    largest = max(
        max(squares[origin, 2], squares[right, 2]), max(squares[below, 2], squares[last, 2])
    )
    wide = max(across, down) / smallest - _USUAL_STEP
    return float(off + (largest / smallest - 1) + abs(np.log(across / down)) + max(wide, 0.0))


# A grid with fewer squares is chance; one with eight is sharp, whole and not moving.
LEAST_SQUARES: Final = 6
SQUARES_TO_CAPTURE: Final = 8
# Of a fixed camera that has seen a face in this place before.
SQUARES_TO_CONFIRM: Final = 4

_STICKER_REACH: Final = 0.4  # from its centre, in pitches; the rim of the cube need not be seen
# One square just beyond an edge may be anything. Two in a row are stickers if they are about as
# large as those of the face (smaller on a side that is turned away) and as each other, off their
# places by the same way, in pitches, and have plastic between them. Among sixty things behind a
# cube 18 of 100 whole faces seemed to go on by places alone, and less than 1 by all of these.
_ROW_SIDES: Final = (0.6, 1.15)
_ROW_SIDE_RATIO: Final = 1.2
_ROW_UNEVENNESS: Final = 0.15
_LEAST_PLASTIC: Final = (0.4, -15.0)  # of the face's own, as a share and steps of 8 bits more
_GREATEST_PLASTIC: Final = (1.3, 60.0)
# Pictures are searched at this length of their longer side: a sticker then has 20 to 70 pixels.
WORKING_LENGTH_PX: Final = 480
# A single photograph is worth further attempts: finer, coarser, and with noise averaged away. Each
# is a length and what the picture is blurred by at that length.
STILL_ATTEMPTS: Final = ((480, 0.0), (800, 0.0), (320, 0.0), (480, 2.0), (320, 2.0), (240, 1.0))
# A sticker's side is 50 to 160 of these pixels. What one reach shows of the stickers under a glare,
# and what another one, is put together.
GLARE_REACHES_PX: Final = (5, 7, 9, 13, 21, 33)


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A face in a picture: `homography` takes (column, row) 0..2 to pixels (x, y).

    `squares` is how many of the stickers were seen; the others follow from those. `side` is how
    many are in a row: 2 for a 2x2x2 cube.
    """

    homography: Float64Array
    squares: int
    side: int = 3

    @property
    def is_sharp(self) -> bool:
        """Whether as many stickers were seen as in a picture that is whole and not moving."""
        return self.squares >= min(SQUARES_TO_CAPTURE, self.side**2)

    def pixels(self, cells: Float64Array) -> Float64Array:
        """Return where points given as (column, row) lie in the picture, both shape (n, 2)."""
        points = np.column_stack([cells, np.ones(len(cells))]) @ self.homography.T
        return points[:, :2] / points[:, 2:]

    @property
    def centres(self) -> Float64Array:
        """Pixels of the sticker centres in reading order, shape (9, 2)."""
        return self.pixels(cells_of_face(self.side))

    @property
    def pitch_px(self) -> float:
        """Mean distance of neighbouring stickers."""
        steps = self.side - 1
        corners = self.centres[[0, steps, -1, -self.side]]
        return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean() / steps)

    def moved_from(self, other: "Grid") -> float:
        """Return the largest movement of a sticker since `other`, in pitches."""
        distance = np.linalg.norm(self.centres - other.centres, axis=1).max()
        return float(distance / other.pitch_px)


def find_grid(
    picture: Image, length_px: int = WORKING_LENGTH_PX, blur_px: float = 0.0
) -> Grid | None:
    """Return the face that is flattest towards the camera, or None.

    `picture` is BGR of shape (height, width, 3); it is searched at `length_px` along its longer
    side, or as it is when that is shorter, and blurred first where noise is strong.
    """
    return grid_of_squares(find_squares(picture, length_px, blur_px))


def find_squares(
    picture: Image,
    length_px: int = WORKING_LENGTH_PX,
    blur_px: float = 0.0,
    glare_reach_px: int | None = None,
) -> Float64Array:
    """Return centre x, centre y and side of what could be stickers, in pixels of the picture.

    `glare_reach_px`, of the picture as it is searched: glare is taken off before (`unveiled`).
    """
    scale = min(1.0, length_px / max(picture.shape[:2]))
    if scale < 1:
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        picture = small.astype(np.uint8, copy=False)
    if blur_px:
        picture = cv2.GaussianBlur(picture, (0, 0), blur_px).astype(np.uint8, copy=False)
    if glare_reach_px:
        picture = unveiled(picture, glare_reach_px)
    squares = distinct(square_candidates(picture))
    squares /= scale
    # Pixel centres, not corners, are at whole numbers.
    squares[:, :2] += 0.5 / scale - 0.5
    return squares


def grid_of_squares(squares: Float64Array, side: int = 3) -> Grid | None:
    """Return the lattice that most of the squares (n, 3) lie on, or None.

    With 2 stickers a `side`, the most even one of four squares.
    """
    if side == 2:
        return _grid_of_four(squares)
    cells = best_lattice(squares)
    seen = cells != NONE
    if seen.sum() < LEAST_SQUARES:
        return None
    homography, _ = cv2.findHomography(CELLS[seen], squares[cells[seen], :2])
    return Grid(np.asarray(homography, dtype=np.float64), int(seen.sum()))


def _grid_of_four(squares: Float64Array) -> Grid | None:
    chosen = best_four(squares)
    if chosen[0] == NONE:
        return None
    places = cells_of_face(2).astype(np.float32)
    homography = cv2.getPerspectiveTransform(places, squares[chosen, :2].astype(np.float32))
    return Grid(np.asarray(homography, dtype=np.float64), len(chosen), side=2)


def squares_in_place(squares: Float64Array, grid: Grid) -> int:
    """Return how many cells of a grid that was found before have a square in their middle."""
    distances = np.linalg.norm(grid.centres[:, None] - squares[:, :2], axis=2)
    fits = (distances < 0.15 * grid.pitch_px) & (squares[:, 2] > 0.6 * grid.pitch_px)
    return int(fits.any(axis=1).sum())


def is_inside(grid: Grid, picture: Image) -> bool:
    """Return whether all stickers of a grid are in the picture."""
    height, width = picture.shape[:2]
    first, last = -_STICKER_REACH, grid.side - 1 + _STICKER_REACH
    corners = grid.pixels(np.array([[first, first], [last, first], [last, last], [first, last]]))
    return bool(corners.min() >= 0 and (corners <= (width - 1, height - 1)).all())


def ends_at_the_cube(grid: Grid, squares: Float64Array, picture: Image) -> bool:
    """Return whether a grid shows a whole face and nothing continues beyond it.

    While a cube is turned, two columns of one face and one of the next can lie like nine stickers;
    then a row of stickers is left outside. `squares` (n, 3) are those of the same picture.
    """
    if not is_inside(grid, picture):
        return False
    side = grid.side
    beyond = [[(-1, i), (side, i), (i, -1), (i, side)] for i in range(side)]
    outside = grid.pixels(np.array(beyond, dtype=np.float64).swapaxes(0, 1).reshape(-1, 2))
    # Two things behind a 2x2x2 cube are sooner in the places of a row than three.
    reach = 0.3 if side == 3 else 0.2
    least, greatest = np.array(_ROW_SIDES) * _usual_side(grid, squares)
    alike = squares[(least < squares[:, 2]) & (squares[:, 2] < greatest)]
    offsets = (alike[:, :2] - outside[:, None]) / grid.pitch_px
    places, found = np.nonzero(np.linalg.norm(offsets, axis=2) < reach)
    for (place, one), (next_place, other) in combinations(zip(places, found, strict=True), 2):
        if (
            place // side == next_place // side
            and place != next_place
            and _similar(alike[one, 2], alike[other, 2], _ROW_SIDE_RATIO)
            and np.linalg.norm(offsets[place, one] - offsets[next_place, other]) < _ROW_UNEVENNESS
            and _is_plastic_between(
                alike[one, :2], alike[other, :2], int(next_place - place), grid, picture
            )
        ):
            return False
    return True


def _usual_side(grid: Grid, squares: Float64Array) -> float:
    """Return the median side in pixels of the squares that lie on a grid."""
    apart = np.linalg.norm(grid.centres[:, None] - squares[:, :2], axis=2)
    return float(np.median(squares[apart.argmin(axis=1), 2]))


def _is_plastic_between(
    start: Float64Array, end: Float64Array, steps: int, grid: Grid, picture: Image
) -> bool:
    """Return whether the gaps between two squares, `steps` places apart, look like a face's own.

    On a side that is turned away they are darker, and seldom much brighter.
    """
    cells = cells_of_face(grid.side).reshape(grid.side, grid.side, 2)
    across = (cells[:, :-1] + cells[:, 1:]).reshape(-1, 2) / 2
    down = (cells[:-1] + cells[1:]).reshape(-1, 2) / 2
    own = np.median(_means_at(picture, grid.pixels(np.concatenate([across, down]))), axis=0)
    shares = (np.arange(steps)[:, None] + 0.5) / steps
    between = _means_at(picture, start + shares * (end - start))
    least, greatest = (share * own + more for share, more in (_LEAST_PLASTIC, _GREATEST_PLASTIC))
    return bool(((least < between) & (between < greatest)).all())


def _means_at(picture: Image, points: Float64Array) -> Float64Array:
    """Return the means of 3 x 3 pixels round points (n, 2), shape (n, 3), BGR."""
    x, y = points.astype(np.float32)[None].transpose(2, 0, 1)
    return np.asarray(cv2.remap(cv2.blur(picture, (3, 3)), x, y, cv2.INTER_LINEAR)[0], np.float64)


def find_four_in_still(picture: Image) -> Grid | None:
    """Return the face of a 2x2x2 cube in a single photograph, searched at several sizes."""
    for length_px, blur_px in STILL_ATTEMPTS:
        squares = find_squares(picture, length_px, blur_px)
        grid = grid_of_squares(squares, side=2)
        if grid is not None and ends_at_the_cube(grid, squares, picture):
            return grid
    squares = squares_behind_glare(picture)
    grid = grid_of_squares(squares, side=2)
    return grid if grid is not None and ends_at_the_cube(grid, squares, picture) else None


def find_grid_in_still(picture: Image) -> Grid | None:
    """Return the face in a single photograph, searched at several sizes until all is clear."""
    best: Grid | None = None
    for length_px, blur_px in STILL_ATTEMPTS:
        grid = find_grid(picture, length_px, blur_px)
        if grid is not None and (best is None or grid.squares > best.squares):
            best = grid
        if best is not None and best.squares >= SQUARES_TO_CAPTURE:
            return best
    grid = grid_of_squares(squares_behind_glare(picture))
    return grid if best is None or (grid is not None and grid.squares > best.squares) else best


def squares_behind_glare(*pictures: Image) -> Float64Array:
    """Return what could be stickers (n, 3) in pictures that a lamp hides some in.

    Several pictures show faces in one place: a border that glare hides in one of them, because it
    is as bright as its surroundings there, is seen in another one.
    """
    found = [
        find_squares(picture, glare_reach_px=reach)
        for picture in pictures
        for reach in (None, *GLARE_REACHES_PX)
    ]
    return distinct(np.concatenate(found))


def distinct(squares: Float64Array) -> Float64Array:
    """Return the squares without those that repeat a larger one."""
    distinct: list[Float64Array] = []
    for square in squares[np.argsort(-squares[:, 2], kind="stable")]:
        if not any(_is_same(square, other) for other in distinct):
            distinct.append(square)
    return np.array(distinct).reshape(-1, 3)


def _is_same(square: Float64Array, other: Float64Array) -> bool:
    distance = np.hypot(square[0] - other[0], square[1] - other[1])
    return bool(distance < 0.15 * other[2] and abs(square[2] - other[2]) < 0.2 * other[2])


# The middle of a sticker, as a share of the pitch: away from rounded corners and black gaps.
PATCH_HALF_WIDTH: Final = 0.24
PATCH_POINTS: Final = 13  # along each side
CENTRE: Final = 4
PALE: Final = 0.6  # least channel of a white sticker, as a share of its greatest
_GAMMA: Final = 2.2

STEPS: Final[Float64Array] = np.linspace(-PATCH_HALF_WIDTH, PATCH_HALF_WIDTH, PATCH_POINTS)
_PATCH = np.stack(np.meshgrid(STEPS, STEPS), axis=-1).reshape(-1, 2)


def sample_patches(picture: Image, grid: Grid) -> Float64Array:
    """Return sRGB at points spread over each sticker, shape (stickers, PATCH_POINTS ** 2, 3).

    Rows of points follow each other; in a row x grows. `picture` is BGR.
    """
    return colours_at(picture, grid, cells_of_face(grid.side)[:, None] + _PATCH)


def colours_at(picture: Image, grid: Grid, places: Float64Array) -> Float64Array:
    """Return sRGB (..., 3) at places (..., 2), given as (column, row) of a face."""
    points = grid.pixels(places.reshape(-1, 2)).astype(np.float32).reshape(len(places), -1, 2)
    colours = cv2.remap(
        picture,
        points[..., 0],
        points[..., 1],
        interpolation=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return colours.astype(np.float64)[..., ::-1].reshape(*places.shape[:-1], 3)


def is_pale(patch: Float64Array) -> bool:
    """Return whether the points of a patch, sRGB (points, 3), are those of a white sticker."""
    middle = np.median(patch, axis=0)
    return bool(middle.min() > PALE * middle.max())


def light_of(colours: Float64Array) -> Float64Array:
    """Return the linear light of sRGB colours, 1 for 255: light adds up, sRGB does not."""
    return np.asarray((colours / 255) ** _GAMMA)


def colours_of(light: Float64Array) -> Float64Array:
    """Return the sRGB colours of linear light, which is cut to 0..1."""
    return np.asarray(255 * np.clip(light, 0, 1) ** (1 / _GAMMA))


def smoothed(patches: Float64Array) -> Float64Array:
    """Return patches (..., points, 3) with each point the mean of three by three."""
    side = PATCH_POINTS
    grids = patches.reshape(*patches.shape[:-2], side, side, 3)
    padding = [(0, 0)] * (grids.ndim - 3) + [(1, 1), (1, 1), (0, 0)]
    padded = np.pad(grids, padding, mode="edge")
    total = sum(
        padded[..., row : row + side, column : column + side, :]
        for row in range(3)
        for column in range(3)
    )
    return np.asarray(total / 9).reshape(patches.shape)
