"""The board as a whole: power, reset, mode switch, boot loader or program, and the serial line.

Time is the chip's: machine cycles, reported in microseconds. Nothing here reads a clock; its
owner says how far to run.
"""

from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hardware_sims.aksen_board import Mode
from hardware_sims.aksen_board.devices import Devices, Encoders
from hardware_sims.aksen_board.facts import BoardFacts, board_facts
from hardware_sims.aksen_board.lcd import CharacterLcd
from hardware_sims.aksen_board.loader.boot_loader import BootLoader
from hardware_sims.aksen_board.loader.flash import NO_WORK, Flash, LoaderTiming, install
from hardware_sims.aksen_board.serial_line import MOST_ON_THE_LINE, received
from hardware_sims.mcs51.microcontroller import Microcontroller

# What the board shows before a program runs and while one is flashed. The messages in flash mode
# are those of its handbook (1.3). For the greeting that mentions LEDs that blink for some seconds
# after power-on (1.1), but neither text nor times: these are assumed.

READY_TO_FLASH: Final = ("Nutzerprogramm", "flashen")
FLASHED: Final = ("Programmierung", "beendet")
GREETING: Final = ("AKSEN-Board", "")
GREETING_US: Final = 2_000_000
BLINK_US: Final = 250_000


def blinking(elapsed_us: int) -> bool:
    """Return whether the LEDs are lit that long after the greeting's start."""
    return elapsed_us // BLINK_US % 2 == 0


FRAME_BITS = 10  # 8-N-1
SLICE_US = 30_000  # short enough that the UART's ring of sent bytes cannot overflow


