"""Faces of any cube, put together from stickers of real ones: their photographs at hand."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np

from controller.vision.finding.grid_finder import find_grid_in_still
from solvers.foundation.arrays import Image
from tests.vision_data import PHOTO_FOLDER, photo, real_scans

CELL_PX: Final = 60
FACE_PX: Final = 3 * CELL_PX


@dataclass(frozen=True, slots=True, eq=False)
class StickerSet:
    """For each letter pictures of stickers with half of the gap round them, CELL_PX wide."""

    name: str
    by_letter: dict[str, list[Image]]

    def faces(self, facelets: str, rng: np.random.Generator, side: int = 3) -> list[Image]:
        """Return the six faces, U R F D L B, FACE_PX wide, of a cube with these letters."""
        cells = [self._sticker(letter, rng) for letter in facelets]
        rows = [np.hstack(cells[start : start + side]) for start in range(0, len(cells), side)]
        faces = [np.vstack(rows[start : start + side]) for start in range(0, len(rows), side)]
        if side == 3:
            return faces
        return [np.asarray(cv2.resize(face, (FACE_PX, FACE_PX)), np.uint8) for face in faces]

    def _sticker(self, letter: str, rng: np.random.Generator) -> Image:
        cell = self.by_letter[letter][rng.integers(9)]
        return np.rot90(cell, int(rng.integers(4)))


@cache
def sticker_sets() -> tuple[StickerSet, ...]:
    """Return the cubes whose photographs are upright, so that each sticker's letter is known."""
    truths = {scan.name: scan.truth for scan in real_scans() if scan.name.startswith("img/")}
    return tuple(
        _sticker_set(name.removeprefix("img/"), truth) for name, truth in truths.items() if truth
    )


def _sticker_set(name: str, truth: str) -> StickerSet:
    by_letter: dict[str, list[Image]] = {letter: [] for letter in "URFDLB"}
    for number, face in enumerate("URFDLB"):
        picture = photo(PHOTO_FOLDER / name / f"rubiks-side-{face}.png")
        grid = find_grid_in_still(picture)
        assert grid is not None, name
        to_cells = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1 / CELL_PX]]) * CELL_PX
        flat = cv2.warpPerspective(
            picture, to_cells @ np.linalg.inv(grid.homography), (FACE_PX, FACE_PX)
        )
        for cell in range(9):
            row, column = CELL_PX * (cell // 3), CELL_PX * (cell % 3)
            patch = np.asarray(flat[row : row + CELL_PX, column : column + CELL_PX], np.uint8)
            by_letter[truth[9 * number + cell]].append(patch)
    return StickerSet(name, by_letter)
