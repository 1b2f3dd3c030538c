"""Types of the dashboard's views for its scripts: python -m tests.dashboard_types

Writes `views.d.ts` from the Python structs, so that `make lint` finds a script that uses a field or
a phase which no view has.
"""

import dataclasses
import types
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec

from controller.dashboard.app import FOLDER
from controller.dashboard.board import view as board
from controller.dashboard.controller import Request
from controller.dashboard.cube import view as cube
from controller.dashboard.puzzles import view as puzzles
from controller.dashboard.robot import view as robot

TARGET: Final = FOLDER / "components" / "views.d.ts"
HEAD: Final = "// Made by `python -m tests.dashboard_types` of the pages' view.py: do not edit.\n"
PAGES: Final = {"robot": robot, "cube": cube, "board": board, "puzzles": puzzles}
SIMPLE: Final[dict[Any, str]] = {
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    type(None): "null",
}


def typescript() -> str:
    """Return the types of all pages' views, a namespace for each page."""
    return HEAD + "\n" + "\n".join(_namespace(name, page) for name, page in PAGES.items())


def _namespace(name: str, page: types.ModuleType) -> str:
    own = [each for each in vars(page).values() if getattr(each, "__module__", "") == page.__name__]
    enums = [each for each in own if isinstance(each, type) and issubclass(each, StrEnum)]
    views = [
        each
        for each in own
        if isinstance(each, type)
        and issubclass(each, msgspec.Struct)
        and not issubclass(each, Request)
    ]
    lines = [
        *(
            f"  type {each.__name__} = {' | '.join(repr(str(one)) for one in each)};"
            for each in enums
        ),
        *(_interface(each) for each in views),
    ]
    return "\n".join([f"export namespace {name} {{", *lines, "}", ""])


def _interface(view: type) -> str:
    fields = get_type_hints(view).items()
    lines = [f"    {name}: {_type(kind)};" for name, kind in fields if not name.startswith("_")]
    return "\n".join([f"  interface {view.__name__} {{", *lines, "  }"])


def _type(kind: Any) -> str:
    origin, arguments = get_origin(kind), get_args(kind)
    if kind in SIMPLE:
        return SIMPLE[kind]
    if origin in (Union, types.UnionType):
        return " | ".join(_type(each) for each in arguments)
    if origin in (tuple, list, Sequence):
        items = [each for each in arguments if each is not Ellipsis]
        is_any_length = origin is not tuple or Ellipsis in arguments
        return f"{_type(items[0])}[]" if is_any_length else f"[{', '.join(map(_type, items))}]"
    if origin is dict:
        return f"Record<{_type(arguments[0])}, {_type(arguments[1])}>"
    if dataclasses.is_dataclass(kind):
        shown = (f"{name}: {_type(each)}" for name, each in get_type_hints(kind).items())
        return f"{{ {'; '.join(shown)} }}"
    if isinstance(kind, type) and issubclass(kind, StrEnum | msgspec.Struct):
        return kind.__name__
    return "any"


if __name__ == "__main__":
    Path(TARGET).write_text(typescript(), encoding="utf-8")
