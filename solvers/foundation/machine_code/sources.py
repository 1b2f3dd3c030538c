"""Which sources compiled code was made from.

A kernel takes in functions and constants of other files, while numba by itself looks at one file
only. So *all* project sources count that a module imports at its top, and theirs.
"""

import hashlib
import re
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
PACKAGES: Final = ("solvers", "firmware_tools", "controller", "hardware_sims")
_IMPORT: Final = re.compile(
    rf"^(?:from|import) ((?:{'|'.join(PACKAGES)})\b[\w.]*)(?: import (\([^)]*\)|.*))?",
    re.MULTILINE,
)
_LATE_IMPORT: Final = re.compile(r"\blate\(\"([\w.]+)")


@cache
def sources_digest(module: str) -> str:
    """Return a digest of a module's source and of all project sources that it imports at its top.

    Imports inside functions do not count: nothing that is compiled stands behind them.
    """
    digest = hashlib.blake2b(f"{_compiler()} {sys.version}".encode(), digest_size=10)
    for name in sorted(_imported(module)):
        digest.update(name.encode())
        digest.update(_source_text(name).encode())
    return digest.hexdigest()


def _imported(module: str) -> set[str]:
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found or source_of(name) is None:
            continue
        found.add(name)
        text = _source_text(name)
        waiting += _LATE_IMPORT.findall(text)
        for target, members in _IMPORT.findall(text):
            waiting += [target, *(f"{target}.{each}" for each in re.findall(r"\w+", members))]
    return found


@cache
def _compiler() -> str:
    """Return the names and versions of numba and llvmlite without importing either.

    Each installed distribution leaves a folder with both beside its package; where it does not,
    the slower library for that is asked.
    """
    found = []
    for name in ("numba", "llvmlite"):
        spec = find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        folders = Path(spec.origin).parents[1].glob(f"{name}-*.dist-info")
        found.append(next((each.name for each in folders), "") or _asked_version(name))
    return " ".join(found)


def _asked_version(name: str) -> str:
    from importlib.metadata import version

    return version(name)


@cache
def _source_text(module: str) -> str:
    path = source_of(module)
    return path.read_text(encoding="utf-8") if path is not None else ""


@cache
def source_of(module: str) -> Path | None:
    stem = ROOT.joinpath(*module.split("."))
    for path in (stem.with_suffix(".py"), stem / "__init__.py"):
        if path.is_file():
            return path
    return None
