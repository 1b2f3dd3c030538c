"""Captures of a face as soon as it is whole, sharp and at rest, with its stickers' colours."""

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from controller.vision.finding import grid_finder
from controller.vision.finding.gap_glare import without_glare
from solvers.foundation.arrays import Float64Array, Image

# Which points of a sticker count, sorted by how much white is in them, as shares.
LEAST_WHITE: Final = (0.1, 0.4)


def sample_colours(picture: Image, grid: grid_finder.Grid) -> Float64Array:
    """Return the sRGB colour of each sticker in reading order, shape (9, 3), for a BGR picture.

    Of a 2x2x2 cube, shape (4, 3).

    The median of the least white part of a patch, without the darkest: there is glare on the rest,
    scratches are darker. On a white centre the makers print their name; there the median of all.
    Where the gaps round another sticker show a glare, it is taken off.
    """
    patches = grid_finder.sample_patches(picture, grid)
    smooth = grid_finder.smoothed(patches)
    order = np.argsort(smooth.min(axis=2), axis=1, kind="stable")
    first, last = (round(share * order.shape[1]) for share in LEAST_WHITE)
    chosen = np.take_along_axis(patches, order[:, first:last, None], axis=1)
    colours = np.median(chosen, axis=1)
    if grid.side == 2:
        return np.asarray(colours)
    if grid_finder.is_pale(patches[grid_finder.CENTRE]):
        colours[grid_finder.CENTRE] = np.median(patches[grid_finder.CENTRE], axis=0)
    bare = without_glare(picture, grid)
    return np.where(np.isnan(bare), colours, bare)


STEADY_FRAMES: Final = 5
GREATEST_MOVE: Final = 0.15  # of the pitch, from frame to frame
GREATEST_COLOUR_CHANGE: Final = 30.0  # of 255, of any sticker, from frame to frame
# A picture this small has the camera's noise averaged away, and the sharp border of a sticker that
# moves by a fifth of a pixel changes one by 20 of 255: a tenth of what `GREATEST_MOVE` lets pass.
THUMBNAIL_PX: Final = 80
GREATEST_THUMBNAIL_CHANGE: Final = 12
# This many equal frames without a face are at rest: more of them would not help, since
# noise fades with the root of their number.
REST_FRAMES: Final = 24


@dataclass(frozen=True, slots=True, eq=False)
class FaceView:
    """One captured face: its colours (9, 3) as sRGB in reading order, and where they come from.

    `picture` and `grid` are those of the last frame; the colours are the medians of all. Those of a
    2x2x2 cube are (4, 3).
    """

    colours: Float64Array
    picture: Image
    grid: grid_finder.Grid


