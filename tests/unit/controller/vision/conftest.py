"""Cubes with known colours for the tests of the reader."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from solvers.rubik.facelets import FACE_LETTERS

FloatArray = npt.NDArray[np.float64]
Painter = Callable[..., FloatArray]

# sRGB of the stickers of an ordinary cube in daylight, in the order U R F D L B.
DAYLIGHT = np.array(
    [[222, 222, 214], [180, 34, 36], [20, 140, 70], [224, 206, 40], [226, 104, 20], [24, 72, 160]],
    dtype=float,
)


@pytest.fixture
def painted() -> Painter:
    """Return a function that gives 54 letters their colours, with noise from a seed."""

    def paint(facelets: str, noise: float = 4.0, seed: int = 0) -> FloatArray:
        letters = [FACE_LETTERS.index(letter) for letter in facelets]
        jitter = np.random.default_rng(seed).normal(0, noise, (54, 3))
        return np.clip(DAYLIGHT[letters] + jitter, 0, 255)

    return paint


@pytest.fixture(scope="session")
def real_scans() -> list[dict[str, Any]]:
    """Return the real scans that lie beside the repository, or skip."""
    path = Path(__file__).parents[5] / "shared" / "data" / "vision" / "real_scans.json"
    if not path.exists():
        pytest.skip(f"the real scans are not on this machine: {path} is missing")
    scans: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return scans


@pytest.fixture(scope="session")
def photo_folder() -> Path:
    """Return the folder of real photos that lies beside the repository, or skip."""
    path = Path(__file__).parents[5] / "shared" / "data" / "vision" / "photos"
    if not path.exists():
        pytest.skip(f"the real photos are not on this machine: {path} is missing")
    return path
