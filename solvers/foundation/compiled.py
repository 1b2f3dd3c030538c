"""How functions are compiled.

`compiled` is for functions that make arrays; `kernel` for those that only work on arrays which
their caller holds. numba counts references to every array that is touched, by atomic operations
that cost an inner loop half its time and more; a kernel does without (`_nrt=False`, the option
numba's own tests use: not documented, so numba's version is pinned and a test watches it).
No wrapper for callers in C is made (`no_cfunc_wrapper`, as little documented): there are none,
and it costs a fifth of the compiling.

numba is imported when something is called that is not compiled yet, or that only numba can call.
What commands call is a kernel with `entry=True`, whose machine code `machine_code` keeps and loads
by itself; numba's own cache is for all others.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property, update_wrapper
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, overload

from solvers.foundation.machine_code.arguments import Arguments, Kinds, UnfitError
from solvers.foundation.machine_code.folders import code_folder
from solvers.foundation.machine_code.names import ForNumba, as_numba_knows_it

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
def once_numba_is_loaded(begin: Callable[[], object]) -> Iterator[None]:
    """Within it, call `begin` when numba is there: at once, or before it has its first function."""
    if "numba" in sys.modules:
        begin()
    else:
        _awaiting_numba.append(begin)
    try:
        yield
    finally:
        if begin in _awaiting_numba:
            _awaiting_numba.remove(begin)


def late(module: str, name: str) -> Any:
    """Return what stands for something that imports numba, in the functions that are compiled."""
    return _Late(module, name)


class _Late(ForNumba):
    def __init__(self, module: str, name: str) -> None:
        self._module = module
        self._name = name

    @cached_property
    def for_numba(self) -> Any:
        return getattr(import_module(self._module), self._name)


class _Compiled(ForNumba):
    """A function that numba compiles when it is called; numba's own is made then."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._options = options

    @cached_property
    def for_numba(self) -> Any:
        import numba

        while _awaiting_numba:
            _awaiting_numba.pop(0)()
        folder = code_folder(self.py_func.__module__)
        with _numba_cache_in(folder):
            make = numba.njit(cache=folder is not None, **self._options)
            return _of_kinds_alone(make(as_numba_knows_it(self.py_func)))

    def __call__(self, *values: Any, **named: Any) -> Any:
        return self.for_numba(*values, **named)

    def __getattr__(self, name: str) -> Any:
        """Return what numba knows about the function."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.for_numba, name)

    def __reduce__(self) -> str:
        return str(self.py_func.__qualname__)


class _Entry(_Compiled):
    """A function that commands call: by its machine code, which is kept, or made once."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        super().__init__(function, options)
        self._arguments = Arguments()
        self._calls: dict[Kinds, Callable[..., Any] | None] = {}

    def __call__(self, *values: Any, **named: Any) -> Any:
        if named:
            return self.for_numba(*values, **named)
        try:
            given = self._arguments.plain(values)
        except UnfitError:
            return self.for_numba(*values)
        kinds = given.kinds
        if kinds not in self._calls:
            self._calls[kinds] = self._found(kinds)
        call = self._calls[kinds]
        if call is None:
            return self.for_numba(*values)
        return call(given.addresses, given.lengths, *given.numbers)

    def _found(self, kinds: Kinds) -> Callable[..., Any] | None:
        from solvers.foundation.machine_code.entry_point import (
            compile_entry_point,
            load_entry_point,
        )

        return load_entry_point(self.py_func, kinds) or compile_entry_point(
            self.py_func, self.for_numba, kinds
        )


def _of_kinds_alone(made: Any) -> Any:
    """Have numba compile a function for what its arguments are, not for each constant anew.

    Where it is inlined, LLVM sees the constants all the same. What compiled callers ask for is not
    documented; without it everything works, and the simulators take a fifth longer to compile.
    """
    unliteral: Any = import_module("numba.core.types").unliteral
    template = made.get_call_template

    def for_kinds(values: Iterable[Any], named: dict[str, Any]) -> Any:
        kinds = {name: unliteral(each) for name, each in named.items()}
        return template([unliteral(each) for each in values], kinds)

    made.get_call_template = for_kinds
    return made


@contextmanager
def _numba_cache_in(folder: Path | None) -> Iterator[None]:
    """Let numba decide for `folder`: it looks at its documented setting as a function is made."""
    import numba

    settings: Any = numba.config
    before = settings.CACHE_DIR
    if folder is not None:
        settings.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before
