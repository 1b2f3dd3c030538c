"""Numbers as text: the two instructions that the compiled interpreter hands over."""

import re
import struct
from typing import Final

import numpy as np

from hardware_sims.nxt_vm.codes import DONE
from hardware_sims.nxt_vm.dataspace.memory import store_float
from hardware_sims.nxt_vm.dataspace.variables import (
    kind_of,
    place_of,
    set_value,
    value_or,
    vector_of,
)
from hardware_sims.nxt_vm.interpreter.array_instructions import argument
from hardware_sims.nxt_vm.syscalls.call import Memory

_NUMBER: Final = re.compile(rb"[ \t\n\v\f\r]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_PAST: Final = re.compile(rb"[^0-9]*[0-9]+(?:\.[0-9]*)?")
# What is wider than the screen is written with an exponent.
_LARGEST: Final = struct.unpack("<f", struct.pack("<f", 9999999999999.99))[0]
_SMALLEST: Final = struct.unpack("<f", struct.pack("<f", -999999999999.99))[0]


def float_text(value: float) -> bytes:
    """Return a float as the firmware writes it: two decimals without zeros at the end."""
    if value > _LARGEST or value < _SMALLEST:
        return b"%.6g" % value
    text = b"%.2f" % value
    if text.endswith(b"00"):
        return b"%.0f" % value
    return b"%.1f" % value if text.endswith(b"0") else text


def _single_precision(value: float) -> np.float32:
    """Return the nearest number of single precision, without a warning where that is infinite."""
    with np.errstate(over="ignore"):
        return np.float32(value)


def number_to_text(memory: Memory, at: int) -> int:
    """NUMTOSTRING of a float: string, number."""
    machine = memory.machine
    place = place_of(machine, argument(machine, at, 2), 0)
    (value,) = struct.unpack_from("<f", memory.bytes, place)
    memory.fill(vector_of(machine, argument(machine, at, 1), 0), float_text(value) + b"\0")
    return DONE


def text_to_number(memory: Memory, at: int) -> int:
    """STRINGTONUM: number, index behind it, string, offset, value if there is no number."""
    machine = memory.machine
    to, past, text, offset, otherwise = (argument(machine, at, i) for i in range(1, 6))
    start = value_or(machine, offset, 0) & 0xFFFF
    string = memory.text(memory.vector(vector_of(machine, text, 0))[0] + start)
    found = _NUMBER.match(string) if memory.vector(vector_of(machine, text, 0))[2] else None
    if found:
        value, end = _single_precision(float(found[0])), _PAST.match(string)
        behind = start + (end.end() if end else 0)
    else:
        value, behind = np.float32(value_or(machine, otherwise, 0)), 0
    store_float(machine, kind_of(machine, to), place_of(machine, to, 0), value)
    set_value(machine, past, behind)
    return DONE
