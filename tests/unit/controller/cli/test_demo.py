"""What the demo does before its robot drives."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from controller import robot_jobs, simulator_process
from controller.cli.demo import LEVELS, demo
from controller.errors import RobotError
from hardware_sims.rigs.cradle.camera.levels import LEVELS as SIMULATED_LEVELS
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Job, Progress


class Simulator:
    """A simulator that never comes up."""

    def __init__(self) -> None:
        self.is_kept_awake = False

    @contextmanager
    def kept_awake(self) -> Iterator[None]:
        self.is_kept_awake = True
        yield
        self.is_kept_awake = False

    @property
    def address(self) -> str:
        raise RobotError("No simulator today.")


def test_search_and_simulator_get_ready_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """A brick that waits for the search would fall asleep."""
    simulator = Simulator()
    prepared: list[tuple[bool, bool]] = []

    @contextmanager
    def running_simulator(arguments: Sequence[str]) -> Iterator[Simulator]:
        assert "--seed" in arguments
        yield simulator

    def search_ready(*, exact_tables: bool) -> Job[Progress, None]:
        prepared.append((simulator.is_kept_awake, exact_tables))
        yield Progress("tables", 1, 1)

    monkeypatch.setattr(simulator_process, "running_simulator", running_simulator)
    monkeypatch.setattr(robot_jobs, "prepare_search", search_ready)
    with pytest.raises(RobotError, match="No simulator today"):
        demo.main(["--seed", "1"], standalone_mode=False)
    assert prepared == [(True, False)]


def test_a_camera_that_there_is_not_is_refused_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert tuple(map(str, SIMULATED_LEVELS)) == LEVELS
    monkeypatch.setattr(simulator_process, "running_simulator", None)
    with pytest.raises(InvalidInputError, match="levels 1, 2, 3"):
        demo.main(["--camera", "4"], standalone_mode=False)
