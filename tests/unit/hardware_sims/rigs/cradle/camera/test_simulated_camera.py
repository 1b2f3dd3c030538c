"""The rendered frames show the rig's true pose, and faults show too."""

from dataclasses import replace

import numpy as np
import pytest

from hardware_sims.clock import VirtualClock
from hardware_sims.errors import InvalidScenarioError
from hardware_sims.rigs.cradle.camera.camera import (
    EXPOSURE_S,
    CameraUnpluggedError,
    SimulatedCamera,
)
from hardware_sims.rigs.cradle.camera.levels import CameraFault, FaultKind
from hardware_sims.rigs.cradle.camera.solids import solids
from hardware_sims.rigs.cradle.rig import RigPose
from solvers.foundation.arrays import Image, Int64Array
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state

SCRAMBLED = format_facelets(random_state(1))
RESTING = RigPose(0, 0, 0, 0, 0, "seated", SCRAMBLED)


class Rig:
    """A pose that a test moves."""

    def __init__(self, pose: RigPose = RESTING) -> None:
        self.pose = pose

    def __call__(self) -> RigPose:
        return self.pose


def camera(
    pose: Rig | None = None, level: int = 1, seed: int = 0, **options: object
) -> SimulatedCamera:
    clock = options.pop("clock", None) or VirtualClock()
    return SimulatedCamera(pose or Rig(), clock, level, seed, **options)  # type: ignore[arg-type]


def difference(first: Image, second: Image) -> float:
    return float(np.abs(first.astype(float) - second).mean())


def changed_pixels(first: Image, second: Image) -> int:
    return int((np.abs(first.astype(int) - second).max(axis=2) > 40).sum())


def sticker_pixels(seen: SimulatedCamera, index: int, pose: RigPose) -> Int64Array:
    """Return the pixel in the middle of sticker `index`."""
    outlines = [p for solid in solids(pose) for p in solid if p.paint in set("URFDLB")]
    lower = [i for i in range(54) if 27 <= i < 36 or (i >= 9 and i % 9 >= 6)]
    order = lower + [i for i in range(54) if i not in lower]
    middle = outlines[order.index(index)].corners.mean(axis=0)
    return np.round(seen.scenery.camera.project(middle)).astype(int)


@pytest.mark.parametrize("level", [1, 2])
def test_the_upper_face_shows_its_colours_in_reading_order(level: int) -> None:
    seen = camera(level=level, seed=5)
    picture = seen.picture()
    assert picture.shape == (480, 640, 3)
    shown = np.array(
        [picture[y, x] for x, y in (sticker_pixels(seen, i, RESTING) for i in range(9))]
    )
    expected = np.array([seen.scenery.paint[letter] for letter in SCRAMBLED[:9]])
    # The light changes the colours but not which of them are alike.
    for letter in set(SCRAMBLED[:9]):
        same = [i for i in range(9) if SCRAMBLED[i] == letter]
        others = [i for i in range(9) if SCRAMBLED[i] != letter]
        for i in same:
            assert np.abs(shown[i].astype(int) - shown[same[0]]).max() < 75
            nearest_other = min(np.abs(shown[i].astype(int) - shown[j]).max() for j in others)
            assert nearest_other > 30
    if level == 1:
        assert np.corrcoef(shown.ravel(), expected.ravel())[0, 1] > 0.97


@pytest.mark.parametrize(
    "change",
    [
        {"cradle_deg": 30.0},
        {"cube_deg": 20.0},
        {"arm_deg": -40.0},
        {"pusher_deg": 160.0},
        {"layer_deg": 30.0},
        {"phase": "tipped", "arm_deg": 40.0},
        {"phase": "rolled", "pusher_deg": 200.0},
    ],
)
def test_every_angle_shows(change: dict[str, object]) -> None:
    rig = Rig()
    seen = camera(rig)
    before = seen.picture()
    still = seen.picture()
    rig.pose = replace(RESTING, **change)  # type: ignore[arg-type]
    after = seen.picture()
    assert changed_pixels(before, still) < 20
    assert changed_pixels(before, after) > 150


