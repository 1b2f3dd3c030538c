"""A tilt in the plane, by forces; `tests.benchmarks fast_contacts` compares it with MuJoCo."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.rigs.cradle.geometry import (
    DEFAULT,
    Geometry,
    default_geometry,
    load_geometry,
    replay,
)
from tests.physics.trajectories import FULL, Tilting

CALM = 400


def lands(tilt: Tilting, geometry: Geometry) -> bool:
    """Return whether the cube is one quarter on and flat in the cradle after a tilt."""
    angles = tilt.trajectory()[:, 1:3]
    x, z, lean, *_ = replay(geometry, np.pad(angles, ((0, CALM), (0, 0)), "edge"))[-1]
    return bool(abs(np.degrees(lean) - 90) < 2 and abs(z) < 1 and abs(x) < geometry.lip_gap + 1)


def changed(**changes: float) -> Geometry:
    return msgspec.structs.replace(default_geometry(), **changes)


def test_the_thesis_tilt_lands_with_a_gentle_arm() -> None:
    assert lands(Tilting(), changed())


def test_a_pusher_in_the_way_of_the_leaning_cube_stops_the_tilt() -> None:
    angles = Tilting().trajectory()[:, 1:3]
    standing = np.column_stack([angles[:, 0], np.maximum(angles[:, 1], 103.0)])
    lean = replay(changed(), np.pad(standing, ((0, CALM), (0, 0)), "edge"))[-1, 2]
    assert np.degrees(lean) < 45


def test_an_arm_at_full_speed_throws_the_cube() -> None:
    assert not lands(Tilting(up=FULL, back=FULL), changed())


def test_without_the_pusher_the_cube_falls_back() -> None:
    angles = Tilting().trajectory()[:, 1:3]
    lean = replay(changed(), np.pad(angles * (1.0, 0.0), ((0, CALM), (0, 0)), "edge"))[-1, 2]
    assert abs(np.degrees(lean)) < 2


def write(path: Path, was: str, becomes: str) -> Path:
    text = DEFAULT.read_text()
    assert was in text
    path.write_text(text.replace(was, becomes))
    return path


def test_a_rig_file_is_read(tmp_path: Path) -> None:
    same = write(tmp_path / "same.toml", 'name = "bar-4"', 'name = "mine"')
    assert load_geometry(same) == msgspec.structs.replace(default_geometry(), name="mine")


@pytest.mark.parametrize(
    ("was", "becomes", "sentence"),
    [
        ("x1 = -33.71", "x1 = -20.0", "at home rod 2 of the arm stands .* mm deep in the cube"),
        ("pusher_touches_deg = 160.0", "pusher_touches_deg = 20.0", "pusher_touches_deg"),
        ("lip_height = 5.38", "lip_height = 27.0", "the cube does not roll, however slowly"),
        ("arm_ratio = 1.071", "arm_ratio = 0.01", "arm_ratio has to be at least 0.1"),
        ("mass_g = 81.3", 'mass_g = "light"', "mass_g"),
    ],
)
def test_a_rig_that_cannot_work_is_a_sentence(
    tmp_path: Path, was: str, becomes: str, sentence: str
) -> None:
    path = write(tmp_path / "rig.toml", was, becomes)
    with pytest.raises(InvalidScenarioError, match=sentence):
        load_geometry(path)
