"""Compiled code is renewed when any source changes that it was made from."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from solvers.foundation.code_cache import sources_digest
from solvers.foundation.compiled import IS_PLAIN, address_of, by_address, compiled, kernel

ROOT = Path(__file__).resolve().parents[4]

KERNEL = """
from solvers.foundation.compiled import kernel
from solvers.numbers import STEP, plus

@kernel
def twice(x: int) -> int:
    return plus(plus(x, STEP), STEP)
"""
NUMBERS = """
from solvers.foundation.compiled import kernel

STEP = {step}

@kernel(inlining="llvm")
def plus(a: int, b: int) -> int:
    return a + b
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with the foundation and two kernels in it."""
    shutil.copytree(ROOT / "solvers" / "foundation", tmp_path / "solvers" / "foundation")
    (tmp_path / "solvers" / "__init__.py").touch()
    (tmp_path / "solvers" / "kernels.py").write_text(KERNEL)
    (tmp_path / "solvers" / "numbers.py").write_text(NUMBERS.format(step=10))
    return tmp_path


def _run(project: Path, **environment: str) -> str:
    program = (
        "from solvers.kernels import twice\nprint(twice(1))\n"
        "print(sum(twice.stats.cache_hits.values()) if hasattr(twice, 'stats') else 'python')"
    )
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=project,
        env={
            **os.environ,
            "HOME": str(project / "home"),
            # A change of the same length in the same second Python takes for none.
            "PYTHONDONTWRITEBYTECODE": "1",
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return " ".join(result.stdout.split())


def test_compiled_code_is_kept_and_made_again_when_broken_or_when_a_source_changes(
    project: Path,
) -> None:
    assert _run(project) == "21 0"
    assert _run(project) == "21 1", "the next process takes it"
    for path in (project / "solvers").rglob("*.nb?"):
        path.write_bytes(path.read_bytes()[:-20])
    assert _run(project) == "21 0"
    assert _run(project) == "21 1"
    (project / "solvers" / "numbers.py").write_text(NUMBERS.format(step=20))
    assert _run(project) == "41 0", "an imported source has changed"
    kept = list((project / "solvers" / "__pycache__" / "compiled").glob("kernels-*"))
    assert len(kept) == 1, "what was compiled from earlier sources has to go"


def test_a_full_disk_costs_only_time(project: Path) -> None:
    source = project / "solvers" / "foundation" / "code_cache.py"
    text = source.read_text()
    assert "ROOM_BYTES: Final = 64 * 1024 * 1024" in text
    source.write_text(text.replace("64 * 1024 * 1024", "1 << 60"))
    assert _run(project) == "21 0"
    assert not list(project.rglob("*.nbi"))


def test_where_nothing_can_be_written_it_costs_only_time(project: Path) -> None:
    """Neither beside the sources nor in the user's folder; who is root may write anywhere else."""
    (project / "solvers" / "__pycache__").write_text("no folder")
    (project / "home").write_text("no folder")
    environment = {"XDG_CACHE_HOME": str(project / "home" / "cache"), "PYTHONPYCACHEPREFIX": ""}
    assert _run(project, **environment) == "21 0"


def test_everything_runs_uncompiled(project: Path) -> None:
    assert _run(project, NUMBA_DISABLE_JIT="1") == "21 python"


def test_imports_count_in_every_form_they_are_written_in() -> None:
    assert sources_digest("solvers.rubik.two_phase.solver") != sources_digest(
        "solvers.rubik.two_phase.search"
    )


def test_kernels_count_no_references() -> None:
    """Guards the option `_nrt`, which numba does not document.

    When this fails with a newer numba: look how its tests now compile without reference counting;
    without such an option replace `kernel` by `compiled` (about half the speed of the searches).
    """

    @kernel
    def total(values: object) -> int:
        found = 0
        for value in values:  # type: ignore[attr-defined]
            found += value
        return found

    total(np.arange(3))
    total.recompile()  # type: ignore[attr-defined]  # what comes from the cache cannot be looked at
    code = next(iter(total.inspect_llvm().values()))  # type: ignore[attr-defined]
    assert "NRT_incref" not in code