def test_a_cube_turned_counter_clockwise_is_seen_so() -> None:
    turned = replace(RESTING, cube_deg=20.0)
    seen = camera(Rig(turned))
    left, right = (sticker_pixels(seen, i, turned) for i in (3, 5))
    assert right[0] > left[0]
    assert right[1] < left[1] - 10  # higher up in the picture


def test_movement_blurs() -> None:
    poses = [replace(RESTING, cube_deg=angle) for angle in (0.0, 12.0)]
    moving = camera(lambda: poses.pop(0) if len(poses) > 1 else poses[0])  # type: ignore[arg-type]
    sharp = camera(Rig(replace(RESTING, cube_deg=6.0)))

    def sharp_edges(picture: Image) -> int:
        return int((np.abs(np.diff(picture.astype(int), axis=1)).max(axis=2) > 50).sum())

    assert sharp_edges(moving.picture()) < 0.7 * sharp_edges(sharp.picture())


def test_a_frame_is_exposed_in_the_clocks_time() -> None:
    clock = VirtualClock()
    asked_at: list[float] = []

    def pose() -> RigPose:
        asked_at.append(clock.now())
        return RESTING

    SimulatedCamera(pose, clock).jpeg()
    assert asked_at == pytest.approx([0, EXPOSURE_S])


def test_a_seed_gives_the_same_pictures_again() -> None:
    assert camera(seed=7, level=3).jpeg() == camera(seed=7, level=3).jpeg()
    assert camera(seed=7, level=3).jpeg() != camera(seed=8, level=3).jpeg()


def test_no_two_frames_have_the_same_noise() -> None:
    seen = camera()
    assert seen.jpeg() != seen.jpeg()


def test_harder_levels_are_noisier() -> None:
    def noise(level: int) -> float:
        seen = camera(level=level)
        return difference(seen.picture(), seen.picture())

    assert noise(1) < noise(2) < noise(3)


def test_there_are_three_levels() -> None:
    with pytest.raises(InvalidScenarioError, match="no camera level 4"):
        camera(level=4)


def faulty(kind: FaultKind, rig: Rig | None = None) -> tuple[VirtualClock, SimulatedCamera]:
    clock = VirtualClock()
    faults = [CameraFault(kind, start_s=1.0, end_s=2.0)]
    return clock, camera(rig, clock=clock, faults=faults)


def test_a_frozen_camera_repeats_its_last_frame() -> None:
    rig = Rig()
    clock, seen = faulty(FaultKind.FROZEN, rig)
    last = seen.jpeg()
    clock.sleep(1.0)
    rig.pose = replace(RESTING, cube_deg=30.0)
    assert seen.jpeg() == last
    clock.sleep(1.0)
    assert seen.jpeg() != last


def test_a_black_frame_is_black() -> None:
    clock, seen = faulty(FaultKind.BLACK)
    clock.sleep(1.0)
    assert seen.picture().mean() < 4


def test_the_exposure_jumps() -> None:
    clock, seen = faulty(FaultKind.EXPOSURE_JUMP)
    before = seen.picture().mean()
    clock.sleep(1.0)
    assert seen.picture().mean() > 1.3 * before


def test_a_hand_covers_the_cube() -> None:
    clock, seen = faulty(FaultKind.HAND)
    before = seen.picture()
    clock.sleep(1.0)
    middle = np.s_[160:320, 240:400]
    assert difference(before[middle], seen.picture()[middle]) > 20


def test_an_unplugged_camera_gives_no_frame_until_it_is_plugged_in() -> None:
    clock, seen = faulty(FaultKind.UNPLUGGED)
    clock.sleep(1.0)
    with pytest.raises(CameraUnpluggedError):
        seen.jpeg()
    clock.sleep(1.0)
    assert seen.jpeg()


@pytest.mark.parametrize("times", [(-1.0, 2.0), (2.0, 1.0), (float("nan"), 2.0)])
def test_a_fault_lasts_some_time(times: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="lasts"):
        CameraFault(FaultKind.BLACK, *times)
