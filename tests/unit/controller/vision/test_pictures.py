"""Six pictures read by themselves, without a scan and without a robot."""

import subprocess
import sys
from typing import cast

import numpy as np
import pytest

from controller.vision.errors import InvalidScanError, ScanFailedError
from controller.vision.pictures import read_faces, read_pocket_faces
from controller.vision.reading.result import Verdict
from controller.vision.reading.scheme import USUAL_SCHEME
from controller.vision.scans.viewing import shows
from solvers.foundation.arrays import Image
from solvers.rubik.facelets import FACE_LETTERS, format_facelets
from solvers.rubik.pocket import pocket_stickers
from solvers.rubik.scramble import random_state
from tests.vision_data import drawn_face, painted, painted_pocket

CUBE = random_state(2)


@pytest.fixture(scope="module")
def faces() -> list[Image]:
    colours = painted(format_facelets(CUBE), noise=2.0).reshape(6, 9, 3)
    return [drawn_face(face) for face in colours]


def test_six_pictures_are_read_in_any_order_and_turned_anyhow(faces: list[Image]) -> None:
    order = (4, 1, 5, 0, 3, 2)
    shown = [np.rot90(faces[face], number % 4).copy() for number, face in enumerate(order)]
    reading = read_faces(shown)
    assert reading.verdict is Verdict.ACCEPTED
    assert shows(reading, CUBE)


def test_a_picture_without_a_face_is_named(faces: list[Image]) -> None:
    with pytest.raises(ScanFailedError, match="picture 3"):
        read_faces([*faces[:2], np.full_like(faces[0], 120), *faces[3:]])


def test_what_is_no_picture_is_named(faces: list[Image]) -> None:
    with pytest.raises(InvalidScanError, match="Picture 6"):
        read_faces([*faces[:5], cast(Image, None)])


def test_a_missing_picture_is_noticed(faces: list[Image]) -> None:
    with pytest.raises(InvalidScanError, match="5 pictures"):
        read_faces(faces[:5])


def test_nothing_of_robots_is_imported() -> None:
    code = "import sys, controller.vision.pictures; print(*sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    ours = [name for name in modules if name.startswith("controller.")]
    assert ours
    assert [name for name in ours if not name.startswith("controller.vision")] == []
    assert {"hardware_sims", "firmware_tools", "nxt", "serial"}.isdisjoint(modules)


def test_six_pictures_of_a_2x2x2_cube_are_read() -> None:
    stickers = pocket_stickers(CUBE)
    reading = read_pocket_faces([drawn_face(face) for face in painted_pocket(stickers)])
    assert reading.verdict is Verdict.ACCEPTED
    assert reading.stickers == stickers.translate(str.maketrans(FACE_LETTERS, USUAL_SCHEME))


def test_a_picture_of_another_cube_is_no_2x2x2_face(faces: list[Image]) -> None:
    with pytest.raises(ScanFailedError, match="picture 1"):
        read_pocket_faces(faces)
