"""Kernels that are called without numba: their arguments as plain numbers, and their machine code.

numba needs a third of a second to be imported and more before it has loaded anything; LLVM alone,
by llvmlite, loads a finished function in a few milliseconds. So the first call of such a kernel
has numba compile a function in C's convention around it (`cfunc`, whose LLVM code `inspect_llvm`
returns; all of it is documented). Everything it calls becomes private to the one function, so LLVM
optimises it as a whole, sees that nothing in it ever fails, and drops the code that would report a
failure to Python. Code that still needs a symbol from outside is not cached: numba calls such a
kernel.

Arrays become their address and shape, named tuples of arrays what their members become, numbers
themselves. The *kind* of an argument is a letter for a number, `[<i4 2]` for an array of two
dimensions, `(module:Name ...)` for a named tuple.
"""

import ctypes
import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from operator import is_
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from solvers.foundation.code_cache import code_folder, read_code
from solvers.foundation.files import atomic_write

Number: TypeAlias = int | float
Kinds: TypeAlias = tuple[str, ...]

NUMBERS: Final[dict[str, Any]] = {
    "b": ctypes.c_bool,
    "i": ctypes.c_int64,
    "u": ctypes.c_uint64,
    "f": ctypes.c_double,
}
"""What a number is in C by the letter of its kind."""

_LETTERS: Final[dict[type, str]] = {
    bool: "b",
    np.bool_: "b",
    int: "i",
    np.int64: "i",
    np.uint64: "u",
    float: "f",
    np.float64: "f",
}


LEAST: Final = -(2**63)
MOST: Final = 2**63 - 1


class UnfitError(Exception):
    """An argument is of a kind that only numba can hand over."""


class Arrays(NamedTuple):
    """The arrays of an argument, in order: their addresses, and all their lengths."""

    kind: str
    addresses: tuple[int, ...]
    lengths: tuple[int, ...]


class Call(NamedTuple):
    """The arguments of a call: all addresses and lengths, in C, and the numbers."""

    kinds: Kinds
    addresses: Any
    lengths: Any
    numbers: list[Number]


def arrays_of(value: Any) -> Arrays:
    """Return what an array or a named tuple of arrays becomes. Raises UnfitError."""
    addresses: list[int] = []
    lengths: list[int] = []
    kind = _gather(value, addresses, lengths)
    return Arrays(kind, tuple(addresses), tuple(lengths))


def _gather(value: Any, addresses: list[int], lengths: list[int]) -> str:
    """Add to the addresses and lengths of an argument; return its kind. Raises UnfitError."""
    if type(value) is np.ndarray:
        flags = value.flags
        if not (flags.c_contiguous and flags.aligned and value.ndim):
            raise UnfitError
        addresses.append(_address(value, flags.writeable))
        lengths.extend(value.shape)
        return _kind(value.dtype, value.ndim)
    if not hasattr(value, "_fields"):
        raise UnfitError
    members = [_gather(each, addresses, lengths) for each in value]
    kind: Any = type(value)
    return f"({_name(kind)} {' '.join(members)})"


@cache
def _name(kind: Any) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


@cache
def _kind(dtype: Any, dimensions: int) -> str:
    return f"[{dtype.str} {dimensions}]"


def _address(array: Any, writeable: bool) -> int:
    """Return where an array's numbers are: by its buffer in a quarter of the time numpy takes."""
    if writeable and array.size:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    address: int = array.__array_interface__["data"][0]
    return address


