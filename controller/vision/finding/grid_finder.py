"""Where the nine stickers of a face lie in a picture."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from controller.vision.finding.lattice import NONE, best_lattice
from controller.vision.finding.square_candidates import square_candidates
from controller.vision.finding.unveiling import unveiled
from controller.vision.reading_order import CELLS
from solvers.foundation.arrays import Float64Array, Image

# A grid with fewer squares is chance; one with eight is sharp, whole and not moving.
LEAST_SQUARES: Final = 6
SQUARES_TO_CAPTURE: Final = 8
# Of a fixed camera that has seen a face in this place before.
SQUARES_TO_CONFIRM: Final = 4

# One square just beyond an edge may be anything; two in a row of three are stickers.
ROW_GOES_ON: Final = 2
# Rims of a face and the twelve places beyond it, side by side, as (column, row).
_CORNERS = np.array([[-0.5, -0.5], [2.5, -0.5], [2.5, 2.5], [-0.5, 2.5]])
_NEIGHBOURS = np.array(
    [[(-1, i), (3, i), (i, -1), (i, 3)] for i in range(3)], dtype=np.float64
).swapaxes(0, 1).reshape(-1, 2)  # fmt: skip

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

    `squares` is how many of the nine stickers were seen; the others follow from those.
    """

    homography: Float64Array
    squares: int

    def pixels(self, cells: Float64Array) -> Float64Array:
        """Return where points given as (column, row) lie in the picture, both shape (n, 2)."""
        points = np.column_stack([cells, np.ones(len(cells))]) @ self.homography.T
        return points[:, :2] / points[:, 2:]

    @property
    def centres(self) -> Float64Array:
        """Pixels of the nine sticker centres in reading order, shape (9, 2)."""
        return self.pixels(CELLS)

    @property
    def pitch_px(self) -> float:
        """Mean distance of neighbouring stickers."""
        corners = self.centres[[0, 2, 8, 6]]
        return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean() / 2)

    def moved_from(self, other: "Grid") -> float:
        """Return the largest movement of a sticker since `other`, in pitches."""
        distance = np.linalg.norm(self.centres - other.centres, axis=1).max()
        return float(distance / other.pitch_px)


def find_grid(
    picture: Image, length_px: int = WORKING_LENGTH_PX, blur_px: float = 0.0
) -> Grid | None:
    """Return the face that lies flattest towards the camera, or None.

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


def grid_of_squares(squares: Float64Array) -> Grid | None:
    """Return the lattice that most of the squares (n, 3) lie on, or None."""
    cells = best_lattice(squares)
    seen = cells != NONE
    if seen.sum() < LEAST_SQUARES:
        return None
    homography, _ = cv2.findHomography(CELLS[seen], squares[cells[seen], :2])
    return Grid(np.asarray(homography, dtype=np.float64), int(seen.sum()))


def squares_in_place(squares: Float64Array, grid: Grid) -> int:
    """Return how many cells of a grid that was found before have a square in their middle."""
    distances = np.linalg.norm(grid.centres[:, None] - squares[:, :2], axis=2)
    fits = (distances < 0.15 * grid.pitch_px) & (squares[:, 2] > 0.6 * grid.pitch_px)
    return int(fits.any(axis=1).sum())


def ends_at_the_cube(grid: Grid, squares: Float64Array, picture: Image) -> bool:
    """Return whether a grid shows a whole face and nothing goes on beyond it.

    While a cube is turned, two columns of one face and one of the next can lie like nine stickers;
    then a row of stickers is left outside. `squares` (n, 3) are those of the same picture.
    """
    height, width = picture.shape[:2]
    corners = grid.pixels(_CORNERS)
    if corners.min() < 0 or (corners > (width - 1, height - 1)).any():
        return False
    outside = grid.pixels(_NEIGHBOURS)
    distances = np.linalg.norm(outside[:, None] - squares[:, :2], axis=2)
    like_stickers = squares[:, 2] > 0.4 * grid.pitch_px
    taken = ((distances < 0.3 * grid.pitch_px) & like_stickers).any(axis=1)
    return bool(taken.reshape(4, 3).sum(axis=1).max() < ROW_GOES_ON)


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
    kept: list[Float64Array] = []
    for square in squares[np.argsort(-squares[:, 2], kind="stable")]:
        if not any(_is_same(square, other) for other in kept):
            kept.append(square)
    return np.array(kept).reshape(-1, 3)


def _is_same(square: Float64Array, other: Float64Array) -> bool:
    distance = np.hypot(square[0] - other[0], square[1] - other[1])
    return bool(distance < 0.15 * other[2] and abs(square[2] - other[2]) < 0.2 * other[2])
