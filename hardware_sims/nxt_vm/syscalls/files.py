"""System calls 0 to 8 and 47: files. A loader status is the high byte of a 16-bit result."""

from collections.abc import Callable
from typing import TypeVar

from hardware_sims.nxt_firmware import statuses
from hardware_sims.nxt_firmware.flash import matcher
from hardware_sims.nxt_firmware.statuses import CommandError
from hardware_sims.nxt_vm.arrays import allocate_vector
from hardware_sims.nxt_vm.codes import DONE, ERR_MEM
from hardware_sims.nxt_vm.syscalls.call import Call, CallContext

HANDLES = 16
NO_HANDLE = 0xFF
_Answer = TypeVar("_Answer")


def _ask(request: Callable[[], _Answer], otherwise: _Answer) -> tuple[int, _Answer]:
    """Return the loader's status, and its answer or what stands for it after an error."""
    try:
        return statuses.OK, request()
    except CommandError as error:
        return error.status, otherwise


def _answer(call: Call, status: int, handle: int) -> int:
    call.set_word(0, status << 8)
    call.set_byte(1, handle)
    return DONE


def open_read(call: Call, context: CallContext) -> int:
    """FileOpenRead: result, handle, name, length out."""
    name = call.text(2)
    status, (handle, size) = _ask(lambda: context.peripherals.files.open_read(name), (0, 0))
    if status == statuses.OK:
        context.file_names[handle] = name, False
        call.set_long(3, size)
    return _answer(call, status, handle)


def open_write(call: Call, context: CallContext) -> int:
    """FileOpenWrite: result, handle, name, capacity."""
    name = call.text(2)
    size = call.long(3)
    status, handle = _ask(lambda: context.peripherals.files.open_write_data(name, size), 0)
    if status == statuses.OK:
        context.file_names[handle] = name, True
    return _answer(call, status, handle)


def open_append(call: Call, context: CallContext) -> int:
    """FileOpenAppend: result, handle, name, room left out."""
    name = call.text(2)
    status, (handle, room) = _ask(lambda: context.peripherals.files.open_append(name), (0, 0))
    call.set_long(3, room)  # dLoaderOpenAppend sets it to 0 before anything can fail
    if status == statuses.OK:
        context.file_names[handle] = name, True
    return _answer(call, status, handle)


def read(call: Call, context: CallContext) -> int:
    """FileRead: result, handle, buffer, length in and out.

    The buffer is as long as was asked for, with a zero byte behind what came. A handle that is
    not open leaves the length as it is.
    """
    asked = call.long(3)
    call.memory.resize(call.vector(2), (asked + 1) & 0xFFFF)
    at = call.memory.vector(call.vector(2))[0]
    handle = call.byte(1)
    try:
        status, data = context.peripherals.files.read(handle, asked)
    except CommandError as error:
        call.memory.bytes[at + (asked & 0xFFFF)] = 0
        return _answer(call, error.status, handle)
    call.memory.bytes[at : at + len(data) + 1] = data + b"\0"
    call.set_long(3, len(data))
    return _answer(call, status, handle)


def write(call: Call, context: CallContext) -> int:
    """FileWrite: result, handle, buffer, length in and out. What is not open is undefined."""
    at = call.memory.vector(call.vector(2))[0]
    handle = call.byte(1)
    data = bytes(call.memory.bytes[at : at + min(call.long(3), 0xFFFF)])
    try:
        status, count = context.peripherals.files.write(handle, data)
    except CommandError as error:
        return _answer(call, error.status, handle)
    call.set_long(3, count)
    return _answer(call, status, handle)


def close(call: Call, context: CallContext) -> int:
    """FileClose: result, handle."""
    handle = call.byte(1)
    if handle >= HANDLES:
        call.set_word(0, statuses.ILLEGAL_HANDLE << 8)
        return DONE
    status, _ = _ask(lambda: context.peripherals.files.close(handle), None)
    context.file_names.pop(handle, None)
    call.set_word(0, status << 8)
    return DONE


def resolve_handle(call: Call, context: CallContext) -> int:
    """FileResolveHandle: result, handle out, whether it writes out, name."""
    name = call.text(3)
    for handle, (known, writes) in sorted(context.file_names.items()):
        if known == name:
            call.set_byte(2, int(writes))
            return _answer(call, statuses.OK, handle)
    return _answer(call, statuses.HANDLE_ALREADY_CLOSED, NO_HANDLE)


def rename(call: Call, context: CallContext) -> int:
    """FileRename: result, old name, new name."""
    old, new = call.text(1), call.text(2)
    status, _ = _ask(lambda: context.peripherals.files.rename(old, new), None)
    call.set_word(0, status << 8)
    return DONE


def delete(call: Call, context: CallContext) -> int:
    """FileDelete: result, name."""
    name = call.text(1)
    status, _ = _ask(lambda: context.peripherals.files.delete(name), None)
    call.set_word(0, status << 8)
    return DONE


def list_files(call: Call, context: CallContext) -> int:
    """ListFiles: result, pattern, array of strings out."""
    matches = matcher(call.text(1))
    names = [file.name for file in context.peripherals.files.listing() if matches(file.name)]
    vector = call.vector(2)
    old = call.memory.vector(vector)[2]
    call.memory.resize(vector, len(names))
    at = call.memory.vector(vector)[0]
    for index, name in enumerate(names):
        if index >= old:
            added = allocate_vector(call.memory.machine, 1)
            if added < 0:
                return ERR_MEM
            call.memory.set_word(at + 2 * index, added)
        call.memory.fill(call.memory.word(at + 2 * index), name + b"\0")
    call.set_byte(0, DONE)
    return DONE


def close_all(context: CallContext) -> None:
    """Close what a program has left open when it ends; written files give back unused room."""
    for handle in sorted(context.file_names):
        _ask(lambda handle=handle: context.peripherals.files.crop(handle), None)  # type: ignore[misc]
    context.file_names.clear()
