"""Brings the program onto the brick and lets it run."""

from operator import methodcaller
from typing import Final

from controller.errors import BrickFullError, BrickRefusedError
from controller.rigs.nxt_cradle.brick.brick_link import NO_FILE, NO_PROGRAM, BrickLink
from controller.rigs.nxt_cradle.brick_program.program_file import (
    check_program,
    name_on_brick,
    shipped_program,
)
from solvers.foundation.clock import Clock

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


def run_program(link: BrickLink, clock: Clock) -> None:
    """Let the program of this version run; it is installed first where it is missing.

    One that already runs goes on. Another program is stopped. Raises RobotError.
    """
    program = shipped_program()
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
        return  # the name tells the content, and it was read back when it was written
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
