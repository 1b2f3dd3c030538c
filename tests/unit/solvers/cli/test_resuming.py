"""What a stopped search says about going on."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from solvers.cli.resuming import how_to_resume
from solvers.search.kept_parts import KeptParts


@dataclass(frozen=True)
class Found:
    """What a part has found."""

    nodes: int


def row(found: Found) -> list[Any]:
    return [found.nodes]


def read(values: list[Any]) -> Found:
    return Found(values[0])


@pytest.mark.parametrize("done", [0, 1, 2])
def test_going_on_is_advised_once_something_is_kept(tmp_path: Path, done: int) -> None:
    kept = KeptParts(tmp_path / "kept", 1, resume=True, row=row, read=read)
    kept.load(3)
    for number in range(done):
        kept.add(number, Found(1))
    told = how_to_resume(kept, "puzzle pack solve soma --count")
    assert ("--resume" in told) == kept.path.exists() == (done > 0)
    assert not done or f"{done} of 3 parts" in told