@pytest.mark.skipif(IS_PLAIN, reason="nothing is compiled")
def test_a_kernel_is_compiled_once_for_all_constants() -> None:
    """Guards numba's `get_call_template`, which it does not document."""

    @kernel
    def sum_of(a: int, b: int) -> int:
        return a + b

    @kernel
    def more(value: int) -> int:
        return sum_of(sum_of(value, 1), b=2)

    assert more(4) == 7
    assert len(sum_of.for_numba.signatures) == 1  # type: ignore[attr-defined]


@pytest.mark.skipif(IS_PLAIN, reason="nothing is compiled")
def test_what_a_kernel_calls_is_made_machine_code_with_it_and_not_by_itself() -> None:
    """Guards what `numba_parts` takes of numba that it does not document."""

    @kernel
    def triple(value: int) -> int:
        return value * 3

    @kernel
    def ninefold(value: int) -> int:
        return triple(triple(value))

    assert ninefold(2) == 18
    (part,) = triple.for_numba.overloads.values()  # type: ignore[attr-defined]
    assert part.library.get_pointer_to_function(part.fndesc.llvm_func_name) == 0
    assert "for_python" not in vars(triple), "nothing is made for callers in Python"
    assert triple(4) == 12, "a part is compiled once more where Python calls it"


class Numbers(NamedTuple):
    """What a kernel that is called by its address takes beside a number."""

    values: Any


@kernel
def value_at(numbers: Numbers, place: int) -> int:
    """Return one of the numbers, or fail."""
    if place < 0:
        raise IndexError
    return int(numbers.values[place])


value_by_address = by_address(value_at)


@kernel
def value_after(numbers: Numbers, address: int, place: int) -> int:
    """Return the number after one that another kernel finds."""
    return 1 + int(value_by_address(address, numbers, place))


def test_a_kernel_that_is_called_by_its_address_is_no_part_of_its_callers() -> None:
    numbers = Numbers(np.array([5, 7]))
    address = address_of(value_at, numbers, 0)
    assert [value_after(numbers, address, place) for place in (0, 1)] == [6, 8]
    with pytest.raises(IndexError):
        value_after(numbers, address, -1)
    if not IS_PLAIN:
        assert "for_numba" not in vars(value_at)


@pytest.mark.skipif(IS_PLAIN, reason="nothing is compiled")
def test_numba_works_out_the_types_of_its_own_functions_once() -> None:
    """Guards `Function.get_call_type`, which numba does not document."""
    from solvers.foundation import numba_parts

    @kernel
    def distance(a: float, b: float) -> float:
        return max(a - b, b - a)

    @kernel
    def distance_again(a: float, b: float) -> float:
        return max(a - b, b - a)

    assert distance(2.0, 5.0) == 3
    known = len(numba_parts._call_types)
    assert distance_again(5.0, 2.0) == 3
    assert 0 < len(numba_parts._call_types) == known


@pytest.mark.skipif(IS_PLAIN, reason="nothing is compiled")
def test_a_kernel_goes_through_fewer_passes_than_a_function_that_makes_arrays() -> None:
    """Guards numba's passes, of which a kernel needs a part."""
    import numba.core.event as events

    def passes(function: object) -> int:
        with events.install_recorder("numba:run_pass") as recorder:
            function(np.arange(3.0))  # type: ignore[operator]
        names = [event.data["qualname"] for _, event in recorder.buffer if event.is_start]
        return sum("each_doubled" in name for name in names)

    @kernel
    def each_doubled(values: object) -> None:
        for at in range(len(values)):  # type: ignore[arg-type]
            values[at] *= 2  # type: ignore[index]

    @compiled
    def new_each_doubled(values: object) -> object:
        return values + values  # type: ignore[operator]

    assert passes(each_doubled) == 0, "listeners are not notified"
    assert passes(new_each_doubled) > 20
