"""Finding faces: in drawn pictures whose grid is known, in real photos, and not in clutter."""

import cv2
import numpy as np
import pytest

from controller.vision.finding.grid_finder import (
    SQUARES_TO_CAPTURE,
    Grid,
    ends_at_the_cube,
    find_grid,
    find_grid_in_still,
    find_squares,
    grid_of_squares,
)
from controller.vision.finding.steady_gate import sample_colours
from controller.vision.reading.reader import read_cube
from controller.vision.reading.result import Verdict
from controller.vision.reading_order import CELLS
from solvers.foundation.arrays import Float64Array, Image
from tests.eyes.disturbances import DISTURBANCES
from tests.eyes.shown_cube import Lamp, Pose, draw_cube, facing
from tests.eyes.stickers import FACE_PX as STICKERED_PX
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


@pytest.mark.parametrize(
    ("columns", "rows", "ends"),
    [(0, 0, True), (1, 0, False), (-1, 0, False), (0, 1, False), (0, -1, False)],
)
def test_a_face_must_end_where_its_grid_does(columns: int, rows: int, ends: bool) -> None:
    picture, _ = photo_of(drawn_face(), SQUARE)
    aside = np.array([[1.0, 0, columns], [0, 1, rows], [0, 0, 1]])
    grid = Grid(grid_of(picture).homography @ aside, 9)
    assert ends_at_the_cube(grid, find_squares(picture), picture) == ends


# Sizes of two squares in the places of a fourth row, how far the second one is off its own, what is
# between them, and whether they are no row.
@pytest.mark.parametrize(
    ("sides", "aside", "between", "ends"),
    [
        ((66, 66), 0, 18, False),
        ((56, 56), 0, 30, False),
        ((66, 66), 0, 120, True),  # a wall
        ((66, 48), 0, 18, True),
        ((36, 36), 0, 18, True),
        ((66, 66), 16, 18, True),
    ],
)
def test_two_things_beside_a_face_are_a_row_only_where_all_is_like_one(
    sides: tuple[int, int], aside: int, between: int, ends: bool
) -> None:
    picture, _ = photo_of(drawn_face(), SQUARE)  # a sticker every 80 pixels, from (240, 160) on
    cv2.rectangle(picture, (445, 125), (540, 275), (between,) * 3, cv2.FILLED)
    beside = np.array([[480.0, 160, sides[0]], [480 + aside, 240, sides[1]]])
    squares = np.concatenate([find_squares(photo_of(drawn_face(), SQUARE)[0]), beside])
    assert ends_at_the_cube(grid_of(picture), squares, picture) == ends


def test_a_face_that_leans_back_ends_too() -> None:
    picture = np.full((480, 640, 3), 120, np.uint8)
    leaning = cv2.Rodrigues(np.radians([0.0, 20.0, 0.0]))[0] @ facing(2)
    side = cv2.resize(drawn_face(), (STICKERED_PX, STICKERED_PX)).astype(np.uint8)
    lamp = Lamp(np.array([0, -9.0, 0]), gloss=0.0)
    draw_cube(picture, [side] * 6, Pose(leaning, np.array([0, 0, 9.0])), lamp)
    assert ends_at_the_cube(grid_of(picture), find_squares(picture), picture)


def test_a_face_that_is_cut_off_by_the_picture_is_not_whole() -> None:
    picture, _ = photo_of(drawn_face(), SQUARE)
    cut = picture[:340]
    squares = find_squares(cut)
    grid = Grid(grid_of(picture).homography, 9)
    assert ends_at_the_cube(grid, find_squares(picture), picture)
    assert not ends_at_the_cube(grid, squares, cut)
    without_rim = picture[:355]
    assert ends_at_the_cube(grid, find_squares(without_rim), without_rim)


def grid_of(picture: Image) -> Grid:
    grid = find_grid(picture)
    assert grid is not None
    return grid


@pytest.mark.parametrize("name", ["noise", "defocus", "motion blur", "poor file"])
def test_a_face_is_found_in_a_disturbed_photo(name: str) -> None:
    path = PHOTO_FOLDER / "rct_20_3x3x3-random-01_5185218" / "rubiks-side-F.png"
    clear = find_grid_in_still(photo(path))
    assert clear is not None
    rng = np.random.default_rng(1)
    spoilt = DISTURBANCES[name].on(photo(path), clear.centres, rng)
    grid = find_grid_in_still(spoilt)
    assert grid is not None
    expected = clear.centres * spoilt.shape[0] / 480
    assert np.linalg.norm(grid.centres - expected, axis=1).max() < 0.2 * grid.pitch_px


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


def test_a_face_under_strong_glares_is_found_in_a_still() -> None:
    """Half of its stickers have no border in the picture as it is."""
    folder = PHOTO_FOLDER / "rct_11_3x3x3-random-03_f0cadd5"
    for face, seed in (("U", 1), ("U", 2), ("U", 3), ("U", 5), ("L", [2, 4, 18])):
        picture = photo(folder / f"rubiks-side-{face}.png")
        known = find_grid_in_still(picture)
        assert known is not None
        rng = np.random.default_rng(seed)
        glaring = DISTURBANCES["four strong glares"].on(picture, known.centres, rng)
        grid = find_grid_in_still(glaring)
        assert grid is not None
        assert grid.moved_from(known) < 0.2


FOUR = np.array([[200.0, 200, 80], [300, 202, 80], [198, 300, 80], [298, 302, 80]])


def test_four_even_squares_are_a_2x2x2_face() -> None:
    grid = grid_of_squares(FOUR, side=2)
    assert grid is not None
    assert grid.is_sharp
    assert np.allclose(grid.centres, FOUR[:, :2], atol=0.01)
    assert grid.pitch_px == pytest.approx(100, abs=1)


def test_things_behind_a_2x2x2_cube_are_no_part_of_it() -> None:
    behind = np.array([[205.0, 95, 70], [310, 90, 66], [420, 205, 55]])
    grid = grid_of_squares(np.concatenate([behind, FOUR]), side=2)
    assert grid is not None
    assert np.allclose(grid.centres, FOUR[:, :2], atol=0.01)


@pytest.mark.parametrize("missing", range(4))
def test_three_squares_are_no_2x2x2_face(missing: int) -> None:
    assert grid_of_squares(np.delete(FOUR, missing, axis=0), side=2) is None


def test_a_2x2x2_face_ends_where_no_row_of_two_follows() -> None:
    picture = np.zeros((480, 640, 3), np.uint8)
    grid = grid_of_squares(FOUR, side=2)
    assert grid is not None
    assert ends_at_the_cube(grid, FOUR, picture)
    row = np.array([[400.0, 204, 80], [398, 304, 80]])
    assert not ends_at_the_cube(grid, np.concatenate([FOUR, row]), picture)
    assert ends_at_the_cube(grid, np.concatenate([FOUR, row[:1]]), picture)
