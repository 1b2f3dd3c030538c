"""The decorators `compiled` and `kernel`, by which all functions are compiled.

`compiled` is for functions that make arrays; `kernel` for those that only work on arrays which
their caller holds. numba counts references to every array that is touched, by atomic operations
that cost an inner loop half its time and more; a kernel does without (`_nrt=False`, the option
numba's own tests use: not documented, so numba's version is pinned and a test watches it).
No wrapper for callers in C is made (`no_cfunc_wrapper`, as little documented): there are none,
and it costs a fifth of the compiling.

numba is imported when something is called that is not compiled yet, or that only numba can call.
What commands call is a kernel with `entry=True`, whose machine code `entry_points` caches and loads
by itself; numba's own cache is for all others.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, update_wrapper
from importlib import import_module
from pathlib import Path
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any, Final, Literal, TypeVar, overload

from solvers.foundation.code_cache import code_folder
from solvers.foundation.entry_points import (
    Arguments,
    Kinds,
    UnfitError,
    compile_entry_point,
    load_entry_point,
)

Function = TypeVar("Function", bound=Callable[..., Any])
Inlining = Literal["never", "numba", "llvm"]
"""Into its callers: not at all, as source before types are known, or as machine code."""

IS_PLAIN: Final = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether everything runs as plain Python, by numba's own variable."""

_INLINING: Final[dict[str, dict[str, Any]]] = {
    "never": {},
    "numba": {"inline": "always"},
    "llvm": {"forceinline": True},
}

_awaiting_numba: Final[list[Callable[[], object]]] = []


@overload
def compiled(function: Function, /) -> Function: ...
@overload
def compiled(
    *, inlining: Inlining = "never", entry: bool = False, **options: Any
) -> Callable[[Function], Function]: ...
def compiled(
    function: Any = None,
    /,
    *,
    inlining: Inlining = "never",
    entry: bool = False,
    **options: Any,
) -> Any:
    """Compile a function at its first call; also as `@compiled(inlining=..., **numba_options)`.

    An `entry` is what commands call: with arrays in C's order, numbers and named tuples of them, as
    arguments; it returns a number or nothing. Its machine code is loaded without numba.
    """
    if function is None:
        return lambda each: compiled(each, inlining=inlining, entry=entry, **options)  # type: ignore[call-overload]
    if IS_PLAIN:
        return function
    options = {"no_cfunc_wrapper": True, **_INLINING[inlining], **options}
    return (_Entry if entry else _Compiled)(function, options)


@overload
def kernel(function: Function, /) -> Function: ...
@overload
def kernel(
    *, inlining: Inlining = "never", entry: bool = False, **options: Any
) -> Callable[[Function], Function]: ...
def kernel(function: Any = None, /, **options: Any) -> Any:
    """Compile a function that makes and keeps no array; its callers hold those it works on."""
    options = {"_nrt": False, **options}
    if function is None:
        return compiled(**options)
    return compiled(**options)(function)


@contextmanager
def once_numba_is_loaded(call: Callable[[], object]) -> Iterator[None]:
    """Within the block, call `call` once numba is imported: now, or before it compiles anything."""
    if "numba" in sys.modules:
        call()
    else:
        _awaiting_numba.append(call)
    try:
        yield
    finally:
        if call in _awaiting_numba:
            _awaiting_numba.remove(call)


class ForNumba:
    """A placeholder; numba compiles with `for_numba` in its place."""

    for_numba: Any


def late(module: str, name: str) -> Any:
    """Return a placeholder for a name of a module that imports numba, for use in kernels."""
    return _Late(module, name)


def by_address(kernel: Any) -> Any:
    """Return what compiled code calls in place of a large kernel that is to be compiled by itself.

    Such a kernel takes a named tuple and an integer and returns an integer. The first argument is
    what `address_of` returns; the kernel's own follow. So its machine code is made once, and not
    again as a part of each of its callers.
    """
    if IS_PLAIN:
        return lambda _, *values: kernel(*values)
    return late("solvers.foundation.numba_parts", "call_at")