class Arguments:
    """Converts the arguments of call after call; the same tuples are converted once.

    Tuples do not change, nor do the addresses and shapes of the arrays in them.
    """

    def __init__(self) -> None:
        self._last: tuple[tuple[Any, ...], tuple[Arrays, ...], Any, Any] = (), (), None, None

    def plain(self, values: tuple[Any, ...]) -> Call:
        """Return the arguments of a call. Raises UnfitError."""
        kinds: list[str] = []
        numbers: list[Number] = []
        others: list[Any] = []
        for value in values:
            letter = _LETTERS.get(type(value))
            if letter is None:
                others.append(value)
                kinds.append("")
            else:
                if letter == "i" and not LEAST <= value <= MOST:
                    raise UnfitError  # C would cut it off silently
                numbers.append(value if letter in "fi" else int(value))
                kinds.append(letter)
        arrays, addresses, lengths = self._in_c(tuple(others))
        found = iter(arrays)
        return Call(
            tuple([kind or next(found).kind for kind in kinds]), addresses, lengths, numbers
        )

    def _in_c(self, values: tuple[Any, ...]) -> tuple[tuple[Arrays, ...], Any, Any]:
        last, arrays, addresses, lengths = self._last
        if len(last) == len(values) and all(map(is_, last, values)):
            return arrays, addresses, lengths
        arrays = tuple([arrays_of(value) for value in values])
        addresses = _buffer(ctypes.c_void_p, [each for one in arrays for each in one.addresses])
        lengths = _buffer(ctypes.c_int64, [each for one in arrays for each in one.lengths])
        if all(isinstance(each, tuple) for each in values):
            self._last = values, arrays, addresses, lengths
        return arrays, addresses, lengths


def _buffer(kind: Any, numbers: list[int]) -> Any:
    return (kind * len(numbers))(*numbers)


Entry = Callable[..., Any]

_RETURNED: Final[dict[Any, Any]] = {
    bool: ctypes.c_bool,
    int: ctypes.c_int64,
    float: ctypes.c_double,
    None: None,
}
_SYMBOL: Final = "entry"
_OF_LLVM: Final = "llvm."  # intrinsics, for which its code generator needs no symbol
_CHECK_BYTES: Final = 16
_OPTIMISED: Final = 3
_engines: Final[list[Any]] = []
"""The loaded code, held until the process ends."""


def load_entry_point(function: Any, kinds: Kinds) -> Entry | None:
    """Return the cached machine code of a kernel for arguments of these kinds, None without it."""
    data = read_code(function.__module__, _file_name(function, kinds))
    if data is None or data[:_CHECK_BYTES] != _check(data[_CHECK_BYTES:]):
        return None
    return _callable(function, kinds, data[_CHECK_BYTES:])


def compile_entry_point(function: Any, kernel: Any, kinds: Kinds) -> Entry | None:
    """Return newly compiled machine code, and write it to the cache.

    `kernel` is numba's of the same function. None for a return type that has no entry point.
    """
    if function.__annotations__.get("return", ...) not in _RETURNED:
        return None
    code = _object_code(_llvm_code(function, kernel, kinds))
    if code is None:
        return None
    if folder := code_folder(function.__module__):
        with suppress(OSError), atomic_write(folder / _file_name(function, kinds)) as file:
            file.write(_check(code) + code)
    return _callable(function, kinds, code)


def _file_name(function: Any, kinds: Kinds) -> str:
    """Return a cache key unique to the argument types and the CPU."""
    digest = hashlib.blake2b(digest_size=10)
    for part in (*kinds, *_processor()):
        digest.update(f"{part}\n".encode())
    return f"{function.__qualname__}-{digest.hexdigest()}.o"


def _check(code: bytes) -> bytes:
    return hashlib.blake2b(code, digest_size=_CHECK_BYTES).digest()


@cache
def _llvm() -> Any:
    """Return LLVM's binding, imported when it is needed: that takes 0.1 s of CPU."""
    import llvmlite.binding as llvm

    return llvm


@cache
def _processor() -> tuple[str, str]:
    llvm = _llvm()
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@cache
def _machine() -> Any:
    llvm = _llvm()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    processor, features = _processor()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=processor, features=features, opt=_OPTIMISED, reloc="pic", codemodel="jitdefault"
    )


