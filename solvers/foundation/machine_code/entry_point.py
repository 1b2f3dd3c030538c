"""Machine code of a kernel that is called without numba, and its making with numba.

numba needs a third of a second to be imported and more before it has loaded anything; LLVM alone,
by llvmlite, loads a finished function in a few milliseconds. So the first call of such a kernel
has numba compile a function in C's convention around it (`cfunc`, whose LLVM code is to be had by
`inspect_llvm`; all of it is documented). All that it is made of becomes private to the one
function, by which LLVM makes it faster, sees that nothing in it ever fails, and drops what would
tell Python so. Code that needs anything else from outside is not kept: such a kernel stays numba's.
"""

import ctypes
import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any, Final

import llvmlite.binding as llvm
import numpy as np

from solvers.foundation.files import atomic_write
from solvers.foundation.machine_code.arguments import NUMBERS, Kinds
from solvers.foundation.machine_code.folders import code_folder, kept_code

Entry = Callable[..., Any]

_RETURNED: Final[dict[Any, Any]] = {
    bool: ctypes.c_bool,
    int: ctypes.c_int64,
    float: ctypes.c_double,
    None: None,
}
_SYMBOL: Final = "entry"
_OF_LLVM: Final = "llvm."  # what its code generator knows by itself
_CHECK_BYTES: Final = 16
_OPTIMISED: Final = 3
_engines: Final[list[Any]] = []
"""Hold the loaded code as long as the process lives."""


def load_entry_point(function: Any, kinds: Kinds) -> Entry | None:
    """Return the cached machine code of a kernel for arguments of these kinds, None without it."""
    data = kept_code(function.__module__, _file_name(function, kinds))
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
def _processor() -> tuple[str, str]:
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@cache
def _machine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    processor, features = _processor()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=processor, features=features, opt=_OPTIMISED, reloc="pic", codemodel="jitdefault"
    )


def _callable(function: Any, kinds: Kinds, code: bytes) -> Entry:
    """Return the function in an object file, as one that takes the numbers of its arguments."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    # As numba's own calls it keeps the interpreter's lock.
    kind = ctypes.PYFUNCTYPE(
        _RETURNED[function.__annotations__["return"]],
        ctypes.c_void_p,
        ctypes.c_void_p,
        *[NUMBERS[each] for each in kinds if each in NUMBERS],
    )
    return kind(engine.get_function_address(_SYMBOL))


def _object_code(text: str) -> bytes | None:
    """Return the object file of a module's one C function, None if it cannot stand alone."""
    module = llvm.parse_assembly(text)
    for each in (*module.functions, *module.global_variables):
        if each.name.startswith("cfunc."):
            each.name = _SYMBOL
        elif not each.is_declaration:
            each.linkage = llvm.Linkage.internal
    builder = llvm.create_pass_builder(
        _machine(), llvm.create_pipeline_tuning_options(speed_level=_OPTIMISED)
    )
    builder.getModulePassManager().run(module, builder)
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
    return str(numba.cfunc(signature)(known["entry"]).inspect_llvm())


_WORD: Final = re.compile(r"\[\S+ \d+\]|\(\S+|\)|\w")


class _Source:
    """The text of a call's arguments, and what it knows by name."""

    def __init__(self) -> None:
        self.numbers: list[str] = []
        self.known: dict[str, Any] = {}
        self._arrays = self._lengths = 0

    def argument(self, words: Iterator[str]) -> str:
        """Return the text of an argument of the kind that the next words say."""
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
