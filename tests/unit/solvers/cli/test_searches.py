"""What a stopped search says about going on."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from solvers.cli.searches import how_to_resume
from solvers.search.parts import PartStore


@dataclass(frozen=True)
class Found:
    """What a part has found."""

    nodes: int


def row(found: Found) -> list[Any]:
    return [found.nodes]


def read(values: list[Any]) -> Found:
    return Found(values[0])


@pytest.mark.parametrize("done", [0, 1, 2])
def test_resuming_is_advised_once_something_is_saved(tmp_path: Path, done: int) -> None:
    kept = PartStore(tmp_path / "kept", 1, resume=True, row=row, read=read)
    kept.load(3)
    for number in range(done):
        kept.add(number, Found(1))
    advice = how_to_resume(kept, "puzzle pack solve soma --count")
    assert ("--resume" in advice) == kept.path.exists() == (done > 0)
    assert not done or f"{done} of 3 parts" in advice
