"""Finding faces: in drawn pictures whose grid is known, in real photos, and not in clutter."""

import cv2
import numpy as np
import pytest

from controller.vision.finding.grid_finder import (
    SQUARES_TO_CAPTURE,
    find_grid,
    find_grid_in_still,
)
from controller.vision.finding.sampler import sample_colours
from controller.vision.reading.reader import read_cube
from controller.vision.reading.result import Verdict
from controller.vision.reading_order import CELLS
from solvers.foundation.arrays import Float64Array, Image
from tests.vision_data import PHOTO_FOLDER, RealScan, photo, real_scans

COLOURS = np.array(
    [
        [222, 222, 214],
        [180, 34, 36],
        [20, 140, 70],
        [224, 206, 40],
        [226, 104, 20],
        [24, 72, 160],
        [180, 34, 36],
        [226, 104, 20],
        [222, 222, 214],
    ]
)
FACE_PX = 300


def drawn_face(missing: tuple[int, ...] = ()) -> Image:
    """Return a face of FACE_PX pixels, black plastic with nine stickers, BGR."""
    face = np.full((FACE_PX, FACE_PX, 3), 18, np.uint8)
    for index in range(9):
        if index not in missing:
            top, left = 100 * (index // 3) + 9, 100 * (index % 3) + 9
            face[top : top + 82, left : left + 82] = COLOURS[index, ::-1]
    return face


def photo_of(face: Image, corners: Float64Array) -> tuple[Image, Float64Array]:
    """Return a 640 x 480 picture with the face between four corners, and the sticker centres."""
    source = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * FACE_PX
    to_picture = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    picture = np.full((480, 640, 3), 120, np.uint8)
    warped = cv2.warpPerspective(face, to_picture, (640, 480))
    covered = cv2.warpPerspective(np.full_like(face, 255), to_picture, (640, 480)) > 0
    picture[covered] = warped[covered]
    points = np.column_stack([CELLS * 100 + 50, np.ones(9)]) @ to_picture.T
    return picture, np.asarray(points[:, :2] / points[:, 2:], dtype=np.float64)


SQUARE = np.array([[200.0, 120], [440, 120], [440, 360], [200, 360]])


@pytest.mark.parametrize(
    "corners",
    [
        SQUARE,
        SQUARE * 0.5,
        np.array([[80.0, 20], [560, 20], [560, 470], [80, 470]]),
        np.array([[230.0, 110], [420, 130], [450, 370], [190, 340]]),  # in perspective
        np.array([[320.0, 60], [500, 240], [320, 420], [140, 240]]) + [[8, 0]] * 4,  # turned by 45
    ],
)
def test_the_grid_lies_on_the_stickers(corners: Float64Array) -> None:
    picture, centres = photo_of(drawn_face(), corners)
    grid = find_grid(picture)
    assert grid is not None
    assert grid.squares == 9
    nearest = np.linalg.norm(grid.centres[:, None] - centres, axis=2).min(axis=1)
    assert nearest.max() < 0.06 * grid.pitch_px


def test_stickers_come_in_reading_order_with_their_colours() -> None:
    picture, _ = photo_of(drawn_face(), SQUARE)
    grid = find_grid(picture)
    assert grid is not None
    assert np.abs(sample_colours(picture, grid) - COLOURS).max() < 3


@pytest.mark.parametrize("missing", [(0,), (4,), (2, 6)])
def test_missing_squares_follow_from_the_others(missing: tuple[int, ...]) -> None:
    picture, centres = photo_of(drawn_face(missing), SQUARE)
    grid = find_grid(picture)
    assert grid is not None
    assert grid.squares == 9 - len(missing)
    assert (grid.squares >= SQUARES_TO_CAPTURE) == (len(missing) < 2)
    assert np.abs(grid.centres - centres).max() < 0.06 * grid.pitch_px


def test_no_face_in_an_empty_or_noisy_picture() -> None:
    assert find_grid(np.zeros((480, 640, 3), np.uint8)) is None
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), dtype=np.uint8)
    assert find_grid(noise) is None


def test_a_cube_of_two_by_two_is_no_face() -> None:
    face = np.full((300, 300, 3), 18, np.uint8)
    for index in range(4):
        top, left = 150 * (index // 2) + 12, 150 * (index % 2) + 12
        face[top : top + 126, left : left + 126] = COLOURS[index, ::-1]
    picture, _ = photo_of(face, SQUARE)
    assert find_grid(picture) is None


def test_movement_is_measured_in_pitches() -> None:
    grids = [find_grid(photo_of(drawn_face(), SQUARE + shift)[0]) for shift in (0, 40)]
    assert grids[0] is not None
    assert grids[1] is not None
    # 40 pixels to the right and down, with 80 pixels from sticker to sticker.
    assert grids[1].moved_from(grids[0]) == pytest.approx(40 * np.sqrt(2) / 80, abs=0.03)


def test_a_face_is_found_in_every_photo() -> None:
    paths = sorted(PHOTO_FOLDER.glob("*/rubiks-side-?.png"))
    assert len(paths) == 24
    for path in paths:
        grid = find_grid_in_still(photo(path))
        assert grid is not None, path
        assert grid.squares >= SQUARES_TO_CAPTURE, path


# In the fourth folder not all faces are upright.
PHOTOGRAPHED = [scan for scan in real_scans() if scan.name.startswith("img/")]


@pytest.mark.parametrize("scan", PHOTOGRAPHED, ids=lambda scan: scan.name)
def test_upright_photos_are_read_as_somebody_read_them_by_eye(scan: RealScan) -> None:
    folder = PHOTO_FOLDER / scan.name.removeprefix("img/")
    colours = []
    for face in "URFDLB":
        picture = photo(folder / f"rubiks-side-{face}.png")
        grid = find_grid_in_still(picture)
        assert grid is not None
        colours.append(sample_colours(picture, grid))
    result = read_cube(np.concatenate(colours))
    assert (result.facelets, result.verdict) == (scan.truth, Verdict.ACCEPTED)
