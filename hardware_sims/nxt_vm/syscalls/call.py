"""A system call under way: its arguments, the memory they are in, and the brick around it."""

import random
import struct
from dataclasses import dataclass, field
from typing import Final, Protocol

from hardware_sims.nxt_firmware.flash import FlashFiles
from hardware_sims.nxt_firmware.io_maps import IoMap
from hardware_sims.nxt_vm.arrays import resize_vector
from hardware_sims.nxt_vm.codes import CLUSTER
from hardware_sims.nxt_vm.dataspace import MEMORY_BYTES, MachineRecord


class Peripherals(Protocol):
    """I/O maps (arrays of one record, `nxt_brick.io_maps`) and the devices behind them."""

    output: IoMap
    input: IoMap
    sound: IoMap
    buttons: IoMap
    display: IoMap
    low_speed: IoMap
    communication: IoMap
    ui: IoMap
    files: FlashFiles

    def read_io_map(self, pattern: bytes, offset: int, count: int) -> bytes:
        """Read from the first module whose name matches.

        Raises:
            CommandError: with the loader's status, if there is no such module or place.
        """

    def write_io_map(self, pattern: bytes, offset: int, data: bytes) -> None:
        """Write to the first module whose name matches; raises as `read_io_map`."""

    def stay_awake(self) -> None:
        """Start the sleep timer again."""


# Mode, speed and tacho limit are obeyed; all three counts are reset.
_OUTPUT_FLAGS: Final = 0x01 | 0x02 | 0x04 | 0x08 | 0x20 | 0x40
_CHANNEL_IDLE: Final = 0
_CHANNEL_DONE: Final = 5
_SOUND_STOP: Final = 4


def reset_devices(peripherals: Peripherals) -> None:
    """Let all motors coast at count 0, forget all sensors, button counts and I2C transfers."""
    buttons = peripherals.buttons[0]["buttons"]
    for name in ("release_count", "short_release_count", "long_release_count"):
        buttons[name] = 0
    inputs = peripherals.input[0]["inputs"]
    for name in ("sensor_type", "sensor_mode", "ad_raw", "sensor_raw", "sensor_value"):
        inputs[name] = 0
    inputs["invalid_data"] = 1
    outputs = peripherals.output[0]["outputs"]
    for name in (
        "mode", "regulation_mode", "run_state", "speed", "tacho_limit", "turn_parameter",
    ):  # fmt: skip
        outputs[name] = 0
    outputs["flags"] = _OUTPUT_FLAGS
    low_speed = peripherals.low_speed[0]
    for name in ("in_pointer", "out_pointer"):
        low_speed["in_buffers"][name] = 0
        low_speed["out_buffers"][name] = 0
    low_speed["in_buffers"]["bytes_to_receive"] = 0
    for port, state in enumerate(low_speed["channel_states"]):
        if state != _CHANNEL_IDLE:
            low_speed["channel_states"][port] = _CHANNEL_DONE
            low_speed["state"] |= 1 << port


def stop_sound(peripherals: Peripherals) -> None:
    """End what is being played; the volume is the menu's again."""
    sound = peripherals.sound[0]
    sound["state"] = _SOUND_STOP
    sound["volume"] = peripherals.ui[0]["volume"]


@dataclass(slots=True)
class CallContext:
    """The brick's parts, and what the command module remembers for the running program."""

    peripherals: Peripherals
    random: random.Random
    file_names: dict[int, tuple[bytes, bool]] = field(default_factory=dict)
    """Files that the program has opened: handle to name, and whether it writes."""
    semaphores: list[int] = field(default_factory=lambda: [0, 0])
    """Motors in use, motors asked for: bits that LEGO's motor blocks set."""
    calibrations: dict[bytes, tuple[int, int]] = field(default_factory=dict)
    """Sensor name to its smallest and largest reading."""
    draws: bool = False
    """Whether the program has taken over the screen."""


_WORD: Final = struct.Struct("<H")
_SIGNED_WORD: Final = struct.Struct("<h")
_LONG: Final = struct.Struct("<I")


class MemoryFullError(Exception):
    """The pool has no room; the machine compacts it and tries once more."""


