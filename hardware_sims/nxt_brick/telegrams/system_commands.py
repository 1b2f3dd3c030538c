"""What each system command does; the methods are named in the opcode table (c_comm.c)."""

import struct
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from hardware_sims.nxt_brick.machine import Machine
from hardware_sims.nxt_brick.telegrams.direct_commands import stored_text
from hardware_sims.nxt_firmware import statuses
from hardware_sims.nxt_firmware.flash import matcher
from hardware_sims.nxt_firmware.io_maps import MODULES, Module
from hardware_sims.nxt_firmware.statuses import CommandError

VERSIONS: Final = (124, 1, 31, 1)  # protocol 1.124, firmware 1.31, each minor first
BOOT_PASSWORD: Final = b"Let's dance: SAMBA\0"
USB_POLL_BUFFER: Final = 0


@dataclass(frozen=True)
class _Limits:
    """How much data one reply can hold."""

    read: int
    io_map: int
    poll: int


class Link(Enum):
    """What a client is connected by. A Bluetooth stream carries files of any length."""

    USB = _Limits(read=58, io_map=55, poll=57)
    BLUETOOTH = _Limits(read=0xFFFF, io_map=119, poll=121)


class SystemCommands:
    """Each method takes the arguments of its telegram and returns the body of the reply.

    `link` is what the telegram came by; `client_handles` are the file handles that the client on
    USB has opened, which are closed when it goes.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._files = machine.files
        self.link = Link.USB
        self.client_handles: set[int] = set()
        self._module_search: list[Module] | None = None
        self._modules_left: list[Module] = []

    def close_client_handles(self) -> None:
        """Close what the client that has gone left open."""
        for handle in sorted(self.client_handles):
            self._files.close(handle)
        self.client_handles.clear()

    def _opened(self, handle: int) -> int:
        if self.link is Link.USB:
            self.client_handles.add(handle)
        return handle

    # Files

    def open_read(self, name: bytes) -> bytes:
        """Open a file for reading."""
        handle, size = self._files.open_read(stored_text(name))
        return struct.pack("<BI", self._opened(handle), size)

    def open_write(self, name: bytes, size: int) -> bytes:
        """Create a file of a given size."""
        return bytes((self._opened(self._files.open_write(stored_text(name), size)),))

    def open_write_linear(self, name: bytes, size: int) -> bytes:
        """Create a file whose sectors are in one piece."""
        return bytes((self._opened(self._files.open_write_linear(stored_text(name), size)),))

    def open_write_data(self, name: bytes, size: int) -> bytes:
        """Create a file that may stay partly empty."""
        return bytes((self._opened(self._files.open_write_data(stored_text(name), size)),))

    def open_append(self, name: bytes) -> bytes:
        """Open a data file for writing on."""
        handle, room = self._files.open_append(stored_text(name))
        return struct.pack("<BI", self._opened(handle), room)

    def read(self, handle: int, size: int) -> bytes:
        """Read on in a file. The reply has the bytes asked for, zeros where the file ended."""
        fitting = min(size, self.link.value.read)
        start = struct.pack("<BH", handle, size)
        try:
            status, data = self._files.read(handle, fitting)
        except CommandError as error:
            raise CommandError(error.status, start + bytes(fitting)) from error
        body = start + data.ljust(fitting, b"\0")
        if status:
            raise CommandError(status, body)
        return body

    def write(self, handle: int, data: bytes) -> bytes:
        """Write on in a file; what is too much is cut."""
        try:
            status, written = self._files.write(handle, data)
        except CommandError as error:
            raise CommandError(error.status, struct.pack("<BH", handle, 0)) from error
        body = struct.pack("<BH", handle, written)
        if status:
            raise CommandError(status, body)
        return body

    def close(self, handle: int) -> bytes:
        """Close a file or a search for files."""
        self.client_handles.discard(handle)
        try:
            self._files.close(handle)
        except CommandError as error:
            raise CommandError(error.status, bytes((handle,))) from error
        return bytes((handle,))

    def crop(self, handle: int) -> bytes:
        """Close a data file and give back the room that it has not used."""
        self.client_handles.discard(handle)
        try:
            self._files.crop(handle)
        except CommandError as error:
            raise CommandError(error.status, bytes((handle,))) from error
        return bytes((handle,))

    def delete(self, name: bytes) -> bytes:
        """Delete a file; the reply names what was asked for, whatever came of it."""
        named = stored_text(name).ljust(20, b"\0")
        try:
            self._files.delete(stored_text(name))
        except CommandError as error:
            raise CommandError(error.status, named) from error
        return named

    def find_first(self, pattern: bytes) -> bytes:
        """Find the newest file whose name matches; its size is the room reserved for it."""
        handle, file = self._files.find_first(stored_text(pattern))
        return struct.pack("<B20sI", self._opened(handle), file.name, file.size)

    def find_next(self, handle: int) -> bytes:
        """Find the next older file, also after the handle was closed."""
        try:
            file = self._files.find_next(handle)
        except CommandError as error:
            raise CommandError(error.status, struct.pack("<B20sI", handle, b"", 0)) from error
        return struct.pack("<B20sI", handle, file.name, file.size)

    def delete_user_flash(self) -> bytes:
        """Delete all files."""
        self._files.erase()
        self.client_handles.clear()
        return b""

    # Modules and their I/O maps

    def find_first_module(self, pattern: bytes) -> bytes:
        """Find the first module whose name matches; only one search can be open."""
        if self._module_search is not None:
            raise CommandError(statuses.NO_MORE_HANDLES)
        matches = matcher(stored_text(pattern))
        self._module_search = [each for each in MODULES if matches(each.name.encode("ascii"))]
        self._modules_left = list(self._module_search)
        return self.find_next_module(0)

    def find_next_module(self, handle: int) -> bytes:  # noqa: ARG002 - there is but one search
        """Find the next module; any handle does, and 0 is answered."""
        if not self._modules_left:
            raise CommandError(statuses.MODULE_NOT_FOUND)
        module = self._modules_left.pop(0)
        name = module.name.encode("ascii")
        size = module.map_type.itemsize
        return struct.pack("<B20sIIH", 0, name, module.identifier, 0, size)

    def close_module_search(self, handle: int) -> bytes:  # noqa: ARG002 - there is but one search
        """End the search for modules."""
        self._module_search = None
        return b"\0"

    def read_io_map(self, module: int, offset: int, size: int) -> bytes:
        """Read bytes of a module's I/O map."""
        fitting = min(size, self.link.value.io_map)
        try:
            data = self._map_bytes(module, offset, fitting)[offset : offset + fitting]
        except CommandError as error:
            body = struct.pack("<IH", module, 0) + bytes(fitting)
            raise CommandError(error.status, body) from error
        return struct.pack("<IH", module, fitting) + bytes(data)

    def write_io_map(self, module: int, offset: int, size: int, data: bytes) -> bytes:
        """Write bytes into a module's I/O map."""
        try:
            self._map_bytes(module, offset, size)[offset : offset + size] = list(data[:size])
        except CommandError as error:
            raise CommandError(error.status, struct.pack("<IH", module, 0)) from error
        return struct.pack("<IH", module, size)

    def _map_bytes(self, module: int, offset: int, size: int) -> Any:
        found = self._machine.map_bytes(module)
        if found is None:
            raise CommandError(statuses.MODULE_NOT_FOUND)
        if offset + size > len(found):
            raise CommandError(statuses.OUT_OF_BOUNDS)
        return found

    def poll_length(self, buffer: int) -> bytes:
        """Return how many bytes wait in the USB or the high speed poll buffer."""
        return bytes((buffer, len(self._poll(buffer, take=0)[1])))

    def poll(self, buffer: int, size: int) -> bytes:
        """Take bytes out of a poll buffer; what is missing is filled with zeros."""
        if size > self.link.value.poll:
            raise CommandError(statuses.UNDEFINED_ERROR, bytes((buffer, 0)))
        taken, _ = self._poll(buffer, size)
        return bytes((buffer, len(taken))) + taken.ljust(size, b"\0")

    def _poll(self, number: int, take: int) -> tuple[bytes, bytes]:
        """Return bytes taken out of a ring buffer, and those that waited in it."""
        name = "usb_poll" if number == USB_POLL_BUFFER else "high_speed_in"
        buffer = self._machine.comm_map[name][0]
        ring = bytes(buffer["bytes"])
        start, end = int(buffer["out_pointer"]), int(buffer["in_pointer"])
        waiting = bytes(ring[(start + n) % len(ring)] for n in range((end - start) % len(ring)))
        taken = waiting[:take]
        buffer["out_pointer"] = (start + len(taken)) % len(ring)
        return taken, waiting

    # The brick itself

    def get_versions(self) -> bytes:
        """Return the versions of protocol and firmware."""
        return bytes(VERSIONS)

    def get_device_info(self) -> bytes:
        """Return name, Bluetooth address, signal strengths and free flash."""
        data = self._machine.comm_map["brick_data"][0]
        return struct.pack(
            "<15s7s4BI",
            bytes(data["name"]),
            bytes(data["address"]),
            *(int(each) for each in self._machine.comm_map["connections"][0]["link_quality"]),
            self._files.free,
        )

    def set_brick_name(self, name: bytes) -> bytes:
        """Give the brick another name."""
        self._machine.name = stored_text(name)
        return b""

    def get_bluetooth_address(self) -> bytes:
        """Return the brick's Bluetooth address."""
        return bytes(self._machine.comm_map["brick_data"][0]["address"])

    def bluetooth_factory_reset(self) -> bytes:
        """Forget all paired devices; there are none, and over Bluetooth it is refused."""
        if self.link is not Link.USB:
            raise CommandError(statuses.UNDEFINED_ERROR)
        return b""

    def boot(self, password: bytes) -> bytes:
        """Erase the firmware over USB: the brick answers once more and is gone."""
        if password != BOOT_PASSWORD or self.link is not Link.USB:
            raise CommandError(statuses.UNDEFINED_ERROR)
        self._machine.erase_firmware()
        return b"Yes\0"
