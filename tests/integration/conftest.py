"""Fixtures of the integration tests."""

from collections.abc import Callable
from pathlib import Path

import pytest

from controller.cli.main import main
from solvers.rubik.cubies import CubieCube
from tests.in_process import Run, runner
from tests.virtual_robot import VirtualRobot


@pytest.fixture
def new_robot(tmp_path: Path) -> Callable[..., VirtualRobot]:
    """Return a maker of virtual robots; `pty=True` connects through a pseudo-terminal."""

    def make(cube: CubieCube, *, pty: bool = False, **options: object) -> VirtualRobot:
        link = tmp_path / "brick" if pty else None
        return VirtualRobot(cube, tmp_path / "run.journal", pty_link=link, **options)  # type: ignore[arg-type]

    return make


@pytest.fixture
def cuberobot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Run the command with folders of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return runner("cuberobot", main, monkeypatch, capsys)


@pytest.fixture(scope="session")
def firmware_cache(run_folder: Path) -> Path:
    """Return the folder in which this run keeps the firmware's library, for all its processes.

    Whoever takes it as the user's cache gives it back: it has none of the tables that `make test`
    has prepared, and tests that come later would make them anew.
    """
    cache = run_folder / "firmware-cache"
    cache.mkdir(exist_ok=True)
    return cache
