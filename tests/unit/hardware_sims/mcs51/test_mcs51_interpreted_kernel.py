"""The kernel as plain Python, which shows what the compiler must not change."""

import numpy as np
import pytest

from hardware_sims.mcs51.kernel import run
from hardware_sims.mcs51.microcontroller import Microcontroller
from tests.oracles.random_program import random_program

CYCLES = 4000


@pytest.mark.parametrize("seed", [100, 101])
def test_interpreted_and_compiled_kernel_agree(seed: int) -> None:
    code, _ = random_program(seed, 3000)
    compiled, interpreted = Microcontroller(), Microcontroller()
    for chip in (compiled, interpreted):
        chip.load(code)
    compiled.run_cycles(CYCLES)
    run.py_func(interpreted.state, CYCLES)
    for field, left, right in zip(
        compiled.state._fields, compiled.state, interpreted.state, strict=True
    ):
        assert np.array_equal(left, right), field
