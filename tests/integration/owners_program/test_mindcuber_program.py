"""MindCuber's own program solves cubes on the simulated machine, unmodified and over the wire."""

import pytest

from tests.mindcuber_program import program_path, run_program

SEEDS = range(1, 21)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_owners_program_solves_a_random_cube(seed: int) -> None:
    program = program_path()
    assert program is not None, "not collected without it"
    run = run_program(program, seed)
    print(f"cube {seed}: {run}")
    assert run.is_solved
    assert run.jams == 0
    assert run.scan_s + run.thinking_s + run.moving_s == pytest.approx(run.seconds)
