"""Programs on the brick: checked, installed, started, and heard by as long as motors move.

The format: LEGO, "MINDSTORMS NXT Executable File Specification"; the limits: LEGO's firmware 1.29.
"""

import hashlib
import logging
import struct
from collections.abc import Iterator
from importlib.resources import files
from math import inf
from operator import methodcaller
from typing import Final

from controller.errors import BrickFullError, BrickRefusedError, InvalidProgramError
from controller.rigs.nxt_brick.brick_link import NO_FILE, NO_PROGRAM, BrickLink
from solvers.foundation.clock import Clock

PLAYER: Final = "player.rxe"
GUARD: Final = "guard.rxe"
"""The project's own programs; each has its source next to it."""

_HEADER: Final = struct.Struct("<14sBB11H")
_FORMAT: Final = b"MindstormsNXT\0"
_OLDEST_VERSION: Final = (0, 4)
_NEWEST_MAJOR: Final = 1
_TOC_ENTRY_BYTES: Final = 4
_CLUMP_BYTES: Final = 4

# What the standard firmware knows; the enhanced one adds to these.
LAST_OPCODE: Final = 0x37
LAST_SYSCALL: Final = 47
_SYSCALL: Final = 0x28
_SHORT_FORM: Final = 0x0800
_SIZE_FOLLOWS: Final = 0xE


def shipped_program(name: str = PLAYER) -> bytes:
    """Return a program of this version."""
    return (files("controller.rigs.nxt_brick") / name).read_bytes()


def name_on_brick(program: bytes) -> str:
    """Return the file name for a program: a hash of its content, so that versions never mix."""
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
    start = _even(lists + dependents)
    if not words or start + 2 * words != len(program):
        raise InvalidProgramError(
            f"This program is cut off or damaged: {len(program)} bytes instead of "
            f"{start + 2 * words}."
        )
    return struct.unpack_from(f"<{words}H", program, start)


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


OLDEST_FIRMWARE: Final = (1, 28)
"""The first with `long` arithmetic as the program needs it; MotorControl's notes warn of 1.26."""

_CHUNK_BYTES: Final = 50  # fits into a telegram on every link
_START_WAIT_S: Final = 0.05
_START_TRIES: Final = 60
# A start is answered and then forgotten while the brick still shows how another program ended.
_START_AGAIN_AFTER: Final = 40
_BIG_FILES: Final = 3


def firmware_version(link: BrickLink) -> tuple[int, int]:
    """Return the firmware's major and minor version. Raises RobotError."""
    answer = link.ask(lambda brick: brick.get_firmware_version())
    assert answer is not None
    _, version = answer
    return (int(version[0]), int(version[1]))


def why_not(link: BrickLink) -> str | None:
    """Return why no program can run on this brick, None if it can. Raises RobotError."""
    version = firmware_version(link)
    if version >= OLDEST_FIRMWARE:
        return None
    return (
        f"The brick has firmware {version[0]}.{version[1]:02}; programs need "
        f"{OLDEST_FIRMWARE[0]}.{OLDEST_FIRMWARE[1]} or later, which LEGO offers for download."
    )


def run_program(link: BrickLink, clock: Clock, program: bytes) -> None:
    """Let a program run; it is installed first where it is missing.

    One that already runs keeps running. Another program is stopped. Raises RobotError.
    """
    name = name_on_brick(program)
    running = running_program(link)
    if running == name:
        return
    install(link, name, program)
    if running is not None:
        link.ask(lambda brick: brick.stop_program(), NO_PROGRAM)
    for attempt in range(_START_TRIES):
        if attempt % _START_AGAIN_AFTER == 0:
            link.ask(lambda brick: brick.start_program(name))
        clock.sleep(_START_WAIT_S)
        if running_program(link) == name:
            return
    raise BrickRefusedError(
        f"The brick does not start the program {name}. Is its battery low, or does its screen "
        "show a message that waits for a button?"
    )


def running_program(link: BrickLink) -> str | None:
    """Return the file name of the running program, or None. Raises RobotError."""
    name = link.ask(lambda brick: brick.get_current_program_name(), NO_PROGRAM)
    return None if name is None else str(name).rstrip("\0")


def install(link: BrickLink, name: str, program: bytes) -> None:
    """Put the program on the brick, unless it is there, and read it back.

    Nothing else on the brick is deleted. Raises RobotError, InvalidProgramError.
    """
    if _size_on_brick(link, name) == len(program):
        return  # the name is a hash of the content, which was read back when it was written
    check_program(program)
    link.ask(lambda brick: brick.file_delete(name), NO_FILE)
    _write(link, name, program)
    if _read(link, name) != program:
        link.ask(lambda brick: brick.file_delete(name), NO_FILE)
        raise BrickRefusedError(
            f"The brick did not keep the program {name} as it was sent. Try again; if that "
            "does not help, its flash memory is worn out: use --drive direct."
        )


