"""What the demo does before it switches its simulated brick on."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from controller import robot_jobs, simulator_process
from controller.cli.demo import demo
from controller.errors import RobotError
from solvers.foundation.progress import Job, Progress


def test_the_search_is_compiled_and_loaded_before_the_brick_is_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []

    @contextmanager
    def running_simulator(arguments: Sequence[str]) -> Iterator[None]:
        assert "--seed" in arguments
        done.append("brick on")
        raise RobotError("No simulator today.")
        yield  # type: ignore[unreachable]  # makes it a generator

    def search_ready() -> Job[Progress, None]:
        done.append("search ready")
        yield Progress("tables", 1, 1)

    monkeypatch.setattr(simulator_process, "running_simulator", running_simulator)
    monkeypatch.setattr(robot_jobs, "prepare_search", search_ready)
    with pytest.raises(RobotError):
        demo.main(["--seed", "1"], standalone_mode=False)
    assert done == ["search ready", "brick on"]
