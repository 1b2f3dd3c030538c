"""What each system command does; the methods are named in the opcode table."""

import struct
from fnmatch import fnmatch
from typing import Final

from hardware_sims.nxt_brick.direct_commands import stored_text
from hardware_sims.nxt_brick.machine import Machine
from hardware_sims.nxt_brick.opcodes import (
    STATUS_ILLEGAL_HANDLE,
    STATUS_ILLEGAL_NAME,
    STATUS_INSANE_PACKET,
    STATUS_MODULE_NOT_FOUND,
)
from hardware_sims.nxt_brick.telegrams import CommandError

VERSIONS: Final = (124, 1, 31, 1)  # protocol 1.124, firmware 1.31, each minor first
BLUETOOTH_ADDRESS: Final = bytes.fromhex("00165301020300")  # 00:16:53 is LEGO's; one byte unused
SIGNAL_STRENGTHS: Final = (0, 0, 0, 0)
BOOT_PASSWORD: Final = b"Let's dance: SAMBA\0"

# Name and identifier of the firmware's modules; their IO maps are not simulated (size 0).
MODULES: Final = (
    (b"Command.mod", 0x00010001),
    (b"Output.mod", 0x00020001),
    (b"Input.mod", 0x00030001),
    (b"Button.mod", 0x00040001),
    (b"Comm.mod", 0x00050001),
    (b"IOCtrl.mod", 0x00060001),
    (b"Sound.mod", 0x00080001),
    (b"Loader.mod", 0x00090001),
    (b"Display.mod", 0x000A0001),
    (b"Low Speed.mod", 0x000B0001),
    (b"Ui.mod", 0x000C0001),
)
# Handles of module searches are counted apart from those of files, as `close` serves both.
FIRST_MODULE_HANDLE: Final = 0x80
MODULE_HANDLES: Final = 16


class SystemCommands:
    """Each method takes the arguments of its telegram and returns the body of the reply."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._module_searches: dict[int, list[tuple[bytes, int]]] = {}

    def open_read(self, name: bytes) -> bytes:
        """Open a file for reading."""
        return struct.pack("<BI", *self._machine.files.open_read(stored_text(name)))

    def open_write(self, name: bytes, size: int) -> bytes:
        """Create a file of a given size."""
        return bytes((self._machine.files.open_write(stored_text(name), size),))

    def read(self, handle: int, size: int) -> bytes:
        """Read on in a file."""
        data = self._machine.files.read(handle, size)
        return struct.pack("<BH", handle, len(data)) + data

    def write(self, handle: int, data: bytes) -> bytes:
        """Write on in a file."""
        return struct.pack("<BH", handle, self._machine.files.write(handle, data))

    def close(self, handle: int) -> bytes:
        """Close a file or a search."""
        if handle < FIRST_MODULE_HANDLE:
            self._machine.files.close(handle)
        elif self._module_searches.pop(handle, None) is None:
            raise CommandError(STATUS_ILLEGAL_HANDLE)
        return bytes((handle,))

    def delete(self, name: bytes) -> bytes:
        """Delete a file."""
        return self._machine.files.delete(stored_text(name)).ljust(20, b"\0")

    def rename_file(self, name: bytes, new_name: bytes) -> bytes:
        """Give a file another name."""
        self._machine.files.rename(stored_text(name), stored_text(new_name))
        return name + new_name

    def find_first(self, pattern: bytes) -> bytes:
        """Find the first file whose name matches."""
        return struct.pack("<B20sI", *self._machine.files.find_first(stored_text(pattern)))

    def find_next(self, handle: int) -> bytes:
        """Find the next file."""
        return struct.pack("<B20sI", handle, *self._machine.files.find_next(handle))

    def find_first_module(self, pattern: bytes) -> bytes:
        """Find the first module of the firmware whose name matches."""
        wanted = stored_text(pattern).decode("latin-1").lower()
        if wanted == "*.*":
            wanted = "*"
        found = [module for module in MODULES if fnmatch(module[0].decode("ascii").lower(), wanted)]
        free = set(range(FIRST_MODULE_HANDLE, FIRST_MODULE_HANDLE + MODULE_HANDLES))
        handle = min(free - set(self._module_searches), default=FIRST_MODULE_HANDLE)
        self._module_searches[handle] = found
        try:
            return self.find_next_module(handle)
        except CommandError:
            del self._module_searches[handle]
            raise

    def find_next_module(self, handle: int) -> bytes:
        """Find the next module."""
        if handle not in self._module_searches:
            raise CommandError(STATUS_ILLEGAL_HANDLE)
        if not self._module_searches[handle]:
            raise CommandError(STATUS_MODULE_NOT_FOUND)
        name, identifier = self._module_searches[handle].pop(0)
        return struct.pack("<B20sIIH", handle, name, identifier, 0, 0)

    def get_versions(self) -> bytes:
        """Tell the versions of protocol and firmware."""
        return bytes(VERSIONS)

    def get_device_info(self) -> bytes:
        """Tell name, Bluetooth address, signal strengths and free flash."""
        return struct.pack(
            "<15s7s4BI",
            self._machine.name,
            BLUETOOTH_ADDRESS,
            *SIGNAL_STRENGTHS,
            self._machine.files.free,
        )

    def set_brick_name(self, name: bytes) -> bytes:
        """Give the brick another name."""
        text = stored_text(name)
        if not text:
            raise CommandError(STATUS_ILLEGAL_NAME)
        self._machine.name = text[:14]
        return b""

    def delete_user_flash(self) -> bytes:
        """Delete all files."""
        self._machine.files.erase()
        return b""

    def boot(self, password: bytes) -> bytes:
        """Erase the firmware: the brick answers once more and is gone."""
        if password != BOOT_PASSWORD:
            raise CommandError(STATUS_INSANE_PACKET)
        self._machine.is_off = True
        return b"Yes\0"
