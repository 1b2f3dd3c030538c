"""The sound module: what is played, and for how long (c_sound.c)."""

import struct
from collections import deque
from typing import Final

from hardware_sims.nxt_firmware.flash import FlashFiles
from hardware_sims.nxt_firmware.io_maps import NAME_BYTES, IoMap

UPDATE: Final = 0x01
RUNNING: Final = 0x02
IDLE: Final = 0
FILE: Final = 2
FREQUENCY: Final = 3
STOP: Final = 4
ONCE: Final = 0
LOOP: Final = 1
TONE: Final = 2

USUAL_VOLUME: Final = 4
TONES_REMEMBERED: Final = 100
HEADER: Final = struct.Struct(">HHHH")  # of a sound file: format, bytes, samples a second, mode
FOREVER: Final = 1 << 62


class Sound:
    """The speaker; `tones` remembers the last hundred as (Hz, milliseconds)."""

    def __init__(self, io_map: IoMap, files: FlashFiles) -> None:
        self.io_map = io_map
        self._flags, self._state = io_map["flags"], io_map["state"]  # looked at all the time
        self.tones: deque[tuple[int, int]] = deque(maxlen=TONES_REMEMBERED)
        self._files = files
        self._ends_at = FOREVER
        io_map["volume"] = USUAL_VOLUME

    @property
    def is_silent(self) -> bool:
        """Whether nothing is being played."""
        return bool(self._state[0] == IDLE)

    def play(self, name: bytes, loop: bool = False) -> None:
        """Ask for a sound file to be played, once or for ever."""
        self.io_map["mode"] = LOOP if loop else ONCE
        self.io_map["file_name"][0] = list(name[:NAME_BYTES].ljust(NAME_BYTES, b"\0"))
        self.io_map["flags"] |= UPDATE

    def ticks_to_event(self, tick: int) -> int:
        """Return after how many milliseconds from `tick` on there is something to do."""
        if self._flags[0] & UPDATE or self._state[0] == STOP:
            return 1
        return max(1, self._ends_at - tick)

    def advance(self, tick: int) -> None:
        """Start what was requested, end what is over."""
        if self._state[0] == STOP or tick >= self._ends_at:
            self._state[0], self._flags[0] = IDLE, self._flags[0] & UPDATE
            self._ends_at = FOREVER
        if self._flags[0] & UPDATE:
            self._flags[0] &= ~UPDATE & 0xFF
            self._start(tick)

    def _start(self, tick: int) -> None:
        io = self.io_map[0]
        duration = int(io["duration"])
        if io["mode"] & TONE:
            self.tones.append((int(io["frequency"]), duration))
        else:
            duration = self._file_duration()
        if duration == 0:
            return
        io["flags"] |= RUNNING
        io["state"] = FREQUENCY if io["mode"] & TONE else FILE
        self._ends_at = FOREVER if io["mode"] & LOOP else tick + duration

    def _file_duration(self) -> int:
        """Return how many milliseconds a sound file takes, 0 for one that is missing."""
        name = bytes(self.io_map["file_name"][0]).split(b"\0", 1)[0]
        file = self._files.lookup(name)
        if file is None or len(file.data) < HEADER.size:
            return 0
        _, samples, rate, _ = HEADER.unpack_from(file.data)
        return int(1000 * samples // rate) if rate else 0
