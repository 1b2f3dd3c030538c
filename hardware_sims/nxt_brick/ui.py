"""The menu: starts programs, shows how they ended, switches the brick off (c_ui.c).

A start telegram only leaves a request here. It waits for the end of what is being played, and is
lost when a program runs or its end is shown.
"""

from collections.abc import Callable
from enum import Enum, auto
from typing import Final, Protocol

from hardware_sims.nxt_firmware.io_maps import NAME_BYTES, IoMap

RESET_SLEEP_TIMER: Final = 0x10
EXECUTE_FILE: Final = 0x20
BUSY: Final = 0x40
TEST_BUTTONS: Final = 7  # the state in which the menu waits

# From the request on a silent brick to the program's start: the menu takes four milliseconds, the
# display draws its three changes one by one, and the command module is notified (c_ui.c,
# cUiFileRun, cDisplayCtrl). What reading the file from flash takes is not published.
START_MS: Final = 8
# DISPLAY_SHOW_TIME is 1500, but cUiFileRun counts up twice in each of its milliseconds.
SHOW_END_MS: Final = 751
# For alkaline cells; with the accumulator pack the firmware warns at 7.1 V (c_ui.h).
LOW_BATTERY_MV: Final = 6100  # a window that keeps the menu from starting anything
MS_PER_MINUTE: Final = 60_000
MOST_VOLUME: Final = 4
PROGRAM_KINDS: Final = (b"rxe", b"rtm")  # ends of names; the menu starts and plays nothing else
SOUND_KIND: Final = b"rso"
FOREVER: Final = 1 << 62


class Program(Protocol):
    """What the menu does with programs."""

    @property
    def is_active(self) -> bool:
        """Whether a program runs."""

    def start(self, name: bytes) -> None:
        """Load a program and let it run, unless its file is wrong."""

    def reset(self) -> None:
        """Let go of all motors, zero their counts, and be idle."""


class Speaker(Protocol):
    """What the menu asks of the sound module."""

    @property
    def is_silent(self) -> bool:
        """Whether nothing is being played."""

    def play(self, name: bytes, loop: bool = False) -> None:
        """Ask for a sound file to be played."""


class _State(Enum):
    WAITING = auto()
    STARTING = auto()
    EXECUTING = auto()
    PLAYING = auto()
    SHOWING = auto()


class Ui:
    """The menu, with the sleep timer."""

    def __init__(
        self,
        io_map: IoMap,
        program: Program,
        speaker: Speaker,
        sleep_timeout_s: float,
        battery_mv: int,
        switch_off: Callable[[str], None],
    ) -> None:
        self.io_map = io_map
        # What is looked at all the time.
        self._flags, self._force_off = io_map["flags"], io_map["force_off"]
        self._minutes = io_map["sleep_timeout"]
        self._program = program
        self._speaker = speaker
        self._switch_off = switch_off
        self._state = _State.WAITING
        self._due = FOREVER
        self._runs_program = False  # or plays a sound, or shows how it ended
        self._awake_since = 0
        self._minutes_in_map = 0
        self.sleep_timeout_s = sleep_timeout_s
        io_map["battery_voltage"] = battery_mv
        io_map["state"] = TEST_BUTTONS
        io_map["volume"] = MOST_VOLUME

    @property
    def sleep_timeout_s(self) -> float:
        """Seconds until the brick switches itself off; 0 is never. Programs set it in minutes."""
        minutes = int(self._minutes[0])
        if minutes != self._minutes_in_map:
            self._minutes_in_map, self._sleep_timeout_s = minutes, 60.0 * minutes
        return self._sleep_timeout_s

    @sleep_timeout_s.setter
    def sleep_timeout_s(self, seconds: float) -> None:
        self._sleep_timeout_s = seconds
        self._minutes_in_map = min(255, round(seconds / 60))
        self._minutes[0] = self._minutes_in_map

    def request_start(self, name: bytes) -> None:
        """Leave a request to run a file."""
        padded = name[: NAME_BYTES - 1].ljust(NAME_BYTES, b"\0")
        self.io_map["file_name"][0] = list(padded)
        self._flags[0] |= EXECUTE_FILE

    def stay_awake(self) -> None:
        """Start the sleep timer again."""
        self._flags[0] |= RESET_SLEEP_TIMER

    def ticks_to_event(self, tick: int) -> int:
        """Return after how many milliseconds from `tick` on there is something to do."""
        flags = int(self._flags[0])
        if flags & RESET_SLEEP_TIMER or self._force_off[0]:
            return 1
        if self._state is _State.WAITING and flags & EXECUTE_FILE and self._may_start():
            return 1
        return max(1, min(self._due, self._sleep_tick()) - tick)

    def advance(self, tick: int) -> None:
        """Do what is due at `tick`."""
        flags = int(self._flags[0])
        if flags & RESET_SLEEP_TIMER:
            self._flags[0] &= ~RESET_SLEEP_TIMER & 0xFF
            self._awake_since = tick
        if self._state is _State.EXECUTING:
            if not self._program.is_active:
                self._show_end(tick)
        elif self._state is _State.PLAYING:
            if self._speaker.is_silent:
                self._show_end(tick)
        elif self._state is _State.WAITING:
            if flags & EXECUTE_FILE and self._may_start():
                self._enter(_State.STARTING, tick + START_MS)
        elif tick >= self._due:
            if self._state is _State.STARTING:
                self._start(tick)
            else:
                self._end_showing()
        if self._force_off[0]:
            self._switch_off("was switched off by a write to its menu's I/O map")
        # The firmware counts minutes whatever happens; only a keep-alive, a program's start and
        # buttons set the counter back. Ordinary telegrams do not, so a driver that only polls loses
        # its brick.
        elif tick >= self._sleep_tick():
            self._switch_off(
                f"fell asleep after {self.sleep_timeout_s:g} seconds without a keep-alive, "
                "a program's start or a button"
            )

    def _start(self, tick: int) -> None:
        self._awake_since = tick
        name = bytes(self.io_map["file_name"][0]).split(b"\0", 1)[0]
        kind = name.lower().rpartition(b".")[2]
        self._runs_program = kind in PROGRAM_KINDS
        if self._runs_program:
            self._program.start(name)
            self._enter(_State.EXECUTING, FOREVER)
        elif kind == SOUND_KIND:
            self._speaker.play(name)
            self._enter(_State.PLAYING, FOREVER)
        else:
            self._end_showing()
            return
        self.io_map["run_state"] = 1
        self._flags[0] |= BUSY

    def _show_end(self, tick: int) -> None:
        self.io_map["run_state"] = 0
        self._enter(_State.SHOWING, tick + SHOW_END_MS)

    def _end_showing(self) -> None:
        if self._runs_program:
            self._program.reset()
        self._flags[0] &= ~(BUSY | EXECUTE_FILE) & 0xFF
        self._enter(_State.WAITING, FOREVER)

    def _enter(self, state: _State, due: int) -> None:
        self._state, self._due = state, due

    def _may_start(self) -> bool:
        return self._speaker.is_silent and self.io_map["battery_voltage"][0] > LOW_BATTERY_MV

    def _sleep_tick(self) -> int:
        timeout_s = self.sleep_timeout_s
        return self._awake_since + round(timeout_s * 1000) + 1 if timeout_s else FOREVER
