"""Faces shown in any order and turned anyhow are put together in the only legal way."""

from typing import Any

import numpy as np
import pytest

from controller.vision.face_arrangement import arrange_faces
from controller.vision.reader import read_cube
from controller.vision.scan_diagnosis import QUARTER_TURNED
from solvers.rubik.facelets import FACE_LETTERS, format_facelets
from solvers.rubik.scramble import random_state


def shuffled(rgb: np.ndarray, seed: int, keep: tuple[int, ...] = ()) -> np.ndarray:
    """Return the six faces in another order, each turned somehow; `keep` come first, upright."""
    rng = np.random.default_rng(seed)
    order = [*keep, *(int(f) for f in rng.permutation(6) if f not in keep)]
    faces = rgb.reshape(6, 9, 3)[order].copy()
    for index in range(len(keep), 6):
        for _ in range(rng.integers(4)):
            faces[index] = faces[index][QUARTER_TURNED]
    return faces


@pytest.mark.parametrize("seed", range(4))
def test_the_first_two_faces_fix_the_frame(painted: Any, seed: int) -> None:
    facelets = format_facelets(random_state(seed))
    rgb = painted(facelets, seed=seed)
    faces = shuffled(rgb, seed, keep=(0, 1))  # U and R are shown first
    arrangement = arrange_faces(faces)
    assert arrangement.probability > 0.999
    assert read_cube(faces.reshape(54, 3)[arrangement.facelets]).facelets == facelets


@pytest.mark.parametrize("seed", range(4))
def test_any_order_gives_the_same_cube_turned_over(painted: Any, seed: int) -> None:
    rgb = painted(format_facelets(random_state(seed)), seed=seed)
    faces = shuffled(rgb, seed)
    arrangement = arrange_faces(faces)
    assembled = faces.reshape(54, 3)[arrangement.facelets]
    assert arrangement.probability > 0.999
    assert np.sort(arrangement.facelets).tolist() == list(range(54))
    # The face shown first lies up, upright once the second is at the right or opposite.
    assert assembled[4].tolist() == faces[0, 4].tolist()
    # Opposite centres stay opposite.
    opposite = {tuple(rgb[4 + 9 * f]): tuple(rgb[4 + 9 * ((f + 3) % 6)]) for f in range(6)}
    for face in range(6):
        centre, other = assembled[4 + 9 * face], assembled[4 + 9 * ((face + 3) % 6)]
        assert opposite[tuple(centre)] == tuple(other)


def test_a_solved_cube_needs_no_arrangement(painted: Any) -> None:
    solved = "".join(letter * 9 for letter in FACE_LETTERS)
    faces = shuffled(painted(solved), 1)
    arrangement = arrange_faces(faces)
    assert arrangement.probability == 1
    assert read_cube(faces.reshape(54, 3)[arrangement.facelets]).facelets == solved


def test_real_scans_have_one_legal_arrangement(real_scans: list[dict[str, Any]]) -> None:
    scans = [s for s in real_scans if s.get("truth") and "random" in s["name"]][::5]
    assert len(scans) >= 4
    for number, scan in enumerate(scans):
        faces = shuffled(np.array(scan["rgb"], dtype=float), number, keep=(0, 1))
        arrangement = arrange_faces(faces)
        assert arrangement.probability > 0.9
        assembled = faces.reshape(54, 3)[arrangement.facelets]
        assert read_cube(assembled).facelets == scan["truth"]
