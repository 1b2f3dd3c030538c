"""The chip as an object: load an image, run it, look inside, and wire up its pins and buses."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol

import numpy as np

from hardware_sims.mcs51 import chip_state as layout
from hardware_sims.mcs51 import chip_state as slot
from hardware_sims.mcs51.image import read_image
from hardware_sims.mcs51.instructions import CARE_BIT, decode
from hardware_sims.mcs51.peripherals import NINTH_BIT, bit_clocks, change_level
from solvers.foundation.arrays import UInt8Array

INTERRUPT_ENTRY_CYCLES = 2  # the hardware's own LCALL


class ExternalBus(Protocol):
    """What answers in the input/output windows of external data memory."""

    def read(self, address: int, cycle: int) -> int:
        """Return the byte that MOVX reads at `address` in machine cycle `cycle`."""

    def write(self, address: int, value: int, cycle: int) -> None:
        """Take the byte that MOVX writes."""


class NothingOnTheBus:
    """Reads FFh and ignores writes, as an empty bus with pull-ups does."""

    def read(self, _address: int, _cycle: int) -> int:
        return 0xFF

    def write(self, _address: int, _value: int, _cycle: int) -> None:
        return


class Microcontroller:
    """An SAB 80C515A. Time is `cycles`, machine cycles of twelve oscillator clocks: 1 us at 12 MHz.

    `xdata_bytes` of external RAM start at 0000h; `io_windows` are ranges of addresses that `bus`
    answers. Everything else outside is reported as a watch event.
    """

    def __init__(
        self,
        *,
        xdata_bytes: int = 0x10000,
        io_windows: Iterable[range] = (),
        bus: ExternalBus | None = None,
        watch: bool = True,
        interrupt_entry_cycles: int = INTERRUPT_ENTRY_CYCLES,
    ) -> None:
        self.state: layout.ChipState = layout.new_chip_state()
        self.bus: ExternalBus = bus or NothingOnTheBus()
        self._watch = watch
        self._interrupt_entry_cycles = interrupt_entry_cycles
        kinds = self.state.xdata_kind
        kinds[:] = slot.XDATA_UNWRITTEN if watch else slot.XDATA_READY
        kinds[xdata_bytes:] = slot.XDATA_NONE
        for window in io_windows:
            kinds[window.start : window.stop] = slot.XDATA_IO
        if not watch:
            self.state.internal_seen[:] = 1
        self._sent_taken = 0
        self.load({})
        self.reset()

    def load(self, image: Mapping[int, int] | bytes | Path) -> None:
        """Put a program into code memory: bytes from 0000h, address to byte, or an .ihx file.

        Breakpoints go. Raises ImageError for a file that is not Intel HEX.
        """
        contents = read_image(image)
        code, marks = self.state.code, self.state.code_marks
        code[:] = 0xFF
        marks[:] = 0
        addresses = np.fromiter(contents.keys(), dtype=np.int64, count=len(contents))
        code[addresses] = np.fromiter(contents.values(), dtype=np.uint8, count=len(contents))
        marks[addresses] = slot.CODE_IN_IMAGE
        # Outside the image, every instruction is watched, so that the excursion is recorded.
        needs_care = marks == 0 if self._watch else np.zeros(marks.shape, dtype=bool)
        self._decoded_image = decode(code, needs_care)
        self.state.decoded[:] = self._decoded_image

    def reset(self) -> None:
        """Pull the reset pin: registers get their reset values, all RAM keeps its content."""
        state = self.state
        state.internal[2 * layout.SFR_BASE :] = 0
        state.internal_seen[2 * layout.SFR_BASE :] = 1
        for name, value in layout.RESET_VALUES.items():
            state.internal[layout.index_of(layout.ADDRESSES[name])] = value
        cycles = int(state.scalars[slot.CYCLES])
        events, sent = (int(state.scalars[s]) for s in (slot.EVENT_COUNT, slot.TX_COUNT))
        state.scalars[:] = 0
        state.scalars[slot.CYCLES] = cycles
        state.scalars[slot.TIMERS_AT] = cycles
        state.scalars[slot.EVENT_COUNT] = events
        state.scalars[slot.TX_COUNT] = sent
        state.scalars[slot.ENTRY_CYCLES] = self._interrupt_entry_cycles
        state.scalars[[slot.WRITTEN, slot.RESTORE, slot.SKIP_BREAK]] = -1
        state.scalars[slot.STACK_HIGH] = state.scalars[slot.STACK_LOW] = layout.RESET_VALUES["SP"]

    def run_cycles(self, count: int) -> int:
        """Run for `count` machine cycles or up to three more; return how many it was."""
        start = self.cycles
        self._run(start + count)
        return self.cycles - start

    def run_until(self, *, pc: int, limit_cycles: int = 1_000_000_000) -> bool:
        """Run one instruction or more until `pc` is next; False if the limit came first."""
        self.state.scalars[slot.SKIP_BREAK] = self.cycles
        self.add_breakpoint(pc)
        try:
            return self._run(self.cycles + limit_cycles)
        finally:
            self.remove_breakpoint(pc)

    def step(self, count: int = 1) -> None:
        """Execute `count` instructions."""
        for _ in range(count):
            self._run(self.cycles + 1)

    def _run(self, target: int) -> bool:
        """Run to cycle `target`, serving the bus; return whether a breakpoint stopped it."""
        from hardware_sims.mcs51.kernel import run

        scalars = self.state.scalars
        while True:
            reason = run(self.state, target)
            if reason == slot.EXIT_IO_READ:
                address, cycle = int(scalars[slot.IO_ADDRESS]), int(scalars[slot.IO_CYCLE])
                scalars[slot.IO_VALUE] = self.bus.read(address, cycle)
                scalars[slot.IO_READY] = 1
            elif reason == slot.EXIT_IO_WRITE:
                address, cycle = int(scalars[slot.IO_ADDRESS]), int(scalars[slot.IO_CYCLE])
                self.bus.write(address, int(scalars[slot.IO_VALUE]), cycle)
            else:
                return bool(reason == slot.EXIT_BREAK)

    def set_pin(self, port: int, bit: int, is_high: bool) -> None:
        """Drive a pin from outside, between two instructions. An open pin is high."""
        mask = 1 << bit
        was_high = bool(int(self.state.pins[port]) & mask)
        if was_high == is_high:
            return
        self.state.pins[port] ^= mask
        change_level(self.state.internal, port, bit, is_high)

    def skip_cycles(self, count: int) -> None:
        """Let time pass while the chip is held in reset."""
        self.state.scalars[[slot.CYCLES, slot.TIMERS_AT]] += count

    def receive_byte(self, value: int, end_clock: int, ninth_bit: bool = True) -> bool:
        """Let a byte end its stop bit at the UART at `end_clock`; False if too many wait.

        `end_clock` counts oscillator clocks since power-on (twelve per machine cycle).
        """
        scalars = self.state.scalars
        if scalars[slot.RX_TAIL] - scalars[slot.RX_HEAD] >= slot.RX_SLOTS:
            return False
        place = scalars[slot.RX_TAIL] % slot.RX_SLOTS
        self.state.rx_bytes[place] = value | (NINTH_BIT if ninth_bit else 0)
        self.state.rx_clocks[place] = end_clock
        scalars[slot.RX_TAIL] += 1
        return True

    def take_sent(self) -> list[tuple[int, int]]:
        """Return, once, the bytes that the UART has sent, each with the clock of its stop bit."""
        count = int(self.state.scalars[slot.TX_COUNT])
        places = [number % slot.TX_SLOTS for number in range(self._sent_taken, count)]
        self._sent_taken = count
        bytes_sent, clocks = self.state.tx_bytes, self.state.tx_clocks
        return [(int(bytes_sent[place]), int(clocks[place])) for place in places]

    @property
    def uart_bit_clocks(self) -> int:
        """Length of a bit in oscillator clocks as the program has set it; 0 if no source runs."""
        return int(bit_clocks(self.state.internal))

    def add_breakpoint(self, pc: int) -> None:
        """Stop before the instruction at `pc`."""
        self.state.code_marks[pc] |= slot.CODE_BREAKPOINT
        self.state.decoded[pc] |= CARE_BIT

    def remove_breakpoint(self, pc: int) -> None:
        """Undo `add_breakpoint`."""
        self.state.code_marks[pc] &= ~slot.CODE_BREAKPOINT & 0xFF
        self.state.decoded[pc] = self._decoded_image[pc]

    @property
    def cycles(self) -> int:
        """Machine cycles since power-on."""
        return int(self.state.scalars[slot.CYCLES])

    @property
    def pc(self) -> int:
        return int(self.state.scalars[slot.PC]) & 0xFFFF

    @property
    def idata(self) -> UInt8Array:
        """A copy of the 256 bytes of internal RAM."""
        return self.state.internal[:256].astype(np.uint8)

    @property
    def xdata(self) -> UInt8Array:
        """65536 bytes of external data memory, a view."""
        return self.state.xdata

    def register(self, name: str) -> int:
        """Return a special-function register by its name in the data sheet, as `ACC`."""
        return int(self.state.internal[layout.index_of(layout.ADDRESSES[name])])

    @property
    def stack_high_water(self) -> int:
        """Highest internal RAM address that the stack has reached since reset."""
        return int(self.state.scalars[slot.STACK_HIGH])

    @property
    def watch_event_count(self) -> int:
        """How many watch events there have been, listed or not."""
        unwritten = int(np.count_nonzero(self.state.internal_seen == 2))
        return int(self.state.scalars[slot.EVENT_COUNT]) + unwritten

    def watch_events(self) -> list[layout.WatchEvent]:
        """Return everything noted so far (the first 1024, and first reads of unwritten RAM)."""
        count = min(int(self.state.scalars[slot.EVENT_COUNT]), slot.EVENT_SLOTS)
        events = [
            layout.WatchEvent(layout.WatchKind(int(kind)), int(pc), int(cycle), int(address))
            for kind, pc, cycle, address in self.state.events[:count]
        ]
        for index in np.flatnonzero(self.state.internal_seen == 2):
            stamp = int(self.state.unwritten_reads[index])
            events.append(
                layout.WatchEvent(
                    layout.WatchKind.UNWRITTEN_IDATA, stamp & 0xFFFF, stamp >> 16, int(index)
                )
            )
        return sorted(events, key=lambda event: event.cycle)
