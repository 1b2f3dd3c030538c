"""What one module does for all others, no other module does for itself."""

import os
import subprocess
import sys

import pytest

from tests.architecture.sources import PACKAGES, ROOT, modules, names_used, source

CLOCKS = {
    *(
        f"time.{name}{suffix}"
        for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time")
        for suffix in ("", "_ns")
    ),
    "time.sleep",
    "datetime.datetime.now",
    "datetime.datetime.utcnow",
    "datetime.date.today",
}
COMPILERS = {
    "controller/dashboard/worker.py": "reports to the pages which function is being compiled",
    "solvers/foundation/compiled.py": "compiles for all others",
    "solvers/foundation/entry_points.py": "caches and loads machine code",
    "solvers/foundation/numba_parts.py": "compiles what is called in compiled code as a part of it",
    "solvers/foundation/prefetching_llvm.py": "teaches numba an instruction",
    "solvers/search/lanes_llvm.py": "teaches numba vectors of 8 words, which it has no type for",
}
REPLACERS = {
    "solvers/foundation/files.py": "writes files for all others",
    "hardware_sims/endpoints.py": "puts a symbolic link in the place of another",
}
CLOCK_READERS = {"solvers/foundation/clock.py": "hands clocks to all others"}
REPLACING = {"os.replace", "os.rename", "os.renames", "shutil.move"}


def users(names: set[str]) -> set[str]:
    """Return the modules that take one of the names, or something below it."""
    return {
        module
        for module in modules()
        for used in names_used(module)
        if any(used == name or used.startswith(f"{name}.") for name in names)
    }


def test_numba_is_known_to_few() -> None:
    assert users({"numba", "llvmlite"}) == set(COMPILERS)


def test_files_are_replaced_by_one_module() -> None:
    by_name = {module for module in modules() if '.partial"' in source(module)}
    assert users(REPLACING) | by_name == set(REPLACERS)


def test_clocks_are_read_by_one_module_and_by_command_lines() -> None:
    command_lines = ("/cli/", "/command_line/")
    readers = {each for each in users(CLOCKS) if not any(name in each for name in command_lines)}
    assert readers == set(CLOCK_READERS)


def test_names_are_seen_under_other_names(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "import time as t\nfrom datetime import datetime\nt.monotonic()\ndatetime.now()\n"
    monkeypatch.setattr("tests.architecture.sources.source", lambda _module: text)
    assert set(names_used("any")) >= {"time.monotonic", "datetime.datetime.now"}


def test_every_module_can_be_imported_uncompiled() -> None:
    names = (module.removesuffix(".py").replace("/", ".") for module in modules())
    code = "\n".join(f"import {name.removesuffix('.__init__')}" for name in names)
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr


def test_the_packages_are_all_looked_at() -> None:
    assert {module.partition("/")[0] for module in modules()} == set(PACKAGES)