def _size_on_brick(link: BrickLink, name: str) -> int | None:
    found = link.ask(lambda brick: brick.file_find_first(name), NO_FILE)
    if found is None:
        return None
    handle, _, size = found
    link.ask(lambda brick: brick.file_close(handle))
    return int(size)


def _write(link: BrickLink, name: str, program: bytes) -> None:
    try:
        handle = link.ask(lambda brick: brick.file_open_write(name, len(program)))
    except BrickRefusedError as error:
        raise BrickFullError(_full(link, name, len(program))) from error
    for first in range(0, len(program), _CHUNK_BYTES):
        link.ask(methodcaller("file_write", handle, program[first : first + _CHUNK_BYTES]))
    link.ask(lambda brick: brick.file_close(handle))


def _read(link: BrickLink, name: str) -> bytes:
    opened = link.ask(lambda brick: brick.file_open_read(name), NO_FILE)
    if opened is None:
        return b""
    handle, size = opened
    data = b""
    while len(data) < size:
        count = min(_CHUNK_BYTES, size - len(data))
        answer = link.ask(methodcaller("file_read", handle, count))
        assert answer is not None
        if not answer[1]:
            break
        data += bytes(answer[1])
    link.ask(lambda brick: brick.file_close(handle))
    return data


def _full(link: BrickLink, name: str, size: int) -> str:
    files = sorted(_files(link), key=lambda file: -file[1])[:_BIG_FILES]
    biggest = ", ".join(f"{each} ({bytes_used} bytes)" for each, bytes_used in files)
    info = link.ask(lambda brick: brick.get_device_info())
    free = 0 if info is None else int(info[3])
    return (
        f"The brick has no room for the program {name} ({size} bytes in one piece; {free} bytes "
        f"are free). Delete something on it; its biggest files are {biggest}. "
        "Or use --drive direct."
    )


def _files(link: BrickLink) -> list[tuple[str, int]]:
    files = link.ask(lambda brick: list(brick.find_files("*.*")))
    return [(str(name), int(size)) for name, size in files or []]


# What keeps motors from staying under power when the computer disappears

ORDERS_MAILBOX: Final = 2
PRESENT: Final = b"K"
"""Order: nothing, but the host is there. Without orders both programs let the motors go."""

BEAT_S: Final = 0.3
"""Leaves half a second for a link that is late."""

SILENT_S: Final = 0.7
"""The programs let the motors go after 0.8 s; a telegram may have been under way for some of it."""

_log: Final = logging.getLogger(__name__)


class Heartbeat:
    """A sign of life to the program on the brick, every 0.3 s while motors move."""

    def __init__(self, link: BrickLink, clock: Clock) -> None:
        self._link = link
        self._clock = clock
        self._last_s = -inf

    def beat(self) -> bool:
        """Send the order that says so, if it is due. Raises RobotError.

        Return whether it was so long overdue that the motors may have been let go.
        """
        now_s = self._clock.now()
        silent_s = now_s - self._last_s
        if silent_s >= BEAT_S:
            self._last_s = now_s
            self._link.ask(lambda brick: brick.message_write(ORDERS_MAILBOX, PRESENT))
        return silent_s > SILENT_S


class Guard:
    """The watch over motors that direct commands move. Everything raises RobotError."""

    def __init__(self, link: BrickLink, clock: Clock) -> None:
        self._link = link
        self._clock = clock
        self._heartbeat: Heartbeat | None = None

    @property
    def is_on(self) -> bool:
        """Whether a program on the brick watches over the motors."""
        return self._heartbeat is not None

    def find(self) -> bool:
        """Return whether a program that watches runs already: the guard, or the player."""
        names = [name_on_brick(shipped_program(each)) for each in (GUARD, PLAYER)]
        is_running = running_program(self._link) in names
        self._heartbeat = Heartbeat(self._link, self._clock) if is_running else None
        return is_running

    def start(self) -> None:
        """Let a program watch, installed if need be, which may put the counters back to zero.

        Where the brick can hold or run none, that is logged: motors then stop only as far as the
        firmware's limits stop them.
        """
        if self.find():
            return
        reason = why_not(self._link)
        if reason is None:
            try:
                run_program(self._link, self._clock, shipped_program(GUARD))
            except BrickRefusedError as error:
                reason = str(error)
            else:
                self._heartbeat = Heartbeat(self._link, self._clock)
                return
        _log.warning(
            "%s So nothing on the brick stops the motors if this computer disappears: stay near, "
            "and switch the brick off if a motor keeps humming.",
            reason,
        )

    def beat(self) -> bool:
        """Say that the host is there, if that is due; return as `Heartbeat.beat` does."""
        return self._heartbeat is not None and self._heartbeat.beat()
