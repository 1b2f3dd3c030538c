"""What is told of functions that are compiled, as numba tells it."""

from typing import Any

import numba

from controller.dashboard.beside.child import compiling_sentence
from controller.dashboard.beside.compiling import compiling_told

njit: Any = numba.njit


def test_each_function_is_told_as_it_is_compiled_and_then_that_all_are() -> None:
    told = list[str]()

    @njit
    def inner(number: float) -> float:
        return number + 1

    @njit
    def outer(number: float) -> float:
        return float(inner(number) + 1)

    with compiling_told(told.append):
        assert outer(1) == 3
        outer(2)
    outer(2.5)  # compiled once more, and told to nobody
    assert told == ["outer", "inner", ""]
    assert [compiling_sentence(name) for name in told[1:]] == [
        "Compiling, once on this computer: inner.",
        "",
    ]
