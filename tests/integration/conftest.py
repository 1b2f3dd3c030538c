"""Fixtures of the integration tests."""

from collections.abc import Callable
from pathlib import Path

import pytest

from solvers.rubik.cubies import CubieCube
from tests.virtual_robot import VirtualRobot


@pytest.fixture
def new_robot(tmp_path: Path) -> Callable[..., VirtualRobot]:
    """Return a maker of virtual robots; `pty=True` connects through a pseudo-terminal."""

    def make(cube: CubieCube, *, pty: bool = False, **options: object) -> VirtualRobot:
        link = tmp_path / "brick" if pty else None
        return VirtualRobot(cube, tmp_path / "run.journal", pty_link=link, **options)  # type: ignore[arg-type]

    return make