class Board:
    """A simulated board, the AKSEN board unless `facts` say otherwise.

    `image` is flashed and marked valid, and the board comes up running it; without one the boot
    loader listens, on `flash` as it is. `is_paced` makes the loader take the time that a real line
    and a real flash take, and the greeting its seconds; otherwise it answers at once and there is
    none. Programs are always exact in time. `rom` stands in place of the library in ROM.
    """

    def __init__(
        self,
        image: Mapping[int, int] | bytes | Path | None = None,
        *,
        flash: Flash | None = None,
        mode: Mode | None = None,
        is_paced: bool = False,
        facts: BoardFacts | None = None,
        rom: Mapping[int, int] | None = None,
    ) -> None:
        self.facts = facts or board_facts()
        self._rom = self.facts.rom if rom is None else rom
        self.flash = flash if flash is not None else Flash(self.facts.code_bytes)
        self.is_paced = is_paced
        self.line_baud = self.facts.baud
        self.mcu = Microcontroller(
            xdata_bytes=self.facts.xdata_bytes, io_windows=[self.facts.io_window]
        )
        self.devices = Devices(self.facts, self.mcu.state.analog)
        self.mcu.bus = self.devices
        self.encoders = Encoders()
        self.loader: BootLoader | None = None
        self._arriving: deque[tuple[int, int]] = deque()
        self._leaving: deque[tuple[int, int]] = deque()
        self._line_free_clock = 0
        self.resets = -1  # to come up is none yet
        if image is not None:
            install(self.flash, image)
        self.reset(mode or (Mode.RED if image is None else Mode.GREEN))

    @property
    def now_us(self) -> int:
        """Microseconds since power-on."""
        return self.facts.us_at_cycle(self.mcu.cycles)

    @property
    def is_running(self) -> bool:
        """Whether a program runs; otherwise the boot loader listens."""
        return self.loader is None

    @property
    def lcd(self) -> CharacterLcd:
        """The display; `lcd.lines` is what stands on it."""
        return self.devices.lcd

    @property
    def mode_led(self) -> str:
        """`green` (program runs), `red` (loader listens), `red flashing` (nothing valid to run)."""
        if self.is_running:
            return "green"
        return "red" if self.mode is Mode.RED else "red flashing"

    def reset(self, mode: Mode | str | None = None) -> None:
        """Press the reset key, with the mode switch moved to `mode` first."""
        if mode is not None:
            self.mode = Mode(mode)
        self.resets += 1
        self.mcu.reset()
        self.mcu.take_sent()
        self.devices.reset()
        self._greeted_us = self.now_us
        if self.mode is Mode.RED or self.flash.info is None:
            timing = LoaderTiming() if self.is_paced else NO_WORK
            self.loader = BootLoader(self.flash, self.facts, timing)
            self.lcd.show(*READY_TO_FLASH)
            return
        self.loader = None
        if self.is_paced:
            self._greeted_us += GREETING_US
            self.lcd.show(*GREETING)
        else:
            self._start_program()

    def _start_program(self) -> None:
        assert self.flash.info is not None
        self.loader = None
        self.lcd.show()
        self.devices.reset()
        program = self.flash.data[: self.flash.info.length]
        self.mcu.load({**self._rom, **dict(enumerate(program))})
        self.mcu.reset()

    def run_us(self, duration_us: int) -> None:
        """Let `duration_us` pass; a running program may go up to three cycles further."""
        end_us = self.now_us + duration_us
        while self.now_us < end_us:
            if self.now_us < self._greeted_us:
                self._greet(end_us)
            elif self.loader is None:
                self._run_program(min(end_us, self.now_us + SLICE_US))
            else:
                self._run_loader(self.loader, end_us)

    def _greet(self, end_us: int) -> None:
        elapsed_us = self.now_us - self._greeted_us + GREETING_US
        self.devices.light_all(blinking(elapsed_us))
        next_us = min(end_us, self._greeted_us, self.now_us + BLINK_US)
        self.mcu.skip_cycles(self._cycles_until(next_us))
        if self.now_us >= self._greeted_us:
            self._start_program()

    def run_until(self, *, pc: int, limit_us: int = 60_000_000) -> bool:
        """Run until the program is about to execute `pc`; False if the limit came first."""
        end_us = self.now_us + limit_us
        while self.is_running and self.now_us < end_us:
            self._hand_over_arrivals()
            slice_us = min(SLICE_US, end_us - self.now_us)
            turn_us = self.encoders.turn(self.mcu, self.now_us)
            if turn_us is not None:
                slice_us = min(slice_us, turn_us - self.now_us)
            if self._arriving:
                slice_us = min(slice_us, max(self._arriving[0][0] - self.now_us, 1))
            found = self.mcu.run_until(
                pc=pc, limit_cycles=self._cycles_until(self.now_us + slice_us)
            )
            self._collect_sent()
            if found:
                return True
        return False

    def next_due_us(self) -> int | None:
        """When the loader or the line does something next by itself; None while a program runs."""
        if self.loader is None:
            return None
        times = [due for due, _ in list(self._arriving)[:1] + list(self._leaving)[:1]]
        due = self.loader.next_due_us
        return min([*times, *([due] if due is not None else [])], default=None)

    def send(self, data: bytes) -> None:
        """Put bytes from the host on the serial line, now.

        A host that does not wait for the line loses what no driver would keep for it.
        """
        for value in data[: max(0, MOST_ON_THE_LINE - len(self._arriving))]:
            self._arriving.append((self._arrival_us(), value))

    def let_arrive(self) -> None:
        """Run until everything that was sent has reached the board."""
        while self._arriving:
            self.run_us(max(self._arriving[-1][0] - self.now_us, 1))

    def take_serial(self) -> bytes:
        """Return, once, what the board has sent to the host by now."""
        sent = bytearray()
        while self._leaving and self._leaving[0][0] <= self.now_us:
            sent.append(self._leaving.popleft()[1])
        return bytes(sent)

    def _arrival_us(self) -> int:
        if self.loader is not None and not self.is_paced:
            return self.now_us
        start = max(self._line_free_clock, self.facts.clock_at_us(self.now_us))
        self._line_free_clock = start + FRAME_BITS * self.facts.oscillator_hz // self.line_baud
        return self.facts.us_at_clock(self._line_free_clock)

    def _cycles_until(self, time_us: int) -> int:
        """Return how many machine cycles are left until then."""
        return self.facts.cycle_at_us(time_us) - self.mcu.cycles

    def _run_loader(self, loader: BootLoader, end_us: int) -> None:
        """Go to the loader's next event, or to the end."""
        was_valid = self.flash.info is not None
        while self._arriving and self._arriving[0][0] <= self.now_us:
            _, value = self._arriving.popleft()
            if self.line_baud == self.facts.baud:  # other speeds give framing errors
                loader.receive(bytes([value]), self.now_us)
        self._send_from_loader(loader.take_output(self.now_us))
        if self.flash.info is not None and not was_valid:
            self.lcd.show(*FLASHED)
        if loader.started(self.now_us):
            self._start_program()
            return
        dues = [due for due, _ in list(self._arriving)[:1]]
        if loader.next_due_us is not None:
            dues.append(loader.next_due_us)
        next_us = min([due for due in dues if due > self.now_us], default=end_us)
        self.mcu.skip_cycles(self._cycles_until(min(next_us, end_us)))

    def _send_from_loader(self, data: bytes) -> None:
        frame_us = FRAME_BITS * 1_000_000 // self.facts.baud if self.is_paced else 0
        due_us = self._leaving[-1][0] if self._leaving else self.now_us
        for value in data:
            due_us = max(due_us, self.now_us) + frame_us
            self._leaving.append((due_us, value))

    def _run_program(self, end_us: int) -> None:
        self._hand_over_arrivals()
        turn_us = self.encoders.turn(self.mcu, self.now_us)
        if turn_us is not None:
            end_us = min(end_us, turn_us)
        if self._arriving:
            end_us = min(end_us, max(self._arriving[0][0], self.now_us + 1))
        self.mcu.run_cycles(self._cycles_until(end_us))
        self._collect_sent()

    def _hand_over_arrivals(self) -> None:
        """Give the UART what has arrived, as it reads it at the speed that is set now."""
        host_bit = self.facts.oscillator_hz / self.line_baud
        while self._arriving and self._arriving[0][0] <= self.now_us:
            due_us, value = self._arriving[0]
            own_bit = self.mcu.uart_bit_clocks or host_bit
            byte, has_stop_bit = received(value, host_bit, own_bit)
            due_clock = self.facts.clock_at_us(due_us)
            if not self.mcu.receive_byte(byte, due_clock, has_stop_bit):
                return
            self._arriving.popleft()

    def _collect_sent(self) -> None:
        host_bit = self.facts.oscillator_hz / self.line_baud
        own_bit = self.mcu.uart_bit_clocks or host_bit
        for value, clock in self.mcu.take_sent():
            byte, has_stop_bit = received(value, own_bit, host_bit)
            if has_stop_bit:
                self._leaving.append((self.facts.us_at_clock(clock), byte))