def address_of(kernel: Any, *values: Any) -> int:
    """Return where the machine code of a kernel for such arguments is, 1 if nothing is compiled."""
    return 1 if IS_PLAIN else int(_numba_parts().address_of(kernel.for_python, values))


class _Late(ForNumba):
    def __init__(self, module: str, name: str) -> None:
        self._module = module
        self._name = name

    @cached_property
    def for_numba(self) -> Any:
        return getattr(import_module(self._module), self._name)


class _Compiled(ForNumba):
    """A function that numba compiles at its first call, at which numba's dispatcher is made."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._options = options

    @cached_property
    def for_numba(self) -> Any:
        """Numba's dispatcher for compiled callers."""
        parts = _numba_parts()
        return parts.compile_part(with_dispatchers(self.py_func), **self._options)

    @cached_property
    def for_python(self) -> Any:
        """Numba's dispatcher for callers in Python."""
        parts = _numba_parts()
        folder = code_folder(self.py_func.__module__)
        with _numba_cache_in(folder):
            return parts.compile_whole(
                with_dispatchers(self.py_func), cache=folder is not None, **self._options
            )

    def __call__(self, *values: Any, **named: Any) -> Any:
        return self.for_python(*values, **named)

    def __getattr__(self, name: str) -> Any:
        """Return what numba knows about the function."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.for_python, name)

    def __reduce__(self) -> str:
        return str(self.py_func.__qualname__)


class _Entry(_Compiled):
    """A function that commands call: by its cached machine code, compiled once."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        super().__init__(function, options)
        self._arguments = Arguments()
        self._calls: dict[Kinds, Callable[..., Any] | None] = {}

    def __call__(self, *values: Any, **named: Any) -> Any:
        if named:
            return self.for_python(*values, **named)
        try:
            given = self._arguments.plain(values)
        except UnfitError:
            return self.for_python(*values)
        kinds = given.kinds
        if kinds not in self._calls:
            self._calls[kinds] = self._load_or_compile(kinds)
        call = self._calls[kinds]
        if call is None:
            return self.for_python(*values)
        return call(given.addresses, given.lengths, *given.numbers)

    def _load_or_compile(self, kinds: Kinds) -> Callable[..., Any] | None:
        return load_entry_point(self.py_func, kinds) or compile_entry_point(
            self.py_func, self.for_numba, kinds
        )


def _numba_parts() -> Any:
    """Return what compiles with numba, imported when it is needed."""
    from solvers.foundation import numba_parts

    while _awaiting_numba:
        _awaiting_numba.pop(0)()
    return numba_parts


@contextmanager
def _numba_cache_in(folder: Path | None) -> Iterator[None]:
    """Have numba cache the functions made in the block in `folder`, by its documented setting."""
    import numba

    settings: Any = numba.config
    before = settings.CACHE_DIR
    if folder is not None:
        settings.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before


def with_dispatchers(function: Any) -> Any:
    """Return the function with each placeholder among its globals and closure replaced."""
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
    """Return a copy of a module without placeholders, None if none of them is read."""
    read = {name: value for name, value in vars(module).items() if name in attributes}
    known = {name: value.for_numba for name, value in read.items() if isinstance(value, ForNumba)}
    if not known:
        return None
    copy = ModuleType(module.__name__)
    vars(copy).update({**vars(module), **known})
    return copy


def _names(code: CodeType, *operations: str) -> Iterator[str]:
    """Yield the names that these operations of a function, and of those within it, read.

    Globals and attributes are looked up apart: an attribute may have the name of a global, even of
    the function that reads it.
    """
    from dis import get_instructions

    yield from (each.argval for each in get_instructions(code) if each.opname in operations)
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _names(each, *operations)
