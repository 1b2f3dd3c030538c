"""Numbers as text: the two instructions that the compiled interpreter hands over."""

import re
import struct
from typing import Final

import numpy as np

from hardware_sims.nxt_vm.codes import DONE
from hardware_sims.nxt_vm.dataspace.memory import store_float
from hardware_sims.nxt_vm.dataspace.variables import set_value, value_or
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
    (value,) = struct.unpack_from("<f", memory.bytes, memory.place(memory.argument(at, 2)))
    text = memory.word(memory.place(memory.argument(at, 1)))
    memory.fill(text, float_text(value) + b"\0")
    return DONE


def text_to_number(memory: Memory, at: int) -> int:
    """STRINGTONUM: number, index behind it, string, offset, value if there is no number."""
    machine = memory.machine
    to, past, text, offset, otherwise = (memory.argument(at, i) for i in range(1, 6))
    start = value_or(machine, offset, 0) & 0xFFFF
    first, _, count = memory.vector(memory.word(memory.place(text)))
    string = memory.text(first + start)
    found = _NUMBER.match(string) if count else None
    if found:
        value, end = _single_precision(float(found[0])), _PAST.match(string)
        behind = start + (end.end() if end else 0)
    else:
        value, behind = np.float32(value_or(machine, otherwise, 0)), 0
    store_float(machine, int(memory.kinds[to]), memory.place(to), value)
    set_value(machine, past, behind)
    return DONE
