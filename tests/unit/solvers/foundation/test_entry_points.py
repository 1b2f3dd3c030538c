"""Kernels that commands call: their machine code is cached, and called without numba."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from solvers.foundation import entry_points
from solvers.foundation.arrays import Int32Array, UInt8Array
from solvers.foundation.compiled import kernel
from solvers.foundation.entry_points import Arguments, UnfitError

ROOT = Path(__file__).resolve().parents[4]

KERNELS = """
from solvers.foundation.compiled import kernel

@kernel
def plus(a: int, b: int) -> int:
    return a + b

@kernel(entry=True)
def twice(x: int) -> int:
    return plus(x, x)

@kernel(entry=True)
def share(x: int, y: int) -> int:
    return x // y
"""
PROGRAM = """
import sys
from solvers.kernels import share, twice
print(twice(21), 'numba' in sys.modules)
try:
    print(share(7, int(sys.argv[1])))
except ZeroDivisionError as error:
    print(error)
"""


class Table(NamedTuple):
    """Arrays of two kinds."""

    values: Int32Array
    chosen: UInt8Array


class Pair(NamedTuple):
    """A tuple in a tuple."""

    first: Table
    second: Table


class Named(NamedTuple):
    """Has a member with the name of the kernel that reads it."""

    member: Int32Array


@kernel
def member(named: Named) -> int:
    """Return the first number."""
    return int(named.member[0])


@kernel(entry=True)
def total(pair: Pair, weight: int, is_wanted: bool, most: float) -> int:
    """Return a sum, and count the calls."""
    found = 0
    for table in (pair.first, pair.second):
        for row in range(table.values.shape[0]):
            for column in range(table.values.shape[1]):
                found += table.values[row, column] * table.chosen[row]
    pair.first.chosen[0] += 1
    return found * weight if is_wanted and found < most else -1


def _pair(first: int) -> Pair:
    values = np.arange(first, first + 6, dtype=np.int32).reshape(2, 3)
    chosen = np.array([1, 0], np.uint8)
    return Pair(Table(values, chosen), Table(values + 1, chosen.copy()))


def test_arrays_in_tuples_and_numbers_arrive_and_results_come_back() -> None:
    pair = _pair(1)
    assert total(pair, 10, True, 1e9) == 10 * (6 + 9)
    assert pair.first.chosen.tolist() == [2, 0], "what is written is written in the caller's arrays"
    assert total(pair, 10, True, 1e9) == 10 * (12 + 9), "given again, with other contents"
    assert total(_pair(2), 1, True, 1e9) == 9 + 12, "another tuple"
    assert total(_pair(2), 1, False, 1e9) == -1
    assert total(_pair(2), 1, True, 0.5) == -1


def test_a_member_may_be_called_as_the_kernel_that_reads_it() -> None:
    assert member(Named(np.array([7], np.int32))) == 7
    assert member(named=Named(np.array([8], np.int32))) == 8


def test_what_has_no_plain_form_is_left_to_numba() -> None:
    with pytest.raises(UnfitError):
        Arguments().plain((np.arange(6)[::2],))
    with pytest.raises(UnfitError):
        Arguments().plain(("text",))
    with pytest.raises(UnfitError):
        Arguments().plain((2**63,))
    pair = _pair(1)
    by_columns = Pair(*(Table(np.asfortranarray(each.values), each.chosen) for each in pair))
    assert total(by_columns, 10, True, most=1e9) == 10 * (6 + 9)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with the foundation and such kernels in it."""
    shutil.copytree(ROOT / "solvers" / "foundation", tmp_path / "solvers" / "foundation")
    (tmp_path / "solvers" / "__init__.py").touch()
    (tmp_path / "solvers" / "kernels.py").write_text(KERNELS)
    return tmp_path


def _run(project: Path, divisor: int) -> list[str]:
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(divisor)],
        cwd=project,
        env={**os.environ, "HOME": str(project / "home")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def test_cached_code_needs_no_numba_and_what_may_fail_stays_with_it(project: Path) -> None:
    assert _run(project, 2) == ["42 True", "3"]
    (kept,) = project.rglob("*.o")
    assert kept.name.startswith("twice-"), "a division may fail, which only numba can tell Python"
    assert _run(project, 0) == ["42 False", "integer division by zero"]
    kept.write_bytes(kept.read_bytes()[:-1])
    assert _run(project, 2) == ["42 True", "3"], "torn code is made again"
    assert _run(project, 2)[0] == "42 False"


def test_the_searches_of_commands_need_no_numba() -> None:
    """What every search starts with, as a command starts it; compiled by whoever came first."""
    program = (
        "import sys\n"
        "from solvers.search.exact_cover.search import count\n"
        "from solvers.search.exact_cover.model import ExactCover\n"
        "assert count(ExactCover.of([[0], [0]])).solutions == 2\n"
        "from solvers.edge_matching.samples import load_puzzle\n"
        "from solvers.edge_matching.scan.layouts import choose, first_scan\n"
        "from solvers.edge_matching.solver import load_kernels\n"
        "load_kernels()\n"
        "choose(first_scan(load_puzzle('nine-triangles')))\n"
        "print('numba' in sys.modules)"
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
        )
    assert done.stdout.strip() == "False"


def test_code_is_cached_for_its_arguments_and_its_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def note(_module: str, name: str) -> None:
        asked.append(name)

    monkeypatch.setattr(entry_points, "read_code", note)
    for kinds in (("i", "i"), ("i", "i"), ("i", "f")):
        assert entry_points.load_entry_point(total, kinds) is None
    monkeypatch.setattr(entry_points, "_processor", lambda: ("another", ""))
    assert entry_points.load_entry_point(total, ("i", "i")) is None
    first, same, other_kinds, other_processor = asked
    assert first == same
    assert len({first, other_kinds, other_processor}) == 3
