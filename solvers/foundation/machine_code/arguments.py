"""Arguments of a kernel as plain numbers, which machine code takes without Python or numba.

Arrays become their address and shape, named tuples of arrays what their members become, numbers
themselves. What a kernel's arguments are is said by their *kinds*: a letter for a number,
`[<i4 2]` for an array of two dimensions, `(module:Name ...)` for a named tuple.
"""

import ctypes
from functools import cache
from operator import is_
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

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
    """What a call is made with: all addresses and lengths, in C, and the numbers."""

    kinds: Kinds
    addresses: Any
    lengths: Any
    numbers: list[Number]


def arrays_of(value: Any) -> Arrays:
    """Return what an array or a named tuple of arrays becomes. Raises UnfitError."""
    addresses: list[int] = []
    lengths: list[int] = []
    kind = _gathered(value, addresses, lengths)
    return Arrays(kind, tuple(addresses), tuple(lengths))


def _gathered(value: Any, addresses: list[int], lengths: list[int]) -> str:
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
    members = [_gathered(each, addresses, lengths) for each in value]
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
    """Makes the arguments of call after call plain; tuples given again are not looked at again.

    Tuples stay what they are, and so do the addresses and shapes of the arrays in them.
    """

    def __init__(self) -> None:
        self._last: tuple[tuple[Any, ...], tuple[Arrays, ...], Any, Any] = (), (), None, None

    def plain(self, values: tuple[Any, ...]) -> Call:
        """Return what a call is made with. Raises UnfitError."""
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
                    raise UnfitError  # C would cut it off without a word
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
