"""What a camera file says is what the frames show."""

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from hardware_sims.clock import VirtualClock
from hardware_sims.errors import InvalidScenarioError
from hardware_sims.rigs.cradle.camera.camera import SimulatedCamera
from hardware_sims.rigs.cradle.camera.levels import LEVELS, Level, level_called
from hardware_sims.rigs.cradle.camera.solids import solids
from hardware_sims.rigs.cradle.rig import RigPose
from solvers.foundation.arrays import Image, UInt8Array
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state

# Nothing but what a test adds: no noise, no blur, no light of its own.
PLAIN = replace(LEVELS[1], noise=0.0, blur_px=0.0, light_tint=0.0, gradient=0.0, jpeg_quality=100)
POSE = RigPose(0, 0, 0, 0, 0, "seated", format_facelets(random_state(1)))
SOLVED = RigPose(0, 0, 0, 0, 0, "seated", "".join(9 * letter for letter in "URFDLB"))


def camera(level: Level, pose: RigPose = POSE) -> SimulatedCamera:
    return SimulatedCamera(lambda: pose, VirtualClock(), level, seed=2)


def picture(level: Level, pose: RigPose = POSE) -> Image:
    return camera(level, pose).picture()


def sharp_edges(seen: Image, axis: int) -> int:
    return int((np.abs(np.diff(seen.astype(int), axis=axis)).max(axis=2) > 60).sum())


def test_a_camera_file_says_what_is_unlike_its_level(tmp_path: Path) -> None:
    path = tmp_path / "camera.toml"
    path.write_text('level = 2\nglares = 4\ncube = "stickerless"\nlogo = true\n', encoding="utf-8")
    assert level_called(str(path)) == replace(LEVELS[2], glares=4, cube="stickerless", logo=True)
    path.write_text("noise = 12\n", encoding="utf-8")
    assert level_called(str(path)) == replace(LEVELS[1], noise=12)
    assert level_called("3") == LEVELS[3]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("level = 4", "level must be at most 3, not 4"),
        ("noise = -1", "noise must be at least 0"),
        ("fog = 1", "unknown key 'fog'. The keys are level, light_tint"),
        ('cube = "wood"', "cube must be one of black, stickerless, white"),
        ("binning = 3", "binning"),
        ("least_glare = 0.5", "least_glare is above greatest_glare"),
        ("level =", "is not TOML"),
    ],
)
def test_a_camera_file_that_makes_no_sense_is_refused(tmp_path: Path, text: str, part: str) -> None:
    path = tmp_path / "camera.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidScenarioError, match=part):
        level_called(str(path))


def test_a_camera_that_is_neither_level_nor_file_is_refused() -> None:
    with pytest.raises(InvalidScenarioError, match="cannot be read"):
        level_called("nowhere.toml")


def test_glares_are_white_and_as_wide_as_they_should_be() -> None:
    strong = replace(PLAIN, glares=3, glare_strength=0.9)
    wide = replace(strong, least_glare=0.16, greatest_glare=0.16)
    before = picture(PLAIN)

    def whitened(level: Level) -> int:
        return int((picture(level).min(axis=2) > before.min(axis=2).astype(int) + 60).sum())

    assert whitened(PLAIN) == 0
    assert 500 < whitened(strong) < 0.6 * whitened(wide)


@pytest.mark.parametrize("change", [{"defocus_px": 5.0}, {"shake_px": 14.0}])
def test_out_of_focus_or_shaken_edges_are_soft(change: dict[str, float]) -> None:
    before, after = picture(PLAIN), picture(replace(PLAIN, **change))
    both = [sharp_edges(before, axis) + sharp_edges(after, axis) for axis in (0, 1)]
    assert sum(sharp_edges(after, axis) for axis in (0, 1)) < 0.35 * sum(both)
    assert abs(float(before.mean()) - float(after.mean())) < 2


def test_exposure_and_white_balance_drift_with_the_cameras_clock() -> None:
    clock = VirtualClock()
    level = replace(PLAIN, exposure_drift=0.3, white_drift=0.2)
    seen = SimulatedCamera(lambda: POSE, clock, level, seed=2)
    means = []
    for _ in range(20):
        means.append(seen.picture().reshape(-1, 3).mean(axis=0))
        clock.sleep(2.0)
    brightness = np.mean(means, axis=1)
    red_to_blue = np.array([red / blue for blue, _, red in means])
    assert 1.15 < brightness.max() / brightness.min() < 1.6
    assert 1.1 < red_to_blue.max() / red_to_blue.min() < 1.5
    assert np.abs(np.diff(brightness)).max() < 0.2 * brightness.mean()


def test_a_camera_set_to_less_gives_smaller_pictures() -> None:
    assert picture(replace(PLAIN, binning=2)).shape == (240, 320, 3)


def upper_face(level: Level, pose: RigPose) -> UInt8Array:
    """Return the pixels of the upper face's bounding box."""
    seen = camera(level, pose)
    upper = next(
        polygon
        for solid in solids(pose)
        for polygon in solid
        if polygon.paint == "plastic" and polygon.corners[:, 2].min() > 56
    )
    corners = seen.scenery.camera.project(upper.corners).astype(int)
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    return seen.picture()[top:bottom, left:right]


@pytest.mark.parametrize(("cube", "black_share"), [("black", (0.15, 0.5)), ("white", (0.0, 0.1))])
def test_plastic_shows_between_the_stickers(cube: str, black_share: tuple[float, float]) -> None:
    face = upper_face(replace(PLAIN, cube=cube), POSE)
    share = float((face.max(axis=2) < 60).mean())
    assert black_share[0] < share < black_share[1]


def test_a_stickerless_cube_is_all_colour_but_for_gaps() -> None:
    orange_up = replace_up(SOLVED, "L")
    stickers = upper_face(PLAIN, orange_up)
    coloured = upper_face(replace(PLAIN, cube="stickerless"), orange_up)
    white_plastic = upper_face(replace(PLAIN, cube="white"), orange_up)

    def orange(face: UInt8Array) -> float:
        blue, _, red = (face[..., channel].astype(int) for channel in range(3))
        return float((red - blue > 80).mean())

    assert orange(stickers) < 0.8 < orange(coloured)
    assert float((white_plastic.min(axis=2) > 150).mean()) > 0.15
    assert float((coloured.min(axis=2) > 150).mean()) < 0.02


def replace_up(pose: RigPose, letter: str) -> RigPose:
    return RigPose(0, 0, 0, 0, 0, "seated", 9 * letter + pose.stickers[9:])


def test_the_makers_name_stands_on_the_white_centre_alone() -> None:
    named = replace(PLAIN, logo=True)
    changed = np.abs(picture(named, SOLVED).astype(int) - picture(PLAIN, SOLVED)).max(axis=2) > 60
    assert 150 < changed.sum() < 1500
    other = replace_up(SOLVED, "B")
    assert np.array_equal(picture(named, other), picture(PLAIN, other))
