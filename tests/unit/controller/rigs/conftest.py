"""A simulated brick in virtual time and the link to it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solvers.rubik.cubies import SOLVED
from tests.virtual_robot import VirtualRobot


@pytest.fixture
def new_robot(tmp_path: Path) -> Callable[..., VirtualRobot]:
    """Return a maker of virtual robots with a solved cube, moved by direct commands."""

    def make(**options: Any) -> VirtualRobot:
        return VirtualRobot(SOLVED, tmp_path / "run.journal", **{"drive": "direct", **options})

    return make


@pytest.fixture
def robot(new_robot: Callable[..., VirtualRobot]) -> VirtualRobot:
    """A robot without faults."""
    return new_robot()