class SteadyGate:
    """Looks at one frame after the other and lets a face through when it has been steady.

    `expected` is where a fixed camera saw the last face. There half of the squares are enough,
    since glare and reflections hide some of them. A cube that a hand shows turns `in_a_hand`: only
    there several faces are seen at once, and a face must end where its grid does. `side` is how
    many stickers a row of it has.
    """

    def __init__(
        self,
        frames: int = STEADY_FRAMES,
        expected: grid_finder.Grid | None = None,
        *,
        in_a_hand: bool = False,
        side: int = 3,
    ) -> None:
        self.frames = frames
        self._in_a_hand = in_a_hand
        self._side = side
        self._expected = expected
        self._run: list[FaceView] = []
        self._thumbnail: Image | None = None  # of the frame in which the last grid was found
        self._still = _StillFrames()

    @property
    def progress(self) -> int:
        """How many frames the present face has been steady for."""
        return len(self._run)

    @property
    def rest(self) -> Image | None:
        """The mean of the frames in which no face was found, once enough of them show the same."""
        return self._still.mean if self._still.count >= REST_FRAMES else None

    def look(self, picture: Image) -> FaceView | None:
        """Return the face if this frame, BGR, completes its steady run."""
        thumbnail = _thumbnail(picture)
        grid = self._grid_still_there(thumbnail)
        if grid is None:
            averaged = self._still.add(picture, thumbnail)
            # The mean loses the luck of single frames: while nothing is found both have their turn.
            searched = averaged if self._run or self._still.count % 2 == 0 else picture
            grid, self._thumbnail = self._sharp_grid(searched), thumbnail
        if grid is None:
            self._run.clear()
            return None
        view = FaceView(sample_colours(picture, grid), picture, grid)
        if self._run and not _is_steady(self._run[-1], view):
            self._run.clear()
        self._run.append(view)
        if len(self._run) < self.frames:
            return None
        colours = np.median([seen.colours for seen in self._run], axis=0)
        self._run.clear()
        return FaceView(colours, picture, grid)

    def _grid_still_there(self, thumbnail: Image) -> grid_finder.Grid | None:
        """Return the last frame's grid if nothing has moved since it was found."""
        if not self._run or self._thumbnail is None or self._thumbnail.shape != thumbnail.shape:
            return None
        change = cv2.absdiff(thumbnail, self._thumbnail).max()
        return self._run[-1].grid if change <= GREATEST_THUMBNAIL_CHANGE else None

    def _sharp_grid(self, picture: Image) -> grid_finder.Grid | None:
        squares = grid_finder.find_squares(picture)
        grid = grid_finder.grid_of_squares(squares, self._side)
        if grid is not None and grid.is_sharp:
            is_whole = not self._in_a_hand or grid_finder.ends_at_the_cube(grid, squares, picture)
            return grid if is_whole else None
        if self._expected is None:
            return None
        seen = grid_finder.squares_in_place(squares, self._expected)
        return (
            replace(self._expected, squares=seen)
            if seen >= grid_finder.SQUARES_TO_CONFIRM
            else None
        )


class _StillFrames:
    """The mean of the last frames while nothing moves: noise that hides all edges fades in it."""

    def __init__(self) -> None:
        self._first: Image | None = None  # thumbnail
        self._total = np.zeros(0, np.float32)
        self.count = 0

    @property
    def mean(self) -> Image:
        """All of these frames in one picture."""
        return np.asarray(self._total / self.count, dtype=np.uint8)

    def add(self, picture: Image, thumbnail: Image) -> Image:
        """Return the mean of this frame and of those before it that show the same."""
        # Coarser still: in strong noise the finer one differs even if nothing moves.
        thumbnail = _shrunk(thumbnail, 0.25)
        first = self._first
        if first is None or first.shape != thumbnail.shape:
            is_same = False
        else:
            is_same = bool(cv2.absdiff(thumbnail, first).max() <= GREATEST_THUMBNAIL_CHANGE)
        if is_same and self._total.shape == picture.shape:
            self.count += 1
            cv2.accumulate(picture, self._total)
            return self.mean
        self._first, self.count = thumbnail, 1
        self._total = picture.astype(np.float32)
        return picture


def view_of_still(picture: Image, side: int = 3) -> FaceView | None:
    """Return the face in a single picture, BGR, or None if there is none."""
    if side == 2:
        grid = grid_finder.find_four_in_still(picture)
    else:
        grid = grid_finder.find_grid_in_still(picture)
    if grid is None:
        return None
    return FaceView(sample_colours(picture, grid), picture, grid)


def _thumbnail(picture: Image) -> Image:
    return _shrunk(picture, THUMBNAIL_PX / max(picture.shape[:2]))


def _shrunk(picture: Image, scale: float) -> Image:
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return small.astype(np.uint8, copy=False)


def _is_steady(before: FaceView, now: FaceView) -> bool:
    if now.grid is before.grid:
        return True  # the thumbnail shows the same; a glare at its threshold makes colours jump
    if now.grid.moved_from(before.grid) > GREATEST_MOVE:
        return False
    return float(np.abs(now.colours - before.colours).max()) <= GREATEST_COLOUR_CHANGE
