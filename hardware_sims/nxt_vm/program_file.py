"""A compiled program (.rxe) as the brick stores it: its parts, checked as the firmware does.

Layout, little endian: header of 38 bytes; table of variables; default values; clump records and
lists of dependents; code, which ends exactly at the file's end. Source: LEGO's executable file
specification 2.0 and the published firmware 1.29.
"""

import struct
from dataclasses import dataclass
from typing import Final

from hardware_sims.nxt_vm import codes
from hardware_sims.nxt_vm.dataspace import DEEPEST_TYPE

_HEADER: Final = struct.Struct("<14sBB11H")
_FORMAT: Final = b"MindstormsNXT\0"
_HIGHEST_MAJOR: Final = 1
_LOWEST_MINOR: Final = 4
_DEFAULT_IS_ZERO: Final = 1


class InvalidProgramError(Exception):
    """A file is no program that the firmware would start; the message says what is wrong."""

    def __init__(self, message: str, code: int = codes.ERR_FILE) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Variable:
    """An entry of the table of variables: for a cluster, `place` is its number of members."""

    kind: int
    flags: int
    place: int


@dataclass(frozen=True, slots=True)
class ClumpRecord:
    """A task or subroutine: it runs when `fire_count` others have signalled that they ended."""

    fire_count: int
    dependents: bytes
    first_word: int


@dataclass(frozen=True, slots=True)
class ProgramFile:
    """The parts of a program, sizes checked."""

    variables: tuple[Variable, ...]
    following: tuple[int, ...]  # per variable, the next one on its level
    clumps: tuple[ClumpRecord, ...]
    code: bytes
    static_defaults: bytes
    dynamic_defaults: bytes
    dataspace_size: int
    static_size: int
    chain_head: int
    chain_tail: int
    dope_vectors_at: int


def parse_program(image: bytes) -> ProgramFile:
    """Take a file apart.

    Raises:
        InvalidProgramError: the firmware would answer "File Error!" to this image.
    """
    if len(image) < _HEADER.size:
        raise InvalidProgramError(
            f"the file has {len(image)} bytes, fewer than a header", codes.ERR_VER
        )
    fields = _HEADER.unpack_from(image)
    text, major, minor, entries, size, static = fields[:6]
    defaults, dynamic_at, dynamic_size, head, tail, vectors_at, clumps, words = fields[6:14]
    if text != _FORMAT:
        raise InvalidProgramError("the file does not start with 'MindstormsNXT'", codes.ERR_VER)
    if major > _HIGHEST_MAJOR or minor < _LOWEST_MINOR:
        raise InvalidProgramError(f"version {major}.{minor} is not 0.4 to 1.x", codes.ERR_VER)
    if not 0 < clumps < codes.NO_CLUMP:
        raise InvalidProgramError(f"it has {clumps} tasks and subroutines; 1 to 254 are possible")
    if not words or not size:
        raise InvalidProgramError("it has no code or no variables")
    table_at = _HEADER.size
    defaults_at = table_at + 4 * entries
    clumps_at = (defaults_at + defaults + 1) & ~1
    lists_at = clumps_at + 4 * clumps
    records = image[clumps_at:lists_at]
    counts = records[1::4]
    code_at = (lists_at + sum(counts) + 1) & ~1
    if code_at + 2 * words != len(image):
        raise InvalidProgramError(
            f"its parts take {code_at + 2 * words} bytes, but the file has {len(image)}"
        )
    if -(-clumps * codes.CLUMP_RECORD_BYTES // 4) * 4 + size > codes.POOL_BYTES:
        raise InvalidProgramError(f"its {size} bytes of variables do not fit into the memory")
    if dynamic_at + dynamic_size != defaults:
        raise InvalidProgramError("the sizes of its default values do not add up")
    variables = tuple(
        Variable(*entry) for entry in struct.iter_unpack("<BBH", image[table_at:defaults_at])
    )
    split = defaults_at + dynamic_at
    program = ProgramFile(
        variables=variables,
        following=_levels(variables),
        clumps=_clumps(records, image[lists_at:]),
        code=image[code_at:],
        static_defaults=image[defaults_at:split],
        dynamic_defaults=image[split : defaults_at + defaults],
        dataspace_size=size,
        static_size=static,
        chain_head=head,
        chain_tail=tail,
        dope_vectors_at=vectors_at,
    )
    _check(program)
    return program


def _clumps(records: bytes, lists: bytes) -> tuple[ClumpRecord, ...]:
    clumps, at = [], 0
    for fire_count, count, first_word in struct.iter_unpack("<BBH", records):
        clumps.append(ClumpRecord(fire_count, lists[at : at + count], first_word))
        at += count
    return tuple(clumps)


def _levels(variables: tuple[Variable, ...]) -> tuple[int, ...]:
    """Return for each variable the next one on its level: behind its elements and members."""
    following = [len(variables)] * len(variables)
    depth = [0] * (len(variables) + 1)
    for index in range(len(variables) - 1, -1, -1):
        kind, parts = variables[index].kind, 0
        if kind > codes.FLOAT:
            raise InvalidProgramError(
                f"variable {index} has the unknown type {kind}", codes.ERR_INSTR
            )
        if kind == codes.ARRAY:
            parts = 1
        elif kind == codes.CLUSTER:
            parts = variables[index].place
        behind = index + 1
        for _ in range(parts):
            if behind >= len(variables):
                raise InvalidProgramError(f"the members of variable {index} are cut off")
            depth[index] = max(depth[index], depth[behind] + 1)
            behind = following[behind]
        if depth[index] > DEEPEST_TYPE:
            raise InvalidProgramError(f"variable {index} is nested too deep")
        following[index] = behind
    return tuple(following)


def static_variables(program: ProgramFile) -> list[int]:
    """Return the variables that have a place of their own: those of clusters, not of elements."""
    found, index = [], 0
    while index < len(program.variables):
        if program.variables[index].kind == codes.CLUSTER:
            index += 1
        else:
            found.append(index)
            index = program.following[index]
    return found


def _check(program: ProgramFile) -> None:
    """Check what can only be seen in the parts."""
    taken = 0
    for index in static_variables(program):
        variable = program.variables[index]
        if not variable.flags & _DEFAULT_IS_ZERO:
            taken += codes.SIZES[variable.kind]
    if taken != len(program.static_defaults):
        raise InvalidProgramError(
            f"its variables take {taken} bytes of defaults, "
            f"{len(program.static_defaults)} are given"
        )
    if not any(clump.fire_count == 0 for clump in program.clumps):
        raise InvalidProgramError("no task of it runs at the start")
    at = program.dope_vectors_at - program.static_size
    vectors = program.dynamic_defaults[at : at + 10] if at >= 0 else b""
    if len(vectors) < 10 or vectors[:2] != program.dope_vectors_at.to_bytes(2, "little"):
        raise InvalidProgramError("its array descriptions are not where the header says")


def default_bytes(program: ProgramFile) -> list[tuple[int, bytes]]:
    """Return place and first bytes of each variable in the static dataspace."""
    values, at = [], 0
    for index in static_variables(program):
        variable = program.variables[index]
        size = codes.SIZES[variable.kind]
        if variable.flags & _DEFAULT_IS_ZERO:
            values.append((variable.place, bytes(size)))
        else:
            values.append((variable.place, program.static_defaults[at : at + size]))
            at += size
    return values
