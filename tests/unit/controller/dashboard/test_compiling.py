"""What is told of functions that are compiled, as numba tells it."""

import sys
from typing import Any

from controller.dashboard.worker import WorkerProcess, compiling_sentence, report_compiling
from solvers.foundation.compiled import kernel


def test_each_function_is_told_as_it_is_compiled_and_then_that_all_are() -> None:
    import numba  # here, because the process of the other test must not have loaded it

    njit: Any = numba.njit
    told = list[str]()

    @njit
    def inner(number: float) -> float:
        return number + 1

    @njit
    def outer(number: float) -> float:
        return float(inner(number) + 1)

    with report_compiling(told.append):
        assert outer(1) == 3
        outer(2)
    outer(2.5)  # compiled once more, and told to nobody
    assert told == ["outer", "inner", ""]
    assert [compiling_sentence(name) for name in told[1:]] == [
        "Compiling, once on this computer: inner.",
        "",
    ]


def compiling_late() -> tuple[bool, bool]:
    """Return whether numba was there before something was compiled, and afterwards."""
    before = "numba" in sys.modules

    def plus_one(number: int) -> int:
        return number + 1

    made: Any = kernel(plus_one)
    made(1)
    made.recompile()  # what came from the cache was not compiled
    return before, "numba" in sys.modules


def test_a_process_loads_numba_when_it_compiles_and_tells_that_too() -> None:
    told = list[str]()
    process = WorkerProcess("search", on_compile=told.append)
    assert process.call(60, compiling_late) == (False, True)
    process.end()
    assert told[-2:] == ["plus_one", ""]
