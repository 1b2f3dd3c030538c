"""The packages' sources as syntax trees, for the tests of this folder."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = ("controller", "firmware_tools", "hardware_sims", "solvers")


@cache
def modules() -> tuple[str, ...]:
    """Return the path of every module of the four packages, from the project's folder."""
    files = (path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))
    return tuple(sorted(path.relative_to(ROOT).as_posix() for path in files))


@cache
def source(module: str) -> str:
    return (ROOT / module).read_text(encoding="utf-8")


@cache
def names_used(module: str) -> frozenset[str]:
    """Return what a module takes from others, in full: `time.monotonic`, under whatever name."""
    return frozenset(_names_used(module))


def _names_used(module: str) -> Iterator[str]:
    tree = ast.parse(source(module))
    full_names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            full_names |= {each.asname or each.name: each.name for each in node.names}
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            for each in node.names:
                full_names[each.asname or each.name] = f"{node.module}.{each.name}"
                yield f"{node.module}.{each.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{full_names.get(node.value.id, '')}.{node.attr}"
