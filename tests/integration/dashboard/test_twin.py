"""Random sessions in virtual time: the page's cube is the simulator's wherever it claims to be."""

from pathlib import Path

import pytest

from tests.twin_session import TwinSession


@pytest.mark.parametrize("seed", [7, 9, 15])  # power cuts, stops, a check that is resumed
def test_the_twin_follows_the_cube(seed: int, tmp_path: Path) -> None:
    tally = TwinSession(seed, tmp_path).play()
    assert tally.known
    assert tally.compared > tally.known
