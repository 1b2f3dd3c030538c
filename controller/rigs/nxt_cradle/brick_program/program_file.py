"""The compiled program, and a look at whether a standard brick can execute such a file.

The format: LEGO, "MINDSTORMS NXT Executable File Specification"; the limits: LEGO's firmware 1.29.
"""

import hashlib
import struct
from collections.abc import Iterator
from importlib.resources import files
from typing import Final

from controller.errors import InvalidProgramError

_HEADER: Final = struct.Struct("<14sBB11H")
_FORMAT: Final = b"MindstormsNXT\0"
_OLDEST_VERSION: Final = (0, 4)
_NEWEST_MAJOR: Final = 1
_TOC_ENTRY_BYTES: Final = 4
_CLUMP_BYTES: Final = 4

# What the standard firmware knows; the enhanced one goes on from there.
LAST_OPCODE: Final = 0x37
LAST_SYSCALL: Final = 47
_SYSCALL: Final = 0x28
_SHORT_FORM: Final = 0x0800
_SIZE_FOLLOWS: Final = 0xE


def shipped_program() -> bytes:
    """Return the program of this version."""
    return (files(__package__) / "player.rxe").read_bytes()


def name_on_brick(program: bytes) -> str:
    """Return the file name for a program: it tells the content, so that versions never mix."""
    return f"rig-{hashlib.sha256(program).hexdigest()[:8]}.rxe"


def check_program(program: bytes) -> None:
    """Make sure that a brick with LEGO's firmware can execute `program`.

    Raises InvalidProgramError that says what is wrong.
    """
    if len(program) < _HEADER.size or not program.startswith(_FORMAT):
        raise InvalidProgramError("This is no program for an NXT brick (.rxe).")
    code = _code(program)
    for opcode, first_argument in _instructions(code):
        if opcode > LAST_OPCODE or (opcode == _SYSCALL and first_argument > LAST_SYSCALL):
            what = f"system call {first_argument}" if opcode == _SYSCALL else f"opcode {opcode:#x}"
            raise InvalidProgramError(
                f"This program needs the enhanced firmware ({what}); compile it without -EF."
            )


def _code(program: bytes) -> tuple[int, ...]:
    """Return the code's words, found behind everything else, as the firmware's loader does."""
    _, major, minor, toc, _, _, defaults, *_, clumps, words = _HEADER.unpack_from(program)
    if major > _NEWEST_MAJOR or (major, minor) < _OLDEST_VERSION:
        raise InvalidProgramError(f"This program is of version {major}.{minor}, none we know.")
    records = _even(_HEADER.size + _TOC_ENTRY_BYTES * toc + _even(defaults))
    lists = records + _CLUMP_BYTES * clumps
    dependents = sum(program[records + 1 : lists : _CLUMP_BYTES])
    begin = _even(lists + dependents)
    if not words or begin + 2 * words != len(program):
        raise InvalidProgramError(
            f"This program is cut off or damaged: {len(program)} bytes instead of "
            f"{begin + 2 * words}."
        )
    return struct.unpack_from(f"<{words}H", program, begin)


def _instructions(code: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yield opcode and first argument of each instruction in the long form."""
    at = 0
    while at < len(code):
        word = code[at]
        size = word >> 12
        arguments = code[at + 1 : at + 2]
        if size == _SIZE_FOLLOWS:
            size, arguments = (*arguments, 0)[0], code[at + 2 : at + 3]
        if size < 2 or size % 2 or at + size // 2 > len(code):
            raise InvalidProgramError(f"This program is damaged: no instruction at word {at}.")
        if not word & _SHORT_FORM:
            yield word & 0xFF, (*arguments, 0)[0]
        at += size // 2


def _even(size: int) -> int:
    return size + size % 2