def _callable(function: Any, kinds: Kinds, code: bytes) -> Entry:
    """Return the function in an object file, as one that takes the numbers of its arguments."""
    llvm = _llvm()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    # PYFUNCTYPE keeps the interpreter's lock, as numba's own calls do.
    kind = ctypes.PYFUNCTYPE(
        _RETURNED[function.__annotations__["return"]],
        ctypes.c_void_p,
        ctypes.c_void_p,
        *[NUMBERS[each] for each in kinds if each in NUMBERS],
    )
    return kind(engine.get_function_address(_SYMBOL))


def _object_code(text: str) -> bytes | None:
    """Return the object file of a module's one C function, None if it cannot stand alone."""
    llvm = _llvm()
    module = llvm.parse_assembly(text)
    for each in (*module.functions, *module.global_variables):
        if each.name.startswith("cfunc."):
            each.name = _SYMBOL
        elif not each.is_declaration:
            each.linkage = llvm.Linkage.internal
    # What counts references is first inlined to where it can be seen to cancel out.
    for level, counts_references in ((1, True), (_OPTIMISED, False)):
        options = llvm.create_pipeline_tuning_options(speed_level=level)
        builder = llvm.create_pass_builder(_machine(), options)
        passes = builder.getModulePassManager()
        if counts_references:
            passes.add_refprune_pass()
        passes.run(module, builder)
    needed = [
        each.name for each in (*module.functions, *module.global_variables) if each.is_declaration
    ]
    if not all(name.startswith(_OF_LLVM) for name in needed):
        return None
    return bytes(_machine().emit_object(module))


def _llvm_code(function: Any, kernel: Any, kinds: Kinds) -> str:
    """Return the LLVM code of a C function that makes a kernel's arguments and calls it.

    It takes the addresses of all arrays, all their lengths, and the numbers.
    """
    import numba as typed_numba

    numba: Any = typed_numba  # its functions carry no types
    types = {"b": numba.boolean, "i": numba.int64, "u": numba.uint64, "f": numba.float64}
    returned = {bool: numba.boolean, int: numba.int64, float: numba.float64, None: numba.void}
    source = _Source()
    call = ", ".join([source.argument(iter(_WORD.findall(kind))) for kind in kinds])
    names = ", ".join(("addresses", "lengths", *source.numbers))
    known = {**source.known, "kernel": kernel, "carray": numba.carray}
    exec(f"def entry({names}):\n    return kernel({call})\n", known)  # noqa: S102 - our own text
    signature = returned[function.__annotations__["return"]](
        numba.types.CPointer(numba.types.voidptr),
        numba.types.CPointer(numba.int64),
        *[types[each] for each in kinds if each in types],
    )
    from solvers.foundation.numba_parts import llvm_code

    return llvm_code(known["entry"], signature)


_WORD: Final = re.compile(r"\[\S+ \d+\]|\(\S+|\)|\w")


class _Source:
    """The text of a call's arguments, and the names in it."""

    def __init__(self) -> None:
        self.numbers: list[str] = []
        self.known: dict[str, Any] = {}
        self._arrays = self._lengths = 0

    def argument(self, words: Iterator[str]) -> str:
        """Return the text of an argument of the kind that the next words name."""
        word = next(words)
        if word.startswith("["):
            return self._array(*word[1:-1].split())
        if word.startswith("("):
            module, _, name = word[1:].partition(":")
            self.known[name] = getattr(import_module(module), name)
            return f"{name}({', '.join(iter(lambda: self.argument(words), ')'))})"
        if word == ")":
            return word
        self.numbers.append(f"number_{len(self.numbers)}")
        return self.numbers[-1]

    def _array(self, kind: str, dimensions: str) -> str:
        first, self._lengths = self._lengths, self._lengths + int(dimensions)
        shape = "".join(f"lengths[{each}], " for each in range(first, self._lengths))
        name = f"kind_{kind[1:]}"
        self.known[name] = np.dtype(kind)
        self._arrays += 1
        return f"carray(addresses[{self._arrays - 1}], ({shape}), {name})"
