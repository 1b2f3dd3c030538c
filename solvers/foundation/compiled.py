"""How functions are compiled, and where the compiled code is kept.

`compiled` is for functions that make arrays; `kernel` for those that only work on arrays which
their caller holds. numba counts references to every array that is touched, by atomic operations
that cost an inner loop half its time and more; a kernel does without (`_nrt=False`, the option
numba's own tests use: not documented, so numba's version is pinned and a test watches it).
No wrapper for callers in C is made (`no_cfunc_wrapper`, as little documented): there are none,
and it costs a fifth of the compiling.

Compiled code is a cache. It lies beside the sources, or in the user's cache folder where that
cannot be written, in a folder named after a digest of *all* project sources that the function's
module imports at its top: a kernel takes in functions and constants of other files, and numba by
itself looks at one file only. Any change gives another folder; old ones go.
"""

import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, overload

import numba
import platformdirs

Function = TypeVar("Function", bound=Callable[..., Any])
Inlining = Literal["never", "numba", "llvm"]
"""Into its callers: not at all, as source before types are known, or as machine code."""

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = ("solvers", "firmware_tools", "controller", "hardware_sims")
_IMPORT: Final = re.compile(
    rf"^(?:from|import) ((?:{'|'.join(PACKAGES)})\b[\w.]*)(?: import (\([^)]*\)|.*))?",
    re.MULTILINE,
)
_INLINING: Final[dict[str, dict[str, Any]]] = {
    "never": {},
    "numba": {"inline": "always"},
    "llvm": {"forceinline": True},
}
ROOM_BYTES: Final = 64 * 1024 * 1024  # several times what all kernels take
_settings: Final[Any] = numba.config
_PICKLE_END: Final = b"."  # numba's files are pickles; one that was cut off lacks its end


@overload
def compiled(function: Function, /) -> Function: ...
@overload
def compiled(*, inlining: Inlining = "never", **options: Any) -> Callable[[Function], Function]: ...
def compiled(function: Any = None, /, *, inlining: Inlining = "never", **options: Any) -> Any:
    """Compile a function at its first call; also as `@compiled(inlining=..., **numba_options)`."""
    if function is None:
        return lambda each: compiled(each, inlining=inlining, **options)  # type: ignore[call-overload]
    if _settings.DISABLE_JIT:
        return function
    folder = _cache_folder(function.__module__)
    with _numba_cache_in(folder):
        options = {"no_cfunc_wrapper": True, **_INLINING[inlining], **options}
        return numba.njit(cache=folder is not None, **options)(function)


@overload
def kernel(function: Function, /) -> Function: ...
@overload
def kernel(*, inlining: Inlining = "never", **options: Any) -> Callable[[Function], Function]: ...
def kernel(function: Any = None, /, *, inlining: Inlining = "never", **options: Any) -> Any:
    """Compile a function that makes and keeps no array; its callers hold those it works on."""
    options = {"_nrt": False, **options}
    if function is None:
        return compiled(inlining=inlining, **options)
    return compiled(inlining=inlining, **options)(function)


@cache
def _cache_folder(module: str) -> Path | None:
    """Return a folder for the compiled code of a module, None where nothing can be written."""
    source = _source_of(module)
    if source is None or module.partition(".")[0] not in PACKAGES:
        return None
    name = f"{module.rpartition('.')[2]}-{sources_digest(module)}"
    for parent in (
        source.parent / "__pycache__" / "compiled",
        platformdirs.user_cache_path("puzzlerig") / "compiled",
    ):
        folder = parent / name
        if not _has_room(folder):
            continue
        if source.parent in parent.parents:
            _remove_older(folder)
        _remove_torn(folder)
        return folder
    return None


def _has_room(folder: Path) -> bool:
    """Return whether files can be written there; numba fails at a full disk."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        return shutil.disk_usage(folder).free >= ROOM_BYTES
    except OSError:
        return False


@contextmanager
def _numba_cache_in(folder: Path | None) -> Iterator[None]:
    """Let numba decide for `folder`: it looks at its documented setting as a function is made."""
    before = _settings.CACHE_DIR
    if folder is not None:
        _settings.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        _settings.CACHE_DIR = before


def _remove_older(folder: Path) -> None:
    """Remove what was compiled from earlier sources of the same module."""
    stem = folder.name.rpartition("-")[0]
    for other in folder.parent.glob(f"{stem}-*"):
        if other != folder and other.name.rpartition("-")[0] == stem:
            shutil.rmtree(other, ignore_errors=True)


def _remove_torn(folder: Path) -> None:
    """Remove files that were cut off: numba would fail at them for ever instead of compiling."""
    for path in folder.rglob("*.nb?"):
        try:
            with path.open("rb") as file:
                file.seek(-1, os.SEEK_END)
                whole = file.read(1) == _PICKLE_END
        except OSError:
            whole = False
        if not whole:
            path.unlink(missing_ok=True)


@cache
def sources_digest(module: str) -> str:
    """Return a digest of a module's source and of all project sources that it imports at its top.

    Imports inside functions do not count: nothing that is compiled stands behind them.
    """
    digest = hashlib.blake2b(f"{numba.__version__} {sys.version}".encode(), digest_size=10)
    for name in sorted(_imported(module)):
        digest.update(name.encode())
        digest.update(_source_text(name).encode())
    return digest.hexdigest()


def _imported(module: str) -> set[str]:
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found or _source_of(name) is None:
            continue
        found.add(name)
        for target, members in _IMPORT.findall(_source_text(name)):
            waiting += [target, *(f"{target}.{each}" for each in re.findall(r"\w+", members))]
    return found


@cache
def _source_text(module: str) -> str:
    path = _source_of(module)
    return path.read_text(encoding="utf-8") if path is not None else ""


@cache
def _source_of(module: str) -> Path | None:
    stem = ROOT.joinpath(*module.split("."))
    for path in (stem.with_suffix(".py"), stem / "__init__.py"):
        if path.is_file():
            return path
    return None