class Memory:
    """The machine's memory as Python reads and writes it.

    A record's attributes are slow in Python: the arrays are looked up once, numbers by their key.
    """

    def __init__(self, machine: MachineRecord) -> None:
        self.machine = machine
        self.bytes: memoryview = memoryview(machine.memory)
        self.code, self.kinds, self.places = machine.code, machine.kind, machine.place
        self.following = machine.following

    def argument(self, at: int, index: int) -> int:
        """Return an argument of the instruction at a place in the code; the first has index 1."""
        return int(self.code[at + index])

    def place(self, entry: int) -> int:
        """Return where a scalar variable, or the dope vector index of an array, is."""
        return int(self.machine["dataspace"]) + int(self.places[entry])

    def word(self, at: int) -> int:
        return int(_WORD.unpack_from(self.bytes, at)[0])

    def signed_word(self, at: int) -> int:
        return int(_SIGNED_WORD.unpack_from(self.bytes, at)[0])

    def long(self, at: int) -> int:
        return int(_LONG.unpack_from(self.bytes, at)[0])

    def set_word(self, at: int, value: int) -> None:
        _WORD.pack_into(self.bytes, at, value & 0xFFFF)

    def set_long(self, at: int, value: int) -> None:
        _LONG.pack_into(self.bytes, at, value & 0xFFFFFFFF)

    def text(self, at: int) -> bytes:
        """Return the bytes before the next zero byte, of which no string has more than 65535."""
        return bytes(self.bytes[at : at + 0xFFFF]).split(b"\0", 1)[0]

    def vector(self, index: int) -> tuple[int, int, int]:
        """Return where an array's elements are, their size and their count."""
        at = int(self.machine["dope_vectors"]) + 10 * index
        offset, size, count = struct.unpack_from("<3H", self.bytes, at)
        return int(self.machine["dataspace"]) + offset, size, count

    def resize(self, vector: int, count: int) -> None:
        """Give an array `count` elements.

        Raises:
            MemoryFullError: there is no room for them.
        """
        if resize_vector(self.machine, vector, count) < 0:
            raise MemoryFullError

    def fill(self, vector: int, data: bytes) -> None:
        """Make an array of bytes what `data` is."""
        self.resize(vector, len(data))
        at = self.vector(vector)[0]
        self.bytes[at : at + len(data)] = data


class Call:
    """One system call under way: its members by their number, 0 is the result."""

    def __init__(self, memory: Memory, cluster: int) -> None:
        self.memory = memory
        entry = cluster + 1
        self._places: list[int] = []
        for _ in range(int(memory.places[cluster])):
            self._places.append(_first_place(memory, entry))
            entry = int(memory.following[entry])

    def _at(self, member: int) -> int:
        # A call with fewer members than it takes reads, on the brick, what its last one did.
        return self._places[member] if member < len(self._places) else MEMORY_BYTES - 512

    def byte(self, member: int) -> int:
        return self.memory.bytes[self._at(member)]

    def word(self, member: int) -> int:
        return self.memory.word(self._at(member))

    def signed_word(self, member: int) -> int:
        return self.memory.signed_word(self._at(member))

    def long(self, member: int) -> int:
        return self.memory.long(self._at(member))

    def set_byte(self, member: int, value: int) -> None:
        self.memory.bytes[self._at(member)] = value & 0xFF

    def set_word(self, member: int, value: int) -> None:
        self.memory.set_word(self._at(member), value)

    def set_long(self, member: int, value: int) -> None:
        self.memory.set_long(self._at(member), value)

    def point(self, member: int) -> tuple[int, int]:
        """Return x and y of a cluster of two words."""
        at = self._at(member)
        return self.memory.signed_word(at), self.memory.signed_word(at + 2)

    def vector(self, member: int) -> int:
        """Return the dope vector of an array."""
        return self.word(member)

    def text(self, member: int) -> bytes:
        """Return a string without its zero byte."""
        return self.memory.text(self.memory.vector(self.vector(member))[0])

    def array(self, member: int) -> bytes:
        """Return all bytes of an array."""
        at, size, count = self.memory.vector(self.vector(member))
        return bytes(self.memory.bytes[at : at + size * count])

    def fill(self, member: int, data: bytes) -> None:
        """Make an array of bytes what `data` is."""
        self.memory.fill(self.vector(member), data)


def _first_place(memory: Memory, entry: int) -> int:
    while memory.kinds[entry] == CLUSTER:
        entry += 1
    return memory.place(entry)
