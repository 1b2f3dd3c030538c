"""Faces shown in any order and turned anyhow are put together in the only legal way."""

import numpy as np
import pytest

from controller.vision.reading.face_arrangement import arrange_faces
from controller.vision.reading.reader import read_cube
from controller.vision.reading_order import QUARTER_TURNED
from solvers.foundation.arrays import Float64Array
from solvers.rubik.facelets import FACE_LETTERS, format_facelets
from solvers.rubik.scramble import random_state
from tests.vision_data import painted, real_scans


def shuffled(rgb: Float64Array, seed: int, keep: tuple[int, ...] = ()) -> Float64Array:
    """Return the six faces in another order, each turned somehow; `keep` come first, upright."""
    rng = np.random.default_rng(seed)
    order = [*keep, *(int(f) for f in rng.permutation(6) if f not in keep)]
    faces = rgb.reshape(6, 9, 3)[order].copy()
    for index in range(len(keep), 6):
        for _ in range(rng.integers(4)):
            faces[index] = faces[index][QUARTER_TURNED]
    return faces


@pytest.mark.parametrize("seed", range(4))
def test_the_first_two_faces_fix_the_frame(seed: int) -> None:
    facelets = format_facelets(random_state(seed))
    rgb = painted(facelets, seed=seed)
    faces = shuffled(rgb, seed, keep=(0, 1))  # U and R are shown first
    arrangement = arrange_faces(faces)
    assert arrangement.probability > 0.999
    assert read_cube(faces.reshape(54, 3)[arrangement.facelets]).facelets == facelets


@pytest.mark.parametrize("seed", range(4))
def test_any_order_gives_the_same_cube_turned_over(seed: int) -> None:
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


def test_a_solved_cube_needs_no_arrangement() -> None:
    solved = "".join(letter * 9 for letter in FACE_LETTERS)
    faces = shuffled(painted(solved), 1)
    arrangement = arrange_faces(faces)
    assert arrangement.probability == 1
    assert read_cube(faces.reshape(54, 3)[arrangement.facelets]).facelets == solved


def test_real_scans_have_one_legal_arrangement() -> None:
    scans = [scan for scan in real_scans() if scan.truth and "random" in scan.name][::5]
    assert len(scans) >= 4
    for number, scan in enumerate(scans):
        faces = shuffled(np.array(scan.rgb), number, keep=(0, 1))
        arrangement = arrange_faces(faces)
        assert arrangement.probability > 0.9
        assembled = faces.reshape(54, 3)[arrangement.facelets]
        assert read_cube(assembled).facelets == scan.truth
