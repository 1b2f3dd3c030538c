"""Fifty cubes with everything that may go wrong; the thousand are a benchmark of the same name."""

from pathlib import Path

import pytest

from tests.soak.judge import Outcome, Verdict, judged, judged_in_a_row

FRESH = range(30)
IN_A_ROW = 1000
UNSEEN = range(10)


def is_right(outcome: Outcome) -> bool:
    """Whether a cube came out as it may: solved and seen, by itself or by what was told."""
    return outcome.verdict in (Verdict.SOLVED, Verdict.ADVISED) and not outcome.is_scandal


@pytest.mark.parametrize("seed", FRESH)
def test_a_cube_is_solved_and_seen_or_its_owner_told_how(tmp_path: Path, seed: int) -> None:
    outcome = judged(seed, tmp_path)
    assert is_right(outcome), outcome
    assert outcome.is_solved


def test_ten_cubes_in_a_row_on_one_brick(tmp_path: Path) -> None:
    outcomes = judged_in_a_row(IN_A_ROW, tmp_path)
    assert [outcome for outcome in outcomes if not is_right(outcome)] == []


def test_without_a_camera_no_cube_is_called_solved(tmp_path: Path) -> None:
    outcomes = [judged(seed, tmp_path, with_camera=False) for seed in UNSEEN]
    assert {outcome.verdict for outcome in outcomes} == {Verdict.DRIVEN}
    assert not any(outcome.is_scandal for outcome in outcomes)
    assert not all(outcome.is_solved for outcome in outcomes)  # or the troubles were none
