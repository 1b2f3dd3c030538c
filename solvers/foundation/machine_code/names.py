"""What compiled functions call each other by: numba has to know its own of each."""

from collections.abc import Iterator
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any


class ForNumba:
    """Stands for something that numba has to know otherwise."""

    for_numba: Any


def as_numba_knows_it(function: Any) -> Any:
    """Return the function, knowing by its names numba's own of what else is compiled."""
    names = set(_names(function.__code__, "LOAD_GLOBAL"))
    used = {name: value for name, value in function.__globals__.items() if name in names}
    known = {name: value.for_numba for name, value in used.items() if isinstance(value, ForNumba)}
    attributes = set(_names(function.__code__, "LOAD_ATTR", "LOAD_METHOD"))
    for name, value in used.items():
        if isinstance(value, ModuleType) and (copy := _module_for_numba(value, attributes)):
            known[name] = copy
    cells = function.__closure__ or ()
    if not known and not any(isinstance(cell.cell_contents, ForNumba) for cell in cells):
        return function
    closure = tuple([CellType(_for_numba(cell.cell_contents)) for cell in cells])
    made = FunctionType(
        function.__code__,
        {**function.__globals__, **known},
        function.__name__,
        function.__defaults__,
        closure,
    )
    made.__qualname__, made.__annotations__ = function.__qualname__, function.__annotations__
    return made


def _for_numba(value: Any) -> Any:
    return value.for_numba if isinstance(value, ForNumba) else value


def _module_for_numba(module: ModuleType, attributes: set[str]) -> ModuleType | None:
    """Return a copy of a module that has numba's own of what is compiled, if any is read there."""
    read = {name: value for name, value in vars(module).items() if name in attributes}
    known = {name: value.for_numba for name, value in read.items() if isinstance(value, ForNumba)}
    if not known:
        return None
    copy = ModuleType(module.__name__)
    vars(copy).update({**vars(module), **known})
    return copy


def _names(code: CodeType, *operations: str) -> Iterator[str]:
    """Yield the names that these operations of a function, and of those within it, read.

    An attribute may be called as a global is, even as the function that reads it.
    """
    from dis import get_instructions

    yield from (each.argval for each in get_instructions(code) if each.opname in operations)
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _names(each, *operations)
